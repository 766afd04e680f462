// Taints and tolerations. In: what a pod tolerates and what a node is tainted with. Out: the first taint that
// the pod does not tolerate.
import type { Taint, TaintEffect, Toleration } from '../../../api/core.ts';

export function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { key = '', effect = '' } = toleration;
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  return valueMatches(toleration, taint.value ?? '');
}

/** No key with Exists is the toleration of everything; without Exists it tolerates nothing. */
function valueMatches(toleration: Toleration, wanted: string): boolean {
  const { key = '', operator = 'Equal', value = '' } = toleration;
  if (operator === 'Exists') return true;
  return operator === 'Equal' && key !== '' && value === wanted;
}

export function toleratesAny(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some((toleration) => tolerates(toleration, taint));
}

export function untoleratedTaint(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
  effects: readonly TaintEffect[],
): Taint | undefined {
  return taints.find(
    (taint) => effects.includes(taint.effect) && !toleratesAny(tolerations, taint),
  );
}

/** The effects that keep a new pod off a node. */
export const schedulingEffects: readonly TaintEffect[] = ['NoSchedule', 'NoExecute'];
