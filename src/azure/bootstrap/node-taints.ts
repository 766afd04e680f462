// The taints with which a node registers. In: a NodeClaim. Out: its taints and startup taints as the wire writes them.
// Every node starts unregistered: without that taint pods would land on it before its labels and taints are known.
import type { Taint } from '../../api/core.ts';
import type { NodeClaim } from '../../api/node-claim.ts';
import { describeTaint, isSameTaint, unregisteredTaint } from '../../model/taint.ts';

export interface NodeTaints {
  readonly taints: readonly string[];
  readonly startupTaints: readonly string[];
}

export function nodeTaintsOf({ spec }: Pick<NodeClaim, 'spec'>): NodeTaints {
  const { taints = [], startupTaints = [] } = spec;
  const isUnregistered = (taint: Taint) => isSameTaint(taint, unregisteredTaint);
  const hasIt = [...taints, ...startupTaints].some(isUnregistered);
  return {
    taints: taints.map(describeTaint),
    startupTaints: [...startupTaints, ...(hasIt ? [] : [unregisteredTaint])].map(describeTaint),
  };
}

/** Each once, whether it stays or not. */
export function allTaintsOf(nodeClaim: Pick<NodeClaim, 'spec'>): readonly string[] {
  const { taints, startupTaints } = nodeTaintsOf(nodeClaim);
  return [...new Set([...taints, ...startupTaints])];
}
