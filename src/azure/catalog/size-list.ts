// The sizes of a region that nodes can be made of. In: Azure's list, page by page. Out: sizes by name, in order.
// A list without a single usable size is an error. Sizes that only we fail to understand are named in the log.
import { CodedError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { isKnownSize } from './price-fallback.ts';
import type { Exclusion } from './size-exclusion.ts';
import type { SkuSource } from './sku-record.ts';
import { readVmSize, type VmSize } from './vm-size.ts';

export async function readSizeList(options: {
  readonly source: SkuSource;
  readonly region: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
}): Promise<ReadonlyMap<string, VmSize>> {
  const { source, region, log, signal } = options;
  const sizes = new Map<string, VmSize>();
  const excluded = new Map<Exclusion, string[]>();
  for await (const page of source.list(signal)) {
    for (const record of page) {
      const answer = readVmSize(record, region);
      if ('size' in answer) sizes.set(answer.size.name, answer.size);
      else
        excluded.set(answer.excluded, [
          ...(excluded.get(answer.excluded) ?? []),
          record.name ?? '',
        ]);
    }
  }
  if (sizes.size === 0) {
    throw new CodedError('NoInstanceTypes', 'list of sizes has none that nodes can be made of', {
      fields: { region },
    });
  }
  report(log, sizes, excluded);
  return new Map([...sizes].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function report(
  log: Logger,
  sizes: ReadonlyMap<string, VmSize>,
  excluded: ReadonlyMap<Exclusion, readonly string[]>,
): void {
  for (const reason of ['unknown name', 'unknown architecture'] as const) {
    const names = excluded.get(reason);
    if (names !== undefined)
      log.error('sizes left out', { reason, instanceTypes: names.toSorted() });
  }
  const strangers = [...sizes.values()].filter(({ name }) => !isKnownSize(name));
  if (strangers.length === 0) return;
  const families = [...new Set(strangers.map(({ family, name }) => family ?? name))].toSorted();
  log.info('sizes that are new to us are offered last', { families });
}
