// Pods that will need another place because their node goes. In: nodes with their pods, disruption budgets, a moment.
// Out: the pods of nodes on their way out that need room elsewhere and can leave now.
// 1. A pod that cannot leave yet gets no room: it would stand empty until the pod comes.
// 2. They run already, so they are not validated as pending pods are.
import type { Pod } from '../../api/core.ts';
import type { PodDisruptionBudget } from '../../api/workloads.ts';
import { isCurrentlyReschedulable } from '../../model/pod-disruption-budget.ts';
import type { SchedulableNode } from '../schedulable-node.ts';

export function movingPods(
  nodes: Iterable<Pick<SchedulableNode, 'deleting' | 'pods'>>,
  budgets: readonly PodDisruptionBudget[],
  nowMs: number,
): Pod[] {
  const moving: Pod[] = [];
  for (const { deleting, pods } of nodes) {
    if (!deleting) continue;
    moving.push(...pods.filter((pod) => isCurrentlyReschedulable(budgets, pod, nowMs)));
  }
  return moving;
}
