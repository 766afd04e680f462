// What new nodes cost at least, however they are packed. In: claims. Out: a price that no packing of their pods goes below:
// each pool's demand for its scarcest resource, at the least that a unit of it costs on any of the pool's types.
import type { CompiledProblem } from '../compile/compile.ts';
import type { Template } from '../compile/template.ts';
import type { Claim } from '../solve/claim.ts';

const unitPrices = new WeakMap<Template, Float64Array>();

export function priceFloor(compiled: CompiledProblem, claims: readonly Claim[]): number {
  let floor = 0;
  for (const [template, own] of Map.groupBy(claims, (claim) => claim.template)) {
    const prices = leastPerUnit(compiled, template);
    let dearest = 0;
    for (let column = 0; column < prices.length; column++) {
      let wanted = 0;
      for (const { requests } of own) wanted += requests[column] as number;
      // Nothing of something that no type has costs nothing.
      if (wanted > 0) dearest = Math.max(dearest, wanted * (prices[column] as number));
    }
    floor += dearest;
  }
  return floor;
}

/** Per column; worked out once per pool and compiled problem, since every question asks. */
function leastPerUnit({ catalog }: CompiledProblem, template: Template): Float64Array {
  const known = unitPrices.get(template);
  if (known !== undefined) return known;
  const columns = catalog.columns.names.length;
  const { price } = catalog.open(template.state);
  const least = new Float64Array(columns).fill(Infinity);
  for (const variant of template.memberList) {
    for (let column = 0; column < columns; column++) {
      const room = Math.max(0, template.room[variant * columns + column] as number);
      least[column] = Math.min(least[column] as number, (price[variant] as number) / room);
    }
  }
  unitPrices.set(template, least);
  return least;
}
