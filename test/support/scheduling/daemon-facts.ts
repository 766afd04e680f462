// What a DaemonSet will put on a node. In: the DaemonSet and the pods that run. Out: the pod to reckon with.
import type { Container, Pod } from '../../../src/api/core.ts';
import type { DaemonSet } from '../../../src/api/workloads.ts';

/** The newest pod that runs knows best what the next will ask for; before there is one, the template does. */
export function daemonPod(daemonSet: DaemonSet, bound: readonly Pod[]): Pod {
  const { name, namespace = 'kube-system' } = daemonSet.metadata;
  const live = bound
    .filter(({ metadata }) => (metadata.namespace ?? 'default') === namespace)
    .filter(({ metadata }) =>
      (metadata.ownerReferences ?? []).some(
        (owner) => owner.kind === 'DaemonSet' && owner.name === name && owner.controller === true,
      ),
    )
    .toSorted((a, b) => createdAt(b) - createdAt(a))[0];
  const template = daemonSet.spec.template.spec;
  const withRequests = {
    ...template,
    containers: template.containers.map(withLimitsAsRequests),
    ...(template.initContainers && {
      initContainers: template.initContainers.map(withLimitsAsRequests),
    }),
  };
  const spec = live === undefined ? withRequests : { ...live.spec, ...affinityOf(daemonSet) };
  return { metadata: { name, namespace, labels: {} }, spec };
}

/** The controller has pinned the running pod to its node; what the DaemonSet says about nodes is in the template. */
function affinityOf({ spec }: DaemonSet): Pick<Pod['spec'], 'affinity'> {
  return { affinity: spec.template.spec.affinity ?? {} };
}

function withLimitsAsRequests(container: Container): Container {
  const { resources } = container;
  if (resources?.limits === undefined) return container;
  const requests = { ...resources.limits, ...resources.requests };
  return { ...container, resources: { ...resources, requests } };
}

function createdAt({ metadata }: Pod): number {
  return Date.parse(metadata.creationTimestamp ?? '1970-01-01T00:00:00Z');
}
