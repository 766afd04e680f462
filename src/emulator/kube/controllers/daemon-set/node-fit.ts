// Whether a DaemonSet wants a pod on a node. In: the pod template and the node. Out: make one, keep one, or neither.
// A pod of a DaemonSet looks past the troubles of a node that it may be there to cure.
import type { NodeAffinity, PodSpec, Toleration } from '../../../../api/core.ts';
import type { ApiObject } from '../../object.ts';
import { matchesRequiredAffinity } from '../../scheduler/node-selector.ts';
import { nodeOf } from '../../scheduler/objects.ts';
import { untoleratedTaint } from '../../scheduler/toleration.ts';

const tolerated: readonly (readonly [key: string, effect: 'NoSchedule' | 'NoExecute'])[] = [
  ['node.kubernetes.io/not-ready', 'NoExecute'],
  ['node.kubernetes.io/unreachable', 'NoExecute'],
  ['node.kubernetes.io/disk-pressure', 'NoSchedule'],
  ['node.kubernetes.io/memory-pressure', 'NoSchedule'],
  ['node.kubernetes.io/pid-pressure', 'NoSchedule'],
  ['node.kubernetes.io/unschedulable', 'NoSchedule'],
];

/** The spec of the pod for this node: bound to it by name, tolerant of its troubles. */
export function specForNode(spec: PodSpec, nodeName: string): PodSpec {
  return {
    ...spec,
    affinity: { ...spec.affinity, nodeAffinity: pinnedTo(spec, nodeName) },
    tolerations: daemonTolerations(spec),
  };
}

export function nodeFit(
  spec: PodSpec,
  object: ApiObject,
): { readonly shouldRun: boolean; readonly shouldContinue: boolean } {
  const node = nodeOf(object);
  const { name, labels = {} } = node.metadata;
  if ((spec.nodeName ?? '') !== '' && spec.nodeName !== name) return neither;
  if (!matchesRequiredAffinity(spec, { name, labels })) return neither;
  const tolerations = daemonTolerations(spec);
  const taints = node.spec?.taints ?? [];
  const shouldContinue = untoleratedTaint(taints, tolerations, ['NoExecute']) === undefined;
  const shouldRun =
    untoleratedTaint(taints, tolerations, ['NoSchedule', 'NoExecute']) === undefined;
  return { shouldRun, shouldContinue };
}

const neither = { shouldRun: false, shouldContinue: false };

function daemonTolerations(spec: PodSpec): readonly Toleration[] {
  const added: Toleration[] = tolerated.map(([key, effect]) => ({
    key,
    operator: 'Exists',
    effect,
  }));
  if (spec.hostNetwork === true) {
    const key = 'node.kubernetes.io/network-unavailable';
    added.push({ key, operator: 'Exists', effect: 'NoSchedule' });
  }
  return [...(spec.tolerations ?? []), ...added];
}

/** The required affinity is replaced by the node's name: the controller itself has matched it. */
function pinnedTo(spec: PodSpec, nodeName: string): NodeAffinity {
  const byName = { key: 'metadata.name', operator: 'In' as const, values: [nodeName] };
  return {
    ...spec.affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchFields: [byName] }],
    },
  };
}
