import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/budget.json' with { type: 'json' };
import type { Budget, BudgetReason } from '../api/node-pool.ts';
import { allowedDisruptions, parseBudgets, unlimitedDisruptions } from './budget.ts';

const noon = Date.parse('2024-05-15T12:00:00Z'); // a Wednesday

function allowed(
  budgets: readonly Budget[],
  options: { nodes?: number; reason?: BudgetReason; at?: string } = {},
): number {
  const { nodes = 10, reason = 'Drifted', at } = options;
  const nowMs = at === undefined ? noon : Date.parse(at);
  return allowedDisruptions(parseBudgets(budgets), { nowMs, nodes, reason });
}

describe('against recorded answers of the original', () => {
  test.each(vectors.pools.map((pool) => [JSON.stringify(pool.budgets), pool] as const))(
    '%s',
    (_, pool) => {
      const budgets = pool.budgets as Budget[];
      const answers = (reason: BudgetReason): number[][] =>
        vectors.nodes.map((nodes) =>
          vectors.times.map((at) => allowed(budgets, { nodes, reason, at })),
        );
      expect({
        Empty: answers('Empty'),
        Drifted: answers('Drifted'),
        Underutilized: answers('Underutilized'),
      }).toEqual(pool.allowed);
    },
  );
});

describe('amounts', () => {
  test.each([
    ['10%', 10, 1],
    ['5%', 10, 1],
    ['20%', 4, 1],
    ['10%', 19, 2],
    ['100%', 7, 7],
    ['0%', 100, 0],
    ['10%', 0, 0],
    ['3', 100, 3],
    ['0', 100, 0],
    ['7%', 100, 7],
    ['150%', 10, 15],
  ])('%s of %i nodes is %i', (nodes, count, expected) => {
    expect(allowed([{ nodes }], { nodes: count })).toBe(expected);
  });

  test('the smallest counts, and without any there is no limit', () => {
    expect(allowed([{ nodes: '50%' }, { nodes: '3' }, { nodes: '40%' }])).toBe(3);
    expect(allowed([])).toBe(unlimitedDisruptions);
  });
});

describe('reasons', () => {
  const budgets: Budget[] = [
    { nodes: '0', reasons: ['Drifted'] },
    { nodes: '10%' },
    { nodes: '5', reasons: [] },
  ];
  test.each<[BudgetReason, number]>([
    ['Drifted', 0],
    ['Empty', 1],
    ['Underutilized', 1],
  ])('%s: %i', (reason, expected) => {
    expect(allowed(budgets, { reason })).toBe(expected);
  });

  test('a budget for other reasons only is no limit', () => {
    expect(allowed([{ nodes: '1', reasons: ['Empty', 'Underutilized'] }])).toBe(
      unlimitedDisruptions,
    );
  });
});

describe('windows', () => {
  const office: Budget = { nodes: '0', schedule: '0 9 * * mon-fri', duration: '8h' };
  test.each([
    ['2024-05-15T08:59:59.999Z', unlimitedDisruptions],
    ['2024-05-15T09:00:00.000Z', 0],
    ['2024-05-15T16:59:59.999Z', 0],
    ['2024-05-15T17:00:00.000Z', unlimitedDisruptions],
    ['2024-05-18T12:00:00.000Z', unlimitedDisruptions],
    // The same moment told in another zone.
    ['2024-05-15T18:00:00.000+02:00', 0],
  ])('at %s office hours allow %i', (at, expected) => {
    expect(allowed([office], { at })).toBe(expected);
  });

  test('a duration longer than the recurrence is always', () => {
    const always: Budget = { nodes: '2', schedule: '@hourly', duration: '1h1m' };
    fc.assert(
      fc.property(fc.nat(100_000_000), (offsetMs) => {
        const at = new Date(noon + offsetMs).toISOString();
        expect(allowed([always], { at })).toBe(2);
      }),
    );
  });

  test('is active exactly when an activation lies less than its duration back', () => {
    fc.assert(
      fc.property(fc.nat(3 * 86_400), fc.integer({ min: 1, max: 40 }), (seconds, hours) => {
        const nowMs = noon + seconds * 1000;
        const plan = parseBudgets([{ nodes: '1', schedule: '@daily', duration: `${hours}h` }]);
        const sinceMidnightMs = nowMs % 86_400_000;
        const active =
          allowedDisruptions(plan, { nowMs, nodes: 5, reason: 'Empty' }) !== unlimitedDisruptions;
        expect(active).toBe(sinceMidnightMs < hours * 3_600_000);
      }),
    );
  });

  test('a schedule that never fires holds always', () => {
    expect(allowed([{ nodes: '4', schedule: '0 0 30 2 *', duration: '1h' }])).toBe(4);
  });
});

describe('a budget that cannot be understood', () => {
  test.each<[Partial<Budget>, string]>([
    [
      { schedule: '0 0 * * 7', duration: '1h' },
      'budgets[1].schedule "0 0 * * 7" day of week: 7 is outside 0-6',
    ],
    [{ schedule: '@daily', duration: 'long' }, 'budgets[1].duration "long": a duration is'],
    [{ schedule: '@daily' }, 'budgets[1] must have both schedule and duration'],
    [{ duration: '1h' }, 'budgets[1] must have both schedule and duration'],
    [{ nodes: 'all' }, 'budgets[1].nodes "all" must be a number of nodes or a percentage'],
    [{ nodes: '-1' }, 'budgets[1].nodes "-1"'],
  ])('%j allows nothing for any reason and says why', (broken, fault) => {
    const plan = parseBudgets([{ nodes: '5' }, { nodes: '5', reasons: ['Empty'], ...broken }]);
    expect(plan.faults).toEqual([expect.stringContaining(fault)]);
    expect(allowedDisruptions(plan, { nowMs: noon, nodes: 10, reason: 'Drifted' })).toBe(0);
  });

  test('a pool without budgets is fine', () => {
    expect(parseBudgets()).toEqual({ budgets: [], faults: [] });
  });
});
