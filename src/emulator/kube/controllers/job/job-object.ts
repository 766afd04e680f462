// A Job and its pods as the controller reads them. In: stored objects. Out: spec, status, and what a pod says about its
// place in the Job.
import { stringAt } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import type { PodTemplate } from '../pods.ts';
import type { Condition } from '../runtime/condition.ts';
import type { FailurePolicy } from './failure-policy.ts';
import type { SuccessPolicy } from './success-policy.ts';

export interface JobSpec {
  readonly parallelism?: number;
  readonly completions?: number;
  readonly backoffLimit?: number;
  readonly backoffLimitPerIndex?: number;
  readonly maxFailedIndexes?: number;
  readonly activeDeadlineSeconds?: number;
  readonly completionMode?: 'NonIndexed' | 'Indexed';
  readonly podReplacementPolicy?: 'TerminatingOrFailed' | 'Failed';
  readonly podFailurePolicy?: FailurePolicy;
  readonly successPolicy?: SuccessPolicy;
  readonly suspend?: boolean;
  readonly managedBy?: string;
  readonly ttlSecondsAfterFinished?: number;
}

export type JobStatus = {
  readonly startTime?: string;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
  readonly conditions?: readonly Condition[];
};

/** On a pod until its end is in the job's counts. */
export const tracking = 'batch.kubernetes.io/job-tracking';
export const indexKey = 'batch.kubernetes.io/job-completion-index';

export function specOf(job: ApiObject): JobSpec & { readonly template: PodTemplate } {
  return job['spec'] as unknown as JobSpec & { readonly template: PodTemplate };
}

export function statusOf(job: ApiObject): JobStatus {
  return (job['status'] ?? {}) as JobStatus;
}

export function isIndexed({ completionMode }: JobSpec): boolean {
  return completionMode === 'Indexed';
}

export function isTracked(pod: ApiObject): boolean {
  return pod.metadata.finalizers?.includes(tracking) === true;
}

export function indexOf(pod: ApiObject): number | undefined {
  const text = pod.metadata.annotations?.[indexKey];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Where a pod of an indexed job has a place at all. */
export function hasPlace(spec: JobSpec, pod: ApiObject): boolean {
  return !isIndexed(spec) || (indexOf(pod) ?? Infinity) < (spec.completions ?? 0);
}

export function hasSucceeded(pod: ApiObject): boolean {
  return stringAt(pod, 'status', 'phase') === 'Succeeded';
}

/** A pod that is being deleted has failed too, unless the job waits for it to say so itself. */
export function hasFailed(spec: JobSpec, pod: ApiObject): boolean {
  if (stringAt(pod, 'status', 'phase') === 'Failed') return true;
  if (spec.podReplacementPolicy === 'Failed' || hasSucceeded(pod)) return false;
  return pod.metadata.deletionTimestamp !== undefined;
}

/** Deleted, and not at its end yet. */
export function isTerminating(pod: ApiObject): boolean {
  const phase = stringAt(pod, 'status', 'phase');
  if (phase === 'Succeeded' || phase === 'Failed') return false;
  return pod.metadata.deletionTimestamp !== undefined;
}
