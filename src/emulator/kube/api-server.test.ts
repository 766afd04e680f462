import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HttpReply, HttpRequest } from '../../base/http-server.ts';
import { silentLogger } from '../../base/log.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import { seededRandom } from '../../base/random.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { createApiServer, type ApiServer, type ApiServerOptions } from './api-server.ts';
import type { RequestContext } from './api.ts';
import type { JsonObject } from './json.ts';
import type { JournalFiles } from './store/journal.ts';

const context: RequestContext = {
  user: { username: 'tester', groups: [] },
  fieldManager: 'tester',
};
const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const pods = { group: '', version: 'v1', resource: 'pods' };
const accounts = { group: '', version: 'v1', resource: 'serviceaccounts' };
const namespace = 'default';

let clock: VirtualClock;
let server: ApiServer;

function open(options: Partial<ApiServerOptions> = {}): ApiServer {
  const opened = createApiServer({
    clock,
    random: seededRandom(1),
    log: silentLogger,
    metrics: new MetricsRegistry(),
    authenticator: { authenticate: () => ({ username: 'jane', groups: [] }) },
    authorizer: { authorize: () => ({ allowed: true, reason: '' }) },
    ...options,
  });
  opened.start();
  return opened;
}

beforeEach(() => {
  clock = new VirtualClock();
  server = open();
});

afterEach(() => server.stop());

async function send(
  target: string,
  request: Partial<HttpRequest> & { readonly text?: string } = {},
  to = server,
): Promise<HttpReply> {
  const { pathname, search } = new URL(target, 'http://server');
  return to.handler({
    method: 'GET',
    path: pathname,
    query: new URLSearchParams(search),
    headers: {},
    signal: new AbortController().signal,
    body: () => Promise.resolve(Buffer.from(request.text ?? '')),
    ...request,
  });
}

const textOf = ({ body }: HttpReply): string => (typeof body === 'string' ? body : '');
const parsed = (reply: HttpReply): JsonObject => JSON.parse(textOf(reply)) as JsonObject;

describe('a cluster from the start', () => {
  test('has its namespaces, priorities and its own service', async () => {
    const list = server.api.list({
      context,
      resource: { group: '', version: 'v1', resource: 'namespaces' },
    });
    const service = await send('/api/v1/namespaces/default/services/kubernetes');
    const priority = await send('/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical');
    expect([
      list.items.map((item) => item.metadata.name),
      parsed(service)['spec'],
      parsed(priority)['value'],
    ]).toMatchObject([
      ['default', 'kube-node-lease', 'kube-public', 'kube-system'],
      { clusterIP: '10.0.0.1', type: 'ClusterIP' },
      2_000_001_000,
    ]);
  });

  test('says what it can do, and that nothing has changed since', async () => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const first = await send('/apis', { headers: { accept } });
    const etag = first.headers?.['etag'] ?? '';
    const again = await send('/apis', { headers: { accept, 'if-none-match': etag } });
    expect([first.status, parsed(first)['kind'], again.status]).toEqual([
      200,
      'APIGroupDiscoveryList',
      304,
    ]);
  });

  test('is not ready before it has begun', async () => {
    const early = createApiServer({
      clock,
      random: seededRandom(1),
      log: silentLogger,
      metrics: new MetricsRegistry(),
      authenticator: { authenticate: () => ({ username: 'jane', groups: [] }) },
      authorizer: { authorize: () => ({ allowed: true, reason: '' }) },
    });
    expect([(await send('/readyz', {}, early)).status, (await send('/readyz')).status]).toEqual([
      500, 200,
    ]);
  });
});

describe('over HTTP', () => {
  test('a body beyond three megabytes is too large', async () => {
    const text = `{"metadata":{"name":"x","annotations":{"a":"${'x'.repeat(3 * 1024 * 1024)}"}}}`;
    const reply = await send('/api/v1/namespaces', { method: 'POST', text });
    expect([reply.status, parsed(reply)['message']]).toEqual([
      413,
      'Request entity too large: limit is 3145728',
    ]);
  });

  test('YAML is read and written', async () => {
    const headers = { 'content-type': 'application/yaml', accept: 'application/yaml' };
    const text = 'metadata: {name: written}\ndata: {a: b}\n';
    const reply = await send('/api/v1/namespaces/default/configmaps', {
      method: 'POST',
      headers,
      text,
    });
    expect([reply.status, reply.headers?.['content-type']]).toEqual([201, 'application/yaml']);
    expect(textOf(reply)).toContain('apiVersion: v1\ndata:\n  a: b\nkind: ConfigMap\n');
  });

  test('people get indented answers, programs do not', async () => {
    const forPeople = await send('/api', { headers: { 'user-agent': 'curl/8' } });
    const forPrograms = await send('/api', { headers: { 'user-agent': 'kubectl/1' } });
    expect([
      textOf(forPeople).split('\n').length > 5,
      textOf(forPrograms).split('\n').length,
    ]).toEqual([true, 2]);
  });

  test('who is not known is not let in, and who may not is told what', async () => {
    const strangers = open({ authenticator: { authenticate: () => undefined } });
    const closed = open({
      authorizer: { authorize: () => ({ allowed: false, reason: 'no rule' }) },
    });
    const verdicts = [
      parsed(await send('/api/v1/pods', {}, strangers)),
      parsed(await send('/api/v1/namespaces/default/pods/x', {}, closed)),
      parsed(await send('/metrics', {}, closed)),
    ];
    strangers.stop();
    closed.stop();
    expect(verdicts.map((verdict) => [verdict['code'], verdict['message']])).toEqual([
      [401, 'Unauthorized'],
      [
        403,
        'pods "x" is forbidden: User "jane" cannot get resource "pods" in API group "" in the namespace "default": no rule',
      ],
      [403, 'forbidden: User "jane" cannot get path "/metrics": no rule'],
    ]);
  });

  test('a fault of ours is a 500 and no more', async () => {
    const broken = open({
      admission: [
        {
          name: 'Broken',
          validate: (object) => {
            if (object.metadata.name === 'x') throw new TypeError('oops');
          },
        },
      ],
    });
    const path = '/api/v1/namespaces/default/configmaps';
    const reply = await send(path, { method: 'POST', text: '{"metadata":{"name":"x"}}' }, broken);
    const missing = await send(`${path}/x`, {}, broken);
    broken.stop();
    expect([reply.status, parsed(reply)['reason'], missing.status]).toEqual([
      500,
      'InternalError',
      404,
    ]);
  });

  test('a watch that nobody reads any more is over', async () => {
    const gone = new AbortController();
    const reply = await send('/api/v1/pods?watch=1', { signal: gone.signal });
    const lines = (reply.body as AsyncIterable<string>)[Symbol.asyncIterator]();
    const next = lines.next();
    gone.abort();
    expect((await next).done).toBe(true);
  });

  test('a request is counted under its verb, resource and code', async () => {
    await send('/api/v1/namespaces/default/pods/nope');
    const metrics = await send('/metrics');
    expect(textOf(metrics)).toContain(
      'apiserver_request_total{verb="GET",group="",version="v1",resource="pods",subresource="",code="404"} 1',
    );
  });
});

describe('kept files', () => {
  function memoryFiles(): JournalFiles {
    const files = new Map<string, string>();
    return {
      read: (name) => files.get(name),
      append: (name, text) => void files.set(name, (files.get(name) ?? '') + text),
      sync: () => undefined,
      replace: (name, text) => void files.set(name, [...text].join('')),
      close: () => undefined,
    };
  }

  test('a server that is opened again has its objects, kinds and revisions', () => {
    const directory = memoryFiles();
    const definition = {
      metadata: { name: 'foos.example.com' },
      spec: {
        group: 'example.com',
        names: { kind: 'Foo', plural: 'foos' },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        ],
      },
    };
    const definitions = {
      group: 'apiextensions.k8s.io',
      version: 'v1',
      resource: 'customresourcedefinitions',
    };
    const foos = { group: 'example.com', version: 'v1', resource: 'foos' };
    const first = open({ directory });
    first.api.create({ context, resource: definitions, object: definition });
    const object = {
      apiVersion: 'example.com/v1',
      kind: 'Foo',
      metadata: { name: 'a' },
      spec: { b: 1 },
    };
    const made = first.api.create({ context, resource: foos, namespace, object });
    first.stop();
    const second = open({ directory });
    const again = second.api.get({ context, resource: foos, namespace, name: 'a' });
    const next = second.api.create({
      context,
      resource: configMaps,
      namespace,
      object: { metadata: { name: 'n' } },
    });
    second.stop();
    expect(again).toEqual(made);
    expect(Number(next.metadata.resourceVersion)).toBeGreaterThan(
      Number(made.metadata.resourceVersion),
    );
  });
});

describe('inside the process', () => {
  test('nothing that is handed out changes behind its holder', () => {
    const frozen = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
      Object.freeze(value);
      for (const part of Object.values(value)) frozen(part);
    };
    server.api.create({
      context,
      resource: accounts,
      namespace,
      object: { metadata: { name: 'default' } },
    });
    const spec = { containers: [{ name: 'c', image: 'x', resources: { limits: { cpu: '1' } } }] };
    const object = { metadata: { name: 'p' }, spec };
    frozen(object);
    frozen(server.api.create({ context, resource: pods, namespace, object }));
    const patch = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
    const patchType = 'application/strategic-merge-patch+json';
    const call = { context, resource: pods, namespace, name: 'p' };
    frozen(server.api.patch({ ...call, subresource: 'status', patchType, patch }));
    frozen(server.api.update({ ...call, object: server.api.get(call) }));
    expect(server.api.delete(call).gone).toBe(true);
  });

  test('events are forgotten an hour after they were last seen', async () => {
    const events = { group: '', version: 'v1', resource: 'events' };
    const object = {
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', name: 'p', namespace },
      reason: 'R',
    };
    server.api.create({ context, resource: events, namespace, object });
    await clock.advance(59 * 60_000);
    expect(server.api.list({ context, resource: events }).items).toHaveLength(1);
    await clock.advance(10 * 60_000);
    expect(server.api.list({ context, resource: events }).items).toHaveLength(0);
  });

  test('an event of one group is the same event in the other', () => {
    const events = { group: 'events.k8s.io', version: 'v1', resource: 'events' };
    const object = {
      metadata: { name: 'e' },
      regarding: { kind: 'Pod', name: 'p', namespace },
      reason: 'R',
      note: 'hello',
      action: 'A',
      type: 'Normal',
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'c',
      reportingInstance: 'i',
    };
    server.api.create({ context, resource: events, namespace, object });
    const old = server.api.get({
      context,
      resource: { ...events, group: '' },
      namespace,
      name: 'e',
    });
    const fresh = server.api.get({ context, resource: events, namespace, name: 'e' });
    expect([old['message'], old['involvedObject'], fresh['note'], fresh['regarding']]).toEqual([
      'hello',
      object.regarding,
      'hello',
      object.regarding,
    ]);
  });

  test('plugins that were left out do not act', () => {
    const lenient = open({ disableAdmission: ['ServiceAccount'] });
    const object = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'x' }] } };
    const pod = lenient.api.create({ context, resource: pods, namespace, object });
    lenient.stop();
    expect(pod['spec']).not.toHaveProperty('serviceAccountName');
    expect(() => server.api.create({ context, resource: pods, namespace, object })).toThrow(
      'error looking up service account default/default: serviceaccount "default" not found',
    );
  });

  test('nothing is left to run after a stop', () => {
    const other = open();
    other.api.watch({ context, resource: pods, allowWatchBookmarks: true, timeoutMs: 1000 });
    other.stop();
    server.stop();
    expect(clock.pending().timers).toEqual([]);
  });

  test('reviews are not served before somebody answers them', () => {
    const resource = {
      group: 'authorization.k8s.io',
      version: 'v1',
      resource: 'selfsubjectaccessreviews',
    };
    const ask = (to: ApiServer) => to.api.create({ context, resource, object: { spec: {} } });
    expect(() => ask(server)).toThrow('the server could not find the requested resource');
    const answering = open({
      virtual: new Map([
        [
          'authorization.k8s.io/selfsubjectaccessreviews',
          ({ object }) =>
            ({ ...object, metadata: { name: '' }, status: { allowed: true } }) as never,
        ],
      ]),
    });
    expect(ask(answering)).toMatchObject({
      kind: 'SelfSubjectAccessReview',
      status: { allowed: true },
    });
    answering.stop();
  });
});
