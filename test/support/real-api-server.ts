// A real kube-apiserver on loopback for suites that must hold against the real thing. In: a directory with
// etcd and kube-apiserver. Out: an address, its CA and an administrator's token. Everything it writes is in one
// temporary directory, and after `stop` neither process nor directory is left.
import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep, systemClock } from '../../src/base/clock.ts';

export interface RealApiServer {
  readonly url: string;
  readonly token: string;
  /** Path of a kubeconfig with the token and the server's CA. */
  readonly kubeconfig: string;
  /** Of etcd and the server. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

const token = 'conformance-administrator';

/** `flags` go to the API server, after its own. */
export async function startRealApiServer(
  bin: string,
  flags: readonly string[] = [],
): Promise<RealApiServer> {
  const directory = await mkdtemp(join(tmpdir(), 'apiserver-'));
  const [client, peer, secure] = await freePorts(3);
  const children: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    // etcd last: the API server wants it until its own end.
    for (const child of children.toReversed()) await terminate(child);
    await rm(directory, { recursive: true, force: true });
  };
  const start = async (name: string, args: readonly string[]): Promise<void> => {
    const log = await open(join(directory, `${name}.log`), 'w');
    const child = spawn(join(bin, name), args, { stdio: ['ignore', log.fd, log.fd] });
    children.push(child);
    await log.close();
  };
  try {
    await writeSecrets(directory);
    await start('etcd', etcdArguments({ directory, client: client ?? 0, peer: peer ?? 0 }));
    const own = apiServerArguments(directory, client ?? 0, secure ?? 0);
    await start('kube-apiserver', [...own, ...flags]);
    const url = `https://127.0.0.1:${secure}`;
    await untilReady(url, join(directory, 'kube-apiserver.log'), children);
    const ca = await readFile(join(directory, 'pki', 'apiserver.crt'), 'utf8');
    const kubeconfig = join(directory, 'kubeconfig');
    await writeFile(kubeconfig, kubeconfigText(url, ca));
    const pids = children.flatMap(({ pid }) => pid ?? []);
    return { url, token, kubeconfig, pids, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  return await Promise.all(
    servers.map(async (server) => {
      const address = server.address();
      await new Promise((resolve) => server.close(resolve));
      return typeof address === 'object' && address !== null ? address.port : 0;
    }),
  );
}

async function writeSecrets(directory: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' });
  await writeFile(join(directory, 'service-account.key'), pem);
  await writeFile(join(directory, 'tokens.csv'), `${token},administrator,1,"system:masters"\n`);
  await writeFile(join(directory, 'authentication.yaml'), authenticationText);
}

/** Nobody is served without a credential but those who look whether the server lives, as on a managed cluster. */
const authenticationText = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
anonymous:
  enabled: true
  conditions: [{path: /healthz}, {path: /livez}, {path: /readyz}, {path: /version}]
`;

function etcdArguments(at: { directory: string; client: number; peer: number }): string[] {
  const clientUrl = `http://127.0.0.1:${at.client}`;
  const peerUrl = `http://127.0.0.1:${at.peer}`;
  return [
    `--data-dir=${join(at.directory, 'etcd')}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
    `--listen-client-urls=${clientUrl}`,
    `--advertise-client-urls=${clientUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
  ];
}

function apiServerArguments(directory: string, etcd: number, secure: number): string[] {
  const key = join(directory, 'service-account.key');
  return [
    `--etcd-servers=http://127.0.0.1:${etcd}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${secure}`,
    '--endpoint-reconciler-type=none',
    `--cert-dir=${join(directory, 'pki')}`,
    `--token-auth-file=${join(directory, 'tokens.csv')}`,
    `--authentication-config=${join(directory, 'authentication.yaml')}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/16',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-signing-key-file=${key}`,
    `--service-account-key-file=${key}`,
  ];
}

async function untilReady(url: string, log: string, children: ChildProcess[]): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (children.some((child) => child.exitCode !== null)) break;
    if ((await statusOf(`${url}/readyz`)) === 200) return;
    await sleep(systemClock, 100);
  }
  const tail = (await readFile(log, 'utf8')).split('\n').slice(-20).join('\n');
  throw new Error(`the API server did not become ready:\n${tail}`);
}

function statusOf(url: string): Promise<number> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    const sent = request(url, { rejectUnauthorized: false, headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    sent.on('error', () => resolve(0));
    sent.end();
  });
}

function terminate(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    const hard = systemClock.setTimer(15_000, () => child.kill('SIGKILL'));
    child.once('exit', () => {
      hard.cancel();
      resolve();
    });
    child.kill('SIGTERM');
  });
}

function kubeconfigText(url: string, ca: string): string {
  const data = Buffer.from(ca).toString('base64');
  return `apiVersion: v1
kind: Config
current-context: real
contexts: [{name: real, context: {cluster: real, user: administrator}}]
clusters: [{name: real, cluster: {server: "${url}", certificate-authority-data: ${data}}}]
users: [{name: administrator, user: {token: ${token}}}]
`;
}
