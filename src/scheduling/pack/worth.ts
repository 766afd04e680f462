// What each item is worth, so that nodes can be judged by what they hold. In: the items that are left. Out: a price per
// resource and requirement, and per item. An item that only dear machines can hold is worth more than one that any can.
// Rules about hosts make nodes scarce: when pods must be kept apart, a node has a worth of its own, and the pods that need
// so many of them carry it.
import type { StateId } from '../requirement-states.ts';
import { incompatible } from '../requirement-states.ts';
import { fluidPrices } from './fluid-prices.ts';
import { hostNeed } from './host-need.ts';
import type { PackPool } from './pool.ts';

export interface Worth {
  /** Per item. */
  readonly items: Float64Array;
  /** Per item: how much dearer it has proved than it seemed; it is taken earlier by as much. */
  readonly eager: Float64Array;
  /** Per item: the part that is for the node and not for its resources. */
  readonly hosts: Float64Array;
  /** `state * columns + column`: the highest price of any item that may share a node with items of the state. */
  readonly ceilings: Float64Array;
  /** The most that scarcity of nodes can add to one node. */
  readonly hostCeiling: number;
}

export function worthOf(pool: PackPool, counts: Int32Array): Worth {
  const { items, columns, sizes, states, stateOf } = pool;
  const { nodes, share } = hostNeed(pool, counts);
  const wanted = new Set<number>();
  for (const [item, index] of stateOf.entries())
    if ((counts[item] as number) > 0) wanted.add(index);
  const prices = states.map((state, index) =>
    wanted.has(index) ? pricesFor(pool, counts, state, nodes) : undefined,
  );
  const worth = new Float64Array(items.length);
  const hosts = new Float64Array(items.length);
  for (const [item, index] of stateOf.entries()) {
    const found = prices[index];
    if (found === undefined) continue;
    const host = found.host * (share[item] as number);
    let value = host;
    for (let column = 0; column < columns; column++) {
      value += (found.resources[column] as number) * (sizes[item * columns + column] as number);
    }
    hosts[item] = host;
    worth[item] = value;
  }
  return {
    items: worth,
    eager: new Float64Array(items.length).fill(1),
    hosts,
    ceilings: ceilingsOf(pool, prices),
    hostCeiling: Math.max(0, ...prices.map((found) => found?.host ?? 0)),
  };
}

interface Prices {
  readonly resources: Float64Array;
  /** Of a node as such. */
  readonly host: number;
}

function ceilingsOf(pool: PackPool, prices: readonly (Prices | undefined)[]): Float64Array {
  const { columns, states } = pool;
  const ceilings = new Float64Array(states.length * columns);
  for (const [index, state] of states.entries()) {
    for (const [other, found] of prices.entries()) {
      if (found === undefined) continue;
      if (pool.join(state, states[other] as StateId) === incompatible) continue;
      for (let column = 0; column < columns; column++) {
        const at = index * columns + column;
        ceilings[at] = Math.max(ceilings[at] as number, found.resources[column] as number);
      }
    }
  }
  return ceilings;
}

function pricesFor(pool: PackPool, counts: Int32Array, state: StateId, nodes: number): Prices {
  const { columns, template } = pool;
  const needs = [...needsBeside(pool, counts, state), nodes > 1 ? nodes : 0];
  const rows = [...needs.keys()].filter((row) => (needs[row] as number) > 0);
  const variants = pool.bargains(state);
  const amounts = new Float64Array(variants.length * rows.length);
  let entry = 0;
  for (const variant of variants) {
    for (const row of rows) {
      amounts[entry++] =
        row === columns ? 1 : Math.max(0, template.room[variant * columns + row] as number);
    }
  }
  const statePrices = pool.prices(state);
  const found = fluidPrices({
    needs: Float64Array.from(rows, (row) => needs[row] as number),
    prices: Float64Array.from(variants, (variant) => statePrices[variant] as number),
    amounts,
  });
  const prices = new Float64Array(columns + 1);
  if (found !== undefined)
    for (const [index, row] of rows.entries()) prices[row] = found[index] as number;
  return { resources: prices.slice(0, columns), host: prices[columns] as number };
}

/** Everything that could share machines with items of the state. */
function needsBeside(pool: PackPool, counts: Int32Array, state: StateId): Float64Array {
  const { columns, sizes, stateOf, states } = pool;
  const joins = states.map((other) => pool.join(state, other) !== incompatible);
  const needs = new Float64Array(columns);
  for (let item = 0; item < counts.length; item++) {
    const count = counts[item] as number;
    if (count === 0 || joins[stateOf[item] as number] !== true) continue;
    for (let column = 0; column < columns; column++) {
      needs[column] =
        (needs[column] as number) + count * (sizes[item * columns + column] as number);
    }
  }
  return needs;
}
