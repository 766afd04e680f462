// The loops that keep the catalogue fresh. In: what is to be refreshed. Out: controllers. A refresh that fails is tried
// again with backoff, and what was known stays known meanwhile.
// Prices are fetched without leadership: a process that takes over should not first have to wait for them.
import type { ControllerSpec } from '../../kube/controller/controller.ts';
import { singleton } from '../../kube/controller/singleton.ts';
import { sizesRefreshMs } from './instance-type-catalog.ts';
import { priceRefreshMs } from './price-book.ts';
import { quotaRefreshMs } from './quota.ts';

interface Refreshable {
  refresh(signal: AbortSignal): Promise<void>;
}

/** Thousands of rows in hundreds of pages, fetched one after the other. */
const timeoutMs = 5 * 60 * 1000;

export function catalogControllers(parts: {
  readonly catalog: Refreshable;
  readonly quota: Refreshable;
  readonly prices: Refreshable;
}): ControllerSpec[] {
  return [
    refresher('instancetype', parts.catalog, { everyMs: sizesRefreshMs }),
    refresher('quota', parts.quota, { everyMs: quotaRefreshMs }),
    refresher('pricing', parts.prices, { everyMs: priceRefreshMs, needsLeadership: false }),
  ];
}

function refresher(
  name: string,
  part: Refreshable,
  options: { readonly everyMs: number; readonly needsLeadership?: boolean },
): ControllerSpec {
  return singleton({
    name,
    timeoutMs,
    needsLeadership: options.needsLeadership ?? true,
    async reconcile({ signal }) {
      await part.refresh(signal);
      return { requeueAfterMs: options.everyMs };
    },
  });
}
