// A token bucket: `perSecond` on average, bursts up to `burst`. In: requests for a token. Out: how long to
// wait for it. Tokens may be borrowed from the future, in order, so that waiters are served first come, first
// served. Uses monotonic time: a clock that jumps neither starves nor floods.
import { sleep, type Clock } from './clock.ts';

export class TokenBucket {
  readonly #clock: Clock;
  readonly #perMs: number;
  readonly #burst: number;
  #tokens: number;
  #updatedMs: number;

  constructor(options: {
    readonly clock: Clock;
    readonly perSecond: number;
    readonly burst: number;
  }) {
    this.#clock = options.clock;
    this.#perMs = options.perSecond / 1000;
    this.#burst = options.burst;
    this.#tokens = options.burst;
    this.#updatedMs = options.clock.monotonic();
  }

  /** Takes a token if one is there. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes the next token, now or in the future, and tells how many milliseconds away it is. */
  reserve(): number {
    this.#refill();
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#perMs;
  }

  /** Waits for a token. An aborted wait gives its token back. */
  async take(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const waitMs = this.reserve();
    if (waitMs === 0) return;
    try {
      await sleep(this.#clock, waitMs, { signal, label: 'rate limit' });
    } catch (error) {
      this.#tokens = Math.min(this.#burst, this.#tokens + 1);
      throw error;
    }
  }

  #refill(): void {
    const nowMs = this.#clock.monotonic();
    this.#tokens = Math.min(this.#burst, this.#tokens + (nowMs - this.#updatedMs) * this.#perMs);
    this.#updatedMs = nowMs;
  }
}
