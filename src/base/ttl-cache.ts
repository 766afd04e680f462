// A map whose entries go away. In: key, value, lifetime. Out: the value until its lifetime is over.
// Reading does not extend a lifetime. Expired entries are dropped when touched and, at the latest, when the
// cache has doubled since the last sweep, so that keys never read again do not pile up.
import type { Clock } from './clock.ts';

interface Entry<V> {
  readonly value: V;
  readonly expiresMs: number;
}

export class TtlCache<K, V> {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #entries = new Map<K, Entry<V>>();
  #sweepAtSize = 64;

  constructor(options: { readonly clock: Clock; readonly ttlMs: number }) {
    this.#clock = options.clock;
    this.#ttlMs = options.ttlMs;
  }

  /** Entries that are still alive. */
  get size(): number {
    this.#sweep();
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresMs > this.#clock.monotonic()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  set(key: K, value: V, ttlMs = this.#ttlMs): void {
    this.#entries.set(key, { value, expiresMs: this.#clock.monotonic() + ttlMs });
    if (this.#entries.size >= this.#sweepAtSize) {
      this.#sweep();
      this.#sweepAtSize = Math.max(64, this.#entries.size * 2);
    }
  }

  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Live entries, in the order they were first set. */
  *entries(): Generator<readonly [K, V]> {
    const nowMs = this.#clock.monotonic();
    for (const [key, entry] of this.#entries) {
      if (entry.expiresMs > nowMs) yield [key, entry.value];
    }
  }

  #sweep(): void {
    const nowMs = this.#clock.monotonic();
    for (const [key, entry] of this.#entries) {
      if (entry.expiresMs <= nowMs) this.#entries.delete(key);
    }
  }
}
