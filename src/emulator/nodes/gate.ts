// A gate that programs pass before each step to the outside. In: shut and open. Out: those who come while it is shut wait. This is
// how a frozen kubelet stands still while the containers that it started run on.
import { abortReason } from '../../base/clock.ts';

export class Gate {
  #opened: PromiseWithResolvers<void> | undefined;

  shut(): void {
    this.#opened ??= Promise.withResolvers<void>();
  }

  open(): void {
    this.#opened?.resolve();
    this.#opened = undefined;
  }

  async pass(signal: AbortSignal): Promise<void> {
    while (this.#opened !== undefined) await until(this.#opened.promise, signal);
    signal.throwIfAborted();
  }
}

/** The promise, or a rejection as soon as the signal aborts. */
export async function until<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(abortReason(signal));
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
