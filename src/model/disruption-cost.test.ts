import { describe, expect, test } from 'vitest';
import type { Pod } from '../api/core.ts';
import { evictionCost, lifetimeRemaining, rescheduleCost } from './disruption-cost.ts';

function pod(priority?: number, deletionCost?: string): Pod {
  return {
    metadata: {
      name: 'p',
      ...(deletionCost !== undefined && {
        annotations: { 'controller.kubernetes.io/pod-deletion-cost': deletionCost },
      }),
    },
    spec: { containers: [], ...(priority !== undefined && { priority }) },
  };
}

describe('moving one pod', () => {
  test.each<[string, Pod, number]>([
    ['plain', pod(), 1],
    ['of highest priority', pod(1_000_000_000), 10],
    ['of lowest priority', pod(-2_147_483_648), -10],
    ['dear by annotation', pod(undefined, '2147483647'), 10],
    ['cheap by annotation', pod(undefined, '-134217728'), 0],
    ['with an annotation that is no number', pod(undefined, 'dear'), 1],
    ['that pauses', pod(-10), 1 - 10 / 2 ** 25],
    ['of no worth', pod(-(2 ** 25)), 0],
  ])('%s', (_, subject, expected) => {
    expect(evictionCost(subject)).toBe(expected);
  });
});

test('moving the pods of a node costs one for the node and never less', () => {
  expect([
    rescheduleCost([]),
    rescheduleCost(Array.from({ length: 10 }, () => pod())),
    rescheduleCost([pod(-2_147_483_648), pod()]),
  ]).toEqual([1, 11, 2]);
});

test.each([
  [540, 720, 0.25],
  [0, 720, 1],
  [900, 720, 0],
  [-5, 720, 1],
  [5, undefined, 1],
  [5, 0, 0],
])('after %s of %s hours %d of the life is left', (age, expireAfter, expected) => {
  const hour = 3_600_000;
  expect(
    lifetimeRemaining({
      createdMs: 1000 * hour,
      nowMs: (1000 + age) * hour,
      expireAfterMs: expireAfter === undefined ? undefined : expireAfter * hour,
    }),
  ).toBe(expected);
});
