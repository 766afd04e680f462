// What `karpenter solve` prints as JSON: the plan in the format of the original's oracle, and what goes beyond it.
import type { ClaimExplanation } from '../scheduling/explain/explain-claim.ts';
import type { Explanation } from '../scheduling/explain/explanation.ts';
import type { PlanDocument } from '../scheduling/plan/plan-document.ts';

export interface SolveDocument extends PlanDocument, BoundFields {
  readonly stopped: boolean;
  /** Pods that the solve did not come to before it was stopped. */
  readonly unreached: readonly string[];
  readonly explanations?: Explanations;
}

export interface BoundFields {
  /** No plan that places these pods costs less per hour, what nodes cost beside their machines included. */
  readonly bound?: number;
  /** The share of the price that a better plan could save at most. */
  readonly gap?: number;
  /** The same, for plans that leave every pod in the pool it is in. */
  readonly boundInPools?: number;
  readonly gapInPools?: number;
}

export interface Explanations {
  /** One per kind of pod that goes nowhere. */
  readonly pods: readonly Explanation[];
  /** One per node to be made, with the first of its pods to tell them by. */
  readonly claims: readonly (ClaimExplanation & { readonly firstPod: string })[];
}
