// Makes volumes on demand, as the Azure drivers do. In: a claim, its class, and the node chosen for it if any.
// Out: a persistent volume that is already meant for the claim. Pure.
// A disk is zonal: it gets the zone of the chosen node, or one of the allowed zones, and can be reached from that
// zone only. A file share is reached from everywhere.
import type { Json } from '../../../../api/meta.ts';
import type { JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { claimOf, nodeOf, volumeClassOf, type VolumeClass } from '../../scheduler/objects.ts';
import { claimClass } from '../../scheduler/volume-match.ts';

export const diskDriver = 'disk.csi.azure.com';
export const fileDriver = 'file.csi.azure.com';
const diskZone = 'topology.disk.csi.azure.com/zone';
const zoneLabel = 'topology.kubernetes.io/zone';

export function canProvision(storageClass: ApiObject): boolean {
  const { provisioner } = volumeClassOf(storageClass);
  return provisioner === diskDriver || provisioner === fileDriver;
}

export function provision(options: {
  readonly claim: ApiObject;
  readonly storageClass: ApiObject;
  readonly node: ApiObject | undefined;
}): JsonObject {
  const { claim, storageClass, node } = options;
  const { spec } = claimOf(claim);
  const view = volumeClassOf(storageClass);
  const name = `pvc-${claim.metadata.uid}`;
  const { accessModes = ['ReadWriteOnce'], volumeMode = 'Filesystem', resources } = spec;
  const { reclaimPolicy = 'Delete', mountOptions } = view;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name,
      annotations: {
        'pv.kubernetes.io/provisioned-by': view.provisioner,
        'volume.kubernetes.io/provisioner-deletion-secret-name': '',
        'volume.kubernetes.io/provisioner-deletion-secret-namespace': '',
      },
    },
    spec: {
      accessModes,
      capacity: { storage: String(resources?.requests?.['storage'] ?? '1Gi') },
      claimRef: claimReference(claim),
      csi: {
        driver: view.provisioner,
        volumeHandle: handleOf(view, name),
        volumeAttributes: { ...view.parameters, 'csi.storage.k8s.io/pv/name': name },
      },
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: claimClass(claimOf(claim)),
      volumeMode,
      ...(mountOptions === undefined ? {} : { mountOptions }),
      ...placeOf(view, node),
    },
  };
}

export function claimReference({ metadata }: ApiObject): JsonObject {
  const { namespace = '', name, uid = '', resourceVersion = '' } = metadata;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    namespace,
    name,
    uid,
    resourceVersion,
  };
}

function handleOf({ provisioner, parameters }: VolumeClass, volumeName: string): string {
  if (provisioner === fileDriver) return `emulated#${volumeName}`;
  const group = parameters?.['resourceGroup'] ?? 'mc_emulated';
  return `/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/${group}/providers/Microsoft.Compute/disks/${volumeName}`;
}

/** Where a disk can be reached from. File shares and zone-redundant disks have no such limit. */
function placeOf(view: VolumeClass, node: ApiObject | undefined): JsonObject {
  const { provisioner, parameters = {} } = view;
  const sku = parameters['skuName'] ?? parameters['skuname'] ?? '';
  if (provisioner !== diskDriver || /_ZRS$/i.test(sku)) return {};
  const { key, zone } = node === undefined ? allowedZone(view) : zoneOfNode(node);
  const term: Json = { matchExpressions: [{ key, operator: 'In', values: [zone] }] };
  return { nodeAffinity: { required: { nodeSelectorTerms: [term] } } };
}

/** By the driver's own key once the driver runs on the node; empty on a node outside of zones. */
function zoneOfNode(node: ApiObject): { readonly key: string; readonly zone: string } {
  const { labels = {} } = nodeOf(node).metadata;
  const own = labels[diskZone];
  if (own !== undefined || labels[zoneLabel] === undefined)
    return { key: diskZone, zone: own ?? '' };
  return { key: zoneLabel, zone: labels[zoneLabel] };
}

function allowedZone({ allowedTopologies = [] }: VolumeClass) {
  const allowed = allowedTopologies[0]?.matchLabelExpressions?.[0];
  return { key: allowed?.key ?? diskZone, zone: allowed?.values[0] ?? '' };
}
