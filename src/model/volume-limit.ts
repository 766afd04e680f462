// How many volumes of a driver a node can attach. In: pods' volumes, a CSINode. Out: claims by driver, and the
// first driver whose limit would be passed.
// 1. A claim counts once however many pods share it.
// 2. A driver without a stated limit is unlimited; a volume whose driver is unknown is not counted.
// 3. A claim that has vanished is not counted: its volume cannot be attached any more.
import type { Pod } from '../api/core.ts';
import type { CsiNode } from '../api/workloads.ts';
import { claimOf, type ClaimedStorage, type StorageLookup, storageOf } from './storage.ts';

/** Driver → claims, `namespace/name`. */
export type AttachedVolumes = ReadonlyMap<string, ReadonlySet<string>>;

export const noVolumes: AttachedVolumes = new Map();

export type PodVolumes =
  | { readonly ok: true; readonly volumes: AttachedVolumes }
  | { readonly ok: false; readonly reason: string };

export interface VolumeLimitBreach {
  readonly driver: string;
  readonly count: number;
  readonly limit: number;
}

const csiNames = new Map([
  ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
  ['kubernetes.io/azure-disk', 'disk.csi.azure.com'],
  ['kubernetes.io/azure-file', 'file.csi.azure.com'],
  ['kubernetes.io/cinder', 'cinder.csi.openstack.org'],
  ['kubernetes.io/gce-pd', 'pd.csi.storage.gke.io'],
  ['kubernetes.io/portworx-volume', 'pxd.portworx.com'],
  ['kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com'],
]);

export function volumeLimits(csiNode: CsiNode | undefined): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const { name, allocatable } of csiNode?.spec.drivers ?? []) {
    if (allocatable?.count !== undefined) limits.set(name, allocatable.count);
  }
  return limits;
}

/** Fails only when a claim names a PersistentVolume that does not exist. */
export function podVolumes(pod: Pod, lookup: StorageLookup): PodVolumes {
  const volumes = new Map<string, Set<string>>();
  for (const volume of pod.spec.volumes ?? []) {
    const key = claimOf(pod, volume);
    if (key === undefined) continue;
    const claim = lookup.claim(key.namespace, key.name);
    if (claim === undefined) continue;
    const storage = storageOf(claim, lookup);
    if (storage.state === 'missing') return { ok: false, reason: storage.reason };
    const driver = driverOf(storage);
    if (driver !== undefined) add(volumes, driver, `${key.namespace}/${key.name}`);
  }
  return { ok: true, volumes };
}

export function mergeVolumes(...lists: readonly AttachedVolumes[]): AttachedVolumes {
  const merged = new Map<string, Set<string>>();
  for (const list of lists) {
    for (const [driver, claims] of list) for (const claim of claims) add(merged, driver, claim);
  }
  return merged;
}

/** The first driver, by name, that could not attach `added` beside what is there. */
export function exceededVolumeLimit(
  limits: ReadonlyMap<string, number>,
  attached: AttachedVolumes,
  added: AttachedVolumes,
): VolumeLimitBreach | undefined {
  if (limits.size === 0) return undefined;
  for (const driver of [...attached.keys(), ...added.keys()].toSorted()) {
    const limit = limits.get(driver);
    if (limit === undefined) continue;
    const here = attached.get(driver) ?? new Set<string>();
    const count = here.union(added.get(driver) ?? new Set()).size;
    if (count > limit) return { driver, count, limit };
  }
  return undefined;
}

export function describeVolumeLimitBreach({ driver, count, limit }: VolumeLimitBreach): string {
  return `would exceed volume limit (provisioner=${driver}, volume-count=${count}, volume-limit=${limit})`;
}

/** The CSI driver that attaches it, or undefined when it is not one that limits are known for. */
export function driverOf(
  storage: Exclude<ClaimedStorage, { readonly state: 'missing' }>,
): string | undefined {
  if (storage.state === 'unbound') {
    const provisioner = storage.storageClass?.provisioner;
    return provisioner === undefined ? undefined : (csiNames.get(provisioner) ?? provisioner);
  }
  const { csi, awsElasticBlockStore } = storage.volume.spec;
  if (csi !== undefined) return csi.driver;
  return awsElasticBlockStore === undefined ? undefined : 'ebs.csi.aws.com';
}

function add(volumes: Map<string, Set<string>>, driver: string, claim: string): void {
  const claims = volumes.get(driver);
  if (claims === undefined) volumes.set(driver, new Set([claim]));
  else claims.add(claim);
}
