import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../base/log.ts';
import { seededRandom } from '../../base/random.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { createCertificateRequest } from '../certificates.ts';
import { startKubeCluster, type KubeCluster, type KubeClusterOptions } from './cluster.ts';
import { objectsAt, stringAt, textAt, type JsonObject } from './json.ts';

interface Answer {
  readonly code: number;
  readonly body: JsonObject;
}

interface World {
  readonly clock: VirtualClock;
  readonly cluster: KubeCluster;
  /** `GET /api/v1/nodes` as the bearer of a token: the administrator's unless told, none when it is empty. */
  send(line: string, body?: JsonObject, token?: string): Promise<Answer>;
}

/** A cluster without a socket, gone at the end of the test with all that it set in motion. */
async function start(options: Partial<KubeClusterOptions> = {}): Promise<World> {
  const clock = new VirtualClock();
  const faults: string[] = [];
  const output = { write: (line: string) => void faults.push(line) };
  const log = createLogger({ level: 'error', output, clock });
  const random = seededRandom(1);
  const cluster = await startKubeCluster({ clock, random, log, listen: false, ...options });
  onTestFinished(async () => {
    await cluster.stop();
    expect(faults.slice(0, 2)).toEqual([]);
    expect(clock.pending()).toEqual({ timers: [], tracked: [] });
  });
  await clock.advance(0);
  const send: World['send'] = async (line, body, token = cluster.administratorToken) => {
    const [method = '', target = ''] = line.split(' ');
    const { pathname, searchParams } = new URL(target, cluster.url);
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const identity = token === '' ? {} : { authorization: `Bearer ${token}` };
    const reply = await cluster.handler({
      method,
      path: pathname,
      query: searchParams,
      headers: { 'content-type': type, ...identity },
      signal: new AbortController().signal,
      body: () => Promise.resolve(Buffer.from(body === undefined ? '' : JSON.stringify(body))),
    });
    const text = typeof reply.body === 'string' && reply.body.startsWith('{') ? reply.body : '{}';
    await clock.advance(0);
    return { code: reply.status, body: JSON.parse(text) as JsonObject };
  };
  return { clock, cluster, send };
}

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const pods = '/api/v1/namespaces/default/pods';
const accounts = '/api/v1/namespaces/default/serviceaccounts';
const configMaps = '/api/v1/namespaces/default/configmaps';
const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';

const deployment = (name: string, replicas: number): JsonObject => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'c', image: 'x', resources: { requests: { cpu: '1' } } }] },
    },
  },
});

const node = (name: string): JsonObject => {
  const room = { cpu: '4', memory: '8Gi', pods: '10' };
  const conditions = [{ type: 'Ready', status: 'True' }];
  return { metadata: { name }, status: { capacity: room, allocatable: room, conditions } };
};

async function tokenOf({ send }: World, account: string): Promise<string> {
  await send(`POST ${accounts}`, { metadata: { name: account } });
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { body } = await send(`POST ${accounts}/${account}/token`, request);
  return textAt(body, 'status', 'token');
}

describe('a cluster on a virtual clock', () => {
  test('makes pods of a deployment, says why they wait, and binds them when a node comes', async () => {
    const { send, clock } = await start();
    await send(`POST ${deployments}`, deployment('web', 2));
    const waiting = objectsAt((await send(`GET ${pods}`)).body, 'items').map((pod) => [
      textAt(pod, 'status', 'phase'),
      ...objectsAt(pod, 'status', 'conditions').map((condition) => [
        condition['reason'],
        condition['message'],
      ]),
    ]);
    await send('POST /api/v1/nodes', node('n1'));
    await clock.advance(10_000);
    const bound = objectsAt((await send(`GET ${pods}`)).body, 'items');
    const why = ['Unschedulable', 'no nodes available to schedule pods'];
    expect([waiting, bound.map((pod) => stringAt(pod, 'spec', 'nodeName'))]).toEqual([
      [
        ['Pending', why],
        ['Pending', why],
      ],
      ['n1', 'n1'],
    ]);
  });

  test('collects custom objects of kinds that came later with their namespace', async () => {
    const { send, clock } = await start();
    const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
    const schema = { openAPIV3Schema: { type: 'object' } };
    await send('POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names,
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    await send('POST /api/v1/namespaces', { metadata: { name: 'shop' } });
    const made = await send('POST /apis/example.com/v1/namespaces/shop/things', {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 't' },
    });
    await send('DELETE /api/v1/namespaces/shop');
    await clock.advance(60_000);
    const left = await send('GET /apis/example.com/v1/things');
    const gone = await send('GET /api/v1/namespaces/shop');
    expect([made.code, objectsAt(left.body, 'items'), gone.code]).toEqual([201, [], 404]);
  });

  test('runs without its loops: what is written stays as it is', async () => {
    const { send, clock } = await start({ controllers: false, scheduler: false });
    await send(`POST ${deployments}`, deployment('web', 2));
    await clock.advance(60_000);
    expect(objectsAt((await send(`GET ${pods}`)).body, 'items')).toEqual([]);
  });

  test('signs an approved request for a certificate', async () => {
    const { send } = await start();
    const { requestPem } = await createCertificateRequest({ subject: { commonName: 'jane' } });
    const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    await send(`POST ${requests}`, {
      metadata: { name: 'jane' },
      spec: {
        request: Buffer.from(requestPem).toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['client auth'],
      },
    });
    const { body } = await send(`PATCH ${requests}/jane/approval`, {
      status: { conditions: [{ type: 'Approved', status: 'True', reason: 'Test' }] },
    });
    const signed = await send(`GET ${requests}/jane`);
    const certificate = Buffer.from(textAt(signed.body, 'status', 'certificate'), 'base64');
    expect([stringAt(body, 'spec', 'username'), new X509Certificate(certificate).subject]).toEqual([
      'kubernetes-admin',
      'CN=jane',
    ]);
  });

  test('asks admission before a pod is evicted: a kubelet evicts its own only', async () => {
    const { send, cluster, clock } = await start();
    for (const name of ['n1', 'n2']) await send('POST /api/v1/nodes', node(name));
    await send(`POST ${pods}`, {
      metadata: { name: 'p' },
      spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'x' }] },
    });
    await clock.advance(0);
    const evictAs = (host: string): void => {
      cluster.api.create({
        context: { user: { username: `system:node:${host}`, groups: ['system:nodes'] } },
        resource: { group: '', version: 'v1', resource: 'pods' },
        namespace: 'default',
        name: 'p',
        subresource: 'eviction',
        object: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } },
      });
    };
    expect(() => evictAs('n2')).toThrow(
      'pods "p" is forbidden: node n2 can only evict pods with spec.nodeName set to itself',
    );
    evictAs('n1');
    const left = await send(`GET ${pods}/p`);
    expect(stringAt(left.body, 'metadata', 'deletionTimestamp')).toBeDefined();
  });

  test('can be stopped twice', async () => {
    const { cluster } = await start();
    await cluster.stop();
    await cluster.stop();
    expect(cluster.url).toBe('https://kubernetes.default.svc');
  });
});

describe('access without a socket', () => {
  test.each([
    ['no credential', '', 401],
    ['a wrong token', 'wrong', 401],
  ])('%s is refused', async (_, token, code) => {
    const { send } = await start();
    const answer = await send('GET /api/v1/nodes', undefined, token);
    expect([answer.code, answer.body['message']]).toEqual([code, 'Unauthorized']);
  });

  test('a service account may do what its role says, and is told what it may not', async () => {
    const world = await start();
    const { send } = world;
    const token = await tokenOf(world, 'bot');
    const refused = await send(`GET ${pods}`, undefined, token);
    await send(`POST ${roles}/roles`, {
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }],
    });
    // The account's namespace is that of the binding.
    await send(`POST ${roles}/rolebindings`, {
      metadata: { name: 'reader' },
      roleRef: { kind: 'Role', name: 'reader' },
      subjects: [{ kind: 'ServiceAccount', name: 'bot' }],
    });
    const allowed = await send(`GET ${pods}`, undefined, token);
    expect([refused.code, refused.body['message'], allowed.code]).toEqual([
      403,
      'pods is forbidden: User "system:serviceaccount:default:bot" cannot list resource "pods" in API group "" in the namespace "default"',
      200,
    ]);
  });

  test('the right to one name is enough to list and watch that one by a field selector', async () => {
    const world = await start();
    const { send } = world;
    const token = await tokenOf(world, 'bot');
    await send(`POST ${roles}/roles`, {
      metadata: { name: 'one' },
      rules: [
        {
          apiGroups: [''],
          resources: ['configmaps'],
          resourceNames: ['mine'],
          verbs: ['list', 'watch', 'deletecollection'],
        },
      ],
    });
    await send(`POST ${roles}/rolebindings`, {
      metadata: { name: 'one' },
      roleRef: { kind: 'Role', name: 'one' },
      subjects: [{ kind: 'ServiceAccount', name: 'bot', namespace: 'default' }],
    });
    const codeOf = async (line: string): Promise<number> =>
      (await send(line, undefined, token)).code;
    expect([
      await codeOf(`GET ${configMaps}?fieldSelector=metadata.name%3Dmine`),
      await codeOf(`GET ${configMaps}?fieldSelector=metadata.name%3Dother`),
      await codeOf(`GET ${configMaps}`),
      await codeOf(`DELETE ${configMaps}?fieldSelector=metadata.name%3Dmine`),
    ]).toEqual([200, 403, 403, 403]);
  });

  test('the documents of the issuer are there for those who may read them', async () => {
    const world = await start({ issuer: 'https://issuer.example.com' });
    const { send } = world;
    const path = '/.well-known/openid-configuration';
    const token = await tokenOf(world, 'bot');
    const found = await send(`GET ${path}`, undefined, token);
    const keys = await send('GET /openid/v1/jwks', undefined, token);
    expect([
      found.body['issuer'],
      found.body['jwks_uri'],
      objectsAt(keys.body, 'keys').length,
      (await send(`GET ${path}`, undefined, '')).code,
      (await send(`POST ${path}`)).code,
    ]).toEqual([
      'https://issuer.example.com',
      'https://kubernetes.default.svc/openid/v1/jwks',
      1,
      401,
      405,
    ]);
  });
});

describe('roles and bindings are refused', () => {
  const role = { kind: 'Role', name: 'r' };
  const binding = (more: JsonObject): JsonObject => ({ metadata: { name: 'b' }, ...more });
  test.each([
    [
      'roles',
      {
        metadata: { name: 'r' },
        rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], nonResourceURLs: ['/x'] }],
      },
      'Role.rbac.authorization.k8s.io "r" is invalid: [rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs, rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs]',
    ],
    [
      'rolebindings',
      binding({}),
      'RoleBinding.rbac.authorization.k8s.io "b" is invalid: [roleRef.kind: Unsupported value: "": supported values: "Role", "ClusterRole", roleRef.name: Required value]',
    ],
    [
      'rolebindings',
      binding({ roleRef: role, subjects: [{ kind: 'ServiceAccount', name: 'A', apiGroup: 'x' }] }),
      'RoleBinding.rbac.authorization.k8s.io "b" is invalid: [subjects[0].name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, \'-\' or \'.\', and must start and end with an alphanumeric character (e.g. \'example.com\', regex used for validation is \'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\'), subjects[0].apiGroup: Unsupported value: "x": supported values: ""]',
    ],
    [
      'rolebindings',
      binding({ roleRef: role, subjects: [{ kind: 'User', name: 'u', apiGroup: 'x' }] }),
      'RoleBinding.rbac.authorization.k8s.io "b" is invalid: subjects[0].apiGroup: Unsupported value: "x": supported values: "rbac.authorization.k8s.io"',
    ],
  ])('%s %j', async (plural, object, message) => {
    const { send } = await start({ controllers: false, scheduler: false });
    const answer = await send(`POST ${roles}/${plural}`, object);
    expect([answer.code, answer.body['message']]).toEqual([422, message]);
  });

  test('when a binding would point elsewhere', async () => {
    const { send } = await start({ controllers: false, scheduler: false });
    await send(`POST ${roles}/rolebindings`, binding({ roleRef: role }));
    const answer = await send(`PATCH ${roles}/rolebindings/b`, { roleRef: { name: 'other' } });
    expect(answer.body['message']).toBe(
      'RoleBinding.rbac.authorization.k8s.io "b" is invalid: roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"other"}: cannot change roleRef',
    );
  });
});

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'kube-cluster-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

test('objects are still there after a restart on the same directory', async () => {
  const directory = await temporaryDirectory();
  const first = await start({ directory });
  await first.send(`POST ${configMaps}`, { metadata: { name: 'kept' }, data: { a: '1' } });
  const before = await first.send(`GET ${configMaps}/kept`);
  await first.cluster.stop();
  const second = await start({ directory });
  expect(await second.send(`GET ${configMaps}/kept`)).toEqual(before);
});

describe('a restart on the same directory', () => {
  test('lets in the tokens, certificates and kubeconfigs of before', async () => {
    const directory = await temporaryDirectory();
    const first = await start({ directory });
    const token = await tokenOf(first, 'bot');
    const { administratorToken, administratorKubeconfig, authorityPem } = first.cluster;
    const jane = await first.cluster.kubeconfigFor({ username: 'jane' });
    await first.cluster.stop();
    const second = await start({ directory });
    const allowed = await second.send('GET /api/v1/nodes', undefined, administratorToken);
    const known = await second.send('GET /api/v1/nodes', undefined, token);
    const [, certificate = ''] = /client-certificate-data: (\S+)/.exec(jane) ?? [];
    const signed = new X509Certificate(Buffer.from(certificate, 'base64'));
    const authority = new X509Certificate(second.cluster.authorityPem);
    expect([allowed.code, known.code, signed.verify(authority.publicKey)]).toEqual([
      200,
      403,
      true,
    ]);
    expect([second.cluster.administratorKubeconfig, second.cluster.authorityPem]).toEqual([
      administratorKubeconfig,
      authorityPem,
    ]);
  });

  test('signs with the same authority as before', async () => {
    const directory = await temporaryDirectory();
    const first = await start({ directory });
    await first.cluster.stop();
    const second = await start({ directory });
    const after = await second.cluster.kubeconfigFor({ username: 'jane' });
    const [, certificate = ''] = /client-certificate-data: (\S+)/.exec(after) ?? [];
    const signed = new X509Certificate(Buffer.from(certificate, 'base64'));
    expect(signed.checkIssued(new X509Certificate(first.cluster.authorityPem))).toBe(true);
  });

  test('prefers credentials that are handed in to those that were kept', async () => {
    const directory = await temporaryDirectory();
    const first = await start({ directory });
    await first.cluster.stop();
    const second = await start({ directory, administratorToken: 'mine' });
    expect([
      (await second.send('GET /api/v1/nodes', undefined, 'mine')).code,
      (await second.send('GET /api/v1/nodes', undefined, first.cluster.administratorToken)).code,
      second.cluster.authorityPem,
    ]).toEqual([200, 401, first.cluster.authorityPem]);
  });

  test('keeps all files from the eyes of others', async () => {
    const directory = await temporaryDirectory();
    const { cluster } = await start({ directory });
    await cluster.stop();
    const files = await readdir(directory);
    const modes = await Promise.all(
      files.map(async (name) => (await stat(join(directory, name))).mode & 0o777),
    );
    expect(Object.fromEntries(files.toSorted().map((name, i) => [name, modes[i]]))).toEqual({
      'cluster.identity': 0o600,
      'store.journal': 0o600,
    });
  });

  test.each([
    ['half of it', (text: string) => text.slice(0, text.length / 2)],
    ['nothing', () => ''],
    ['all but the token', (text: string) => text.replace(/"administratorToken":"[^"]*"/, '"x":""')],
    ['a certificate with the key of another', (text: string, other: string) => mixed(text, other)],
  ])('refuses to start on a damaged identity: %s is left', async (_, damage) => {
    const directory = await temporaryDirectory();
    const elsewhere = await temporaryDirectory();
    for (const place of [directory, elsewhere])
      await (await start({ directory: place })).cluster.stop();
    const path = join(directory, 'cluster.identity');
    const other = await readFile(join(elsewhere, 'cluster.identity'), 'utf8');
    await writeFile(path, damage(await readFile(path, 'utf8'), other));
    await expect(start({ directory })).rejects.toMatchObject({
      code: 'IdentityCorrupt',
      fields: { file: 'cluster.identity' },
    });
  });
});

/** One identity with the private key of the other's authority. */
function mixed(text: string, other: string): string {
  type Identity = { authority: { privateKeyPem: string } };
  const [own, theirs] = [text, other].map((one) => JSON.parse(one) as Identity);
  own!.authority.privateKeyPem = theirs!.authority.privateKeyPem;
  return JSON.stringify(own);
}
