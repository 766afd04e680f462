// The only pods that a node may make: mirrors of the ones it runs from its own files. In: a pod, the node's name and uid.
// Out: why it may not be made; undefined when it may.
import { quote } from '../../../../api/crd/validation/field-error.ts';
import { at, objectsAt, stringAt, type JsonObject } from '../../json.ts';
import type { ApiObject, OwnerReference } from '../../object.ts';
import { isMirrorPod, mirrorAnnotation, podReferences } from '../pod-references.ts';

/** Volumes that need something from the API, and what. */
const apiVolumes: Readonly<Record<string, string>> = {
  configMap: 'configmaps (via configmap volumes)',
  secret: 'secrets (via secret volumes)',
  csi: 'csidrivers (via CSI volumes)',
  glusterfs: 'endpoints (via glusterFS volumes)',
  persistentVolumeClaim: 'persistentvolumeclaims',
  ephemeral: 'persistentvolumeclaims (via ephemeral volumes)',
  azureFile: 'secrets (via azureFile volumes)',
};

const apiProjections: Readonly<Record<string, string>> = {
  configMap: 'configmaps (via projected volumes)',
  secret: 'secrets (via projected volumes)',
  serviceAccountToken: 'serviceaccounts (via projected volumes)',
  clusterTrustBundle: 'clustertrustbundles',
  podCertificate: 'podcertificates',
};

export function mirrorPodError(
  pod: ApiObject,
  node: string,
  uid: string | undefined,
): string | undefined {
  if (!isMirrorPod(pod)) {
    return `pod does not have ${quote(mirrorAnnotation)} annotation, node ${quote(node)} can only create mirror pods`;
  }
  if (stringAt(pod, 'spec', 'nodeName') !== node) {
    return `node ${quote(node)} can only create pods with spec.nodeName set to itself`;
  }
  const wrongOwner = ownerError(pod.metadata.ownerReferences ?? [], node, uid);
  if (wrongOwner !== undefined) return wrongOwner;
  const needed = neededFromApi(pod);
  return needed === undefined
    ? undefined
    : `node ${quote(node)} can not create pods that reference ${needed}`;
}

function ownerError(
  owners: readonly OwnerReference[],
  node: string,
  uid: string | undefined,
): string | undefined {
  const canOnly = `node ${quote(node)} can only create pods with`;
  const [owner, ...others] = owners;
  if (others.length > 0) return `${canOnly} a single owner reference set to itself`;
  if (owner === undefined || !isNode(owner, node)) {
    return `${canOnly} an owner reference set to itself`;
  }
  if (owner.controller !== true) return `${canOnly} a controller owner reference set to itself`;
  if (owner.blockOwnerDeletion === true) {
    return `node ${quote(node)} must not set blockOwnerDeletion on an owner reference`;
  }
  return owner.uid === uid
    ? undefined
    : `node ${node} UID mismatch: expected ${owner.uid} got ${uid ?? ''}`;
}

function isNode(owner: OwnerReference, name: string): boolean {
  return owner.apiVersion === 'v1' && owner.kind === 'Node' && owner.name === name;
}

function neededFromApi(pod: ApiObject): string | undefined {
  const references = new Set(podReferences(pod).map((reference) => reference.kind));
  const kinds = ['serviceaccounts', 'secrets', 'configmaps'] as const;
  const named = kinds.find((kind) => references.has(kind));
  if (named !== undefined) return named;
  if (objectsAt(pod, 'spec', 'resourceClaims').length > 0) return 'resourceclaims';
  const volumes = objectsAt(pod, 'spec', 'volumes');
  return (
    firstNeed(volumes, apiVolumes) ??
    firstNeed(
      volumes.flatMap((volume) => objectsAt(volume, 'projected', 'sources')),
      apiProjections,
    )
  );
}

function firstNeed(
  sources: readonly JsonObject[],
  needs: Readonly<Record<string, string>>,
): string | undefined {
  for (const source of sources) {
    for (const [field, need] of Object.entries(needs)) {
      if (at(source, field) !== undefined) return need;
    }
  }
  return undefined;
}
