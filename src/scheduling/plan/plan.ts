// What a solve decided: which pods go to which nodes, which nodes are to be made for them and at what price, and which
// pods go nowhere.
import type { Pod } from '../../api/core.ts';
import type { NodePool } from '../../api/node-pool.ts';
import type { InstanceType } from '../../model/instance-type.ts';
import type { Requirements } from '../../model/requirements.ts';
import type { Resources } from '../../model/resources.ts';

/** What a launch takes if it can: the cheapest offering of the cheapest type. */
export interface Launch {
  readonly instanceType: string;
  readonly capacityType: string;
  /** Zones that cost the same. */
  readonly zones: readonly string[];
  readonly price: number;
}

export interface PlannedClaim {
  readonly pool: NodePool;
  /** What it may be launched as, cheapest first. */
  readonly instanceTypes: readonly InstanceType[];
  readonly launch: Launch;
  /** Everything the node must be, without the list of instance types. */
  readonly requirements: Requirements;
  /** Of the pods, and of the DaemonSets that will run beside them. */
  readonly requests: Resources;
  readonly pods: readonly Pod[];
  /** Keys of which it has less variety than its pool asks for, and how much it has. */
  readonly unmetMinValues: ReadonlyMap<string, number>;
}

export interface PlannedNode {
  readonly name: string;
  readonly pods: readonly Pod[];
}

export interface Plan {
  readonly claims: readonly PlannedClaim[];
  /** Existing nodes that get any. */
  readonly nodes: readonly PlannedNode[];
  /** Pods that go nowhere, and why. */
  readonly failures: ReadonlyMap<Pod, string>;
  /** Per hour, of the claims. */
  readonly totalPrice: number;
  /** The solve was stopped before it was through; pods that it did not reach are in no list. */
  readonly stopped: boolean;
  readonly unreached: readonly Pod[];
}
