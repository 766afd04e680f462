import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { scaledBucket, scaledConcurrency } from './concurrency.ts';
import { defaultRateLimits, RateLimiter, reasonableRateLimits } from './rate-limiter.ts';

describe('the delay of a key that fails', () => {
  test.each([
    { limits: defaultRateLimits, delays: [5, 10, 20, 40, 80] },
    { limits: reasonableRateLimits, delays: [100, 200, 400, 800, 1600] },
  ])('doubles from $limits.baseMs ms', ({ limits, delays }) => {
    const limiter = new RateLimiter({ clock: new VirtualClock(), limits });
    expect(delays.map(() => limiter.delayMs('a'))).toEqual(delays);
  });

  test('stays at its maximum however often the key fails', () => {
    const limits = { baseMs: 1000, maxMs: 60_000, perSecond: 1e9, burst: 1e9 };
    const limiter = new RateLimiter({ clock: new VirtualClock(), limits });
    const delays = Array.from({ length: 2000 }, () => limiter.delayMs('a'));
    expect([delays[5], delays[6], delays[1999]]).toEqual([32_000, 60_000, 60_000]);
  });

  test('starts over once the key is forgotten, and is its own for each key', () => {
    const limiter = new RateLimiter({ clock: new VirtualClock(), limits: defaultRateLimits });
    const first = [limiter.delayMs('a'), limiter.delayMs('a'), limiter.delayMs('b')];
    expect({ first, requeues: limiter.requeues('a') }).toEqual({ first: [5, 10, 5], requeues: 2 });
    limiter.forget('a');
    expect([limiter.requeues('a'), limiter.delayMs('a'), limiter.delayMs('b')]).toEqual([0, 5, 10]);
  });

  test('is that of the bucket of all keys when that is longer', async () => {
    const clock = new VirtualClock();
    const limits = { baseMs: 5, maxMs: 1000, perSecond: 10, burst: 3 };
    const limiter = new RateLimiter({ clock, limits });
    const delays = ['a', 'b', 'c', 'd', 'e'].map((key) => limiter.delayMs(key));
    expect(delays).toEqual([5, 5, 5, 100, 200]);
    await clock.advance(500);
    expect(limiter.delayMs('f')).toBe(5);
  });
});

describe('concurrency', () => {
  test.each([
    { cpuMilli: 1000, min: 10, max: 1000, expected: 10 },
    { cpuMilli: 100, min: 10, max: 1000, expected: 10 },
    { cpuMilli: 1001, min: 10, max: 1000, expected: 26 },
    { cpuMilli: 4000, min: 1000, max: 5000, expected: 1203 },
    { cpuMilli: 60_000, min: 10, max: 1000, expected: 1000 },
    { cpuMilli: 500_000, min: 10, max: 1000, expected: 1000 },
  ])('is $expected of $min to $max at $cpuMilli millicores', ({ expected, ...options }) => {
    expect(scaledConcurrency(options)).toBe(expected);
  });

  test.each([
    { minPerSecond: 10, minConcurrency: 1000, concurrency: 1000, perSecond: 10, burst: 100 },
    { minPerSecond: 10, minConcurrency: 1000, concurrency: 1203, perSecond: 13, burst: 130 },
    { minPerSecond: 100, minConcurrency: 100, concurrency: 5000, perSecond: 5000, burst: 50_000 },
  ])('of $concurrency retries $perSecond times a second', (row) => {
    expect(scaledBucket(row)).toEqual({ perSecond: row.perSecond, burst: row.burst });
  });
});
