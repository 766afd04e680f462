// Which nodes to remove together. In: candidates, what each would save alone, budgets. Out: the set that saves most, of those
// that were tried. A set grows by whoever saves most per disruption, in steps that double while they pay and halve when they
// do not; it is no beginning of any list, since whoever does not fit is left out and the rest goes on.
// 1. A member stays only while it makes the set save more.
// 2. Budgets of pools and the size of a command hold at every step.
// 3. Equal clusters give equal sets: ties go by name. Questions are counted, not time; `stop` ends it with what is there.
import { BudgetLedger, type PoolBudget } from './budgets.ts';
import { byWorth, type Candidate } from './candidates.ts';
import { decide, type DecisionRules, isRemoval, type Removal } from './decide.ts';
import { largestSet, removePrefix } from './multi.ts';
import { removeOne, type SingleOutcome, yieldOf } from './single.ts';
import type { Simulation } from './simulation.ts';

/** Below this a difference is rounding. */
const noticeable = 1e-9;

/** So many that do not pay, one after the other, and the rest is not tried: they come in the order of their promise. */
const patience = 24;

export interface SetSearch {
  readonly simulation: Simulation;
  readonly budgets: ReadonlyMap<string, PoolBudget>;
  readonly rules: DecisionRules;
  /** Nodes that another command takes. */
  readonly gone: readonly Candidate[];
  /** Questions to spend on sets, beside one for each candidate. */
  readonly maxQuestions: number;
}

export interface SetOutcome extends SingleOutcome {
  /** The nodes of the other command are worth more as places for pods: it is to be dropped. */
  readonly isInsteadOfGone: boolean;
}

export function findBestSet(search: SetSearch, candidates: readonly Candidate[]): SetOutcome {
  const { simulation, gone } = search;
  // With the whole budget: the other command may yet be dropped.
  const ledger = new BudgetLedger(search.budgets);
  const singles = removeOne(simulation, candidates, { ...search, ledger });
  const movable = candidates.filter((candidate) => isMovable(singles, candidate));
  const order = byGain(singles, movable);
  // Each attempt has its share of the questions, or the first would ask them all.
  const growth = (): Growth => {
    const limit = simulation.asked + search.maxQuestions / 4;
    return { order, hasQuestions: () => simulation.asked < limit && !simulation.isStopped };
  };
  const attempts = [
    isAffordable(search, singles.removal) ? singles.removal : undefined,
    fromPrefix(search, growth()),
    fromHalves(search, growth()),
    pruned(search, undefined, growth()),
  ];
  const set = attempts.reduce(better, undefined);
  const removal = set && polish(search, set);
  if (gone.length === 0) return { ...singles, removal, isInsteadOfGone: false };
  const alone = fromPrefix({ ...search, gone: [] }, growth());
  const together = gone.reduce((sum, { price }) => sum + price, removal?.savings ?? 0);
  return alone !== undefined && alone.savings > together + noticeable
    ? { ...singles, removal: polish({ ...search, gone: [] }, alone), isInsteadOfGone: true }
    : { ...singles, removal, isInsteadOfGone: false };
}

/** What the original would take, without those who add nothing to it, and with whoever does. */
function fromPrefix(search: SetSearch, growth: Growth): Removal | undefined {
  const { simulation, rules, gone } = search;
  const { removal } = removePrefix(simulation, growth.order, {
    ledger: ledgerOf(search),
    rules: { ...rules, maxReplacements: 1, packRounds: 0 },
    gone,
  });
  return removal && pruned(search, removal, growth);
}

/** Nodes none of which pays to remove alone may pay together: all of them, half of them, and so on. */
function fromHalves(search: SetSearch, growth: Growth): Removal | undefined {
  const { simulation, rules, gone } = search;
  const open = [...affordable(ledgerOf(search), growth.order.toSorted(byWorth), largestSet)];
  let best: Removal | undefined;
  for (let size = open.length; size > 1 && growth.hasQuestions(); size = Math.floor(size / 2)) {
    const decision = decide(simulation, open.slice(0, size), rules, gone);
    if (isRemoval(decision)) best = better(best, decision);
  }
  return best && pruned(search, best, growth);
}

function pruned(
  search: SetSearch,
  start: Removal | undefined,
  growth: Growth,
): Removal | undefined {
  const grown = grow(search, start, growth);
  return grown && prune(search, grown, growth.hasQuestions);
}

/** The chosen set once more, packed with all the care that a plan gets. */
function polish({ simulation, rules, gone }: SetSearch, chosen: Removal): Removal {
  if (chosen.replacements.length < 2) return chosen;
  const { packRounds } = simulation.compiled.options;
  const decision = decide(simulation, chosen.candidates, { ...rules, packRounds }, gone);
  return isRemoval(decision) && decision.savings > chosen.savings ? decision : chosen;
}

/** Pods that have no other place when a node goes alone have none when more go. */
function isMovable({ decisions }: SingleOutcome, candidate: Candidate): boolean {
  const decision = decisions.get(candidate);
  return decision !== undefined && !('kind' in decision && decision.kind === 'pods');
}

/** First those that save something alone, most per disruption first; then the rest by worth. */
function byGain({ decisions }: SingleOutcome, movable: readonly Candidate[]): Candidate[] {
  const gains = new Map(
    movable.map((candidate) => {
      const decision = decisions.get(candidate);
      return [candidate, decision === undefined || 'kind' in decision ? 0 : yieldOf(decision)];
    }),
  );
  return movable.toSorted((a, b) => (gains.get(b) ?? 0) - (gains.get(a) ?? 0) || byWorth(a, b));
}

interface Growth {
  readonly order: readonly Candidate[];
  readonly hasQuestions: () => boolean;
}

function grow(
  search: SetSearch,
  start: Removal | undefined,
  { order, hasQuestions }: Growth,
): Removal | undefined {
  const ledger = ledgerOf(search);
  spendAll(ledger, membersOf(start));
  let best = start;
  let waiting = order.filter((candidate) => !membersOf(start).includes(candidate));
  let refusals = 0;
  for (let step = 1; refusals < patience && hasQuestions();) {
    const room = largestSet - membersOf(best).length;
    const added = affordable(ledger, waiting, Math.min(step, room));
    if (added.size === 0) break;
    const found = extended(search, best, added);
    // Of several that do not pay together some may; one that does not pay alone is passed over.
    if (found === undefined && added.size > 1) {
      step = Math.floor(added.size / 2);
      continue;
    }
    waiting = waiting.filter((candidate) => !added.has(candidate));
    refusals = found === undefined ? refusals + 1 : 0;
    if (found === undefined) continue;
    best = found;
    spendAll(ledger, added);
    step *= 2;
  }
  return best;
}

function membersOf(set: Removal | undefined): readonly Candidate[] {
  return set?.candidates ?? [];
}

/** The set with these members more, if that pays. */
function extended(
  { simulation, rules, gone }: SetSearch,
  set: Removal | undefined,
  added: ReadonlySet<Candidate>,
): Removal | undefined {
  const decision = decide(simulation, [...membersOf(set), ...added], rules, gone);
  if (!isRemoval(decision)) return undefined;
  return decision.savings > (set?.savings ?? 0) + noticeable ? decision : undefined;
}

/** The first of those that wait for which budgets have room, all of them together. */
function affordable(
  ledger: BudgetLedger,
  waiting: readonly Candidate[],
  most: number,
): Set<Candidate> {
  const left = new Map<string, number>();
  const found = new Set<Candidate>();
  for (const candidate of waiting) {
    if (found.size >= most) break;
    const pool = candidate.pool.metadata.name;
    const room = left.get(pool) ?? ledger.left(pool);
    if (room === 0) continue;
    left.set(pool, room - 1);
    found.add(candidate);
  }
  return found;
}

/** Lets those stay without whom as much is saved, the least worth first. */
function prune(search: SetSearch, whole: Removal, hasQuestions: () => boolean): Removal {
  const { simulation, rules, gone } = search;
  // Whoever is deleted without a new node is worth its price.
  if (whole.replacements.length === 0) return whole;
  let kept = whole;
  for (const candidate of whole.candidates.toSorted(byWorth).toReversed()) {
    if (kept.candidates.length === 1 || !hasQuestions()) break;
    const rest = kept.candidates.filter((one) => one !== candidate);
    const decision = decide(simulation, rest, rules, gone);
    if (isRemoval(decision) && decision.savings >= kept.savings - noticeable) kept = decision;
  }
  return kept;
}

function better(a: Removal | undefined, b: Removal | undefined): Removal | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const gain = b.savings - a.savings;
  if (Math.abs(gain) > noticeable) return gain > 0 ? b : a;
  return b.disruptionCost < a.disruptionCost ? b : a;
}

function ledgerOf({ budgets, gone }: SetSearch): BudgetLedger {
  const ledger = new BudgetLedger(budgets);
  spendAll(ledger, gone);
  return ledger;
}

function isAffordable(search: SetSearch, removal: Removal | undefined): boolean {
  const ledger = ledgerOf(search);
  return membersOf(removal).every(({ pool }) => ledger.spend(pool.metadata.name));
}

function spendAll(ledger: BudgetLedger, candidates: Iterable<Candidate>): void {
  for (const { pool } of candidates) ledger.spend(pool.metadata.name);
}
