// Which nodes may be disrupted at all. In: a cluster at one moment. Out: for each managed node a candidate with its pods,
// price and cost, or the first reason why it is none.
// 1. Graceful disruption never takes a node with a pod that must not be moved now; eventual disruption does when the
//    claim has a grace period after which pods are removed in any case.
// 2. A node of unknown type, zone or capacity type is a candidate, for whoever does not ask for its price.
import type { Node, Pod } from '../../api/core.ts';
import { annotation, label } from '../../api/labels.ts';
import type { NodeClaim } from '../../api/node-claim.ts';
import type { NodePool } from '../../api/node-pool.ts';
import { lifetimeRemaining, rescheduleCost } from '../../model/disruption-cost.ts';
import { isDoNotDisruptActive, isMarkedDoNotDisrupt } from '../../model/do-not-disrupt.ts';
import { nillableDurationMs } from '../../model/duration.ts';
import type { InstanceType } from '../../model/instance-type.ts';
import { offeringPrice } from '../../model/offering.ts';
import { isActive, isReschedulable, podKey } from '../../model/pod.ts';
import { blockingBudgets, isCurrentlyReschedulable } from '../../model/pod-disruption-budget.ts';
import type { PoolCatalog } from '../scheduling-problem.ts';
import { type Cluster, isLeaving, type NodeState } from './cluster.ts';
import type { Reason } from './reason.ts';

export interface Candidate {
  /** Of its node. */
  readonly name: string;
  readonly node: Node;
  readonly nodeClaim: NodeClaim;
  readonly pool: NodePool;
  /** Undefined: the catalogue does not know it. */
  readonly instanceType: InstanceType | undefined;
  /** Empty when the node does not say. */
  readonly zone: string;
  readonly capacityType: string;
  /** Pods that need a place elsewhere when it goes. */
  readonly pods: readonly Pod[];
  /** Those of them that can leave now. */
  readonly moving: readonly Pod[];
  /** Per hour; 0 when nobody knows, so that nothing counts as cheaper. */
  readonly price: number;
  /** In plain pods; 1 is the node itself. */
  readonly disruptionCost: number;
  /** From 1 for a new node to 0 for one that expires now. */
  readonly lifetimeRemaining: number;
}

export type DisruptionClass = 'graceful' | 'eventual';

export interface CandidateList {
  readonly candidates: readonly Candidate[];
  /** Name of a node → why it is no candidate. Nodes that nobody manages are not mentioned. */
  readonly rejected: ReadonlyMap<string, Reason>;
}

export function findCandidates(
  cluster: Cluster,
  disruptionClass: DisruptionClass = 'graceful',
): CandidateList {
  const candidates: Candidate[] = [];
  const rejected = new Map<string, Reason>();
  for (const state of cluster.nodes) {
    if (state.nodeClaim === undefined) continue;
    const found = judge(cluster, state, disruptionClass);
    if ('kind' in found) rejected.set(state.place.name, found);
    else candidates.push(found);
  }
  return { candidates, rejected };
}

/** Highest first: price per disruption, then whoever has less of its life left. */
export function byWorth(a: Candidate, b: Candidate): number {
  return (
    b.price / b.disruptionCost - a.price / a.disruptionCost ||
    a.lifetimeRemaining - b.lifetimeRemaining ||
    (a.name < b.name ? -1 : 1)
  );
}

function judge(
  cluster: Cluster,
  state: NodeState,
  disruptionClass: DisruptionClass,
): Candidate | Reason {
  const { node, nodeClaim } = state;
  const reason = stateReason(state);
  if (reason !== undefined || node === undefined || nodeClaim === undefined) {
    return reason ?? withoutNode;
  }
  const catalog = catalogOf(cluster, state);
  if ('kind' in catalog) return catalog;
  const isForced =
    disruptionClass === 'eventual' && nodeClaim.spec.terminationGracePeriod !== undefined;
  const blocked = isForced ? undefined : podReason(cluster, state.place.pods);
  return blocked ?? candidateOf(cluster, { state, node, nodeClaim, ...catalog });
}

function catalogOf({ pools }: Cluster, { place }: NodeState): PoolCatalog | Reason {
  const name = place.labels[label.nodePool];
  if (name === undefined) {
    return stateOf(`Node doesn't have required label (label=${label.nodePool})`);
  }
  const catalog = pools.get(name);
  return catalog === undefined || catalog.instanceTypes.length === 0
    ? stateOf(`NodePool not found (NodePool=${name})`)
    : catalog;
}

function stateReason(state: NodeState): Reason | undefined {
  const { node, place } = state;
  if (state.isQueued === true) return stateOf('Candidate is already being disrupted');
  if (node === undefined) return withoutNode;
  if (!place.initialized) return stateOf("Node isn't initialized");
  if (isLeaving(state)) return stateOf('Node is deleting or marked for deletion');
  if (state.isNominated === true) return stateOf('Node is nominated for a pending pod');
  if (!isMarkedDoNotDisrupt(node)) return undefined;
  const message = `Disruption is blocked through the "${annotation.doNotDisrupt}" annotation`;
  return { kind: 'doNotDisrupt', message };
}

/** The wishes of all pods come before any budget. */
function podReason(
  { nowMs, podDisruptionBudgets }: Cluster,
  pods: readonly Pod[],
): Reason | undefined {
  const unwilling = pods.find((pod) => isActive(pod) && isDoNotDisruptActive(pod, nowMs));
  if (unwilling !== undefined) {
    const key = podKey(unwilling);
    const message = `Pod has "${annotation.doNotDisrupt}" annotation (Pod=${key})`;
    return { kind: 'doNotDisrupt', message, about: [key] };
  }
  for (const pod of pods) {
    const blocking = blockingBudgets(podDisruptionBudgets, pod, nowMs);
    if (blocking.length === 0) continue;
    const about = blocking.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`);
    const message =
      blocking.length > 1
        ? `Eviction does not support multiple PDBs (PodDisruptionBudget(s)=[${about.join(' ')}])`
        : `Pdb prevents pod evictions (PodDisruptionBudget=[${about.join(' ')}])`;
    return { kind: 'podDisruptionBudget', message, about };
  }
  return undefined;
}

function candidateOf(
  { nowMs, podDisruptionBudgets }: Cluster,
  parts: {
    readonly state: NodeState;
    readonly node: Node;
    readonly nodeClaim: NodeClaim;
    readonly pool: NodePool;
    readonly instanceTypes: readonly InstanceType[];
  },
): Candidate {
  const { state, node, nodeClaim, pool, instanceTypes } = parts;
  const { name, labels } = state.place;
  const instanceType = instanceTypes.find((type) => type.name === labels[label.instanceType]);
  const { [label.zone]: zone = '', [label.capacityType]: capacityType = '' } = labels;
  const pods = state.place.pods.filter(isReschedulable);
  return {
    name,
    node,
    nodeClaim,
    pool,
    instanceType,
    zone,
    capacityType,
    pods,
    moving: pods.filter((pod) => isCurrentlyReschedulable(podDisruptionBudgets, pod, nowMs)),
    price: offeringPrice(instanceType?.offerings ?? [], { zone, capacityType }) ?? 0,
    disruptionCost: rescheduleCost(pods),
    lifetimeRemaining: lifetimeRemaining({
      createdMs: Date.parse(nodeClaim.metadata.creationTimestamp ?? '') || nowMs,
      expireAfterMs: nillableDurationMs(nodeClaim.spec.expireAfter),
      nowMs,
    }),
  };
}

const withoutNode = stateOf('Nodeclaim does not have an associated node');

function stateOf(message: string): Reason {
  return { kind: 'state', message };
}
