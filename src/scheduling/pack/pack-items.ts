// Buys nodes for items, the best bargain first. In: the items of a pool. Out: nodes that hold all of them, or undefined
// when the pool's machines cannot.
// Every machine in every state that items ask for is a candidate; it is filled in thought, and the one that holds most
// worth for its price is bought, as often as the items repeat. What a candidate held when last looked at is at least what
// it can hold now, so only those that seemed best are filled again: one or two per node bought instead of hundreds.
import { Heap } from '../../base/heap.ts';
import type { StateId } from '../requirement-states.ts';
import { type Filling, fillNode, type FillRule } from './fill.ts';
import type { PackPool } from './pool.ts';
import { Shelves } from './shelves.ts';
import { type Worth, worthOf } from './worth.ts';

export interface PackedNode extends Filling {
  readonly times: number;
}

/** What is worth what changes slowly; asked again when this share of the worth has been packed. */
const staleAfter = 0.9;

export interface PackChoice {
  readonly rule: FillRule;
  readonly eager: boolean;
  /** Asked before each node; true: it is no longer worth going on. */
  readonly stop: () => boolean;
  /** What items are worth; undefined: by what resources cost, asked again as items go. */
  readonly worth: Worth | undefined;
}

export function packItems(
  pool: PackPool,
  start: Int32Array,
  choice: PackChoice,
): PackedNode[] | undefined {
  const { rule, eager } = choice;
  const shelves = new Shelves(pool, start);
  const { counts } = shelves;
  const packed: PackedNode[] = [];
  let worth = choice.worth ?? worthOf(pool, counts);
  let market = openMarket(pool, shelves.buckets, worth);
  let left = worthLeft(worth, counts);
  let priced = left;
  while (shelves.buckets.length > 0) {
    if (choice.worth === undefined && left < priced * staleAfter) {
      worth = worthOf(pool, counts);
      market = repriced(pool, market, worth);
      left = worthLeft(worth, counts);
      priced = left;
    }
    if (choice.stop()) return undefined;
    const { buckets } = shelves;
    const scarce = scarceItems(buckets, worth);
    const best = bestNode({ pool, counts, buckets, scarce, worth, market, rule, eager });
    if (best === undefined) return undefined;
    const times = shelves.times(best.taken);
    shelves.take(best.taken, times);
    left -= best.worth * times;
    packed.push({ ...best, times });
  }
  return packed;
}

interface Candidate {
  readonly variant: number;
  /** Of the state, among those of the pool. */
  readonly index: number;
  readonly state: StateId;
  /** The worth of its room for the price: no filling gives more. */
  readonly bound: number;
  /** The best bargain it can be, as far as is known: as items go it only becomes a worse one. */
  bargain: number;
}

/** Those that carry the worth of nodes as such. */
function scarceItems(buckets: readonly Int32Array[], worth: Worth): readonly Int32Array[] {
  if (worth.hostCeiling === 0) return [];
  return buckets.flatMap((bucket) => {
    const scarce = bucket.filter((item) => worth.hosts[item] !== 0);
    return scarce.length === 0 ? [] : [scarce];
  });
}

function worthLeft({ items }: Worth, counts: Int32Array): number {
  let sum = 0;
  for (let item = 0; item < counts.length; item++) {
    sum += (counts[item] as number) * (items[item] as number);
  }
  return sum;
}

/** Looks again at whatever seemed best until it still is. */
function bestNode(search: {
  readonly pool: PackPool;
  readonly counts: Int32Array;
  readonly buckets: readonly Int32Array[];
  readonly scarce: readonly Int32Array[];
  readonly worth: Worth;
  readonly market: Heap<Candidate>;
  readonly rule: FillRule;
  readonly eager: boolean;
}): Filling | undefined {
  const { market, ...rest } = search;
  const limit = 2 * market.size;
  let looks = 0;
  for (;;) {
    const candidate = market.pop();
    if (candidate === undefined) return undefined;
    const { variant, state } = candidate;
    const filling = fillNode({ ...rest, variant, state });
    // What holds nothing of what is left will hold nothing of less.
    if (filling === undefined) continue;
    candidate.bargain = filling.worth / filling.price;
    const next = market.peek();
    market.push(candidate);
    if (next === undefined || candidate.bargain >= next.bargain) return filling;
    // What is filled anew can be a better bargain than before by chance, so there is an end to looking.
    if (looks++ > limit) return filling;
  }
}

function openMarket(pool: PackPool, buckets: readonly Int32Array[], worth: Worth): Heap<Candidate> {
  const market = emptyMarket();
  const wanted = new Set(buckets.map(([item]) => pool.stateOf[item as number] as number));
  for (const index of [...wanted].toSorted((a, b) => a - b)) {
    const state = pool.states[index] as StateId;
    for (const variant of pool.bargains(state)) {
      const bound = boundOf(pool, worth, { variant, index });
      market.push({ variant, index, state, bound, bargain: bound });
    }
  }
  return market;
}

/** Candidates are expected to use their room as well as they did by the old prices. */
function repriced(pool: PackPool, old: Heap<Candidate>, worth: Worth): Heap<Candidate> {
  const market = emptyMarket();
  for (let one = old.pop(); one !== undefined; one = old.pop()) {
    const bound = boundOf(pool, worth, one);
    const share = one.bound > 0 ? one.bargain / one.bound : 1;
    market.push({ ...one, bound, bargain: bound * share });
  }
  return market;
}

function emptyMarket(): Heap<Candidate> {
  return new Heap((a, b) => b.bargain - a.bargain || a.variant - b.variant || a.state - b.state);
}

function boundOf(
  pool: PackPool,
  worth: Worth,
  { variant, index }: Pick<Candidate, 'variant' | 'index'>,
): number {
  const { columns, template } = pool;
  let room = worth.hostCeiling;
  for (let column = 0; column < columns; column++) {
    const amount = template.room[variant * columns + column] as number;
    if (amount > 0) room += (worth.ceilings[index * columns + column] as number) * amount;
  }
  return room / (pool.prices(pool.states[index] as StateId)[variant] as number);
}
