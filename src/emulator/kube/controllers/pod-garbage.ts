// Pods that nobody will ever end: of nodes that are gone, terminating without a node, or ended and too many.
// In: pods and nodes, looked at every 20 seconds. Out: pods marked failed and removed without grace.
// A node must have been gone for 40 seconds: one that is only being replaced comes back.
import { toTimestamp } from '../../../base/clock.ts';
import { stringAt } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { podOf } from '../scheduler/objects.ts';
import { address } from './runtime/addresses.ts';
import type {
  Again,
  Controller,
  ControllerContext,
  ControllerFactory,
} from './runtime/controller.ts';
import type { Informer } from './runtime/informer.ts';

const periodMs = 20_000;
const quarantineMs = 40_000;
const mostEndedPods = 12_500;

export const podGarbageCollector: ControllerFactory = (context) => new PodGarbageCollector(context);

class PodGarbageCollector implements Controller {
  readonly name = 'pod-garbage-collector';
  readonly #context: ControllerContext;
  readonly #pods: Informer;
  readonly #nodes: Informer;
  /** Nodes that pods name and that do not exist, since when. */
  readonly #missingMs = new Map<string, number>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#pods = context.informers.of(address.pods);
    this.#nodes = context.informers.of(address.nodes);
    context.enqueue('pods');
  }

  reconcile(): Again {
    const nowMs = this.#context.clock.monotonic();
    const pods = [...this.#pods.values()];
    this.#noteMissing(pods, nowMs);
    for (const pod of pods) {
      const nodeName = podOf(pod).spec.nodeName ?? '';
      const missingMs = this.#missingMs.get(nodeName);
      if (missingMs !== undefined && nowMs - missingMs >= quarantineMs) {
        this.#remove(pod, 'PodGC: node no longer exists');
      } else if (nodeName === '' && pod.metadata.deletionTimestamp !== undefined) {
        this.#remove(pod, undefined);
      }
    }
    this.#trimEnded(pods);
    return periodMs;
  }

  #noteMissing(pods: readonly ApiObject[], nowMs: number): void {
    const named = new Set(pods.map((pod) => podOf(pod).spec.nodeName ?? ''));
    for (const name of named) {
      const isThere = name === '' || this.#nodes.get(name) !== undefined;
      if (isThere) this.#missingMs.delete(name);
      else if (!this.#missingMs.has(name)) this.#missingMs.set(name, nowMs);
    }
    for (const name of this.#missingMs.keys()) if (!named.has(name)) this.#missingMs.delete(name);
  }

  #trimEnded(pods: readonly ApiObject[]): void {
    const ended = pods.filter((pod) => isEnded(pod));
    if (ended.length <= mostEndedPods) return;
    const oldest = ended.toSorted((a, b) =>
      (a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1,
    );
    for (const pod of oldest.slice(0, ended.length - mostEndedPods)) this.#remove(pod, undefined);
  }

  #remove(pod: ApiObject, why: string | undefined): void {
    const { client, clock } = this.#context;
    const { namespace = '', name } = pod.metadata;
    if (!isEnded(pod) && why !== undefined) {
      client.api.patch({
        context: client.context,
        resource: address.pods,
        namespace,
        name,
        subresource: 'status',
        patchType: 'application/strategic-merge-patch+json',
        patch: {
          status: {
            phase: 'Failed',
            conditions: [
              {
                type: 'DisruptionTarget',
                status: 'True',
                reason: 'DeletionByPodGC',
                message: why,
                lastTransitionTime: toTimestamp(clock.now()),
              },
            ],
          },
        },
      });
    }
    client.delete(address.pods, pod, { gracePeriodSeconds: 0 });
  }
}

function isEnded(pod: ApiObject): boolean {
  const phase = stringAt(pod, 'status', 'phase');
  return phase === 'Succeeded' || phase === 'Failed';
}
