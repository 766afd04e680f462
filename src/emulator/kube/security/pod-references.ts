// What a pod makes its node read: secrets, config maps, claims, its service account. In: a pod. Out: kinds and names,
// all in the pod's own namespace.
import type { Json } from '../../../api/meta.ts';
import { at, objectsAt, stringAt, type JsonObject } from '../json.ts';
import type { ApiObject } from '../object.ts';

export type ReferencedKind =
  | 'secrets'
  | 'configmaps'
  | 'persistentvolumeclaims'
  | 'serviceaccounts'
  | 'resourceclaims';

export interface Reference {
  readonly kind: ReferencedKind;
  readonly name: string;
}

export const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** Paths below a volume that name a secret. */
const volumeSecrets: readonly (readonly string[])[] = [
  ['secret', 'secretName'],
  ['azureFile', 'secretName'],
  ['csi', 'nodePublishSecretRef', 'name'],
  ['cephfs', 'secretRef', 'name'],
  ['cinder', 'secretRef', 'name'],
  ['flexVolume', 'secretRef', 'name'],
  ['iscsi', 'secretRef', 'name'],
  ['rbd', 'secretRef', 'name'],
  ['scaleIO', 'secretRef', 'name'],
  ['storageos', 'secretRef', 'name'],
];

export function podReferences(pod: ApiObject): readonly Reference[] {
  return [
    ...named('serviceaccounts', at(pod, 'spec', 'serviceAccountName')),
    ...objectsAt(pod, 'spec', 'imagePullSecrets').flatMap((item) => named('secrets', item['name'])),
    ...containersOf(pod).flatMap((container) => containerReferences(container)),
    ...objectsAt(pod, 'spec', 'volumes').flatMap((volume) => volumeReferences(pod, volume)),
    ...claimReferences(pod),
  ];
}

export function isMirrorPod(pod: ApiObject): boolean {
  return pod.metadata.annotations?.[mirrorAnnotation] !== undefined;
}

function named(kind: ReferencedKind, name: Json | undefined): readonly Reference[] {
  return typeof name === 'string' && name !== '' ? [{ kind, name }] : [];
}

function containersOf(pod: ApiObject): readonly JsonObject[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) => [
    ...objectsAt(pod, 'spec', field),
  ]);
}

function containerReferences(container: JsonObject): readonly Reference[] {
  return [
    ...objectsAt(container, 'env').flatMap((variable) => [
      ...named('secrets', at(variable, 'valueFrom', 'secretKeyRef', 'name')),
      ...named('configmaps', at(variable, 'valueFrom', 'configMapKeyRef', 'name')),
    ]),
    ...objectsAt(container, 'envFrom').flatMap((source) => [
      ...named('secrets', at(source, 'secretRef', 'name')),
      ...named('configmaps', at(source, 'configMapRef', 'name')),
    ]),
  ];
}

function volumeReferences(pod: ApiObject, volume: JsonObject): readonly Reference[] {
  const ephemeral =
    volume['ephemeral'] === undefined
      ? undefined
      : `${pod.metadata.name}-${stringAt(volume, 'name') ?? ''}`;
  return [
    ...volumeSecrets.flatMap((path) => named('secrets', at(volume, ...path))),
    ...named('configmaps', at(volume, 'configMap', 'name')),
    ...objectsAt(volume, 'projected', 'sources').flatMap((source) => [
      ...named('secrets', at(source, 'secret', 'name')),
      ...named('configmaps', at(source, 'configMap', 'name')),
    ]),
    ...named('persistentvolumeclaims', at(volume, 'persistentVolumeClaim', 'claimName')),
    ...named('persistentvolumeclaims', ephemeral),
  ];
}

/** Claims made from a template are known by the status only. */
function claimReferences(pod: ApiObject): readonly Reference[] {
  return [
    ...objectsAt(pod, 'spec', 'resourceClaims').flatMap((claim) =>
      named('resourceclaims', claim['resourceClaimName']),
    ),
    ...objectsAt(pod, 'status', 'resourceClaimStatuses').flatMap((claim) =>
      named('resourceclaims', claim['resourceClaimName']),
    ),
    ...named(
      'resourceclaims',
      at(pod, 'status', 'extendedResourceClaimStatus', 'resourceClaimName'),
    ),
  ];
}
