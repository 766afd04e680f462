// The pods of a Job that have ended since it last counted. In: spec, status and pods. Out: the counts with them, and who
// they are.
import type { ApiObject } from '../../object.ts';
import { judgeFailure } from './failure-policy.ts';
import { parseIndexes } from './indexes.ts';
import {
  hasFailed,
  hasPlace,
  hasSucceeded,
  indexOf,
  isTracked,
  type JobSpec,
  type JobStatus,
} from './job-object.ts';

export interface EndedPods {
  readonly succeeded: number;
  readonly failed: number;
  readonly completed: ReadonlySet<number>;
  /** Those that no count of before has in it. */
  readonly newlySucceeded: readonly ApiObject[];
  readonly newlyFailed: readonly ApiObject[];
}

export function endedPods(spec: JobSpec, status: JobStatus, pods: readonly ApiObject[]): EndedPods {
  const tracked = pods.filter((pod) => isTracked(pod) && hasPlace(spec, pod));
  const newlySucceeded = tracked.filter((pod) => hasSucceeded(pod));
  const newlyFailed = tracked.filter((pod) => hasFailed(spec, pod));
  const completed = parseIndexes(status.completedIndexes ?? '', spec.completions);
  for (const pod of newlySucceeded) {
    const index = indexOf(pod);
    if (index !== undefined) completed.add(index);
  }
  return {
    succeeded: (status.succeeded ?? 0) + newlySucceeded.length,
    failed: (status.failed ?? 0) + countedFailures(spec, newlyFailed),
    completed,
    newlySucceeded,
    newlyFailed,
  };
}

/** Without those that the failure policy passes over. */
export function countedFailures(spec: JobSpec, pods: readonly ApiObject[]): number {
  return pods.filter((pod) => judgeFailure(spec.podFailurePolicy, pod)?.action !== 'Ignore').length;
}
