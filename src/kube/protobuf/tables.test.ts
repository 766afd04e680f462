import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toTimestamp } from '../../base/clock.ts';
import { PartTable } from './part-table.ts';
import { StringTable } from './string-table.ts';
import { TimeTable } from './time-table.ts';

describe('texts that come again', () => {
  test.each([false, true])('are always what their bytes say (property names: %s)', (internal) => {
    const text = fc.oneof(
      fc.constantFrom('app', 'apq', 'ready', '', '__proto__', '0', 'zürich', '🚀'),
      fc.string({ unit: 'binary', maxLength: 140 }),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 60 }), (texts) => {
        // Four slots, so that almost every text takes the place of another.
        const table = new StringTable(4, internal);
        for (const wanted of texts) {
          const bytes = Buffer.from(`..${wanted}..`);
          expect(table.text(bytes, 2, bytes.length - 2)).toBe(
            bytes.toString('utf8', 2, bytes.length - 2),
          );
        }
      }),
    );
  });
});

describe('times', () => {
  test('are those that a Date writes, from year 0 to year 9999', () => {
    const table = new TimeTable();
    const seconds = fc.oneof(
      fc.integer({ min: -62_167_219_200, max: 253_402_300_799 }),
      fc.integer({ min: 1_790_000_000, max: 1_790_001_000 }),
      fc.constantFrom(-1, 0, 1, 86_399, 86_400, -86_400, -86_401, 951_782_400),
    );
    fc.assert(
      fc.property(seconds, (second) => {
        expect(table.text(second)).toBe(toTimestamp(second * 1000));
        expect(table.text(second)).toBe(toTimestamp(second * 1000));
      }),
    );
  });
});

describe('parts that come again', () => {
  function found(table: PartTable, owner: number, text: string): object | undefined {
    const bytes = Buffer.from(`--${text}-`);
    return table.find(owner, bytes, 2, bytes.length - 1);
  }

  test('are found by their bytes and their owner, however many come between', () => {
    const parts = fc.array(
      fc.record({ owner: fc.integer({ min: 1, max: 3 }), text: fc.string({ maxLength: 1200 }) }),
      { maxLength: 50 },
    );
    fc.assert(
      fc.property(parts, (all) => {
        const table = new PartTable();
        for (const { owner, text } of all) {
          const value = { owner, text };
          table.keep(owner, Buffer.from(text), value);
          const short = Buffer.byteLength(text) <= 1024;
          expect(found(table, owner, text)).toBe(short ? value : undefined);
          expect(found(table, owner + 10, text)).toBeUndefined();
        }
        for (const { owner, text } of all) {
          expect([undefined, JSON.stringify({ owner, text })]).toContain(
            JSON.stringify(found(table, owner, text)),
          );
        }
      }),
    );
  });

  test('are forgotten, not mixed up, when there is no more room', () => {
    const table = new PartTable();
    const text = (i: number): string => `${i} `.padEnd(1000, '.');
    for (let i = 0; i < 3000; i++) table.keep(1, Buffer.from(text(i)), { i });
    const kept = Array.from({ length: 3000 }, (_, i) => ({ i, part: found(table, 1, text(i)) }));
    for (const { i, part } of kept) {
      expect([undefined, JSON.stringify({ i })]).toContain(JSON.stringify(part));
    }
    expect(kept.at(-1)?.part).toEqual({ i: 2999 });
    expect(kept.filter(({ part }) => part !== undefined).length).toBeLessThan(600);
  });
});
