// The status that a Job reports. In: the job at one moment, and what was decided about it. Out: the fields of its status.
import { toTimestamp } from '../../../../base/clock.ts';
import { isReady } from '../pods.ts';
import type { Condition } from '../runtime/condition.ts';
import { formatIndexes } from './indexes.ts';
import { jobConditions } from './job-conditions.ts';
import { failuresToReport, type Moment } from './job-moment.ts';
import { isIndexed } from './job-object.ts';
import type { JobEnd } from './job-plan.ts';

export interface Outcome {
  readonly end: JobEnd | undefined;
  /** Live pods, with those just made and without those just removed. */
  readonly left: number;
  readonly terminating: number;
}

/** Zeros that the original writes too. */
export const spelledOut = ['ready', 'terminating', 'uncountedTerminatedPods', 'failedIndexes'];

/** An end is there when no pod is left. */
export function isOver(outcome: Outcome): outcome is Outcome & { readonly end: JobEnd } {
  return outcome.end !== undefined && outcome.left === 0 && outcome.terminating === 0;
}

export function reportedStatus(moment: Moment, outcome: Outcome) {
  const { spec, ended, startTime, nowMs } = moment;
  const { end, left, terminating } = outcome;
  const ready = moment.active.filter((pod) => isReady(pod)).length;
  const isComplete = isOver(outcome) && outcome.end.type === 'Complete';
  return {
    ...(startTime === undefined ? {} : { startTime }),
    active: left,
    ready: end === undefined ? ready : 0,
    failed: failuresToReport(moment, end),
    terminating,
    uncountedTerminatedPods: {},
    ...successes(moment),
    ...(isComplete ? { completionTime: toTimestamp(nowMs) } : {}),
    conditions: conditionsOf(moment, outcome),
    succeeded: isIndexed(spec) ? ended.completed.size : ended.succeeded,
  };
}

function successes({ spec, ended, indexes }: Moment) {
  return {
    ...(isIndexed(spec) ? { completedIndexes: formatIndexes(ended.completed) } : {}),
    ...(indexes === undefined ? {} : { failedIndexes: formatIndexes(indexes.failed) }),
  };
}

function conditionsOf({ spec, status, nowMs }: Moment, outcome: Outcome): readonly Condition[] {
  return jobConditions({ spec, status, end: outcome.end, isOver: isOver(outcome), nowMs });
}
