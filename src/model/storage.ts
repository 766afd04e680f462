// The storage objects behind a pod's volumes, found in memory. In: a pod and a lookup. Out: per volume that has
// a claim the claim with the PersistentVolume it is bound to, or the StorageClass that will make one.
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '../api/core.ts';
import type { StorageClass } from '../api/workloads.ts';

/** What is known about storage right now; undefined means there is no such object. */
export interface StorageLookup {
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  storageClass(name: string): StorageClass | undefined;
}

export type ClaimedStorage =
  | { readonly state: 'bound'; readonly volume: PersistentVolume }
  | { readonly state: 'unbound'; readonly storageClass: StorageClass | undefined }
  | { readonly state: 'missing'; readonly reason: string };

/** `namespace/name` of the claim behind a volume, or undefined for volumes that need none. */
export function claimOf(
  pod: Pod,
  volume: Volume,
): { readonly namespace: string; readonly name: string } | undefined {
  const namespace = pod.metadata.namespace ?? '';
  if (volume.persistentVolumeClaim !== undefined) {
    return { namespace, name: volume.persistentVolumeClaim.claimName };
  }
  if (volume.ephemeral === undefined) return undefined;
  return { namespace, name: `${pod.metadata.name}-${volume.name}` };
}

export function storageOf(claim: PersistentVolumeClaim, lookup: StorageLookup): ClaimedStorage {
  const { volumeName = '', storageClassName = '' } = claim.spec;
  if (volumeName === '') {
    const storageClass =
      storageClassName === '' ? undefined : lookup.storageClass(storageClassName);
    return { state: 'unbound', storageClass };
  }
  const volume = lookup.volume(volumeName);
  if (volume !== undefined) return { state: 'bound', volume };
  const reason = `getting persistent volume, persistentvolumes "${volumeName}" not found (PersistentVolume=${volumeName})`;
  return { state: 'missing', reason };
}
