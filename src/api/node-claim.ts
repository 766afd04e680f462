// NodeClaim as the product reads it. The fields come from the CRD definition; nothing is repeated here.
import { resourceTypeOf } from './crd/definition.ts';
import { nodeClaimDefinition, type nodeClaimSpec, type nodeClaimStatus } from './crd/node-claim.ts';
import type { Stored } from './crd/schema.ts';
import type { Condition, KubeObject } from './meta.ts';

export type NodeClaimSpec = Stored<typeof nodeClaimSpec>;

/** Conditions without reason or message exist only on objects of versions before v1; read as `Condition`. */
export type NodeClaimStatus = Omit<Stored<typeof nodeClaimStatus>, 'conditions'> & {
  readonly conditions?: readonly Condition[];
};

export interface NodeClaim extends KubeObject {
  readonly spec: NodeClaimSpec;
  readonly status?: NodeClaimStatus;
}

export type NodeClaimRequirement = NodeClaimSpec['requirements'][number];

export const nodeClaims = resourceTypeOf<NodeClaim>(nodeClaimDefinition);

export const nodeClaimCondition = {
  ready: 'Ready',
  launched: 'Launched',
  registered: 'Registered',
  initialized: 'Initialized',
  consolidatable: 'Consolidatable',
  drifted: 'Drifted',
  consistentStateFound: 'ConsistentStateFound',
  disruptionReason: 'DisruptionReason',
  drained: 'Drained',
  volumesDetached: 'VolumesDetached',
  instanceTerminating: 'InstanceTerminating',
} as const;
