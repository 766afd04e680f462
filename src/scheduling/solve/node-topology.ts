// Whether topology lets a pod onto an existing node, and what it means for later pods that it is there. In: a session, a
// form of a shape, a node. Out: yes or no; counts. The labels of a node are facts, so nothing is left to choose.
import type { PodShape, PodVariant } from '../compile/pod-shape.ts';
import type { TopologyGroup } from '../topology/group.ts';
import type { Session } from './session.ts';
import { lowestCount } from './spread.ts';

export function nodeSatisfies(
  session: Session,
  shape: PodShape,
  variant: PodVariant,
  node: number,
): boolean {
  const { countedBy, keptAwayBy } = session.compiled.memberships.of(shape);
  return (
    variant.owned.every((group) =>
      isKept(session, node, { group, variant, isCounted: countedBy.has(group) }),
    ) && keptAwayBy.every((group) => countAt(session, group, node) === 0)
  );
}

export function recordOnNode(session: Session, shape: PodShape, node: number, pods: number): void {
  const { topology, memberships } = session.compiled;
  const { countedBy } = memberships.of(shape);
  for (const group of [...countedBy, ...shape.keepsAway]) {
    if (!topology.acceptsNode(group.filter, node)) continue;
    if (group.isHostname) session.counts.countOnHost(group, node, pods);
    else {
      const domain = topology.nodeDomains(group.key)[node] as number;
      if (domain === -1) continue;
      session.counts.countInDomain(group, domain, pods);
    }
    session.counts.countTotal(group, pods);
  }
}

function isKept(
  session: Session,
  node: number,
  rule: {
    readonly group: TopologyGroup;
    readonly variant: PodVariant;
    readonly isCounted: boolean;
  },
): boolean {
  const { group, variant, isCounted } = rule;
  const count = countAt(session, group, node);
  const isPlaced = group.isHostname || domainAt(session, group, node) !== -1;
  switch (group.kind) {
    case 'spread': {
      // A further host can always be made, so the emptiest one has no pods.
      const lowest = group.isHostname ? 0 : lowestCount(session.counts, group, variant);
      return isPlaced && count + (isCounted ? 1 : 0) - lowest <= group.maxSkew;
    }
    case 'affinity':
      return isPlaced && (count > 0 || mayComeFirst(session, group, isCounted));
    default:
      return count === 0;
  }
}

/** The first of pods that want to be together may go anywhere, if there is none of them yet and it is one of them. */
export function mayComeFirst(session: Session, group: TopologyGroup, isCounted: boolean): boolean {
  return isCounted && session.counts.total(group) === 0;
}

function countAt(session: Session, group: TopologyGroup, node: number): number {
  if (group.isHostname) return session.counts.onHost(group, node);
  const domain = domainAt(session, group, node);
  return domain === -1 ? 0 : session.counts.inDomain(group, domain);
}

function domainAt(session: Session, group: TopologyGroup, node: number): number {
  return session.compiled.topology.nodeDomains(group.key)[node] as number;
}
