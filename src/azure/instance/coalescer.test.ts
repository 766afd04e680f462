import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { Coalescer } from './coalescer.ts';

function coalescing(
  maxSize = 50,
  execute?: (requests: readonly number[]) => Promise<(number | Error)[]>,
) {
  const clock = new VirtualClock();
  const batches: { readonly atMs: number; readonly requests: readonly number[] }[] = [];
  const coalescer = new Coalescer<number, number>({
    clock,
    idleMs: 1000,
    maxMs: 5000,
    maxSize,
    execute: (requests) => {
      batches.push({ atMs: clock.monotonic(), requests });
      return execute?.(requests) ?? Promise.resolve(requests.map((n) => n * 10));
    },
  });
  return { clock, batches, coalescer };
}

describe('requests that go together', () => {
  test('go when nothing new has come for a while, by key', async () => {
    const { clock, batches, coalescer } = coalescing();
    const answers = [coalescer.run('a', 1), coalescer.run('b', 2), coalescer.run('a', 3)];
    await clock.advance(1000);
    expect(await Promise.all(answers)).toEqual([10, 20, 30]);
    expect(batches).toEqual([
      { atMs: 1000, requests: [1, 3] },
      { atMs: 1000, requests: [2] },
    ]);
  });

  test('go at the latest when their window is over', async () => {
    const { clock, batches, coalescer } = coalescing();
    for (let n = 0; n < 12; n++) {
      void coalescer.run('a', n);
      await clock.advance(500);
    }
    expect(batches.map(({ atMs, requests }) => [atMs, requests.length])).toEqual([[5000, 10]]);
    await clock.advance(1000);
    expect(batches).toHaveLength(2);
  });

  test('go at once when a group is full', async () => {
    const { clock, batches, coalescer } = coalescing(2);
    void coalescer.run('a', 1);
    void coalescer.run('a', 2);
    await clock.settle();
    expect(batches).toEqual([{ atMs: 0, requests: [1, 2] }]);
    expect(clock.pending().timers).toEqual([]);
  });

  test('fail one by one, or all with the call', async () => {
    const { clock, coalescer } = coalescing(50, (requests) =>
      requests.includes(9)
        ? Promise.reject(new Error('all'))
        : Promise.resolve([1, new Error('second')]),
    );
    const some = Promise.allSettled([
      coalescer.run('a', 1),
      coalescer.run('a', 2),
      coalescer.run('a', 3),
    ]);
    const none = Promise.allSettled([coalescer.run('b', 9), coalescer.run('b', 8)]);
    await clock.advance(1000);
    const told = (await Promise.all([some, none])).map((outcomes) =>
      outcomes.map((outcome) =>
        outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message,
      ),
    );
    expect(told).toEqual([
      [1, 'second', 'a batch gave no outcome for a request'],
      ['all', 'all'],
    ]);
  });
});
