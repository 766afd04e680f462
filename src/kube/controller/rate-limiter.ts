// How long a key that failed waits for its next try. In: a key per failure. Out: the longer of its own
// exponential backoff and its place in a token bucket shared by all keys.
//  1. A key's delay doubles with each failure until `forget`; it never exceeds `maxMs` by itself.
//  2. All keys together are retried at `perSecond` on average; first tries are never slowed down.
import { backoffDelay } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { TokenBucket } from '../../base/token-bucket.ts';

export interface RateLimits {
  readonly baseMs: number;
  readonly maxMs: number;
  readonly perSecond: number;
  readonly burst: number;
}

/** What a controller has unless it says otherwise. */
export const defaultRateLimits: RateLimits = {
  baseMs: 5,
  maxMs: 1_000_000,
  perSecond: 10,
  burst: 100,
};

/** For loops whose failures are rarely gone within milliseconds. */
export const reasonableRateLimits: RateLimits = {
  baseMs: 100,
  maxMs: 60_000,
  perSecond: 10,
  burst: 100,
};

export class RateLimiter {
  readonly #limits: RateLimits;
  readonly #bucket: TokenBucket;
  readonly #failures = new Map<string, number>();

  constructor(options: { readonly clock: Clock; readonly limits: RateLimits }) {
    const { clock, limits } = options;
    this.#limits = limits;
    this.#bucket = new TokenBucket({ clock, perSecond: limits.perSecond, burst: limits.burst });
  }

  /** Counts a failure of the key and takes a token for its retry. */
  delayMs(key: string): number {
    const failures = this.requeues(key);
    this.#failures.set(key, failures + 1);
    return Math.max(backoffDelay(this.#limits, failures), this.#bucket.reserve());
  }

  /** Failures since the last `forget`. */
  requeues(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }
}
