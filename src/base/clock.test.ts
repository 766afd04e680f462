import { describe, expect, test } from 'vitest';
import { sleep, systemClock, toMicroTimestamp, toTimestamp } from './clock.ts';
import { VirtualClock } from './virtual-clock.ts';

describe('sleeping', () => {
  test('ends at once when the signal aborts, and leaves no timer', async () => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    const sleeping = sleep(clock, 1000, { signal: controller.signal });
    controller.abort();
    await expect(sleeping).rejects.toMatchObject({ name: 'AbortError' });
    expect(clock.pending().timers).toEqual([]);
    await expect(sleep(clock, 1, { signal: controller.signal })).rejects.toThrow();
  });

  test('an aborted signal without an error as reason still rejects with an error', async () => {
    const clock = new VirtualClock();
    await expect(sleep(clock, 1, { signal: AbortSignal.abort('why') })).rejects.toBeInstanceOf(
      Error,
    );
  });
});

describe('the system clock', () => {
  test('runs a timer, and does not run a cancelled one', async () => {
    const ran: string[] = [];
    systemClock.setTimer(0, () => ran.push('cancelled')).cancel();
    await new Promise<void>((resolve) => systemClock.setTimer(1, resolve));
    expect(ran).toEqual([]);
  });

  test('a delay beyond what Node can hold does not fire at once', async () => {
    let fired = false;
    const timer = systemClock.setTimer(2 ** 33, () => (fired = true));
    await new Promise<void>((resolve) => systemClock.setTimer(5, resolve));
    timer.cancel();
    expect(fired).toBe(false);
  });

  test('monotonic time does not go back', () => {
    const first = systemClock.monotonic();
    expect(systemClock.monotonic()).toBeGreaterThanOrEqual(first);
  });
});

describe('timestamps', () => {
  test('read as Kubernetes writes them', () => {
    const ms = Date.UTC(2026, 10, 15, 1, 2, 3, 456);
    expect(toTimestamp(ms)).toBe('2026-11-15T01:02:03Z');
    expect(toMicroTimestamp(ms)).toBe('2026-11-15T01:02:03.456000Z');
  });
});
