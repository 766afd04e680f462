import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LabelSelector, LabelSelectorRequirement } from '../api/meta.ts';
import { selectorIdentity, selects } from './label-selector.ts';

const expression = (
  key: string,
  operator: LabelSelectorRequirement['operator'],
  ...values: string[]
): LabelSelector => ({ matchExpressions: [{ key, operator, values }] });

describe('a selector', () => {
  test.each<[LabelSelector | undefined, Record<string, string> | undefined, boolean]>([
    [undefined, { a: '1' }, false],
    [{}, { a: '1' }, true],
    [{}, undefined, true],
    [{ matchLabels: { a: '1' } }, { a: '1', b: '2' }, true],
    [{ matchLabels: { a: '1' } }, { a: '2' }, false],
    [{ matchLabels: { constructor: 'x' } }, {}, false],
    [expression('a', 'In', '1', '2'), { a: '2' }, true],
    [expression('a', 'In', '1', '2'), { a: '3' }, false],
    [expression('a', 'In', '1'), {}, false],
    [expression('a', 'In'), { a: '1' }, false],
    [expression('a', 'NotIn', '1'), { a: '1' }, false],
    [expression('a', 'NotIn', '1'), { a: '2' }, true],
    [expression('a', 'NotIn', '1'), {}, true],
    [expression('a', 'NotIn'), { a: '1' }, false],
    [expression('a', 'Exists'), { a: '' }, true],
    [expression('a', 'Exists'), {}, false],
    [expression('toString', 'Exists'), {}, false],
    [expression('a', 'DoesNotExist'), {}, true],
    [expression('a', 'DoesNotExist'), { a: '1' }, false],
    [expression('a', 'Gt' as 'In', '1'), { a: '2' }, false],
    [{ matchLabels: { a: '1' }, ...expression('b', 'Exists') }, { a: '1' }, false],
  ])('%j on %j: %s', (selector, labels, expected) => {
    expect(selects(selector, labels)).toBe(expected);
  });
});

describe('identity', () => {
  test('does not see order, repetition, or where a value is stated', () => {
    const a = selectorIdentity({
      matchLabels: { app: 'web' },
      matchExpressions: [{ key: 'tier', operator: 'In', values: ['b', 'a', 'a'] }],
    });
    const b = selectorIdentity({
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['a', 'b'] },
        { key: 'app', operator: 'In', values: ['web'] },
        { key: 'tier', operator: 'In', values: ['b', 'a'] },
      ],
    });
    expect(a).toBe(b);
  });

  test('tells nothing, everything, and different rules apart', () => {
    const identities = [
      undefined,
      {},
      expression('a', 'Exists'),
      expression('a', 'DoesNotExist'),
      expression('a', 'In', 'b', 'c'),
      expression('a', 'In', 'b,c'),
    ].map(selectorIdentity);
    expect(new Set(identities).size).toBe(identities.length);
  });

  test('equal identities select the same labels', () => {
    const text = fc.constantFrom('a', 'b');
    const selectors = fc.record({
      matchExpressions: fc.array(
        fc.record({
          key: text,
          operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist'),
          values: fc.array(text, { minLength: 1, maxLength: 2 }),
        }),
        { maxLength: 3 },
      ),
    });
    fc.assert(
      fc.property(selectors, fc.dictionary(text, text), ({ matchExpressions }, labels) => {
        const reversed = { matchExpressions: matchExpressions.toReversed() };
        expect(selectorIdentity(reversed)).toBe(selectorIdentity({ matchExpressions }));
        expect(selects(reversed, labels)).toBe(selects({ matchExpressions }, labels));
      }),
    );
  });
});
