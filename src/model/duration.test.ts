import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/duration.json' with { type: 'json' };
import {
  durationMs,
  formatDuration,
  nillableDurationMs,
  parseDuration,
  tryParseDuration,
} from './duration.ts';

describe('against recorded answers of Go', () => {
  test.each(vectors.valid as [string, string, string][])('%s', (text, nanoseconds, printed) => {
    const parsed = parseDuration(text);
    expect([String(parsed), formatDuration(parsed)]).toEqual([nanoseconds, printed]);
  });

  test.each(vectors.invalid.flat())('refuses %j', (text) => {
    expect(tryParseDuration(text).ok).toBe(false);
  });
});

test('milliseconds are what a clock understands, and Never is none', () => {
  expect([durationMs('1h30m'), durationMs('1500us'), nillableDurationMs('30s')]).toEqual([
    5_400_000, 1.5, 30_000,
  ]);
  expect(nillableDurationMs('Never')).toBeUndefined();
});

test('names the text and the rule when it throws', () => {
  expect(() => durationMs('5 minutes')).toThrow(
    expect.objectContaining({
      code: 'InvalidDuration',
      fields: { text: '5 minutes', rule: expect.stringContaining('such as 1h30m') },
    }),
  );
});

test('canonical text reads back as the same duration', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }), (nanoseconds) => {
      expect(parseDuration(formatDuration(nanoseconds))).toBe(nanoseconds);
    }),
  );
});
