// What Azure's controller does with nodes whose machine has left them. In: machines that are gone, stopped, or back. Out: a node that is
// not ready is deleted when its machine is gone, and tainted as shut down while it is stopped.
// 1. A ready node is left alone, whatever is said of its machine. 2. A node that is another machine's is never touched.
// 3. Nothing runs while no machine is missing.
import type { Clock, Timer } from '../../base/clock.ts';
import type { VirtualMachine } from '../azure/compute/vm-events.ts';
import { objectsAt, stringAt, textAt, type JsonObject } from '../kube/json.ts';
import { providerIdOf } from './cloud-node-manager.ts';
import { KubeConnection } from './kube-connection.ts';
import type { KubeEndpoint } from './kube-endpoint.ts';
import { nodeNameOf } from './kubelet/node-object.ts';

export type MachineWhereabouts = 'gone' | 'stopped' | 'back';

/** Other controllers look as often. */
const periodMs = 5000;
const shutdownTaint = { key: 'node.cloudprovider.kubernetes.io/shutdown', effect: 'NoSchedule' };

interface Missing {
  readonly vm: VirtualMachine;
  readonly whereabouts: MachineWhereabouts;
}

export class CloudNodeLifecycle {
  readonly #clock: Clock;
  readonly #connections: readonly KubeConnection[];
  readonly #missing = new Map<string, Missing>();
  readonly #stopped = new AbortController();
  #timer: Timer | undefined;

  constructor(options: { readonly clock: Clock; readonly endpoints: readonly KubeEndpoint[] }) {
    this.#clock = options.clock;
    this.#connections = options.endpoints.map(
      ({ handler, cloudToken: token }) =>
        new KubeConnection({
          handler,
          credential: { token },
          agent: 'cloud-controller-manager',
        }),
    );
  }

  note(vm: VirtualMachine, whereabouts: MachineWhereabouts): void {
    const key = vm.id.toLowerCase();
    // A machine that runs is watched only as long as its node may still say that it does not.
    if (whereabouts === 'back' && !this.#missing.has(key)) return;
    this.#missing.set(key, { vm, whereabouts });
    this.#schedule();
  }

  stop(): void {
    this.#stopped.abort();
    this.#timer?.cancel();
    this.#missing.clear();
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#missing.size === 0 || this.#stopped.signal.aborted)
      return;
    this.#timer = this.#clock.setTimer(periodMs, () => void this.#look(), 'cloud node lifecycle');
  }

  async #look(): Promise<void> {
    for (const [key, missing] of this.#missing) {
      const settled = await Promise.all(
        this.#connections.map((connection) => this.#settle(connection, missing)),
      );
      if (settled.every(Boolean) && this.#missing.get(key) === missing) this.#missing.delete(key);
    }
    this.#timer = undefined;
    this.#schedule();
  }

  /** True when nothing is left to do about the machine's node. */
  async #settle(connection: KubeConnection, { vm, whereabouts }: Missing): Promise<boolean> {
    const { signal } = this.#stopped;
    if (signal.aborted) return true;
    const target = `/api/v1/nodes/${nodeNameOf(vm)}`;
    const { status, body: node } = await connection.send({ method: 'GET', target }, signal);
    if (status === 404) return whereabouts === 'gone';
    if (status !== 200) return false;
    if (textAt(node, 'spec', 'providerID') !== providerIdOf(vm)) return true;
    // Only one that is back is believed when it says that it is ready.
    if ((readyOf(node) === 'True') !== (whereabouts === 'back')) return false;
    return await actions[whereabouts](connection, node, signal);
  }
}

type Action = (
  connection: KubeConnection,
  node: JsonObject,
  signal: AbortSignal,
) => Promise<boolean>;

/** Each true when the machine needs no more looking after. */
const actions: Readonly<Record<MachineWhereabouts, Action>> = {
  back: (connection, node, signal) => retaint(connection, node, [], signal),
  stopped: async (connection, node, signal) => {
    await retaint(connection, node, [shutdownTaint], signal);
    return false;
  },
  gone: async (connection, node, signal) => {
    const target = `/api/v1/nodes/${textAt(node, 'metadata', 'name')}`;
    const { status } = await connection.send({ method: 'DELETE', target }, signal);
    return status === 200 || status === 404;
  },
};

function readyOf(node: JsonObject): string | undefined {
  const ready = objectsAt(node, 'status', 'conditions').find(({ type }) => type === 'Ready');
  return stringAt(ready, 'status');
}

/** The node's taints with these for the one that says it is shut down; true when they are so. */
async function retaint(
  connection: KubeConnection,
  node: JsonObject,
  wanted: readonly JsonObject[],
  signal: AbortSignal,
): Promise<boolean> {
  const all = objectsAt(node, 'spec', 'taints');
  const others = all.filter(({ key }) => key !== shutdownTaint.key);
  if (all.length - others.length === wanted.length) return true;
  const taints = [...others, ...wanted];
  const body = {
    metadata: { resourceVersion: textAt(node, 'metadata', 'resourceVersion') },
    spec: { taints: taints.length === 0 ? null : taints },
  };
  const target = `/api/v1/nodes/${textAt(node, 'metadata', 'name')}`;
  const { status } = await connection.send(
    { method: 'PATCH', target, body, patch: 'merge' },
    signal,
  );
  return status === 200;
}
