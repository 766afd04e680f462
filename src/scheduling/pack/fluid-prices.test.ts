import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fluidPrices } from './fluid-prices.ts';

interface Market {
  readonly needs: readonly number[];
  readonly machines: readonly { readonly price: number; readonly has: readonly number[] }[];
}

function pricesOf({ needs, machines }: Market): Float64Array | undefined {
  return fluidPrices({
    needs: Float64Array.from(needs),
    prices: Float64Array.from(machines, ({ price }) => price),
    amounts: Float64Array.from(machines.flatMap(({ has }) => has)),
  });
}

function worth(prices: Float64Array, amounts: readonly number[]): number {
  return amounts.reduce((sum, amount, row) => sum + amount * prices[row]!, 0);
}

/** Two needs are met cheapest by one kind of machine or by a mix of two. */
function cheapestMix({ needs, machines }: Market): number {
  const [needA, needB] = needs as [number, number];
  let least = Infinity;
  for (const one of machines) {
    const alone = Math.max(needA / one.has[0]!, needB / one.has[1]!);
    least = Math.min(least, alone * one.price);
    for (const other of machines) {
      const [a, b] = one.has as [number, number];
      const [c, d] = other.has as [number, number];
      const determinant = a * d - b * c;
      const x = (needA * d - needB * c) / determinant;
      const y = (needB * a - needA * b) / determinant;
      if (x >= 0 && y >= 0) least = Math.min(least, x * one.price + y * other.price);
    }
  }
  return least;
}

const amount = fc.integer({ min: 1, max: 64 });
const market: fc.Arbitrary<Market> = fc.record({
  needs: fc.tuple(amount, amount),
  machines: fc.array(
    fc.record({
      price: fc.integer({ min: 1, max: 200 }).map((cents) => cents / 100),
      has: fc.tuple(amount, amount),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

describe('prices of resources', () => {
  test('follow the only machine there is', () => {
    const prices = pricesOf({ needs: [8], machines: [{ price: 3, has: [4] }] });
    expect([...prices!]).toEqual([0.75]);
  });

  test('are nothing for what is left over anyway', () => {
    const prices = pricesOf({ needs: [8, 1], machines: [{ price: 4, has: [4, 100] }] });
    expect([...prices!]).toEqual([1, 0]);
  });

  test('make the needs worth what the cheapest mix of machines costs', () => {
    fc.assert(
      fc.property(market, (input) => {
        const prices = pricesOf(input)!;
        expect(worth(prices, input.needs)).toBeCloseTo(cheapestMix(input), 6);
      }),
      { numRuns: 500 },
    );
  });

  test('make no machine worth more than it costs, and nothing worth less than nothing', () => {
    fc.assert(
      fc.property(market, (input) => {
        const prices = pricesOf(input)!;
        for (const { price, has } of input.machines) {
          expect(worth(prices, has)).toBeLessThanOrEqual(price + 1e-9);
        }
        expect(Math.min(...prices)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 300 },
    );
  });

  test('do not depend on the unit in which a resource is counted', () => {
    fc.assert(
      fc.property(market, (input) => {
        const scaled: Market = {
          needs: [input.needs[0]! * 1e9, input.needs[1]! * 2 ** 30],
          machines: input.machines.map(({ price, has }) => ({
            price,
            has: [has[0]! * 1e9, has[1]! * 2 ** 30],
          })),
        };
        const [plain, large] = [pricesOf(input)!, pricesOf(scaled)!];
        expect(worth(large, scaled.needs)).toBeCloseTo(worth(plain, input.needs), 6);
      }),
      { numRuns: 200 },
    );
  });

  test('do not exist where machines lack something that is needed', () => {
    expect(pricesOf({ needs: [1, 1], machines: [{ price: 1, has: [4, 0] }] })).toBeUndefined();
    expect(pricesOf({ needs: [1], machines: [] })).toBeUndefined();
  });
});
