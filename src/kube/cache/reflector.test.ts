import { describe, expect, test } from 'vitest';
import { MetricsRegistry } from '../../base/metrics.ts';
import type { HttpReply } from '../../base/http-server.ts';
import type { Pod } from '../../api/core.ts';
import { pods } from '../../api/resource-type.ts';
import { failure } from '../../../test/support/api-server.ts';
import {
  podNamed,
  scriptedCluster,
  type ScriptedCluster,
} from '../../../test/support/scripted-cluster.ts';
import { watchMetrics } from '../client/client-metrics.ts';
import { Reflector, type ReflectorStatus } from './reflector.ts';
import { Store } from './store.ts';

interface Reflecting extends ScriptedCluster {
  readonly store: Store<Pod>;
  readonly statuses: ReflectorStatus['phase'][];
  readonly registry: MetricsRegistry;
  stop(): Promise<void>;
}

async function reflecting(prepare: (cluster: ScriptedCluster) => void): Promise<Reflecting> {
  const cluster = scriptedCluster();
  cluster.server.serve(pods);
  prepare(cluster);
  const store = new Store<Pod>({ log: cluster.log, freeze: true });
  const statuses: ReflectorStatus['phase'][] = [];
  const registry = new MetricsRegistry();
  const stopping = new AbortController();
  const running = new Reflector({
    ...cluster,
    type: pods,
    store,
    metrics: watchMetrics(registry),
    onStatus: ({ phase }) => statuses.push(phase),
  }).run(stopping.signal);
  await cluster.clock.settle();
  return {
    ...cluster,
    store,
    statuses,
    registry,
    async stop() {
      stopping.abort();
      await running;
      await cluster.clock.settle();
      const { clock, transport, server } = cluster;
      expect([clock.pending().timers, transport.open, server.openWatches]).toEqual([[], 0, []]);
    },
  };
}

function names(store: Store<Pod>): string[] {
  return store
    .list()
    .map((pod) => pod.metadata.name)
    .toSorted();
}

/** The requests, shortened to what matters here. */
function asked({ server }: ScriptedCluster): string[] {
  return server.requests.map((line) => {
    const query = new URLSearchParams(line.split('?')[1]);
    if (query.get('sendInitialEvents') === 'true') return 'stream';
    if (query.get('watch') === 'true') return `watch ${query.get('resourceVersion')}`;
    return `list limit=${query.get('limit')}${query.has('continue') ? ' more' : ''}`;
  });
}

describe('filling the store', () => {
  test('streams the list and goes on watching in the same request', async () => {
    const reflector = await reflecting(({ server }) => {
      server.put(pods, podNamed('a'));
      server.put(pods, podNamed('b'));
    });
    expect([names(reflector.store), reflector.store.version]).toEqual([['a', 'b'], '1002']);
    reflector.server.put(pods, podNamed('c'));
    reflector.server.remove(pods, podNamed('a').metadata);
    await reflector.clock.settle();
    expect([names(reflector.store), reflector.store.version]).toEqual([['b', 'c'], '1004']);
    expect([asked(reflector), reflector.statuses]).toEqual([['stream'], ['watching']]);
    await reflector.stop();
  });

  test('changes during a streaming list are part of it', async () => {
    const cluster = await reflecting(({ server }) => {
      const lines = [
        { type: 'ADDED', object: podNamed('a', { uid: '1', resourceVersion: '5' }) },
        { type: 'ADDED', object: podNamed('b', { uid: '2', resourceVersion: '6' }) },
        { type: 'MODIFIED', object: podNamed('a', { uid: '1', resourceVersion: '7' }) },
        { type: 'DELETED', object: podNamed('b', { uid: '2', resourceVersion: '8' }) },
        {
          type: 'BOOKMARK',
          object: {
            metadata: {
              resourceVersion: '8',
              annotations: { 'k8s.io/initial-events-end': 'true' },
            },
          },
        },
      ];
      server.once((request) => ({
        status: 200,
        body: staysOpen(
          lines.map((line) => `${JSON.stringify(line)}\n`),
          request.signal,
        ),
      }));
    });
    expect(cluster.store.list().map((pod) => pod.metadata.resourceVersion)).toEqual(['7']);
    await cluster.stop();
  });

  test('falls back to pages when the server refuses to stream, and remembers that', async () => {
    const reflector = await reflecting(({ server }) => {
      server.streamingLists = false;
      for (let i = 0; i < 1100; i++) server.put(pods, podNamed(`p${i}`));
    });
    expect(reflector.store.size).toBe(1100);
    expect(reflector.client.offersStreamingLists).toBe(false);
    reflector.server.compact();
    for (const watch of reflector.server.openWatches) {
      watch.event('ERROR', { code: 410, reason: 'Expired' });
    }
    await reflector.clock.settle();
    const pages = ['list limit=500', 'list limit=500 more', 'list limit=500 more'];
    expect(asked(reflector)).toEqual(['stream', ...pages, 'watch 2100', ...pages, 'watch 2100']);
    // Pages do not say what their items are; the store does.
    expect(reflector.store.get('default/p0')).toMatchObject({ apiVersion: 'v1', kind: 'Pod' });
    await reflector.stop();
  });

  test('falls back to pages when the server ignores the request to stream', async () => {
    const reflector = await reflecting(({ server }) => {
      server.put(pods, podNamed('a'));
      const bookmark = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '1001' } } };
      server.once((request) => ({
        status: 200,
        body: staysOpen([`${JSON.stringify(bookmark)}\n`], request.signal),
      }));
    });
    expect([names(reflector.store), asked(reflector)]).toEqual([
      ['a'],
      ['stream', 'list limit=500', 'watch 1001'],
    ]);
    await reflector.stop();
  });

  test('falls back to pages for once when a streaming list does not come to its end', async () => {
    const reflector = await reflecting(({ server }) => {
      server.put(pods, podNamed('a'));
      server.once((request) => ({ status: 200, body: staysOpen([], request.signal) }));
    });
    await reflector.clock.advance(59_000);
    expect(reflector.store.synced).toBe(false);
    await reflector.clock.advance(5000);
    expect([names(reflector.store), reflector.client.offersStreamingLists]).toEqual([['a'], true]);
    await reflector.stop();
  });

  test('starts a list over when its continue token expires, at last without pages', async () => {
    const reflector = await reflecting(({ server }) => {
      server.streamingLists = false;
      for (let i = 0; i < 600; i++) server.put(pods, podNamed(`p${i}`));
      for (let i = 0; i < 2; i++) {
        server.once((request) =>
          request.query.has('continue') ? failure(410, 'Expired', 'token too old') : undefined,
        );
      }
    });
    expect(reflector.store.size).toBe(600);
    expect(asked(reflector)).toEqual([
      'stream',
      'list limit=500',
      'list limit=500 more',
      'list limit=500',
      'list limit=500 more',
      'list limit=null',
      'watch 1600',
    ]);
    await reflector.stop();
  });

  test('reports a kind that the server does not have, and takes it up when it comes', async () => {
    const reflector = await reflecting(({ server }) => server.withdraw(pods));
    expect([reflector.statuses, reflector.store.synced]).toEqual([['missing'], false]);
    await reflector.clock.advance(120_000);
    expect(reflector.errors).toEqual(['resource is not served: "/api/v1/pods" not found']);
    reflector.server.put(pods, podNamed('a'));
    await reflector.clock.advance(30_000);
    expect([names(reflector.store), reflector.statuses.at(-1)]).toEqual([['a'], 'watching']);
    await reflector.stop();
  });
});

describe('keeping the store', () => {
  test('goes on at the last version when the server ends the watch', async () => {
    const reflector = await reflecting(({ server }) => server.put(pods, podNamed('a')));
    await reflector.clock.advance(10_000);
    reflector.server.put(pods, podNamed('b'));
    await reflector.clock.settle();
    reflector.server.openWatches[0]!.close();
    reflector.server.put(pods, podNamed('c'));
    await reflector.clock.settle();
    expect([asked(reflector), names(reflector.store)]).toEqual([
      ['stream', 'watch 1002'],
      ['a', 'b', 'c'],
    ]);
    expect(reflector.clock.monotonic()).toBe(10_000);
    await reflector.stop();
  });

  test('a bookmark moves the version on without an event', async () => {
    const reflector = await reflecting(({ server }) => server.put(pods, podNamed('a')));
    reflector.server.put({ ...pods, plural: 'others' }, podNamed('x'));
    reflector.server.bookmark();
    await reflector.clock.settle();
    reflector.server.openWatches[0]!.close();
    await reflector.clock.settle();
    expect(asked(reflector)).toEqual(['stream', 'watch 1002']);
    await reflector.stop();
  });

  test('a lost connection loses nothing that happened meanwhile', async () => {
    const reflector = await reflecting(({ server }) => server.put(pods, podNamed('a')));
    reflector.server.openWatches[0]!.cut();
    reflector.server.put(pods, podNamed('b'));
    reflector.server.remove(pods, podNamed('a').metadata);
    await reflector.clock.advance(1000);
    expect([names(reflector.store), asked(reflector)]).toEqual([['b'], ['stream', 'watch 1001']]);
    expect(reflector.statuses).toEqual(['watching', 'failing', 'watching']);
    await reflector.stop();
  });

  test.each<[string, (reflector: Reflecting) => void]>([
    [
      'in an event',
      ({ server }) => {
        server.openWatches[0]!.muted = false;
        server.openWatches[0]!.event('ERROR', { code: 410, reason: 'Expired' });
      },
    ],
    [
      'as a status',
      ({ server }) => {
        server.once((request) =>
          request.query.has('watch') ? failure(410, 'Gone', 'too old') : undefined,
        );
        server.openWatches[0]!.close();
      },
    ],
  ])(
    'an expired version (%s) is answered by a list, whose differences are told',
    async (_, expire) => {
      const reflector = await reflecting(({ server }) => {
        server.put(pods, podNamed('gone'));
        server.put(pods, podNamed('kept'));
      });
      const heard: string[] = [];
      reflector.store.subscribe((change) => {
        if (change.type === 'deleted') heard.push(`deleted ${change.before.metadata.name}`);
        else heard.push(`${change.type} ${change.after.metadata.name}`);
      });
      heard.length = 0;
      reflector.server.openWatches[0]!.muted = true;
      reflector.server.remove(pods, podNamed('gone').metadata);
      reflector.server.put(pods, podNamed('new'));
      reflector.server.compact();
      expire(reflector);
      await reflector.clock.advance(2000);
      expect([heard, names(reflector.store)]).toEqual([
        ['deleted gone', 'added new'],
        ['kept', 'new'],
      ]);
      await reflector.stop();
    },
  );

  test('goes on at the last good version after a malformed line, which is logged and counted', async () => {
    const reflector = await reflecting(({ server }) => server.put(pods, podNamed('a')));
    reflector.server.openWatches[0]!.raw('{"type":"MODIFIED","obj\n');
    reflector.server.put(pods, podNamed('b'));
    await reflector.clock.advance(1000);
    expect([names(reflector.store), asked(reflector)]).toEqual([
      ['a', 'b'],
      ['stream', 'watch 1001'],
    ]);
    expect(reflector.errors).toEqual(['watch failed: the watch cannot be understood']);
    expect(await reflector.registry.text()).toContain(
      'karpenter_kube_watch_ends_total{resource="pods",reason="malformed"} 1',
    );
    await reflector.stop();
  });

  test('reads everything anew when the same line stays malformed', async () => {
    const reflector = await reflecting(({ server }) => server.put(pods, podNamed('a')));
    for (let i = 0; i < 4; i++) {
      reflector.server.once((request) =>
        request.query.has('resourceVersion') ? { status: 200, body: 'broken\n' } : undefined,
      );
    }
    reflector.server.openWatches[0]!.cut();
    await reflector.clock.advance(60_000);
    expect(asked(reflector)).toEqual([
      'stream',
      'watch 1001',
      'watch 1001',
      'watch 1001',
      'stream',
    ]);
    expect(reflector.server.openWatches).toHaveLength(1);
    await reflector.stop();
  });

  test('gives up a connection that the server has forgotten, and catches up', async () => {
    const reflector = await reflecting(({ server }) => server.put(pods, podNamed('a')));
    const [stream] = reflector.server.openWatches;
    stream!.muted = true;
    reflector.server.put(pods, podNamed('b'));
    const limitMs = Number(stream!.query.get('timeoutSeconds')) * 1000 + 30_000;
    await reflector.clock.advance(limitMs - 1000);
    expect(names(reflector.store)).toEqual(['a']);
    await reflector.clock.advance(3000);
    expect([names(reflector.store), asked(reflector)]).toEqual([
      ['a', 'b'],
      ['stream', 'watch 1001'],
    ]);
    await reflector.stop();
  });

  test('asks each watch to end after five to ten minutes, not all at the same time', async () => {
    const reflector = await reflecting(() => undefined);
    for (let i = 0; i < 20; i++) {
      await reflector.clock.advance(2000);
      reflector.server.openWatches[0]!.close();
      await reflector.clock.settle();
    }
    const seconds = reflector.server.watches.map((watch) =>
      Number(watch.query.get('timeoutSeconds')),
    );
    expect(new Set(seconds).size).toBeGreaterThan(10);
    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(300);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(600);
    await reflector.stop();
  });

  test('follows a server that was restored from a backup', async () => {
    const reflector = await reflecting(({ server }) => {
      for (let i = 0; i < 5; i++) server.put(pods, podNamed('a'));
      server.put(pods, podNamed('b'));
    });
    expect(reflector.store.version).toBe('1006');
    reflector.server.openWatches[0]!.cut();
    reflector.server.rewind(900);
    reflector.server.remove(pods, podNamed('b').metadata);
    // The server accepts a watch from a version that it has never had, and says nothing.
    await reflector.clock.advance(11 * 60_000);
    expect([names(reflector.store), reflector.store.version]).toEqual([['a'], '901']);
    reflector.server.put(pods, podNamed('a'));
    await reflector.clock.settle();
    expect(reflector.store.get('default/a')?.metadata.resourceVersion).toBe('902');
    await reflector.stop();
  });
});

test('a version that the server calls too large is answered by a list', async () => {
  const reflector = await reflecting(({ server }) => server.put(pods, podNamed('a')));
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  reflector.server.once(() => failure(504, 'Timeout', 'Too large', { details: { causes } }));
  reflector.server.openWatches[0]!.cut();
  await reflector.clock.advance(5000);
  expect(asked(reflector)).toEqual(['stream', 'watch 1001', 'stream']);
  await reflector.stop();
});

describe('waiting', () => {
  const down = (): HttpReply => failure(503, 'ServiceUnavailable', 'down');

  test('waits longer each time while the server is down, and starts over when it is back', async () => {
    const reflector = await reflecting(({ server }) => {
      for (let i = 0; i < 7; i++) server.once(down);
    });
    const times: number[] = [];
    let known = 1;
    while (!reflector.store.synced) {
      await reflector.clock.advance(100);
      if (reflector.server.requests.length > known) times.push(reflector.clock.monotonic());
      known = reflector.server.requests.length;
    }
    const gaps = times.map((time, i) => time - (times[i - 1] ?? 0));
    expect(gaps).toHaveLength(7);
    for (const [i, gap] of gaps.entries()) {
      const full = Math.min(30_000, 800 * 2 ** i);
      expect(gap).toBeGreaterThanOrEqual(full / 2);
      expect(gap).toBeLessThanOrEqual(full + 100);
    }
    reflector.server.openWatches[0]!.cut();
    await reflector.clock.advance(900);
    expect(reflector.server.openWatches).toHaveLength(1);
    await reflector.stop();
  });

  test('a server that ends every watch at once is not asked in a tight loop', async () => {
    const reflector = await reflecting(({ server }) => {
      for (let i = 0; i < 50; i++) {
        server.once((request) =>
          request.query.has('resourceVersion') ? { status: 200, body: '' } : undefined,
        );
      }
    });
    reflector.server.openWatches[0]!.close();
    await reflector.clock.advance(10_000);
    expect(reflector.server.requests.length).toBeLessThan(10);
    await reflector.stop();
  });

  test('waits as long as a throttling server asks', async () => {
    const reflector = await reflecting(({ server }) => {
      server.once(() => ({ status: 429, headers: { 'retry-after': '7' }, body: 'busy' }));
    });
    await reflector.clock.advance(6900);
    expect(reflector.server.requests).toHaveLength(1);
    await reflector.clock.advance(200);
    expect(reflector.store.synced).toBe(true);
    await reflector.stop();
  });

  test('stops at once while it waits', async () => {
    const reflector = await reflecting(({ server }) => server.once(down));
    await reflector.stop();
    expect(reflector.clock.monotonic()).toBe(0);
  });
});

async function* staysOpen(lines: readonly string[], signal: AbortSignal): AsyncGenerator<string> {
  yield* lines;
  await new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}
