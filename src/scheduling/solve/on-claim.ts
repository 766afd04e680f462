// Placing pods on a claim, or opening one for them. In: a session, a form of a shape, how many there are. Out: how many
// it took. A claim takes a pod as long as some instance type would still hold everything: which one is decided last.
import { typesWithoutPorts } from './daemon-ports.ts';
import type { BitSet } from '../../base/bitset.ts';
import { portConflict } from '../../model/host-port.ts';
import { checkMinValues } from '../../model/min-values.ts';
import type { PodShape, PodVariant } from '../compile/pod-shape.ts';
import type { Template } from '../compile/template.ts';
import { incompatible, type StateId } from '../requirement-states.ts';
import { type Claim, fitsInto, howMany, noRequests } from './claim.ts';
import { narrowForTopology, recordOnClaim } from './claim-topology.ts';
import type { Session } from './session.ts';

export interface Pods {
  readonly shape: PodShape;
  readonly variant: PodVariant;
  readonly most: number;
  /** No topology rule looks at such pods, so that several can be placed at once. */
  readonly isFree: boolean;
  /** Room to be found for the first one: what it and all that must join it need. */
  readonly company?: Float64Array;
}

/** 'never': nothing that happens later in this solve lets such a pod in. */
export type ClaimOutcome = 'never' | 'not now' | number;

export function placeOnClaim(session: Session, claim: Claim, pods: Pods): ClaimOutcome {
  const { shape, variant } = pods;
  const { taints } = session.compiled;
  for (let column = 0; column < shape.requests.length; column++) {
    if ((shape.requests[column] as number) > (claim.spare[column] as number)) return 'never';
  }
  if (!taints.tolerates(variant.tolerations, claim.template.taints)) return 'never';
  if (clashesWithPorts(claim, shape)) return 'never';
  // Some types are out for such a pod: it opens a claim of its own, which knows that from the start.
  if (typesWithoutPorts(claim.template, shape.ports) !== undefined) return 'never';
  const merged = session.compiled.states.join(claim.state, variant.demand);
  if (merged === incompatible) return 'never';
  const found = findPlace(session, claim, pods, merged);
  if (found === undefined) return pods.isFree ? 'never' : 'not now';
  if (!reserve(session, claim, pods, found)) return 'not now';
  add(session, claim, { ...pods, ...found });
  return found.count;
}

/**
 * A new claim of the template with as many of the pods as it takes, or undefined when it takes none. `deferred`: it could
 * use capacity bought in advance, but all of that is taken; the pods wait rather than cost more.
 */
export function openClaim(
  session: Session,
  template: Template,
  pods: Pods,
): Claim | 'deferred' | undefined {
  const { nodes, states, taints } = session.compiled;
  if (session.limits.isExhausted(template)) return undefined;
  if (!taints.tolerates(pods.variant.tolerations, template.taints)) return undefined;
  const columns = pods.shape.requests.length;
  const claim: Claim = {
    bin: nodes.nodes.length + session.claims.length,
    template,
    state: template.state,
    requests: new Float64Array(columns),
    witness: -1,
    loads: [],
    ports: [],
    lowered: new Map(),
    allowed: allowedTypes(session, template, pods.shape),
    spare: new Float64Array(columns).fill(Infinity),
  };
  const merged = states.join(claim.state, pods.variant.demand);
  if (merged === incompatible) return undefined;
  const found = findPlace(session, claim, pods, merged);
  if (found === undefined) return undefined;
  if (!reserve(session, claim, pods, found)) return 'deferred';
  session.claims.push(claim);
  add(session, claim, { ...pods, ...found });
  if (session.limits.isLimited(template)) session.limits.charge(template, fitting(session, claim));
  return claim;
}

/** A type that takes so many of the pods. */
interface Fit {
  readonly witness: number;
  readonly count: number;
  /** Keys for which the claim then has less variety than its pool asks for, and how much it has. */
  readonly lowered?: ReadonlyMap<string, number>;
}

interface Found extends Fit {
  readonly place: StateId;
  readonly state: StateId;
}

function findPlace(session: Session, claim: Claim, pods: Pods, merged: StateId): Found | undefined {
  for (const place of pods.shape.places) {
    const state = session.compiled.states.join(merged, place);
    if (state === incompatible) continue;
    const found = findType(session, claim, pods, state);
    if (found !== undefined) return { place, ...found };
  }
  return undefined;
}

function findType(
  session: Session,
  claim: Claim,
  pods: Pods,
  state: StateId,
): Omit<Found, 'place'> | undefined {
  let best: Fit | undefined;
  const suits = (candidate: StateId): boolean => {
    best = largest(session, claim, pods, candidate);
    return best !== undefined;
  };
  if (pods.isFree) return suits(state) && best !== undefined ? { state, ...best } : undefined;
  const { shape, variant } = pods;
  const { template, bin } = claim;
  const narrowed = narrowForTopology({ session, template, bin, shape, variant, suits }, state);
  return narrowed === incompatible || best === undefined ? undefined : { state: narrowed, ...best };
}

/** The type that takes most of the pods; with one pod to place, the first that takes it. */
function largest(session: Session, claim: Claim, pods: Pods, state: StateId): Fit | undefined {
  const { shape, most, isFree, company = shape.requests } = pods;
  const { template } = claim;
  const wanted = isFree && shape.ports.length === 0 ? most : 1;
  if (wanted === 1 && holdsOneMore(claim, company, state))
    return { witness: claim.witness, count: 1 };
  const fit = mostOf(session, claim, { added: company, wanted, state });
  if (fit === undefined || !template.hasMinValues) return fit;
  return varied(session, claim, { shape, state, ...fit });
}

/** Whether the type that held everything so far also holds this: nothing else has to be looked at then. */
function holdsOneMore(
  { template, requests, witness, ...claim }: Claim,
  added: Float64Array,
  state: StateId,
): boolean {
  if (template.hasMinValues || witness === -1 || claim.state !== state) return false;
  return fitsInto(template.room, witness * requests.length, requests, added);
}

function mostOf(
  session: Session,
  { requests, allowed, template }: Claim,
  want: { readonly added: Float64Array; readonly wanted: number; readonly state: StateId },
): { readonly witness: number; readonly count: number } | undefined {
  const { added, wanted, state } = want;
  const { room } = template;
  let witness = -1;
  let count = 0;
  for (const variant of session.compiled.openTypes.of(template, state)) {
    if (allowed !== undefined && !allowed.has(variant)) continue;
    const row = variant * requests.length;
    const fitted = howMany({ room, row, requests, added, most: wanted });
    if (fitted > count) [witness, count] = [variant, fitted];
    if (count === wanted) break;
  }
  return count === 0 ? undefined : { witness, count };
}

/** As many as leave enough variety among the types that still fit; a claim that began with less may stay with that. */
function varied(
  session: Session,
  claim: Claim,
  found: {
    readonly shape: PodShape;
    readonly state: StateId;
    readonly count: number;
    readonly witness: number;
  },
): Fit | undefined {
  const { shape, state, witness } = found;
  const { states, options } = session.compiled;
  const requirements = states.requirementsOf(claim.template.state);
  const mayLower = options.minValuesPolicy === 'BestEffort' && claim.loads.length === 0;
  for (let count = found.count; count > 0; count--) {
    const added = shape.requests.map((amount) => amount * count);
    const { unmet } = checkMinValues(typesThatFit(session, claim, state, added), requirements);
    const isLower = [...unmet].some(([key, has]) => has < (claim.lowered.get(key) ?? Infinity));
    if (!isLower) return { witness, count };
    // Only what not even one pod leaves is given up.
    if (mayLower && count === 1) return { witness, count, lowered: unmet };
  }
  return undefined;
}

function typesThatFit(session: Session, claim: Claim, state: StateId, added: Float64Array) {
  const { catalog, openTypes } = session.compiled;
  const { template, requests, allowed } = claim;
  const types = [];
  for (const variant of openTypes.of(template, state)) {
    if (allowed !== undefined && !allowed.has(variant)) continue;
    if (!fitsInto(template.room, variant * requests.length, requests, added)) continue;
    const type = catalog.types[catalog.typeOf[variant] as number];
    if (type !== undefined) types.push(type);
  }
  return types;
}

/** Reservations for the claim as it would be with these pods; false when it may not be so. */
function reserve(session: Session, claim: Claim, { shape }: Pods, found: Found): boolean {
  if (session.reservations === undefined) return true;
  const requests = claim.requests.map(
    (amount, column) => amount + found.count * (shape.requests[column] as number),
  );
  const variants = fitting(session, { ...claim, requests, state: found.state });
  return session.reservations.claim(claim.bin, variants, found.state);
}

/** Variants that hold what the claim has, cheapest first. */
export function fitting(session: Session, claim: Claim): number[] {
  const { template, state, requests, allowed } = claim;
  const { room } = template;
  const found: number[] = [];
  for (const variant of session.compiled.openTypes.of(template, state)) {
    if (allowed !== undefined && !allowed.has(variant)) continue;
    if (fitsInto(room, variant * requests.length, requests, noRequests(requests)))
      found.push(variant);
  }
  return found;
}

function add(session: Session, claim: Claim, found: Pods & Found): void {
  const { shape, variant, place, state, witness, count } = found;
  claim.state = state;
  claim.witness = witness;
  claim.lowered = found.lowered ?? claim.lowered;
  for (let column = 0; column < shape.requests.length; column++) {
    const amount = claim.requests[column] as number;
    claim.requests[column] = amount + count * (shape.requests[column] as number);
  }
  claim.loads.push({ shape, variant, place, count });
  claim.ports.push(...shape.ports);
  updateSpare(session, claim);
  recordOnClaim(session, shape, claim, count);
}

/** An upper bound on what can still be added: checked before anything dearer. */
function updateSpare(session: Session, claim: Claim): void {
  const { template, state, requests, allowed, spare } = claim;
  const { room } = template;
  spare.fill(-1);
  for (const variant of session.compiled.openTypes.of(template, state)) {
    if (allowed !== undefined && !allowed.has(variant)) continue;
    const row = variant * requests.length;
    for (let column = 0; column < requests.length; column++) {
      const free = (room[row + column] as number) - (requests[column] as number);
      if (free > (spare[column] as number)) spare[column] = free;
    }
  }
}

function clashesWithPorts({ ports }: Claim, shape: PodShape): boolean {
  if (ports.length === 0 || shape.ports.length === 0) return false;
  return portConflict(new Map([['', ports]]), 'this pod', shape.ports) !== undefined;
}

/** What limits leave, without the types on which a DaemonSet wants a port of the host that the pod wants too. */
function allowedTypes(session: Session, template: Template, shape: PodShape): BitSet | undefined {
  const allowed = session.limits.allowed(template);
  const blocked = typesWithoutPorts(template, shape.ports);
  if (blocked === undefined) return allowed;
  return (allowed ?? template.members.clone()).andNot(blocked);
}
