// A text that is equal for pods that no rule can tell apart. In: a pod, and the labels that any rule looks at. Out: the
// text. It is made for every pod of a problem, so it is built from the few fields that decide and nothing else.
// Labels that nobody selects by (the hash of a template, the name of a StatefulSet's pod) do not make a shape.
import type { Container, ContainerStatus, Pod, PodSpec } from '../../api/core.ts';
import { annotation } from '../../api/labels.ts';

export function shapeText(pod: Pod, selectorKeys: readonly string[]): string {
  const { metadata, spec, status } = pod;
  const isVirtual = metadata.annotations?.[annotation.capacityBufferFakePod] === 'true';
  // A pod that is being moved may be in the middle of a resize; then its status decides what it needs.
  const isInResize = status?.containerStatuses?.some(isResized) === true;
  return (
    labelsText(pod, selectorKeys) +
    containersText(spec) +
    part('overhead', spec.overhead) +
    part('resources', spec.resources) +
    part('nodeSelector', spec.nodeSelector) +
    part('affinity', spec.affinity) +
    part('tolerations', spec.tolerations) +
    part('spread', spec.topologySpreadConstraints) +
    part('devices', spec.resourceClaims) +
    volumesText(pod) +
    part('status', isInResize ? status : undefined) +
    (isVirtual ? 'virtual' : '')
  );
}

function labelsText({ metadata }: Pod, selectorKeys: readonly string[]): string {
  let text = `${metadata.namespace ?? ''}\n`;
  const labels = metadata.labels ?? {};
  for (const key of selectorKeys) {
    if (Object.hasOwn(labels, key)) text += `${key}=${labels[key]}\n`;
  }
  return text;
}

function containersText({ containers, initContainers = [] }: PodSpec): string {
  let text = '';
  for (const container of containers) text += containerText(container);
  for (const container of initContainers) {
    text += `init ${container.restartPolicy ?? ''} ${containerText(container)}`;
  }
  return text;
}

function containerText({ resources, ports = [] }: Container): string {
  const claims = ports.filter(({ hostPort = 0 }) => hostPort !== 0);
  const requests = resources?.requests;
  let text = requests === undefined ? '-' : JSON.stringify(requests);
  if (resources?.claims !== undefined) text += JSON.stringify(resources.claims);
  if (claims.length > 0) text += JSON.stringify(claims);
  return `${text}\n`;
}

/** A claim belongs to one pod, or is shared by name; either way the name is what counts. */
function volumesText({ metadata, spec }: Pod): string {
  let text = '';
  for (const volume of spec.volumes ?? []) {
    if (volume.persistentVolumeClaim !== undefined) {
      text += `claim ${volume.persistentVolumeClaim.claimName}\n`;
    } else if (volume.ephemeral !== undefined) {
      text += `claim ${metadata.name}-${volume.name}\n`;
    }
  }
  return text;
}

function isResized({ resources, allocatedResources }: ContainerStatus): boolean {
  return resources !== undefined || allocatedResources !== undefined;
}

function part(name: string, value: unknown): string {
  return value === undefined ? '' : `${name} ${JSON.stringify(value)}\n`;
}
