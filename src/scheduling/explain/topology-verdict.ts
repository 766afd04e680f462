// What topology leaves to a new node that takes a pod, or which rule leaves nothing. In: a session, a template, a form of a
// shape, the state of the node before. Out: the narrowed state, or the rule with the counts that stand against it.
import { describeRequirement } from '../../model/requirement-form.ts';
import { requirementOn } from '../../model/requirements.ts';
import { oneOf } from '../../model/requirement.ts';
import { placeholderHostname, type Template } from '../compile/template.ts';
import { incompatible, type StateId } from '../requirement-states.ts';
import { narrowForTopology } from '../solve/claim-topology.ts';
import type { Session } from '../solve/session.ts';
import type { GroupKind, TopologyGroup } from '../topology/group.ts';
import type { TopologyReason } from './explanation.ts';
import type { Form } from './node-answer.ts';

const names: Readonly<Record<GroupKind, TopologyReason['rule']>> = {
  spread: 'topology spread',
  affinity: 'pod affinity',
  'anti-affinity': 'pod anti-affinity',
  avoided: 'pod anti-affinity',
};

export function narrowedOrReason(
  session: Session,
  template: Template,
  form: Form,
  state: StateId,
): StateId | TopologyReason {
  const { shape, variant } = form;
  const { owned } = variant;
  const bin = session.compiled.nodes.nodes.length + session.claims.length;
  const narrowed = (groups: readonly TopologyGroup[]): StateId => {
    const limited = { ...variant, owned: groups };
    const suits = (): boolean => true;
    return narrowForTopology({ session, template, bin, shape, variant: limited, suits }, state);
  };
  const whole = narrowed(owned);
  if (whole !== incompatible) return whole;
  const culprit =
    owned.find((_, index) => narrowed(owned.slice(0, index + 1)) === incompatible) ?? owned[0];
  const { keptAwayBy } = session.compiled.memberships.of(shape);
  const isKeptAway = narrowed([]) === incompatible;
  const group = isKeptAway ? fullest(session, keptAwayBy, state) : culprit;
  if (group === undefined) return state;
  return reasonOf(session, group, form, state);
}

/** The rule that has somebody everywhere; if it takes several of them to leave nothing, the last. */
function fullest(
  session: Session,
  groups: readonly TopologyGroup[],
  state: StateId,
): TopologyGroup | undefined {
  const isFull = (group: TopologyGroup): boolean => {
    const requirement = session.compiled.states.requirementsOf(state).get(group.key);
    const open = [...group.table.allowed(requirement)];
    return open.every((domain) => session.counts.inDomain(group, domain) > 0);
  };
  return groups.find((group) => !group.isHostname && isFull(group)) ?? groups.at(-1);
}

function reasonOf(
  session: Session,
  group: TopologyGroup,
  { variant }: Form,
  state: StateId,
): TopologyReason {
  const { key, kind, isHostname } = group;
  const requirements = session.compiled.states.requirementsOf(state);
  const nodeDomains = isHostname
    ? oneOf(key, [placeholder(session.claims.length)])
    : requirementOn(requirements, key);
  return {
    kind: 'topology',
    rule: names[kind],
    key,
    counts: isHostname ? hostCounts(session, group) : domainCounts(session, group),
    podDomains: describeRequirement(requirementOn(variant.strict, key)),
    nodeDomains: describeRequirement(nodeDomains),
  };
}

function domainCounts({ counts }: Session, group: TopologyGroup): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [domain, name] of group.table.names.entries()) {
    const count = counts.inDomain(group, domain);
    if (count > 0 || group.known.has(domain)) found[name] = count;
  }
  return found;
}

/** Nodes that exist by their names, those to be made by numbers. */
function hostCounts(
  { compiled, counts, claims }: Session,
  group: TopologyGroup,
): Record<string, number> {
  const { nodes } = compiled.nodes;
  const hosts = [...nodes.map(({ hostname }) => hostname), ...claims.map((_, i) => placeholder(i))];
  return Object.fromEntries(hosts.map((name, bin) => [name, counts.onHost(group, bin)]));
}

function placeholder(index: number): string {
  return `${placeholderHostname}-${String(index + 1).padStart(4, '0')}`;
}
