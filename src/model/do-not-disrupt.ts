// The wish not to be disrupted. In: a pod (or node) and a moment. Out: whether the wish holds now, until when,
// or why it is no wish at all.
// On a pod: `true` holds for ever, a positive duration holds that long from the pod's start; a pod that has not
// started yet is protected, anything else is ignored and worth a warning. On a node only `true` counts.
import type { Pod } from '../api/core.ts';
import { annotation } from '../api/labels.ts';
import type { KubeObject } from '../api/meta.ts';
import { tryParseDuration } from './duration.ts';

export type DoNotDisrupt =
  | { readonly kind: 'none' }
  | { readonly kind: 'forever' }
  /** A duration on a pod without a start time. */
  | { readonly kind: 'unstarted' }
  | { readonly kind: 'until'; readonly untilMs: number }
  | { readonly kind: 'invalid'; readonly reason: string };

export function doNotDisrupt(pod: Pod): DoNotDisrupt {
  const value = pod.metadata.annotations?.[annotation.doNotDisrupt];
  if (value === undefined) return { kind: 'none' };
  if (value === 'true') return { kind: 'forever' };
  const duration = tryParseDuration(value);
  if (!duration.ok) {
    return { kind: 'invalid', reason: `${JSON.stringify(value)}: ${duration.reason}` };
  }
  if (duration.nanoseconds <= 0n) {
    return { kind: 'invalid', reason: `duration ${JSON.stringify(value)} must be positive` };
  }
  const startTime = pod.status?.startTime;
  if (startTime === undefined) return { kind: 'unstarted' };
  return { kind: 'until', untilMs: Date.parse(startTime) + Number(duration.nanoseconds) / 1e6 };
}

export function isDoNotDisruptActive(pod: Pod, nowMs: number): boolean {
  const wish = doNotDisrupt(pod);
  if (wish.kind === 'until') return nowMs < wish.untilMs;
  return wish.kind === 'forever' || wish.kind === 'unstarted';
}

/** For nodes and whatever stands for them. */
export function isMarkedDoNotDisrupt(object: KubeObject): boolean {
  return object.metadata.annotations?.[annotation.doNotDisrupt] === 'true';
}
