// The pod that stands for a DaemonSet on nodes to come. In: the DaemonSet and the pods that run. Out: one pod.
// The newest running one knows best what the next will ask for: a webhook or a resize may have changed it. What it says
// about nodes is not its own, though: the controller pinned it to one, so the template's affinity counts.
import type { Pod } from '../api/core.ts';
import type { DaemonSet } from '../api/workloads.ts';
import { withRequestsFromLimits } from '../model/pod-requests.ts';

export function daemonPod(daemonSet: DaemonSet, running: readonly Pod[]): Pod {
  const { name, namespace = '' } = daemonSet.metadata;
  const { metadata, spec } = daemonSet.spec.template;
  const newest = running
    .filter((pod) => pod.metadata.namespace === namespace && isControlledBy(pod, daemonSet))
    .toSorted((a, b) => createdAt(b) - createdAt(a))[0];
  if (newest === undefined) {
    return {
      metadata: { name, namespace, labels: metadata?.labels ?? {} },
      spec: withRequestsFromLimits(spec),
    };
  }
  const { affinity: _, ...own } = newest.spec;
  return {
    ...newest,
    spec: spec.affinity === undefined ? own : { ...own, affinity: spec.affinity },
  };
}

function isControlledBy({ metadata }: Pod, { metadata: { name } }: DaemonSet): boolean {
  return (metadata.ownerReferences ?? []).some(
    (owner) => owner.kind === 'DaemonSet' && owner.name === name && owner.controller === true,
  );
}

function createdAt({ metadata }: Pod): number {
  return Date.parse(metadata.creationTimestamp ?? '1970-01-01T00:00:00Z');
}
