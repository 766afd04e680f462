// The arithmetic of a rollout. In: how many replicas are wanted and how many each revision has. Out: how many each
// revision should have next. Pure.
// 1. All revisions together never exceed replicas + maxSurge.
// 2. Scaling down never takes the available pods below replicas − maxUnavailable.
import type { Json } from '../../../../api/meta.ts';

export interface Revision {
  readonly name: string;
  /** What its ReplicaSet asks for. */
  readonly replicas: number;
  readonly available: number;
  readonly createdAt: string;
  /** The size of the whole deployment, surge included, when this one was last scaled. */
  readonly maxReplicas: number;
}

export interface Limits {
  readonly replicas: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** Percentages become numbers: surge rounds up, unavailability down; both zero would never get anywhere. */
export function resolveLimits(
  replicas: number,
  strategy: { readonly maxSurge?: Json; readonly maxUnavailable?: Json } | undefined,
): Limits {
  const maxSurge = scaledValue(strategy?.maxSurge ?? '25%', replicas, Math.ceil);
  const wanted = scaledValue(strategy?.maxUnavailable ?? '25%', replicas, Math.floor);
  const maxUnavailable = maxSurge === 0 && wanted === 0 ? 1 : wanted;
  return { replicas, maxSurge, maxUnavailable: Math.min(maxUnavailable, replicas) };
}

export function scaledValue(
  value: Json | undefined,
  total: number,
  round: (x: number) => number,
): number {
  if (typeof value === 'number') return value;
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  return percent === undefined ? 0 : round((Number(percent) * total) / 100);
}

/** The size of the new revision that the surge allows now. */
export function newRevisionSize(
  limits: Limits,
  current: Revision,
  old: readonly Revision[],
): number {
  if (current.replicas > limits.replicas) return limits.replicas;
  const room = limits.replicas + limits.maxSurge - current.replicas - sumOf(old);
  if (room <= 0) return current.replicas;
  return current.replicas + Math.min(room, limits.replicas - current.replicas);
}

/** Sizes of the old revisions after one step down: broken pods first, then as availability allows. */
export function shrinkOld(
  limits: Limits,
  current: Revision,
  old: readonly Revision[],
): ReadonlyMap<string, number> {
  const sizes = new Map(old.map(({ name, replicas }) => [name, replicas]));
  const minAvailable = limits.replicas - limits.maxUnavailable;
  const newUnavailable = current.replicas - current.available;
  let room = current.replicas + sumOf(old) - minAvailable - newUnavailable;
  if (room <= 0) return sizes;
  const oldest = old.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  for (const { name, replicas, available } of oldest) {
    const broken = Math.min(room, Math.max(0, replicas - available));
    sizes.set(name, replicas - broken);
    room -= broken;
  }
  const available = current.available + old.reduce((sum, revision) => sum + revision.available, 0);
  let spare = Math.max(0, available - minAvailable);
  for (const { name } of oldest) {
    const size = sizes.get(name) ?? 0;
    const gone = Math.min(size, spare);
    sizes.set(name, size - gone);
    spare -= gone;
  }
  return sizes;
}

/** Sizes after the deployment itself was scaled in the middle of a rollout: each revision by its share. */
export function scaleProportionally(
  limits: Limits,
  revisions: readonly Revision[],
): ReadonlyMap<string, number> {
  const allowed = limits.replicas > 0 ? limits.replicas + limits.maxSurge : 0;
  const total = sumOf(revisions);
  const toAdd = allowed - total;
  const sizes = new Map<string, number>();
  // Growing starts with the largest and newest; shrinking with the largest and oldest.
  const ordered = revisions.toSorted((a, b) => {
    if (a.replicas !== b.replicas) return b.replicas - a.replicas;
    const older = a.createdAt < b.createdAt ? -1 : 1;
    return toAdd > 0 ? -older : older;
  });
  let added = 0;
  for (const revision of ordered) {
    const change = toAdd === 0 ? 0 : shareOf(revision, allowed, toAdd - added);
    sizes.set(revision.name, Math.max(0, revision.replicas + change));
    added += change;
  }
  const first = ordered[0];
  if (first !== undefined && added !== toAdd) {
    sizes.set(first.name, Math.max(0, (sizes.get(first.name) ?? 0) + toAdd - added));
  }
  return sizes;
}

function shareOf(revision: Revision, allowed: number, left: number): number {
  if (revision.replicas === 0 || left === 0) return 0;
  const base = revision.maxReplicas === 0 ? revision.replicas : revision.maxReplicas;
  const share = Math.round((revision.replicas * allowed) / base) - revision.replicas;
  return left > 0 ? Math.min(Math.max(0, share), left) : Math.max(Math.min(0, share), left);
}

function sumOf(revisions: readonly Revision[]): number {
  return revisions.reduce((sum, { replicas }) => sum + replicas, 0);
}
