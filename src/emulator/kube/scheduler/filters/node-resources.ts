// Keeps the sum of requests on a node within what it can give, and the number of its pods within its limit.
// All shortages are reported, not only the first. One that the empty node would have too is final.
import type { NodeState } from '../node-state.ts';
import type { PodShape } from '../pod-shape.ts';
import { refuse, refuseForGood, type Verdict } from '../verdict.ts';

export function filterResources(shape: PodShape, node: NodeState): Verdict {
  if (fits(shape, node)) return undefined;
  const reasons: string[] = [];
  let final = false;
  if (node.pods.size + 1 > (node.allocatable['pods'] ?? 0)) reasons.push('Too many pods');
  for (const [resource, wanted] of Object.entries(shape.requests)) {
    if (wanted <= free(node, resource)) continue;
    reasons.push(`Insufficient ${resource}`);
    final ||= wanted > (node.allocatable[resource] ?? 0);
  }
  return final ? refuseForGood(...reasons) : refuse(...reasons);
}

/** The common answer, without building a list. */
function fits(shape: PodShape, node: NodeState): boolean {
  if (node.pods.size + 1 > (node.allocatable['pods'] ?? 0)) return false;
  const { requests } = shape;
  for (const resource in requests) {
    if ((requests[resource] ?? 0) > free(node, resource)) return false;
  }
  return true;
}

/** Nothing asked for is always there, even on a node that is already beyond its limit. */
function free(node: NodeState, resource: string): number {
  return Math.max(0, (node.allocatable[resource] ?? 0) - (node.requested[resource] ?? 0));
}
