// How many nodes each pool lets go now. In: a cluster, a reason. Out: per pool what its budgets allow, what already counts
// against that, and what is left.
// 1. Nodes that are not ready, or on their way out for whatever reason, count against every budget.
// 2. A node whose machine is being terminated counts no more, neither as part of the pool nor against its budget; one that
//    has not started yet does not make the pool larger.
import type { BudgetReason } from '../../api/node-pool.ts';
import { allowedDisruptions, parseBudgets } from '../../model/budget.ts';
import { type Cluster, isBeingTerminated, isLeaving, type NodeState } from './cluster.ts';

export interface PoolBudget {
  readonly nodes: number;
  readonly allowed: number;
  readonly disrupting: number;
  readonly remaining: number;
}

export function disruptionBudgets(
  { nodes, pools, nowMs }: Pick<Cluster, 'nodes' | 'pools' | 'nowMs'>,
  reason: BudgetReason,
): ReadonlyMap<string, PoolBudget> {
  const counted = Map.groupBy(nodes.filter(isCounted), ({ place }) => place.pool ?? '');
  return new Map(
    [...pools].map(([name, { pool }]) => {
      const members = counted.get(name) ?? [];
      const disrupting = members.filter((state) => !isReady(state) || isLeaving(state)).length;
      const plan = parseBudgets(pool.spec.disruption.budgets);
      const allowed = allowedDisruptions(plan, { nowMs, nodes: members.length, reason });
      const remaining = Math.max(allowed - disrupting, 0);
      return [name, { nodes: members.length, allowed, disrupting, remaining }];
    }),
  );
}

/** What is left of budgets while a set of nodes is being chosen. */
export class BudgetLedger {
  readonly #left: Map<string, number>;

  constructor(budgets: ReadonlyMap<string, PoolBudget>) {
    this.#left = new Map([...budgets].map(([pool, { remaining }]) => [pool, remaining]));
  }

  left(pool: string): number {
    return this.#left.get(pool) ?? 0;
  }

  /** Takes one, if there is one. */
  spend(pool: string): boolean {
    const left = this.left(pool);
    if (left === 0) return false;
    this.#left.set(pool, left - 1);
    return true;
  }
}

function isCounted(state: NodeState): boolean {
  return state.nodeClaim !== undefined && state.place.initialized && !isBeingTerminated(state);
}

function isReady({ node }: NodeState): boolean {
  const conditions = node?.status?.conditions ?? [];
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}
