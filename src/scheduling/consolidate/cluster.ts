// What disruption looks at. In: nothing. Out: the form of a cluster at one moment, as controllers or a file hand it in.
import type { Node } from '../../api/core.ts';
import { nodeClaimCondition, type NodeClaim } from '../../api/node-claim.ts';
import type { PodDisruptionBudget } from '../../api/workloads.ts';
import { isConditionTrue } from '../../model/conditions.ts';
import type { SchedulableNode } from '../schedulable-node.ts';
import type { PoolCatalog, SchedulingProblem } from '../scheduling-problem.ts';

export interface NodeState {
  readonly node: Node | undefined;
  /** Undefined for a node that nobody manages. */
  readonly nodeClaim: NodeClaim | undefined;
  /** The same as a place for pods. */
  readonly place: SchedulableNode;
  /** Part of a command that is under way. */
  readonly isQueued?: boolean;
  /** A pod that waits was promised room here. */
  readonly isNominated?: boolean;
  /** Will be deleted, though its objects do not say so yet. */
  readonly isMarkedForDeletion?: boolean;
}

export interface Cluster {
  readonly nowMs: number;
  readonly nodes: readonly NodeState[];
  /** Every managed pool with what it can be launched as, static ones and those that may not grow included. */
  readonly pools: ReadonlyMap<string, PoolCatalog>;
  readonly podDisruptionBudgets: readonly PodDisruptionBudget[];
  /** The same nodes as places, and the pods that wait; they passed validation. */
  readonly problem: SchedulingProblem;
  /** What each pool costs per hour, where somebody keeps count; else its candidates are added up. */
  readonly poolCosts?: ReadonlyMap<string, number>;
}

export function isLeaving({ place, isMarkedForDeletion = false }: NodeState): boolean {
  return place.deleting || isMarkedForDeletion;
}

export function isBeingTerminated({ nodeClaim }: NodeState): boolean {
  return isConditionTrue(nodeClaim?.status?.conditions, nodeClaimCondition.instanceTerminating);
}
