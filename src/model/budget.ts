// How many nodes of a NodePool may be disrupted at once. In: the pool's budgets, parsed once, and a moment. Out:
// the allowance for a reason: the smallest of the budgets that name it or name none.
// 1. A budget with a schedule holds from each activation for its duration and not a moment longer; one that never
//    fires holds always, as in the original. A budget that does not hold allows everything.
// 2. A percentage is rounded up: any above zero lets at least one node go.
// 3. One budget that cannot be understood allows nothing for the whole pool: better still than wrong.
import type { Budget, BudgetReason } from '../api/node-pool.ts';
import { type CronSchedule, nextActivation, parseCron } from './cron.ts';
import { tryParseDuration } from './duration.ts';

export const unlimitedDisruptions = 2 ** 31 - 1;

interface Window {
  readonly schedule: CronSchedule;
  readonly durationMs: number;
}

interface ParsedBudget {
  readonly reasons: ReadonlySet<BudgetReason>;
  readonly percent: boolean;
  readonly amount: number;
  /** Undefined: always active. */
  readonly window: Window | undefined;
}

export interface BudgetPlan {
  readonly budgets: readonly ParsedBudget[];
  /** What cannot be understood: field, value and rule of each. */
  readonly faults: readonly string[];
}

export function parseBudgets(budgets: readonly Budget[] = []): BudgetPlan {
  const parsed: ParsedBudget[] = [];
  const faults: string[] = [];
  for (const [i, budget] of budgets.entries()) {
    const result = parseBudget(budget, `budgets[${i}]`);
    if (typeof result === 'string') faults.push(result);
    else parsed.push(result);
  }
  return { budgets: parsed, faults };
}

export function allowedDisruptions(
  { budgets, faults }: BudgetPlan,
  question: { readonly nowMs: number; readonly nodes: number; readonly reason: BudgetReason },
): number {
  if (faults.length > 0) return 0;
  const { nowMs, nodes, reason } = question;
  let allowed = unlimitedDisruptions;
  for (const budget of budgets) {
    if (budget.reasons.size > 0 && !budget.reasons.has(reason)) continue;
    if (!isActive(budget.window, nowMs)) continue;
    const { percent, amount } = budget;
    allowed = Math.min(allowed, percent ? Math.ceil((amount * nodes) / 100) : amount);
  }
  return allowed;
}

function parseBudget(budget: Budget, path: string): ParsedBudget | string {
  const amount = /^([0-9]+)(%?)$/.exec(budget.nodes);
  if (amount === null) {
    return `${path}.nodes ${JSON.stringify(budget.nodes)} must be a number of nodes or a percentage`;
  }
  const window = parseWindow(budget, path);
  if (typeof window === 'string') return window;
  return {
    reasons: new Set(budget.reasons),
    percent: amount[2] === '%',
    amount: Number(amount[1]),
    window,
  };
}

function parseWindow(budget: Budget, path: string): Window | string | undefined {
  const { schedule, duration } = budget;
  if (schedule === undefined && duration === undefined) return undefined;
  if (schedule === undefined || duration === undefined) {
    return `${path} must have both schedule and duration, or neither`;
  }
  const cron = parseCron(schedule);
  if (!cron.ok) return `${path}.schedule ${JSON.stringify(schedule)} ${cron.reason}`;
  const length = tryParseDuration(duration);
  if (!length.ok) return `${path}.duration ${JSON.stringify(duration)}: ${length.reason}`;
  return { schedule: cron.schedule, durationMs: Number(length.nanoseconds) / 1e6 };
}

function isActive(window: Window | undefined, nowMs: number): boolean {
  if (window === undefined) return true;
  const hit = nextActivation(window.schedule, nowMs - window.durationMs);
  return hit === undefined || hit <= nowMs;
}
