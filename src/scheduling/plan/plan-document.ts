// A plan as it is printed. In: a plan. Out: a document in the format of the original's oracle, sorted so that equal
// decisions give equal texts.
import type { Pod, ResourceList } from '../../api/core.ts';
import { podKey } from '../../model/pod.ts';
import type { RequirementEntry } from '../../model/requirement.ts';
import { toRequirementEntries } from '../../model/requirements.ts';
import { toResourceList } from '../../model/resources.ts';
import type { Launch, Plan, PlannedClaim } from './plan.ts';

export interface PlanDocument {
  readonly newNodeClaims: readonly ClaimDocument[];
  readonly existingNodes: readonly { readonly name: string; readonly pods: readonly string[] }[];
  readonly podErrors: Readonly<Record<string, string>>;
  readonly totalPrice: number;
}

export interface ClaimDocument {
  readonly nodePool: string;
  readonly instanceTypes: readonly string[];
  readonly cheapestPrice: number;
  readonly launch: Launch;
  readonly requirements: readonly RequirementEntry[];
  readonly requests: ResourceList;
  readonly pods: readonly string[];
}

export function planDocument(plan: Plan): PlanDocument {
  const errors = [...plan.failures].map(([pod, message]) => [podKey(pod), message] as const);
  return {
    newNodeClaims: plan.claims.map(claimDocument).toSorted(byPoolThenPods),
    existingNodes: plan.nodes
      .map(({ name, pods }) => ({ name, pods: podNames(pods) }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    podErrors: Object.fromEntries(errors.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    totalPrice: plan.totalPrice,
  };
}

export function claimDocument(claim: PlannedClaim): ClaimDocument {
  return {
    nodePool: claim.pool.metadata.name,
    instanceTypes: claim.instanceTypes.map(({ name }) => name),
    cheapestPrice: claim.launch.price,
    launch: claim.launch,
    requirements: toRequirementEntries(claim.requirements),
    requests: toResourceList(claim.requests),
    pods: podNames(claim.pods),
  };
}

function byPoolThenPods(a: ClaimDocument, b: ClaimDocument): number {
  const [x, y] = [a, b].map(({ nodePool, pods }) => `${nodePool}\n${pods[0] ?? ''}`);
  return (x as string) < (y as string) ? -1 : 1;
}

export function podNames(pods: readonly Pod[]): string[] {
  return pods.map(podKey).toSorted();
}
