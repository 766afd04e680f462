// A clock that only moves when told to, so that a week of cluster life runs in seconds and a failure
// replays exactly. In: how far to move. Out: every timer that falls due, in order.
//
// Invariants
//  1. Time stands still unless `advance`, `runUntil` or `jump` is called.
//  2. Timers run in the order of their due time; equal times run in the order they were set.
//  3. While a timer runs, `now` is exactly its due time: never earlier, never later.
//  4. Between two timers all promises settle (microtasks, ticks and immediates), so what a timer started
//     has reached its next wait before time moves on.
//  5. Time does not move while tracked work (`track`) is under way: it waits for it in real time.
//  6. A timer set during `advance` for a time within its span runs in the same `advance`.
//  7. `jump` moves wall time only; no timer becomes due by it.
//  8. A timer that throws stops `advance` with that error; the timers after it are still pending.
import type { Clock, Timer } from './clock.ts';
import { CodedError } from './errors.ts';
import { Heap } from './heap.ts';

interface PendingTimer {
  readonly dueMs: number;
  readonly order: number;
  readonly label: string;
  run: (() => void) | undefined;
}

export interface PendingWork {
  readonly timers: readonly { readonly label: string; readonly inMs: number }[];
  readonly tracked: readonly string[];
}

export class VirtualClock implements Clock {
  #elapsedMs = 0;
  #wallOffsetMs: number;
  #order = 0;
  #advancing = false;
  /** Cancelled timers that are still in the heap. */
  #cancelled = 0;
  readonly #timers = new Heap<PendingTimer>((a, b) => a.dueMs - b.dueMs || a.order - b.order);
  readonly #tracked = new Map<symbol, string>();

  constructor(options: { readonly startMs?: number } = {}) {
    this.#wallOffsetMs = options.startMs ?? Date.UTC(2026, 0, 1);
  }

  now(): number {
    return this.#wallOffsetMs + this.#elapsedMs;
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  setTimer(delayMs: number, run: () => void, label = 'timer'): Timer {
    const dueMs = this.#elapsedMs + Math.max(0, delayMs);
    const timer: PendingTimer = { dueMs, order: this.#order++, label, run };
    this.#timers.push(timer);
    return {
      cancel: () => {
        if (timer.run === undefined) return;
        timer.run = undefined;
        this.#cancelled++;
        this.#dropCancelled();
      },
    };
  }

  /** Moves wall time without moving timers, as a corrected system clock does. */
  jump(byMs: number): void {
    this.#wallOffsetMs += byMs;
  }

  /** Marks work that finishes in real time (a socket, a worker): time waits until it is disposed. */
  track(label: string): Disposable {
    const key = Symbol(label);
    this.#tracked.set(key, label);
    return { [Symbol.dispose]: () => void this.#tracked.delete(key) };
  }

  /** Lets everything that can run without time passing run. */
  async settle(): Promise<void> {
    do {
      // An immediate comes after all microtasks, ticks and what they queued in turn.
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#tracked.size > 0);
  }

  /** Moves time by `ms`, running what falls due on the way. */
  async advance(ms: number): Promise<void> {
    await this.#exclusively(async () => {
      const endMs = this.#elapsedMs + ms;
      await this.settle();
      while (await this.#runNext(endMs)) await this.settle();
      this.#elapsedMs = endMs;
    });
  }

  /** Moves time from timer to timer until the condition holds; fails when `limitMs` or all timers are spent. */
  async runUntil(
    condition: () => boolean,
    options: { readonly limitMs?: number; readonly what?: string } = {},
  ): Promise<void> {
    await this.#exclusively(async () => {
      const limitMs = this.#elapsedMs + (options.limitMs ?? 24 * 3600 * 1000);
      await this.settle();
      while (!condition()) {
        if (!(await this.#runNext(limitMs))) {
          throw new CodedError('VirtualTimeSpent', 'condition did not come true in virtual time', {
            fields: { what: options.what, pending: this.pending() },
          });
        }
        await this.settle();
      }
    });
  }

  /** What has not run yet, soonest first: a test ends by expecting this to be empty. */
  pending(): PendingWork {
    const timers = this.#timers
      .toSortedArray()
      .filter((timer) => timer.run !== undefined)
      .map((timer) => ({ label: timer.label, inMs: timer.dueMs - this.#elapsedMs }));
    return { timers, tracked: [...this.#tracked.values()] };
  }

  async #runNext(endMs: number): Promise<boolean> {
    this.#dropCancelled();
    const next = this.#timers.peek();
    if (next === undefined || next.dueMs > endMs) return false;
    this.#timers.pop();
    this.#elapsedMs = next.dueMs;
    const { run } = next;
    next.run = undefined;
    run?.();
    return true;
  }

  #dropCancelled(): void {
    while (this.#timers.size > 0 && this.#timers.peek()?.run === undefined) {
      this.#timers.pop();
      this.#cancelled--;
    }
    // A long simulation cancels millions of deadlines that lie deep in the heap.
    if (this.#cancelled < 64 || this.#cancelled * 2 < this.#timers.size) return;
    this.#timers.retain((timer) => timer.run !== undefined);
    this.#cancelled = 0;
  }

  async #exclusively(work: () => Promise<void>): Promise<void> {
    if (this.#advancing) {
      throw new CodedError('ClockBusy', 'the virtual clock is already being advanced elsewhere');
    }
    this.#advancing = true;
    try {
      await work();
    } finally {
      this.#advancing = false;
    }
  }
}
