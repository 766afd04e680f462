// How a kind is addressed on the API server. One row per kind that the product talks to;
// rows of our own kinds are made from their CRD definitions (api/crd).
import type {
  ConfigMap,
  KubeEvent,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodTemplate,
  Secret,
} from './core.ts';
import type { KubeObject } from './meta.ts';
import type {
  CsiNode,
  DaemonSet,
  Lease,
  PodDisruptionBudget,
  ScalableWorkload,
  StorageClass,
  VolumeAttachment,
} from './workloads.ts';

/** The address of a kind. `T` is only for the compiler: `client.get(pods, …)` answers a Pod. */
export interface ResourceType<T extends KubeObject = KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Never set. Carries `T` through inference. */
  readonly object?: T;
}

export function resourceType<T extends KubeObject>(row: {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced?: boolean;
}): ResourceType<T> {
  return {
    group: row.group ?? '',
    version: row.version ?? 'v1',
    kind: row.kind,
    plural: row.plural,
    namespaced: row.namespaced ?? true,
  };
}

/** `v1`, or `apps/v1`. */
export function apiVersionOf(type: ResourceType): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}

export const pods = resourceType<Pod>({ kind: 'Pod', plural: 'pods' });
export const nodes = resourceType<Node>({ kind: 'Node', plural: 'nodes', namespaced: false });
export const namespaces = resourceType<Namespace>({
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
});
export const configMaps = resourceType<ConfigMap>({ kind: 'ConfigMap', plural: 'configmaps' });
export const secrets = resourceType<Secret>({ kind: 'Secret', plural: 'secrets' });
export const events = resourceType<KubeEvent>({ kind: 'Event', plural: 'events' });
export const podTemplates = resourceType<PodTemplate>({
  kind: 'PodTemplate',
  plural: 'podtemplates',
});
export const persistentVolumes = resourceType<PersistentVolume>({
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  namespaced: false,
});
export const persistentVolumeClaims = resourceType<PersistentVolumeClaim>({
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
});
export const daemonSets = resourceType<DaemonSet>({
  group: 'apps',
  kind: 'DaemonSet',
  plural: 'daemonsets',
});
export const deployments = resourceType<ScalableWorkload>({
  group: 'apps',
  kind: 'Deployment',
  plural: 'deployments',
});
export const statefulSets = resourceType<ScalableWorkload>({
  group: 'apps',
  kind: 'StatefulSet',
  plural: 'statefulsets',
});
export const replicaSets = resourceType<ScalableWorkload>({
  group: 'apps',
  kind: 'ReplicaSet',
  plural: 'replicasets',
});
export const podDisruptionBudgets = resourceType<PodDisruptionBudget>({
  group: 'policy',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
});
export const storageClasses = resourceType<StorageClass>({
  group: 'storage.k8s.io',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
});
export const csiNodes = resourceType<CsiNode>({
  group: 'storage.k8s.io',
  kind: 'CSINode',
  plural: 'csinodes',
  namespaced: false,
});
export const volumeAttachments = resourceType<VolumeAttachment>({
  group: 'storage.k8s.io',
  kind: 'VolumeAttachment',
  plural: 'volumeattachments',
  namespaced: false,
});
export const leases = resourceType<Lease>({
  group: 'coordination.k8s.io',
  kind: 'Lease',
  plural: 'leases',
});
