// Which domains topology leaves to a claim that takes a pod, and what it means for later pods that it is there. In: a
// session, a form of a shape, a claim and its state. Out: the narrowed state; counts.
// A claim's domain may still be open. A rule then narrows it: a spread to the emptiest domain that keeps the skew, a
// wish for company to where company is, a wish for distance to where nobody is.
import type { BitSet } from '../../base/bitset.ts';
import { isCompatible } from '../../model/compatibility.ts';
import type { PodShape, PodVariant } from '../compile/pod-shape.ts';
import type { Template } from '../compile/template.ts';
import { incompatible, type StateId } from '../requirement-states.ts';
import type { NodeFilter, TopologyGroup } from '../topology/group.ts';
import type { CompiledProblem } from '../compile/compile.ts';
import { fitsInto, noRequests } from './claim.ts';
import { mayComeFirst } from './node-topology.ts';
import type { Session } from './session.ts';
import { spreadDomains } from './spread.ts';

export interface ClaimTarget {
  readonly session: Session;
  readonly template: Template;
  readonly bin: number;
  readonly shape: PodShape;
  readonly variant: PodVariant;
  /** Whether the claim could really be launched in a state. */
  readonly suits: (state: StateId) => boolean;
}

/** The first state that satisfies every rule and suits, or `incompatible`. */
export function narrowForTopology(target: ClaimTarget, state: StateId): StateId {
  const { session, shape, variant } = target;
  const { keptAwayBy } = session.compiled.memberships.of(shape);
  return narrow(target, state, [...keptAwayBy, ...variant.owned], 0);
}

export function recordOnClaim(
  session: Session,
  shape: PodShape,
  claim: { readonly bin: number; readonly state: StateId; readonly template: Template },
  pods: number,
): void {
  const { countedBy } = session.compiled.memberships.of(shape);
  for (const group of [...countedBy, ...shape.keepsAway]) {
    if (!acceptsClaim(session, group.filter, claim)) continue;
    session.counts.countTotal(group, pods);
    if (group.isHostname) session.counts.countOnHost(group, claim.bin, pods);
    else countDomains(session, group, claim.state, pods);
  }
}

/** Where a domain is still open, pods that keep others away are in all of them, and others in none. */
function countDomains(session: Session, group: TopologyGroup, state: StateId, pods: number): void {
  const domains = openDomains(session, group, state);
  const isDecided = domains.count() === 1;
  if (!isDecided && (group.kind === 'spread' || group.kind === 'affinity')) return;
  for (const domain of domains) session.counts.countInDomain(group, domain, pods);
}

function narrow(
  target: ClaimTarget,
  state: StateId,
  groups: readonly TopologyGroup[],
  index: number,
): StateId {
  const group = groups[index];
  if (group === undefined) return target.suits(state) ? state : incompatible;
  if (group.isHostname) {
    return allowsHost(target, group) ? narrow(target, state, groups, index + 1) : incompatible;
  }
  for (const demand of demandsOf(target, group, state)) {
    const joined = target.session.compiled.states.join(state, demand);
    if (joined === incompatible) continue;
    const narrowed = narrow(target, joined, groups, index + 1);
    if (narrowed !== incompatible) return narrowed;
  }
  return incompatible;
}

function allowsHost({ session, shape, bin }: ClaimTarget, group: TopologyGroup): boolean {
  const count = session.counts.onHost(group, bin);
  const isCounted = session.compiled.memberships.of(shape).countedBy.has(group);
  switch (group.kind) {
    case 'spread':
      return count + (isCounted ? 1 : 0) <= group.maxSkew;
    case 'affinity':
      return count > 0 || mayComeFirst(session, group, isCounted);
    default:
      return count === 0;
  }
}

/** Demands to try in this order; none when the rule cannot be satisfied; 0 when it asks for nothing. */
function demandsOf(target: ClaimTarget, group: TopologyGroup, state: StateId): readonly StateId[] {
  const { session, shape, variant } = target;
  const { counts, compiled } = session;
  const { table } = group;
  const open = openDomains(session, group, state);
  const isCounted = compiled.memberships.of(shape).countedBy.has(group);
  const oneOfThese = (domains: readonly number[]): StateId[] =>
    inOrder(target, group, state, domains).map((domain) =>
      compiled.domainDemands.one(table, domain),
    );
  if (group.kind === 'spread') {
    const candidates = open.clone().and(table.allowed(variant.strict.get(group.key)));
    return oneOfThese(
      spreadDomains(counts, group, { variant, candidates, self: isCounted ? 1 : 0 }),
    );
  }
  const wanted = wantedDomains(session, group, open);
  if (!wanted.isEmpty()) {
    const isAnywhere = group.kind !== 'affinity' && wanted.equals(open);
    return [isAnywhere ? 0 : compiled.domainDemands.several(table, wanted)];
  }
  if (group.kind !== 'affinity') return open.isEmpty() ? [0] : [];
  return mayComeFirst(session, group, isCounted) ? oneOfThese([...open]) : [];
}

/** Where company is, or where nobody is to be kept away from. */
function wantedDomains({ counts }: Session, group: TopologyGroup, open: BitSet): BitSet {
  const wanted = open.clone();
  const isAffinity = group.kind === 'affinity';
  for (const domain of open) {
    if (counts.inDomain(group, domain) > 0 !== isAffinity) wanted.delete(domain);
  }
  return wanted;
}

/** Emptiest first; of equal ones the one in which the pod would cost least, then by name. */
function inOrder(
  { session, template, shape }: ClaimTarget,
  group: TopologyGroup,
  state: StateId,
  domains: readonly number[],
): number[] {
  const { compiled, counts } = session;
  if (domains.length < 2) return [...domains];
  const keys = domains.map((domain) => {
    const joined = compiled.states.join(state, compiled.domainDemands.one(group.table, domain));
    const price = joined === incompatible ? Infinity : cheapest(compiled, template, joined, shape);
    return { domain, count: counts.inDomain(group, domain), price };
  });
  // Infinite prices are equal, and their difference is no number.
  return keys
    .toSorted((a, b) => a.count - b.count || a.price - b.price || a.domain - b.domain)
    .map(({ domain }) => domain);
}

function cheapest(
  { openTypes, catalog }: CompiledProblem,
  template: Template,
  state: StateId,
  { requests }: PodShape,
): number {
  for (const variant of openTypes.of(template, state)) {
    if (fitsInto(template.room, variant * requests.length, noRequests(requests), requests)) {
      return catalog.open(state).price[variant] as number;
    }
  }
  return Infinity;
}

/** Domains that the state leaves. */
function openDomains({ compiled }: Session, { key, table }: TopologyGroup, state: StateId): BitSet {
  return table.allowed(compiled.states.requirementsOf(state).get(key));
}

function acceptsClaim(
  { compiled }: Session,
  { alternatives, tolerations }: NodeFilter,
  { state, template }: { readonly state: StateId; readonly template: Template },
): boolean {
  if (tolerations !== undefined && !compiled.taints.tolerates(tolerations, template.taints))
    return false;
  if (alternatives.length === 0) return true;
  const requirements = compiled.states.requirementsOf(state);
  return alternatives.some((demand) =>
    isCompatible(requirements, compiled.states.requirementsOf(demand)),
  );
}
