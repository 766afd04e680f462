// What it costs to move pods. In: pods. Out: a number in units of one plain pod.
import type { Pod } from '../api/core.ts';
import { annotation } from '../api/labels.ts';

/** Taking a node away has a price of its own, pods or not. */
const nodeDisruptionCost = 1;

const heaviest = 10;

/** One plain pod is 1; priority and deletion cost make it dearer or cheaper, from -10 to 10. */
export function evictionCost(pod: Pod): number {
  const text = pod.metadata.annotations?.[annotation.podDeletionCost] ?? '';
  // Text that is no number is ignored; an empty one would read as zero anyway.
  const deletionCost = Number(text);
  const cost =
    1 +
    (Number.isFinite(deletionCost) ? deletionCost / 2 ** 27 : 0) +
    (pod.spec.priority ?? 0) / 2 ** 25;
  return Math.min(Math.max(cost, -heaviest), heaviest);
}

/** What moving these pods off one node costs; pods of negative cost do not make up for others. */
export function rescheduleCost(reschedulable: readonly Pod[]): number {
  let cost = nodeDisruptionCost;
  for (const pod of reschedulable) cost += Math.max(0, evictionCost(pod));
  return cost;
}

/** How much of a node's life is left, from 1 when it is new to 0 when it expires; 1 if it never does. */
export function lifetimeRemaining(life: {
  readonly createdMs: number;
  readonly expireAfterMs: number | undefined;
  readonly nowMs: number;
}): number {
  const { createdMs, expireAfterMs, nowMs } = life;
  if (expireAfterMs === undefined) return 1;
  if (expireAfterMs <= 0) return 0;
  return Math.min(Math.max((expireAfterMs - (nowMs - createdMs)) / expireAfterMs, 0), 1);
}
