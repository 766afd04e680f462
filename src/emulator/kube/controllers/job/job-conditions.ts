// What a Job says about itself in conditions. In: its status and how it ends, if it does. Out: the conditions.
// An end is announced first (SuccessCriteriaMet, FailureTarget) and stands from then on; it is there (Complete, Failed) when
// no pod is left.
import { toTimestamp } from '../../../../base/clock.ts';
import { findCondition, isTrue, withCondition, type Condition } from '../runtime/condition.ts';
import type { JobSpec, JobStatus } from './job-object.ts';
import type { JobEnd } from './job-plan.ts';

export function announcedEnd({ conditions }: JobStatus): JobEnd | undefined {
  const success = findCondition(conditions, 'SuccessCriteriaMet');
  const found = success ?? findCondition(conditions, 'FailureTarget');
  if (found?.status !== 'True') return undefined;
  const { reason = '', message = '' } = found;
  return { type: success === undefined ? 'Failed' : 'Complete', reason, message };
}

export function jobConditions(facts: {
  readonly spec: JobSpec;
  readonly status: JobStatus;
  readonly end: JobEnd | undefined;
  readonly isOver: boolean;
  readonly nowMs: number;
}): readonly Condition[] {
  const { spec, status, end, isOver, nowMs } = facts;
  const { conditions = [] } = status;
  if (end === undefined) return withSuspension(spec, conditions, nowMs);
  const { reason, message } = end;
  const lastProbeTime = toTimestamp(nowMs);
  const says = (type: string) =>
    ({ type, status: 'True', reason, message, lastProbeTime }) as const;
  const announcement = end.type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  const announced = withCondition(conditions, says(announcement), nowMs);
  return isOver ? withCondition(announced, says(end.type), nowMs) : announced;
}

/** Whether the next status says for the first time that the job is suspended, or no longer is. */
export function suspensionChanges({ suspend = false }: JobSpec, status: JobStatus): boolean {
  return suspend !== isTrue(status.conditions, 'Suspended');
}

function withSuspension(
  spec: JobSpec,
  conditions: readonly Condition[],
  nowMs: number,
): readonly Condition[] {
  if (!suspensionChanges(spec, { conditions })) return conditions;
  const isSuspended = spec.suspend === true;
  const wanted: Condition = {
    type: 'Suspended',
    status: isSuspended ? 'True' : 'False',
    reason: isSuspended ? 'JobSuspended' : 'JobResumed',
    message: isSuspended ? 'Job suspended' : 'Job resumed',
  };
  return withCondition(conditions, wanted, nowMs);
}
