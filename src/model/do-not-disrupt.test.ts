import { describe, expect, test } from 'vitest';
import type { Pod } from '../api/core.ts';
import { doNotDisrupt, isDoNotDisruptActive, isMarkedDoNotDisrupt } from './do-not-disrupt.ts';

const started = Date.parse('2024-05-15T12:00:00Z');

function pod(value: string | undefined, startTime?: string): Pod {
  return {
    metadata: {
      name: 'p',
      ...(value !== undefined && { annotations: { 'karpenter.sh/do-not-disrupt': value } }),
    },
    spec: { containers: [] },
    status: { ...(startTime !== undefined && { startTime }) },
  };
}

const running = (value: string | undefined): Pod => pod(value, '2024-05-15T12:00:00Z');

describe('a pod with do-not-disrupt', () => {
  test.each([
    ['true', 0, true],
    ['false', 0, false],
    ['5m', 4.99, true],
    ['5m', 5, false],
    ['1h30m', 89, true],
    ['1h30m', 91, false],
    ['0s', 0, false],
    ['-5m', 0, false],
    ['soon', 0, false],
    ['', 0, false],
    [undefined, 0, false],
  ])('%s is protected %d minutes after its start: %s', (value, minutes, expected) => {
    expect(isDoNotDisruptActive(running(value), started + minutes * 60_000)).toBe(expected);
  });

  test('is protected until it has started', () => {
    expect(isDoNotDisruptActive(pod('5m'), started)).toBe(true);
    expect(doNotDisrupt(pod('5m'))).toEqual({ kind: 'unstarted' });
    expect(doNotDisrupt({ ...pod('5m'), status: undefined } as unknown as Pod)).toEqual({
      kind: 'unstarted',
    });
  });

  test('says until when, or what is wrong', () => {
    expect(
      [running('5m'), running('-5m'), running('soon'), running(undefined)].map(doNotDisrupt),
    ).toEqual([
      { kind: 'until', untilMs: started + 300_000 },
      { kind: 'invalid', reason: 'duration "-5m" must be positive' },
      { kind: 'invalid', reason: expect.stringMatching(/^"soon": a duration is/) },
      { kind: 'none' },
    ]);
  });
});

test('a node is protected by `true` and by nothing else', () => {
  expect(
    ['true', 'false', '5m', undefined].map((value) => isMarkedDoNotDisrupt(pod(value))),
  ).toEqual([true, false, false, false]);
});
