// Fills one node. In: a machine, a state to begin with, the items that are left and what they are worth. Out: what it
// would hold. Items are taken one by one, each time the one whose shape best matches the room that is left, so that
// neither cores nor memory remain alone; items that make nodes scarce go first.
// Room only shrinks and requirements only narrow, so what does not fit now never will: each bucket is walked once.
import type { StateId } from '../requirement-states.ts';
import { incompatible } from '../requirement-states.ts';
import type { HostRule, Item } from './item.ts';
import type { PackPool } from './pool.ts';
import type { Worth } from './worth.ts';

export interface Filling {
  readonly variant: number;
  readonly state: StateId;
  readonly price: number;
  /** Item → how many. */
  readonly taken: ReadonlyMap<number, number>;
  readonly worth: number;
}

/** How the next item is chosen: by match with the room left, by size, or by how nearly it uses something up. */
export type FillRule = 'match' | 'largest' | 'tightest';

export interface FillRequest {
  readonly pool: PackPool;
  readonly counts: Int32Array;
  /** Buckets in which any items are left. */
  readonly buckets: readonly Int32Array[];
  /** Those of their items that carry the worth of the node itself. */
  readonly scarce: readonly Int32Array[];
  readonly worth: Worth;
  readonly variant: number;
  readonly state: StateId;
  readonly rule: FillRule;
  /** Take first what has proved dear. */
  readonly eager: boolean;
}

export function fillNode(request: FillRequest): Filling | undefined {
  const node = new FillingNode(request);
  node.take(request.scarce);
  node.take(request.buckets);
  return node.result();
}

class FillingNode {
  readonly #request: FillRequest;
  readonly #left: Float64Array;
  readonly #full: Float64Array;
  /** Of each item, how many are still to be had. Lent: `result` gives back what was taken. */
  readonly #counts: Int32Array;
  readonly #taken = new Map<number, number>();
  readonly #hosts = new Map<number, { limit: number; counted: number }>();
  readonly #joined: StateId[] = [];
  /** Which of the pool's states the node can still take in. */
  readonly #isOpen: Uint8Array;
  #state: StateId;
  #worth = 0;

  constructor(request: FillRequest) {
    const { pool, variant, state, counts } = request;
    const row = variant * pool.columns;
    this.#request = request;
    this.#full = pool.template.room.slice(row, row + pool.columns);
    this.#left = this.#full.slice();
    this.#counts = counts;
    this.#isOpen = new Uint8Array(pool.states.length);
    this.#state = state;
    this.#join();
  }

  /** Takes items out of these buckets until none fits. */
  take(buckets: readonly Int32Array[]): void {
    const live: number[] = [...buckets.keys()];
    const next = new Int32Array(buckets.length);
    for (;;) {
      let best = -1;
      let highest = -1;
      let kept = 0;
      for (const index of live) {
        const score = this.#advance(buckets[index] as Int32Array, next, index);
        if (score < 0) continue;
        live[kept++] = index;
        if (score > highest) {
          best = (buckets[index] as Int32Array)[next[index] as number] as number;
          highest = score;
        }
      }
      live.length = kept;
      if (best === -1) return;
      this.#put(best, this.#several(best));
    }
  }

  /** Moves on to the first item of a bucket that can be added; its score, or -1 when there is none. */
  #advance(bucket: Int32Array, next: Int32Array, index: number): number {
    for (let at = next[index] as number; at < bucket.length; at++) {
      const score = this.#score(bucket[at] as number);
      if (score < 0) continue;
      next[index] = at;
      return score;
    }
    return -1;
  }

  result(): Filling | undefined {
    const { pool, variant } = this.#request;
    if (this.#taken.size === 0) return undefined;
    for (const [item, count] of this.#taken) {
      this.#counts[item] = (this.#counts[item] as number) + count;
    }
    const state = this.#finalState();
    const price = pool.prices(state)[variant] as number;
    return { variant, state, price, taken: this.#taken, worth: this.#worth };
  }

  /** How good it is to add this item now; negative when it cannot be added. The innermost loop of packing. */
  #score(item: number): number {
    const { pool, worth, eager } = this.#request;
    if (this.#counts[item] === 0 || this.#isOpen[pool.stateOf[item] as number] === 0) return -1;
    const match = this.#match(item);
    if (match < 0 || !this.#keepsRules(item)) return -1;
    return eager ? match * (worth.eager[item] as number) : match;
  }

  #match(item: number): number {
    const { pool, rule } = this.#request;
    const { columns, sizes } = pool;
    const start = item * columns;
    let score = 0;
    for (let column = 0; column < columns; column++) {
      const size = sizes[start + column] as number;
      if (size === 0) continue;
      const left = this.#left[column] as number;
      if (size > left) return -1;
      const full = this.#full[column] as number;
      if (rule === 'match') score += (size / full) * (left / full);
      else if (rule === 'largest') score += size / full;
      else score = Math.max(score, size / left);
    }
    return score;
  }

  #keepsRules(item: number): boolean {
    const { rules } = this.#request.pool.items[item] as Item;
    for (const rule of rules) if (!this.#keeps(rule)) return false;
    return true;
  }

  #keeps({ rule, limit, counted }: HostRule): boolean {
    const host = this.#hosts.get(rule);
    return (host?.counted ?? 0) + counted <= Math.min(limit, host?.limit ?? Infinity);
  }

  /** A quarter of what would fit at once: the match hardly changes by so few, and nodes hold many small pods. */
  #several(item: number): number {
    const { pool } = this.#request;
    let count = this.#counts[item] as number;
    for (const { rule, limit, counted } of (pool.items[item] as Item).rules) {
      if (counted === 0) continue;
      const host = this.#hosts.get(rule);
      const most = Math.min(limit, host?.limit ?? Infinity) - (host?.counted ?? 0);
      count = Math.min(count, most / counted);
    }
    for (let column = 0; column < pool.columns; column++) {
      const size = pool.sizes[item * pool.columns + column] as number;
      if (size > 0) count = Math.min(count, (this.#left[column] as number) / size);
    }
    return Math.max(1, Math.floor(count / 4));
  }

  #put(item: number, count: number): void {
    const { pool, worth } = this.#request;
    const { columns, sizes } = pool;
    for (let column = 0; column < columns; column++) {
      const size = sizes[item * columns + column] as number;
      this.#left[column] = (this.#left[column] as number) - count * size;
    }
    this.#counts[item] = (this.#counts[item] as number) - count;
    this.#taken.set(item, (this.#taken.get(item) ?? 0) + count);
    this.#worth += count * (worth.items[item] as number);
    for (const { rule, limit, counted } of (pool.items[item] as Item).rules) {
      const host = this.#hosts.get(rule) ?? { limit: Infinity, counted: 0 };
      this.#hosts.set(rule, {
        limit: Math.min(limit, host.limit),
        counted: host.counted + count * counted,
      });
    }
    const joined = this.#joined[pool.stateOf[item] as number] as StateId;
    if (joined === this.#state) return;
    this.#state = joined;
    this.#join();
  }

  #join(): void {
    const { pool, variant } = this.#request;
    for (const [index, state] of pool.states.entries()) {
      const joined = pool.join(this.#state, state);
      this.#joined[index] = joined;
      const isOpen = joined !== incompatible && pool.prices(joined)[variant] !== Infinity;
      this.#isOpen[index] = isOpen ? 1 : 0;
    }
  }

  /** Only of what was taken: the state to begin with may have been narrower than it had to be. */
  #finalState(): StateId {
    const { pool } = this.#request;
    let state = pool.template.state;
    for (const item of this.#taken.keys()) {
      state = pool.join(state, pool.states[pool.stateOf[item] as number] as StateId);
    }
    return state;
  }
}
