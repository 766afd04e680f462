// What a pod asks of a node, as the kube-scheduler counts it. In: a pod. Out: its total requests or limits.
// Init containers run one after another before the others, so only their peak counts; a sidecar (an init
// container that restarts always) keeps running beside everything that follows it.
// 1. Missing requests are zero: the API server has copied limits into requests for every real pod.
// 2. A group of pods additionally asks for one `pods` each.
import type { Container, ContainerStatus, Pod, PodSpec, ResourceList } from '../api/core.ts';
import {
  fromResourceList,
  maxResources,
  mergeResources,
  noResources,
  resourceName,
  type Resources,
  units,
} from './resources.ts';

/** Everything the pods need together, `pods` included. */
export function requestsOfPods(pods: readonly Pod[]): Resources {
  const total = new Map(mergeResources(...pods.map(podRequests)));
  total.set(resourceName.pods, units(pods.length));
  return total;
}

/** What the pods may use at most together; a resource nobody limits is not named. */
export function limitsOfPods(pods: readonly Pod[]): Resources {
  const total = new Map(mergeResources(...pods.map(podLimits)));
  total.set(resourceName.pods, units(pods.length));
  return total;
}

/** Requests without the `pods` entry. */
export function podRequests(pod: Pod): Resources {
  const { spec } = pod;
  const statuses = containerStatuses(pod);
  const infeasible = isResizeInfeasible(pod);
  const containers = aggregate(spec, (container) => {
    const wanted = fromResourceList(container.resources?.requests);
    const status = statuses.get(container.name);
    return status?.resources === undefined ? wanted : resized(wanted, status, infeasible);
  });
  const total = withPodLevel(containers, spec.resources?.requests);
  return spec.overhead === undefined
    ? total
    : mergeResources(total, fromResourceList(spec.overhead));
}

/** Container limits missing from the requests become requests, as the API server does when a pod is created. */
export function withRequestsFromLimits(spec: PodSpec): PodSpec {
  return {
    ...spec,
    containers: spec.containers.map(requestsFromLimits),
    ...(spec.initContainers && { initContainers: spec.initContainers.map(requestsFromLimits) }),
  };
}

function podLimits({ spec }: Pod): Resources {
  const containers = aggregate(spec, ({ resources }) => fromResourceList(resources?.limits));
  const total = new Map(withPodLevel(containers, spec.resources?.limits));
  for (const [name, nano] of fromResourceList(spec.overhead)) {
    const limit = total.get(name) ?? 0n;
    // Overhead widens a limit but does not create one.
    if (limit !== 0n) total.set(name, limit + nano);
  }
  return total;
}

function aggregate(spec: PodSpec, amountOf: (container: Container) => Resources): Resources {
  let total = mergeResources(...spec.containers.map(amountOf));
  let sidecars = noResources;
  let peak = noResources;
  for (const container of spec.initContainers ?? []) {
    const amount = amountOf(container);
    const running = mergeResources(amount, sidecars);
    peak = maxResources(peak, running);
    if (!isSidecar(container)) continue;
    total = mergeResources(total, amount);
    sidecars = running;
  }
  return maxResources(total, peak);
}

/** While a pod is being resized in place the node holds the largest of what was, is and will be. */
function resized(wanted: Resources, status: ContainerStatus, infeasible: boolean): Resources {
  const held = maxResources(
    fromResourceList(status.resources?.requests),
    fromResourceList(status.allocatedResources),
  );
  return infeasible ? held : maxResources(wanted, held);
}

function withPodLevel(containers: Resources, podLevel: ResourceList | undefined): Resources {
  if (podLevel === undefined) return containers;
  const total = new Map(containers);
  for (const [name, nano] of fromResourceList(podLevel)) {
    if (isPodLevelResource(name)) total.set(name, nano);
  }
  return total;
}

function isPodLevelResource(name: string): boolean {
  return (
    name === resourceName.cpu ||
    name === resourceName.memory ||
    name.startsWith(resourceName.hugePagesPrefix)
  );
}

/** Plain init containers are over before a resize can happen, so only sidecars keep their status entry. */
function containerStatuses({ spec, status }: Pod): ReadonlyMap<string, ContainerStatus> {
  const statuses = new Map<string, ContainerStatus>();
  for (const entry of status?.containerStatuses ?? []) statuses.set(entry.name, entry);
  if (status?.initContainerStatuses === undefined) return statuses;
  const sidecars = new Set(
    (spec.initContainers ?? []).filter(isSidecar).map((container) => container.name),
  );
  for (const entry of status.initContainerStatuses) {
    if (sidecars.has(entry.name)) statuses.set(entry.name, entry);
  }
  return statuses;
}

function isResizeInfeasible(pod: Pod): boolean {
  const pending = pod.status?.conditions?.find(({ type }) => type === 'PodResizePending');
  return pending?.reason === 'Infeasible';
}

export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

function requestsFromLimits(container: Container): Container {
  const { resources } = container;
  if (resources?.limits === undefined) return container;
  return {
    ...container,
    resources: { ...resources, requests: { ...resources.limits, ...resources.requests } },
  };
}
