// One node at a time. In: candidates, budgets. Out: what becomes of each when it alone goes, and the removal that saves most
// per disruption. Every node is looked at: the first that can go is seldom the one that is best.
import type { BudgetLedger } from './budgets.ts';
import { byWorth, type Candidate } from './candidates.ts';
import { decide, type DecisionRules, isRemoval, type Removal } from './decide.ts';
import type { Reason } from './reason.ts';
import type { Simulation } from './simulation.ts';

/** What a removal is worth, without the answer behind it: a thousand of those are a thousand copies of the cluster. */
export type Gain = Pick<Removal, 'savings' | 'disruptionCost'>;

export interface SingleOutcome {
  readonly removal: Removal | undefined;
  readonly constrained: readonly Candidate[];
  /** In the order of their worth; those for which there was neither budget nor time are not in it. */
  readonly decisions: ReadonlyMap<Candidate, Gain | Reason>;
}

export function removeOne(
  simulation: Simulation,
  candidates: readonly Candidate[],
  context: {
    readonly ledger: BudgetLedger;
    readonly rules: DecisionRules;
    readonly gone?: readonly Candidate[];
  },
): SingleOutcome {
  const { ledger, rules, gone = [] } = context;
  const decisions = new Map<Candidate, Gain | Reason>();
  const constrained: Candidate[] = [];
  let best: Removal | undefined;
  for (const candidate of candidates.toSorted(byWorth)) {
    if (ledger.left(candidate.pool.metadata.name) === 0) {
      constrained.push(candidate);
      continue;
    }
    if (simulation.isStopped) break;
    const decision = decide(simulation, [candidate], rules, gone);
    if (isRemoval(decision)) {
      const { savings, disruptionCost } = decision;
      decisions.set(candidate, { savings, disruptionCost });
      if (best === undefined || yieldOf(decision) > yieldOf(best)) best = decision;
    } else decisions.set(candidate, decision);
  }
  return { removal: best, constrained, decisions };
}

/** Money per disruption. */
export function yieldOf({ savings, disruptionCost }: Gain): number {
  return savings / disruptionCost;
}
