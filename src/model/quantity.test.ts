import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/quantity.json' with { type: 'json' };
import { CodedError } from '../base/errors.ts';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  negateQuantity,
  parseQuantity,
  type Quantity,
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
  tryParseQuantity,
} from './quantity.ts';

const quantities: fc.Arbitrary<Quantity> = fc.record({
  nano: fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
  format: fc.constantFrom('DecimalSI', 'BinarySI', 'DecimalExponent'),
});

describe('against recorded answers of the Kubernetes library', () => {
  test.each(vectors.valid)('%s is %s', (...row) => {
    const [text, canonical, format, value, milli] = row;
    const quantity = parseQuantity(text as string);
    expect({
      canonical: formatQuantity(quantity),
      format: quantity.format,
      value: value === null ? null : String(quantityValue(quantity)),
      milli: milli === null ? null : String(quantityMilliValue(quantity)),
    }).toEqual({ canonical, format, value, milli });
  });

  test.each(vectors.invalid)('refuses %j', (text, reason) => {
    expect(tryParseQuantity(text)).toEqual({ ok: false, reason });
  });

  test.each(vectors.pairs)('%s and %s', (...row) => {
    const [left, right, compare, sum, difference] = row as [string, string, ...unknown[]];
    const [a, b] = [parseQuantity(left), parseQuantity(right)];
    expect({
      compare: compareQuantities(a, b),
      sum: formatQuantity(addQuantities(a, b)),
      difference: formatQuantity(subtractQuantities(a, b)),
    }).toEqual({ compare, sum, difference });
  });
});

describe('where the original errs', () => {
  test.each([
    ['1000E', '1000E'],
    ['814727045657000000E', '814727045657000000E'],
    ['100000000000000000000000000', '100000000E'],
  ])('%s keeps its suffix above E', (text, canonical) => {
    expect(formatQuantity(parseQuantity(text))).toBe(canonical);
  });

  test.each([
    ['-0.1n', -1n, -1n],
    ['-1.0000000005', -2n, -1001n],
    ['-1.1Gi', -1181116007n, -1181116006400n],
  ])('%s rounds away from zero', (text, value, milli) => {
    const quantity = parseQuantity(text);
    expect([quantityValue(quantity), quantityMilliValue(quantity)]).toEqual([value, milli]);
  });

  test('refuses an exponent nobody can mean instead of computing it', () => {
    expect(tryParseQuantity('1e1000000000')).toEqual({
      ok: false,
      reason: 'the exponent of a quantity must not exceed 1000',
    });
    expect(parseQuantity('1e-1000000000').nano).toBe(1n);
    expect(parseQuantity('0e1000000000').nano).toBe(0n);
  });
});

test('accepts a bare JSON number', () => {
  expect(formatQuantity(parseQuantity(1.5))).toBe('1500m');
  expect(formatQuantity(parseQuantity(1e21))).toBe('1e21');
});

test('names the text and the rule when it throws', () => {
  expect(() => parseQuantity('1Kb')).toThrow(CodedError);
  const thrown = (() => {
    try {
      return parseQuantity('5 Gi');
    } catch (error) {
      return error;
    }
  })();
  expect(thrown).toMatchObject({
    code: 'InvalidQuantity',
    fields: { text: '5 Gi', rule: expect.stringContaining('regular expression') },
  });
});

describe('properties', () => {
  test('canonical text reads back as the same amount and prints the same again', () => {
    fc.assert(
      fc.property(quantities, (quantity) => {
        const text = formatQuantity(quantity);
        const read = parseQuantity(text);
        expect(read.nano).toBe(quantity.nano);
        expect(formatQuantity(read)).toBe(text);
      }),
    );
  });

  test('subtraction undoes addition', () => {
    fc.assert(
      fc.property(quantities, quantities, (a, b) => {
        expect(compareQuantities(subtractQuantities(addQuantities(a, b), b), a)).toBe(0);
        expect(subtractQuantities(a, b).nano).toBe(addQuantities(a, negateQuantity(b)).nano);
      }),
    );
  });

  test('order is antisymmetric and agrees with the sign of the difference', () => {
    fc.assert(
      fc.property(quantities, quantities, (a, b) => {
        const difference = subtractQuantities(a, b).nano;
        const sign = difference === 0n ? 0 : difference < 0n ? -1 : 1;
        expect(compareQuantities(a, b)).toBe(sign);
        expect(compareQuantities(b, a)).toBe(0 - sign);
      }),
    );
  });

  test('a binary amount never prints a fraction and never loses one', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 62n }), (bytes) => {
        const text = formatQuantity({ nano: bytes * 1_000_000_000n, format: 'BinarySI' });
        expect(text).toMatch(/^[0-9]+([KMGTPE]i|[kMGTPE])?$/);
        expect(quantityValue(parseQuantity(text))).toBe(bytes);
      }),
    );
  });
});
