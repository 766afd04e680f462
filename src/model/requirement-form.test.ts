import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/requirement.json' with { type: 'json' };
import { seededRandom } from '../base/random.ts';
import { coreLabelRules } from './label-rules.ts';
import { describeRequirement, pickValue, toEntries } from './requirement-form.ts';
import {
  allows,
  intersect,
  isContradiction,
  operatorOf,
  type Requirement,
  createRequirement,
  type RequirementEntry,
} from './requirement.ts';

function of(...entries: readonly Omit<RequirementEntry, 'key'>[]): Requirement {
  return entries
    .map((entry) => createRequirement(coreLabelRules, { key: 'k', ...entry }))
    .reduce(intersect);
}

describe('the written form', () => {
  test.each(vectors.printed.map((row, index) => [index, row[0], row[3]] as const))(
    'of shape %i (%s) is the original one, with excluded values and contradictions kept',
    (index, text, recorded) => {
      const shape = of(...(vectors.shapes[index] as RequirementEntry[]));
      const expected = (recorded as string[]).map((entry): unknown => JSON.parse(entry));
      if (text === 'k NotIn [3] >=2 <=5') {
        expected.push({ key: 'k', operator: 'NotIn', values: ['3'] });
      }
      if (isContradiction(shape)) expected.unshift({ key: 'k', operator: 'Exists' });
      expect(toEntries(shape)).toEqual(expected);
    },
  );

  test('reads back as the same requirement', () => {
    fc.assert(
      fc.property(fc.nat(vectors.shapes.length - 1), fc.nat(vectors.shapes.length - 1), (i, j) => {
        const shape = of(...([...vectors.shapes[i]!, ...vectors.shapes[j]!] as RequirementEntry[]));
        const again = of(...toEntries(shape));
        expect(describeRequirement(again)).toBe(describeRequirement(shape));
        expect(again.mayBeAbsent).toBe(shape.mayBeAbsent);
      }),
    );
  });

  test.each<[string, Requirement, string[]]>([
    [
      'some value but one is Exists and NotIn',
      of({ operator: 'Exists' }, { operator: 'NotIn', values: ['a'] }),
      ['Exists', 'NotIn a'],
    ],
    [
      'a bound demands the label by itself',
      of({ operator: 'Gte', values: ['2'] }, { operator: 'NotIn', values: ['3'] }),
      ['Gte 2', 'NotIn 3'],
    ],
    ['an exclusion alone is NotIn', of({ operator: 'NotIn', values: ['a'] }), ['NotIn a']],
    ['absence is DoesNotExist', of({ operator: 'DoesNotExist' }), ['DoesNotExist']],
    [
      'a contradiction is Exists and DoesNotExist',
      of({ operator: 'In', values: ['a'] }, { operator: 'In', values: ['b'] }),
      ['Exists', 'DoesNotExist'],
    ],
    ['anything or nothing is NotIn without values', of({ operator: 'NotIn' }), ['NotIn']],
  ])('%s', (_, shape, expected) => {
    const written = toEntries(shape).map(({ operator, values = [] }) =>
      [operator, ...values].join(' '),
    );
    expect(written).toEqual(expected);
  });

  test('repeats how many values are asked for in every entry', () => {
    const shape = of({ operator: 'Exists', minValues: 2 }, { operator: 'NotIn', values: ['a'] });
    expect(toEntries(shape).map(({ minValues }) => minValues)).toEqual([2, 2]);
  });
});

describe('picking a value', () => {
  test.each<[string, Requirement, string | undefined]>([
    ['the first of a set', of({ operator: 'In', values: ['b', 'a'] }), 'a'],
    ['nothing', of({ operator: 'DoesNotExist' }), undefined],
    ['anything', of({ operator: 'Exists' }), '0'],
    ['the lower bound', of({ operator: 'Gt', values: ['4'] }), '5'],
    ['not an excluded one', of({ operator: 'NotIn', values: ['0', '1', '3'] }), '2'],
    ['nothing below zero', of({ operator: 'Lt', values: ['0'] }), undefined],
    ['zero before a negative bound', of({ operator: 'Gte', values: ['-3'] }), '0'],
    [
      'the only one left',
      of(
        { operator: 'Gte', values: ['4'] },
        { operator: 'Lte', values: ['6'] },
        { operator: 'NotIn', values: ['4', '6'] },
      ),
      '5',
    ],
    [
      'the largest',
      of({ operator: 'Gte', values: ['9223372036854775807'] }),
      String(2n ** 63n - 1n),
    ],
  ])('%s', (_, shape, expected) => {
    expect(pickValue(shape)).toBe(expected);
  });

  test('drawn or not, the value satisfies the requirement and only emptiness has none', () => {
    const random = seededRandom(3);
    const bounds = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(bounds, bounds, fc.uniqueArray(bounds.map(String)), (low, high, excluded) => {
        const shape = of(
          { operator: 'Gte', values: [String(low)] },
          { operator: 'Lte', values: [String(high)] },
          { operator: 'NotIn', values: excluded },
        );
        for (const value of [pickValue(shape), pickValue(shape, random)]) {
          expect(value === undefined).toBe(operatorOf(shape) === 'DoesNotExist');
          expect(value === undefined || allows(shape, value)).toBe(true);
        }
      }),
    );
  });

  test('draws spread over an open range', () => {
    const random = seededRandom(5);
    const drawn = new Set(
      Array.from({ length: 20 }, () => pickValue(of({ operator: 'Exists' }), random)),
    );
    expect(drawn.size).toBe(20);
  });
});
