// Where a pod's volumes can be. In: a pod and the storage objects behind it. Out: alternatives, each a set of
// requirements on the node, of which one must hold; none means no constraint.
// 1. They constrain the node, never the pod's own affinity: spreading must keep seeing the zones the pod asked
//    for, and no relaxation may drop where a disk is.
// 2. Several volumes multiply; combinations that exclude each other are dropped. If all of them do, all are
//    kept, so that the pod fails later with an ordinary reason.
import type { PersistentVolume, Pod } from '../api/core.ts';
import { label } from '../api/labels.ts';
import type { StorageClass } from '../api/workloads.ts';
import { doIntersect } from './compatibility.ts';
import type { LabelRules } from './label-rules.ts';
import {
  mergeRequirements,
  noNode,
  noRequirements,
  type Requirements,
  requirementsFromEntries,
} from './requirements.ts';
import { claimOf, type StorageLookup, storageOf } from './storage.ts';

export type VolumeAlternatives =
  | { readonly ok: true; readonly alternatives: readonly Requirements[] }
  | { readonly ok: false; readonly reason: string };

export function volumeAlternatives(
  rules: LabelRules,
  pod: Pod,
  lookup: StorageLookup,
): VolumeAlternatives {
  let combined: readonly Requirements[] = [];
  for (const volume of pod.spec.volumes ?? []) {
    const key = claimOf(pod, volume);
    if (key === undefined) continue;
    const one = alternativesOfClaim(rules, key, lookup);
    if (!one.ok) return one;
    combined = combine(combined, one.alternatives);
  }
  return { ok: true, alternatives: combined };
}

function alternativesOfClaim(
  rules: LabelRules,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  lookup: StorageLookup,
): VolumeAlternatives {
  const claim = lookup.claim(namespace, name);
  if (claim === undefined) {
    const reason = `getting persistent volume claim, persistentvolumeclaims "${name}" not found (PersistentVolumeClaim=${name})`;
    return { ok: false, reason };
  }
  const storage = storageOf(claim, lookup);
  if (storage.state === 'missing') return { ok: false, reason: storage.reason };
  if (storage.state === 'bound') {
    return { ok: true, alternatives: alternativesOfVolume(rules, storage.volume) };
  }
  if (storage.storageClass !== undefined) {
    return { ok: true, alternatives: alternativesOfClass(rules, storage.storageClass) };
  }
  const wanted = claim.spec.storageClassName ?? '';
  if (wanted === '') return { ok: true, alternatives: [] };
  const reason = `getting storage class, storageclasses "${wanted}" not found (StorageClass=${wanted})`;
  return { ok: false, reason };
}

/**
 * A pod that leaves a disk in its node behind starts anew elsewhere, so the node's name is no constraint. A term with
 * nothing in it matches no node; names of nodes are not looked at for volumes, so one of nothing else matches all.
 */
function alternativesOfVolume(rules: LabelRules, { spec }: PersistentVolume): Requirements[] {
  const tiedToNode = spec.local !== undefined || spec.hostPath !== undefined;
  const required = spec.nodeAffinity?.required;
  if (required === undefined) return [];
  const alternatives = required.nodeSelectorTerms.flatMap((term) => {
    const { matchExpressions = [], matchFields = [] } = term;
    if (matchExpressions.length + matchFields.length === 0) return [];
    const kept = matchExpressions.filter(({ key }) => !tiedToNode || key !== label.hostname);
    return [kept.length === 0 ? noRequirements : requirementsFromEntries(rules, kept)];
  });
  return alternatives.length === 0 ? [noNode] : alternatives;
}

function alternativesOfClass(
  rules: LabelRules,
  { allowedTopologies = [] }: StorageClass,
): Requirements[] {
  return allowedTopologies.flatMap(({ matchLabelExpressions = [] }) => {
    if (matchLabelExpressions.length === 0) return [];
    const entries = matchLabelExpressions.map(({ key, values }) => ({
      key,
      operator: 'In' as const,
      values,
    }));
    return [requirementsFromEntries(rules, entries)];
  });
}

function combine(
  left: readonly Requirements[],
  right: readonly Requirements[],
): readonly Requirements[] {
  if (left.length === 0 || right.length === 0) return left.length === 0 ? right : left;
  const pairs = left.flatMap((a) => right.map((b) => [a, b] as const));
  const possible = pairs.filter(([a, b]) => doIntersect(a, b));
  return (possible.length > 0 ? possible : pairs).map(([a, b]) => mergeRequirements(a, b));
}
