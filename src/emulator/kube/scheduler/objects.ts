// The slice of Kubernetes objects that scheduling reads, beyond what the product itself reads of them.
// Types only: objects come out of the emulated server's store and are never mutated.
import type {
  Node,
  Pod,
  PodSpec,
  PodStatus,
  PersistentVolumeClaim,
  PersistentVolume,
  ResourceList,
} from '../../../api/core.ts';
import type { LabelSelector, ObjectMeta } from '../../../api/meta.ts';
import type {
  CsiNode,
  PodDisruptionBudget,
  StorageClass,
  VolumeAttachment,
} from '../../../api/workloads.ts';
import type { ApiObject } from '../object.ts';

export type Labels = Readonly<Record<string, string>>;

export interface SchedulingPod extends Pod {
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec & {
    readonly preemptionPolicy?: 'Never' | 'PreemptLowerPriority';
    readonly schedulingGates?: readonly { readonly name: string }[];
  };
  readonly status?: PodStatus;
}

export interface Claim extends PersistentVolumeClaim {
  readonly spec: PersistentVolumeClaim['spec'] & {
    readonly volumeMode?: string;
    readonly selector?: LabelSelector;
    readonly volumeAttributesClassName?: string;
  };
}

export interface Volume extends PersistentVolume {
  readonly spec: PersistentVolume['spec'] & {
    readonly capacity?: ResourceList;
    readonly accessModes?: readonly string[];
    readonly volumeMode?: string;
    readonly persistentVolumeReclaimPolicy?: string;
    readonly volumeAttributesClassName?: string;
    readonly csi?: { readonly driver: string; readonly volumeHandle?: string };
    readonly claimRef?: {
      readonly namespace?: string;
      readonly name?: string;
      readonly uid?: string;
    };
  };
  readonly status?: { readonly phase?: string };
}

export interface Budget extends PodDisruptionBudget {
  readonly status?: PodDisruptionBudget['status'] & { readonly disruptedPods?: Labels };
}

export interface VolumeClass extends StorageClass {
  readonly reclaimPolicy?: string;
  readonly parameters?: Labels;
  readonly mountOptions?: readonly string[];
}

/** A stored object read as a pod: the server has validated it. The same holds for the others below. */
export const podOf = (object: ApiObject): SchedulingPod => object as unknown as SchedulingPod;
export const nodeOf = (object: ApiObject): Node => object;
export const claimOf = (object: ApiObject): Claim => object as unknown as Claim;
export const volumeOf = (object: ApiObject): Volume => object as unknown as Volume;
export const volumeClassOf = (object: ApiObject): VolumeClass => object as unknown as VolumeClass;
export const csiNodeOf = (object: ApiObject): CsiNode => object as unknown as CsiNode;
export const attachmentOf = (object: ApiObject): VolumeAttachment =>
  object as unknown as VolumeAttachment;
export const budgetOf = (object: ApiObject): Budget => object as unknown as Budget;

export type { Node };

export function keyOf(meta: { readonly namespace?: string; readonly name: string }): string {
  return meta.namespace === undefined ? meta.name : `${meta.namespace}/${meta.name}`;
}
