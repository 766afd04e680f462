// Placeholder pods: the pieces of a CapacityBuffer as a solver sees them. In: a buffer, its pod template, a number. Out:
// that many pods, alike but for their names; and of any pod, whether it is one and of which buffer.
// 1. They are never written to an API server, and nothing in them needs one: no volume that has a claim, no node.
// 2. Names and UIDs follow from the buffer, so that the pods of two passes are the same pods.
// 3. They share one spec: whoever groups pods by shape finds them equal at once.
import type { CapacityBuffer } from '../../api/capacity-buffer.ts';
import type { Pod, PodSpec, PodStatus, PodTemplateSpec } from '../../api/core.ts';
import { annotation } from '../../api/labels.ts';
import { withRequestsFromLimits } from '../../model/pod-requests.ts';

/** The least there is: every real pod may take the place of one. */
const lowestPriority = -(2 ** 31);

const unschedulable: PodStatus = {
  conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
};

export function virtualPods(
  { metadata }: CapacityBuffer,
  template: PodTemplateSpec,
  replicas: number,
): Pod[] {
  const { name, namespace = '', uid = '', creationTimestamp } = metadata;
  const spec = virtualPodSpec(template);
  const shared = {
    namespace,
    ...(template.metadata?.labels && { labels: template.metadata.labels }),
    ...(creationTimestamp !== undefined && { creationTimestamp }),
    annotations: {
      [annotation.capacityBufferFakePod]: 'true',
      [annotation.capacityBufferName]: name,
      [annotation.capacityBufferNamespace]: namespace,
    },
  };
  return Array.from({ length: replicas }, (_, i) => ({
    metadata: { ...shared, name: `capacity-buffer-${name}-${i + 1}`, uid: `${uid}-${i + 1}` },
    spec,
    status: unschedulable,
  }));
}

/**
 * One piece: what a pod of this template would ask for. A template has not been through the API server's defaults for
 * pods, so limits do not count as requests there yet. Mounts of the volumes left out stay, for nobody mounts them.
 */
export function virtualPodSpec({ spec }: PodTemplateSpec): PodSpec {
  const { nodeName: _, volumes = [], ...rest } = withRequestsFromLimits(spec);
  const kept = volumes.filter(
    ({ persistentVolumeClaim, ephemeral }) =>
      persistentVolumeClaim === undefined && ephemeral === undefined,
  );
  return { ...rest, ...(kept.length > 0 && { volumes: kept }), priority: lowestPriority };
}

export function isVirtualPod({ metadata }: Pod): boolean {
  return metadata.annotations?.[annotation.capacityBufferFakePod] === 'true';
}

/** `namespace/name` of the buffer, or undefined for every other pod. */
export function bufferKeyOf(pod: Pod): string | undefined {
  if (!isVirtualPod(pod)) return undefined;
  const name = pod.metadata.annotations?.[annotation.capacityBufferName] ?? '';
  const namespace = pod.metadata.annotations?.[annotation.capacityBufferNamespace] ?? '';
  return name === '' || namespace === '' ? undefined : `${namespace}/${name}`;
}
