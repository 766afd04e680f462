// The queue between what changes and who reacts. In: keys, now or later. Out: keys, one at a time, to workers.
// Keys, not events: a key added a hundred times before a worker comes is worked once.
//
//            add                     get                done
//   (idle) ───────────▶ dirty ─────────────▶ processing ──────▶ (idle), or dirty when added meanwhile
//     │ addAfter          ▲
//     └──────▶ waiting ───┘ due, or an earlier add
//
// Invariants
//  1. A key is never in the hands of two workers: what is added while processing waits for `done`.
//  2. No add is lost before shutdown: after `add` returns, a worker is yet to start on the key.
//  3. A key has one due time, the earliest given; an `add` takes the place of the wait.
//  4. Keys are handed out in the order in which they became due.
//  5. After a shutdown no timer is left, nothing can be added, and every `get` is answered.
import type { Clock, Timer } from '../../base/clock.ts';
import { DueTimes } from './due-times.ts';
import { Fifo } from '../../base/fifo.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { WorkQueueMeter, WorkQueueMetrics } from './work-queue-metrics.ts';

export class WorkQueue {
  readonly #name: string;
  readonly #clock: Clock;
  readonly #limiter: RateLimiter;
  readonly #meter: WorkQueueMeter | undefined;
  /** Keys to be worked on, and since when. Those not processing are also in `#ready`. */
  readonly #dirty = new Map<string, number>();
  /** Keys in the hands of a worker, and since when. */
  readonly #processing = new Map<string, number>();
  readonly #ready = new Fifo<string>();
  readonly #due = new DueTimes();
  readonly #waiters = new Fifo<(key: string | undefined) => void>();
  readonly #idle = Promise.withResolvers<void>();
  #timer: Timer | undefined;
  #timerMs = 0;
  #closed = false;

  constructor(options: {
    readonly name: string;
    readonly clock: Clock;
    readonly limiter: RateLimiter;
    readonly metrics?: WorkQueueMetrics | undefined;
  }) {
    this.#name = options.name;
    this.#clock = options.clock;
    this.#limiter = options.limiter;
    this.#meter = options.metrics?.register(options.name, () => this.#runningSeconds());
  }

  /** Keys a worker could be given now. */
  get length(): number {
    return this.#ready.size;
  }

  add(key: string): void {
    if (this.#closed || this.#dirty.has(key)) return;
    if (this.#due.delete(key)) this.#arm();
    this.#markDirty(key);
  }

  /** Adds the key after a delay; an earlier due time of the same key stays. */
  addAfter(key: string, delayMs: number): void {
    if (this.#closed) return;
    if (delayMs <= 0) {
      this.add(key);
      return;
    }
    this.#meter?.retried();
    if (this.#dirty.has(key)) return;
    this.#due.set(key, this.#clock.monotonic() + delayMs);
    this.#arm();
  }

  /** Adds the key once its backoff and the bucket of all retries allow. */
  addRateLimited(key: string): void {
    if (!this.#closed) this.addAfter(key, this.#limiter.delayMs(key));
  }

  /** Ends the key's backoff: its next failure counts as the first. */
  forget(key: string): void {
    this.#limiter.forget(key);
  }

  numRequeues(key: string): number {
    return this.#limiter.requeues(key);
  }

  /** The next key, which must be given back by `done`; undefined once the queue is shut down and empty. */
  get(): Promise<string | undefined> {
    const key = this.#take();
    if (key !== undefined) return Promise.resolve(key);
    if (this.#isSpent()) return Promise.resolve(undefined);
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  done(key: string): void {
    const startedMs = this.#processing.get(key);
    if (startedMs === undefined) return;
    this.#processing.delete(key);
    this.#meter?.worked((this.#clock.monotonic() - startedMs) / 1000);
    if (this.#dirty.has(key)) this.#makeReady(key);
    this.#finish();
  }

  /**
   * Takes no more keys and forgets those that wait for a moment. With `drain` the keys that are due are still
   * handed out, without it they are dropped. Resolves when no worker has a key any more.
   */
  shutDown(options: { readonly drain: boolean }): Promise<void> {
    this.#closed = true;
    this.#due.clear();
    this.#arm();
    if (!options.drain) {
      this.#meter?.dropped(this.#dirty.size);
      this.#dirty.clear();
      this.#ready.clear();
    }
    this.#finish();
    return this.#idle.promise;
  }

  #markDirty(key: string): void {
    if (this.#dirty.has(key)) return;
    this.#dirty.set(key, this.#clock.monotonic());
    this.#meter?.added();
    if (!this.#processing.has(key)) this.#makeReady(key);
  }

  #makeReady(key: string): void {
    this.#ready.push(key);
    if (this.#waiters.size > 0) this.#waiters.shift()?.(this.#take());
  }

  #take(): string | undefined {
    const key = this.#ready.shift();
    if (key === undefined) return undefined;
    const nowMs = this.#clock.monotonic();
    this.#meter?.taken((nowMs - (this.#dirty.get(key) ?? nowMs)) / 1000);
    this.#dirty.delete(key);
    this.#processing.set(key, nowMs);
    return key;
  }

  /** Nothing will come out any more. A key that is dirty while processing still will, after its `done`. */
  #isSpent(): boolean {
    return this.#closed && this.#dirty.size === 0;
  }

  #finish(): void {
    if (!this.#isSpent()) return;
    while (this.#waiters.size > 0) this.#waiters.shift()?.(undefined);
    if (this.#processing.size === 0) this.#idle.resolve();
  }

  /** Keeps one timer, for the earliest due time. One that fires too early only looks again. */
  #arm(): void {
    const nextMs = this.#due.nextMs();
    if (nextMs === undefined) {
      this.#timer?.cancel();
      this.#timer = undefined;
      return;
    }
    if (this.#timer !== undefined && this.#timerMs <= nextMs) return;
    this.#timer?.cancel();
    this.#timerMs = nextMs;
    this.#timer = this.#clock.setTimer(
      nextMs - this.#clock.monotonic(),
      () => this.#onTimer(),
      `work queue ${this.#name}`,
    );
  }

  #onTimer(): void {
    this.#timer = undefined;
    const nowMs = this.#clock.monotonic();
    for (let key = this.#due.take(nowMs); key !== undefined; key = this.#due.take(nowMs)) {
      this.#markDirty(key);
    }
    this.#arm();
  }

  *#runningSeconds(): Generator<number> {
    const nowMs = this.#clock.monotonic();
    for (const startedMs of this.#processing.values()) yield (nowMs - startedMs) / 1000;
  }
}
