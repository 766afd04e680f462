import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fits, fromResourceList, type Resources } from '../model/resources.ts';
import {
  capacityColumns,
  compileColumns,
  fromColumns,
  requestColumns,
} from './resource-columns.ts';

const amounts = fc.dictionary(
  fc.constantFrom('cpu', 'memory', 'pods', 'nvidia.com/gpu'),
  fc.bigInt({ min: 0n, max: 10n ** 24n }),
);
const vector = amounts.map((record): Resources => new Map(Object.entries(record)));

function fitsColumns(request: Float64Array, total: Float64Array): boolean {
  return request.every((amount, column) => amount <= total[column]!);
}

describe('resources as columns', () => {
  test('the columns that decide most often come first, and units make everyday amounts whole', () => {
    const list = [{ 'nvidia.com/gpu': '1', memory: '2Gi', cpu: '250m' }, { cpu: '1' }];
    const columns = compileColumns(list.map(fromResourceList));
    expect(columns.names).toEqual(['cpu', 'memory', 'nvidia.com/gpu']);
    expect([...requestColumns(columns, fromResourceList({ cpu: '1', memory: '2Gi' }))]).toEqual([
      4, 1, 0,
    ]);
  });

  test('whatever does not fit exactly does not fit in columns either', () => {
    fc.assert(
      fc.property(vector, vector, (request, total) => {
        const columns = compileColumns([request, total]);
        const inColumns = fitsColumns(
          requestColumns(columns, request),
          capacityColumns(columns, total),
        );
        expect(!inColumns || fits(request, total)).toBe(true);
      }),
    );
  });

  test('amounts below 2^53 units are exact, there and back', () => {
    const small = fc
      .dictionary(fc.constantFrom('cpu', 'memory'), fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }))
      .map((record): Resources => new Map(Object.entries(record)));
    fc.assert(
      fc.property(small, small, (a, b) => {
        const columns = compileColumns([a, b]);
        expect(fromColumns(columns, requestColumns(columns, a))).toEqual(
          new Map(
            [...a].toSorted(([x], [y]) => columns.names.indexOf(x) - columns.names.indexOf(y)),
          ),
        );
        expect(fitsColumns(requestColumns(columns, a), capacityColumns(columns, b))).toBe(
          fits(a, b),
        );
      }),
    );
  });

  test('an overdrawn amount rounds further down, never towards room', () => {
    const huge = new Map([['memory', 2n ** 60n + 1n]]);
    const overdrawn = new Map([['memory', -1n]]);
    const columns = compileColumns([huge, overdrawn]);
    expect(capacityColumns(columns, overdrawn)[0]).toBe(-1);
    expect(requestColumns(columns, new Map([['memory', 1n]]))[0]).toBe(1);
  });
});
