// Which persistent volume suits a claim. In: a claim, the volumes, optionally a node. Out: the smallest volume that
// is large enough and fits in class, mode, access and labels. A volume that is already meant for the claim wins.
// The binder of immediate claims and the scheduler ask the same question.
import { compileSelector } from './label-selector.ts';
import { matchesTerms, type SelectableNode } from './node-selector.ts';
import type { Claim, Volume } from './objects.ts';
import { amount } from './pod-requests.ts';

const selectedNodeAnnotation = 'volume.kubernetes.io/selected-node';
const bindCompletedAnnotation = 'pv.kubernetes.io/bind-completed';

export function claimClass(claim: Claim): string {
  const legacy = claim.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'];
  return legacy ?? claim.spec.storageClassName ?? '';
}

export function volumeClass(volume: Volume): string {
  const legacy = volume.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'];
  return legacy ?? volume.spec.storageClassName ?? '';
}

export function claimSize(claim: Claim): number {
  return amount('storage', claim.spec.resources?.requests?.['storage'] ?? 0);
}

export function isFullyBound(claim: Claim): boolean {
  const done = claim.metadata.annotations?.[bindCompletedAnnotation] !== undefined;
  return done && (claim.spec.volumeName ?? '') !== '';
}

export function selectedNode(claim: Claim): string | undefined {
  return claim.metadata.annotations?.[selectedNodeAnnotation];
}

/** Whether the volume has been set aside for this very claim. */
export function isMeantFor(volume: Volume, claim: Claim): boolean {
  const { claimRef } = volume.spec;
  if (claimRef === undefined) return false;
  if (claimRef.name !== claim.metadata.name || claimRef.namespace !== claim.metadata.namespace) {
    return false;
  }
  return claimRef.uid === undefined || claimRef.uid === '' || claimRef.uid === claim.metadata.uid;
}

export function findVolume(options: {
  readonly claim: Claim;
  readonly storage: { readonly volumes: ReadonlyMap<string, Volume> };
  /** Left out by the binder, which does not know where the pod will run. */
  readonly node?: SelectableNode;
  readonly taken: ReadonlySet<string>;
}): Volume | undefined {
  const { claim, storage, node, taken } = options;
  const possible = [...storage.volumes.values()].filter(
    (volume) => !taken.has(volume.metadata.name) && couldHold(volume, claim),
  );
  const reaches = (volume: Volume): boolean => node === undefined || isReachable(volume, node);
  const meant = possible.find((volume) => isMeantFor(volume, claim));
  if (meant !== undefined) return reaches(meant) ? meant : undefined;
  return possible
    .filter((volume) => reaches(volume) && suits(volume, claim))
    .toSorted((a, b) => capacityOf(a) - capacityOf(b))[0];
}

function couldHold(volume: Volume, claim: Claim): boolean {
  const { spec, metadata } = volume;
  if (spec.claimRef !== undefined && !isMeantFor(volume, claim)) return false;
  if (capacityOf(volume) < claimSize(claim)) return false;
  const mode = spec.volumeMode ?? 'Filesystem';
  if (mode !== (claim.spec.volumeMode ?? 'Filesystem')) return false;
  const attributes = spec.volumeAttributesClassName ?? '';
  if (attributes !== (claim.spec.volumeAttributesClassName ?? '')) return false;
  return metadata.deletionTimestamp === undefined;
}

function suits(volume: Volume, claim: Claim): boolean {
  if (volume.status?.phase !== 'Available') return false;
  const { selector, accessModes = [] } = claim.spec;
  if (selector !== undefined && !compileSelector(selector)(volume.metadata.labels ?? {})) {
    return false;
  }
  if (volumeClass(volume) !== claimClass(claim)) return false;
  return accessModes.every((mode) => volume.spec.accessModes?.includes(mode) === true);
}

export function isReachable(volume: Volume, node: SelectableNode): boolean {
  const required = volume.spec.nodeAffinity?.required;
  return required === undefined || matchesTerms(required.nodeSelectorTerms, node);
}

function capacityOf(volume: Volume): number {
  return amount('storage', volume.spec.capacity?.['storage'] ?? 0);
}
