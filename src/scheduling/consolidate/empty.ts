// Nodes on which nothing runs that would be missed. In: a simulation, candidates that are empty, budgets. Out: one removal of
// as many as budgets allow.
// Empty nodes are judged like all others: one that a pod which waits could use, or whose pods cost nothing to move but
// need a place all the same, goes only if nobody is worse off.
import type { Answer } from '../what-if.ts';
import type { BudgetLedger } from './budgets.ts';
import { byWorth, type Candidate } from './candidates.ts';
import { type Removal, savingsOf } from './decide.ts';
import type { Simulation } from './simulation.ts';

export interface EmptyOutcome {
  readonly removal: Removal | undefined;
  /** Those for which no budget was left. */
  readonly constrained: readonly Candidate[];
  /** Those that somebody needs. */
  readonly needed: readonly Candidate[];
}

export function removeEmpty(
  simulation: Simulation,
  candidates: readonly Candidate[],
  ledger: BudgetLedger,
): EmptyOutcome {
  const open: Candidate[] = [];
  const constrained: Candidate[] = [];
  for (const candidate of candidates.toSorted(byWorth)) {
    (ledger.spend(candidate.pool.metadata.name) ? open : constrained).push(candidate);
  }
  const removal = together(simulation, open) ?? oneByOne(simulation, open);
  const needed = open.filter((candidate) => removal?.candidates.includes(candidate) !== true);
  return { removal, constrained, needed };
}

function oneByOne(simulation: Simulation, open: readonly Candidate[]): Removal | undefined {
  let chosen: Removal | undefined;
  for (const candidate of open) {
    if (simulation.isStopped) break;
    chosen = together(simulation, [...(chosen?.candidates ?? []), candidate]) ?? chosen;
  }
  return chosen;
}

/** Undefined when somebody needs one of them. */
function together(simulation: Simulation, candidates: readonly Candidate[]): Removal | undefined {
  if (candidates.length === 0) return undefined;
  const answer = simulation.ask(candidates);
  if (!isHarmless(simulation, answer)) return undefined;
  return {
    candidates,
    answer,
    replacements: [],
    savings: savingsOf(candidates, []),
    disruptionCost: candidates.reduce((sum, { disruptionCost }) => sum + disruptionCost, 0),
  };
}

/** No pod more without a place, and no new node more than is needed anyway. */
function isHarmless(simulation: Simulation, answer: Answer): boolean {
  return (
    !answer.leftovers.stopped &&
    simulation.stranded(answer).size === 0 &&
    answer.claims.length <= simulation.base.claims.length
  );
}
