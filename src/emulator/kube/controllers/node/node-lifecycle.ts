// Node lifecycle: notices nodes that have gone silent. In: nodes and their leases. Out: conditions turned Unknown,
// taints that keep pods off or drive them away, and the pods of such a node marked not ready.
// A heartbeat is a lease or a status seen to change; when it was seen counts, not what it says, so a wrong clock on
// the node does no harm.
import { toTimestamp } from '../../../../base/clock.ts';
import type { Json } from '../../../../api/meta.ts';
import { stringAt } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { podOf } from '../../scheduler/objects.ts';
import { readyCondition } from '../pods.ts';
import { address } from '../runtime/addresses.ts';
import type {
  Again,
  Controller,
  ControllerContext,
  ControllerFactory,
} from '../runtime/controller.ts';
import type { Informer } from '../runtime/informer.ts';
import { conditionsOf, readyStatus, silenced, taintsFor } from './node-health.ts';

const graceMs = 50_000;
/** A new node has longer: its kubelet may be on its way. */
const startupGraceMs = 60_000;

export const nodeLifecycleController: ControllerFactory = (context) =>
  new NodeLifecycleController(context);

class NodeLifecycleController implements Controller {
  readonly name = 'node-controller';
  readonly #context: ControllerContext;
  readonly #nodes: Informer;
  readonly #pods: Informer;
  /** When each node was last seen to live, in monotonic time. */
  readonly #heardMs = new Map<string, number>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#nodes = context.informers.of(address.nodes);
    this.#pods = context.informers.of(address.pods);
    this.#pods.addIndex('node', (pod) => [podOf(pod).spec.nodeName ?? '']);
    this.#nodes.onChange(({ before, after }) => {
      const name = (after ?? before)?.metadata.name ?? '';
      this.#greet(before, after);
      if (after === undefined) this.#heardMs.delete(name);
      else if (before === undefined || heartbeats(before) !== heartbeats(after)) this.#hear(name);
      context.enqueue(name);
    });
    context.informers.of(address.leases).onChange(({ after }) => {
      if (after?.metadata.namespace === 'kube-node-lease') this.#hear(after.metadata.name);
    });
    this.#pods.onChange(({ before, after }) => {
      const nodeName = after === undefined ? undefined : podOf(after).spec.nodeName;
      if (nodeName === undefined || !isReadyPod(after) || isReadyPod(before)) return;
      // A pod reported ready by a node that is not: marked again.
      context.enqueue(nodeName);
    });
  }

  reconcile(name: string): Again {
    const node = this.#nodes.get(name);
    if (node === undefined || node.metadata.deletionTimestamp !== undefined) return undefined;
    const checked = this.#checkSilence(this.#label(node));
    const tainted = this.#taint(checked);
    if (readyStatus(tainted) !== 'True') this.#markPods(tainted);
    return this.#untilSilentMs(tainted);
  }

  #greet(before: ApiObject | undefined, after: ApiObject | undefined): void {
    if (before === undefined && after !== undefined) this.#tell(after, 'Registered', 'in');
    if (after === undefined && before !== undefined) this.#tell(before, 'Removing', 'from');
  }

  #tell(node: ApiObject, what: 'Registered' | 'Removing', where: string): void {
    const { name } = node.metadata;
    const message = `Node ${name} event: ${what} Node ${name} ${where} Controller`;
    this.#context.events.say({ about: node, reason: `${what}Node`, message });
  }

  /** Old names of the same facts. */
  #label(node: ApiObject): ApiObject {
    const { labels = {} } = node.metadata;
    const missing = ['os', 'arch'].filter(
      (fact) => labels[`kubernetes.io/${fact}`] !== labels[`beta.kubernetes.io/${fact}`],
    );
    const entries = missing.flatMap((fact) => {
      const value = labels[`kubernetes.io/${fact}`];
      return value === undefined ? [] : [[`beta.kubernetes.io/${fact}`, value] as const];
    });
    if (entries.length === 0) return node;
    const metadata = { ...node.metadata, labels: { ...labels, ...Object.fromEntries(entries) } };
    return this.#context.client.update(address.nodes, { ...node, metadata });
  }

  #hear(name: string): void {
    this.#heardMs.set(name, this.#context.clock.monotonic());
    const node = this.#nodes.get(name);
    if (node !== undefined) this.#context.enqueue(name, this.#graceOf(node));
  }

  #graceOf(node: ApiObject): number {
    return conditionsOf(node).some(({ type }) => type === 'Ready') ? graceMs : startupGraceMs;
  }

  #untilSilentMs(node: ApiObject): Again {
    const heardMs = this.#heardMs.get(node.metadata.name) ?? 0;
    const leftMs = heardMs + this.#graceOf(node) - this.#context.clock.monotonic();
    return leftMs > 0 ? leftMs : undefined;
  }

  #checkSilence(node: ApiObject): ApiObject {
    if (this.#untilSilentMs(node) !== undefined) return node;
    const conditions = silenced(node, this.#context.clock.now());
    if (conditions === conditionsOf(node)) return node;
    const { name } = node.metadata;
    const status = { ...(node['status'] as object), conditions } as unknown as Json;
    const updated = this.#context.client.update(address.nodes, { ...node, status }, 'status');
    const message = `Node ${name} status is now: NodeNotReady`;
    this.#context.events.say({ about: node, reason: 'NodeNotReady', message });
    return updated;
  }

  #taint(node: ApiObject): ApiObject {
    const known = (node['spec'] as { taints?: Json } | undefined)?.taints ?? [];
    const wanted = taintsFor(node, this.#context.clock.now()) as unknown as Json;
    if (JSON.stringify(known) === JSON.stringify(wanted)) return node;
    const spec = { ...(node['spec'] as object), taints: wanted };
    return this.#context.client.update(address.nodes, { ...node, spec });
  }

  #markPods(node: ApiObject): void {
    const { client, clock, events } = this.#context;
    for (const object of this.#pods.indexed('node', node.metadata.name)) {
      if (!isReadyPod(object)) continue;
      const { conditions = [] } = podOf(object).status ?? {};
      const marked = conditions.map((condition) =>
        condition.type === 'Ready'
          ? { ...condition, status: 'False', lastTransitionTime: toTimestamp(clock.now()) }
          : condition,
      );
      const { namespace, name } = object.metadata;
      const patch = { status: { conditions: marked as unknown as Json } };
      client.merge(address.pods, { namespace, name }, patch, 'status');
      const about = { about: object, type: 'Warning' as const, reason: 'NodeNotReady' };
      events.say({ ...about, message: 'Node is not ready' });
    }
  }
}

function heartbeats(node: ApiObject): string {
  return JSON.stringify(conditionsOf(node).map((c) => [c.type, c.status, c.lastHeartbeatTime]));
}

function isReadyPod(object: ApiObject | undefined): boolean {
  if (object === undefined || stringAt(object, 'status', 'phase') === undefined) return false;
  return readyCondition(podOf(object))?.status === 'True';
}
