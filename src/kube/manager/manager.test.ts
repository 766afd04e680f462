import { describe, expect, test } from 'vitest';
import { sleep } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import { createLogger } from '../../base/log.ts';
import { seededRandom } from '../../base/random.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { Controller } from '../controller/controller.ts';
import { Manager, type Election, type ManagerOptions } from './manager.ts';
import { aborted, cacheRunnable, type Runnable, type Stage } from './runnable.ts';
import { singleton } from '../controller/singleton.ts';

interface Settled {
  over: boolean;
  error: unknown;
}

function setUp() {
  const clock = new VirtualClock();
  const events: string[] = [];
  const tell = (what: string): void => void events.push(`${clock.monotonic()} ${what}`);
  const stopping = new AbortController();
  const settled: Settled = { over: false, error: undefined };

  /** Something that runs until it is stopped, and then takes `stopMs` to end. */
  const runnable = (
    stage: Stage,
    name: string,
    options: { readyMs?: number; stopMs?: number; failAfterMs?: number } = {},
  ): Runnable => ({
    name,
    stage,
    async run(signal) {
      tell(`${name} up`);
      if (options.failAfterMs !== undefined) {
        await sleep(clock, options.failAfterMs);
        throw new CodedError('Broken', 'it broke', { fields: { name } });
      }
      await sleep(clock, 1e9, { signal }).catch(() => undefined);
      tell(`${name} stopping`);
      await sleep(clock, options.stopMs ?? 0);
      tell(`${name} down`);
    },
    async ready(signal) {
      await sleep(clock, options.readyMs ?? 0, { signal });
      tell(`${name} ready`);
    },
    async warmup() {
      tell(`${name} warm`);
    },
  });

  const leadership = new AbortController();
  const election = (afterMs: number): Election => ({
    guardMs: 5000,
    async lead(signal) {
      await sleep(clock, afterMs, { signal });
      tell('leader');
      return leadership.signal;
    },
    async stop({ release }) {
      tell(release ? 'lease released' : 'lease left to expire');
      leadership.abort(new CodedError('LeadershipReleased', 'given up'));
    },
  });

  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void =>
    void lines.push(JSON.parse(line) as Record<string, unknown>);
  const start = (options: Omit<ManagerOptions, 'clock' | 'log'>): void => {
    const log = createLogger({ level: 'info', output: { write }, clock });
    const manager = new Manager({ clock, log, ...options });
    const follow = async (): Promise<void> => {
      try {
        await manager.run(stopping.signal);
      } catch (error) {
        settled.error = error;
      }
      settled.over = true;
    };
    void follow();
  };
  return { clock, events, tell, stopping, settled, runnable, leadership, election, start, lines };
}

describe('a manager', () => {
  test('starts services, caches, standalone work, then leads and starts the rest, and stops in reverse', async () => {
    const { clock, events, stopping, settled, runnable, election, start } = setUp();
    start({
      election: election(3000),
      runnables: [
        runnable('leader', 'controller', { stopMs: 2000 }),
        runnable('standalone', 'webhook'),
        runnable('cache', 'pods', { readyMs: 1000 }),
        runnable('service', 'metrics', { readyMs: 10 }),
      ],
    });
    await clock.advance(10_000);
    stopping.abort();
    await clock.runUntil(() => settled.over);
    expect(events).toEqual([
      '0 metrics up',
      '10 metrics ready',
      '10 pods up',
      '1010 pods ready',
      '1010 webhook up',
      '1010 webhook ready',
      '4010 leader',
      '4010 controller up',
      '4010 controller ready',
      '10000 webhook stopping',
      '10000 controller stopping',
      '10000 webhook down',
      '12000 controller down',
      '12000 pods stopping',
      '12000 pods down',
      '12000 lease released',
      '12000 metrics stopping',
      '12000 metrics down',
    ]);
    expect([settled.error, clock.pending().timers]).toEqual([undefined, []]);
  });

  test('lets controllers prepare before leadership when told to', async () => {
    for (const warmup of [true, false]) {
      const { clock, events, runnable, election, start } = setUp();
      start({ election: election(5000), warmup, runnables: [runnable('leader', 'controller')] });
      await clock.advance(4999);
      expect(events).toEqual(warmup ? ['0 controller warm'] : []);
    }
  });

  test('without an election leads at once', async () => {
    const { clock, events, stopping, settled, runnable, start } = setUp();
    start({ runnables: [runnable('leader', 'controller')] });
    await clock.advance(1);
    expect(events).toEqual(['0 controller up', '0 controller ready']);
    stopping.abort();
    await clock.runUntil(() => settled.over);
    expect(settled.error).toBeUndefined();
  });

  test.each([
    { name: 'before a cache is filled', atMs: 500 },
    { name: 'while it waits for leadership', atMs: 2000 },
  ])('can be stopped $name', async ({ atMs }) => {
    const { clock, events, stopping, settled, runnable, election, start } = setUp();
    start({
      election: election(1e6),
      runnables: [runnable('cache', 'pods', { readyMs: 1000 }), runnable('leader', 'controller')],
    });
    await clock.advance(atMs);
    stopping.abort();
    await clock.runUntil(() => settled.over);
    expect(settled.error).toBeUndefined();
    expect(events.filter((event) => event.includes('controller'))).toEqual([]);
    expect(events.slice(-2)).toEqual([`${atMs} pods down`, `${atMs} lease released`]);
    expect(clock.pending().timers).toEqual([]);
  });

  test('stops all work in the moment in which it loses leadership, and tells why', async () => {
    const { clock, events, leadership, settled, runnable, election, start } = setUp();
    start({
      election: election(0),
      runnables: [
        runnable('service', 'metrics'),
        runnable('leader', 'controller', { stopMs: 1000 }),
      ],
    });
    await clock.advance(7000);
    leadership.abort(new CodedError('LeaderLost', 'leader election lost'));
    await clock.runUntil(() => settled.over);
    expect(settled.error).toMatchObject({ code: 'LeaderLost' });
    expect(events.slice(-5)).toEqual([
      '7000 controller stopping',
      '8000 controller down',
      '8000 lease released',
      '8000 metrics stopping',
      '8000 metrics down',
    ]);
  });

  test('does not let a single step of work pass between the loss and the stop', async () => {
    const { clock, leadership, election, start } = setUp();
    let work: AbortSignal | undefined;
    const controller: Runnable = {
      name: 'controller',
      stage: 'leader',
      run: (signal) => {
        work = signal;
        return aborted(signal);
      },
    };
    start({ election: election(0), runnables: [controller] });
    await clock.advance(1000);
    expect(work?.aborted).toBe(false);
    leadership.abort(new CodedError('LeaderLost', 'leader election lost'));
    expect(work?.aborted).toBe(true);
  });

  test('waits for caches to be filled, and stops them', async () => {
    const { clock, events, tell, stopping, settled, runnable, start } = setUp();
    const caches = cacheRunnable('caches', {
      start: () => tell('caches start'),
      stop: async () => tell('caches stop'),
      synced: (signal) => sleep(clock, 700, { signal }),
    });
    start({ runnables: [caches, runnable('leader', 'controller')] });
    await clock.advance(1000);
    stopping.abort();
    await clock.runUntil(() => settled.over);
    expect(events).toEqual([
      '0 caches start',
      '700 controller up',
      '700 controller ready',
      '1000 controller stopping',
      '1000 controller down',
      '1000 caches stop',
    ]);
  });

  test('is down before another process can lead, even if work does not stop', async () => {
    const { clock, events, leadership, settled, runnable, election, start } = setUp();
    start({ election: election(0), runnables: [runnable('leader', 'stuck', { stopMs: 1e6 })] });
    await clock.advance(1000);
    leadership.abort(new CodedError('LeaderLost', 'leader election lost'));
    await clock.runUntil(() => settled.over);
    expect([clock.monotonic(), events.at(-1)]).toEqual([3500, '3500 lease left to expire']);
    expect(settled.error).toMatchObject({ code: 'LeaderLost' });
  });

  test('tells who did not stop in time, and does not release the lease under their feet', async () => {
    const { clock, events, stopping, settled, runnable, election, start, lines } = setUp();
    start({
      election: election(0),
      runnables: [
        runnable('leader', 'fine'),
        runnable('leader', 'stuck', { stopMs: 1e6 }),
        runnable('service', 'metrics'),
      ],
    });
    await clock.advance(1000);
    stopping.abort();
    await clock.runUntil(() => settled.over);
    await clock.settle();
    expect(clock.monotonic()).toBe(31_000);
    expect(settled.error).toMatchObject({
      code: 'StopTimedOut',
      fields: { running: ['stuck'], gracePeriodMs: 30_000 },
    });
    expect(events).toContain('31000 lease left to expire');
    expect(lines.at(-1)).toMatchObject({ level: 'ERROR', running: ['stuck'] });
  });

  test.each<{ stage: Stage }>([
    { stage: 'service' },
    { stage: 'cache' },
    { stage: 'standalone' },
    { stage: 'leader' },
  ])('takes everything down when a runnable of stage $stage fails', async ({ stage }) => {
    const { clock, events, settled, runnable, election, start } = setUp();
    start({
      election: election(0),
      runnables: [
        runnable(stage, 'weak', { failAfterMs: 2000 }),
        runnable('service', 'metrics'),
        runnable('leader', 'controller'),
      ],
    });
    await clock.runUntil(() => settled.over);
    expect(settled.error).toMatchObject({ code: 'Broken', fields: { name: 'weak' } });
    expect(events.slice(-3)).toEqual([
      '2000 lease released',
      '2000 metrics stopping',
      '2000 metrics down',
    ]);
  });

  test('does not start anything when it is stopped before it runs', async () => {
    const { clock, events, stopping, settled, runnable, start } = setUp();
    stopping.abort();
    start({ runnables: [runnable('service', 'metrics'), runnable('leader', 'controller')] });
    await clock.settle();
    expect([settled.over, settled.error, events]).toEqual([true, undefined, []]);
  });

  test('runs controllers until the last reconcile has returned', async () => {
    const { clock, events, tell, stopping, settled, election, start } = setUp();
    const controller = new Controller(
      singleton({
        name: 'loop',
        reconcile: async ({ signal }) => {
          tell('reconcile');
          await sleep(clock, 5000, { signal }).catch(() => undefined);
          await sleep(clock, 500);
          tell('returned');
          return { requeueAfterMs: 1000 };
        },
      }),
      {
        clock,
        log: createLogger({ level: 'error', output: { write: () => undefined } }),
        random: seededRandom(1),
      },
    );
    start({ election: election(1000), runnables: [controller] });
    await clock.advance(8000);
    stopping.abort();
    await clock.runUntil(() => settled.over);
    expect(events).toEqual([
      '1000 leader',
      '1000 reconcile',
      '6500 returned',
      '7500 reconcile',
      '8500 returned',
      '8500 lease released',
    ]);
    expect(clock.pending().timers).toEqual([]);
  });
});
