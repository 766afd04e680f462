// Something of Azure's that seldom changes. In: how to look it up. Out: the answer, kept for a while; or a newer one for who
// found it wrong.
// 1. Lookups at the same time are one.
// 2. However many find the same answer wrong, it is looked up again once.
import { SingleFlight } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';

export interface LookedUp<T> {
  readonly value: T;
  readonly generation: number;
}

export class CachedLookup<T> {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #load: (signal: AbortSignal) => Promise<T>;
  readonly #loading = new SingleFlight<LookedUp<T>>();
  #kept: { readonly found: LookedUp<T>; readonly endMs: number } | undefined;
  #generation = 0;

  constructor(options: {
    readonly clock: Clock;
    readonly ttlMs: number;
    load(signal: AbortSignal): Promise<T>;
  }) {
    this.#clock = options.clock;
    this.#ttlMs = options.ttlMs;
    this.#load = (signal) => options.load(signal);
  }

  async get(signal: AbortSignal): Promise<LookedUp<T>> {
    const kept = this.#kept;
    if (kept !== undefined && this.#clock.monotonic() < kept.endMs) return kept.found;
    return await this.#loading.run('lookup', () => this.#lookUp(signal));
  }

  /** Newer than the one that was wrong, which may have been replaced already. */
  async getNewer(wrong: LookedUp<T>, signal: AbortSignal): Promise<LookedUp<T>> {
    if (this.#kept?.found.generation === wrong.generation) this.#kept = undefined;
    return await this.get(signal);
  }

  async #lookUp(signal: AbortSignal): Promise<LookedUp<T>> {
    const found = { value: await this.#load(signal), generation: ++this.#generation };
    this.#kept = { found, endMs: this.#clock.monotonic() + this.#ttlMs };
    return found;
  }
}
