import { Cron } from 'croner';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/cron.json' with { type: 'json' };
import { type CronSchedule, nextActivation, parseCron } from './cron.ts';

const minuteMs = 60_000;

function schedule(text: string): CronSchedule {
  const result = parseCron(text);
  if (!result.ok) throw new Error(result.reason);
  return result.schedule;
}

function next(text: string, after: string): string {
  const hit = nextActivation(schedule(text), Date.parse(after));
  return hit === undefined ? '' : `${new Date(hit).toISOString().slice(0, 16)}Z`;
}

describe('against recorded answers of the original', () => {
  test.each(vectors.valid as [string, string[]][])('%s', (text, expected) => {
    expect(vectors.times.map((time) => next(text, time))).toEqual(expected);
  });

  test.each(vectors.invalid as [string, string][])('refuses %j', (text) => {
    expect(parseCron(text).ok).toBe(false);
  });
});

describe('a refusal says what is wrong', () => {
  test.each([
    ['* * * * 7', 'day of week: 7 is outside 0-6'],
    ['* * * * sat-sun', 'day of week: sat-sun runs backwards'],
    ['*/0 * * * *', 'minute: */0 needs a positive step'],
    ['* 1/2/3 * * *', 'hour: 1/2/3 has more than one step'],
    ['* 1-2-3 * * *', 'hour: 1-2-3 has more than one range'],
    ['* * * sometimes *', 'month: sometimes is not a number or a known name'],
    ['* * *', 'must have five fields, has 3'],
    ['@every 1h', 'must be one of @yearly, @annually'],
  ])('%s: %s', (text, reason) => {
    expect(parseCron(text)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });
});

test('a list of nothing and a day that no month has never fire', () => {
  expect(next(', * * * *', '2024-01-01T00:00:00Z')).toBe('');
  expect(next('0 0 30 2 *', '2024-01-01T00:00:00Z')).toBe('');
});

// Small alphabets make collisions of day and weekday likely.
const part = (min: number, max: number): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom('*', '?', '*/2', '*/1') },
    fc.integer({ min, max }).map(String),
    fc
      .tuple(fc.integer({ min, max }), fc.integer({ min, max }), fc.integer({ min: 1, max: 5 }))
      .map(([a, b, step]) => `${Math.min(a, b)}-${Math.max(a, b)}/${step}`),
    fc.tuple(fc.integer({ min, max }), fc.integer({ min, max })).map((pair) => pair.join(',')),
  );
const patterns = fc
  .tuple(part(0, 59), part(0, 23), part(1, 28), fc.constant('*'), part(0, 6))
  .map((parts) => parts.join(' '));
const moments = fc.integer({
  min: Date.parse('2024-01-01T00:00:00Z'),
  max: Date.parse('2026-01-01T00:00:00Z'),
});

function matchesField(text: string, value: number, min: number, max: number): boolean {
  return text.split(',').some((item) => {
    const [span = '', step = '1'] = item.split('/');
    const [low = '', high = low] = span.split('-');
    const open = low === '*' || low === '?';
    const [first, last] = open ? [min, max] : [Number(low), Number(high)];
    return value >= first && value <= last && (value - first) % Number(step) === 0;
  });
}

const isOpen = (text: string): boolean => ['*', '?', '*/1'].includes(text);

function fires(pattern: string, ms: number): boolean {
  const [minute, hour, day, , weekday] = pattern.split(' ') as [
    string,
    string,
    string,
    string,
    string,
  ];
  const at = new Date(ms);
  const onDay = matchesField(day, at.getUTCDate(), 1, 31);
  const onWeekday = matchesField(weekday, at.getUTCDay(), 0, 6);
  const either = isOpen(day) || isOpen(weekday) ? onDay && onWeekday : onDay || onWeekday;
  return (
    matchesField(minute, at.getUTCMinutes(), 0, 59) &&
    matchesField(hour, at.getUTCHours(), 0, 23) &&
    either
  );
}

describe('stepping minute by minute', () => {
  test('finds no activation before the one announced, and finds that one', () => {
    fc.assert(
      fc.property(patterns, moments, (pattern, after) => {
        const hit = nextActivation(schedule(pattern), after)!;
        const limit = Math.min(hit, after + 2 * 24 * 60 * minuteMs);
        const skipped: number[] = [];
        let at = (Math.floor(after / minuteMs) + 1) * minuteMs;
        for (; at < limit; at += minuteMs) if (fires(pattern, at)) skipped.push(at);
        expect({ skipped, fires: fires(pattern, hit), after: hit > after }).toEqual({
          skipped: [],
          fires: true,
          after: true,
        });
      }),
      { numRuns: 60 },
    );
  });
});

test('plain schedules agree with what croner makes of the text itself', () => {
  const plain = patterns.filter((pattern) => !/[?/]/.test(pattern));
  fc.assert(
    fc.property(plain, moments, (pattern, after) => {
      const theirs = new Cron(pattern, { timezone: 'UTC', paused: true });
      expect(nextActivation(schedule(pattern), after)).toBe(
        theirs.nextRun(new Date(after))?.getTime(),
      );
    }),
  );
});
