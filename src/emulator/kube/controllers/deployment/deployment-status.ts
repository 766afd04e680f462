// What a Deployment says about itself. In: the deployment and its sets. Out: counts and conditions.
// `Progressing` tells whether the rollout moves: it turns False when nothing moved for the deadline, and stays on
// "available" once complete, however its pods come and go later.
import { toTimestamp } from '../../../../base/clock.ts';
import type { ApiObject } from '../../object.ts';
import { findCondition, withCondition, type Condition } from '../runtime/condition.ts';
import {
  countOf,
  limitsOf,
  sizeOf,
  specOf,
  statusOf,
  type DeploymentStatus,
} from './deployment-view.ts';

export type FullStatus = Required<Omit<DeploymentStatus, 'collisionCount'>> & {
  readonly collisionCount?: number;
  readonly unavailableReplicas: number;
  readonly terminatingReplicas: number;
};

export function countStatus(options: {
  readonly deployment: ApiObject;
  readonly current: ApiObject | undefined;
  readonly sets: readonly ApiObject[];
  readonly nowMs: number;
}): FullStatus {
  const { deployment, current, sets, nowMs } = options;
  const sum = (of: (set: ApiObject) => number): number =>
    sets.reduce((total, set) => total + of(set), 0);
  const available = sum((set) => countOf(set, 'availableReplicas'));
  const before = statusOf(deployment);
  const { collisionCount } = before;
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: sum((set) => countOf(set, 'replicas')),
    updatedReplicas: current === undefined ? 0 : countOf(current, 'replicas'),
    readyReplicas: sum((set) => countOf(set, 'readyReplicas')),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, sum(sizeOf) - available),
    terminatingReplicas: sum((set) => countOf(set, 'terminatingReplicas')),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    conditions: withFailure(withAvailability(deployment, available, nowMs), { current, sets }),
  };
}

const failure = 'ReplicaFailure';

/** What keeps a set from its pods, the newest first, is said of the deployment too for as long as it lasts. */
function withFailure(
  conditions: readonly Condition[],
  { current, sets }: { current: ApiObject | undefined; sets: readonly ApiObject[] },
): readonly Condition[] {
  const [found] = [...(current === undefined ? [] : [current]), ...sets].flatMap((set) => {
    const own = (set['status'] as { conditions?: readonly Condition[] } | undefined)?.conditions;
    return findCondition(own, failure) ?? [];
  });
  const known = findCondition(conditions, failure);
  if (known?.status === found?.status && known?.reason === found?.reason) return conditions;
  const others = conditions.filter(({ type }) => type !== failure);
  return found === undefined ? others : [...others, { ...found, ...lastUpdated(found) }];
}

function lastUpdated({ lastTransitionTime }: Condition): Partial<Condition> {
  return lastTransitionTime === undefined ? {} : { lastUpdateTime: lastTransitionTime };
}

function withAvailability(
  deployment: ApiObject,
  available: number,
  nowMs: number,
): readonly Condition[] {
  const { replicas, maxUnavailable } = limitsOf(deployment);
  const enough = available >= replicas - maxUnavailable;
  const wanted: Condition = {
    type: 'Available',
    status: enough ? 'True' : 'False',
    reason: enough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: enough
      ? 'Deployment has minimum availability.'
      : 'Deployment does not have minimum availability.',
  };
  return stamped(statusOf(deployment).conditions, wanted, nowMs);
}

/** Like `withCondition`, and also says when it was last looked at anew. */
export function stamped(
  conditions: readonly Condition[] | undefined,
  wanted: Condition,
  nowMs: number,
): readonly Condition[] {
  return withCondition(conditions, { ...wanted, lastUpdateTime: toTimestamp(nowMs) }, nowMs);
}

export function isComplete(deployment: ApiObject, status: FullStatus): boolean {
  const { replicas = 1 } = specOf(deployment);
  return (
    status.updatedReplicas === replicas &&
    status.replicas === replicas &&
    status.availableReplicas === replicas &&
    status.observedGeneration >= (deployment.metadata.generation ?? 0)
  );
}

interface Progress {
  readonly deployment: ApiObject;
  readonly current: ApiObject | undefined;
  readonly status: FullStatus;
  readonly nowMs: number;
}

/** The status with its `Progressing` condition brought up to date. */
export function withProgress(progress: Progress): FullStatus {
  const { deployment, status, nowMs } = progress;
  const { progressDeadlineSeconds, paused } = specOf(deployment);
  const known = findCondition(status.conditions, 'Progressing');
  const isSettled =
    status.replicas === status.updatedReplicas && known?.reason === 'NewReplicaSetAvailable';
  if (progressDeadlineSeconds === undefined || paused === true || isSettled) return status;
  if (isComplete(deployment, status)) {
    return says(progress, 'True', 'NewReplicaSetAvailable', 'has successfully progressed.');
  }
  if (hasMoved(statusOf(deployment), status)) {
    // Moving again restarts the deadline, also when the words stay the same.
    const conditions = status.conditions.filter(({ type }) => type !== 'Progressing');
    const moved = says(progress, 'True', 'ReplicaSetUpdated', 'is progressing.', conditions);
    return { ...moved, conditions: keepTransition(moved.conditions, known) };
  }
  if (deadlineMs(known, progressDeadlineSeconds) <= nowMs) {
    return says(progress, 'False', 'ProgressDeadlineExceeded', 'has timed out progressing.');
  }
  return status;
}

function says(
  { deployment, current, status, nowMs }: Progress,
  ...[value, reason, words, conditions = status.conditions]: [
    value: 'True' | 'False',
    reason: string,
    words: string,
    conditions?: readonly Condition[],
  ]
): FullStatus {
  const subject =
    current === undefined
      ? `Deployment "${deployment.metadata.name}"`
      : `ReplicaSet "${current.metadata.name}"`;
  const message = `${subject} ${words}`;
  const wanted: Condition = { type: 'Progressing', status: value, reason, message };
  return { ...status, conditions: stamped(conditions, wanted, nowMs) };
}

function keepTransition(
  conditions: readonly Condition[],
  known: Condition | undefined,
): readonly Condition[] {
  const since = known?.status === 'True' ? known.lastTransitionTime : undefined;
  if (since === undefined) return conditions;
  return conditions.map((condition) =>
    condition.type === 'Progressing' ? { ...condition, lastTransitionTime: since } : condition,
  );
}

/** Milliseconds until the rollout counts as stuck; undefined when it cannot. */
export function untilDeadlineMs(deployment: ApiObject, status: FullStatus, nowMs: number) {
  const { progressDeadlineSeconds } = specOf(deployment);
  const known = findCondition(status.conditions, 'Progressing');
  if (progressDeadlineSeconds === undefined || known === undefined) return undefined;
  if (known.status !== 'True' || known.reason === 'NewReplicaSetAvailable') return undefined;
  if (isComplete(deployment, status)) return undefined;
  return Math.max(0, deadlineMs(known, progressDeadlineSeconds) - nowMs);
}

function deadlineMs(known: Condition | undefined, seconds: number): number {
  if (known?.lastUpdateTime === undefined || known.status !== 'True') return Infinity;
  if (known.reason === 'DeploymentPaused') return Infinity;
  return Date.parse(known.lastUpdateTime) + seconds * 1000;
}

function hasMoved(before: DeploymentStatus, after: FullStatus): boolean {
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = before;
  return (
    after.updatedReplicas > updatedReplicas ||
    after.replicas - after.updatedReplicas < replicas - updatedReplicas ||
    after.readyReplicas > readyReplicas ||
    after.availableReplicas > availableReplicas
  );
}
