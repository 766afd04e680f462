// How Azure answers, as numbers. In: calls as they end. Out: a histogram by method, type of resource and status. Names of
// resources never become labels: they would be without number.
import { exponentialBuckets, type MetricsRegistry } from '../../base/metrics.ts';

export interface ObservedCall {
  readonly method: string;
  readonly path: string;
  /** HTTP's, or `error` when there was no answer. */
  readonly status: string;
  readonly durationMs: number;
}

export interface ArmMetrics {
  observe(call: ObservedCall): void;
}

export function armMetrics(registry: MetricsRegistry): ArmMetrics {
  const durations = registry.histogram({
    name: 'karpenter_azure_request_duration_seconds',
    help: 'Duration of requests to Azure Resource Manager by method, resource type and status.',
    labels: ['method', 'resource_type', 'status'],
    buckets: exponentialBuckets(0.025, 2, 12),
  });
  return {
    observe: ({ method, path, status, durationMs }) =>
      durations.observe(durationMs / 1000, { method, resource_type: resourceTypeIn(path), status }),
  };
}

/** `Microsoft.Compute/virtualMachines`: every other segment behind the provider; an operation's id is in none. */
export function resourceTypeIn(path: string): string {
  const tail = /\/providers\/([^?]*)/i.exec(path)?.[1];
  if (tail === undefined) return 'other';
  const [provider = '', ...rest] = tail.split('/');
  return [provider, ...rest.filter((_, i) => i % 2 === 0)].join('/');
}
