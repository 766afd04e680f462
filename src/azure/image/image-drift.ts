// Whether a node is still what its class would launch, as far as its software goes. In: the class's status, what the
// node says of itself. Out: a reason for drift, none, or why that cannot be told.
// A class that is not ready says nothing about its nodes: nothing drifts.
import type { AKSNodeClass } from '../../api/aks-node-class.ts';
import { compareVersions, parseVersion } from '../../model/kubernetes-version.ts';
import { nodeImageVersionOf } from './image-id.ts';
import { usableImages, usableKubernetesVersion } from './usable-status.ts';

export type DriftVerdict =
  | { readonly kind: 'none' }
  | { readonly kind: 'drifted'; readonly reason: 'ImageDrift' | 'K8sVersionDrift' }
  | { readonly kind: 'unknown'; readonly reason: string };

const none: DriftVerdict = { kind: 'none' };

/** `machine` nodes name their image in AKS's short form, in which a change of gallery or subscription is invisible. */
export function imageDrift(
  nodeClass: AKSNodeClass,
  node: { readonly imageId: string; readonly kind: 'vm' | 'machine' },
): DriftVerdict {
  const images = usableImages(nodeClass);
  if (!images.ok) return none;
  const { name } = nodeClass.metadata;
  if (images.value.length === 0) {
    return { kind: 'unknown', reason: `AKSNodeClass ${name} is ready but has no images` };
  }
  if (node.imageId === '') return { kind: 'unknown', reason: 'the NodeClaim has no image id' };
  const wanted = images.value.map(({ id }) => (node.kind === 'vm' ? id : shortFormOf(id)));
  return wanted.includes(node.imageId) ? none : { kind: 'drifted', reason: 'ImageDrift' };
}

/**
 * Only a node that is behind drifts. The original also replaces nodes that are ahead, for ever: the class never goes
 * back to their version, and new nodes get the image's own.
 */
export function kubernetesVersionDrift(
  nodeClass: AKSNodeClass,
  kubeletVersion: string,
): DriftVerdict {
  const wanted = usableKubernetesVersion(nodeClass);
  if (!wanted.ok) return none;
  const [goal, actual] = [parseVersion(wanted.value), parseVersion(kubeletVersion)];
  if (goal === undefined || actual === undefined) return none;
  return compareVersions(actual, goal) < 0 ? { kind: 'drifted', reason: 'K8sVersionDrift' } : none;
}

function shortFormOf(imageId: string): string {
  const version = nodeImageVersionOf(imageId);
  return version.ok ? version.text : imageId;
}
