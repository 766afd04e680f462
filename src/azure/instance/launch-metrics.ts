// How launches go, as numbers. In: launches as they begin and fail. Out: counters under the original's names and labels, which
// dashboards know.
import { label } from '../../api/labels.ts';
import type { MetricsRegistry } from '../../base/metrics.ts';
import { findArmError } from '../arm/arm-error.ts';
import type { LaunchPlan } from './instance.ts';

const labels = ['image', 'size', 'zone', 'capacity_type', 'nodepool'] as const;

export class LaunchMetrics {
  readonly #started;
  readonly #failed;

  constructor(registry: MetricsRegistry) {
    this.#started = registry.counter({
      name: 'karpenter_instance_vm_create_start_total',
      help: 'Number of times the creation of a machine was started.',
      labels,
    });
    this.#failed = registry.counter({
      name: 'karpenter_instance_vm_create_failure_total',
      help: 'Number of times the creation of a machine failed, at once or later.',
      labels: [...labels, 'phase', 'error_code'],
    });
  }

  started(plan: LaunchPlan): void {
    this.#started.add(labelsOf(plan));
  }

  failed(plan: LaunchPlan, phase: 'sync' | 'async', error: unknown): void {
    const errorCode = findArmError(error)?.code ?? 'UnknownError';
    this.#failed.add({ ...labelsOf(plan), phase, error_code: errorCode });
  }
}

function labelsOf({ imageId, size, zone, capacityType, nodeClaim }: LaunchPlan) {
  return {
    image: imageId,
    size: size.name,
    zone,
    capacity_type: capacityType,
    nodepool: nodeClaim.metadata.labels?.[label.nodePool] ?? '',
  };
}
