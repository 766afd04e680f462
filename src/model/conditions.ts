// Status conditions with a root that sums up the others. In: an object, its conditions, a change. Out: a new list
// (oldest transition first, the root last), or the very same one when nothing changed.
// 1. Reading never invents conditions. Writing first completes the set: what is missing of the root and its
//    dependents starts as Unknown at the object's creation.
// 2. Every write observes the object's generation; the transition time moves only with the status.
// 3. The root is True when every dependent is True at the present generation, and False when one is False there.
import type { Condition, KubeObject } from '../api/meta.ts';
import { toTimestamp } from '../base/clock.ts';
import { CodedError } from '../base/errors.ts';

export interface ConditionTypes {
  readonly root: string;
  /** Conditions that the root sums up; any other is independent of it. */
  readonly dependents: readonly string[];
}

/** Without a reason, True gives its type as one and Unknown says that nobody has looked yet. */
export type ConditionChange =
  | {
      readonly type: string;
      readonly status: 'True' | 'Unknown';
      readonly reason?: string;
      readonly message?: string;
    }
  | {
      readonly type: string;
      readonly status: 'False';
      readonly reason: string;
      readonly message?: string;
    };

/** Whose conditions they are, and when they are written. */
export interface ConditionOwner {
  readonly types: ConditionTypes;
  readonly object: KubeObject;
  readonly nowMs: number;
}

type Conditions = readonly Condition[];

export function readyConditions(...dependents: readonly string[]): ConditionTypes {
  return { root: 'Ready', dependents };
}

export function findCondition(
  conditions: Conditions | undefined,
  type: string,
): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(conditions: Conditions | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

export function setCondition(
  owner: ConditionOwner,
  conditions: Conditions | undefined,
  change: ConditionChange,
): Conditions {
  return write(owner, completeConditions(owner, conditions), change);
}

/** Adds the root and the dependents that are not there yet. */
export function completeConditions(
  owner: ConditionOwner,
  conditions: Conditions | undefined = [],
): Conditions {
  const { root, dependents } = owner.types;
  let complete = conditions;
  for (const type of [root, ...dependents]) {
    if (findCondition(complete, type) !== undefined) continue;
    complete = write(owner, complete, { type, status: 'Unknown' });
  }
  return complete;
}

/** Only independent conditions can be absent. */
export function clearCondition(
  owner: ConditionOwner,
  conditions: Conditions | undefined,
  type: string,
): Conditions {
  if (isPartOfRoot(owner.types, type)) {
    throw new CodedError(
      'DependentCondition',
      'a condition that the root sums up cannot be cleared',
      {
        fields: { type, root: owner.types.root },
      },
    );
  }
  const complete = completeConditions(owner, conditions);
  if (findCondition(complete, type) === undefined) return complete;
  return complete
    .filter((condition) => condition.type !== type)
    .toSorted((a, b) => (a.type < b.type ? -1 : 1));
}

function write(owner: ConditionOwner, conditions: Conditions, change: ConditionChange): Conditions {
  const known = findCondition(conditions, change.type);
  const written = conditionOf(owner, known, change);
  if (known !== undefined && isSame(known, written)) return conditions;
  const { deletionTimestamp } = owner.object.metadata;
  const { observedGeneration = 0 } = written;
  // Nobody will come back to the other conditions of an object that is being deleted.
  const others = conditions
    .filter(({ type }) => type !== change.type)
    .map((other) => (deletionTimestamp === undefined ? other : { ...other, observedGeneration }));
  const sorted = sort(owner.types.root, [...others, written]);
  return change.type === owner.types.root ? sorted : write(owner, sorted, rootOf(owner, sorted));
}

function conditionOf(
  { types, object, nowMs }: ConditionOwner,
  known: Condition | undefined,
  change: ConditionChange,
): Condition {
  const now = toTimestamp(nowMs);
  const { type, status } = change;
  const born = isPartOfRoot(types, type) ? (object.metadata.creationTimestamp ?? now) : now;
  const changed = known?.status === status ? known.lastTransitionTime : now;
  return {
    type,
    status,
    ...explanation(change),
    observedGeneration: object.metadata.generation ?? 0,
    lastTransitionTime: known === undefined ? born : changed,
  };
}

function explanation({ type, status, reason, message = '' }: ConditionChange): {
  readonly reason: string;
  readonly message: string;
} {
  if (reason !== undefined) return { reason, message };
  if (status === 'True') return { reason: type, message };
  return { reason: 'AwaitingReconciliation', message: 'object is awaiting reconciliation' };
}

function rootOf({ types, object }: ConditionOwner, conditions: Conditions): ConditionChange {
  const generation = object.metadata.generation ?? 0;
  const isCurrent = ({ observedGeneration = 0 }: Condition): boolean =>
    observedGeneration === generation;
  const waitingFor = conditions
    .filter(({ type }) => types.dependents.includes(type))
    .filter((condition) => condition.status !== 'True' || !isCurrent(condition))
    .toSorted((a, b) => transitionMs(b) - transitionMs(a));
  if (waitingFor.length === 0) return { type: types.root, status: 'True' };
  const message = waitingFor.map(({ type, status }) => `${type}=${status}`).join(', ');
  return waitingFor.some((condition) => condition.status === 'False' && isCurrent(condition))
    ? { type: types.root, status: 'False', reason: 'UnhealthyDependents', message }
    : { type: types.root, status: 'Unknown', reason: 'ReconcilingDependents', message };
}

function sort(root: string, conditions: Conditions): Conditions {
  const rank = ({ type }: Condition): number => (type === root ? 1 : 0);
  return conditions.toSorted((a, b) => rank(a) - rank(b) || transitionMs(a) - transitionMs(b));
}

function transitionMs({ lastTransitionTime }: Condition): number {
  return Date.parse(lastTransitionTime);
}

function isSame(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    a.observedGeneration === b.observedGeneration
  );
}

function isPartOfRoot({ root, dependents }: ConditionTypes, type: string): boolean {
  return type === root || dependents.includes(type);
}
