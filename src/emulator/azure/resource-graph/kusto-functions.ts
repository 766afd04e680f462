// The scalar functions that queries may call. In: values. Out: a value; a missing one gives a missing or an empty one, as in
// Kusto. Data: one line a function.
import { isArray, isObject } from '../../kube/json.ts';
import { isEmptyValue, isMissing, isTrue, toText, type Value } from './kusto-values.ts';

export interface ScalarFunction {
  readonly least: number;
  readonly most: number;
  run(values: readonly Value[]): Value;
}

function unary(run: (value: Value) => Value): ScalarFunction {
  return { least: 1, most: 1, run: ([value]) => run(value) };
}

function toNumber(value: Value): Value {
  const text = toText(value).trim();
  const number = Number(text);
  return text === '' || Number.isNaN(number) ? null : number;
}

const manyMost = 64;

export const functions: Readonly<Record<string, ScalarFunction>> = {
  not: unary((value) => !isTrue(value)),
  isempty: unary((value) => isEmptyValue(value)),
  isnotempty: unary((value) => !isEmptyValue(value)),
  notempty: unary((value) => !isEmptyValue(value)),
  isnull: unary((value) => isMissing(value)),
  isnotnull: unary((value) => !isMissing(value)),
  notnull: unary((value) => !isMissing(value)),
  tolower: unary((value) => toText(value).toLowerCase()),
  toupper: unary((value) => toText(value).toUpperCase()),
  tostring: unary((value) => toText(value)),
  toint: unary((value) => toNumber(value)),
  tolong: unary((value) => toNumber(value)),
  toreal: unary((value) => toNumber(value)),
  tobool: unary((value) => toText(value).toLowerCase() === 'true'),
  strlen: unary((value) => toText(value).length),
  array_length: unary((value) => (isArray(value) ? value.length : null)),
  bag_keys: unary((value) => (isObject(value) ? Object.keys(value) : null)),
  strcat: {
    least: 1,
    most: manyMost,
    run: (values) => values.map((value) => toText(value)).join(''),
  },
  coalesce: {
    least: 2,
    most: manyMost,
    run: (values) => values.find((value) => !isMissing(value)) ?? null,
  },
  split: {
    least: 2,
    most: 3,
    run: ([value, separator, index]) => {
      const parts = toText(value).split(toText(separator));
      return typeof index === 'number' ? parts.slice(index, index + 1) : parts;
    },
  },
  iff: { least: 3, most: 3, run: ([test, yes, no]) => (isTrue(test) ? yes : no) },
  iif: { least: 3, most: 3, run: ([test, yes, no]) => (isTrue(test) ? yes : no) },
};
