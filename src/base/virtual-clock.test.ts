import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sleep } from './clock.ts';
import { hasCode } from './errors.ts';
import { VirtualClock } from './virtual-clock.ts';

describe('the virtual clock', () => {
  test('runs timers in the order of their due time, equal ones in the order they were set', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 50 })), async (delays) => {
        const clock = new VirtualClock();
        const ran: [number, number][] = [];
        for (const [i, delay] of delays.entries()) {
          clock.setTimer(delay, () => ran.push([clock.monotonic(), i]));
        }
        await clock.advance(100);
        const expected = delays
          .map((delay, i): [number, number] => [delay, i])
          .toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
        expect(ran).toEqual(expected);
        expect(clock.monotonic()).toBe(100);
      }),
    );
  });

  test('settles promises between two timers, so work reaches its next wait before time moves', async () => {
    const clock = new VirtualClock();
    const steps: string[] = [];
    const worker = async (): Promise<void> => {
      for (let i = 0; i < 3; i++) {
        await sleep(clock, 10);
        await Promise.resolve().then(() => process.nextTick(() => undefined));
        steps.push(`${clock.monotonic()}`);
      }
    };
    const done = worker();
    await clock.advance(30);
    await done;
    expect(steps).toEqual(['10', '20', '30']);
  });

  test('stands still while tracked work is under way', async () => {
    const clock = new VirtualClock();
    const work = clock.track('socket');
    let ran = false;
    clock.setTimer(1, () => (ran = true));
    const advancing = clock.advance(5);
    await new Promise((resolve) => process.nextTick(resolve));
    expect([ran, clock.pending().tracked]).toEqual([false, ['socket']]);
    work[Symbol.dispose]();
    await advancing;
    expect([ran, clock.pending()]).toEqual([true, { timers: [], tracked: [] }]);
  });

  test('a jump moves wall time and makes no timer due', async () => {
    const clock = new VirtualClock({ startMs: 1000 });
    let ran = false;
    clock.setTimer(100, () => (ran = true));
    clock.jump(3_600_000);
    await clock.settle();
    expect([clock.now(), clock.monotonic(), ran]).toEqual([3_601_000, 0, false]);
  });

  test('tells what is pending, without what was cancelled', () => {
    const clock = new VirtualClock();
    clock.setTimer(20, () => undefined, 'later');
    clock.setTimer(10, () => undefined, 'sooner');
    clock.setTimer(5, () => undefined, 'never').cancel();
    expect(clock.pending().timers).toEqual([
      { label: 'sooner', inMs: 10 },
      { label: 'later', inMs: 20 },
    ]);
  });

  test('cancelling most of many timers leaves the rest in order', async () => {
    const clock = new VirtualClock();
    const ran: number[] = [];
    const timers = Array.from({ length: 500 }, (_, i) =>
      clock.setTimer(1000 - i, () => ran.push(i)),
    );
    for (const [i, timer] of timers.entries()) if (i % 10 !== 0) timer.cancel();
    timers[1]!.cancel();
    expect(clock.pending().timers.length).toBe(50);
    await clock.advance(1000);
    expect(ran).toEqual(Array.from({ length: 50 }, (_, i) => 490 - 10 * i));
  });

  test('a timer that throws stops the advance and keeps the timers after it', async () => {
    const clock = new VirtualClock();
    clock.setTimer(1, () => {
      throw new Error('boom');
    });
    clock.setTimer(2, () => undefined, 'after');
    await expect(clock.advance(10)).rejects.toThrow('boom');
    expect(clock.pending().timers).toEqual([{ label: 'after', inMs: 1 }]);
    await clock.advance(1);
    expect(clock.pending().timers).toEqual([]);
  });

  test('runs until a condition holds, and says what it waited for when time is spent', async () => {
    const clock = new VirtualClock();
    let count = 0;
    const tick = (): void => {
      count++;
      clock.setTimer(1000, tick, 'tick');
    };
    tick();
    await clock.runUntil(() => count === 5);
    expect(clock.monotonic()).toBe(4000);
    const late = clock.runUntil(() => count > 100, { limitMs: 5000, what: 'a hundred ticks' });
    await expect(late).rejects.toSatisfy((error) => hasCode(error, 'VirtualTimeSpent'));
  });

  test('is advanced by one caller at a time', async () => {
    const clock = new VirtualClock();
    const first = clock.advance(10);
    await expect(clock.advance(1)).rejects.toSatisfy((error) => hasCode(error, 'ClockBusy'));
    await first;
  });
});
