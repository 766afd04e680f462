// Which PodDisruptionBudgets keep a pod where it is. In: budgets, a pod, a moment. Out: the budgets in the way,
// or none.
// 1. Only pods that we would evict are asked about: budgets do not matter to any other.
// 2. Two budgets on one pod always block: the eviction API refuses to decide between them.
// 3. With AlwaysAllow a budget does not hold a pod that is not ready.
import type { Pod } from '../api/core.ts';
import type { PodDisruptionBudget } from '../api/workloads.ts';
import { selects } from './label-selector.ts';
import { isDisruptable, isEvictable, isReschedulable } from './pod.ts';

/** Budgets that forbid evicting the pod right now. */
export function blockingBudgets(
  budgets: readonly PodDisruptionBudget[],
  pod: Pod,
  nowMs: number,
): readonly PodDisruptionBudget[] {
  return inTheWay(budgets, pod, nowMs, ({ status }) => (status?.disruptionsAllowed ?? 0) === 0);
}

/** Whether the pod should be given a place elsewhere now: it needs one, and it can leave. */
export function isCurrentlyReschedulable(
  budgets: readonly PodDisruptionBudget[],
  pod: Pod,
  nowMs: number,
): boolean {
  return (
    isReschedulable(pod) &&
    isDisruptable(pod, nowMs) &&
    inTheWay(budgets, pod, nowMs, isFullyBlocking).length === 0
  );
}

function inTheWay(
  budgets: readonly PodDisruptionBudget[],
  pod: Pod,
  nowMs: number,
  blocks: (budget: PodDisruptionBudget) => boolean,
): readonly PodDisruptionBudget[] {
  if (!isEvictable(pod, nowMs)) return [];
  const matching = budgets.filter(
    ({ metadata, spec }) =>
      metadata.namespace === pod.metadata.namespace && selects(spec.selector, pod.metadata.labels),
  );
  if (matching.length > 1) return matching;
  return matching.filter((budget) => !sparesUnready(budget, pod) && blocks(budget));
}

/** Will never allow an eviction, whatever the state of its pods. */
function isFullyBlocking({ spec }: PodDisruptionBudget): boolean {
  const { maxUnavailable, minAvailable } = spec;
  return maxUnavailable === 0 || maxUnavailable === '0%' || minAvailable === '100%';
}

function sparesUnready({ spec }: PodDisruptionBudget, pod: Pod): boolean {
  return (
    spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' &&
    (pod.status?.conditions ?? []).some(
      ({ type, status }) => type === 'Ready' && status === 'False',
    )
  );
}
