// One look at a cluster for nodes that are not worth their money. In: the cluster, which ways to look. Out: per way the
// candidates, the budgets, what it would do; and for every node that stays, why. Each way is asked as if it were the first,
// except `best`, which combines them.
import type { BudgetReason } from '../../api/node-pool.ts';
import { defaultOptions, type SchedulingOptions } from '../scheduling-problem.ts';
import { poolTotals } from './balance.ts';
import { findBestSet } from './better-sets.ts';
import { BudgetLedger, disruptionBudgets, type PoolBudget } from './budgets.ts';
import { type Candidate, type CandidateList, findCandidates } from './candidates.ts';
import type { Cluster } from './cluster.ts';
import { type Command, commandOf } from './command.ts';
import type { DecisionRules } from './decide.ts';
import { whyNotConsolidated, whyNotEmptied } from './eligible.ts';
import { removeEmpty } from './empty.ts';
import { removePrefix } from './multi.ts';
import type { Reason } from './reason.ts';
import { type Gain, removeOne } from './single.ts';
import { Simulation } from './simulation.ts';

export type Method = 'empty' | 'multi' | 'single' | 'best';

export interface ConsolidationOptions {
  readonly scheduling?: Partial<SchedulingOptions>;
  /** Spot nodes may be replaced by cheaper spot nodes. */
  readonly spotToSpot?: boolean;
  /** New nodes that one command of `best` may make. */
  readonly maxReplacements?: number;
  /** Questions that `best` spends on sets, beside one for each candidate. */
  readonly maxQuestions?: number;
  readonly explain?: boolean;
  readonly stop?: () => boolean;
}

export interface MethodOutcome {
  readonly candidates: readonly Candidate[];
  readonly budgets: ReadonlyMap<string, PoolBudget>;
  /** In the order in which they are to be started; at most one but for `best`. */
  readonly commands: readonly Command[];
  /** Candidates that were kept back by a budget alone. */
  readonly constrained: readonly Candidate[];
  /** Name of a node → why this way leaves it where it is. */
  readonly staying: ReadonlyMap<string, Reason>;
}

const defaultReplacements = 10;
const defaultQuestions = 300;

/** While sets are compared; the one that is taken is packed as often as any plan. */
const searchRounds = 1;

/** Compiles the cluster once; every way is then asked of the same. */
export class Consolidation {
  readonly simulation: Simulation;
  readonly list: CandidateList;
  readonly #cluster: Cluster;
  readonly #options: ConsolidationOptions;
  readonly #rules: DecisionRules;

  constructor(cluster: Cluster, options: ConsolidationOptions = {}) {
    const { scheduling, stop, spotToSpot = false, explain = false } = options;
    this.#cluster = cluster;
    this.#options = options;
    this.list = findCandidates(cluster);
    this.simulation = new Simulation(cluster, {
      scheduling: { ...defaultOptions, ...scheduling },
      ...(stop && { stop }),
    });
    const totals = poolTotals(cluster, this.list.candidates);
    this.#rules = { spotToSpot, maxReplacements: 1, packRounds: 0, totals, explain };
  }

  run(method: Method): MethodOutcome {
    switch (method) {
      case 'empty':
        return this.#empty();
      case 'multi':
        return this.#multi();
      case 'single':
        return this.#single();
      default:
        return this.#best();
    }
  }

  #empty(): MethodOutcome {
    const { candidates, staying } = this.#eligible(whyNotEmptied);
    const budgets = this.#budgets('Empty');
    const outcome = removeEmpty(this.simulation, candidates, new BudgetLedger(budgets));
    const { removal, constrained, needed } = outcome;
    for (const { name } of needed) staying.set(name, neededByWaiting);
    return {
      candidates,
      budgets,
      commands: removal === undefined ? [] : [commandOf(removal, 'Empty')],
      constrained,
      staying: withConstrained(staying, constrained, 'Empty'),
    };
  }

  #multi(): MethodOutcome {
    const { candidates, staying } = this.#eligible(whyNotConsolidated);
    const budgets = this.#budgets('Underutilized');
    const ledger = new BudgetLedger(budgets);
    const outcome = removePrefix(this.simulation, candidates, { ledger, rules: this.#rules });
    const { removal, constrained } = outcome;
    return {
      candidates,
      budgets,
      commands: removal === undefined ? [] : [commandOf(removal, 'Underutilized')],
      constrained,
      staying: withConstrained(staying, constrained, 'Underutilized'),
    };
  }

  #single(): MethodOutcome {
    const { candidates, staying } = this.#eligible(whyNotConsolidated);
    const budgets = this.#budgets('Underutilized');
    const ledger = new BudgetLedger(budgets);
    const outcome = removeOne(this.simulation, candidates, { ledger, rules: this.#rules });
    const { removal, constrained, decisions } = outcome;
    addRefusals(staying, decisions);
    for (const { name } of removal?.candidates ?? []) staying.delete(name);
    return {
      candidates,
      budgets,
      commands: removal === undefined ? [] : [commandOf(removal, 'Underutilized')],
      constrained,
      staying: withConstrained(staying, constrained, 'Underutilized'),
    };
  }

  /** Empty nodes cost nothing to remove, so they go with the rest unless they are worth more as places for pods. */
  #best(): MethodOutcome {
    const { maxReplacements = defaultReplacements, maxQuestions = defaultQuestions } =
      this.#options;
    const empty = this.#empty();
    const { candidates, staying } = this.#eligible(whyNotConsolidated);
    const budgets = this.#budgets('Underutilized');
    const outcome = findBestSet(
      {
        simulation: this.simulation,
        budgets,
        rules: { ...this.#rules, maxReplacements, packRounds: searchRounds },
        gone: empty.commands.flatMap((command) => command.candidates),
        maxQuestions,
      },
      candidates,
    );
    const { removal, constrained, decisions } = outcome;
    const commands = outcome.isInsteadOfGone ? [] : [...empty.commands];
    if (removal !== undefined) commands.push(commandOf(removal, 'Underutilized'));
    for (const { name } of empty.candidates) {
      staying.set(name, empty.staying.get(name) ?? usedAsPlace);
    }
    addRefusals(staying, decisions);
    for (const { name } of commands.flatMap((command) => command.candidates)) staying.delete(name);
    return {
      candidates: [...empty.candidates, ...candidates],
      budgets,
      commands,
      constrained: [...empty.constrained, ...constrained],
      staying: withConstrained(staying, constrained, 'Underutilized'),
    };
  }

  #budgets(reason: BudgetReason): ReadonlyMap<string, PoolBudget> {
    return disruptionBudgets(this.#cluster, reason);
  }

  #eligible(whyNot: (candidate: Candidate) => Reason | undefined): {
    readonly candidates: readonly Candidate[];
    readonly staying: Map<string, Reason>;
  } {
    const staying = new Map(this.list.rejected);
    const candidates = this.list.candidates.filter((candidate) => {
      const reason = whyNot(candidate);
      if (reason !== undefined) staying.set(candidate.name, reason);
      return reason === undefined;
    });
    return { candidates, staying };
  }
}

const usedAsPlace: Reason = { kind: 'later', message: 'Pods of nodes that go need the node' };
const neededByWaiting: Reason = { kind: 'pods', message: 'Pods that wait need the node' };

function addRefusals(
  staying: Map<string, Reason>,
  decisions: ReadonlyMap<Candidate, Gain | Reason>,
): void {
  for (const [candidate, decision] of decisions) {
    if ('kind' in decision) staying.set(candidate.name, decision);
    else {
      const message = `Another command saves more per disruption (savings: $${decision.savings.toFixed(2)})`;
      staying.set(candidate.name, { kind: 'later', message });
    }
  }
}

function withConstrained(
  staying: Map<string, Reason>,
  constrained: readonly Candidate[],
  reason: BudgetReason,
): ReadonlyMap<string, Reason> {
  const message = `No allowed disruptions for disruption reason ${reason} due to blocking budget`;
  for (const { name } of constrained) staying.set(name, { kind: 'budget', message });
  return staying;
}
