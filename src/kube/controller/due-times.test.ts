import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DueTimes } from './due-times.ts';
import { Fifo } from '../../base/fifo.ts';
import { LruMap } from '../../base/lru-map.ts';

describe('keys that wait', () => {
  test('come out in the order in which they fall due, as told by a plain sorted list', () => {
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constant('set' as const),
          key: fc.nat({ max: 80 }).map(String),
          ms: fc.nat({ max: 1000 }),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constant('delete' as const),
          key: fc.nat({ max: 80 }).map(String),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant('take' as const), ms: fc.nat({ max: 1000 }) }),
      },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 600, size: 'max' }), (steps) => {
        const due = new DueTimes();
        let model: { key: string; ms: number }[] = [];
        const taken: unknown[] = [];
        const expected: unknown[] = [];
        for (const one of steps) {
          if (one.do === 'set') {
            due.set(one.key, one.ms);
            const known = model.find(({ key }) => key === one.key);
            if (known !== undefined && known.ms <= one.ms) continue;
            model = [...model.filter((wait) => wait !== known), { key: one.key, ms: one.ms }];
          } else if (one.do === 'delete') {
            due.delete(one.key);
            model = model.filter(({ key }) => key !== one.key);
          } else {
            const first = model.toSorted((a, b) => a.ms - b.ms)[0];
            const isDue = first !== undefined && first.ms <= one.ms;
            taken.push([due.nextMs(), due.take(one.ms)]);
            expected.push([first?.ms, isDue ? first.key : undefined]);
            if (isDue) model = model.filter((wait) => wait !== first);
          }
        }
        expect(taken).toEqual(expected);
        const rest = model.toSorted((a, b) => a.ms - b.ms).map(({ key }) => key);
        expect(rest.map(() => due.take(Infinity))).toEqual(rest);
        expect(due.take(Infinity)).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  });
});

describe('a first-in, first-out list', () => {
  test('gives back what was put in, in order, also when it is long', () => {
    const fifo = new Fifo<number>();
    const out: (number | undefined)[] = [];
    for (let i = 0; i < 1000; i++) {
      fifo.push(i);
      if (i % 3 === 2) out.push(fifo.shift());
    }
    expect(fifo.size).toBe(667);
    while (fifo.size > 0) out.push(fifo.shift());
    expect(out).toEqual(Array.from({ length: 1000 }, (_, i) => i));
    expect(fifo.shift()).toBeUndefined();
  });
});

describe('a map of bounded size', () => {
  test('forgets the key that has not been touched for longest', () => {
    const map = new LruMap<string, number>(3);
    for (const key of ['a', 'b', 'c']) map.set(key, 1);
    map.get('a');
    map.set('b', 2);
    map.set('d', 1);
    expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([1, 2, undefined, 1]);
  });
});
