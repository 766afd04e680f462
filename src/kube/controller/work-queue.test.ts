import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MetricsRegistry } from '../../base/metrics.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { RateLimiter } from './rate-limiter.ts';
import { WorkQueueMetrics } from './work-queue-metrics.ts';
import { WorkQueue } from './work-queue.ts';

const limits = { baseMs: 100, maxMs: 10_000, perSecond: 1e6, burst: 1e6 };

function setUp(metrics?: WorkQueueMetrics) {
  const clock = new VirtualClock();
  const limiter = new RateLimiter({ clock, limits });
  const queue = new WorkQueue({ name: 'test', clock, limiter, metrics });
  return { clock, queue };
}

interface Outcome<T> {
  settled: boolean;
  value: T | undefined;
}

/** Looks at a promise without waiting for it. */
function outcomeOf<T>(promise: Promise<T>): Outcome<T> {
  const outcome: Outcome<T> = { settled: false, value: undefined };
  const follow = async (): Promise<void> => {
    outcome.value = await promise;
    outcome.settled = true;
  };
  void follow();
  return outcome;
}

describe('a work queue', () => {
  test('hands out a key once however often it was added', async () => {
    const { clock, queue } = setUp();
    for (const key of ['a', 'b', 'a', 'a']) queue.add(key);
    expect([queue.length, await queue.get(), await queue.get(), queue.length]).toEqual([
      2,
      'a',
      'b',
      0,
    ]);
    const third = outcomeOf(queue.get());
    await clock.settle();
    expect(third.settled).toBe(false);
  });

  test('gives a key that is added while it is worked on to nobody else, and hands it out again after', async () => {
    const { clock, queue } = setUp();
    queue.add('a');
    await queue.get();
    queue.add('a');
    const second = outcomeOf(queue.get());
    await clock.settle();
    expect(second.settled).toBe(false);
    queue.done('a');
    await clock.settle();
    expect(second.value).toBe('a');
  });

  test('keeps the earlier due time when a key is queued twice', async () => {
    const { clock, queue } = setUp();
    queue.addAfter('a', 5000);
    queue.addAfter('a', 2000);
    queue.addAfter('a', 9000);
    await clock.advance(1999);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect([queue.length, clock.pending().timers]).toEqual([1, []]);
  });

  test('does not wait for a due time when the key is added meanwhile, and hands it out once only', async () => {
    const { clock, queue } = setUp();
    queue.addAfter('a', 5000);
    queue.add('a');
    expect(await queue.get()).toBe('a');
    queue.done('a');
    expect(clock.pending().timers).toEqual([]);
    await clock.advance(10_000);
    expect(queue.length).toBe(0);
  });

  test('makes a key wait longer with each failure until it is forgotten', async () => {
    const { clock, queue } = setUp();
    const waits: number[] = [];
    const wait = async (): Promise<void> => {
      const startMs = clock.monotonic();
      queue.addRateLimited('a');
      await clock.runUntil(() => queue.length === 1);
      waits.push(clock.monotonic() - startMs);
      queue.done((await queue.get())!);
    };
    for (let i = 0; i < 3; i++) await wait();
    expect(queue.numRequeues('a')).toBe(3);
    queue.forget('a');
    await wait();
    expect(waits).toEqual([100, 200, 400, 100]);
  });

  test('answers everybody who waits when it is shut down', async () => {
    const { clock, queue } = setUp();
    const waiting = [queue.get(), queue.get()];
    queue.addAfter('later', 1000);
    await queue.shutDown({ drain: false });
    expect([...(await Promise.all(waiting)), await queue.get()]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(clock.pending().timers).toEqual([]);
  });

  test('works off what is due when it is drained, also what was added during work, and nothing new', async () => {
    const { clock, queue } = setUp();
    queue.add('a');
    queue.add('b');
    await queue.get();
    queue.add('a');
    queue.addAfter('late', 10);
    const idle = outcomeOf(queue.shutDown({ drain: true }));
    queue.add('c');
    const order: (string | undefined)[] = [await queue.get()];
    queue.done('b');
    const last = queue.get();
    await clock.settle();
    expect(idle.settled).toBe(false);
    queue.done('a');
    order.push(await last, await queue.get());
    await clock.settle();
    expect(idle.settled).toBe(false);
    queue.done('a');
    await clock.settle();
    expect({ order, idle: idle.settled }).toEqual({ order: ['b', 'a', undefined], idle: true });
  });

  test('is shut down hard only when every worker has given its key back', async () => {
    const { clock, queue } = setUp();
    queue.add('a');
    queue.add('b');
    await queue.get();
    queue.add('a');
    const idle = outcomeOf(queue.shutDown({ drain: false }));
    await clock.settle();
    expect([idle.settled, await queue.get()]).toEqual([false, undefined]);
    queue.done('a');
    await clock.settle();
    expect([idle.settled, queue.length]).toEqual([true, 0]);
  });

  test('keeps one timer however often due times are moved and taken back', async () => {
    const { clock, queue } = setUp();
    queue.addAfter('steady', 1_000_000);
    for (let round = 0; round < 10_000; round++) {
      queue.addAfter('a', 500_000);
      queue.add('a');
      queue.done((await queue.get())!);
    }
    expect(clock.pending().timers).toHaveLength(1);
    await queue.shutDown({ drain: false });
    expect(clock.pending().timers).toEqual([]);
  });
});

describe('the metrics of a work queue', () => {
  test('tell of adds, depth, retries, waits and work, and of work under way when they are read', async () => {
    const registry = new MetricsRegistry();
    const metrics = new WorkQueueMetrics(registry);
    const { clock, queue } = setUp(metrics);
    queue.add('a');
    queue.add('b');
    queue.addAfter('c', 60_000);
    await clock.advance(2000);
    await queue.get();
    await clock.advance(3000);
    queue.done('a');
    await queue.get();
    await clock.advance(500);
    metrics.refresh();
    const text = await registry.text();
    const labels = 'name="test",controller="test"';
    for (const line of [
      `workqueue_adds_total{${labels}} 2`,
      `workqueue_depth{${labels},priority="0"} 0`,
      `workqueue_retries_total{${labels}} 1`,
      `workqueue_queue_duration_seconds_sum{${labels}} 7`,
      `workqueue_work_duration_seconds_sum{${labels}} 3`,
      `workqueue_unfinished_work_seconds{${labels}} 0.5`,
      `workqueue_longest_running_processor_seconds{${labels}} 0.5`,
    ]) {
      expect(text).toContain(`${line}\n`);
    }
    expect(text.match(/queue_duration_seconds_bucket\{le="[^"]+"/g)).toHaveLength(13);
  });

  test('show an empty queue after a hard shutdown', async () => {
    const registry = new MetricsRegistry();
    const { queue } = setUp(new WorkQueueMetrics(registry));
    queue.add('a');
    queue.add('b');
    await queue.shutDown({ drain: false });
    expect(await registry.text()).toMatch(/workqueue_depth\{.*\} 0\n/);
  });
});

/** The queue as a picture: what it must answer, computed the slow and obvious way. */
class Model {
  now = 0;
  closed = false;
  waiters = 0;
  readonly ready: string[] = [];
  readonly dirty = new Set<string>();
  readonly processing = new Set<string>();
  readonly handedOut: (string | undefined)[] = [];
  readonly failures = new Map<string, number>();
  waiting: { key: string; due: number }[] = [];

  add(key: string): void {
    if (this.closed) return;
    this.waiting = this.waiting.filter((wait) => wait.key !== key);
    if (this.dirty.has(key)) return;
    this.dirty.add(key);
    if (!this.processing.has(key)) this.ready.push(key);
    this.match();
  }

  addAfter(key: string, delayMs: number): void {
    if (this.closed || this.dirty.has(key)) return;
    if (delayMs <= 0) return this.add(key);
    const due = this.now + delayMs;
    const known = this.waiting.find((wait) => wait.key === key);
    if (known !== undefined && known.due <= due) return;
    this.waiting = [...this.waiting.filter((wait) => wait.key !== key), { key, due }];
  }

  addRateLimited(key: string): void {
    if (this.closed) return;
    const failures = this.failures.get(key) ?? 0;
    this.failures.set(key, failures + 1);
    this.addAfter(key, Math.min(limits.maxMs, limits.baseMs * 2 ** failures));
  }

  advance(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      // Array.sort is stable: equal due times stay in the order in which they were set.
      const next = this.waiting.toSorted((a, b) => a.due - b.due)[0];
      if (next === undefined || next.due > end) break;
      this.now = next.due;
      this.add(next.key);
    }
    this.now = end;
  }

  get(): void {
    this.waiters++;
    this.match();
  }

  done(key: string): void {
    if (!this.processing.delete(key)) return;
    if (this.dirty.has(key)) this.ready.push(key);
    this.match();
  }

  shutDown(drain: boolean): void {
    this.closed = true;
    this.waiting = [];
    if (!drain) {
      this.dirty.clear();
      this.ready.length = 0;
    }
    this.match();
  }

  match(): void {
    while (this.waiters > 0 && this.ready.length > 0) {
      const key = this.ready.shift()!;
      this.dirty.delete(key);
      this.processing.add(key);
      this.handedOut.push(key);
      this.waiters--;
    }
    while (this.closed && this.dirty.size === 0 && this.waiters > 0) {
      this.handedOut.push(undefined);
      this.waiters--;
    }
  }
}

type Key = 'a' | 'b' | 'c' | 'd';

const keys = fc.constantFrom<Key[]>('a', 'b', 'c', 'd');
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), key: keys }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('addAfter' as const),
      key: keys,
      ms: fc.integer({ min: 0, max: 300 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('addRateLimited' as const), key: keys }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('get' as const) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('done' as const), key: keys }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), key: keys }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      ms: fc.integer({ min: 0, max: 200 }),
    }),
  },
);

describe('for any sequence of calls', () => {
  test('the queue answers as its model does, and ends with no timer and no waiter', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(command, { maxLength: 60 }),
        fc.boolean(),
        fc.array(command, { maxLength: 10 }),
        async (before, drain, after) => {
          const { clock, queue } = setUp();
          const model = new Model();
          const handedOut: (string | undefined)[] = [];
          const working = new Set<Key>();
          const gets: Promise<void>[] = [];
          const take = async (): Promise<void> => {
            const key = (await queue.get()) as Key | undefined;
            handedOut.push(key);
            if (key === undefined) return;
            if (working.has(key)) throw new Error(`two workers on ${key}`);
            working.add(key);
          };
          const apply = async (step: (typeof before)[number]): Promise<void> => {
            switch (step.do) {
              case 'add':
                queue.add(step.key);
                model.add(step.key);
                break;
              case 'addAfter':
                queue.addAfter(step.key, step.ms);
                model.addAfter(step.key, step.ms);
                break;
              case 'addRateLimited':
                queue.addRateLimited(step.key);
                model.addRateLimited(step.key);
                break;
              case 'get':
                gets.push(take());
                model.get();
                break;
              case 'done':
                working.delete(step.key);
                queue.done(step.key);
                model.done(step.key);
                break;
              case 'forget':
                queue.forget(step.key);
                model.failures.delete(step.key);
                break;
              case 'advance':
                await clock.advance(step.ms);
                model.advance(step.ms);
                break;
            }
            await clock.settle();
            expect({ handedOut, length: queue.length }).toEqual({
              handedOut: model.handedOut,
              length: model.ready.length,
            });
          };
          for (const step of before) await apply(step);
          const idle = outcomeOf(queue.shutDown({ drain }));
          model.shutDown(drain);
          for (const step of after) await apply(step);
          // Workers come until nothing is left; each gives back what it has.
          for (let round = 0; round < 10; round++) {
            for (const key of working) await apply({ do: 'done', key });
            await apply({ do: 'get' });
          }
          await Promise.all(gets);
          const { settled } = idle;
          expect({ settled, timers: clock.pending().timers, length: queue.length }).toEqual({
            settled: true,
            timers: [],
            length: 0,
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  test('every add is followed by a hand-out of its key', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(keys, fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 30 })), {
          minLength: 1,
          maxLength: 40,
        }),
        async (adds) => {
          const { clock, queue } = setUp();
          const lastAdd = new Map<string, number>();
          const lastStart = new Map<string, number>();
          let step = 0;
          const worker = async (): Promise<void> => {
            for (;;) {
              const key = await queue.get();
              if (key === undefined) return;
              lastStart.set(key, step++);
              await new Promise<void>((resolve) => clock.setTimer(20, resolve));
              queue.done(key);
            }
          };
          const workers = [worker(), worker()];
          for (const [key, delayMs, pauseMs] of adds) {
            queue.addAfter(key, delayMs);
            lastAdd.set(key, step++);
            await clock.advance(pauseMs);
          }
          await clock.advance(5000);
          for (const [key, at] of lastAdd) expect(lastStart.get(key)).toBeGreaterThan(at);
          await queue.shutDown({ drain: true });
          await Promise.all(workers);
        },
      ),
      { numRuns: 100 },
    );
  });
});
