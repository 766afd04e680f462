// Watches and caches of a server that answers in Kubernetes' binary encoding, as real ones do: the same promises as in
// JSON, and the faults that only a stream of frames can have.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../api/core.ts';
import { configMaps, pods, secrets } from '../../api/resource-type.ts';
import { failure } from '../../../test/support/api-server.ts';
import type { ServerWatch } from '../../../test/support/api-server-watch.ts';
import { encodeFrame, encodeObject } from '../../../test/support/protobuf-encoder.ts';
import {
  podNamed,
  scriptedCluster,
  settled,
  type ScriptedCluster,
} from '../../../test/support/scripted-cluster.ts';
import { ObjectCodec } from './object-codec.ts';
import { Reflector } from './reflector.ts';
import { Store } from './store.ts';
import { watch, type WatchEnd } from './watch.ts';
import type { WatchEvent } from './watch-event.ts';

const both = 'application/vnd.kubernetes.protobuf,application/json';

function binaryCluster(): ScriptedCluster & { readonly accepted: (string | undefined)[] } {
  const cluster = scriptedCluster();
  const accepted: (string | undefined)[] = [];
  cluster.server.serve(pods);
  cluster.server.binary = true;
  // Looks at every request and declines to answer any.
  cluster.server.once((request) => void accepted.push(request.headers['accept']));
  return { ...cluster, accepted };
}

function podFrame(name: string): Buffer {
  const object = { apiVersion: 'v1', kind: 'Pod', ...podNamed(name, { resourceVersion: '2000' }) };
  return encodeFrame('ADDED', encodeObject(object));
}

function nothingIsLeft({ clock, transport, server }: ScriptedCluster): void {
  expect([clock.pending().timers, transport.open, server.openWatches]).toEqual([[], 0, []]);
}

describe('a watch in binary', () => {
  interface Watching {
    readonly cluster: ReturnType<typeof binaryCluster>;
    readonly events: string[];
    readonly stream: ServerWatch;
    readonly end: Promise<WatchEnd>;
  }

  async function startWatch(): Promise<Watching> {
    const cluster = binaryCluster();
    const { client, clock, server } = cluster;
    const events: string[] = [];
    const end = watch<Pod>({
      client,
      clock,
      type: pods,
      options: { resourceVersion: server.version },
      silenceMs: () => 60_000,
      onEvent: (event) =>
        events.push(
          event.type === 'BOOKMARK'
            ? `bookmark ${event.version}`
            : `${event.type} ${event.object.metadata.name}`,
        ),
    });
    await clock.settle();
    return { cluster, events, stream: server.watches[0]!, end };
  }

  async function ended({ cluster, end }: Watching): Promise<WatchEnd['reason']> {
    const { reason } = await settled(cluster.clock, end);
    await cluster.clock.settle();
    nothingIsLeft(cluster);
    return reason;
  }

  test('asks for binary before JSON and delivers events in order', async () => {
    const watching = await startWatch();
    const { cluster, events, stream } = watching;
    cluster.server.put(pods, podNamed('a'));
    cluster.server.put(pods, podNamed('a'));
    cluster.server.remove(pods, podNamed('a').metadata);
    cluster.server.bookmark();
    stream.close();
    expect([await ended(watching), cluster.accepted]).toEqual(['closed', [both]]);
    expect(events).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a', 'bookmark 1003']);
  });

  test('puts together events that arrive byte by byte', async () => {
    const watching = await startWatch();
    for (const byte of podFrame('zürich-🚀')) {
      watching.stream.raw(Buffer.from([byte]));
      await watching.cluster.clock.settle();
    }
    watching.stream.close();
    expect([await ended(watching), watching.events]).toEqual(['closed', ['ADDED zürich-🚀']]);
  });

  test.each(['cut', 'close'] as const)(
    'ends as failed when the connection ends inside a frame (%s)',
    async (how) => {
      const watching = await startWatch();
      watching.stream.raw(Buffer.concat([podFrame('a'), podFrame('b').subarray(0, 30)]));
      watching.stream[how]();
      expect([await ended(watching), watching.events]).toEqual(['failed', ['ADDED a']]);
    },
  );

  test.each([
    ['that is no event', Buffer.from([0, 0, 0, 3, 0x0a, 0x0a, 0x41])],
    ['whose object is cut off', withLength(podFrame('b').subarray(4, -6))],
    ['with an event nobody knows', encodeFrame('TELEPORTED', objectOf(podFrame('b')))],
    ['with an object without a name', podFrame('')],
    ['of a length beyond reason', Buffer.from('{"type":"ADDED"}\n')],
  ])('ends as malformed at a frame %s, and takes nothing after it', async (_, frame) => {
    const watching = await startWatch();
    watching.stream.raw(Buffer.concat([podFrame('a'), frame, podFrame('after')]));
    expect([await ended(watching), watching.events]).toEqual(['malformed', ['ADDED a']]);
  });

  test.each([
    [410, 'Expired', 'expired'],
    [500, 'InternalError', 'failed'],
  ])('an error event with code %i ends it as %s', async (code, reason, expected) => {
    const watching = await startWatch();
    watching.stream.event('ERROR', { code, reason });
    expect(await ended(watching)).toBe(expected);
  });

  test('a refusal in binary is understood', async () => {
    const { client, server, clock } = binaryCluster();
    const status = {
      apiVersion: 'v1',
      kind: 'Status',
      code: 410,
      reason: 'Expired',
      message: 'old',
    };
    server.once(() => ({
      status: 410,
      headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
      body: encodeObject(status),
    }));
    const request = { client, clock, type: pods, options: {}, silenceMs: () => 1 };
    const end = await settled(clock, watch({ ...request, onEvent: () => undefined }));
    expect(end).toEqual({ reason: 'expired' });
  });

  test('ends as silent when no byte comes for too long, also inside a frame', async () => {
    const watching = await startWatch();
    await watching.cluster.clock.advance(50_000);
    watching.stream.raw(podFrame('a').subarray(0, 10));
    await watching.cluster.clock.advance(50_000);
    expect(watching.cluster.server.openWatches).toHaveLength(1);
    expect([await ended(watching), watching.cluster.clock.monotonic()]).toEqual([
      'silent',
      110_000,
    ]);
  });

  test('is read as JSON when the server answers in JSON all the same', async () => {
    const cluster = binaryCluster();
    cluster.server.binary = false;
    const { client, clock, server } = cluster;
    const names: string[] = [];
    const stop = new AbortController();
    const end = watch<Pod>({
      client,
      clock,
      type: pods,
      options: { resourceVersion: server.version, signal: stop.signal },
      silenceMs: () => 60_000,
      onEvent: (event) => names.push(event.type),
    });
    await clock.settle();
    server.put(pods, podNamed('a'));
    await clock.settle();
    stop.abort();
    await settled(clock, end);
    expect([cluster.accepted, names]).toEqual([[both], ['ADDED']]);
  });
});

test('a watch recorded from a real server says in binary what it says in JSON', () => {
  const file = new URL('../../../test/vectors/protobuf/watch.json', import.meta.url);
  const { json, binary } = JSON.parse(readFileSync(file, 'utf8')) as Record<'binary', string> & {
    readonly json: readonly string[];
  };
  const events = (contentType: string, bytes: Buffer): WatchEvent<Pod>[] => {
    const heard: WatchEvent<Pod>[] = [];
    new ObjectCodec(pods).events(contentType, (event) => heard.push(event)).push(bytes);
    return heard;
  };
  const inBinary = events(
    'application/vnd.kubernetes.protobuf;stream=watch',
    Buffer.from(binary, 'base64'),
  );
  const text = json.map((line) => `${line}\n`).join('');
  expect(inBinary).toEqual(events('application/json;stream=watch', Buffer.from(text)));
  expect(inBinary.map((event) => event.type)).toEqual(['ADDED', 'ADDED', 'BOOKMARK']);
});

test.each([
  ['kept in binary', configMaps, both],
  ['of which nobody keeps many', secrets, 'application/json'],
  ['of a custom resource', { ...pods, group: 'example.com' }, 'application/json'],
])('objects %s are asked for accordingly', (_, type, accept) => {
  expect(new ObjectCodec(type).accept).toBe(accept);
});

describe('a cache fed in binary', () => {
  interface Reflecting extends ReturnType<typeof binaryCluster> {
    readonly store: Store<Pod>;
    stop(): Promise<void>;
  }

  async function reflecting(prepare: (cluster: ScriptedCluster) => void): Promise<Reflecting> {
    const cluster = binaryCluster();
    prepare(cluster);
    const store = new Store<Pod>({ log: cluster.log, freeze: true });
    const stopping = new AbortController();
    const running = new Reflector({ ...cluster, type: pods, store }).run(stopping.signal);
    await cluster.clock.settle();
    return {
      ...cluster,
      store,
      async stop() {
        stopping.abort();
        await running;
        await cluster.clock.settle();
        nothingIsLeft(cluster);
      },
    };
  }

  function names(store: Store<Pod>): string[] {
    return Array.from(store.values(), (pod) => pod.metadata.name).toSorted();
  }

  test.each([true, false])('fills and follows (streaming lists: %s)', async (streaming) => {
    const reflector = await reflecting(({ server }) => {
      server.streamingLists = streaming;
      for (let i = 0; i < 600; i++) server.put(pods, podNamed(`p${i}`));
    });
    expect([reflector.store.size, reflector.store.version]).toEqual([600, '1600']);
    expect(reflector.store.get('default/p0')).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p0', namespace: 'default', uid: 'uid-1', resourceVersion: '1001' },
      spec: {},
      status: {},
    });
    reflector.server.put(pods, podNamed('p0', { labels: { a: 'b' } }));
    reflector.server.remove(pods, podNamed('p1').metadata);
    await reflector.clock.settle();
    expect(reflector.store.get('default/p0')?.metadata.labels).toEqual({ a: 'b' });
    expect([reflector.store.size, new Set(reflector.accepted)]).toEqual([599, new Set([both])]);
    await reflector.stop();
  });

  test('a connection lost inside a frame loses nothing that happened meanwhile', async () => {
    const reflector = await reflecting(({ server }) => server.put(pods, podNamed('a')));
    reflector.server.openWatches[0]!.raw(podFrame('never').subarray(0, 40));
    reflector.server.openWatches[0]!.cut();
    reflector.server.put(pods, podNamed('b'));
    reflector.server.remove(pods, podNamed('a').metadata);
    await reflector.clock.advance(1000);
    expect(names(reflector.store)).toEqual(['b']);
    await reflector.stop();
  });

  test('an expired version is answered by a list', async () => {
    const reflector = await reflecting(({ server }) => server.put(pods, podNamed('gone')));
    const [stream] = reflector.server.openWatches;
    stream!.muted = true;
    reflector.server.remove(pods, podNamed('gone').metadata);
    reflector.server.put(pods, podNamed('new'));
    reflector.server.compact();
    stream!.muted = false;
    stream!.event('ERROR', { code: 410, reason: 'Expired' });
    await reflector.clock.advance(2000);
    expect(names(reflector.store)).toEqual(['new']);
    await reflector.stop();
  });

  test('gives up a connection that the server has forgotten, and catches up', async () => {
    const reflector = await reflecting(({ server }) => server.put(pods, podNamed('a')));
    reflector.server.openWatches[0]!.muted = true;
    reflector.server.put(pods, podNamed('b'));
    await reflector.clock.advance(11 * 60_000);
    expect(names(reflector.store)).toEqual(['a', 'b']);
    await reflector.stop();
  });

  test('goes on in binary after one malformed frame, and in JSON after two on end', async () => {
    const reflector = await reflecting(({ server }) => server.put(pods, podNamed('a')));
    const garbage = Buffer.from([0, 0, 0, 1, 0xff]);
    reflector.server.openWatches[0]!.raw(garbage);
    await reflector.clock.advance(1000);
    expect(reflector.accepted).toEqual([both, both]);
    reflector.server.openWatches[0]!.raw(garbage);
    await reflector.clock.advance(3000);
    reflector.server.put(pods, podNamed('b'));
    await reflector.clock.settle();
    expect(reflector.accepted).toEqual([both, both, 'application/json']);
    expect(names(reflector.store)).toEqual(['a', 'b']);
    await reflector.stop();
  });

  test('goes over to JSON when lists in binary make no sense', async () => {
    const reflector = await reflecting(({ server }) => {
      server.streamingLists = false;
      server.put(pods, podNamed('a'));
      for (let i = 0; i < 2; i++) {
        server.once((request) =>
          request.query.has('limit')
            ? {
                status: 200,
                headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
                body: 'k8s',
              }
            : undefined,
        );
      }
    });
    await reflector.clock.advance(10_000);
    expect([names(reflector.store), reflector.accepted.at(-1)]).toEqual([
      ['a'],
      'application/json',
    ]);
    expect(reflector.errors).toEqual(
      Array.from({ length: 2 }, () => 'watch failed: the list cannot be understood'),
    );
    await reflector.stop();
  });

  test('a server that is down is told from one that makes no sense', async () => {
    const reflector = await reflecting(({ server }) => {
      for (let i = 0; i < 3; i++) server.once(() => failure(503, 'ServiceUnavailable', 'down'));
    });
    await reflector.clock.advance(20_000);
    expect(reflector.store.synced).toBe(true);
    expect(new Set(reflector.accepted)).toEqual(new Set([both]));
    await reflector.stop();
  });
});

function objectOf(frame: Buffer): Buffer {
  return frame.subarray(frame.indexOf('k8s\0'));
}

function withLength(content: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(content.length);
  return Buffer.concat([head, content]);
}
