// Runnables that start and stop together. In: runnables. Out: who of them has not ended yet.
// A runnable that fails is reported once; one that ends by itself is no longer counted.
import { asError } from '../../base/errors.ts';
import type { Runnable } from './runnable.ts';

export class RunnableGroup {
  readonly #stopping = new AbortController();
  readonly #running = new Set<Runnable>();
  readonly #ends: Promise<void>[] = [];
  readonly #onFailure: (error: Error) => void;

  constructor(onFailure: (error: Error) => void) {
    this.#onFailure = onFailure;
  }

  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Names of those that run. */
  get running(): string[] {
    return [...this.#running].map(({ name }) => name);
  }

  start(runnable: Runnable): void {
    if (this.signal.aborted) return;
    this.#running.add(runnable);
    this.#ends.push(this.#follow(runnable));
  }

  /** Tells all to stop. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Resolves when none runs any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#ends);
  }

  async #follow(runnable: Runnable): Promise<void> {
    try {
      await runnable.run(this.signal);
    } catch (thrown) {
      this.#onFailure(asError(thrown));
    } finally {
      this.#running.delete(runnable);
    }
  }
}
