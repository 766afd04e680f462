// Drives pods off nodes with NoExecute taints. In: nodes, pods and what they tolerate for how long. Out: deletions.
// A pod that tolerates every such taint stays for the shortest of its toleration times, for ever if none has one.
// The time starts when the taint was added; a taint removed in time saves the pod.
import { toTimestamp } from '../../../../base/clock.ts';
import type { Taint, Toleration } from '../../../../api/core.ts';
import type { ApiObject } from '../../object.ts';
import { nodeOf, podOf } from '../../scheduler/objects.ts';
import { tolerates } from '../../scheduler/toleration.ts';
import { address } from '../runtime/addresses.ts';
import type {
  Again,
  Controller,
  ControllerContext,
  ControllerFactory,
} from '../runtime/controller.ts';
import { objectKey, type Informer } from '../runtime/informer.ts';

/** Milliseconds since the epoch at which the pod must go; undefined when it may stay. */
export function evictionTimeMs(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
  nowMs: number,
): number | undefined {
  let dueMs = Infinity;
  for (const taint of taints.filter(({ effect }) => effect === 'NoExecute')) {
    const matching = tolerations.filter((toleration) => tolerates(toleration, taint));
    if (matching.length === 0) return nowMs;
    const startMs = taint.timeAdded === undefined ? nowMs : Date.parse(taint.timeAdded);
    for (const { tolerationSeconds } of matching) {
      if (tolerationSeconds === undefined) continue;
      dueMs = Math.min(dueMs, startMs + Math.max(0, tolerationSeconds) * 1000);
    }
  }
  return dueMs === Infinity ? undefined : dueMs;
}

export const taintEvictionController: ControllerFactory = (context) =>
  new TaintEvictionController(context);

class TaintEvictionController implements Controller {
  readonly name = 'taint-eviction-controller';
  readonly #context: ControllerContext;
  readonly #nodes: Informer;
  readonly #pods: Informer;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#nodes = context.informers.of(address.nodes);
    this.#pods = context.informers.of(address.pods);
    this.#pods.addIndex('node', (pod) => [podOf(pod).spec.nodeName ?? '']);
    this.#nodes.onChange(({ before, after }) => {
      if (after === undefined || noExecute(before) === noExecute(after)) return;
      for (const pod of this.#pods.indexed('node', after.metadata.name)) {
        context.enqueue(objectKey(pod));
      }
    });
    this.#pods.onChange(({ before, after }) => {
      const moved = before === undefined || nodeNameOf(before) !== nodeNameOf(after);
      if (after !== undefined && moved && nodeNameOf(after) !== '')
        context.enqueue(objectKey(after));
    });
  }

  reconcile(key: string): Again {
    const pod = this.#pods.get(key);
    const node = this.#nodes.get(nodeNameOf(pod));
    if (pod === undefined || node === undefined) return undefined;
    if (pod.metadata.deletionTimestamp !== undefined) return undefined;
    const nowMs = this.#context.clock.now();
    const taints = nodeOf(node).spec?.taints ?? [];
    const dueMs = evictionTimeMs(taints, podOf(pod).spec.tolerations ?? [], nowMs);
    if (dueMs === undefined) return undefined;
    if (dueMs > nowMs) return dueMs - nowMs;
    this.#evict(pod);
    return undefined;
  }

  #evict(pod: ApiObject): void {
    const { client, clock, events } = this.#context;
    const { namespace = '', name } = pod.metadata;
    const message = `Marking for deletion Pod ${namespace}/${name}`;
    events.say({ about: pod, reason: 'TaintManagerEviction', message });
    client.api.patch({
      context: client.context,
      resource: address.pods,
      namespace,
      name,
      subresource: 'status',
      patchType: 'application/strategic-merge-patch+json',
      patch: {
        status: {
          conditions: [
            {
              type: 'DisruptionTarget',
              status: 'True',
              reason: 'DeletionByTaintManager',
              message: 'Taint manager: deleting due to NoExecute taint',
              lastTransitionTime: toTimestamp(clock.now()),
            },
          ],
        },
      },
    });
    client.delete(address.pods, pod);
  }
}

function nodeNameOf(pod: ApiObject | undefined): string {
  return pod === undefined ? '' : (podOf(pod).spec.nodeName ?? '');
}

function noExecute(node: ApiObject | undefined): string {
  const taints = node === undefined ? [] : (nodeOf(node).spec?.taints ?? []);
  return JSON.stringify(taints.filter(({ effect }) => effect === 'NoExecute'));
}
