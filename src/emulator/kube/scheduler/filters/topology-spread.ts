// Keeps matching pods spread over topology domains. In: the constraints of a pod and where matching pods stand.
// Out: per node, whether one more pod there would exceed the skew.
// Domains are those of nodes that have all keys and pass the constraint's inclusion policies; other nodes' pods do
// not count.
import type { ClusterState } from '../cluster-state.ts';
import type { NodeState } from '../node-state.ts';
import { matchesRequiredAffinity } from '../node-selector.ts';
import type { PodShape, SpreadConstraint } from '../pod-shape.ts';
import { schedulingEffects, untoleratedTaint } from '../toleration.ts';
import { refuse, refuseForGood, type Verdict } from '../verdict.ts';

export interface SpreadCount {
  readonly constraint: SpreadConstraint;
  readonly byDomain: ReadonlyMap<string, number>;
  /** Matching pods in the emptiest domain. */
  readonly least: number;
  readonly selfMatches: boolean;
}

export function countSpread(
  shape: PodShape,
  state: ClusterState,
  constraints: readonly SpreadConstraint[],
): readonly SpreadCount[] {
  if (constraints.length === 0) return [];
  const eligible = state.nodes.filter((node) =>
    constraints.every(({ topologyKey }) => node.labels[topologyKey] !== undefined),
  );
  return constraints.map((constraint) => {
    const { perNode } = state.counter({
      key: `spread ${shape.namespace} ${constraint.key}`,
      skipsTerminating: true,
      weigh: (other) => (counts(constraint, shape.namespace, other) ? 1 : 0),
    });
    const byDomain = new Map<string, number>();
    for (const node of eligible) {
      if (!isIncluded(constraint, shape, node)) continue;
      const domain = node.labels[constraint.topologyKey] ?? '';
      byDomain.set(domain, (byDomain.get(domain) ?? 0) + (perNode[node.index] ?? 0));
    }
    return {
      constraint,
      byDomain,
      least: byDomain.size < constraint.minDomains ? 0 : Math.min(...byDomain.values()),
      selfMatches: constraint.selector(shape.labels),
    };
  });
}

export function filterSpread(counts: readonly SpreadCount[], node: NodeState): Verdict {
  for (const { constraint, byDomain, least, selfMatches } of counts) {
    const domain = node.labels[constraint.topologyKey];
    if (domain === undefined) {
      return refuseForGood(
        "node(s) didn't match pod topology spread constraints (missing required label)",
      );
    }
    const skew = (byDomain.get(domain) ?? 0) + (selfMatches ? 1 : 0) - least;
    if (skew > constraint.maxSkew) {
      return refuse("node(s) didn't match pod topology spread constraints");
    }
  }
  return undefined;
}

function counts(constraint: SpreadConstraint, namespace: string, other: PodShape): boolean {
  if (constraint.matchesAll || other.namespace !== namespace) return false;
  return constraint.selector(other.labels);
}

function isIncluded(constraint: SpreadConstraint, shape: PodShape, node: NodeState): boolean {
  if (constraint.honorsAffinity && !matchesRequiredAffinity(shape.spec, node)) return false;
  if (!constraint.honorsTaints) return true;
  const { tolerations = [] } = shape.spec;
  return untoleratedTaint(node.taints, tolerations, schedulingEffects) === undefined;
}
