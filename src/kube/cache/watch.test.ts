import { describe, expect, test } from 'vitest';
import type { Pod } from '../../api/core.ts';
import { pods } from '../../api/resource-type.ts';
import { failure } from '../../../test/support/api-server.ts';
import { podNamed, scriptedCluster, settled } from '../../../test/support/scripted-cluster.ts';
import type { ServerWatch } from '../../../test/support/api-server-watch.ts';
import { watch, type WatchEnd } from './watch.ts';

interface Watching {
  readonly cluster: ReturnType<typeof scriptedCluster>;
  readonly events: string[];
  readonly stream: ServerWatch;
  readonly end: Promise<WatchEnd>;
  readonly stop: AbortController;
}

async function startWatch(silenceMs = 60_000): Promise<Watching> {
  const cluster = scriptedCluster();
  const { client, clock, server } = cluster;
  server.serve(pods);
  const events: string[] = [];
  const stop = new AbortController();
  const end = watch<Pod>({
    client,
    clock,
    type: pods,
    options: { resourceVersion: server.version, timeoutSeconds: 300, signal: stop.signal },
    silenceMs: () => silenceMs,
    onOpen: () => events.push('open'),
    onEvent: (event) =>
      events.push(
        event.type === 'BOOKMARK'
          ? `bookmark ${event.version}`
          : `${event.type} ${event.object.metadata.name}`,
      ),
  });
  await clock.settle();
  return { cluster, events, stream: server.watches[0]!, end, stop };
}

/** Afterwards nothing may be left, whatever the end was. */
async function ended({ cluster, end }: Watching): Promise<WatchEnd['reason']> {
  const { reason } = await settled(cluster.clock, end);
  await cluster.clock.settle();
  const { clock, transport, server } = cluster;
  expect([clock.pending().timers, transport.open, server.openWatches]).toEqual([[], 0, []]);
  return reason;
}

describe('a watch', () => {
  test('asks for bookmarks and a time to end, and delivers events in order', async () => {
    const watching = await startWatch();
    const { cluster, stream, events } = watching;
    cluster.server.put(pods, podNamed('a'));
    cluster.server.put(pods, podNamed('a'));
    cluster.server.remove(pods, podNamed('a').metadata);
    cluster.server.bookmark();
    stream.close();
    expect(await ended(watching)).toBe('closed');
    expect(events).toEqual(['open', 'ADDED a', 'MODIFIED a', 'DELETED a', 'bookmark 1003']);
    expect(Object.fromEntries(stream.query)).toEqual({
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: '1000',
      timeoutSeconds: '300',
    });
  });

  test('puts together events that arrive in pieces, cut inside a character', async () => {
    const watching = await startWatch();
    const { stream, events, cluster } = watching;
    const line = Buffer.from(
      `${JSON.stringify({ type: 'ADDED', object: podNamed('zürich-🚀') })}\n`,
    );
    for (let i = 0; i < line.length; i++) {
      stream.raw(line.subarray(i, i + 1));
      await cluster.clock.settle();
    }
    stream.close();
    await ended(watching);
    expect(events).toEqual(['open', 'ADDED zürich-🚀']);
  });

  test('ends as failed when the connection breaks, also in the middle of an event', async () => {
    const watching = await startWatch();
    watching.stream.raw(
      `${JSON.stringify({ type: 'ADDED', object: podNamed('a') })}\n{"type":"ADD`,
    );
    watching.stream.cut();
    expect(await ended(watching)).toBe('failed');
    expect(watching.events).toEqual(['open', 'ADDED a']);
  });

  test('ends as failed when it is closed inside an event', async () => {
    const watching = await startWatch();
    watching.stream.raw('{"type":"ADD');
    watching.stream.close();
    expect(await ended(watching)).toBe('failed');
  });

  test('ends as malformed at a line that is no event, and takes nothing after it', async () => {
    const watching = await startWatch();
    watching.stream.raw('{"type":"ADDED","object":\n');
    watching.stream.event('ADDED', podNamed('after'));
    expect(await ended(watching)).toBe('malformed');
    expect(watching.events).toEqual(['open']);
  });

  test.each([
    [410, 'Expired', 'expired'],
    [500, 'InternalError', 'failed'],
  ])('an error event with code %i ends it as %s', async (code, reason, expected) => {
    const watching = await startWatch();
    watching.stream.event('ERROR', { kind: 'Status', code, reason });
    expect(await ended(watching)).toBe(expected);
  });

  test.each([
    [410, 'expired'],
    [404, 'failed'],
    [500, 'failed'],
  ])('a refusal with status %i ends it as %s', async (code, expected) => {
    const cluster = scriptedCluster();
    cluster.server.once(() => failure(code, code === 410 ? 'Expired' : 'Whatever', 'no'));
    const end = await settled(
      cluster.clock,
      watch({ ...cluster, type: pods, options: {}, silenceMs: () => 1, onEvent: () => undefined }),
    );
    expect([end.reason, cluster.clock.pending().timers]).toEqual([expected, []]);
  });

  test('ends as silent when no byte comes for too long, counted from the last one', async () => {
    const watching = await startWatch(60_000);
    const { cluster, stream } = watching;
    await cluster.clock.advance(50_000);
    cluster.server.bookmark();
    await cluster.clock.advance(50_000);
    expect(cluster.server.openWatches).toHaveLength(1);
    stream.muted = true;
    expect(await ended(watching)).toBe('silent');
    expect(cluster.clock.monotonic()).toBe(110_000);
  });

  test('a jump of the wall clock makes nothing silent', async () => {
    const watching = await startWatch(60_000);
    watching.cluster.clock.jump(24 * 3600 * 1000);
    await watching.cluster.clock.advance(59_000);
    expect(watching.cluster.server.openWatches).toHaveLength(1);
    watching.stream.close();
    expect(await ended(watching)).toBe('closed');
  });

  test('ends at once when it is aborted', async () => {
    const watching = await startWatch();
    watching.stop.abort();
    expect(await ended(watching)).toBe('failed');
    expect(watching.cluster.clock.monotonic()).toBe(0);
  });
});
