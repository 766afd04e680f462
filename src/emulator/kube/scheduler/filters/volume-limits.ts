// Keeps the number of a CSI driver's volumes on a node within what its CSINode allows. In: the pod's claims, the
// node with its pods, and the VolumeAttachments there. A volume that is already on the node costs nothing.
import type { NodeState } from '../node-state.ts';
import type { Claim } from '../objects.ts';
import type { StorageState } from '../storage-state.ts';
import { refuse, type Verdict } from '../verdict.ts';
import { claimClass } from '../volume-match.ts';

export function filterVolumeLimits(
  claims: readonly Claim[],
  storage: StorageState,
  node: NodeState,
): Verdict {
  const wanted = volumesOf(claims, storage);
  if (wanted.size === 0) return undefined;
  const limits = limitsOf(storage, node.name);
  if (limits.size === 0) return undefined;
  const present = presentVolumes(storage, node);
  const counts = new Map<string, number>();
  const count = (driver: string): void => void counts.set(driver, (counts.get(driver) ?? 0) + 1);
  for (const driver of present.values()) count(driver);
  const added = [...wanted].filter(([volume]) => !present.has(volume));
  for (const [, driver] of added) count(driver);
  const exceeded = added.some(
    ([, driver]) => (counts.get(driver) ?? 0) > (limits.get(driver) ?? Infinity),
  );
  return exceeded ? refuse('node(s) exceed max volume count') : undefined;
}

function limitsOf(storage: StorageState, nodeName: string): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const { name, allocatable } of storage.csiNodes.get(nodeName)?.spec.drivers ?? []) {
    if (allocatable?.count !== undefined) limits.set(name, allocatable.count);
  }
  return limits;
}

/** Unique volume → driver, for the pods that stand on the node and for what is still attached to it. */
function presentVolumes(storage: StorageState, node: NodeState): Map<string, string> {
  const present = new Map<string, string>();
  for (const { shape } of node.pods.values()) {
    const claims = shape.claimNames.flatMap((name) => {
      const claim = storage.claims.get(`${shape.namespace}/${name}`);
      return claim === undefined ? [] : [claim];
    });
    for (const [volume, driver] of volumesOf(claims, storage)) present.set(volume, driver);
  }
  for (const { spec } of storage.attachmentsOn(node.name)) {
    const volume = storage.volumes.get(spec.source.persistentVolumeName ?? '');
    const handle = volume?.spec.csi?.volumeHandle;
    if (spec.attacher === undefined || handle === undefined) continue;
    present.set(`${spec.attacher}/${handle}`, spec.attacher);
  }
  return present;
}

function volumesOf(claims: readonly Claim[], storage: StorageState): Map<string, string> {
  const volumes = new Map<string, string>();
  for (const claim of claims) {
    const volume = storage.volumes.get(claim.spec.volumeName ?? '');
    if (volume !== undefined) {
      const { csi } = volume.spec;
      if (csi?.volumeHandle !== undefined) {
        volumes.set(`${csi.driver}/${csi.volumeHandle}`, csi.driver);
      }
      continue;
    }
    // Not provisioned yet: it will be one volume of the class's driver.
    const driver = storage.classes.get(claimClass(claim))?.provisioner;
    const { namespace, name } = claim.metadata;
    if (driver !== undefined) volumes.set(`${driver}/claim:${namespace}/${name}`, driver);
  }
  return volumes;
}
