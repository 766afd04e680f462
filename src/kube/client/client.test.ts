import { describe, expect, test } from 'vitest';
import { MetricsRegistry } from '../../base/metrics.ts';
import { TokenBucket } from '../../base/token-bucket.ts';
import type { HttpReply, HttpRequest } from '../../base/http-server.ts';
import { deployments, nodes, pods } from '../../api/resource-type.ts';
import { failure, json } from '../../../test/support/api-server.ts';
import { podNamed, scriptedCluster, settled } from '../../../test/support/scripted-cluster.ts';
import { clientMetrics } from './client-metrics.ts';
import { isConflict, isNotFound, KubeError } from './errors.ts';
import { mergePatch } from './patch.ts';

const ref = { name: 'a', namespace: 'default' };

/** The one request that a call makes, as it was sent. */
async function sent(
  call: (cluster: ReturnType<typeof scriptedCluster>) => Promise<unknown>,
  reply: HttpReply = json(200, { metadata: { name: 'a' } }),
): Promise<{ line: string; headers: HttpRequest['headers']; body: unknown }> {
  const cluster = scriptedCluster({ fieldManager: 'karpenter', userAgent: 'karpenter/1.2' });
  let headers: HttpRequest['headers'] = {};
  let body = '';
  cluster.server.once(async (request) => {
    headers = request.headers;
    body = Buffer.from(await request.body()).toString('utf8');
    return reply;
  });
  await settled(cluster.clock, call(cluster));
  expect(cluster.transport.open).toBe(0);
  return {
    line: cluster.server.requests.join(),
    headers,
    body: body === '' ? undefined : JSON.parse(body),
  };
}

describe('what is asked of the server', () => {
  test.each<[string, (cluster: ReturnType<typeof scriptedCluster>) => Promise<unknown>, object]>([
    [
      'get',
      ({ client }) => client.get(pods, ref),
      { line: 'GET /api/v1/namespaces/default/pods/a' },
    ],
    [
      'list',
      ({ client }) =>
        client.list(pods, {
          labelSelector: 'a=b',
          fieldSelector: 'spec.nodeName=x',
          limit: 5,
          continue: 'c',
        }),
      {
        line: 'GET /api/v1/pods?labelSelector=a%3Db&fieldSelector=spec.nodeName%3Dx&limit=5&continue=c',
      },
    ],
    [
      'create',
      ({ client }) => client.create(pods, podNamed('a'), { dryRun: true }),
      {
        line: 'POST /api/v1/namespaces/default/pods?fieldManager=karpenter&dryRun=All',
        body: { ...podNamed('a'), apiVersion: 'v1', kind: 'Pod' },
      },
    ],
    [
      'update of the status',
      ({ client }) => client.updateStatus(nodes, { metadata: { name: 'x' } }),
      {
        line: 'PUT /api/v1/nodes/x/status?fieldManager=karpenter',
        body: { metadata: { name: 'x' }, apiVersion: 'v1', kind: 'Node' },
      },
    ],
    [
      'apply',
      ({ client }) =>
        client.patch(
          nodes,
          { name: 'x' },
          { type: 'apply', body: { spec: {} }, fieldManager: 'me', force: true },
        ),
      {
        line: 'PATCH /api/v1/nodes/x?fieldManager=me&force=true',
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: { spec: {}, apiVersion: 'v1', kind: 'Node' },
      },
    ],
    [
      'JSON patch',
      ({ client }) =>
        client.patch(
          nodes,
          { name: 'x' },
          { type: 'json', operations: [{ op: 'remove', path: '/spec' }] },
        ),
      {
        headers: { 'content-type': 'application/json-patch+json' },
        body: [{ op: 'remove', path: '/spec' }],
      },
    ],
    [
      'strategic patch',
      ({ client }) =>
        client.patch(nodes, { name: 'x' }, { type: 'strategic', body: { metadata: {} } }),
      { headers: { 'content-type': 'application/strategic-merge-patch+json' } },
    ],
    [
      'delete with preconditions',
      ({ client }) =>
        client.delete(
          nodes,
          { name: 'x' },
          { uid: 'u', gracePeriodSeconds: 0, propagationPolicy: 'Foreground' },
        ),
      {
        line: 'DELETE /api/v1/nodes/x',
        body: {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          gracePeriodSeconds: 0,
          propagationPolicy: 'Foreground',
          preconditions: { uid: 'u' },
        },
      },
    ],
    [
      'delete of a collection',
      ({ client }) => client.deleteCollection(pods, { namespace: 'n', labelSelector: 'a' }),
      { line: 'DELETE /api/v1/namespaces/n/pods?labelSelector=a' },
    ],
    [
      'eviction',
      ({ client }) => client.evict(ref, { uid: 'u' }),
      {
        line: 'POST /api/v1/namespaces/default/pods/a/eviction',
        body: {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: ref,
          deleteOptions: { preconditions: { uid: 'u' } },
        },
      },
    ],
    [
      'binding',
      ({ client }) => client.bind(ref, 'node-1'),
      {
        line: 'POST /api/v1/namespaces/default/pods/a/binding',
        body: expect.objectContaining({
          target: { apiVersion: 'v1', kind: 'Node', name: 'node-1' },
        }),
      },
    ],
    [
      'scale',
      ({ client }) => client.updateScale(deployments, { metadata: ref, spec: { replicas: 3 } }),
      {
        line: 'PUT /apis/apps/v1/namespaces/default/deployments/a/scale?fieldManager=karpenter',
        body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: ref, spec: { replicas: 3 } },
      },
    ],
    ['version', ({ client }) => client.serverVersion(), { line: 'GET /version' }],
  ])('%s', async (_, call, expected) => {
    expect(await sent(call)).toMatchObject({
      ...expected,
      headers: expect.objectContaining({
        accept: 'application/json',
        'user-agent': 'karpenter/1.2',
        ...('headers' in expected ? (expected.headers as object) : {}),
      }),
    });
  });

  test('a delete without a name never reaches the server', async () => {
    const { client, server } = scriptedCluster();
    await expect(client.delete(nodes, { name: '' })).rejects.toMatchObject({
      code: 'IncompleteReference',
    });
    await expect(client.deleteCollection(pods)).rejects.toMatchObject({
      code: 'IncompleteReference',
    });
    expect(server.requests).toEqual([]);
  });
});

describe('what the server answers', () => {
  test('objects come back as the server has them', async () => {
    const { client, server, clock } = scriptedCluster();
    server.serve(pods);
    const created = await settled(clock, client.create(pods, podNamed('a')));
    expect(await settled(clock, client.get(pods, ref))).toEqual(created);
    expect(created.metadata.uid).toBe('uid-1');
  });

  test('a locked patch of an object that has changed is a conflict', async () => {
    const { client, server, clock } = scriptedCluster();
    const before = server.put(pods, podNamed('a'));
    server.put(pods, podNamed('a', { labels: { by: 'other' } }));
    const after = { ...before, metadata: { ...before.metadata, finalizers: ['x'] } };
    const patch = mergePatch(before, after, { lock: true })!;
    const error = await settled(clock, client.patch(pods, ref, patch)).catch(
      (thrown: unknown) => thrown,
    );
    expect([isConflict(error), isNotFound(error)]).toEqual([true, false]);
  });

  test('delete answers with what still waits for finalizers, and with nothing for what is gone', async () => {
    const { client, server, clock } = scriptedCluster();
    server.put(pods, podNamed('a', { finalizers: ['x'] }));
    server.put(pods, podNamed('b'));
    const waiting = await settled(clock, client.delete(pods, ref));
    expect(waiting?.metadata.deletionTimestamp).toBeDefined();
    expect(await settled(clock, client.delete(pods, { ...ref, name: 'b' }))).toBeUndefined();
  });

  test('keeps the words of the server', async () => {
    const { client, server, clock } = scriptedCluster();
    const causes = [{ reason: 'FieldValueInvalid', message: 'bad', field: 'spec' }];
    server.once(() => failure(422, 'Invalid', 'Pod "a" is invalid', { details: { causes } }));
    await expect(settled(clock, client.get(pods, ref))).rejects.toMatchObject({
      code: 'Invalid',
      message: 'Pod "a" is invalid',
      status: 422,
      causes,
      fields: { method: 'GET', path: '/api/v1/namespaces/default/pods/a' },
    });
  });

  test('an answer in plain text is an error with that text', async () => {
    const { client, server, clock } = scriptedCluster();
    server.once(() => ({ status: 403, body: 'forbidden by the gateway\n' }));
    await expect(settled(clock, client.get(pods, ref))).rejects.toMatchObject({
      code: 'Forbidden',
      message: 'forbidden by the gateway',
    });
  });

  test('an answer that is not JSON is malformed', async () => {
    const { client, server, clock } = scriptedCluster();
    server.once(() => ({ status: 200, body: '<html>' }));
    await expect(settled(clock, client.get(pods, ref))).rejects.toMatchObject({
      code: 'Malformed',
    });
  });
});

describe('trying again', () => {
  const busy = (): HttpReply => ({ status: 429, headers: { 'Retry-After': '2' }, body: 'busy' });

  test('waits as long as a throttling server asks', async () => {
    const { client, server, clock } = scriptedCluster();
    server.put(pods, podNamed('a'));
    server.once(busy);
    server.once(busy);
    await settled(clock, client.get(pods, ref));
    expect([server.requests.length, clock.monotonic()]).toEqual([3, 4000]);
  });

  test.each([500, 503])('also retries a write that was answered %i with a time', async (status) => {
    const { client, server, clock } = scriptedCluster();
    server.serve(pods);
    server.once(() => failure(status, 'InternalError', 'x', { headers: { 'retry-after': '1' } }));
    await settled(clock, client.create(pods, podNamed('a')));
    expect(clock.monotonic()).toBe(1000);
  });

  test('gives up after ten retries', async () => {
    const { client, server, clock } = scriptedCluster();
    for (let i = 0; i < 20; i++) server.once(busy);
    await expect(settled(clock, client.get(pods, ref))).rejects.toMatchObject({
      code: 'TooManyRequests',
    });
    expect(server.requests).toHaveLength(11);
  });

  test('does not retry what the server set no time for', async () => {
    const { client, server, clock } = scriptedCluster();
    server.once(() => failure(500, 'InternalError', 'etcd is down'));
    await expect(settled(clock, client.get(pods, ref))).rejects.toMatchObject({
      code: 'ServerError',
    });
    expect(server.requests).toHaveLength(1);
  });

  test('hands a refused eviction to the caller at once, but waits for an overloaded server', async () => {
    const { client, server, clock } = scriptedCluster();
    server.put(pods, podNamed('a'));
    server.once(busy);
    server.once(() =>
      failure(429, 'TooManyRequests', 'Cannot evict pod as it would violate the budget', {
        headers: { 'retry-after': '10' },
        details: { causes: [{ reason: 'DisruptionBudget', message: 'needs 1 healthy pod' }] },
      }),
    );
    await expect(settled(clock, client.evict(ref))).rejects.toMatchObject({
      code: 'TooManyRequests',
      retryAfterSeconds: 10,
      causes: [{ reason: 'DisruptionBudget' }],
    });
    expect([server.requests.length, clock.monotonic()]).toEqual([2, 2000]);
  });

  test('reads again when the connection breaks, but never writes twice', async () => {
    const { client, server, clock } = scriptedCluster();
    server.put(pods, podNamed('a'));
    server.once(() => Promise.reject(new Error('socket hang up')));
    server.once(() => ({ status: 200, body: cutOff() }));
    await settled(clock, client.get(pods, ref));
    expect([server.requests.length, clock.monotonic()]).toEqual([3, 500]);
    server.once(() => ({ status: 201, body: cutOff() }));
    await expect(settled(clock, client.create(pods, podNamed('b')))).rejects.toMatchObject({
      code: 'Network',
    });
    expect(server.requests).toHaveLength(4);
  });

  test('says so when it has no answer in time, and leaves nothing behind', async () => {
    const { client, server, clock, transport } = scriptedCluster();
    server.once(() => new Promise<HttpReply>(() => undefined));
    await expect(
      settled(clock, client.create(pods, podNamed('a'), { timeoutMs: 5000 })),
    ).rejects.toMatchObject({ code: 'Timeout' });
    expect([clock.monotonic(), clock.pending().timers, transport.open]).toEqual([5000, [], 0]);
  });

  test('does not wait past its deadline for a throttling server, whose reason it keeps', async () => {
    const { client, server, clock } = scriptedCluster();
    server.once(() => ({ status: 429, headers: { 'retry-after': '90' }, body: 'busy' }));
    await expect(settled(clock, client.get(pods, ref))).rejects.toMatchObject({
      code: 'TooManyRequests',
    });
    expect(clock.monotonic()).toBe(0);
  });

  test('an aborted call ends at once with the reason, in a request as in a wait', async () => {
    const { client, server, clock, transport } = scriptedCluster();
    const stop = new AbortController();
    server.once(busy);
    server.once(() => new Promise<HttpReply>(() => undefined));
    const waiting = client.get(pods, ref, { signal: stop.signal });
    const asking = client.get(pods, ref, { signal: stop.signal });
    await clock.settle();
    const reason = new KubeError('Unavailable', 'shutting down');
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(asking).rejects.toBe(reason);
    await expect(client.get(pods, ref, { signal: stop.signal })).rejects.toBe(reason);
    expect([clock.pending().timers, transport.open]).toEqual([[], 0]);
  });
});

async function* cutOff(): AsyncGenerator<string> {
  yield '{"metad';
  await Promise.resolve();
  throw new Error('connection reset');
}

describe('holding back', () => {
  test('calls share the rate limit; watches and clients without one do not', async () => {
    const cluster = scriptedCluster();
    const limiter = new TokenBucket({ clock: cluster.clock, perSecond: 10, burst: 2 });
    const limited = scriptedCluster({
      clock: cluster.clock,
      transport: cluster.transport,
      limiter,
    });
    cluster.server.put(pods, podNamed('a'));
    const calls = Promise.all(Array.from({ length: 5 }, () => limited.client.get(pods, ref)));
    const stream = await settled(cluster.clock, limited.client.openWatch(pods));
    stream.cancel();
    await settled(cluster.clock, cluster.client.get(pods, ref));
    expect(cluster.clock.monotonic()).toBe(0);
    await settled(cluster.clock, calls);
    expect(Math.round(cluster.clock.monotonic())).toBe(300);
  });

  test('counts and times requests under the names of the original', async () => {
    const registry = new MetricsRegistry();
    const cluster = scriptedCluster({ metrics: clientMetrics(registry) });
    const { client, server, clock } = cluster;
    server.put(deployments, podNamed('a') as never);
    await settled(
      clock,
      client.getScale(deployments, ref).catch(() => undefined),
    );
    await settled(clock, client.list(deployments));
    server.once(() => new Promise<HttpReply>(() => undefined));
    await settled(
      clock,
      client.get(nodes, { name: 'x' }, { timeoutMs: 10 }).catch(() => undefined),
    );
    const lines = (await registry.text()).split('\n');
    expect(lines.filter((line) => line.startsWith('client_go_request_total'))).toEqual([
      'client_go_request_total{code="200",method="GET"} 2',
      'client_go_request_total{code="<error>",method="GET"} 1',
    ]);
    expect(
      lines.filter((line) => line.startsWith('client_go_request_duration_seconds_count')),
    ).toEqual([
      'client_go_request_duration_seconds_count{verb="GET",group="apps",version="v1",kind="deployments",subresource="scale"} 1',
      'client_go_request_duration_seconds_count{verb="LIST",group="apps",version="v1",kind="deployments",subresource=""} 1',
      'client_go_request_duration_seconds_count{verb="GET",group="",version="v1",kind="nodes",subresource=""} 1',
    ]);
  });
});
