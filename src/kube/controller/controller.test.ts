import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sleep } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import { createLogger, silentLogger, type Logger } from '../../base/log.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import { seededRandom } from '../../base/random.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { ControllerMetrics } from './controller-metrics.ts';
import { Controller, type ControllerRuntime, type ControllerSpec } from './controller.ts';
import { KubeError } from '../client/errors.ts';
import { CombinedError, TerminalError, type Reconcile } from './reconcile.ts';
import { singleton, singletonKey } from './singleton.ts';
import { ownKey, Trigger, watch, type EventFeed } from './source.ts';

const conflict = new KubeError('Conflict', 'the object has been modified', { status: 409 });

interface World {
  readonly clock: VirtualClock;
  readonly trigger: Trigger;
  readonly controller: Controller;
  readonly registry: MetricsRegistry;
  readonly lines: Record<string, unknown>[];
  /** Starts the controller. */
  start(): void;
  /** Stops it and waits, moving time if need be. */
  stop(): Promise<void>;
}

function setUp(
  reconcile: Reconcile,
  spec: Partial<ControllerSpec> = {},
  runtime: Partial<ControllerRuntime> = {},
): World {
  const clock = new VirtualClock();
  const trigger = new Trigger('test');
  const registry = new MetricsRegistry();
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void =>
    void lines.push(JSON.parse(line) as Record<string, unknown>);
  const log: Logger = createLogger({ level: 'info', output: { write }, clock });
  const controller = new Controller(
    { name: 'test', sources: [trigger], reconcile, limits: fast, ...spec },
    {
      clock,
      log,
      random: seededRandom(1),
      metrics: new ControllerMetrics(registry),
      ...runtime,
    },
  );
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let ended = false;
  return {
    clock,
    trigger,
    controller,
    registry,
    lines,
    start() {
      running = controller.run(stopping.signal).finally(() => {
        ended = true;
      });
    },
    async stop() {
      stopping.abort();
      await clock.runUntil(() => ended, { what: 'the controller stops' });
      await running;
    },
  };
}

const fast = { baseMs: 100, maxMs: 1000, perSecond: 1e6, burst: 1e6 };

/** The times at which a reconciler that behaves as told is called for one key. */
async function callTimes(outcomes: readonly (Error | number | undefined)[]): Promise<number[]> {
  const times: number[] = [];
  const world = setUp(async () => {
    times.push(world.clock.monotonic());
    const outcome = outcomes[times.length - 1];
    if (outcome instanceof Error) throw outcome;
    return outcome === undefined ? {} : { requeueAfterMs: outcome };
  });
  world.start();
  world.trigger.fire('a');
  await world.clock.advance(60_000);
  await world.stop();
  expect(world.clock.pending().timers).toEqual([]);
  return times;
}

describe('a key is reconciled', () => {
  const broken = new Error('broken');
  test.each([
    { name: 'once when its reconcile returns', outcomes: [undefined], times: [0] },
    {
      name: 'with doubling delays up to the maximum while it fails',
      outcomes: [broken, broken, broken, broken, broken, broken, undefined],
      times: [0, 100, 300, 700, 1500, 2500, 3500],
    },
    {
      name: 'when it asked to, and its failures before are forgotten',
      outcomes: [broken, broken, 5000, broken, undefined],
      times: [0, 100, 300, 5300, 5400],
    },
    { name: 'at once when it asks for no delay', outcomes: [0, 0, undefined], times: [0, 0, 0] },
    {
      name: 'with backoff after a conflict',
      outcomes: [conflict, conflict, undefined],
      times: [0, 100, 300],
    },
    { name: 'not again after a terminal error', outcomes: [new TerminalError('no')], times: [0] },
    {
      name: 'again when only a part of its errors is terminal',
      outcomes: [new CombinedError([new TerminalError('no'), broken]), undefined],
      times: [0, 100],
    },
  ])('$name', async ({ outcomes, times }) => {
    expect(await callTimes(outcomes)).toEqual(times);
  });

  test('sooner than its backoff when something changes', async () => {
    const times: number[] = [];
    const world = setUp(
      async () => {
        times.push(world.clock.monotonic());
        if (times.length < 3) throw new Error('broken');
        return {};
      },
      { limits: { ...fast, baseMs: 1000, maxMs: 60_000 } },
    );
    world.start();
    world.trigger.fire('a');
    await world.clock.advance(10);
    world.trigger.fire('a');
    await world.clock.advance(10_000);
    await world.stop();
    expect(times).toEqual([0, 10, 2010]);
  });
});

describe('a reconcile that fails', () => {
  test('is logged with its controller, object, id and the fields of its error', async () => {
    const error = new CodedError('Quota', 'no quota left', { fields: { family: 'Dsv5' } });
    const world = setUp(
      async () => {
        throw error;
      },
      {
        type: { group: 'karpenter.sh', kind: 'NodeClaim' },
        limits: { ...fast, baseMs: 1e6, maxMs: 1e6 },
      },
    );
    world.start();
    world.trigger.fire('default-x1');
    await world.clock.settle();
    const line = world.lines.find(({ message }) => message === 'Reconciler error');
    expect(line).toMatchObject({
      level: 'ERROR',
      controller: 'test',
      controllerGroup: 'karpenter.sh',
      controllerKind: 'NodeClaim',
      NodeClaim: { name: 'default-x1' },
      namespace: '',
      name: 'default-x1',
      error: 'no quota left (family=Dsv5)',
      family: 'Dsv5',
    });
    expect(line?.['reconcileID']).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    await world.stop();
  });

  test('because somebody else wrote first is not logged', async () => {
    const world = setUp(async () => {
      throw new Error('write status', { cause: conflict });
    });
    world.start();
    world.trigger.fire('a');
    await world.clock.advance(500);
    await world.stop();
    expect(world.lines.filter(({ level }) => level === 'ERROR')).toEqual([]);
  });

  test('counts by how it failed', async () => {
    const throwing: Record<string, unknown> = {
      terminal: new TerminalError('no'),
      broken: new Error('broken'),
      conflict,
      panic: 'not an error',
    };
    const seen = new Set<string>();
    const world = setUp(({ key }) => {
      if (key === 'later') return Promise.resolve({ requeueAfterMs: 1e6 });
      if (!(key in throwing) || seen.has(key)) return Promise.resolve({});
      seen.add(key);
      return Promise.reject(throwing[key]);
    });
    world.start();
    for (const key of ['fine', 'later', ...Object.keys(throwing)]) world.trigger.fire(key);
    await world.clock.advance(1000);
    const text = await world.registry.text();
    for (const line of [
      'controller_runtime_reconcile_total{controller="test",result="success"} 4',
      'controller_runtime_reconcile_total{controller="test",result="error"} 3',
      'controller_runtime_reconcile_total{controller="test",result="requeue"} 1',
      'controller_runtime_reconcile_total{controller="test",result="requeue_after"} 1',
      'controller_runtime_reconcile_errors_total{controller="test"} 3',
      'controller_runtime_terminal_reconcile_errors_total{controller="test"} 1',
      'controller_runtime_reconcile_panics_total{controller="test"} 1',
      'controller_runtime_reconcile_timeouts_total{controller="test"} 0',
      'controller_runtime_reconcile_time_seconds_count{controller="test"} 9',
      'controller_runtime_max_concurrent_reconciles{controller="test"} 1',
      'controller_runtime_active_workers{controller="test"} 0',
    ]) {
      expect(text).toContain(`${line}\n`);
    }
    await world.stop();
  });
});

describe('a reconcile that takes too long', () => {
  test('is interrupted, and its key is not given to another worker until it has returned', async () => {
    const events: string[] = [];
    const world = setUp(
      async ({ signal }) => {
        const nowMs = world.clock.monotonic();
        events.push(`start ${nowMs}`);
        if (events.length > 1) return {};
        signal.addEventListener('abort', () => events.push(`abort ${world.clock.monotonic()}`));
        await sleep(world.clock, 5000);
        events.push(`end ${world.clock.monotonic()}`);
        signal.throwIfAborted();
        return {};
      },
      { timeoutMs: 1000, concurrency: 4 },
    );
    world.start();
    world.trigger.fire('a');
    await world.clock.advance(2000);
    world.trigger.fire('a');
    await world.clock.advance(10_000);
    await world.stop();
    expect(events).toEqual(['start 0', 'abort 1000', 'end 5000', 'start 5000']);
    expect(await world.registry.text()).toContain(
      'reconcile_timeouts_total{controller="test"} 1\n',
    );
    expect(world.lines.find(({ level }) => level === 'ERROR')).toMatchObject({
      error: 'reconcile took too long (timeoutMs=1000)',
    });
  });
});

describe('a controller', () => {
  test('reports what exists when it starts and waits until all sources have', async () => {
    const started: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const feed: EventFeed<{ after: { metadata: { name: string; namespace: string } } }> = {
      subscribe(handler) {
        handler({ after: { metadata: { name: 'p', namespace: 'n' } } });
        return () => undefined;
      },
      synced: () => promise,
    };
    const world = setUp(
      async ({ key }) => {
        started.push(key);
        return {};
      },
      { sources: [watch({ name: 'pods', feed, keys: ownKey })] },
    );
    world.start();
    await world.clock.advance(1000);
    expect(started).toEqual([]);
    resolve();
    await world.clock.settle();
    expect(started).toEqual(['n/p']);
    await world.stop();
  });

  test('gives up when a source never reports what exists', async () => {
    const feed: EventFeed<never> = {
      subscribe: () => () => undefined,
      synced: () => new Promise(() => undefined),
    };
    const world = setUp(async () => ({}), {
      sources: [watch({ name: 'pods', feed, keys: () => [] })],
    });
    const outcome = world.controller
      .run(new AbortController().signal)
      .catch((error: unknown) => error);
    await world.clock.advance(120_000);
    expect(await outcome).toMatchObject({
      code: 'DeadlineExceeded',
      fields: { what: 'sync of pods' },
    });
  });

  test('collects keys before it runs when it is warmed up, and unsubscribes when it never does', async () => {
    const subscribers = new Set<(key: string) => void>();
    const feed: EventFeed<string> = {
      subscribe(handler) {
        subscribers.add(handler);
        return () => void subscribers.delete(handler);
      },
      synced: () => Promise.resolve(),
    };
    const seen: string[] = [];
    const reconcile: Reconcile = async ({ key }) => {
      seen.push(key);
      return {};
    };
    const sources = [watch({ name: 'feed', feed, keys: (key: string) => [key], delayMs: 15_000 })];
    const world = setUp(reconcile, { sources });
    const stopping = new AbortController();
    await world.controller.warmup(stopping.signal);
    for (const tell of subscribers) tell('a');
    await world.clock.advance(20_000);
    expect(seen).toEqual([]);
    const running = world.controller.run(stopping.signal);
    await world.clock.settle();
    expect(seen).toEqual(['a']);
    stopping.abort();
    await running;

    const never = setUp(reconcile, { sources });
    const given = new AbortController();
    await never.controller.warmup(given.signal);
    for (const tell of subscribers) tell('b');
    given.abort();
    expect([subscribers.size, never.clock.pending().timers]).toEqual([0, []]);
  });

  test('hands its signal to every reconcile and ends when the last one has returned', async () => {
    const events: string[] = [];
    const world = setUp(
      async ({ key, signal }) => {
        events.push(`start ${key}`);
        await sleep(world.clock, 60_000, { signal }).catch(() => undefined);
        // Work that cannot be interrupted at once.
        await sleep(world.clock, 3000);
        events.push(`end ${key}`);
        signal.throwIfAborted();
        return {};
      },
      { concurrency: 2 },
    );
    world.start();
    for (const key of ['a', 'b', 'c']) world.trigger.fire(key);
    await world.clock.advance(1000);
    await world.stop();
    expect(events).toEqual(['start a', 'start b', 'end a', 'end b']);
    expect(world.clock.monotonic()).toBe(4000);
    expect(world.clock.pending().timers).toEqual([]);
    expect(world.lines.filter(({ level }) => level === 'ERROR')).toEqual([]);
  });

  test('drops a key that it was handed in the moment of the stop', async () => {
    const seen: string[] = [];
    const world = setUp(async ({ key }) => {
      seen.push(key);
      return {};
    });
    world.start();
    await world.clock.settle();
    world.trigger.fire('a');
    await world.stop();
    expect(seen).toEqual([]);
  });

  test('starts nothing once it is told that it is not the leader any more', async () => {
    let leader = true;
    const seen: string[] = [];
    const world = setUp(
      async ({ key }) => {
        seen.push(key);
        return {};
      },
      {},
      { isLeader: () => leader },
    );
    world.start();
    world.trigger.fire('a');
    await world.clock.settle();
    leader = false;
    world.trigger.fire('b');
    await world.clock.settle();
    await world.stop();
    expect(seen).toEqual(['a']);
  });

  test('that needs no leadership asks nobody', () => {
    const world = setUp(async () => ({}), { needsLeadership: false });
    expect([world.controller.stage, setUp(async () => ({})).controller.stage]).toEqual([
      'standalone',
      'leader',
    ]);
  });
});

describe('a singleton', () => {
  test('runs at the start, again when it asked to, with backoff when it fails, and when it is woken', async () => {
    const clock = new VirtualClock();
    const times: number[] = [];
    const wake = new Trigger('wake');
    const stopping = new AbortController();
    const controller = new Controller(
      singleton({
        name: 'loop',
        limits: fast,
        sources: [wake],
        reconcile: async () => {
          times.push(clock.monotonic());
          if (times.length === 2) throw new Error('broken');
          return { requeueAfterMs: 10_000 };
        },
      }),
      { clock, log: silentLogger, random: seededRandom(1) },
    );
    const running = controller.run(stopping.signal);
    await clock.advance(22_000);
    wake.fire(singletonKey);
    await clock.advance(5000);
    stopping.abort();
    await running;
    expect(times).toEqual([0, 10_000, 10_100, 20_100, 22_000]);
    expect(clock.pending().timers).toEqual([]);
  });
});

describe('for any load', () => {
  test('no key is worked twice at once, the limit holds, no change is missed, and nothing runs after the stop', async () => {
    const event = fc.record({
      pauseMs: fc.integer({ min: 0, max: 40 }),
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    });
    const behaviour = fc.record({
      workMs: fc.integer({ min: 0, max: 60 }),
      outcome: fc.constantFrom('done', 'again', 'broken', 'conflict', 'terminal'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 30 }),
        fc.array(behaviour, { minLength: 1, maxLength: 10 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 3000 }),
        async (events, behaviours, concurrency, stopAfterMs) => {
          const active = new Set<string>();
          const violations: string[] = [];
          const lastStart = new Map<string, number>();
          let calls = 0;
          let stopped = false;
          const world = setUp(
            async ({ key, signal }) => {
              // Collected, not thrown: what a reconcile throws is the controller's to handle.
              if (stopped) violations.push(`${key} started after the stop`);
              if (active.has(key)) violations.push(`two workers on ${key}`);
              active.add(key);
              if (active.size > concurrency) violations.push('too many workers');
              lastStart.set(key, world.clock.monotonic());
              const { workMs, outcome } = behaviours[calls++ % behaviours.length]!;
              try {
                await sleep(world.clock, workMs, { signal });
              } finally {
                active.delete(key);
              }
              if (outcome === 'again') return { requeueAfterMs: 500 };
              if (outcome === 'conflict') throw conflict;
              if (outcome === 'terminal') throw new TerminalError('no');
              if (outcome === 'broken') throw new Error('broken');
              return {};
            },
            { concurrency },
            { log: silentLogger },
          );
          const lastEvent = new Map<string, number>();
          world.start();
          for (const { pauseMs, key } of events) {
            await world.clock.advance(pauseMs);
            world.trigger.fire(key);
            lastEvent.set(key, world.clock.monotonic());
          }
          await world.clock.advance(stopAfterMs);
          // By then every key has had its turn, whatever the others did.
          const hadTime = stopAfterMs > 2500;
          for (const [key, atMs] of hadTime ? lastEvent : []) {
            if ((lastStart.get(key) ?? -1) < atMs) violations.push(`missed a change of ${key}`);
          }
          stopped = true;
          await world.stop();
          expect({ violations, active: active.size, timers: world.clock.pending().timers }).toEqual(
            {
              violations: [],
              active: 0,
              timers: [],
            },
          );
        },
      ),
      { numRuns: 150 },
    );
  });
});
