// Tells the API how a pod is. In: that something changed, and a way to see the pod as it is then. Out: status patches, one at a time.
// 1. Changes of one moment are one patch. 2. The last state is always told, however often the API fails.
// 3. A pod that is gone, or is another one of the same name, is never written to again.
import { sleep } from '../../../base/clock.ts';
import { textAt, type JsonObject } from '../../kube/json.ts';
import { isDone } from '../kube-connection.ts';
import type { PodHost } from './pod-host.ts';

const retryMs = 1000;

export class PodReporter {
  readonly #host: PodHost;
  readonly #pod: JsonObject;
  readonly #status: () => JsonObject;
  #isDirty = false;
  #isGone = false;
  #writing: Promise<void> | undefined;

  constructor(host: PodHost, pod: JsonObject, status: () => JsonObject) {
    this.#host = host;
    this.#pod = pod;
    this.#status = status;
  }

  changed(): void {
    this.#isDirty = true;
    this.#writing ??= this.#write();
    // Whoever waits for it hears of the failure; it is an abort, and no news to anybody else.
    this.#writing.catch(() => undefined);
  }

  /** Resolves when all that changed so far is told. */
  async told(): Promise<void> {
    await this.#writing;
  }

  /** Takes the pod out of the API: its kubelet has nothing left of it. */
  async remove(): Promise<void> {
    const { gate, connection, signal, clock } = this.#host;
    while (!this.#isGone) {
      await gate.pass(signal);
      const body = {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        gracePeriodSeconds: 0,
        preconditions: { uid: textAt(this.#pod, 'metadata', 'uid') },
      };
      const target = this.#target('');
      const { status } = await connection.send({ method: 'DELETE', target, body }, signal);
      if (status >= 200 && status < 500 && status !== 429) return;
      await sleep(clock, retryMs, { signal, label: 'kubelet pod removal' });
    }
  }

  async #write(): Promise<void> {
    try {
      await this.#writeAll();
    } finally {
      // Not a moment later than the loop ends: a change in between would wait for nobody.
      this.#writing = undefined;
    }
  }

  async #writeAll(): Promise<void> {
    const { gate, connection, signal, clock } = this.#host;
    while (this.#isDirty && !this.#isGone) {
      await gate.pass(signal);
      this.#isDirty = false;
      const body = {
        metadata: { uid: textAt(this.#pod, 'metadata', 'uid') },
        status: this.#status(),
      };
      const target = this.#target('/status');
      const answer = await connection.send({ method: 'PATCH', target, body }, signal);
      if (isDone(answer)) continue;
      if (answer.status === 404 || answer.status === 409) {
        this.#isGone = true;
        return;
      }
      this.#isDirty = true;
      await sleep(clock, retryMs, { signal, label: 'kubelet pod status' });
    }
  }

  #target(subresource: string): string {
    const namespace = textAt(this.#pod, 'metadata', 'namespace');
    return `/api/v1/namespaces/${namespace}/pods/${textAt(this.#pod, 'metadata', 'name')}${subresource}`;
  }
}
