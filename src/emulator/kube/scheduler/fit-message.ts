// The words for a pod that fits nowhere. In: a refusal per node, or one for all. Out: upstream's sentence:
// `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable.`
// Reasons are counted and sorted as text; a node with two shortages counts in both.
import type { Refusal } from './verdict.ts';

export interface Misfit {
  readonly nodeCount: number;
  /** A refusal before any node was asked. */
  readonly everywhere?: Refusal;
  readonly perNode: ReadonlyMap<string, Refusal>;
  /** Why the nodes that were never asked are out. */
  readonly unasked?: string;
  readonly preemption?: string;
}

export function describeMisfit(misfit: Misfit): string {
  const { nodeCount, everywhere, preemption } = misfit;
  if (nodeCount === 0) return 'no nodes available to schedule pods';
  const head = `0/${nodeCount} nodes are available:`;
  const reasons = everywhere === undefined ? countedReasons(misfit) : everywhere.reasons.join(', ');
  const middle = reasons === '' ? '' : ` ${reasons}.`;
  const tail = preemption === undefined ? '' : ` ${preemption}`;
  return `${head}${middle}${tail}`;
}

function countedReasons({ perNode, nodeCount, unasked }: Misfit): string {
  const counts = new Map<string, number>();
  const count = (reason: string, by: number): void =>
    void counts.set(reason, (counts.get(reason) ?? 0) + by);
  for (const { reasons } of perNode.values()) for (const reason of reasons) count(reason, 1);
  if (unasked !== undefined && perNode.size < nodeCount) count(unasked, nodeCount - perNode.size);
  return [...counts]
    .map(([reason, times]) => `${times} ${reason}`)
    .toSorted()
    .join(', ');
}
