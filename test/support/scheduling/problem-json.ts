// A problem and a plan as they are in files, for the tests that judge solvers from outside. In: nothing. Out: types.
// The problem is the format that `readProblem` reads; the plan is what the original's oracle prints.
import type {
  Namespace,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ResourceList,
  Taint,
} from '../../../src/api/core.ts';
import type { ObjectMeta } from '../../../src/api/meta.ts';
import type {
  CsiNode,
  DaemonSet,
  PodDisruptionBudget,
  StorageClass,
} from '../../../src/api/workloads.ts';

export interface RequirementJson {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
  readonly minValues?: number | undefined;
}

export interface OfferingJson {
  readonly zone: string;
  readonly capacityType: string;
  readonly price: number;
  readonly available: boolean;
  readonly requirements?: readonly RequirementJson[];
}

export interface InstanceTypeJson {
  readonly name: string;
  readonly capacity: ResourceList;
  readonly overhead?: ResourceList;
  readonly requirements?: readonly RequirementJson[];
  readonly offerings: readonly OfferingJson[];
}

export interface ConditionJson {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}

export interface NodePoolJson {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly template: {
      readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
      readonly spec: {
        readonly requirements?: readonly RequirementJson[];
        readonly taints?: readonly Taint[];
        readonly startupTaints?: readonly Taint[];
        readonly nodeClassRef?: {
          readonly group: string;
          readonly kind: string;
          readonly name: string;
        };
      };
    };
    readonly limits?: ResourceList;
    readonly weight?: number;
    readonly replicas?: number;
  };
  readonly status?: { readonly conditions?: readonly ConditionJson[] };
}

export interface NodeJson {
  readonly name?: string;
  readonly nodePool?: string;
  readonly instanceType?: string;
  readonly zone?: string;
  readonly capacityType?: string;
  readonly node?: {
    readonly metadata?: Partial<ObjectMeta>;
    readonly spec?: {
      readonly taints?: readonly Taint[];
      readonly unschedulable?: boolean;
    };
    readonly status?: {
      readonly capacity?: ResourceList;
      readonly allocatable?: ResourceList;
      readonly conditions?: readonly ConditionJson[];
    };
  };
  readonly nodeClaim?: {
    readonly metadata?: Partial<ObjectMeta>;
    readonly spec?: {
      readonly taints?: readonly Taint[];
      readonly startupTaints?: readonly Taint[];
    };
    readonly status?: {
      readonly capacity?: ResourceList;
      readonly allocatable?: ResourceList;
      readonly conditions?: readonly ConditionJson[];
    };
  };
}

export interface ProblemJson {
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly now?: string;
  readonly wellKnownLabels?: readonly string[];
  readonly nodePools: readonly NodePoolJson[];
  readonly instanceTypes: readonly InstanceTypeJson[];
  readonly pods: readonly Pod[];
  readonly nodes?: readonly NodeJson[];
  readonly boundPods?: readonly Pod[];
  readonly daemonSets?: readonly DaemonSet[];
  readonly namespaces?: readonly Namespace[];
  readonly podDisruptionBudgets?: readonly PodDisruptionBudget[];
  readonly persistentVolumeClaims?: readonly PersistentVolumeClaim[];
  readonly persistentVolumes?: readonly PersistentVolume[];
  readonly storageClasses?: readonly StorageClass[];
  readonly csiNodes?: readonly CsiNode[];
}

export interface LaunchJson {
  readonly instanceType: string;
  readonly capacityType: string;
  readonly zones: readonly string[] | null;
  readonly price: number;
}

export interface PlannedNodeClaim {
  readonly nodePool: string;
  /** By price. */
  readonly instanceTypes: readonly string[];
  readonly cheapestPrice: number;
  readonly launch: LaunchJson;
  /** Without the list of instance types. */
  readonly requirements: readonly RequirementJson[];
  readonly requests: ResourceList;
  /** `namespace/name`. */
  readonly pods: readonly string[];
}

export interface PlanJson {
  readonly newNodeClaims: readonly PlannedNodeClaim[];
  readonly existingNodes: readonly { readonly name: string; readonly pods: readonly string[] }[];
  readonly podErrors: Readonly<Record<string, string>>;
  readonly totalPrice: number;
}
