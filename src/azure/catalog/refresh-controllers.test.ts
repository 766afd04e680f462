import { describe, expect, test } from 'vitest';
import { silentLogger } from '../../base/log.ts';
import { catalogControllers } from './refresh-controllers.ts';

const hourMs = 3_600_000;

describe('the loops that keep the catalogue fresh', () => {
  const asked: string[] = [];
  const part = (name: string) => ({
    refresh: () => {
      asked.push(name);
      return Promise.resolve();
    },
  });
  const controllers = catalogControllers({
    catalog: part('sizes'),
    quota: part('quota'),
    prices: part('prices'),
  });

  test.each([
    ['instancetype', 'sizes', 12 * hourMs, true],
    ['quota', 'quota', hourMs / 6, true],
    ['pricing', 'prices', 12 * hourMs, false],
  ])('%s refreshes the %s every %d ms', async (name, what, everyMs, needsLeadership) => {
    const spec = controllers.find((one) => one.name === name)!;
    asked.length = 0;
    const result = await spec.reconcile({
      key: 'singleton',
      signal: new AbortController().signal,
      log: silentLogger,
    });
    expect([asked, result, spec.needsLeadership]).toEqual([
      [what],
      { requeueAfterMs: everyMs },
      needsLeadership,
    ]);
  });
});
