import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { type ComputeUsage, QuotaBook } from './quota.ts';

const minuteMs = 60_000;
const family = 'standardDSv5Family';
const { signal } = new AbortController();
const d = (vcpus: number) => ({ family, vcpus });

function usage(value: string, currentValue?: number, limit?: number): ComputeUsage {
  return {
    name: { value },
    ...(currentValue !== undefined && { currentValue }),
    ...(limit !== undefined && { limit }),
  };
}

let clock: VirtualClock;
let quota: QuotaBook;
let answer: readonly (readonly ComputeUsage[])[] | Error;

beforeEach(() => {
  clock = new VirtualClock();
  answer = [];
  quota = new QuotaBook({
    clock,
    source: {
      async *list() {
        if (answer instanceof Error) throw answer;
        for (const page of answer) yield await Promise.resolve(page);
      },
    },
  });
});

async function told(...pages: readonly (readonly ComputeUsage[])[]): Promise<void> {
  answer = pages;
  await quota.refresh(signal);
}

describe('a machine fits the quota of its family', () => {
  test.each([
    ['not when it is exhausted', 100, 2, false],
    ['exactly', 92, 8, true],
    ['not when it is large', 96, 8, false],
    ['when it is small', 96, 4, true],
    ['not when it is overdrawn', 110, 2, false],
  ])('%s', async (_, current, vcpus, fits) => {
    await told([usage(family, current, 100)]);
    expect(quota.hasRoom(d(vcpus), 'on-demand')).toBe(fits);
  });

  test('whatever page of the answer names it', async () => {
    await told([usage('other', 1, 1)], [usage(family, 100, 100)]);
    expect(quota.hasRoom(d(2), 'on-demand')).toBe(false);
  });

  test('and that of the region', async () => {
    await told([usage(family, 0, 100), usage('cores', 8, 10)]);
    expect([2, 4].map((vcpus) => quota.hasRoom(d(vcpus), 'on-demand'))).toEqual([true, false]);
  });
});

describe('a spot machine', () => {
  test('needs no quota of its family or of the region', async () => {
    await told([usage(family, 100, 100), usage('cores', 10, 10)]);
    expect(quota.hasRoom(d(2), 'spot')).toBe(true);
  });

  test("fits the region's pool of spot vCPUs", async () => {
    await told([usage('lowPriorityCores', 8, 10)]);
    expect([2, 4].map((vcpus) => quota.hasRoom(d(vcpus), 'spot'))).toEqual([true, false]);
  });
});

describe('nobody is stopped', () => {
  test('before any figures are known', () => {
    expect(quota.hasRoom(d(1000), 'on-demand')).toBe(true);
  });

  test.each([
    ['by a family that is not named', [usage('other', 1, 1)]],
    ['by a row without a limit', [usage(family, 1)]],
    ['by a row without usage', [usage(family, undefined, 0)]],
    ['by a row without a name', [{ currentValue: 1, limit: 1 }]],
  ])('%s', async (_, page) => {
    await told(page);
    expect(quota.hasRoom(d(2), 'on-demand')).toBe(true);
  });

  test('by a size without a family', async () => {
    await told([usage(family, 1, 1)]);
    expect(quota.hasRoom({ family: undefined, vcpus: 2 }, 'on-demand')).toBe(true);
  });
});

describe('figures that cannot be refreshed', () => {
  const failing = async (): Promise<void> => {
    answer = new Error('no answer');
    await expect(quota.refresh(signal)).rejects.toThrow('no answer');
  };

  test('are kept for fifteen minutes, then dropped', async () => {
    await told([usage(family, 100, 100)]);
    await clock.advance(15 * minuteMs);
    await failing();
    expect(quota.hasRoom(d(2), 'on-demand')).toBe(false);
    await clock.advance(1);
    const before = quota.generation;
    await failing();
    expect([quota.hasRoom(d(2), 'on-demand'), quota.generation]).toEqual([true, before + 1]);
    await failing();
    expect(quota.generation).toBe(before + 1);
  });
});

describe('a launch under way', () => {
  test('counts before Azure has counted it', async () => {
    await told([usage(family, 90, 100), usage('cores', 0, 100)]);
    quota.reserve(d(8), 'on-demand');
    expect([quota.hasRoom(d(2), 'on-demand'), quota.hasRoom(d(4), 'on-demand')]).toEqual([
      true,
      false,
    ]);
  });

  test('counts for the region as well, and spot for spot only', async () => {
    await told([usage('cores', 0, 10), usage('lowPriorityCores', 0, 10)]);
    quota.reserve(d(8), 'on-demand');
    expect([
      quota.hasRoom({ family: 'other', vcpus: 4 }, 'on-demand'),
      quota.hasRoom({ family: 'other', vcpus: 8 }, 'spot'),
    ]).toEqual([false, true]);
  });

  test('that is given up counts no more', async () => {
    await told([usage(family, 90, 100)]);
    const launch = quota.reserve(d(8), 'on-demand');
    launch.release();
    launch.release();
    expect(quota.hasRoom(d(10), 'on-demand')).toBe(true);
  });

  test('that succeeded counts until figures asked for later show it', async () => {
    await told([usage(family, 90, 100)]);
    const launch = quota.reserve(d(8), 'on-demand');
    await told([usage(family, 90, 100)]);
    expect(quota.hasRoom(d(4), 'on-demand')).toBe(false);
    launch.settle();
    launch.release();
    await clock.advance(minuteMs - 1);
    await told([usage(family, 98, 100)]);
    expect(quota.hasRoom(d(2), 'on-demand')).toBe(false);
    await clock.advance(1);
    await told([usage(family, 98, 100)]);
    expect(quota.hasRoom(d(2), 'on-demand')).toBe(true);
  });
});

describe('the generation', () => {
  test('rises only when figures change', async () => {
    await told([usage(family, 1, 2)]);
    await told([usage(family, 1, 2)]);
    expect(quota.generation).toBe(1);
    await told([usage(family, 2, 2)]);
    expect(quota.generation).toBe(2);
  });

  test('rises with a launch and when it is given up', () => {
    const launch = quota.reserve(d(2), 'on-demand');
    expect(quota.generation).toBe(1);
    launch.release();
    launch.release();
    expect(quota.generation).toBe(2);
  });
});
