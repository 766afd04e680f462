// What may replace nodes that go. In: the new nodes that the solver wants, the candidates. Out: the types each may be
// launched as so that everything together is cheaper whatever the launch gets, or why there are none.
// 1. Cheaper is judged by what a launch costs at worst. With several new nodes, what is saved is shared out among them.
// 2. A set of nodes is not replaced by a type that is in it, unless that is cheaper than each of those: keeping one of
//    them and removing the rest would be the same with less disruption.
// 3. A node that may be spot or on-demand becomes spot or nothing: a shortage of spot must not buy something dearer.
// 4. Spot for spot only where it is wanted; one for one only with so many cheaper types to choose from that the next pass
//    does not do it again.
import { capacityType, label } from '../../api/labels.ts';
import type { InstanceType } from '../../model/instance-type.ts';
import { checkMinValues, describeUnmetMinValues } from '../../model/min-values.ts';
import { oneOf } from '../../model/requirement.ts';
import { requirementsOf } from '../../model/requirements.ts';
import type { CompiledProblem } from '../compile/compile.ts';
import type { StateId } from '../requirement-states.ts';
import type { Claim } from '../solve/claim.ts';
import { fitting } from '../solve/on-claim.ts';
import type { Session } from '../solve/session.ts';
import type { Candidate } from './candidates.ts';
import type { Reason } from './reason.ts';

/** As few types of spot make the next shortage likely, and the next replacement. */
const spotVariety = 15;

export interface Replacement {
  readonly claim: Claim;
  readonly state: StateId;
  /** Cheapest first. */
  readonly variants: readonly number[];
  /** What the cheapest costs. */
  readonly price: number;
  /** What it costs at most, whichever is launched. */
  readonly worstPrice: number;
}

export interface ReplacementRules {
  readonly spotToSpot: boolean;
}

export function findReplacements(
  session: Session,
  claims: readonly Claim[],
  context: { readonly candidates: readonly Candidate[]; readonly rules: ReplacementRules },
): readonly Replacement[] | Reason {
  const { compiled } = session;
  const { candidates, rules } = context;
  if (claims.length === 0) return [];
  const isAllSpot = candidates.every((one) => one.capacityType === capacityType.spot);
  const plain = claims.map((claim) => draftOf(session, claim, isAllSpot));
  if (!rules.spotToSpot && plain.some((draft) => draft.isSpotToSpot)) return spotDisabled;
  const freed = freedPrice(compiled, claims, candidates);
  // What a launch costs at best is at hand; what it costs at worst is not.
  if (!(sum(plain.map((draft) => cheapest(compiled, draft))) < freed)) return notCheaper;
  const drafts = plain.map((draft) => priced(compiled, draft));
  const caps = priceCaps(drafts, freed);
  if (caps === undefined) return notCheaper;
  const found: Replacement[] = [];
  for (const [i, draft] of drafts.entries()) {
    const cap = Math.min(caps[i] as number, sameTypeCap(compiled, draft, candidates));
    const choice = choose(compiled, draft, { cap, isSingle: candidates.length === 1 });
    if ('kind' in choice) return choice;
    found.push(choice);
  }
  return found;
}

/** What the claim costs if it becomes the cheapest it may be. */
export function cheapestLaunch(session: Session, claim: Claim): number {
  const { state } = claim;
  return cheapest(session.compiled, { variants: fitting(session, claim), state });
}

interface Draft {
  readonly claim: Claim;
  readonly state: StateId;
  readonly variants: readonly number[];
  readonly isSpotToSpot: boolean;
}

interface PricedDraft extends Draft {
  /** By place in `variants`. */
  readonly worst: readonly number[];
}

function draftOf(session: Session, claim: Claim, isAllSpot: boolean): Draft {
  const { compiled } = session;
  const all = fitting(session, claim).slice(0, compiled.options.maxInstanceTypes);
  const isSpotToSpot =
    isAllSpot && compiled.catalog.capacityTypes(all, claim.state).has(capacityType.spot);
  const state = isSpotToSpot ? onlySpot(compiled, claim.state) : claim.state;
  const variants = isSpotToSpot ? inState(compiled, state, all) : all;
  return { claim, state, variants, isSpotToSpot };
}

function priced(compiled: CompiledProblem, draft: Draft): PricedDraft {
  const { variants, state } = draft;
  return { ...draft, worst: variants.map((variant) => worstPrice(compiled, variant, state)) };
}

function cheapest(
  { catalog }: CompiledProblem,
  { variants, state }: Pick<Draft, 'variants' | 'state'>,
): number {
  const [first] = variants;
  return first === undefined ? Infinity : (catalog.open(state).price[first] as number);
}

/** What is no longer paid when the candidates go, less what new nodes cost beside their machines. */
function freedPrice(
  { options }: CompiledProblem,
  claims: readonly Claim[],
  candidates: readonly Candidate[],
): number {
  const fewerNodes = candidates.length - claims.length;
  return sum(candidates.map(({ price }) => price)) + fewerNodes * options.nodeCostPerHour;
}

/** What each may cost so that all of them stay below what is freed; undefined when they cannot. */
function priceCaps(drafts: readonly PricedDraft[], freed: number): number[] | undefined {
  const least = drafts.map(({ worst }) => Math.min(...worst));
  const spare = freed - sum(least);
  if (!(spare > 0)) return undefined;
  return drafts.length === 1 ? [freed] : least.map((price) => price + spare / drafts.length);
}

/** Infinity when none of its types is among those that go. */
function sameTypeCap(
  { catalog }: CompiledProblem,
  { variants }: Draft,
  candidates: readonly Candidate[],
): number {
  if (candidates.length === 1) return Infinity;
  const names = new Set(variants.map((variant) => typeOf(catalog, variant)?.name));
  let cap = Infinity;
  for (const { instanceType, price } of candidates) {
    if (names.has(instanceType?.name)) cap = Math.min(cap, price);
  }
  return cap;
}

function choose(
  compiled: CompiledProblem,
  draft: PricedDraft,
  { cap, isSingle }: { readonly cap: number; readonly isSingle: boolean },
): Replacement | Reason {
  const { claim, isSpotToSpot } = draft;
  const cheaper = draft.variants.filter((_, i) => (draft.worst[i] as number) < cap);
  if (cheaper.length === 0) return notCheaper;
  const { state, variants } = pinned(compiled, draft.state, cheaper);
  const types = variants.flatMap((variant) => typeOf(compiled.catalog, variant) ?? []);
  const demanded = compiled.states.requirementsOf(claim.template.state);
  const { unmet, needed } = checkMinValues(types, demanded);
  if (unmet.size > 0) {
    return { kind: 'minValues', message: `Filtering by price: ${describeUnmetMinValues(unmet)}` };
  }
  if (!isSpotToSpot || !isSingle) return finished(compiled, { claim, state, variants });
  const choices = new Set(types).size;
  if (choices < spotVariety) return tooFewTypes(choices);
  const kept = variants.slice(0, Math.max(spotVariety, needed));
  return finished(compiled, { claim, state, variants: kept });
}

/** Spot, where there is any. */
function pinned(
  compiled: CompiledProblem,
  state: StateId,
  variants: readonly number[],
): Pick<Replacement, 'state' | 'variants'> {
  const ways = compiled.catalog.capacityTypes(variants, state);
  if (!ways.has(capacityType.spot) || !ways.has(capacityType.onDemand)) return { state, variants };
  const spot = onlySpot(compiled, state);
  return { state: spot, variants: inState(compiled, spot, variants) };
}

function finished(
  compiled: CompiledProblem,
  choice: Pick<Replacement, 'claim' | 'state' | 'variants'>,
): Replacement {
  const { state, variants } = choice;
  return {
    ...choice,
    price: compiled.catalog.open(state).price[variants[0] as number] as number,
    worstPrice: Math.max(...variants.map((variant) => worstPrice(compiled, variant, state))),
  };
}

function onlySpot({ states }: CompiledProblem, state: StateId): StateId {
  return states.join(
    state,
    states.intern(requirementsOf([oneOf(label.capacityType, [capacityType.spot])])),
  );
}

/** Those of the variants that a state leaves, in its order of price. */
function inState(
  { catalog }: CompiledProblem,
  state: StateId,
  variants: readonly number[],
): number[] {
  const known = new Set(variants);
  return [...catalog.open(state).byPrice].filter((variant) => known.has(variant));
}

/** A launch takes what was bought in advance, then spot, then on-demand; the dearest of what it takes counts. */
function worstPrice({ catalog }: CompiledProblem, variant: number, state: StateId): number {
  const offerings = catalog.offeringsOf(variant, state);
  for (const way of [capacityType.reserved, capacityType.spot, capacityType.onDemand]) {
    // They come cheapest first.
    const dearest = offerings.findLast((offering) => offering.capacityType === way);
    if (dearest !== undefined) return dearest.price;
  }
  return Infinity;
}

function typeOf(
  { types, typeOf: indexes }: CompiledProblem['catalog'],
  variant: number,
): InstanceType | undefined {
  return types[indexes[variant] as number];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const notCheaper: Reason = { kind: 'price', message: "Can't replace with a cheaper node" };

const spotDisabled: Reason = {
  kind: 'spotToSpot',
  message: "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node",
};

function tooFewTypes(found: number): Reason {
  return {
    kind: 'spotToSpot',
    message: `SpotToSpotConsolidation requires ${spotVariety} cheaper instance type options than the current candidate to consolidate, got ${found}`,
  };
}
