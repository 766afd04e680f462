// Keeps pods off cordoned nodes, unless they tolerate the taint that a cordon stands for.
import type { NodeState } from '../node-state.ts';
import type { PodShape } from '../pod-shape.ts';
import { toleratesAny } from '../toleration.ts';
import { refuseForGood, type Verdict } from '../verdict.ts';

const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' } as const;

export function filterUnschedulable(shape: PodShape, node: NodeState): Verdict {
  if (node.node?.spec?.unschedulable !== true) return undefined;
  if (toleratesAny(shape.spec.tolerations ?? [], cordon)) return undefined;
  return refuseForGood('node(s) were unschedulable');
}
