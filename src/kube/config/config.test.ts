import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { fakeHost, type FakeHost } from '../../../test/support/config-host.ts';
import { systemHost } from './host.ts';
import { loadKubeAccess, type ConfigOptions } from './config.ts';
import type { KubeAccess } from './access.ts';

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly context?: object;
  readonly rest?: object;
}

function kubeconfig({ cluster, user, context, rest }: Parts = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'dev',
    clusters: [{ name: 'c', cluster: { server: 'https://api.example.com:6443', ...cluster } }],
    users: [{ name: 'u', user: { ...user } }],
    contexts: [{ name: 'dev', context: { cluster: 'c', user: 'u', ...context } }],
    ...rest,
  });
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function load(host: FakeHost, more: Partial<ConfigOptions> = {}): Promise<KubeAccess> {
  return loadKubeAccess({ host, clock: new VirtualClock(), kubeconfig: '/k/config', ...more });
}

/** The fields of the error that a kubeconfig causes. */
async function fault(parts: Parts, files: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const host = fakeHost({ '/k/config': kubeconfig(parts), ...files });
  const error: unknown = await load(host).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'InvalidKubeconfig' });
  return (error as { fields: unknown }).fields;
}

describe('where a configuration is looked for', () => {
  const inPod: Readonly<Record<string, string>> = {
    KUBERNETES_SERVICE_HOST: '10.0.0.1',
    KUBERNETES_SERVICE_PORT: '443',
  };
  const podFiles = {
    '/var/run/secrets/kubernetes.io/serviceaccount/token': 'pod-token\n',
    '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt': 'pod-ca',
    '/var/run/secrets/kubernetes.io/serviceaccount/namespace': 'karpenter\n',
  };
  const server = (name: string): string => kubeconfig({ cluster: { server: `https://${name}` } });

  test.each([
    ['a flag', { flag: '/flag', env: { KUBECONFIG: '/env', ...inPod } }, 'flag'],
    ['KUBECONFIG', { env: { KUBECONFIG: '/env', ...inPod } }, 'env'],
    ['the pod', { env: inPod }, '10.0.0.1'],
    ['the home directory', { env: {} }, 'home'],
    ['the home directory when KUBECONFIG is empty', { env: { KUBECONFIG: '' } }, 'home'],
  ])('%s', async (_, { flag, env }: { flag?: string; env: Record<string, string> }, expected) => {
    const host = fakeHost({
      ...podFiles,
      '/flag': server('flag'),
      '/env': server('env'),
      '/home/jane/.kube/config': server('home'),
    });
    for (const [name, value] of Object.entries(env)) host.variables.set(name, value);
    expect((await load(host, { kubeconfig: flag })).server.hostname).toBe(expected);
  });

  test('a pod uses its service account and follows the token as it is replaced', async () => {
    const host = fakeHost(podFiles);
    const clock = new VirtualClock();
    for (const [name, value] of Object.entries(inPod)) host.variables.set(name, value);
    const access = await load(host, { clock, kubeconfig: undefined });
    expect([access.server.href, access.tls, access.namespace]).toEqual([
      'https://10.0.0.1/',
      { ca: 'pod-ca' },
      'karpenter',
    ]);
    const token = async (): Promise<unknown> => (await access.credentials.current()).headers;
    expect(await token()).toEqual({ authorization: 'Bearer pod-token' });
    host.files.set('/var/run/secrets/kubernetes.io/serviceaccount/token', 'rotated');
    await clock.advance(59_000);
    expect(await token()).toEqual({ authorization: 'Bearer pod-token' });
    await clock.advance(1000);
    expect(await token()).toEqual({ authorization: 'Bearer rotated' });
  });

  test('a pod in an IPv6 cluster', async () => {
    const host = fakeHost(podFiles);
    host.variables.set('KUBERNETES_SERVICE_HOST', 'fd00::1');
    host.variables.set('KUBERNETES_SERVICE_PORT', '6443');
    const access = await load(host, { kubeconfig: undefined });
    expect(access.server.href).toBe('https://[fd00::1]:6443/');
  });

  test('a pod without a mounted token is told what to do', async () => {
    const host = fakeHost();
    for (const [name, value] of Object.entries(inPod)) host.variables.set(name, value);
    await expect(load(host, { kubeconfig: undefined })).rejects.toMatchObject({
      fields: { file: expect.stringContaining('token'), fix: expect.stringContaining('automount') },
    });
  });
});

describe('several files', () => {
  test('the first to say something wins, whole entries at a time', async () => {
    const host = fakeHost({
      '/a/one': JSON.stringify({
        clusters: [{ name: 'c', cluster: { server: 'https://one' } }],
        contexts: [{ name: 'dev', context: { cluster: 'c', user: 'u' } }],
      }),
      '/b/two': kubeconfig({
        cluster: { server: 'https://two', 'tls-server-name': 'not-merged' },
        user: { token: 'from-two' },
        rest: { 'current-context': 'dev' },
      }),
    });
    host.variables.set('KUBECONFIG', '/missing:/a/one:/b/two');
    const access = await load(host, { kubeconfig: undefined });
    expect([access.server.href, access.tls.serverName]).toEqual(['https://one/', undefined]);
    expect((await access.credentials.current()).headers).toEqual({
      authorization: 'Bearer from-two',
    });
  });

  test('all missing is an error that names them', async () => {
    const host = fakeHost();
    host.variables.set('KUBECONFIG', '/x:/y');
    await expect(load(host, { kubeconfig: undefined })).rejects.toMatchObject({
      code: 'InvalidKubeconfig',
      fields: { file: '/x, /y' },
    });
  });
});

describe('a context', () => {
  test('gives server, trust, proxy and namespace', async () => {
    const host = fakeHost({
      '/k/config': kubeconfig({
        cluster: {
          server: 'https://api.example.com/k8s/c-1',
          'certificate-authority': 'ca.pem',
          'tls-server-name': 'api.internal',
          'proxy-url': 'socks5://proxy:1080',
        },
        context: { namespace: 'team-a' },
      }),
      '/k/ca.pem': 'CA',
    });
    expect(await load(host)).toMatchObject({
      server: new URL('https://api.example.com/k8s/c-1'),
      tls: { ca: 'CA', serverName: 'api.internal', insecure: false },
      proxy: 'socks5://proxy:1080',
      namespace: 'team-a',
    });
  });

  test('can be chosen by name', async () => {
    const contexts = [
      { name: 'dev', context: { cluster: 'c', user: 'u' } },
      { name: 'prod', context: { cluster: 'p', user: 'u', namespace: 'x' } },
    ];
    const clusters = [
      { name: 'c', cluster: { server: 'https://dev' } },
      { name: 'p', cluster: { server: 'https://prod' } },
    ];
    const host = fakeHost({ '/k/config': kubeconfig({ rest: { contexts, clusters } }) });
    const access = await load(host, { context: 'prod' });
    expect([access.server.hostname, access.namespace]).toEqual(['prod', 'x']);
  });

  test('takes the proxy of the environment, and none for this machine', async () => {
    const host = fakeHost({
      '/k/config': kubeconfig(),
      '/k/local': kubeconfig({ cluster: { server: 'https://127.0.0.1:6443' } }),
    });
    host.variables.set('HTTPS_PROXY', 'http://proxy:3128');
    expect((await load(host)).proxy).toBe('http://proxy:3128');
    expect((await load(host, { kubeconfig: '/k/local' })).proxy).toBeUndefined();
  });

  test('says whom to act as', async () => {
    const user = {
      token: 't',
      as: 'jane',
      'as-uid': '7',
      'as-groups': ['a', 'b'],
      'as-user-extra': { 'Scopes/x': ['view'] },
    };
    expect((await load(fakeHost({ '/k/config': kubeconfig({ user }) }))).headers).toEqual({
      'impersonate-user': 'jane',
      'impersonate-uid': '7',
      'impersonate-group': ['a', 'b'],
      'impersonate-extra-scopes%2fx': ['view'],
    });
  });
});

describe('credentials of a user', () => {
  test.each<[string, object, object]>([
    ['a token', { token: 'abc' }, { headers: { authorization: 'Bearer abc' } }],
    [
      'a name and a password',
      { username: 'jane', password: 'pässword' },
      { headers: { authorization: `Basic ${base64('jane:pässword')}` } },
    ],
    ['nothing', {}, { headers: {} }],
    [
      'a token file, before a token',
      { token: 'no', tokenFile: 'token' },
      { headers: { authorization: 'Bearer from-file' } },
    ],
    [
      'a certificate in place',
      { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') },
      { headers: {}, certificate: { cert: 'CERT', key: 'KEY' } },
    ],
    [
      'a certificate in files beside the kubeconfig',
      { 'client-certificate': 'client.crt', 'client-key': '/abs/client.key' },
      { headers: {}, certificate: { cert: 'FILE CERT', key: 'FILE KEY' } },
    ],
    [
      'a certificate half in place',
      { 'client-certificate': 'client.crt', 'client-key-data': base64('KEY') },
      { headers: {}, certificate: { cert: 'FILE CERT', key: 'KEY' } },
    ],
  ])('%s', async (_, user, expected) => {
    const host = fakeHost({
      '/k/config': kubeconfig({ user }),
      '/k/token': 'from-file\n',
      '/k/client.crt': 'FILE CERT',
      '/abs/client.key': 'FILE KEY',
    });
    expect(await (await load(host)).credentials.current()).toEqual(expected);
  });

  test('a replaced certificate file is used without a restart', async () => {
    const user = { 'client-certificate': 'c', 'client-key': 'k' };
    const host = fakeHost({ '/k/config': kubeconfig({ user }), '/k/c': 'C1', '/k/k': 'K1' });
    const clock = new VirtualClock();
    const { credentials } = await load(host, { clock });
    await credentials.current();
    host.files.set('/k/c', 'C2');
    host.files.set('/k/k', 'K2');
    await clock.advance(60_000);
    expect((await credentials.current()).certificate).toEqual({ cert: 'C2', key: 'K2' });
  });

  test('a program is told about the server when it asks, and found beside the kubeconfig', async () => {
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: './login',
      args: ['get-token'],
      env: [{ name: 'TENANT', value: 't1' }],
      provideClusterInfo: true,
    };
    const extension = { name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } };
    const host = fakeHost({
      '/k/config': kubeconfig({
        cluster: { 'certificate-authority-data': base64('CA'), extensions: [extension] },
        user: { exec },
      }),
    });
    host.program = () => ({
      found: true,
      exitCode: 0,
      stdout: JSON.stringify({ apiVersion: exec.apiVersion, status: { token: 'from-program' } }),
    });
    const { credentials } = await load(host);
    expect((await credentials.current()).headers).toEqual({ authorization: 'Bearer from-program' });
    const [{ command, args, env } = { command: '', args: [], env: {} as Record<string, string> }] =
      host.commands;
    expect([command, args, env['TENANT']]).toEqual(['/k/login', ['get-token'], 't1']);
    expect(JSON.parse(env['KUBERNETES_EXEC_INFO'] ?? '')).toEqual({
      apiVersion: exec.apiVersion,
      kind: 'ExecCredential',
      spec: {
        interactive: false,
        cluster: {
          server: 'https://api.example.com:6443',
          'certificate-authority-data': base64('CA'),
          config: { audience: 'x' },
        },
      },
    });
  });
});

describe('a configuration that cannot be used says where and how to mend it', () => {
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'x' };
  test.each<[string, Parts, object]>([
    [
      'no context',
      { rest: { 'current-context': '' } },
      { field: 'current-context', fix: expect.stringContaining('dev') },
    ],
    [
      'unknown context',
      { rest: { 'current-context': 'prod' } },
      { value: 'prod', rule: expect.stringContaining('dev') },
    ],
    [
      'unknown cluster',
      { context: { cluster: 'x' } },
      { field: expect.stringContaining('context.cluster'), value: 'x' },
    ],
    ['unknown user', { context: { user: 'x' } }, { value: 'x', rule: 'must be one of: u' }],
    [
      'no server',
      { cluster: { server: '' } },
      { field: expect.stringContaining('cluster.server') },
    ],
    [
      'server without scheme',
      { cluster: { server: 'api:6443' } },
      { value: 'api:6443', rule: expect.stringContaining('https://') },
    ],
    [
      'bad base64',
      { cluster: { 'certificate-authority-data': '***' } },
      { rule: 'must be base64' },
    ],
    ['missing CA file', { cluster: { 'certificate-authority': 'ca.pem' } }, { value: '/k/ca.pem' }],
    [
      'CA and no verification at once',
      { cluster: { 'insecure-skip-tls-verify': true, 'certificate-authority-data': base64('CA') } },
      { field: expect.stringContaining('insecure-skip-tls-verify') },
    ],
    [
      'text where a flag belongs',
      { cluster: { 'insecure-skip-tls-verify': 'yes' } },
      { value: 'yes', rule: 'must be true or false' },
    ],
    ['odd proxy', { cluster: { 'proxy-url': 'ftp://p' } }, { value: 'ftp://p' }],
    [
      'certificate without key',
      { user: { 'client-certificate-data': base64('C') } },
      { field: expect.stringContaining('client-key') },
    ],
    ['token and password', { user: { token: 't', username: 'u' } }, { fix: 'remove one of them' }],
    [
      'groups without a user',
      { user: { 'as-groups': ['a'] } },
      { field: expect.stringContaining('as-groups') },
    ],
    [
      'auth provider',
      { user: { 'auth-provider': { name: 'azure' } } },
      { fix: expect.stringContaining('kubelogin') },
    ],
    [
      'program without command',
      { user: { exec: { ...exec, command: '' } } },
      { field: expect.stringContaining('exec.command') },
    ],
    [
      'program of an old version',
      { user: { exec: { ...exec, apiVersion: 'client.authentication.k8s.io/v1alpha1' } } },
      { value: 'client.authentication.k8s.io/v1alpha1' },
    ],
    [
      'program of an odd mode',
      { user: { exec: { ...exec, interactiveMode: 'Maybe' } } },
      { value: 'Maybe' },
    ],
    ['entry without name', { rest: { users: [{ user: {} }] } }, { rule: 'must be given' }],
    ['list that is none', { rest: { clusters: {} } }, { rule: 'must be a list' }],
    [
      'user that is a text',
      { rest: { users: [{ name: 'u', user: 'jane' }] } },
      { rule: 'must be a mapping' },
    ],
  ])('%s', async (_, parts, expected) => {
    expect(await fault(parts)).toMatchObject({ file: '/k/config', ...expected });
  });

  test('YAML that does not parse', async () => {
    const host = fakeHost({ '/k/config': 'clusters: [' });
    await expect(load(host)).rejects.toMatchObject({
      fields: { file: '/k/config', rule: 'must be YAML or JSON' },
    });
  });

  test('never shows a secret', async () => {
    const fields = await fault({ user: { token: 's3cret', username: 'u', password: 'hidden' } });
    expect(JSON.stringify(fields)).not.toMatch(/s3cret|hidden/);
  });
});

test('on this machine: a real file and a real program', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  try {
    const answer = { apiVersion: 'client.authentication.k8s.io/v1', status: { token: 'real' } };
    await writeFile(join(folder, 'answer.json'), JSON.stringify(answer));
    const script = 'process.stdout.write(require("fs").readFileSync(process.env.ANSWER))';
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: ['-e', script],
      env: [{ name: 'ANSWER', value: join(folder, 'answer.json') }],
      interactiveMode: 'Never',
    };
    const file = join(folder, 'config');
    await writeFile(file, kubeconfig({ user: { exec } }));
    const options = { host: systemHost, clock: new VirtualClock(), kubeconfig: file };
    const { credentials } = await loadKubeAccess(options);
    expect((await credentials.current()).headers).toEqual({ authorization: 'Bearer real' });
    const run = { args: [], env: {}, interactive: false };
    expect(await systemHost.run({ ...run, command: join(folder, 'absent') })).toEqual({
      found: false,
    });
    expect(
      await systemHost.run({ ...run, command: process.execPath, args: ['-e', 'process.exit(3)'] }),
    ).toEqual({
      found: true,
      exitCode: 3,
      stdout: '',
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
