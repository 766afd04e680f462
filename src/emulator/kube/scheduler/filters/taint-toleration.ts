// Keeps pods off nodes with a NoSchedule or NoExecute taint that they do not tolerate.
import type { NodeState } from '../node-state.ts';
import type { PodShape } from '../pod-shape.ts';
import { schedulingEffects, untoleratedTaint } from '../toleration.ts';
import { refuseForGood, type Verdict } from '../verdict.ts';

export function filterTaints(shape: PodShape, node: NodeState): Verdict {
  const { tolerations = [] } = shape.spec;
  if (untoleratedTaint(node.taints, tolerations, schedulingEffects) === undefined) return undefined;
  return refuseForGood('node(s) had untolerated taint(s)');
}
