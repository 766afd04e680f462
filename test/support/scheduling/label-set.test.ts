import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { common, exactly, hasValue, isEmpty, isWithin, labelSetOf, missing } from './label-set.ts';

/** Every way a node's label can be, as far as the expressions below can tell. */
const world = [undefined, '1', '2', '3', '9', 'a', 'b', 'z'];

const expression = fc.oneof(
  fc.record({
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.subarray(['1', '2', 'a', 'b']),
  }),
  fc.record({
    operator: fc.constantFrom('Exists', 'DoesNotExist'),
    values: fc.constant<string[]>([]),
  }),
  fc.record({
    operator: fc.constantFrom('Gt', 'Lt', 'Gte', 'Lte'),
    values: fc.constantFrom(['1'], ['2'], ['3']),
  }),
);

/** The rule of Kubernetes for one label of one node, read off its documentation. */
function holds(
  { operator, values }: { operator: string; values: readonly string[] },
  actual: string | undefined,
): boolean {
  const [bound = ''] = values;
  const number = actual !== undefined && /^\d+$/.test(actual) ? Number(actual) : Number.NaN;
  const rules: Record<string, boolean> = {
    In: actual !== undefined && values.includes(actual),
    NotIn: actual === undefined || !values.includes(actual),
    Exists: actual !== undefined,
    DoesNotExist: actual === undefined,
    Gt: number > Number(bound),
    Gte: number >= Number(bound),
    Lt: number < Number(bound),
    Lte: number <= Number(bound),
  };
  return rules[operator] ?? false;
}

function of(actual: string | undefined) {
  return actual === undefined ? missing : exactly(actual);
}

describe('a set of what a label may be', () => {
  test('holds what Kubernetes lets the expression match', () => {
    fc.assert(
      fc.property(expression, fc.constantFrom(...world), (wanted, actual) => {
        const set = labelSetOf(wanted.operator, wanted.values);
        expect(isWithin(of(actual), set)).toBe(holds(wanted, actual));
      }),
    );
  });

  test('has in common with another what both hold', () => {
    fc.assert(
      fc.property(expression, expression, fc.constantFrom(...world), (a, b, actual) => {
        const both = common(labelSetOf(a.operator, a.values), labelSetOf(b.operator, b.values));
        expect(isWithin(of(actual), both)).toBe(holds(a, actual) && holds(b, actual));
      }),
    );
  });

  test('is within another when it holds nothing that the other does not', () => {
    fc.assert(
      fc.property(expression, expression, (a, b) => {
        const [inner, outer] = [labelSetOf(a.operator, a.values), labelSetOf(b.operator, b.values)];
        const counterexample = world.some((actual) => holds(a, actual) && !holds(b, actual));
        expect(isWithin(inner, outer) && counterexample).toBe(false);
      }),
    );
  });

  test('is within itself and within what it was narrowed from', () => {
    fc.assert(
      fc.property(expression, expression, (a, b) => {
        const [one, other] = [labelSetOf(a.operator, a.values), labelSetOf(b.operator, b.values)];
        const both = common(one, other);
        expect([isWithin(one, one), isWithin(both, one), isWithin(both, other)]).toEqual([
          true,
          true,
          true,
        ]);
      }),
    );
  });

  test.each([
    ['In and another In', common(labelSetOf('In', ['a']), labelSetOf('In', ['b']))],
    ['In and DoesNotExist', common(labelSetOf('In', ['a']), missing)],
    ['Exists and DoesNotExist', common(labelSetOf('Exists'), missing)],
    ['a range without a number', common(labelSetOf('Gt', ['1']), labelSetOf('Lt', ['2']))],
    [
      'a range whose only number is excluded',
      common(common(labelSetOf('Gt', ['1']), labelSetOf('Lt', ['3'])), labelSetOf('NotIn', ['2'])),
    ],
    ['a bound that is no number', labelSetOf('Gt', ['x'])],
  ])('is empty for %s, which is not the same as absence', (_, set) => {
    expect({ empty: isEmpty(set), value: hasValue(set) }).toEqual({ empty: true, value: false });
  });
});
