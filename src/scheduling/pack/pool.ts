// The items of one NodePool, laid out for packing. In: items. Out: sizes in one array, items of a kind in buckets, and for
// each pair of requirements what comes of them, so that the inner loops touch numbers only.
// A bucket has items with the same requirements and the same size, or, where there are too many sizes for that, nearly
// the same: whoever looks for something that fits looks at buckets, and in a bucket only at the first item that will do.
import type { CompiledProblem } from '../compile/compile.ts';
import type { Template } from '../compile/template.ts';
import { incompatible, type StateId } from '../requirement-states.ts';
import type { CountedItem, Item } from './item.ts';

/** Beyond so many sizes, sizes within a factor of the square root of two share a bucket. */
const mostExactBuckets = 160;

export class PackPool {
  readonly compiled: CompiledProblem;
  readonly template: Template;
  readonly items: readonly Item[];
  readonly counts: Int32Array;
  readonly columns: number;
  /** `item * columns + column`. */
  readonly sizes: Float64Array;
  /** Distinct requirements of items. */
  readonly states: readonly StateId[];
  /** Index into `states` of each item. */
  readonly stateOf: Int32Array;
  /** Items of each bucket, largest first. */
  readonly buckets: readonly Int32Array[];
  /** Bucket of each item. */
  readonly bucketOf: Int32Array;
  readonly #prices = new Map<StateId, Float64Array>();

  constructor(compiled: CompiledProblem, template: Template, items: readonly CountedItem[]) {
    this.compiled = compiled;
    this.template = template;
    this.items = items.map(({ item }) => item);
    this.counts = Int32Array.from(items, ({ count }) => count);
    this.columns = compiled.columns.names.length;
    this.sizes = new Float64Array(items.length * this.columns);
    for (const [index, { item }] of items.entries())
      this.sizes.set(item.requests, index * this.columns);
    this.states = [...new Set(this.items.map(({ state }) => state))];
    const indexOf = new Map(this.states.map((state, index) => [state, index]));
    this.stateOf = Int32Array.from(this.items, ({ state }) => indexOf.get(state) as number);
    this.buckets = this.#bucketed();
    this.bucketOf = new Int32Array(items.length);
    for (const [index, bucket] of this.buckets.entries()) {
      for (const item of bucket) this.bucketOf[item] = index;
    }
  }

  join(a: StateId, b: StateId): StateId {
    return a === b ? a : this.compiled.states.join(a, b);
  }

  /** What a machine of each variant costs in a state, the cost of any node included; Infinity where it cannot be had. */
  prices(state: StateId): Float64Array {
    let prices = this.#prices.get(state);
    if (prices === undefined) {
      prices = new Float64Array(this.compiled.catalog.variantCount).fill(Infinity);
      if (state !== incompatible) {
        const known = this.compiled.catalog.open(state).price;
        for (const variant of this.variants(state)) {
          prices[variant] = (known[variant] as number) + this.compiled.options.nodeCostPerHour;
        }
      }
      this.#prices.set(state, prices);
    }
    return prices;
  }

  /** Everything that may be bought in a state, cheapest first. */
  variants(state: StateId): Int32Array {
    return this.compiled.openTypes.of(this.template, state);
  }

  /** What is worth looking at: nothing that is no cheaper and no larger than another. */
  bargains(state: StateId): Int32Array {
    return this.compiled.openTypes.bargains(this.template, state);
  }

  #bucketed(): Int32Array[] {
    const all = [...this.items.keys()];
    const exact = Map.groupBy(all, (item) => this.#text(item, (size) => size));
    const groups =
      exact.size <= mostExactBuckets
        ? exact
        : Map.groupBy(all, (item) =>
            this.#text(item, (size) => Math.round(2 * Math.log2(size + 1))),
          );
    return [...groups.values()].map((group) =>
      Int32Array.from(group.toSorted((a, b) => this.#compare(a, b))),
    );
  }

  #text(item: number, rounded: (size: number) => number): string {
    let text = String(this.stateOf[item]);
    for (let column = 0; column < this.columns; column++) {
      text += ` ${rounded(this.sizes[item * this.columns + column] as number)}`;
    }
    return text;
  }

  #compare(a: number, b: number): number {
    for (let column = 0; column < this.columns; column++) {
      const difference =
        (this.sizes[b * this.columns + column] as number) -
        (this.sizes[a * this.columns + column] as number);
      if (difference !== 0) return difference;
    }
    return a - b;
  }
}
