// Pods that have a node and wait for their volumes there. In: decisions and claims as they get bound.
// Out: which pods can be bound now, and which have waited too long.
// While a pod waits it is counted on its node, so nobody else takes its room.
import type { StorageState } from './storage-state.ts';
import type { QueuedPod } from './pod-queue.ts';
import { isFullyBound } from './volume-match.ts';

const longestWaitMs = 10 * 60_000;

export interface WaitingPod {
  readonly queued: QueuedPod;
  readonly nodeName: string;
  readonly claims: readonly string[];
  readonly untilMs: number;
}

export class VolumeWait {
  readonly #waiting = new Map<string, WaitingPod>();

  add(waiting: Omit<WaitingPod, 'untilMs'>, nowMs: number): void {
    this.#waiting.set(waiting.queued.uid, { ...waiting, untilMs: nowMs + longestWaitMs });
  }

  has(uid: string): boolean {
    return this.#waiting.has(uid);
  }

  remove(uid: string): WaitingPod | undefined {
    const waiting = this.#waiting.get(uid);
    this.#waiting.delete(uid);
    return waiting;
  }

  /** Takes out the pods whose claims are all bound. */
  takeReady(storage: StorageState): readonly WaitingPod[] {
    return this.#take(({ claims }) =>
      claims.every((key) => {
        const claim = storage.claims.get(key);
        return claim !== undefined && isFullyBound(claim);
      }),
    );
  }

  /** Takes out the pods that cannot be helped: out of time, or a claim lost its node. */
  takeFailed(storage: StorageState, nowMs: number): readonly WaitingPod[] {
    return this.#take(
      ({ claims, untilMs, nodeName }) =>
        untilMs <= nowMs ||
        claims.some((key) => {
          const claim = storage.claims.get(key);
          if (claim === undefined) return true;
          const selected = claim.metadata.annotations?.['volume.kubernetes.io/selected-node'];
          return !isFullyBound(claim) && selected !== undefined && selected !== nodeName;
        }),
    );
  }

  nextMs(nowMs: number): number | undefined {
    const due = Math.min(...[...this.#waiting.values()].map(({ untilMs }) => untilMs));
    return due === Infinity ? undefined : Math.max(0, due - nowMs);
  }

  #take(wanted: (waiting: WaitingPod) => boolean): readonly WaitingPod[] {
    const taken = [...this.#waiting.values()].filter(wanted);
    for (const { queued } of taken) this.#waiting.delete(queued.uid);
    return taken;
  }
}
