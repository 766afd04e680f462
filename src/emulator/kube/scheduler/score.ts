// Which of the nodes that would do is best. In: a shape and a node. Out: points, more is better.
// Weights are those of upstream's default profile: taints 3, node affinity 2, spread 2, pod affinity 2, least
// allocated 1, balance 1. Where upstream scales to the best and worst node of the moment, the parts that a node
// decides alone are scaled to fixed bounds instead: they can then be remembered while the node stays the same.
// Images and volume sizes are not scored.
import type { ClusterState } from './cluster-state.ts';
import { matchesTerm } from './filters/inter-pod-affinity.ts';
import { countSpread } from './filters/topology-spread.ts';
import { preferenceWeight } from './node-selector.ts';
import type { NodeState } from './node-state.ts';
import type { PodCounter } from './pod-counter.ts';
import type { PodShape } from './pod-shape.ts';
import { toleratesAny } from './toleration.ts';

const best = 100;
const weights = {
  taints: 3,
  nodeAffinity: 2,
  spread: 2,
  podAffinity: 2,
  allocation: 1,
  balance: 1,
};

/** Points that the node and the shape alone decide. */
export function scoreNode(shape: PodShape, node: NodeState): number {
  const cpu = share(shape, node, 'cpu');
  const memory = share(shape, node, 'memory');
  const allocation = (best * (1 - cpu + (1 - memory))) / 2;
  const balance = best * (1 - Math.abs(cpu - memory) / 2);
  return (
    weights.allocation * allocation +
    weights.balance * balance +
    weights.taints * scoreTaints(shape, node) +
    weights.nodeAffinity * scorePreferences(shape, node)
  );
}

/** Points that depend on where other pods stand, by the nodes' order; undefined when there is nothing to prefer. */
export function surroundingScores(
  shape: PodShape,
  state: ClusterState,
  feasible: readonly NodeState[],
): Float64Array | undefined {
  const spread = spreadScores(shape, state, feasible);
  const affinity = affinityScores(shape, state, feasible);
  if (spread === undefined || affinity === undefined) return spread ?? affinity;
  return spread.map((points, index) => points + (affinity[index] ?? 0));
}

function share(shape: PodShape, node: NodeState, resource: 'cpu' | 'memory'): number {
  const allocatable = node.allocatable[resource] ?? 0;
  if (allocatable === 0) return 1;
  const used = (node.scoring[resource] ?? 0) + (shape.scoringRequests[resource] ?? 0);
  return Math.min(1, used / allocatable);
}

function scoreTaints(shape: PodShape, node: NodeState): number {
  const { tolerations = [] } = shape.spec;
  const disliked = node.taints.filter(
    (taint) => taint.effect === 'PreferNoSchedule' && !toleratesAny(tolerations, taint),
  );
  return best / (1 + disliked.length);
}

function scorePreferences(shape: PodShape, node: NodeState): number {
  const preferences =
    shape.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const total = preferences.reduce((sum, { weight }) => sum + weight, 0);
  return total === 0 ? 0 : (best * preferenceWeight(preferences, node)) / total;
}

type NodeScore = (node: NodeState) => number;

/** Soft constraints of the pod; without any, pods of one owner keep apart by zone and by node. */
function spreadScores(
  shape: PodShape,
  state: ClusterState,
  feasible: readonly NodeState[],
): Float64Array | undefined {
  const raw =
    shape.softSpread.length > 0 ? softSpread(shape, state) : ownerSpread(shape, state, feasible);
  return raw === undefined ? undefined : scaled(feasible, raw, -weights.spread);
}

function softSpread(shape: PodShape, state: ClusterState): NodeScore {
  const counts = countSpread(shape, state, shape.softSpread);
  return (node) =>
    counts.reduce((sum, { constraint, byDomain }) => {
      const domain = node.labels[constraint.topologyKey];
      if (domain === undefined) return sum + 1000;
      const weight = Math.log(byDomain.size + 2);
      return sum + (byDomain.get(domain) ?? 0) * weight + constraint.maxSkew - 1;
    }, 0);
}

function ownerSpread(
  shape: PodShape,
  state: ClusterState,
  feasible: readonly NodeState[],
): NodeScore | undefined {
  const { ownerUid } = shape;
  if (ownerUid === '' || (shape.spec.topologySpreadConstraints ?? []).length > 0) return undefined;
  const counter = state.counter({
    key: `owner ${ownerUid}`,
    skipsTerminating: true,
    weigh: (other) => (other.ownerUid === ownerUid ? 1 : 0),
  });
  const zones = sumByDomain('topology.kubernetes.io/zone', counter, state);
  const zoneWeight = Math.log(zones.sums.length + 2);
  const hostWeight = Math.log(feasible.length + 2);
  return ({ index }) => {
    const zone = zones.of[index] ?? -1;
    return (
      (counter.perNode[index] ?? 0) * hostWeight +
      (zone < 0 ? 0 : (zones.sums[zone] ?? 0)) * zoneWeight
    );
  };
}

function affinityScores(
  shape: PodShape,
  state: ClusterState,
  feasible: readonly NodeState[],
): Float64Array | undefined {
  const draws: { readonly at: DomainSums; readonly weight: number }[] = [];
  for (const { term, counter, weight } of state.scoredTerms()) {
    if (!matchesTerm(term, shape, state)) continue;
    draws.push({ at: sumByDomain(term.topologyKey, counter, state), weight });
  }
  const own = [
    ...shape.preferredAffinity,
    ...shape.preferredAntiAffinity.map(({ term, weight }) => ({ term, weight: -weight })),
  ];
  for (const { term, weight } of own) {
    const counter = state.counter({
      key: `term ${term.key}`,
      skipsTerminating: false,
      weigh: (other) => (matchesTerm(term, other, state) ? 1 : 0),
    });
    draws.push({ at: sumByDomain(term.topologyKey, counter, state), weight });
  }
  if (draws.length === 0) return undefined;
  const raw: NodeScore = ({ index }) =>
    draws.reduce((sum, { at, weight }) => {
      const domain = at.of[index] ?? -1;
      return domain < 0 ? sum : sum + weight * (at.sums[domain] ?? 0);
    }, 0);
  return scaled(feasible, raw, weights.podAffinity);
}

interface DomainSums {
  readonly of: Int32Array;
  readonly sums: Float64Array;
}

function sumByDomain(topologyKey: string, counter: PodCounter, state: ClusterState): DomainSums {
  const { of, values } = state.domains(topologyKey);
  const sums = new Float64Array(values.length);
  const { perNode } = counter;
  for (let index = 0; index < of.length; index++) {
    const domain = of[index] ?? -1;
    if (domain >= 0) sums[domain] = (sums[domain] ?? 0) + (perNode[index] ?? 0);
  }
  return { of, sums };
}

/** The worst feasible node gets nothing, the best all of the weight; a negative weight turns that around. */
function scaled(feasible: readonly NodeState[], raw: NodeScore, weight: number): Float64Array {
  // Plain loops: this runs for every pod over every node, and `from` and `map` take five times as long.
  const values = new Float64Array(feasible.length);
  let low = Infinity;
  let high = -Infinity;
  for (let index = 0; index < feasible.length; index++) {
    const value = raw(feasible[index] as NodeState);
    values[index] = value;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const range = high - low;
  if (range === 0) return values.fill(0);
  const worst = weight < 0 ? high : low;
  const scale = (weight * best) / range;
  for (let index = 0; index < values.length; index++) {
    values[index] = ((values[index] ?? 0) - worst) * scale;
  }
  return values;
}
