import { describe, expect, test } from 'vitest';
import { backoffDelay, mapLimit, retry, SingleFlight, withDeadline } from './async.ts';
import { sleep } from './clock.ts';
import { hasCode } from './errors.ts';
import { seededRandom } from './random.ts';
import { VirtualClock } from './virtual-clock.ts';

const backoff = { baseMs: 100, maxMs: 1000 };

describe('backoff', () => {
  test('doubles up to its maximum, at any attempt', () => {
    expect([0, 1, 2, 3, 4, 5000].map((n) => backoffDelay(backoff, n))).toEqual([
      100, 200, 400, 800, 1000, 1000,
    ]);
  });

  test('jitter stays within its share of the delay', () => {
    const random = seededRandom(1);
    for (let i = 0; i < 200; i++) {
      const delay = backoffDelay({ ...backoff, jitter: 0.5 }, 1, random);
      expect(delay).toBeGreaterThanOrEqual(100);
      expect(delay).toBeLessThan(200);
    }
  });
});

describe('retry', () => {
  test('waits longer each time and returns the first success', async () => {
    const clock = new VirtualClock();
    const times: number[] = [];
    const result = retry({ clock, backoff, attempts: 5 }, async (attempt) => {
      times.push(clock.monotonic());
      if (attempt < 3) throw new Error('not yet');
      return attempt;
    });
    await clock.advance(5000);
    expect([await result, times]).toEqual([3, [0, 100, 300, 700]]);
  });

  test('throws the last error when attempts are spent or the error is final', async () => {
    const clock = new VirtualClock();
    const final = retry({ clock, backoff, attempts: 5, shouldRetry: () => false }, async () => {
      throw new Error('final');
    });
    await expect(final).rejects.toThrow('final');
    const once = retry({ clock, backoff, attempts: 1 }, async () => {
      throw new Error('once');
    });
    await expect(once).rejects.toThrow('once');
  });

  test('stops waiting when the signal aborts', async () => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    const running = retry(
      { clock, backoff, attempts: 9, signal: controller.signal },
      async () => await Promise.reject(new Error('x')),
    );
    await clock.settle();
    controller.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(clock.pending().timers).toEqual([]);
  });
});

describe('map with a limit', () => {
  test('keeps the order of the items and never exceeds the limit', async () => {
    const clock = new VirtualClock();
    let active = 0;
    let most = 0;
    const mapping = mapLimit([30, 10, 20, 5], { limit: 2 }, async (ms) => {
      most = Math.max(most, ++active);
      await sleep(clock, ms);
      active--;
      return ms * 2;
    });
    await clock.advance(100);
    expect([await mapping, most]).toEqual([[60, 20, 40, 10], 2]);
  });

  test('after a failure starts nothing new, waits for what runs, and throws the first', async () => {
    const clock = new VirtualClock();
    const finished: number[] = [];
    const mapping = mapLimit([1, 2, 3, 4], { limit: 2 }, async (n) => {
      if (n === 1) throw new Error('first');
      await sleep(clock, 10);
      finished.push(n);
    });
    const outcome = expect(mapping).rejects.toThrow('first');
    await clock.advance(100);
    await outcome;
    expect(finished).toEqual([2]);
  });

  test('an aborted signal stops it', async () => {
    const mapping = mapLimit([1], { limit: 1, signal: AbortSignal.abort() }, async (n) => n);
    await expect(mapping).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('single flight', () => {
  test('callers of one key share one call; the next call is new', async () => {
    const flights = new SingleFlight<number>();
    let calls = 0;
    const call = async (): Promise<number> => ++calls;
    expect(await Promise.all([flights.run('a', call), flights.run('a', call)])).toEqual([1, 1]);
    expect(await flights.run('a', call)).toBe(2);
  });

  test('a failure is shared and forgotten', async () => {
    const flights = new SingleFlight<number>();
    const fail = flights.run('a', async () => await Promise.reject(new Error('x')));
    await expect(fail).rejects.toThrow('x');
    expect(await flights.run('a', async () => 1)).toBe(1);
  });
});

describe('a deadline', () => {
  test('ends an operation that ignores its signal', async () => {
    const clock = new VirtualClock();
    let signalled = false;
    const running = withDeadline({ clock, timeoutMs: 50, what: 'listing' }, async (signal) => {
      signal.addEventListener('abort', () => (signalled = true));
      return await new Promise<never>(() => undefined);
    });
    const outcome = expect(running).rejects.toSatisfy((e) => hasCode(e, 'DeadlineExceeded'));
    await clock.advance(50);
    await outcome;
    expect([signalled, clock.pending().timers]).toEqual([true, []]);
  });

  test('is forgotten when the operation ends in time', async () => {
    const clock = new VirtualClock();
    expect(await withDeadline({ clock, timeoutMs: 50, what: 'x' }, async () => 7)).toBe(7);
    expect(clock.pending().timers).toEqual([]);
  });

  test('passes the outer abort on', async () => {
    const clock = new VirtualClock();
    const outer = new AbortController();
    const running = withDeadline(
      { clock, timeoutMs: 50, what: 'x', signal: outer.signal },
      (signal) => sleep(clock, 1000, { signal }),
    );
    outer.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(clock.pending().timers).toEqual([]);
  });
});
