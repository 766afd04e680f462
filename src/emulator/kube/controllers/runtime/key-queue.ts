// Keys waiting to be reconciled. In: keys, now or later. Out: each key once, oldest first.
// 1. A key is in the queue at most once; of two times the earlier stands.
// 2. A failing key comes back after 5 ms, doubling up to a minute, until it succeeds.
import type { Clock, Timer } from '../../../../base/clock.ts';

const firstRetryMs = 5;
const longestRetryMs = 60_000;

export class KeyQueue {
  readonly #clock: Clock;
  readonly #ready = new Set<string>();
  readonly #later = new Map<string, { readonly dueMs: number; readonly timer: Timer }>();
  readonly #failures = new Map<string, number>();
  readonly #wake: () => void;
  readonly #label: string;

  constructor(options: {
    readonly clock: Clock;
    readonly wake: () => void;
    readonly label: string;
  }) {
    this.#clock = options.clock;
    this.#wake = options.wake;
    this.#label = options.label;
  }

  add(key: string, afterMs = 0): void {
    if (afterMs <= 0) {
      this.#cancel(key);
      this.#ready.add(key);
      this.#wake();
      return;
    }
    if (this.#ready.has(key)) return;
    const dueMs = this.#clock.monotonic() + afterMs;
    if ((this.#later.get(key)?.dueMs ?? Infinity) <= dueMs) return;
    this.#cancel(key);
    const timer = this.#clock.setTimer(afterMs, () => this.add(key), `${this.#label} ${key}`);
    this.#later.set(key, { dueMs, timer });
  }

  take(): string | undefined {
    for (const key of this.#ready) {
      this.#ready.delete(key);
      return key;
    }
    return undefined;
  }

  succeeded(key: string): void {
    this.#failures.delete(key);
  }

  failed(key: string): void {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    this.add(key, Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1)));
  }

  stop(): void {
    for (const { timer } of this.#later.values()) timer.cancel();
    this.#later.clear();
    this.#ready.clear();
  }

  #cancel(key: string): void {
    this.#later.get(key)?.timer.cancel();
    this.#later.delete(key);
  }
}
