// NodePool as the product reads it. The fields come from the CRD definition; nothing is repeated here.
import { resourceTypeOf } from './crd/definition.ts';
import { nodePoolDefinition, type nodePoolSpec, type nodePoolStatus } from './crd/node-pool.ts';
import type { Stored } from './crd/schema.ts';
import type { KubeObject } from './meta.ts';

export type NodePoolSpec = Stored<typeof nodePoolSpec>;
export type NodePoolStatus = Stored<typeof nodePoolStatus>;

export interface NodePool extends KubeObject {
  readonly spec: NodePoolSpec;
  readonly status?: NodePoolStatus;
}

export type NodeClaimTemplate = NodePoolSpec['template'];
export type NodeClaimTemplateSpec = NodeClaimTemplate['spec'];
export type NodePoolRequirement = NodeClaimTemplateSpec['requirements'][number];
export type RequirementOperator = NodePoolRequirement['operator'];
export type NodeClassReference = NodeClaimTemplateSpec['nodeClassRef'];
export type Disruption = NodePoolSpec['disruption'];
export type ConsolidationPolicy = Disruption['consolidationPolicy'];
export type Budget = Disruption['budgets'][number];
export type BudgetReason = NonNullable<Budget['reasons']>[number];

export const nodePools = resourceTypeOf<NodePool>(nodePoolDefinition);

export const nodePoolCondition = {
  ready: 'Ready',
  validationSucceeded: 'ValidationSucceeded',
  nodeClassReady: 'NodeClassReady',
  nodeRegistrationHealthy: 'NodeRegistrationHealthy',
} as const;
