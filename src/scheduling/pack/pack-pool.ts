// The cheapest nodes for the items of one pool. In: items, and the nodes of the first plan. Out: nodes that hold the same
// items for no more money.
// Everything is packed several times over, and each time what an item is worth moves towards what it cost the time before:
// items that end up on bad bargains become worth more, and are looked after earlier. The number of rounds is given, not
// the time, so that the same problem always gets the same plan.
import { type Bin, binOf, isBetter } from './bin.ts';
import type { FillRule } from './fill.ts';
import { type PackChoice, packItems } from './pack-items.ts';
import type { PackPool } from './pool.ts';
import { type Worth, worthOf } from './worth.ts';

/** Ways to fill, in the order in which they proved to find something cheaper. */
const ways: readonly { readonly rule: FillRule; readonly eager: boolean }[] = [
  { rule: 'match', eager: false },
  { rule: 'match', eager: false },
  { rule: 'match', eager: true },
  { rule: 'largest', eager: true },
  { rule: 'match', eager: true },
  { rule: 'tightest', eager: true },
];

const mostDemands = 200;

export function packPool(
  pool: PackPool,
  first: readonly Bin[],
  limits: { readonly rounds: number; readonly stop: () => boolean },
): readonly Bin[] {
  // Each pair of demands has to be judged once; beyond so many that alone would take longer than all else.
  if (pool.states.length > mostDemands) return first;
  let best = first;
  let worth = worthOf(pool, pool.counts);
  const rounds = Math.ceil(limits.rounds / costOfRound(pool));
  for (let round = 0; round < rounds && !limits.stop(); round++) {
    const way = ways[round % ways.length] as (typeof ways)[number];
    const known = round === 0 ? undefined : worth;
    const bins = pack(pool, { ...way, worth: known, stop: limits.stop });
    if (bins === undefined) break;
    if (isBetter(bins, best)) best = bins;
    worth = learnt(pool, worth, bins);
  }
  return best;
}

/** With many kinds of items a round costs more, and the first ones find nearly all there is to find. */
function costOfRound({ items, buckets }: PackPool): number {
  if (items.length > 2000) return 4;
  return buckets.length > 64 ? 2 : 1;
}

function pack(pool: PackPool, choice: PackChoice): Bin[] | undefined {
  const nodes = packItems(pool, pool.counts, choice);
  if (nodes === undefined) return undefined;
  const bins: Bin[] = [];
  for (const { taken, times } of nodes) {
    const bin = binOf(pool, taken);
    if (bin === undefined) return undefined;
    for (let i = 0; i < times; i++) bins.push(bin);
  }
  return bins;
}

/** Half of what items were worth, half of what they cost: the price of a node is divided among what it holds. */
function learnt(pool: PackPool, worth: Worth, bins: readonly Bin[]): Worth {
  const cost = new Float64Array(worth.items.length);
  for (const { taken, price } of bins) {
    let held = 0;
    for (const [item, count] of taken) held += count * (worth.items[item] as number);
    // Pods that ask for nothing are worth nothing.
    if (held === 0) continue;
    for (const [item, count] of taken) {
      cost[item] = (cost[item] as number) + count * (worth.items[item] as number) * (price / held);
    }
  }
  const items = worth.items.map((old, item) => {
    const count = pool.counts[item] as number;
    return count === 0 ? old : (old + (cost[item] as number) / count) / 2;
  });
  const eager = worth.eager.map((old, item) => {
    const before = worth.items[item] as number;
    return before === 0 ? old : old * ((items[item] as number) / before);
  });
  return { ...worth, items, eager };
}
