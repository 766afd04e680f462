// A node as a place for pods. In: Node and NodeClaim as far as they exist, the pods bound to it. Out: labels, taints
// and amounts that count for placing further pods.
// 1. Until a managed node has registered, its claim is the truth about labels and taints; until it is initialized, the
//    claim fills in amounts that the kubelet still reports as zero.
// 2. While it starts, taints that its own components will remove do not count. One that comes back later does.
import type { Node, Pod, Taint } from '../api/core.ts';
import { label } from '../api/labels.ts';
import type { NodeClaim } from '../api/node-claim.ts';
import type { CsiNode } from '../api/workloads.ts';
import { isConditionTrue } from '../model/conditions.ts';
import { hostPorts, type HostPortUsage } from '../model/host-port.ts';
import { isOwnedByDaemonSet, isTerminal, podKey } from '../model/pod.ts';
import { requestsOfPods } from '../model/pod-requests.ts';
import {
  fromResourceList,
  mergeResources,
  resourceName,
  type Resources,
  subtractResources,
  units,
} from '../model/resources.ts';
import type { StorageLookup } from '../model/storage.ts';
import { isEphemeral, isSameTaint } from '../model/taint.ts';
import {
  type AttachedVolumes,
  mergeVolumes,
  noVolumes,
  podVolumes,
  volumeLimits,
} from '../model/volume-limit.ts';

export interface SchedulableNode {
  readonly name: string;
  readonly hostname: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** Of its NodePool; undefined for a node that nobody manages. */
  readonly pool: string | undefined;
  readonly initialized: boolean;
  /** On its way out: it takes no pods and counts against no limit. */
  readonly deleting: boolean;
  /** Its Node object exists: only then are its labels a fact for spreading. */
  readonly joined: boolean;
  readonly capacity: Resources;
  /** What is left beside the pods bound to it. */
  readonly available: Resources;
  /** What DaemonSets already use of it. */
  readonly daemonRequests: Resources;
  /** Bound and not finished; those that are terminating still use it. */
  readonly pods: readonly Pod[];
  readonly ports: HostPortUsage;
  readonly volumes: AttachedVolumes;
  readonly volumeLimits: ReadonlyMap<string, number>;
}

export interface NodeParts {
  readonly node?: Node | undefined;
  readonly nodeClaim?: NodeClaim | undefined;
  readonly pods: readonly Pod[];
  readonly csiNode?: CsiNode | undefined;
  readonly storage: StorageLookup;
}

const oneNode: Resources = new Map([[resourceName.nodes, units(1)]]);
const cordoned: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

export function schedulableNode(parts: NodeParts): SchedulableNode {
  const { node, nodeClaim, csiNode, storage } = parts;
  const progress = progressOf(parts);
  const { labels, name } = identityOf(parts, progress);
  const pods = parts.pods.filter((pod) => !isTerminal(pod));
  const amounts = (kind: 'capacity' | 'allocatable'): Resources =>
    amountsOf(kind, { node, nodeClaim: progress.isInitialized ? undefined : nodeClaim });
  return {
    name,
    hostname: labels[label.hostname] ?? name,
    labels,
    taints: lastingTaints(parts, progress),
    pool: labels[label.nodePool],
    initialized: progress.isInitialized,
    deleting: isDeleting(node, nodeClaim),
    joined: node !== undefined,
    capacity: mergeResources(amounts('capacity'), oneNode),
    available: subtractResources(amounts('allocatable'), requestsOfPods(pods)),
    daemonRequests: requestsOfPods(pods.filter(isOwnedByDaemonSet)),
    pods,
    ports: new Map(pods.map((pod) => [podKey(pod), hostPorts(pod)])),
    volumes: mergeVolumes(...pods.map((pod) => volumesOf(pod, storage))),
    volumeLimits: volumeLimits(csiNode),
  };
}

/** How far it has come. A node that nobody manages has come all the way. */
interface Progress {
  readonly isRegistered: boolean;
  readonly isInitialized: boolean;
}

function progressOf({ node, nodeClaim }: NodeParts): Progress {
  const labels = node?.metadata.labels ?? {};
  const isManaged = nodeClaim !== undefined || label.nodePool in labels;
  return {
    isRegistered: !isManaged || labels[label.registered] === 'true',
    isInitialized: !isManaged || labels[label.initialized] === 'true',
  };
}

function identityOf(
  { node, nodeClaim }: NodeParts,
  { isRegistered }: Progress,
): Pick<SchedulableNode, 'name' | 'labels'> {
  const truth = isRegistered ? node : (nodeClaim ?? node);
  return { name: truth?.metadata.name ?? '', labels: truth?.metadata.labels ?? {} };
}

function isDeleting(node: Node | undefined, nodeClaim: NodeClaim | undefined): boolean {
  if (nodeClaim === undefined) return node?.metadata.deletionTimestamp !== undefined;
  return (
    nodeClaim.metadata.deletionTimestamp !== undefined ||
    isConditionTrue(nodeClaim.status?.conditions, 'InstanceTerminating')
  );
}

/** A kubelet that has just started reports extended resources as zero. */
function amountsOf(
  kind: 'capacity' | 'allocatable',
  { node, nodeClaim }: Pick<NodeParts, 'node' | 'nodeClaim'>,
): Resources {
  const amounts = new Map(fromResourceList(node?.status?.[kind]));
  for (const [resource, nano] of fromResourceList(nodeClaim?.status?.[kind])) {
    if ((amounts.get(resource) ?? 0n) === 0n) amounts.set(resource, nano);
  }
  return amounts;
}

function lastingTaints(
  parts: NodeParts,
  { isRegistered, isInitialized }: Progress,
): readonly Taint[] {
  const { node, nodeClaim } = parts;
  const isOnNode = isRegistered && node !== undefined;
  const stated = isOnNode ? taintsOnNode(node) : (nodeClaim?.spec.taints ?? []);
  if (isInitialized) return stated;
  const startup = nodeClaim?.spec.startupTaints ?? [];
  return stated.filter(
    (taint) => !isEphemeral(taint) && !startup.some((other) => isSameTaint(other, taint)),
  );
}

function taintsOnNode({ spec }: Node): readonly Taint[] {
  const { taints = [], unschedulable = false } = spec ?? {};
  return unschedulable ? [...taints, cordoned] : taints;
}

function volumesOf(pod: Pod, storage: StorageLookup): AttachedVolumes {
  const found = podVolumes(pod, storage);
  return found.ok ? found.volumes : noVolumes;
}
