// How large each ReplicaSet of a Deployment should be now. In: the deployment, its sets, and which of them still have pods.
// Out: new sizes by name; sets that are not named stay as they are. Pure.
import { numberAt } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import {
  desiredAnnotation,
  limitsOf,
  others,
  revisionNumber,
  revisionOf,
  sizeOf,
  specOf,
} from './deployment-view.ts';
import { newRevisionSize, scaleProportionally, shrinkOld } from './rollout.ts';

export type Sizes = ReadonlyMap<string, number>;

interface Rollout {
  readonly deployment: ApiObject;
  readonly current: ApiObject;
  readonly sets: readonly ApiObject[];
  /** Whether pods of a set are not at their end yet. */
  readonly hasPods: (set: ApiObject) => boolean;
}

const unchanged: Sizes = new Map();

export function rolledSizes(rollout: Rollout): Sizes {
  const { deployment, sets, current } = rollout;
  if (wasScaled(deployment, sets)) return rescaledSizes(deployment, current, sets);
  return isRecreate(deployment) ? recreatedSizes(rollout) : steppedSizes(rollout);
}

/** The size that a set for a new template begins with. */
export function firstSize(
  deployment: ApiObject,
  old: readonly ApiObject[],
  hasPods: Rollout['hasPods'],
): number {
  const waits = isRecreate(deployment) && old.some((set) => sizeOf(set) > 0 || hasPods(set));
  if (waits) return 0;
  const empty = { name: '', replicas: 0, available: 0, createdAt: '', maxReplicas: 0 };
  return newRevisionSize(limitsOf(deployment), empty, old.map(revisionOf));
}

function isRecreate(deployment: ApiObject): boolean {
  return specOf(deployment).strategy?.type === 'Recreate';
}

/** All old pods go before the first new one comes. */
function recreatedSizes({ deployment, current, sets, hasPods }: Rollout): Sizes {
  const old = others(sets, current);
  if (old.some((set) => sizeOf(set) > 0)) return none(old);
  if (old.some((set) => hasPods(set))) return unchanged;
  return new Map([[current.metadata.name, specOf(deployment).replicas ?? 1]]);
}

/** Up first; only when nothing went up, down. Each step waits for the counts of the one before. */
function steppedSizes({ deployment, current, sets }: Rollout): Sizes {
  const limits = limitsOf(deployment);
  const revisions = others(sets, current).map(revisionOf);
  const size = newRevisionSize(limits, revisionOf(current), revisions);
  if (size !== sizeOf(current)) return new Map([[current.metadata.name, size]]);
  return shrinkOld(limits, revisionOf(current), revisions);
}

/** When the deployment itself was scaled. */
export function rescaledSizes(
  deployment: ApiObject,
  current: ApiObject | undefined,
  sets: readonly ApiObject[],
): Sizes {
  const { replicas = 1 } = specOf(deployment);
  const active = sets.filter((set) => sizeOf(set) > 0);
  if (active.length <= 1) {
    const only = active[0] ?? current ?? newest(sets);
    return only === undefined ? unchanged : new Map([[only.metadata.name, replicas]]);
  }
  if (current !== undefined && isSaturated(current, replicas)) return none(others(active, current));
  if (isRecreate(deployment)) return unchanged;
  return scaleProportionally(limitsOf(deployment), active.map(revisionOf));
}

function none(sets: readonly ApiObject[]): Sizes {
  return new Map(sets.map((set) => [set.metadata.name, 0]));
}

function newest(sets: readonly ApiObject[]): ApiObject | undefined {
  return sets.toSorted((a, b) => revisionNumber(b) - revisionNumber(a))[0];
}

function wasScaled(deployment: ApiObject, sets: readonly ApiObject[]): boolean {
  const { replicas = 1 } = specOf(deployment);
  return sets.some((set) => {
    const desired = set.metadata.annotations?.[desiredAnnotation];
    return sizeOf(set) > 0 && desired !== undefined && Number(desired) !== replicas;
  });
}

function isSaturated(current: ApiObject, replicas: number): boolean {
  const available = numberAt(current, 'status', 'availableReplicas');
  return sizeOf(current) === replicas && available === replicas;
}
