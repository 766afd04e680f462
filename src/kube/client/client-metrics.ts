// Metrics of the API client, named and labelled as the original exposes them: dashboards keep working.
// In: one line per attempt. Out: a latency histogram by kind, a counter by answer. Watches are not timed.
import { exponentialBuckets, type MetricsRegistry } from '../../base/metrics.ts';
import type { ResourceType } from '../../api/resource-type.ts';

export type Verb = 'GET' | 'LIST' | 'CREATE' | 'UPDATE' | 'PATCH' | 'DELETE';

export interface CallLabels {
  readonly verb: Verb;
  readonly type: ResourceType;
  readonly subresource?: string | undefined;
}

export interface ClientMetrics {
  answered(method: string, status: number): void;
  /** No answer came. */
  failed(method: string): void;
  timed(labels: CallLabels, seconds: number): void;
}

export const noClientMetrics: ClientMetrics = { answered() {}, failed() {}, timed() {} };

/** One per registry; clients that count together share it. */
export function clientMetrics(registry: MetricsRegistry): ClientMetrics {
  const requests = registry.counter({
    name: 'client_go_request_total',
    help: 'Requests to the API server by the status of their answer and by method.',
    labels: ['code', 'method'],
  });
  const durations = registry.histogram({
    name: 'client_go_request_duration_seconds',
    help: 'Seconds from sending a request to the API server to the end of its answer.',
    labels: ['verb', 'group', 'version', 'kind', 'subresource'],
    buckets: exponentialBuckets(0.001, 1.5, 20),
  });
  return {
    answered: (method, status) => requests.add({ code: String(status), method }),
    failed: (method) => requests.add({ code: '<error>', method }),
    timed: ({ verb, type, subresource = '' }, seconds) =>
      durations.observe(seconds, {
        verb,
        group: type.group,
        version: type.version,
        // The original takes this label from the path, where the plural stands.
        kind: type.plural,
        subresource,
      }),
  };
}

export interface WatchMetrics {
  /** A watch ended: `closed` in good order, `expired`, `silent`, `malformed` or `failed`. */
  ended(type: ResourceType, reason: string): void;
  /** Everything of a kind was read anew: `streamed` or `paged`. */
  listed(type: ResourceType, method: string): void;
}

export const noWatchMetrics: WatchMetrics = { ended() {}, listed() {} };

export function watchMetrics(registry: MetricsRegistry): WatchMetrics {
  const ends = registry.counter({
    name: 'karpenter_kube_watch_ends_total',
    help: 'Watches that ended, by resource and reason.',
    labels: ['resource', 'reason'],
  });
  const lists = registry.counter({
    name: 'karpenter_kube_lists_total',
    help: 'Times that all objects of a resource were read anew, by resource and method.',
    labels: ['resource', 'method'],
  });
  return {
    ended: (type, reason) => ends.add({ resource: type.plural, reason }),
    listed: (type, method) => lists.add({ resource: type.plural, method }),
  };
}
