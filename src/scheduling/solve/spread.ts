// Where pods that are to be spread may go. In: a spread rule, the form of the pod, counts. Out: the lowest count of any
// domain, and which domains would keep the skew.
import type { BitSet } from '../../base/bitset.ts';
import type { PodVariant } from '../compile/pod-shape.ts';
import type { TopologyCounts } from '../topology/counts.ts';
import type { TopologyGroup } from '../topology/group.ts';

/** Domains that the rule compares: those there are or could be, as far as the pod may go there. */
function comparedDomains(group: TopologyGroup, variant: PodVariant): BitSet {
  // Domains of alternatives that are not tried right now count as well.
  if (!group.ownDomainsOnly || group.filter.alternatives.length > 1) return group.known;
  const requirement = variant.strict.get(group.key);
  if (requirement === undefined) return group.known;
  return group.known.clone().and(group.table.allowed(requirement));
}

/** The count that others are compared with; 0 as long as there are fewer domains than the rule wants. */
export function lowestCount(
  counts: TopologyCounts,
  group: TopologyGroup,
  variant: PodVariant,
): number {
  let lowest = Infinity;
  let domains = 0;
  for (const domain of comparedDomains(group, variant)) {
    domains++;
    lowest = Math.min(lowest, counts.inDomain(group, domain));
  }
  if (domains === 0 || domains < (group.minDomains ?? 1)) return 0;
  return lowest;
}

/** Domains among `candidates` that a pod may be added to; `self` is 1 if the pod counts itself. */
export function spreadDomains(
  counts: TopologyCounts,
  group: TopologyGroup,
  choice: { readonly variant: PodVariant; readonly candidates: BitSet; readonly self: 0 | 1 },
): number[] {
  const { variant, candidates, self } = choice;
  const most = lowestCount(counts, group, variant) + group.maxSkew - self;
  const found: number[] = [];
  for (const domain of candidates) {
    if (group.known.has(domain) && counts.inDomain(group, domain) <= most) found.push(domain);
  }
  return found;
}
