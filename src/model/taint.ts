// Taints and what tolerates them. In: taints of a node or template, tolerations of a pod. Out: which taints
// keep the pod away, and their names for messages.
// A taint is identified by key and effect; its value does not count. Every effect keeps a pod away, also
// PreferNoSchedule: a pod is given a toleration for that one only when nothing else worked.
import type { Taint, Toleration } from '../api/core.ts';
import { taintKey } from '../api/labels.ts';
import { parseInteger } from './requirement.ts';

export const disruptedTaint: Taint = { key: taintKey.disrupted, effect: 'NoSchedule' };
export const unregisteredTaint: Taint = { key: taintKey.unregistered, effect: 'NoExecute' };

/** What a pod is given as the last step of relaxing it. */
export const toleratesPreferNoSchedule: Toleration = {
  operator: 'Exists',
  effect: 'PreferNoSchedule',
};

/** Expected while a node starts; its own components take them away again. */
const ephemeralTaints: readonly Taint[] = [
  { key: taintKey.notReady, effect: 'NoSchedule' },
  { key: taintKey.notReady, effect: 'NoExecute' },
  { key: taintKey.unreachable, effect: 'NoSchedule' },
  { key: taintKey.uninitialized, effect: 'NoSchedule' },
  unregisteredTaint,
];

export function isEphemeral(taint: Taint): boolean {
  return (
    taint.key.startsWith(taintKey.readinessPrefix) ||
    ephemeralTaints.some((known) => isSameTaint(known, taint))
  );
}

export function isSameTaint(a: Taint, b: Taint): boolean {
  return a.key === b.key && a.effect === b.effect;
}

/** `taints` and those of `added` that are not among them yet. */
export function mergeTaints(taints: readonly Taint[], added: readonly Taint[]): readonly Taint[] {
  const merged = [...taints];
  for (const taint of added) {
    if (!merged.some((known) => isSameTaint(known, taint))) merged.push(taint);
  }
  return merged;
}

export function toleratesAll(
  tolerations: readonly Toleration[],
  taints: readonly Taint[],
): boolean {
  return taints.every((taint) => toleratesTaint(tolerations, taint));
}

/** The taints that none of the tolerations matches. */
export function untolerated(tolerations: readonly Toleration[], taints: readonly Taint[]): Taint[] {
  return taints.filter((taint) => !toleratesTaint(tolerations, taint));
}

export function describeUntolerated(taints: readonly Taint[]): string {
  return taints.map((taint) => `did not tolerate taint (taint=${describeTaint(taint)})`).join('; ');
}

/** `key=value:effect`, or `key:effect` without a value. */
export function describeTaint({ key, value = '', effect }: Taint): string {
  return value === '' ? `${key}:${effect}` : `${key}=${value}:${effect}`;
}

function toleratesTaint(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some((toleration) => matches(toleration, taint));
}

function matches(toleration: Toleration, taint: Taint): boolean {
  const { key = '', effect = '', operator } = toleration;
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  return operator === 'Exists' || matchesValue(toleration, taint);
}

function matchesValue({ operator, value = '' }: Toleration, taint: Taint): boolean {
  const actual = taint.value ?? '';
  if (operator !== 'Lt' && operator !== 'Gt') return value === actual;
  const [limit, number] = [plainInteger(value), plainInteger(actual)];
  if (limit === undefined || number === undefined) return false;
  return operator === 'Lt' ? number < limit : number > limit;
}

/** Comparisons accept only what a person would write: no leading zeros, no plus sign. */
function plainInteger(text: string): bigint | undefined {
  return /^(0|-?[1-9][0-9]*)$/.test(text) ? parseInteger(text) : undefined;
}
