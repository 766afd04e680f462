// Whether the volumes of a pending pod will be there for it. In: a pod, the storage behind its volumes, what the provider
// cannot attach. Out: the first thing in the way, in the original's words, or nothing.
// 1. kube-scheduler holds back pods with such volumes: a node made for one would stay empty.
// 2. A claim that names its volume needs no storage class any more.
import type { PersistentVolumeClaim, Pod } from '../../api/core.ts';
import type { StorageClass } from '../../api/workloads.ts';
import { claimOf, type StorageLookup, storageOf } from '../../model/storage.ts';
import { driverOf } from '../../model/volume-limit.ts';

export interface UnsupportedStorage {
  /** Labels in a storage class's topology that no node of ours will ever have. */
  readonly topologyKeys: ReadonlySet<string>;
  /** CSI drivers, in-tree ones under their CSI name. */
  readonly provisioners: ReadonlySet<string>;
}

const bindCompleted = 'pv.kubernetes.io/bind-completed';
const nothingUnsupported: UnsupportedStorage = { topologyKeys: new Set(), provisioners: new Set() };

export function storageFault(
  pod: Pod,
  lookup: StorageLookup,
  unsupported: UnsupportedStorage = nothingUnsupported,
): string | undefined {
  for (const volume of pod.spec.volumes ?? []) {
    const key = claimOf(pod, volume);
    if (key === undefined) continue;
    const claim = lookup.claim(key.namespace, key.name);
    const fault =
      claim === undefined
        ? `getting persistent volume claim, persistentvolumeclaims "${key.name}" not found (PersistentVolumeClaim=${key.name})`
        : claimFault(claim, lookup, unsupported);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function claimFault(
  claim: PersistentVolumeClaim,
  lookup: StorageLookup,
  unsupported: UnsupportedStorage,
): string | undefined {
  const { volumeName = '' } = claim.spec;
  if (claim.metadata.deletionTimestamp !== undefined) {
    return `persistentvolumeclaim is being deleted (PersistentVolumeClaim=${keyOf(claim)})`;
  }
  if (claim.status?.phase === 'Lost') {
    return `persistentvolumeclaim bound to non-existent persistentvolume (PersistentVolume=${volumeName}, PersistentVolumeClaim=${keyOf(claim)})`;
  }
  const fault =
    volumeName === '' ? unboundFault(claim, lookup, unsupported) : boundFault(claim, lookup);
  return fault ?? provisionerFault(claim, lookup, unsupported);
}

function boundFault(claim: PersistentVolumeClaim, lookup: StorageLookup): string | undefined {
  const { volumeName = '', storageClassName = '' } = claim.spec;
  const names = `PersistentVolume=${volumeName}, PersistentVolumeClaim=${keyOf(claim)}, StorageClass=${storageClassName}`;
  const volume = lookup.volume(volumeName);
  if (volume === undefined) {
    return `failed to validate pvc, persistentvolumes "${volumeName}" not found (${names})`;
  }
  if (volume.metadata.deletionTimestamp !== undefined) {
    return `failed to validate pvc, persistentvolume is being deleted (${names})`;
  }
  if (claim.metadata.annotations?.[bindCompleted] !== undefined) return undefined;
  // Of all these texts only this one has no namespace in the original.
  return `pvc is considered unbound because it does not contain annotation (PersistentVolume=${volumeName}, PersistentVolumeClaim=${claim.metadata.name}, annotation=${bindCompleted})`;
}

function unboundFault(
  claim: PersistentVolumeClaim,
  lookup: StorageLookup,
  { topologyKeys }: UnsupportedStorage,
): string | undefined {
  const { storageClassName = '' } = claim.spec;
  const names = `PersistentVolumeClaim=${keyOf(claim)}, StorageClass=${storageClassName}`;
  if (storageClassName === '') return `unbound pvc must define a storage class (${names})`;
  const storageClass = lookup.storageClass(storageClassName);
  if (storageClass === undefined) {
    return `failed to validate pvc, failed to get storage class, storageclasses.storage.k8s.io "${storageClassName}" not found (${names})`;
  }
  if (storageClass.volumeBindingMode === 'Immediate') {
    return `failed to validate pvc, pvc with immediate volume binding mode must be bound (${names})`;
  }
  const key = topologyKeysOf(storageClass).find((key) => topologyKeys.has(key));
  if (key === undefined) return undefined;
  return `failed to validate pvc, storage class uses unsupported topology key (${names}, TopologyKey=${key})`;
}

function provisionerFault(
  claim: PersistentVolumeClaim,
  lookup: StorageLookup,
  { provisioners }: UnsupportedStorage,
): string | undefined {
  const storage = storageOf(claim, lookup);
  const driver = storage.state === 'missing' ? undefined : driverOf(storage);
  if (driver === undefined || !provisioners.has(driver)) return undefined;
  const { storageClassName = '' } = claim.spec;
  return `failed to validate pvc, provisioner is not supported (PersistentVolumeClaim=${keyOf(claim)}, Provisioner=${driver}, StorageClass=${storageClassName})`;
}

function topologyKeysOf({ allowedTopologies = [] }: StorageClass): string[] {
  return allowedTopologies.flatMap(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.map(({ key }) => key),
  );
}

function keyOf({ metadata }: PersistentVolumeClaim): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
