// What becomes of an object because of its owners. In: its owner references and what is known of each owner.
// Out: keep it, drop some references, or delete it and how. Pure.
// 1. An object with one living owner is never deleted. 2. Nothing is deleted because of an owner that cannot be
// looked up: only one that is known to be gone counts as gone.
import type { OwnerReference } from '../../object.ts';

export type OwnerState =
  /** Lives, and is not waiting for this object to go. */
  | 'solid'
  /** Known not to exist, or to be another object of that name. */
  | 'gone'
  /** Is being deleted in the foreground and waits for its dependents. */
  | 'waiting'
  /** Of a kind that is not served, or out of reach by scope. */
  | 'unknown';

export type Verdict =
  | { readonly kind: 'keep' }
  | { readonly kind: 'drop-references'; readonly kept: readonly OwnerReference[] }
  | { readonly kind: 'delete'; readonly policy: 'Orphan' | 'Background' | 'Foreground' };

export function judge(
  owners: readonly { readonly reference: OwnerReference; readonly state: OwnerState }[],
  object: { readonly finalizers: readonly string[]; readonly hasBlockingDependents: boolean },
): Verdict {
  if (owners.length === 0 || owners.some(({ state }) => state === 'unknown'))
    return { kind: 'keep' };
  const solid = owners.filter(({ state }) => state === 'solid');
  if (solid.length === owners.length) return { kind: 'keep' };
  if (solid.length > 0) {
    return { kind: 'drop-references', kept: solid.map(({ reference }) => reference) };
  }
  const isAwaited = owners.some(({ state }) => state === 'waiting');
  if (isAwaited && object.hasBlockingDependents) return { kind: 'delete', policy: 'Foreground' };
  if (object.finalizers.includes('orphan')) return { kind: 'delete', policy: 'Orphan' };
  if (object.finalizers.includes('foregroundDeletion')) {
    return { kind: 'delete', policy: 'Foreground' };
  }
  return { kind: 'delete', policy: 'Background' };
}
