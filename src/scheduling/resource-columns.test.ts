import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fits, fromResourceList, type Resources } from '../model/resources.ts';
import { capacityColumns, compileColumns, requestColumns } from './resource-columns.ts';

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
      1e9,
      2 ** 31,
      0,
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

  test('whole units below 2^53 are compared exactly', () => {
    const whole = fc
      .dictionary(fc.constantFrom('memory', 'pods'), fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }))
      .map(
        (record): Resources =>
          new Map(Object.entries(record).map(([name, units]) => [name, units * 1_000_000_000n])),
      );
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        const columns = compileColumns([a, b]);
        expect(fitsColumns(requestColumns(columns, a), capacityColumns(columns, b))).toBe(
          fits(a, b),
        );
      }),
    );
  });

  test('an overdrawn amount rounds further down, never towards room', () => {
    const columns = compileColumns([new Map([['memory', 0n]])]);
    expect(capacityColumns(columns, new Map([['memory', -1n]]))[0]).toBe(-1);
    expect(requestColumns(columns, new Map([['memory', 1n]]))[0]).toBe(1);
  });

  test('a request for something that nobody has fits nowhere', () => {
    const columns = compileColumns([new Map([['memory', 0n]])]);
    const request = requestColumns(columns, new Map([['example.com/fpga', 1n]]));
    expect(fitsColumns(request, capacityColumns(columns, new Map([['memory', 10n ** 30n]])))).toBe(
      false,
    );
  });
});
