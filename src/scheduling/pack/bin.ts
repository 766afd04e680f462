// A node of a packing. In: which items it holds. Out: its size, and the cheapest machine that holds it.
import type { StateId } from '../requirement-states.ts';
import { incompatible } from '../requirement-states.ts';
import type { PackPool } from './pool.ts';

export interface Bin {
  /** Item → how many, in the order of items. */
  readonly taken: ReadonlyMap<number, number>;
  readonly state: StateId;
  readonly requests: Float64Array;
  readonly price: number;
}

/** Undefined when no machine holds these items. */
export function binOf(pool: PackPool, taken: ReadonlyMap<number, number>): Bin | undefined {
  const { columns, sizes, template } = pool;
  const requests = new Float64Array(columns);
  let state: StateId = template.state;
  for (const [item, count] of taken) {
    state = pool.join(state, pool.states[pool.stateOf[item] as number] as StateId);
    if (state === incompatible) return undefined;
    for (let column = 0; column < columns; column++) {
      requests[column] =
        (requests[column] as number) + count * (sizes[item * columns + column] as number);
    }
  }
  const price = cheapest(pool, state, requests);
  return price === Infinity ? undefined : { taken, state, requests, price };
}

/** Types come cheapest first, so the first that fits is the one. */
function cheapest(pool: PackPool, state: StateId, requests: Float64Array): number {
  const { columns, template } = pool;
  const prices = pool.prices(state);
  for (const variant of pool.variants(state)) {
    if (holds(template.room, variant * columns, requests)) return prices[variant] as number;
  }
  return Infinity;
}

function holds(room: Float64Array, row: number, requests: Float64Array): boolean {
  for (let column = 0; column < requests.length; column++) {
    if ((requests[column] as number) > (room[row + column] as number)) return false;
    if ((room[row + column] as number) < 0) return false;
  }
  return true;
}

export function totalPrice(bins: readonly Bin[]): number {
  return bins.reduce((sum, { price }) => sum + price, 0);
}

/** Cheaper, or as cheap with fewer nodes. */
export function isBetter(a: readonly Bin[], b: readonly Bin[]): boolean {
  const difference = totalPrice(a) - totalPrice(b);
  if (Math.abs(difference) > 1e-9) return difference < 0;
  return a.length < b.length;
}
