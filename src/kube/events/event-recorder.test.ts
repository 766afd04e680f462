import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { silentLogger } from '../../base/log.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import { seededRandom } from '../../base/random.ts';
import { TokenBucket } from '../../base/token-bucket.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import type { KubeEvent } from '../../api/core.ts';
import { nodes, pods } from '../../api/resource-type.ts';
import { KubeError } from '../client/errors.ts';
import {
  EventRecorder,
  referenceTo,
  type EventRecorderOptions,
  type ObjectEvent,
} from './event-recorder.ts';
import type { EventSink } from './event-sender.ts';

/** Events on a server: creates and patches them, or fails as told. */
class EventServer implements EventSink {
  readonly events = new Map<string, KubeEvent>();
  calls = 0;
  fail: ((call: number) => Error | 'silent' | undefined) | undefined;

  async create(_type: unknown, event: KubeEvent): Promise<KubeEvent> {
    await this.#call();
    const { name } = event.metadata;
    if (this.events.has(name)) throw new KubeError('AlreadyExists', 'taken', { status: 409 });
    this.events.set(name, event);
    return event;
  }

  async patch(
    _type: unknown,
    ref: { readonly name: string },
    patch: { readonly body: object },
  ): Promise<KubeEvent> {
    await this.#call();
    const event = this.events.get(ref.name);
    if (event === undefined) throw new KubeError('NotFound', 'gone', { status: 404 });
    const patched = { ...event, ...patch.body };
    this.events.set(ref.name, patched);
    return patched;
  }

  async #call(): Promise<void> {
    const failure = this.fail?.(this.calls++);
    if (failure === 'silent') await new Promise(() => undefined);
    if (failure instanceof Error) throw failure;
  }

  messages(): (string | undefined)[] {
    return [...this.events.values()].map(({ message }) => message);
  }
}

const node = referenceTo(nodes, { metadata: { name: 'n1', uid: 'u1', resourceVersion: '7' } });
const pod = referenceTo(pods, { metadata: { name: 'p1', namespace: 'apps', uid: 'u2' } });

function event(overrides: Partial<ObjectEvent> = {}): ObjectEvent {
  return { object: node, type: 'Normal', reason: 'Tested', message: 'it works', ...overrides };
}

function setUp(options: Partial<EventRecorderOptions> = {}) {
  const clock = new VirtualClock();
  const server = new EventServer();
  const registry = new MetricsRegistry();
  const recorder = new EventRecorder({
    sink: server,
    clock,
    random: seededRandom(1),
    log: silentLogger,
    metrics: registry,
    ...options,
  });
  const stopping = new AbortController();
  const state = { stopped: false };
  const run = async (): Promise<void> => {
    await recorder.run(stopping.signal);
    state.stopped = true;
  };
  void run();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await clock.runUntil(() => state.stopped, { limitMs: 60_000, what: 'the recorder stops' });
  };
  const dropped = async (): Promise<number> =>
    Number(/karpenter_events_dropped_total (\d+)/.exec(await registry.text())?.[1]);
  return { clock, server, recorder, stop, stopping, state, dropped };
}

describe('an event', () => {
  test('is written about its object, in its namespace, with the time in its name', async () => {
    const { clock, server, recorder, stop } = setUp();
    recorder.publish(event({ object: pod, type: 'Warning' }), event());
    await clock.settle();
    expect([...server.events.values()]).toEqual([
      {
        metadata: { name: 'p1.18867251edfa0000', namespace: 'apps' },
        involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'p1', namespace: 'apps', uid: 'u2' },
        type: 'Warning',
        reason: 'Tested',
        message: 'it works',
        source: { component: 'karpenter' },
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:00:00Z',
        count: 1,
        reportingComponent: 'karpenter',
        reportingInstance: '',
      },
      expect.objectContaining({
        metadata: { name: 'n1.18867251edfa0001', namespace: 'default' },
        involvedObject: {
          apiVersion: 'v1',
          kind: 'Node',
          name: 'n1',
          uid: 'u1',
          resourceVersion: '7',
        },
      }),
    ]);
    await stop();
  });

  test('about an object whose name no event may have gets a name of its own', async () => {
    const { clock, server, recorder, stop } = setUp();
    recorder.publish(event({ object: { ...node, name: 'system:node:x' } }));
    await clock.settle();
    expect([...server.events.keys()]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    await stop();
  });

  test('may be reported by another component', async () => {
    const { clock, server, recorder, stop } = setUp();
    recorder.publish(event({ component: 'host_1' }));
    await clock.settle();
    expect([...server.events.values()]).toMatchObject([
      { source: { component: 'host_1' }, reportingComponent: 'host_1' },
    ]);
    await stop();
  });
});

describe('duplicates', () => {
  test('are left out for two minutes, told apart by reason in any case and by values', async () => {
    const { clock, server, recorder, stop } = setUp();
    const publish = (overrides: Partial<ObjectEvent>): void =>
      recorder.publish(event({ dedupeValues: ['u1'], ...overrides }));
    publish({ message: 'first' });
    publish({ message: 'same', reason: 'TESTED' });
    publish({ message: 'other values', dedupeValues: ['u2'] });
    publish({ message: 'other reason', reason: 'Other' });
    await clock.advance(119_999);
    publish({ message: 'still the same' });
    await clock.advance(1);
    publish({ message: 'again' });
    await clock.settle();
    expect(server.messages()).toEqual(['first', 'other values', 'other reason', 'again']);
    await stop();
  });

  test('may have a window of their own', async () => {
    const { clock, server, recorder, stop } = setUp();
    const fifteen = event({ dedupeValues: ['a'], dedupeTimeoutMs: 900_000 });
    recorder.publish({ ...fifteen, message: 'first' });
    await clock.advance(899_999);
    recorder.publish({ ...fifteen, message: 'early' });
    await clock.advance(1);
    recorder.publish({ ...fifteen, message: 'again' });
    await clock.settle();
    expect(server.messages()).toEqual(['first', 'again']);
    await stop();
  });

  test('are not looked for without values', async () => {
    const { clock, server, recorder, stop } = setUp();
    recorder.publish(event({ message: 'a' }), event({ message: 'b' }));
    await clock.settle();
    expect(server.messages()).toEqual(['a', 'b']);
    await stop();
  });

  test('do not draw on the budget of their kind', async () => {
    const { clock, server, recorder, stop } = setUp();
    const rateLimiter = new TokenBucket({ clock, perSecond: 1, burst: 2 });
    const publish = (value: string): void =>
      recorder.publish(event({ message: value, dedupeValues: [value], rateLimiter }));
    for (const value of ['a', 'a', 'a', 'b', 'c']) publish(value);
    await clock.settle();
    expect(server.messages()).toEqual(['a', 'b']);
    await stop();
  });
});

describe('events that repeat', () => {
  test('raise the count of the first one', async () => {
    const { clock, server, recorder, stop } = setUp();
    for (let i = 0; i < 3; i++) {
      recorder.publish(event());
      await clock.advance(5000);
    }
    expect([...server.events.values()]).toMatchObject([
      { count: 3, firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:00:10Z' },
    ]);
    await stop();
  });

  test('are written anew when the first one is gone, and go on counting', async () => {
    const { clock, server, recorder, stop } = setUp();
    recorder.publish(event());
    await clock.advance(5000);
    server.events.clear();
    recorder.publish(event());
    await clock.settle();
    expect([...server.events.values()]).toMatchObject([
      { count: 2, firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:00:05Z' },
    ]);
    await stop();
  });

  test('are combined from the tenth different message on, until ten minutes pass without one', async () => {
    const { clock, server, recorder, stop } = setUp();
    for (let i = 1; i <= 12; i++) recorder.publish(event({ message: `message ${i}` }));
    await clock.settle();
    expect([server.events.size, [...server.events.values()].at(-1)]).toMatchObject([
      10,
      { count: 3, message: '(combined from similar events): message 12' },
    ]);
    await clock.advance(600_001);
    recorder.publish(event({ message: 'message 13' }));
    await clock.settle();
    expect(server.messages().at(-1)).toBe('message 13');
    await stop();
  });

  test('about one object are 25 at once and one more every five minutes; others are not concerned', async () => {
    const { clock, server, recorder, stop } = setUp();
    const publish = (count: number, overrides: Partial<ObjectEvent> = {}): void => {
      for (let i = 0; i < count; i++) recorder.publish(event(overrides));
    };
    publish(40);
    publish(1, { object: pod });
    publish(1, { type: 'Warning' });
    await clock.settle();
    expect([...server.events.values()].map(({ count }) => count)).toEqual([25, 1, 1]);
    await clock.advance(300_000);
    publish(2);
    await clock.settle();
    // What was left out is in the count.
    expect([...server.events.values()][0]?.count).toBe(41);
    await stop();
  });
});

describe('when the server', () => {
  const unreachable = new KubeError('Network', 'connection refused');

  test('cannot be reached, an event is tried twelve times, ten seconds apart', async () => {
    const { clock, server, recorder, stop, dropped } = setUp();
    server.fail = () => unreachable;
    recorder.publish(event());
    await clock.advance(99_999);
    expect(server.calls).toBe(11);
    await clock.advance(20_000);
    expect([server.calls, await dropped()]).toEqual([12, 1]);
    await stop();
  });

  test.each([
    {
      name: 'is too busy',
      error: new KubeError('TooManyRequests', 'busy', { status: 429 }),
      calls: 2,
    },
    { name: 'fails', error: new KubeError('ServerError', 'oops', { status: 500 }), calls: 2 },
    { name: 'refuses the event', error: new KubeError('Invalid', 'no', { status: 422 }), calls: 1 },
    { name: 'forbids it', error: new KubeError('Forbidden', 'no', { status: 403 }), calls: 1 },
  ])('$name, the event is sent $calls times', async ({ error, calls }) => {
    const { clock, server, recorder, stop } = setUp();
    server.fail = (call) => (call === 0 ? error : undefined);
    recorder.publish(event());
    await clock.advance(20_000);
    expect([server.calls, server.events.size]).toEqual([calls, calls - 1]);
    await stop();
  });

  test('has written an event but its answer was lost, the next try is content', async () => {
    const { clock, server, recorder, stop, dropped } = setUp({
      sink: {
        async create(type, created) {
          await server.create(type, created);
          throw unreachable;
        },
        patch: (type, ref, patch) => server.patch(type, ref, patch),
      },
    });
    recorder.publish(event());
    await clock.advance(20_000);
    expect([server.events.size, await dropped()]).toEqual([1, 0]);
    await stop();
  });

  test('is slow, callers do not wait and the oldest events give way', async () => {
    const { clock, server, recorder, stop, dropped } = setUp({ bufferSize: 3 });
    server.fail = () => unreachable;
    recorder.publish(event({ message: 'first' }));
    await clock.settle();
    for (const message of ['a', 'b', 'c', 'd', 'e']) recorder.publish(event({ message }));
    expect(await dropped()).toBe(2);
    server.fail = undefined;
    await clock.advance(20_000);
    expect(server.messages()).toEqual(['first', 'c', 'd', 'e']);
    await stop();
  });
});

describe('when the recorder stops', () => {
  test('what is queued is sent, and what comes after is not', async () => {
    const { clock, server, recorder, stop } = setUp();
    for (const message of ['a', 'b']) recorder.publish(event({ message }));
    await stop();
    recorder.publish(event({ message: 'c' }));
    await clock.settle();
    expect([server.messages(), clock.pending().timers]).toEqual([['a', 'b'], []]);
  });

  test('each event gets one more try, also one that waits for its next', async () => {
    const { clock, server, recorder, stop, dropped } = setUp();
    server.fail = (call) => (call === 2 ? undefined : new KubeError('Network', 'refused'));
    for (const message of ['a', 'b', 'c']) recorder.publish(event({ message }));
    await clock.settle();
    await stop();
    expect({
      calls: server.calls,
      messages: server.messages(),
      dropped: await dropped(),
      atMs: clock.monotonic(),
    }).toEqual({ calls: 4, messages: ['b'], dropped: 2, atMs: 0 });
    expect(clock.pending().timers).toEqual([]);
  });

  test('it does not wait longer than five seconds for a server that does not answer', async () => {
    const { clock, server, recorder, stop, dropped } = setUp();
    server.fail = () => 'silent';
    for (const message of ['a', 'b', 'c']) recorder.publish(event({ message }));
    await clock.settle();
    await stop();
    expect([clock.monotonic(), await dropped(), clock.pending().timers]).toEqual([5000, 3, []]);
  });
});

describe('for any stream of events', () => {
  test('every one is counted exactly once, however often the server was away', async () => {
    const step = fc.record({
      object: fc.constantFrom(node, pod),
      message: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'),
      pauseMs: fc.integer({ min: 0, max: 4000 }),
      fails: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
        const { clock, server, recorder, stop, dropped } = setUp();
        for (const { object, message, pauseMs, fails } of steps) {
          server.fail = fails ? () => new KubeError('Network', 'refused') : undefined;
          recorder.publish(event({ object, message }));
          await clock.advance(pauseMs);
        }
        server.fail = undefined;
        await clock.advance(200_000);
        await stop();
        let counted = 0;
        for (const { count = 0 } of server.events.values()) counted += count;
        // Too few to be spam, and the server is never away for all twelve tries.
        expect({ counted, dropped: await dropped() }).toEqual({
          counted: steps.length,
          dropped: 0,
        });
        expect(clock.pending().timers).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
