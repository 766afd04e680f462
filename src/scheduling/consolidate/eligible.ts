// What a way of consolidating asks of a candidate. In: a candidate. Out: nothing, or why it is not for this way. The kind
// 'state' is no news: another way takes care of it.
import { annotation, label } from '../../api/labels.ts';
import { nodeClaimCondition } from '../../api/node-claim.ts';
import { isConditionTrue } from '../../model/conditions.ts';
import type { Candidate } from './candidates.ts';
import type { Reason } from './reason.ts';

/** Whether nothing on it would be missed: pods that cost nothing to move count as nothing. */
export function isEmpty({ disruptionCost }: Candidate): boolean {
  return disruptionCost <= 1;
}

export function whyNotEmptied(candidate: Candidate): Reason | undefined {
  const { pool, name } = candidate;
  if (pool.spec.replicas !== undefined) return staticPool;
  const disabled = disabledReason(candidate);
  if (disabled !== undefined) return disabled;
  if (candidate.pods.some(({ metadata }) => isVirtual(metadata.annotations))) {
    return { kind: 'policy', message: `Node "${name}" has buffer pods` };
  }
  if (!isEmpty(candidate)) return { kind: 'state', message: 'Node is not empty' };
  return windowReason(candidate);
}

export function whyNotConsolidated(candidate: Candidate): Reason | undefined {
  const { pool, instanceType, node } = candidate;
  if (pool.spec.replicas !== undefined) return staticPool;
  const labels = node.metadata.labels ?? {};
  if (instanceType === undefined) {
    const message = `Instance Type "${labels[label.instanceType] ?? ''}" not found`;
    return { kind: 'unknown', message };
  }
  for (const key of [label.capacityType, label.zone]) {
    if (labels[key] !== undefined) continue;
    return { kind: 'unknown', message: `Node does not have label "${key}"` };
  }
  return disabledReason(candidate) ?? policyReason(candidate) ?? windowReason(candidate);
}

const staticPool: Reason = { kind: 'policy', message: 'NodePool keeps a fixed number of nodes' };

function disabledReason({ pool }: Candidate): Reason | undefined {
  if (pool.spec.disruption.consolidateAfter !== 'Never') return undefined;
  const message = `NodePool "${pool.metadata.name}" has consolidation disabled`;
  return { kind: 'policy', message };
}

function policyReason(candidate: Candidate): Reason | undefined {
  const { pool } = candidate;
  if (isEmpty(candidate)) return { kind: 'state', message: 'Node is empty' };
  if (pool.spec.disruption.consolidationPolicy !== 'WhenEmpty') return undefined;
  const message = `NodePool "${pool.metadata.name}" has consolidation policy WhenEmpty, but node is not empty`;
  return { kind: 'policy', message };
}

function windowReason({ nodeClaim, pool }: Candidate): Reason | undefined {
  const { conditions } = nodeClaim.status ?? {};
  if (isConditionTrue(conditions, nodeClaimCondition.consolidatable)) return undefined;
  const { consolidateAfter } = pool.spec.disruption;
  const message = `Pods came or went within the last ${consolidateAfter}, or nobody has looked yet`;
  return { kind: 'window', message };
}

function isVirtual(annotations: Readonly<Record<string, string>> = {}): boolean {
  return annotations[annotation.capacityBufferFakePod] === 'true';
}
