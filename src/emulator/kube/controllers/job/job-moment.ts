// A Job at one moment, and what follows from it for counts and finalizers. In: the job and its pods. Out: what the plan
// wants to know, which pods are done with, and how many failures there are to report.
import { toTimestamp } from '../../../../base/clock.ts';
import { numberAt, objectsAt } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { isActive } from '../pods.ts';
import { isTrue } from '../runtime/condition.ts';
import { countedFailures, endedPods, type EndedPods } from './ended-pods.ts';
import { judgeFailure } from './failure-policy.ts';
import { indexFailures, type IndexFailures } from './index-failures.ts';
import {
  hasFailed,
  hasPlace,
  hasSucceeded,
  indexOf,
  isTerminating,
  isTracked,
  specOf,
  statusOf,
  type JobSpec,
  type JobStatus,
} from './job-object.ts';
import type { JobEnd, JobPods } from './job-plan.ts';

export interface Moment {
  readonly job: ApiObject;
  readonly spec: JobSpec;
  readonly status: JobStatus;
  readonly pods: readonly ApiObject[];
  readonly active: readonly ApiObject[];
  readonly ended: EndedPods;
  readonly indexes: IndexFailures | undefined;
  readonly startTime: string | undefined;
  readonly nowMs: number;
}

export function momentOf(job: ApiObject, pods: readonly ApiObject[], nowMs: number): Moment {
  const spec = specOf(job);
  const status = statusOf(job);
  const ended = endedPods(spec, status, pods);
  return {
    job,
    spec,
    status,
    pods,
    active: pods.filter((pod) => isActive(pod)),
    ended,
    indexes: indexFailures(spec, status, { pods, completed: ended.completed }),
    startTime: startOf(spec, status, nowMs),
    nowMs,
  };
}

/** A suspended job has not started; one that is resumed starts anew. */
function startOf(spec: JobSpec, status: JobStatus, nowMs: number): string | undefined {
  if (spec.suspend === true) return status.startTime;
  const isResumed = isTrue(status.conditions, 'Suspended');
  return isResumed ? toTimestamp(nowMs) : (status.startTime ?? toTimestamp(nowMs));
}

export function policyFailure(spec: JobSpec, pods: readonly ApiObject[]): string | undefined {
  return pods
    .filter((pod) => hasFailed(spec, pod))
    .map((pod) => judgeFailure(spec.podFailurePolicy, pod))
    .find((verdict) => verdict?.action === 'FailJob')?.message;
}

export function viewOf({ job, active, pods, ended, indexes }: Moment): JobPods {
  const restarts =
    specOf(job).template.spec['restartPolicy'] === 'OnFailure'
      ? active.reduce((sum, pod) => sum + restartsOf(pod), 0)
      : 0;
  return {
    active: active.map((pod) => ({ name: pod.metadata.name, index: indexOf(pod) })),
    terminating: pods.filter((pod) => isTerminating(pod)).map(indexOf),
    succeeded: ended.succeeded,
    failed: ended.failed + restarts,
    completedIndexes: ended.completed,
    failedIndexes: indexes?.failed,
  };
}

function restartsOf(pod: ApiObject): number {
  return [
    ...objectsAt(pod, 'status', 'initContainerStatuses'),
    ...objectsAt(pod, 'status', 'containerStatuses'),
  ].reduce((sum, status) => sum + (numberAt(status, 'restartCount') ?? 0), 0);
}

/** The pods of which nothing more is to be learnt: once there is an end all of them. */
export function settledPods(
  { pods, spec, indexes }: Moment,
  end: JobEnd | undefined,
): readonly ApiObject[] {
  if (end !== undefined) return pods;
  const kept = new Set(indexes?.replaced.values());
  return pods.filter((pod) => (hasSucceeded(pod) || hasFailed(spec, pod)) && !kept.has(pod));
}

/** When a job fails, all of its pods that have not succeeded have failed with it. */
export function failuresToReport(moment: Moment, end: JobEnd | undefined): number {
  const { spec, status } = moment;
  const counted = settledPods(moment, end).filter(
    (pod) => isTracked(pod) && hasPlace(spec, pod) && !hasSucceeded(pod),
  );
  const isFailing = end?.type === 'Failed';
  const failed = isFailing ? counted : counted.filter((pod) => hasFailed(spec, pod));
  return (status.failed ?? 0) + countedFailures(spec, failed);
}
