// Whether a node can reach the volumes of a pod. In: the pod's claims, sorted by `classifyClaims`, and a node.
// Out: which existing volume each unbound claim would take there and which claims must be provisioned, or why not.
// Unbound claims of an immediate class make the pod wait for their binder; the scheduler never binds those.

import type { NodeState } from '../node-state.ts';
import type { Claim, Volume } from '../objects.ts';
import type { StorageState } from '../storage-state.ts';
import { refuseForGood, type Refusal } from '../verdict.ts';
import {
  claimClass,
  claimSize,
  findVolume,
  isFullyBound,
  isReachable,
  selectedNode,
} from '../volume-match.ts';

export interface PodClaims {
  readonly bound: readonly Claim[];
  /** Smallest first, so that a small claim does not take a volume that a large one needs. */
  readonly delayed: readonly Claim[];
}

export interface VolumeDecision {
  readonly bindings: readonly { readonly volume: Volume; readonly claim: Claim }[];
  readonly provisions: readonly Claim[];
}

export function classifyClaims(
  claims: readonly Claim[],
  storage: StorageState,
): PodClaims | Refusal {
  const bound: Claim[] = [];
  const delayed: Claim[] = [];
  for (const claim of claims) {
    if (isFullyBound(claim)) bound.push(claim);
    else if (isDelayed(claim, storage)) delayed.push(claim);
    else return refuseForGood('pod has unbound immediate PersistentVolumeClaims');
  }
  return { bound, delayed: delayed.toSorted((a, b) => claimSize(a) - claimSize(b)) };
}

export function decideVolumes(
  claims: PodClaims,
  storage: StorageState,
  node: NodeState,
): VolumeDecision | Refusal {
  const reasons: string[] = [];
  const reachable = claims.bound.every((claim) => {
    const volume = storage.volumes.get(claim.spec.volumeName ?? '');
    return volume === undefined || isReachable(volume, node);
  });
  const decision = decideDelayed(claims.delayed, storage, node);
  if (!reachable) reasons.push("node(s) didn't match PersistentVolume's node affinity");
  if (decision === undefined) {
    reasons.push("node(s) didn't find available persistent volumes to bind");
  }
  return decision === undefined || reasons.length > 0 ? refuseForGood(...reasons) : decision;
}

function decideDelayed(
  claims: readonly Claim[],
  storage: StorageState,
  node: NodeState,
): VolumeDecision | undefined {
  const bindings: { volume: Volume; claim: Claim }[] = [];
  const provisions: Claim[] = [];
  const taken = new Set<string>();
  for (const claim of claims) {
    const selected = selectedNode(claim);
    if (selected !== undefined && selected !== node.name) return undefined;
    const volume = selected === undefined ? findVolume({ claim, storage, node, taken }) : undefined;
    if (volume !== undefined) {
      taken.add(volume.metadata.name);
      bindings.push({ volume, claim });
    } else if (canProvision(claim, storage, node)) provisions.push(claim);
    else return undefined;
  }
  return { bindings, provisions };
}

function isDelayed(claim: Claim, storage: StorageState): boolean {
  if ((claim.spec.volumeName ?? '') !== '') return false;
  const storageClass = storage.classes.get(claimClass(claim));
  return storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
}

function canProvision(claim: Claim, storage: StorageState, node: NodeState): boolean {
  const storageClass = storage.classes.get(claimClass(claim));
  if (storageClass === undefined) return false;
  if (storageClass.provisioner === 'kubernetes.io/no-provisioner') return false;
  const { allowedTopologies = [] } = storageClass;
  if (allowedTopologies.length === 0) return true;
  return allowedTopologies.some(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.every(({ key, values }) => {
      const value = node.labels[key];
      return value !== undefined && values.includes(value);
    }),
  );
}
