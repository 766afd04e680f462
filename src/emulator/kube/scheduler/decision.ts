// What to do about one pod: give it a node, make room for it, or say why neither is possible.
// In: the pod and the cluster as it is. Out: a decision; nothing is written and the cluster is as before.
import type { Prepared } from './feasibility.ts';
import { describeMisfit } from './fit-message.ts';
import type { NodeState } from './node-state.ts';
import type { SchedulingPod } from './objects.ts';
import type { NoPlace, Placer } from './placement.ts';
import type { PodShape } from './pod-shape.ts';
import { preempt, type Candidate, type PreemptionContext } from './preemption.ts';

export type Decision =
  | { readonly kind: 'place'; readonly node: NodeState; readonly prepared: Prepared }
  | { readonly kind: 'preempt'; readonly candidate: Candidate; readonly message: string }
  | {
      readonly kind: 'refuse';
      readonly message: string;
      /** Victims are still leaving: the promise of a node stands. */
      readonly keepsPromise: boolean;
    };

/** Upstream asks first whether a device could be given back; nothing here has devices. */
const noDevices = 'no new claims to deallocate';
/** What upstream prints when a pod was refused before any node was asked. */
const nothingToPreempt = 'not found';
const stillLeaving = 'preemption: not eligible due to a terminating pod on the nominated node.';

export function decide(
  pod: SchedulingPod,
  shape: PodShape,
  placer: Placer,
  context: PreemptionContext,
): Decision {
  const placement = placer.place(pod, shape);
  if (placement.node !== undefined) {
    return { kind: 'place', node: placement.node, prepared: placement.prepared };
  }
  const { why } = placement;
  const nodeCount = context.state.nodes.length;
  const outcome =
    nodeCount === 0 || why.prepared === undefined
      ? nothingToPreempt
      : preempt(why.prepared, pod, why.perNode, context);
  if (typeof outcome === 'object') {
    return { kind: 'preempt', candidate: outcome, message: explain(why, nodeCount) };
  }
  const asked = why.prepared === undefined ? outcome : `${noDevices}, ${outcome}`;
  const message = explain(why, nodeCount, asked);
  return { kind: 'refuse', message, keepsPromise: outcome === stillLeaving };
}

function explain(why: NoPlace, nodeCount: number, preemption?: string): string {
  const { everywhere, perNode, unasked } = why;
  return describeMisfit({
    nodeCount,
    perNode,
    ...(everywhere === undefined ? {} : { everywhere }),
    ...(unasked === undefined ? {} : { unasked }),
    ...(preemption === undefined ? {} : { preemption }),
  });
}
