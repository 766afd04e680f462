// What became of a CapacityBuffer in a pass. In: where its virtual pods went. Out: the condition that says whether the
// room is there already, and how many virtual pods each node holds room for.
// A pass that has seen none of its pods, or not all of them, says nothing: the condition stays as it was.
import { type CapacityBuffer, capacityBufferCondition } from '../../api/capacity-buffer.ts';
import type { Pod } from '../../api/core.ts';
import { type ConditionChange, isConditionTrue } from '../../model/conditions.ts';
import { bufferKeyOf, isVirtualPod } from './virtual-pods.ts';

export interface PassOutcome {
  /** On nodes that are there. */
  readonly existing: Iterable<Pod>;
  /** On nodes yet to be made. */
  readonly fresh: Iterable<Pod>;
  readonly failed: Iterable<Pod>;
}

export type BufferTally = Readonly<Record<keyof PassOutcome, number>>;

/** By `namespace/name` of the buffer. */
export function tallyVirtualPods(outcome: PassOutcome): ReadonlyMap<string, BufferTally> {
  const tallies = new Map<string, Record<keyof PassOutcome, number>>();
  for (const kind of ['existing', 'fresh', 'failed'] as const) {
    for (const pod of outcome[kind]) {
      const key = bufferKeyOf(pod);
      if (key === undefined) continue;
      const tally = tallies.get(key) ?? { existing: 0, fresh: 0, failed: 0 };
      tally[kind]++;
      tallies.set(key, tally);
    }
  }
  return tallies;
}

/** Undefined: leave the condition as it is. */
export function provisioningCondition(
  { status }: CapacityBuffer,
  tally: BufferTally | undefined,
): ConditionChange | undefined {
  const type = capacityBufferCondition.provisioning;
  const wanted = status?.replicas ?? 0;
  if (!isConditionTrue(status?.conditions, capacityBufferCondition.readyForProvisioning)) {
    const message = 'Buffer is not ReadyForProvisioning';
    return { type, status: 'False', reason: 'NotReadyForProvisioning', message };
  }
  if (wanted === 0) {
    const message = 'Buffer has zero desired replicas';
    return { type, status: 'False', reason: 'BufferEmpty', message };
  }
  if (tally === undefined) return undefined;
  const { existing, fresh, failed } = tally;
  if (fresh + failed > 0) {
    const message = `${fresh}/${wanted} virtual pods required new capacity, ${failed} failed`;
    return { type, status: 'False', reason: 'RequiresNewCapacity', message };
  }
  if (existing !== wanted) return undefined;
  const message = `All ${wanted} virtual pods fit on existing capacity`;
  return { type, status: 'True', reason: 'FitsExistingCapacity', message };
}

/** How many virtual pods each node was given, nodes with none left out. Such a node is not empty for consolidation. */
export function virtualPodCounts(
  nodes: Iterable<{ readonly id: string; readonly pods: readonly Pod[] }>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { id, pods } of nodes) {
    const count = pods.filter(isVirtualPod).length;
    if (count > 0) counts.set(id, count);
  }
  return counts;
}
