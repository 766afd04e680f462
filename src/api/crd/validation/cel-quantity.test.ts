import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CelQuantity } from './cel-quantity.ts';

function parsed(text: string): CelQuantity {
  const quantity = CelQuantity.parse(text);
  if (quantity === undefined) throw new Error(`${text} is no quantity`);
  return quantity;
}

describe('equal quantities', () => {
  test.each([
    ['1', '1000m'],
    ['1k', '1e3'],
    ['1Ki', '1024'],
    ['1.5Gi', '1536Mi'],
    ['.5', '500m'],
    ['5.', '5'],
    ['+1', '1E0'],
    ['1u', '1000n'],
    ['-0.5', '-500m'],
    ['1E', '1e18'],
    ['0.1n', '1n'],
  ])('%s = %s', (left, right) => {
    expect(parsed(left).compareTo(parsed(right))).toBe(0n);
  });
});

test.each(['', '.', '1x', 'Gi', '1 Gi', '--1', '1e', '1KI'])('%s is no quantity', (text) => {
  expect(CelQuantity.parse(text)).toBeUndefined();
});

test('sums, differences and order are those of whole numbers', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }),
      fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }),
      (a, b) => {
        const left = parsed(String(a));
        const right = parsed(String(b));
        expect(left.add(right).toInteger()).toBe(a + b);
        expect(left.subtract(right).toInteger()).toBe(a - b);
        expect(left.compareTo(right)).toBe(a < b ? -1n : a > b ? 1n : 0n);
      },
    ),
  );
});
