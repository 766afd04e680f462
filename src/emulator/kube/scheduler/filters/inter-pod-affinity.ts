// Keeps pods near those they need, away from those they shun, and away from those that shun them.
// In: a shape and the placed pods. Out: per node, whether the three hold.
// The first pod of a group that needs itself is let in anywhere: nobody could ever be first otherwise.
import type { ClusterState } from '../cluster-state.ts';
import type { NodeState } from '../node-state.ts';
import type { PodCounter } from '../pod-counter.ts';
import type { AffinityTerm, PodShape } from '../pod-shape.ts';
import { refuse, refuseForGood, type Verdict } from '../verdict.ts';

/** A topology key, the domain of each node by index, and the domains where matching pods stand. */
interface Standing {
  readonly topologyKey: string;
  readonly of: Int32Array;
  readonly occupied: ReadonlySet<number>;
}

export interface AffinityCount {
  readonly needed: readonly Standing[];
  readonly shunned: readonly Standing[];
  readonly shunnedBy: readonly Standing[];
  readonly mayBeFirst: boolean;
}

const nowhere: readonly Standing[] = [];

export function countAffinity(shape: PodShape, state: ClusterState): AffinityCount | undefined {
  const shunnedBy = [...state.antiTerms()]
    .filter(({ term }) => matchesTerm(term, shape, state))
    .map(({ term, counter }) => domainsOf(term.topologyKey, counter, state));
  const { affinity, antiAffinity } = shape;
  if (shunnedBy.length + affinity.length + antiAffinity.length === 0) return undefined;
  const needed = affinity.length === 0 ? nowhere : neededDomains(shape, state);
  const shunned = antiAffinity.map((term) => {
    const counter = state.counter({
      key: `term ${term.key}`,
      skipsTerminating: false,
      weigh: (other) => (matchesTerm(term, other, state) ? 1 : 0),
    });
    return domainsOf(term.topologyKey, counter, state);
  });
  const mayBeFirst =
    needed.every(({ occupied }) => occupied.size === 0) && matchesAll(affinity, shape, state);
  return { needed, shunned, shunnedBy, mayBeFirst };
}

export function filterAffinity(count: AffinityCount | undefined, node: NodeState): Verdict {
  if (count === undefined) return undefined;
  const has = ({ of, occupied }: Standing): boolean => occupied.has(of[node.index] ?? -1);
  if (!satisfiesNeeds(count, node, has)) {
    return refuseForGood("node(s) didn't match pod affinity rules");
  }
  if (count.shunned.some(has)) return refuse("node(s) didn't match pod anti-affinity rules");
  if (count.shunnedBy.some(has)) {
    return refuse("node(s) didn't satisfy existing pods anti-affinity rules");
  }
  return undefined;
}

export function matchesTerm(term: AffinityTerm, pod: PodShape, state: ClusterState): boolean {
  const inNamespace =
    term.namespaces.has(pod.namespace) ||
    term.namespaceSelector?.(state.namespaceLabels(pod.namespace)) === true;
  return inNamespace && term.selector(pod.labels);
}

function satisfiesNeeds(
  count: AffinityCount,
  node: NodeState,
  has: (standing: Standing) => boolean,
): boolean {
  if (count.needed.some(({ topologyKey }) => node.labels[topologyKey] === undefined)) return false;
  return count.needed.every(has) || count.mayBeFirst;
}

/** A pod counts for any of the terms only if it meets all of them. */
function neededDomains(shape: PodShape, state: ClusterState): readonly Standing[] {
  const { affinity } = shape;
  const counter = state.counter({
    key: `terms ${affinity.map((term) => term.key).join(' ')}`,
    skipsTerminating: false,
    weigh: (other) => (matchesAll(affinity, other, state) ? 1 : 0),
  });
  return affinity.map(({ topologyKey }) => domainsOf(topologyKey, counter, state));
}

function matchesAll(terms: readonly AffinityTerm[], pod: PodShape, state: ClusterState): boolean {
  return terms.length > 0 && terms.every((term) => matchesTerm(term, pod, state));
}

function domainsOf(topologyKey: string, counter: PodCounter, state: ClusterState): Standing {
  const { of } = state.domains(topologyKey);
  const occupied = new Set<number>();
  const { perNode } = counter;
  for (let index = 0; index < of.length; index++) {
    const domain = of[index] ?? -1;
    if (domain >= 0 && (perNode[index] ?? 0) > 0) occupied.add(domain);
  }
  return { topologyKey, of, occupied };
}
