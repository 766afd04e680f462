// NodePools of a fixed size. In: how many nodes a pool should have, has, and is about to have. Out: how many to make, or
// which to delete and in what order.
// 1. As long as nodes pending disruption make up the number, none are made: whoever disrupts them makes replacements.
//    When they no longer do, they do not count: their replacements are among the active ones.
// 2. Nor do they count when nodes are deleted: a replacement is not surplus because its predecessor is still there.
// 3. The limit counts every node that exists or is promised, those on their way out included.
import type { Pod } from '../../api/core.ts';
import type { NodeClaim } from '../../api/node-claim.ts';
import type { NodePool } from '../../api/node-pool.ts';
import { lifetimeRemaining, rescheduleCost } from '../../model/disruption-cost.ts';
import { nillableDurationMs } from '../../model/duration.ts';
import { isDisruptable, isOwnedByDaemonSet, isReschedulable } from '../../model/pod.ts';
import { parseQuantity, quantityValue } from '../../model/quantity.ts';
import { resourceName } from '../../model/resources.ts';

/** NodeClaims of one pool. */
export interface StaticPool {
  readonly replicas: number;
  readonly active: number;
  readonly deleting: number;
  readonly pendingDisruption: number;
  /** Promised to a creation that is still under way. */
  readonly reserved: number;
  readonly limit: number | undefined;
}

export type ScaleUp =
  | { readonly kind: 'enough' }
  | { readonly kind: 'limit-reached' }
  /** To be reserved before anything is created. */
  | { readonly kind: 'create'; readonly count: number };

export interface StaticNode {
  readonly nodeClaim: NodeClaim;
  readonly pods: readonly Pod[];
}

/** `limits.nodes`, a part of a node counted as a whole one. */
export function nodeLimit({ spec }: NodePool): number | undefined {
  const limit = spec.limits?.[resourceName.nodes];
  return limit === undefined ? undefined : Number(quantityValue(parseQuantity(limit)));
}

export function scaleUp(pool: StaticPool): ScaleUp {
  const { replicas, active, deleting, pendingDisruption, reserved, limit = Infinity } = pool;
  if (active + pendingDisruption >= replicas) return { kind: 'enough' };
  const room = limit - active - deleting - pendingDisruption - reserved;
  const count = Math.min(replicas - active, room);
  return count <= 0 ? { kind: 'limit-reached' } : { kind: 'create', count };
}

/**
 * The surplus among the active nodes, in the order to delete: what has not been launched, what is empty, then what is
 * cheapest to move, nodes with pods that must not be disrupted after all others.
 */
export function scaleDown(
  replicas: number,
  active: readonly StaticNode[],
  nowMs: number,
): NodeClaim[] {
  return active
    .map((node) => ({ node, rank: rankOf(node, nowMs), cost: costOf(node, nowMs) }))
    .toSorted(
      (a, b) =>
        a.rank - b.rank ||
        a.cost - b.cost ||
        (a.node.nodeClaim.metadata.name < b.node.nodeClaim.metadata.name ? -1 : 1),
    )
    .slice(0, Math.max(active.length - replicas, 0))
    .map(({ node }) => node.nodeClaim);
}

const rank = { unlaunched: 0, empty: 1, inUse: 2, doNotDisrupt: 3 } as const;

function rankOf({ nodeClaim, pods }: StaticNode, nowMs: number): number {
  if ((nodeClaim.status?.providerID ?? '') === '') return rank.unlaunched;
  if (!pods.every((pod) => isDisruptable(pod, nowMs))) return rank.doNotDisrupt;
  return pods.every(isOwnedByDaemonSet) ? rank.empty : rank.inUse;
}

function costOf({ nodeClaim, pods }: StaticNode, nowMs: number): number {
  const { creationTimestamp } = nodeClaim.metadata;
  const remaining = lifetimeRemaining({
    createdMs: creationTimestamp === undefined ? nowMs : Date.parse(creationTimestamp),
    expireAfterMs: nillableDurationMs(nodeClaim.spec.expireAfter),
    nowMs,
  });
  return rescheduleCost(pods.filter(isReschedulable)) * remaining;
}
