// Why a pod goes nowhere, as a value. In: nothing. Out: the form of the record that texts and documents are made from.
// Everything in it is plain JSON: it is written to files, compared in tests, and worded by pod-error.ts for machines and
// by describe-explanation.ts for people.
import type { ResourceList, Taint } from '../../api/core.ts';

export interface Explanation {
  /** One pod of the kind, `namespace/name`. */
  readonly pod: string;
  readonly requests: ResourceList;
  /** Set when no place whatever could take it; the rest is empty then. */
  readonly failure?: string;
  /** What was given up, in this order, before it failed. */
  readonly dropped: readonly string[];
  /** How many existing nodes gave which answer. */
  readonly nodes: Readonly<Partial<Record<NodeAnswer, number>>>;
  /** Pools in the order in which they are asked. */
  readonly pools: readonly PoolVerdict[];
  /** Pools whose own requirements leave no instance type. */
  readonly emptyPools: readonly string[];
}

/** The first rule that a node refuses a pod by. */
export type NodeAnswer =
  | 'accepts'
  | 'leaving'
  | 'taints'
  | 'volumeLimits'
  | 'hostPorts'
  | 'resources'
  | 'requirements'
  | 'volumes'
  | 'topology';

export interface PoolVerdict {
  readonly pool: string;
  /** The rule that decides, with what its message needs. */
  readonly reason: PoolReason;
  /** How many instance types the pool has. */
  readonly instanceTypes: number;
  readonly excluded: ExcludedTypes;
  /** Of what the pod asks of labels: how many types each demand excludes alone; those that exclude none are left out. */
  readonly byLabel: Readonly<Record<string, number>>;
  readonly nearest?: NearestMiss;
}

/** How many types each rule excludes; one that several rules exclude counts for each of them. */
export interface ExcludedTypes {
  readonly limits: number;
  readonly taints: number;
  readonly requirements: number;
  readonly offering: number;
  readonly resources: number;
  readonly hostPorts: number;
  readonly topology: number;
  readonly minValues: number;
}

/** The type that lacks least, and what it lacks beside DaemonSets. */
export interface NearestMiss {
  readonly instanceType: string;
  readonly short: ResourceList;
}

export type PoolReason =
  | { readonly kind: 'accepts' }
  | { readonly kind: 'limits'; readonly of: 'nodes' | 'instance types' }
  | { readonly kind: 'taints'; readonly taints: readonly Taint[] }
  | {
      readonly kind: 'requirements';
      readonly of: 'pod' | 'volumes';
      readonly mismatch: string;
    }
  | { readonly kind: 'hostPorts'; readonly conflict: string }
  | TopologyReason
  | TypesReason;

export interface TopologyReason {
  readonly kind: 'topology';
  readonly rule: 'topology spread' | 'pod affinity' | 'pod anti-affinity';
  readonly key: string;
  /** Pods that the rule counts, per domain. */
  readonly counts: Readonly<Record<string, number>>;
  readonly podDomains: string;
  readonly nodeDomains: string;
}

export interface TypesReason {
  readonly kind: 'types';
  readonly met: readonly MetCriteria[];
  /** Labels of which the types that remained have too few values. */
  readonly unmetMinValues: readonly string[];
  readonly requirements: string;
  /** Of the pod and of the DaemonSets beside it, on the types where those take least and most. */
  readonly resources: { readonly min: ResourceList; readonly max: ResourceList };
}

/** How many types met exactly these criteria. */
export interface MetCriteria {
  readonly requirements: boolean;
  readonly offering: boolean;
  readonly resources: boolean;
  readonly types: number;
}
