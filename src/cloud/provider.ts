// The port to a cloud: all that the loops know of one. In: NodeClaims to turn into machines. Out: machines as
// NodeClaims, the types of machine that can be had, and whether a machine still is what was asked for.
// 1. Every call may be repeated: `create` for a claim that has its machine answers that machine, `delete` of a
//    machine on its way out changes nothing.
// 2. Failures that the loops tell apart are the codes of errors.ts, anywhere in the chain of causes.
import type { NodeClaim } from '../api/node-claim.ts';
import type { NodePool } from '../api/node-pool.ts';
import type { ResourceType } from '../api/resource-type.ts';
import type { InstanceType } from '../model/instance-type.ts';
import type { LabelRules } from '../model/label-rules.ts';

export interface CloudProvider {
  /** As metrics and logs name it. */
  readonly name: string;
  /** The kinds that a NodePool may refer to; the first is meant when none is named. */
  readonly nodeClasses: readonly ResourceType[];
  /** The core's rules on labels with the provider's own added. */
  readonly labelRules: LabelRules;
  readonly repairPolicies: readonly RepairPolicy[];
  readonly registrationHooks: readonly RegistrationHook[];

  /** The claim as launched: provider id, image, labels, annotations, capacity and allocatable filled in. */
  create(nodeClaim: NodeClaim, signal: AbortSignal): Promise<NodeClaim>;
  /** Returns once termination is under way; throws NodeClaimNotFound when nothing is left. Call until it does. */
  delete(nodeClaim: NodeClaim, signal: AbortSignal): Promise<void>;
  get(providerId: string, signal: AbortSignal): Promise<NodeClaim>;
  list(signal: AbortSignal): Promise<readonly NodeClaim[]>;
  /** All types that the pool's node class allows, also those that cannot be had right now. Never empty. */
  getInstanceTypes(nodePool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]>;
  isDrifted(nodeClaim: NodeClaim, signal: AbortSignal): Promise<DriftReason | undefined>;
}

/** One word, as the Drifted condition shows it. */
export type DriftReason = string;

/** A node with this condition is replaced after it has had it for this long. */
export interface RepairPolicy {
  readonly conditionType: string;
  readonly conditionStatus: 'True' | 'False' | 'Unknown';
  readonly tolerationMs: number;
}

/** Something to wait for before a node counts as registered. */
export interface RegistrationHook {
  readonly name: string;
  /** Undefined when there is nothing to wait for. */
  registered(
    nodeClaim: NodeClaim,
    signal: AbortSignal,
  ): Promise<{ readonly requeueAfterMs?: number } | undefined>;
}
