// Why a pool makes no node for a pod. In: a session, a template, a form of a shape. Out: the rule that decides, found in the
// order in which the original asks (limits, taints, labels, volumes, topology, types), and how many types each rule
// excludes on its own.
import { typesWithoutPorts } from '../solve/daemon-ports.ts';
import type { BitSet } from '../../base/bitset.ts';
import { describeIncompatibility, incompatibility } from '../../model/compatibility.ts';
import { describePortConflict, portConflict } from '../../model/host-port.ts';
import { checkMinValues } from '../../model/min-values.ts';
import { describeRequirement } from '../../model/requirement-form.ts';
import { describeRequirements, requirementsOf } from '../../model/requirements.ts';
import {
  maxResources,
  mergeResources,
  minResources,
  noResources,
  toResourceList,
} from '../../model/resources.ts';
import { untolerated } from '../../model/taint.ts';
import type { Template } from '../compile/template.ts';
import { incompatible, type StateId } from '../requirement-states.ts';
import type { Session } from '../solve/session.ts';
import type {
  ExcludedTypes,
  MetCriteria,
  PoolReason,
  PoolVerdict,
  TypesReason,
} from './explanation.ts';
import type { Form } from './node-answer.ts';
import { narrowedOrReason } from './topology-verdict.ts';
import {
  type Criteria,
  criteriaOf,
  nearestMiss,
  type PoolType,
  someIn,
  typesOfPool,
} from './type-criteria.ts';

/** One question to one pool. */
interface Question {
  readonly session: Session;
  readonly template: Template;
  readonly form: Form;
  readonly types: readonly PoolType[];
  /** What limits leave; undefined: everything. */
  readonly withinLimits: BitSet | undefined;
  /** Where a DaemonSet has the ports. */
  readonly portBlocked: BitSet | undefined;
  /** How types stand in a state, worked out once. */
  readonly criteria: (state: StateId) => (type: PoolType) => Criteria;
}

/** What came of the pod in one of the places of its volumes: the node's state before and after topology. */
interface Attempt {
  readonly reason: PoolReason;
  readonly before: StateId;
  readonly after: StateId;
}

/** The rule alone, which is all that a message needs. */
export function poolReason(session: Session, template: Template, form: Form): PoolReason {
  const question = questionOf(session, template, form);
  return earlyReason(question) ?? decidingAttempt(question).reason;
}

export function judgePool(session: Session, template: Template, form: Form): PoolVerdict {
  const question = questionOf(session, template, form);
  const deciding = decidingAttempt(question);
  const nearest = nearestType(question, deciding);
  return {
    pool: template.name,
    reason: earlyReason(question) ?? deciding.reason,
    instanceTypes: question.types.length,
    excluded: excludedTypes(question, deciding),
    byLabel: excludedByLabel(question),
    ...(nearest !== undefined && { nearest }),
  };
}

function questionOf(session: Session, template: Template, form: Form): Question {
  const judged = new Map<StateId, (type: PoolType) => Criteria>();
  return {
    session,
    template,
    form,
    types: typesOfPool(session, template),
    withinLimits: session.limits.allowed(template),
    portBlocked: typesWithoutPorts(template, form.shape.ports),
    criteria: (state) => {
      const known = judged.get(state) ?? criteriaOf(session, template, form.shape, state);
      judged.set(state, known);
      return known;
    },
  };
}

/** What is asked before the pod itself is looked at. */
function earlyReason(question: Question): PoolReason | undefined {
  return limitsReason(question) ?? taintsReason(question);
}

/** The first place of its volumes that would do, or else the last. */
function decidingAttempt(question: Question): Attempt {
  const attempts = question.form.shape.places.map((place) => attempt(question, place));
  return attempts.find(({ reason }) => reason.kind === 'accepts') ?? (attempts.at(-1) as Attempt);
}

function limitsReason({ session, template, withinLimits }: Question): PoolReason | undefined {
  if (session.limits.isExhausted(template)) return { kind: 'limits', of: 'nodes' };
  return withinLimits?.isEmpty() === true ? { kind: 'limits', of: 'instance types' } : undefined;
}

function taintsReason({ session, template, form }: Question): PoolReason | undefined {
  const { taints } = session.compiled;
  const tolerations = taints.tolerations(form.variant.tolerations);
  const against = untolerated(tolerations, template.pool.spec.template.spec.taints ?? []);
  return against.length === 0 ? undefined : { kind: 'taints', taints: against };
}

function attempt(question: Question, place: StateId): Attempt {
  const { session, template, form } = question;
  const { states } = session.compiled;
  const merged = states.join(template.state, form.variant.demand);
  if (merged === incompatible) return refused(question, template.state, form.variant.demand, 'pod');
  const before = states.join(merged, place);
  if (before === incompatible) return refused(question, merged, place, 'volumes');
  const narrowed = narrowedOrReason(session, template, form, before);
  if (typeof narrowed !== 'number') return { reason: narrowed, before, after: incompatible };
  return { reason: typesReason(question, narrowed), before, after: narrowed };
}

function refused(
  { session }: Question,
  existing: StateId,
  incoming: StateId,
  of: 'pod' | 'volumes',
): Attempt {
  const { states, problem } = session.compiled;
  const found = incompatibility(
    states.requirementsOf(existing),
    states.requirementsOf(incoming),
    problem.rules.wellKnown,
  );
  const mismatch = found === undefined ? '' : describeIncompatibility(found);
  return {
    reason: { kind: 'requirements', of, mismatch },
    before: incompatible,
    after: incompatible,
  };
}

function typesReason(question: Question, state: StateId): PoolReason {
  const { session, template, types, withinLimits, portBlocked } = question;
  const free = types.filter((type) => someIn(type, freeOf(template, portBlocked)));
  if (free.length === 0 && types.length > 0) return portReason(question);
  const criteria = question.criteria(state);
  const eligible = free.filter((type) => someIn(type, withinLimits));
  const judged = eligible.map((type) => ({ type, criteria: criteria(type) }));
  const kept = judged.filter(({ criteria: met }) => meetsAll(met)).map(({ type }) => type.type);
  const unmet = unmetMinValues(question, kept);
  if (kept.length > 0 && unmet.length === 0) return { kind: 'accepts' };
  return {
    kind: 'types',
    met: combinations(judged.map(({ criteria: met }) => met)),
    unmetMinValues: unmet,
    requirements: describeRequirements(
      session.compiled.problem.rules,
      session.compiled.states.requirementsOf(state),
    ),
    resources: resourcesBeside(question),
  };
}

function unmetMinValues(
  { session, template }: Question,
  kept: readonly PoolType['type'][],
): string[] {
  const { states, options } = session.compiled;
  if (!template.hasMinValues || options.minValuesPolicy === 'BestEffort') return [];
  return [...checkMinValues(kept, states.requirementsOf(template.state)).unmet.keys()];
}

function portReason({ template, form }: Question): PoolReason {
  const { ports } = form.shape;
  for (const { ports: taken } of template.overhead) {
    const conflict = portConflict(new Map([['', taken]]), 'this pod', ports);
    if (conflict !== undefined)
      return { kind: 'hostPorts', conflict: describePortConflict(conflict) };
  }
  return { kind: 'accepts' };
}

function freeOf({ members }: Template, blocked: BitSet | undefined): BitSet | undefined {
  return blocked === undefined ? undefined : members.clone().andNot(blocked);
}

function meetsAll({ requirements, offering, resources }: Criteria): boolean {
  return requirements && offering && resources;
}

function combinations(list: readonly Criteria[]): MetCriteria[] {
  const groups = Map.groupBy(list, ({ requirements, offering, resources }) =>
    [requirements, offering, resources].join(),
  );
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => ({ ...(group[0] as Criteria), types: group.length }));
}

/** Types on which no DaemonSet runs do not widen the range, as in the original. */
function resourcesBeside({ template, form, portBlocked }: Question): TypesReason['resources'] {
  const { exactRequests } = form.shape;
  const overheads = template.overhead
    .filter(({ variants }) => portBlocked?.intersects(variants) !== true)
    .map(({ requests }) => requests)
    .filter(({ size }) => size > 0);
  const total = (overhead = noResources) => toResourceList(mergeResources(overhead, exactRequests));
  return { min: total(minResources(...overheads)), max: total(maxResources(...overheads)) };
}

function excludedTypes(question: Question, { reason, before, after }: Attempt): ExcludedTypes {
  const { session, template, types, withinLimits, portBlocked } = question;
  const count = (excludes: (type: PoolType) => boolean): number => types.filter(excludes).length;
  const earlier = question.criteria(before);
  const later = question.criteria(after);
  const isOpen = ({ requirements, offering }: Criteria): boolean => requirements && offering;
  const free = freeOf(template, portBlocked);
  const isExhausted = session.limits.isExhausted(template);
  const lacksVariety = reason.kind === 'types' && reason.unmetMinValues.length > 0;
  return {
    limits: count((type) => isExhausted || !someIn(type, withinLimits)),
    taints: taintsReason(question) === undefined ? 0 : types.length,
    requirements: count((type) => !earlier(type).requirements),
    offering: before === incompatible ? 0 : count((type) => !earlier(type).offering),
    resources: count((type) => !earlier(type).resources),
    hostPorts: count((type) => !someIn(type, free)),
    topology: count((type) => isOpen(earlier(type)) && !isOpen(later(type))),
    minValues: lacksVariety ? count((type) => meetsAll(later(type))) : 0,
  };
}

function excludedByLabel({
  session,
  template,
  form,
  types,
  criteria,
}: Question): Record<string, number> {
  const { states } = session.compiled;
  const counts: Record<string, number> = {};
  for (const demand of states.requirementsOf(form.variant.demand).values()) {
    const state = states.join(template.state, states.intern(requirementsOf([demand])));
    const excluded = types.filter((type) => !criteria(state)(type).requirements).length;
    if (excluded > 0) counts[describeRequirement(demand)] = excluded;
  }
  return counts;
}

/** Among the types that only lack room, if there are any; else among those that the labels allow; else among all. */
function nearestType(question: Question, { before, after }: Attempt): PoolVerdict['nearest'] {
  const { session, template, form, types } = question;
  const { shape } = form;
  const open = [after, before]
    .map(question.criteria)
    .map((criteria) =>
      types.filter((type) => criteria(type).requirements && criteria(type).offering),
    )
    .find((list) => list.length > 0);
  return nearestMiss(session, template, shape, open ?? types);
}
