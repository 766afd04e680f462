// The items that are still to be packed, by bucket. In: what is taken. Out: buckets without items of which none is left. Only
// buckets that lost an item are made anew: with thousands of sizes the others are most of them.
import type { PackPool } from './pool.ts';

export class Shelves {
  readonly counts: Int32Array;
  readonly #buckets: Int32Array[];
  readonly #bucketOf: Int32Array;
  #left: readonly Int32Array[];

  constructor(pool: PackPool, counts: Int32Array) {
    this.counts = counts.slice();
    this.#buckets = [...pool.buckets];
    this.#bucketOf = pool.bucketOf;
    this.#clear(this.#buckets.keys());
    this.#left = this.#buckets.filter((bucket) => bucket.length > 0);
  }

  /** Buckets in which any items are left. */
  get buckets(): readonly Int32Array[] {
    return this.#left;
  }

  /** How often this can be taken. */
  times(taken: ReadonlyMap<number, number>): number {
    let times = Infinity;
    for (const [item, count] of taken) {
      times = Math.min(times, Math.floor((this.counts[item] as number) / count));
    }
    return times;
  }

  take(taken: ReadonlyMap<number, number>, times: number): void {
    const touched = new Set<number>();
    for (const [item, count] of taken) {
      const left = (this.counts[item] as number) - count * times;
      this.counts[item] = left;
      if (left === 0) touched.add(this.#bucketOf[item] as number);
    }
    if (touched.size === 0) return;
    this.#clear(touched);
    this.#left = this.#buckets.filter((bucket) => bucket.length > 0);
  }

  #clear(indexes: Iterable<number>): void {
    for (const index of indexes) {
      const bucket = this.#buckets[index] as Int32Array;
      this.#buckets[index] = bucket.filter((item) => this.counts[item] !== 0);
    }
  }
}
