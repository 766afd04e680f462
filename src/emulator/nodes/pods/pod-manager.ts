// The pods of one node. In: what the API says is bound to it. Out: a worker for each pod that is admitted, a failure for each that is
// not, and word whenever what runs here changes.
// 1. A pod has one worker, by uid. 2. What is gone from the API is gone from the node.
import { sleep } from '../../../base/clock.ts';
import { objectsAt, textAt, type JsonObject } from '../../kube/json.ts';
import { isDone, type WatchedChange } from '../kube-connection.ts';
import { admissionError, isCritical, priorityOf } from './pod-admission.ts';
import type { PodHost } from './pod-host.ts';
import { PodWorker } from './pod-worker.ts';

export interface NodeRoom {
  readonly allocatable: Readonly<Record<string, string>>;
  readonly hasDiskPressure: boolean;
}

const retryMs = 1000;

export class PodManager {
  readonly #host: PodHost;
  readonly #target: string;
  readonly #room: () => NodeRoom;
  readonly #workers = new Map<string, PodWorker>();

  constructor(options: {
    readonly host: PodHost;
    readonly nodeName: string;
    readonly room: () => NodeRoom;
  }) {
    this.#host = options.host;
    this.#room = options.room;
    const selector = encodeURIComponent(`spec.nodeName=${options.nodeName}`);
    this.#target = `/api/v1/pods?fieldSelector=${selector}`;
  }

  get workers(): readonly PodWorker[] {
    return [...this.#workers.values()];
  }

  /** Puts out the pod that matters least; of equals the newest. Pods of the system are never put out. */
  evictOne(): void {
    const [least] = this.workers
      .filter((worker) => worker.isOccupying && !isCritical(worker.pod))
      .toSorted(
        (a, b) =>
          priorityOf(a.pod) - priorityOf(b.pod) || (createdOf(a.pod) > createdOf(b.pod) ? -1 : 1),
      );
    const message = 'The node was low on resource: ephemeral-storage. ';
    least?.evict({ reason: 'Evicted', message });
  }

  /** Until the host's signal aborts. */
  async run(): Promise<never> {
    const { connection, clock, gate, signal } = this.#host;
    for (;;) {
      await gate.pass(signal);
      const list = await connection.send({ method: 'GET', target: this.#target }, signal);
      if (isDone(list)) await this.#follow(list.body);
      await sleep(clock, retryMs, { signal, label: 'kubelet relist' });
    }
  }

  async #follow(list: JsonObject): Promise<void> {
    const { connection, gate, signal } = this.#host;
    const pods = objectsAt(list, 'items');
    const present = new Set(pods.map((pod) => uidOf(pod)));
    for (const uid of this.#workers.keys()) if (!present.has(uid)) this.#drop(uid);
    // The oldest first: a kubelet that comes back gives room to those that had it.
    const byAge = pods.toSorted((a, b) => (createdOf(a) < createdOf(b) ? -1 : 1));
    for (const pod of byAge) this.#see(pod);
    const version = textAt(list, 'metadata', 'resourceVersion');
    const changes = await connection.watch(
      `${this.#target}&watch=true&resourceVersion=${version}`,
      signal,
    );
    for await (const change of changes ?? []) {
      await gate.pass(signal);
      if (change.type === 'ERROR') return;
      this.#apply(change);
    }
  }

  #apply({ type, object }: WatchedChange): void {
    if (type === 'DELETED') this.#drop(uidOf(object));
    else if (type !== 'BOOKMARK') this.#see(object);
  }

  #see(pod: JsonObject): void {
    const uid = uidOf(pod);
    const known = this.#workers.get(uid);
    if (known !== undefined) {
      known.update(pod);
      return;
    }
    const others = this.workers.filter((worker) => worker.isOccupying);
    const rejection = admissionError({
      pod,
      others: others.map(({ requests }) => requests),
      ...this.#room(),
    });
    const worker = new PodWorker(this.#host, pod);
    this.#workers.set(uid, worker);
    worker.start(rejection);
    this.#host.podChanged();
  }

  #drop(uid: string): void {
    this.#workers.get(uid)?.abandon();
    this.#workers.delete(uid);
    this.#host.podChanged();
  }
}

function uidOf(pod: JsonObject): string {
  return textAt(pod, 'metadata', 'uid');
}

function createdOf(pod: JsonObject): string {
  return textAt(pod, 'metadata', 'creationTimestamp');
}
