// The cluster as people meet it: through kubectl, over HTTPS. Skipped where no kubectl is on the PATH.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/log.ts';
import { systemRandom } from '../../base/random.ts';
import { startKubeCluster, type KubeCluster } from './cluster.ts';

const program = 'kubectl';
const hasProgram = spawnSync(program, ['version', '--client'], { stdio: 'ignore' }).status === 0;

const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1' },
  status: {
    capacity: { cpu: '4', memory: '8Gi', pods: '10' },
    allocatable: { cpu: '4', memory: '8Gi', pods: '10' },
    conditions: [{ type: 'Ready', status: 'True' }],
  },
};

describe.skipIf(!hasProgram)('kubectl, if it is on the PATH,', () => {
  let cluster: KubeCluster;
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kube-cluster-'));
    cluster = await startKubeCluster({
      clock: systemClock,
      random: systemRandom(),
      log: silentLogger,
    });
    await writeFile(join(directory, 'administrator'), cluster.administratorKubeconfig);
  });

  afterAll(async () => {
    await cluster.stop();
    await rm(directory, { recursive: true });
  });

  /** Output and complaints together, in that order. */
  async function kubectl(
    line: string,
    more: { as?: string; input?: string } = {},
  ): Promise<string> {
    const flags = [
      `--kubeconfig=${join(directory, more.as ?? 'administrator')}`,
      `--cache-dir=${join(directory, 'cache')}`,
    ];
    const child = spawn(program, [...flags, ...line.split(' ')]);
    child.stdin.end(more.input ?? '');
    const texts = { out: '', err: '' };
    child.stdout.on('data', (part: Buffer) => (texts.out += part.toString()));
    child.stderr.on('data', (part: Buffer) => (texts.err += part.toString()));
    await new Promise((resolve) => child.once('close', resolve));
    return (texts.out + texts.err).trim();
  }

  test('knows the server and its namespaces', async () => {
    expect(await kubectl('version')).toContain('Server Version: v1.35.4');
    expect((await kubectl('get namespaces -o name')).split('\n')).toEqual([
      'namespace/default',
      'namespace/kube-node-lease',
      'namespace/kube-public',
      'namespace/kube-system',
    ]);
  });

  test('sees pods of a deployment wait for a node, and get it', async () => {
    await kubectl('create deployment web --image=example.com/web --replicas=2');
    await kubectl('wait --timeout=10s --for=jsonpath={.status.replicas}=2 deployment/web');
    await kubectl('wait --timeout=10s --for=condition=PodScheduled=false pods -l app=web');
    const told = await kubectl(
      'get pods -l app=web -o jsonpath={.items[*].status.conditions[*].message}',
    );
    const reply = await kubectl('create -f -', { input: JSON.stringify(node) });
    await kubectl('wait --timeout=10s --for=condition=PodScheduled pods -l app=web');
    const placed = await kubectl('get pods -l app=web -o jsonpath={.items[*].spec.nodeName}');
    const why = 'no nodes available to schedule pods';
    expect([told, reply, placed]).toEqual([`${why} ${why}`, 'node/n1 created', 'n1 n1']);
  });

  test('is refused with a token that may not, or is none', async () => {
    await kubectl('create serviceaccount bot');
    const username = 'system:serviceaccount:default:bot';
    const token = await kubectl('create token bot');
    await writeFile(join(directory, 'bot'), await cluster.kubeconfigFor({ username, token }));
    const nobody = await cluster.kubeconfigFor({ username, token: 'wrong' });
    await writeFile(join(directory, 'nobody'), nobody);
    expect([
      await kubectl('get pods', { as: 'bot' }),
      await kubectl('auth can-i list pods', { as: 'bot' }),
      (await kubectl('get pods', { as: 'nobody' })).split('\n').at(-1),
    ]).toEqual([
      `Error from server (Forbidden): pods is forbidden: User "${username}" cannot list resource "pods" in API group "" in the namespace "default"`,
      'no',
      'error: You must be logged in to the server (Unauthorized)',
    ]);
  });

  test('gets in with a client certificate, as its holder', async () => {
    const groups = ['system:masters'];
    const holder = await cluster.kubeconfigFor({ username: 'jane', groups, namespace: 'default' });
    await writeFile(join(directory, 'jane'), holder);
    const shown = JSON.parse(await kubectl('auth whoami -o json', { as: 'jane' })) as object;
    expect(shown).toMatchObject({
      status: {
        userInfo: { username: 'jane', groups: ['system:masters', 'system:authenticated'] },
      },
    });
    expect(await kubectl('get nodes -o name', { as: 'jane' })).toMatch(/^node\/|^$/);
  });
});
