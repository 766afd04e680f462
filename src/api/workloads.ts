// Kinds outside core/v1 that the product reads: workloads, disruption budgets, storage, leases.
import type { PodTemplateSpec } from './core.ts';
import type { KubeObject, LabelSelector } from './meta.ts';

export interface DaemonSet extends KubeObject {
  readonly spec: { readonly selector?: LabelSelector; readonly template: PodTemplateSpec };
}

/** Deployment, StatefulSet and ReplicaSet share the part that we read. */
export interface ScalableWorkload extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector?: LabelSelector;
    readonly template: PodTemplateSpec;
  };
}

export interface PodDisruptionBudget extends KubeObject {
  readonly spec: {
    readonly selector?: LabelSelector;
    readonly minAvailable?: string | number;
    readonly maxUnavailable?: string | number;
    readonly unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow';
  };
  readonly status?: {
    readonly disruptionsAllowed?: number;
    readonly currentHealthy?: number;
    readonly desiredHealthy?: number;
    readonly expectedPods?: number;
  };
}

export interface TopologySelectorTerm {
  readonly matchLabelExpressions?: readonly {
    readonly key: string;
    readonly values: readonly string[];
  }[];
}

export interface StorageClass extends KubeObject {
  readonly provisioner: string;
  readonly volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer';
  readonly allowedTopologies?: readonly TopologySelectorTerm[];
}

export interface CsiNode extends KubeObject {
  readonly spec: {
    readonly drivers?: readonly {
      readonly name: string;
      readonly nodeID?: string;
      readonly allocatable?: { readonly count?: number };
    }[];
  };
}

export interface VolumeAttachment extends KubeObject {
  readonly spec: {
    readonly attacher?: string;
    readonly nodeName: string;
    readonly source: { readonly persistentVolumeName?: string };
  };
  readonly status?: { readonly attached?: boolean };
}

export interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}
