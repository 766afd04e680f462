import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  newRevisionSize,
  resolveLimits,
  scaleProportionally,
  shrinkOld,
  type Revision,
} from './rollout.ts';

const revision = (name: string, replicas: number, available = replicas): Revision => ({
  name,
  replicas,
  available,
  createdAt: name,
  maxReplicas: 0,
});

describe('the limits of a rollout', () => {
  test.each([
    [4, { maxSurge: '25%', maxUnavailable: '25%' }, 1, 1],
    [5, { maxSurge: '25%', maxUnavailable: '25%' }, 2, 1],
    [1, { maxSurge: '25%', maxUnavailable: '25%' }, 1, 0],
    [10, { maxSurge: 0, maxUnavailable: 0 }, 0, 1],
    [10, { maxSurge: 3, maxUnavailable: 0 }, 3, 0],
    [3, { maxSurge: 0, maxUnavailable: '100%' }, 0, 3],
    [10, undefined, 3, 2],
  ])(
    '%i replicas with %j allow a surge of %i and %i unavailable',
    (replicas, given, surge, down) => {
      expect(resolveLimits(replicas, given)).toEqual({
        replicas,
        maxSurge: surge,
        maxUnavailable: down,
      });
    },
  );
});

describe('one step of a rollout', () => {
  test('takes broken old pods before healthy ones', () => {
    const limits = { replicas: 10, maxSurge: 0, maxUnavailable: 2 };
    const sizes = shrinkOld(limits, revision('c', 0), [revision('a', 5, 5), revision('b', 5, 3)]);
    expect(Object.fromEntries(sizes)).toEqual({ a: 5, b: 3 });
  });

  test('waits while the new pods are not available', () => {
    const limits = { replicas: 4, maxSurge: 1, maxUnavailable: 0 };
    const sizes = shrinkOld(limits, revision('b', 1, 0), [revision('a', 4)]);
    expect(Object.fromEntries(sizes)).toEqual({ a: 4 });
  });

  test('scales a running rollout by the share of each revision', () => {
    const limits = { replicas: 20, maxSurge: 0, maxUnavailable: 5 };
    const sizes = scaleProportionally(limits, [
      { ...revision('a', 6), maxReplicas: 10 },
      { ...revision('b', 4), maxReplicas: 10 },
    ]);
    expect(Object.fromEntries(sizes)).toEqual({ a: 12, b: 8 });
  });
});

const size = fc.integer({ min: 0, max: 20 });
const limit = fc.oneof(
  fc.integer({ min: 0, max: 10 }),
  fc.integer({ min: 0, max: 100 }).map((p) => `${p}%`),
);

/** Pods as they are in the cluster: a set asks, pods follow one at a time, in any order. */
interface Simulated {
  wanted: number;
  ready: number;
  starting: number;
}

describe('a whole rollout', () => {
  test('never exceeds the surge, never falls below what must be available, and ends', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.record({ maxSurge: limit, maxUnavailable: limit }),
        size,
        fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
        (replicas, strategy, firstUp, luck) => {
          const limits = resolveLimits(replicas, strategy);
          const old: Simulated = { wanted: replicas, ready: replicas, starting: 0 };
          const fresh: Simulated = { wanted: 0, ready: Math.min(0, firstUp), starting: 0 };
          const view = (name: string, it: Simulated) => revision(name, it.wanted, it.ready);
          for (let steps = 0; steps < 500; steps++) {
            const current = view('b', fresh);
            const up = newRevisionSize(limits, current, [view('a', old)]);
            if (up !== fresh.wanted) fresh.wanted = up;
            else old.wanted = shrinkOld(limits, current, [view('a', old)]).get('a')!;
            for (const it of [old, fresh]) settle(it, luck.next().value as number);
            const pods = old.ready + old.starting + fresh.ready + fresh.starting;
            expect(pods).toBeLessThanOrEqual(replicas + limits.maxSurge);
            expect(old.ready + fresh.ready).toBeGreaterThanOrEqual(
              replicas - limits.maxUnavailable,
            );
            if (old.wanted === 0 && fresh.ready === replicas) return;
          }
          throw new Error('the rollout did not end');
        },
      ),
    );
  });
});

/** A set makes and removes pods at once, unready ones first; then some of the new ones become ready. */
function settle(it: Simulated, becomeReady: number): void {
  const surplus = it.ready + it.starting - it.wanted;
  if (surplus > 0) {
    const unready = Math.min(surplus, it.starting);
    it.starting -= unready;
    it.ready -= surplus - unready;
  } else it.starting -= surplus;
  const ready = Math.min(it.starting, becomeReady);
  it.starting -= ready;
  it.ready += ready;
}
