import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isNewer, isStale } from './resource-version.ts';

describe('resource versions', () => {
  test('compare as numbers, whatever their length', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 40n }),
        fc.bigInt({ min: 0n, max: 10n ** 40n }),
        (a, b) => {
          expect([isNewer(`${a}`, `${b}`), isStale(`${a}`, `${b}`)]).toEqual([a > b, a <= b]);
        },
      ),
    );
  });

  test.each([undefined, '', 'abc', '-1', '01', '1.5'])('%s is neither newer nor stale', (odd) => {
    expect([isNewer(odd, '5'), isStale(odd, '5'), isNewer('5', odd), isStale('5', odd)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
