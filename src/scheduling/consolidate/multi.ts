// Several nodes at once, as the original looks for them. In: candidates, budgets. Out: the largest beginning of the list, by
// worth, that can go together with at most one new node, found by halving: it takes for granted that with a set its
// parts can go too.
import type { BudgetLedger } from './budgets.ts';
import { byWorth, type Candidate } from './candidates.ts';
import { decide, type DecisionRules, isRemoval, type Removal } from './decide.ts';
import type { Simulation } from './simulation.ts';

export const largestSet = 100;

export interface MultiOutcome {
  readonly removal: Removal | undefined;
  readonly constrained: readonly Candidate[];
}

export function removePrefix(
  simulation: Simulation,
  candidates: readonly Candidate[],
  context: {
    readonly ledger: BudgetLedger;
    readonly rules: DecisionRules;
    readonly gone?: readonly Candidate[];
  },
): MultiOutcome {
  const { ledger, rules, gone = [] } = context;
  const constrained: Candidate[] = [];
  const open: Candidate[] = [];
  for (const candidate of candidates.toSorted(byWorth)) {
    if (ledger.spend(candidate.pool.metadata.name)) open.push(candidate);
    else constrained.push(candidate);
  }
  let found: Removal | undefined;
  let low = 2;
  let high = Math.min(open.length, largestSet);
  while (low <= high && !simulation.isStopped) {
    const size = Math.floor((low + high) / 2);
    const decision = decide(simulation, open.slice(0, size), rules, gone);
    if (isRemoval(decision)) [found, low] = [decision, size + 1];
    else high = size - 1;
  }
  return { removal: found, constrained };
}
