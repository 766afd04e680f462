// Words for problems. In: what matters for a test. Out: objects as they stand in a problem document, with everything
// else filled in plainly: `pod({ cpu: '1', spread: [spreadOver(zone, { app: 'web' })] })`.
import type {
  Affinity,
  Container,
  NodeAffinity,
  NodeSelectorRequirement,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodAffinityTerm,
  ResourceList,
  Taint,
  Toleration,
  TopologySpreadConstraint,
} from '../../../src/api/core.ts';
import type { DaemonSet, StorageClass } from '../../../src/api/workloads.ts';
import { label } from './node-labels.ts';
import type {
  InstanceTypeJson,
  NodeJson,
  NodePoolJson,
  OfferingJson,
  ProblemJson,
  RequirementJson,
} from './problem-json.ts';

export const { zone, hostname, capacityType, nodePool: poolLabel } = label;
export const arch = 'kubernetes.io/arch';
export const cores = 'karpenter.azure.com/sku-cpu';

type Labels = Readonly<Record<string, string>>;

export interface PodOptions {
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: Labels;
  readonly cpu?: string;
  readonly memory?: string;
  /** Besides cpu and memory. */
  readonly requests?: ResourceList;
  readonly nodeSelector?: Labels;
  /** Alternatives, each of several expressions. */
  readonly required?: readonly (readonly NodeSelectorRequirement[])[];
  readonly preferred?: readonly (readonly NodeSelectorRequirement[])[];
  readonly tolerations?: readonly Toleration[];
  readonly spread?: readonly TopologySpreadConstraint[];
  readonly near?: readonly PodAffinityTerm[];
  readonly apart?: readonly PodAffinityTerm[];
  readonly ports?: readonly number[];
  /** Names of PersistentVolumeClaims. */
  readonly claims?: readonly string[];
  readonly initContainers?: readonly Container[];
  readonly overhead?: ResourceList;
  /** Name of a DaemonSet. */
  readonly daemonSet?: string;
  /** For a pod that runs already. */
  readonly on?: string;
}

export function pod(options: PodOptions = {}): Pod {
  const { name = 'pod', namespace = 'default' } = options;
  return {
    metadata: given<Pod['metadata']>({
      name,
      namespace,
      labels: options.labels,
      ownerReferences: ownersOf(options),
    }),
    spec: given<Pod['spec']>({
      containers: [container(options)],
      affinity: affinityOf(options),
      volumes: volumesOf(options),
      initContainers: options.initContainers,
      overhead: options.overhead,
      nodeSelector: options.nodeSelector,
      tolerations: options.tolerations,
      topologySpreadConstraints: options.spread,
      nodeName: options.on,
    }),
  };
}

/** `count` pods alike, named `name-0` and so on. */
export function replicas(count: number, options: PodOptions): Pod[] {
  return Array.from({ length: count }, (_, i) => pod({ ...options, name: `${options.name}-${i}` }));
}

export interface NodePoolOptions {
  readonly name?: string;
  readonly requirements?: readonly RequirementJson[];
  readonly labels?: Labels;
  readonly taints?: readonly Taint[];
  readonly startupTaints?: readonly Taint[];
  readonly limits?: ResourceList;
  readonly weight?: number;
}

export function nodePool(options: NodePoolOptions = {}): NodePoolJson {
  const { name = 'default', requirements = [], labels, taints, startupTaints } = options;
  return {
    metadata: { name },
    spec: given<NodePoolJson['spec']>({
      template: {
        ...(labels && { metadata: { labels } }),
        spec: given<NodePoolJson['spec']['template']['spec']>({
          requirements,
          taints,
          startupTaints,
        }),
      },
      limits: options.limits,
      weight: options.weight,
    }),
  };
}

export interface InstanceTypeOptions {
  readonly name?: string;
  readonly cpu?: string;
  readonly memory?: string;
  readonly pods?: string;
  readonly capacity?: ResourceList;
  readonly overhead?: ResourceList;
  readonly arch?: string;
  readonly price?: number;
  readonly zones?: readonly string[];
  readonly capacityTypes?: readonly string[];
  /** Instead of one for each zone and capacity type. */
  readonly offerings?: readonly OfferingJson[];
  readonly requirements?: readonly RequirementJson[];
}

export function instanceType(options: InstanceTypeOptions = {}): InstanceTypeJson {
  const all = { ...plainType, ...options };
  const { name, cpu, memory, pods, capacity, overhead, offerings } = all;
  return given<InstanceTypeJson>({
    name,
    capacity: { cpu, memory, pods, ...capacity },
    overhead,
    requirements: [
      is(arch, all.arch),
      is('kubernetes.io/os', 'linux'),
      is(cores, cpu),
      ...all.requirements,
    ],
    offerings: offerings ?? offeringsOf(all),
  });
}

const plainType = {
  name: 'medium',
  cpu: '4',
  memory: '16Gi',
  pods: '110',
  price: 0.2,
  arch: 'amd64',
  zones: ['z1', 'z2', 'z3'],
  capacityTypes: ['on-demand'],
  requirements: [],
} satisfies InstanceTypeOptions;

function offeringsOf(options: {
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  readonly price: number;
}): OfferingJson[] {
  const { zones, capacityTypes, price } = options;
  return zones.flatMap((zone) =>
    capacityTypes.map((capacityType) => offering({ zone, capacityType, price })),
  );
}

/** A spot offering costs a third unless a price is given for it alone. */
export function offering(options: Partial<OfferingJson> = {}): OfferingJson {
  const { zone = 'z1', capacityType = 'on-demand', price = 0.2, available = true } = options;
  const factor = capacityType === 'spot' ? 3 : 1;
  return { zone, capacityType, price: Math.round((price / factor) * 1e6) / 1e6, available };
}

export function node(options: NodeJson = {}): NodeJson {
  return {
    name: 'node',
    nodePool: 'default',
    instanceType: 'medium',
    zone: 'z1',
    capacityType: 'on-demand',
    ...options,
  };
}

export function daemonSet(options: PodOptions = {}): DaemonSet {
  const { metadata, spec } = pod({ name: 'daemon', namespace: 'kube-system', ...options });
  return { metadata, spec: { template: { spec } } };
}

/** Bound to a volume in `zones`, or waiting to be made by `storageClass`. */
export function claim(options: {
  readonly name: string;
  readonly volume?: string;
  readonly storageClass?: string;
}): PersistentVolumeClaim {
  const { name, volume, storageClass } = options;
  const isBound = volume !== undefined;
  return {
    metadata: {
      name,
      namespace: 'default',
      ...(isBound && { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } }),
    },
    spec: {
      ...(isBound && { volumeName: volume }),
      ...(storageClass !== undefined && { storageClassName: storageClass }),
    },
    status: { phase: isBound ? 'Bound' : 'Pending' },
  };
}

export function volume(options: {
  readonly name: string;
  readonly driver?: string;
  readonly zones?: readonly string[];
}): PersistentVolume {
  const { name, driver = 'disk.csi.azure.com', zones } = options;
  const terms = zones && [{ matchExpressions: [is(zone, ...zones)] }];
  return {
    metadata: { name },
    spec: {
      csi: { driver },
      ...(terms && { nodeAffinity: { required: { nodeSelectorTerms: terms } } }),
    },
  };
}

export function storageClass(options: {
  readonly name: string;
  readonly zones?: readonly string[];
}): StorageClass {
  const { name, zones } = options;
  return {
    metadata: { name },
    provisioner: 'disk.csi.azure.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    ...(zones && {
      allowedTopologies: [{ matchLabelExpressions: [{ key: zone, values: zones }] }],
    }),
  };
}

/** One pool and one type unless told otherwise. */
export function problem(parts: Partial<ProblemJson> = {}): ProblemJson {
  return { nodePools: [nodePool()], instanceTypes: [instanceType()], pods: [], ...parts };
}

export function is(key: string, ...values: readonly string[]): NodeSelectorRequirement {
  return { key, operator: 'In', values };
}

export function isNot(key: string, ...values: readonly string[]): NodeSelectorRequirement {
  return { key, operator: 'NotIn', values };
}

export function exists(key: string): NodeSelectorRequirement {
  return { key, operator: 'Exists' };
}

export function isAbsent(key: string): NodeSelectorRequirement {
  return { key, operator: 'DoesNotExist' };
}

export function above(key: string, bound: number): NodeSelectorRequirement {
  return { key, operator: 'Gt', values: [String(bound)] };
}

export function below(key: string, bound: number): NodeSelectorRequirement {
  return { key, operator: 'Lt', values: [String(bound)] };
}

export function spreadOver(
  topologyKey: string,
  matchLabels: Labels,
  options: Partial<TopologySpreadConstraint> = {},
): TopologySpreadConstraint {
  return {
    maxSkew: 1,
    whenUnsatisfiable: 'DoNotSchedule',
    topologyKey,
    labelSelector: { matchLabels },
    ...options,
  };
}

export function podsWith(matchLabels: Labels, topologyKey: string): PodAffinityTerm {
  return { labelSelector: { matchLabels }, topologyKey };
}

export function taint(key: string, value = 'true', effect: Taint['effect'] = 'NoSchedule'): Taint {
  return { key, value, effect };
}

export function tolerating({ key, value = '', effect }: Taint): Toleration {
  return { key, operator: 'Equal', value, effect };
}

/** Without the members that are undefined: in a document they would not be there. */
export function given<T extends object>(members: { [K in keyof T]: T[K] | undefined }): T {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}

function container({ cpu = '100m', memory = '128Mi', requests, ports }: PodOptions): Container {
  return given<Container>({
    name: 'main',
    resources: { requests: { cpu, memory, ...requests } },
    ports: ports?.map((port) => ({
      containerPort: port,
      hostPort: port,
      protocol: 'TCP' as const,
    })),
  });
}

function ownersOf({ daemonSet: name }: PodOptions): Pod['metadata']['ownerReferences'] {
  if (name === undefined) return undefined;
  return [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name, uid: name, controller: true }];
}

function affinityOf({ required, preferred, near, apart }: PodOptions): Affinity | undefined {
  if ([required, preferred, near, apart].every((part) => part === undefined)) return undefined;
  const terms = required?.map((matchExpressions) => ({ matchExpressions }));
  const wishes = preferred?.map((matchExpressions, i) => ({
    weight: 100 - i,
    preference: { matchExpressions },
  }));
  return given<Affinity>({
    nodeAffinity: given<NodeAffinity>({
      requiredDuringSchedulingIgnoredDuringExecution: terms && { nodeSelectorTerms: terms },
      preferredDuringSchedulingIgnoredDuringExecution: wishes,
    }),
    podAffinity: near && { requiredDuringSchedulingIgnoredDuringExecution: near },
    podAntiAffinity: apart && { requiredDuringSchedulingIgnoredDuringExecution: apart },
  });
}

function volumesOf({ claims }: PodOptions): Pod['spec']['volumes'] {
  return claims?.map((claimName, i) => ({
    name: `volume-${i}`,
    persistentVolumeClaim: { claimName },
  }));
}
