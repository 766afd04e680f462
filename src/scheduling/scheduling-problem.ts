// What is to be solved. In: objects as controllers or a file know them. Out: one value with everything that decides,
// and the few choices an operator has. Nothing here knows where the objects came from.
import type { Namespace, Pod } from '../api/core.ts';
import type { NodePool } from '../api/node-pool.ts';
import type { InstanceType } from '../model/instance-type.ts';
import type { LabelRules } from '../model/label-rules.ts';
import type { StorageLookup } from '../model/storage.ts';
import type { SchedulableNode } from './schedulable-node.ts';

export interface PoolCatalog {
  /** Ready, dynamic and not being deleted: others get no new nodes. */
  readonly pool: NodePool;
  readonly instanceTypes: readonly InstanceType[];
}

export interface SchedulingProblem {
  readonly rules: LabelRules;
  readonly pools: readonly PoolCatalog[];
  readonly nodes: readonly SchedulableNode[];
  /** Pods to be placed. They passed validation. */
  readonly pods: readonly Pod[];
  /** One pod per DaemonSet, standing for those it will put on new nodes. */
  readonly daemonPods: readonly Pod[];
  readonly namespaces: readonly Namespace[];
  readonly storage: StorageLookup;
}

export interface SchedulingOptions {
  /** `Ignore`: wishes are never treated as rules. */
  readonly preferencePolicy: 'Respect' | 'Ignore';
  /** `BestEffort`: a new claim may have less variety than its pool asks for, when it must. */
  readonly minValuesPolicy: 'Strict' | 'BestEffort';
  /** What to do when capacity bought in advance would suit but is taken: wait, do without, or not look at it. */
  readonly reservedCapacity: 'Off' | 'Strict' | 'Fallback';
  readonly ignoreDeviceRequests: boolean;
  /** Instance types written into one claim, cheapest first. */
  readonly maxInstanceTypes: number;
  /** What a node costs per hour beside its machine: licences, agents. */
  readonly nodeCostPerHour: number;
  /** How often everything is packed anew in search of a cheaper way; 0 leaves it at the first plan. */
  readonly packRounds: number;
}

export const defaultOptions: SchedulingOptions = {
  preferencePolicy: 'Respect',
  minValuesPolicy: 'Strict',
  reservedCapacity: 'Off',
  ignoreDeviceRequests: true,
  maxInstanceTypes: 600,
  nodeCostPerHour: 0,
  packRounds: 8,
};
