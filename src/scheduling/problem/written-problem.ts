// A problem as it is written in a file: the type, and the shape that a value must have to be one. Kubernetes objects are
// themselves; instance types and the short form of a node have a form of our own, which is closed to unknown fields.
import type {
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ResourceList,
} from '../../api/core.ts';
import { capacityType } from '../../api/labels.ts';
import type { Json, ObjectMeta } from '../../api/meta.ts';
import type { NodeClaim } from '../../api/node-claim.ts';
import type { RequirementOperator } from '../../api/node-pool.ts';
import type { CsiNode, DaemonSet, PodDisruptionBudget, StorageClass } from '../../api/workloads.ts';
import * as kubernetes from './kubernetes-shapes.ts';
import type { Place } from './place.ts';
import {
  amounts,
  closed,
  fields,
  integer,
  listOf,
  name,
  oneOf,
  price,
  required,
  text,
  timestamp,
  truth,
} from './shape.ts';

export interface WrittenRequirement {
  readonly key: string;
  readonly operator: RequirementOperator;
  readonly values?: readonly string[];
}

export interface WrittenOffering {
  readonly zone: string;
  readonly capacityType: string;
  readonly price: number;
  readonly available: boolean;
  /** Besides zone and capacity type. */
  readonly requirements?: readonly WrittenRequirement[];
  readonly reservationID?: string;
  readonly reservationCapacity?: number;
}

export interface WrittenInstanceType {
  readonly name: string;
  readonly capacity: ResourceList;
  /** The sum of what kubelet, system and eviction threshold keep. */
  readonly overhead?: ResourceList;
  readonly requirements?: readonly WrittenRequirement[];
  readonly offerings: readonly WrittenOffering[];
}

type Unnamed<T> = Omit<T, 'metadata'> & { readonly metadata?: Partial<ObjectMeta> };

/** Objects, or the few words from which they are made, or parts of both: then the objects win. */
export interface WrittenNode {
  readonly node?: Unnamed<Node>;
  readonly nodeClaim?: Omit<Unnamed<NodeClaim>, 'spec'> & {
    readonly spec?: Partial<NodeClaim['spec']>;
  };
  readonly name?: string;
  readonly nodePool?: string;
  readonly instanceType?: string;
  readonly zone?: string;
  readonly capacityType?: string;
}

export interface WrittenProblem {
  readonly now?: string;
  readonly wellKnownLabels: readonly string[];
  /** Not looked into here: the definition of the custom resource judges them. */
  readonly nodePools: readonly { readonly [key: string]: Json }[];
  readonly instanceTypes: readonly WrittenInstanceType[];
  readonly pods: readonly Pod[];
  readonly nodes: readonly WrittenNode[];
  readonly boundPods: readonly Pod[];
  readonly daemonSets: readonly DaemonSet[];
  readonly namespaces: readonly Namespace[];
  readonly podDisruptionBudgets: readonly PodDisruptionBudget[];
  readonly persistentVolumeClaims: readonly PersistentVolumeClaim[];
  readonly persistentVolumes: readonly PersistentVolume[];
  readonly storageClasses: readonly StorageClass[];
  readonly csiNodes: readonly CsiNode[];
}

/** What a list that is not written stands for. */
const unwritten: Omit<WrittenProblem, 'now'> = {
  wellKnownLabels: [],
  nodePools: [],
  instanceTypes: [],
  pods: [],
  nodes: [],
  boundPods: [],
  daemonSets: [],
  namespaces: [],
  podDisruptionBudgets: [],
  persistentVolumeClaims: [],
  persistentVolumes: [],
  storageClasses: [],
  csiNodes: [],
};

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'];

const requirements = listOf(
  closed({
    key: required(name),
    operator: required(oneOf(...operators)),
    values: listOf(text),
  }),
);

const offering = closed({
  zone: required(name),
  capacityType: required(oneOf(...Object.values(capacityType))),
  price: required(price),
  available: required(truth),
  requirements,
  reservationID: text,
  reservationCapacity: integer,
});

const instanceType = closed({
  name: required(name),
  capacity: required(amounts),
  overhead: amounts,
  requirements,
  offerings: required(listOf(offering)),
});

const node = closed({
  node: kubernetes.node,
  nodeClaim: kubernetes.nodeClaim,
  name: text,
  nodePool: text,
  instanceType: text,
  zone: text,
  capacityType: text,
});

const problemShape = closed({
  meta: () => {},
  now: timestamp,
  wellKnownLabels: listOf(name),
  nodePools: listOf(fields({})),
  instanceTypes: listOf(instanceType),
  pods: listOf(kubernetes.pod),
  nodes: listOf(node),
  boundPods: listOf(kubernetes.pod),
  daemonSets: listOf(kubernetes.daemonSet),
  namespaces: listOf(kubernetes.namespace),
  podDisruptionBudgets: listOf(kubernetes.podDisruptionBudget),
  persistentVolumeClaims: listOf(kubernetes.persistentVolumeClaim),
  persistentVolumes: listOf(kubernetes.persistentVolume),
  storageClasses: listOf(kubernetes.storageClass),
  csiNodes: listOf(kubernetes.csiNode),
});

/** The document as a problem; what keeps it from being one is blamed at `place`, and then nothing comes out. */
export function toWrittenProblem(document: Json, place: Place): WrittenProblem | undefined {
  problemShape(document, place);
  if (place.faults.length > 0) return undefined;
  // The shape has just been checked, which is as typed as JSON gets.
  return { ...unwritten, ...(document as unknown as Partial<WrittenProblem>) };
}
