// The client's suites against the emulated cluster, over HTTPS and by way of a kubeconfig. No loops run there, as none run
// behind the real server of this suite: a controller's write between two of a test would be a conflict.
import { afterAll, expect, test } from 'vitest';
import { nodes } from '../../src/api/resource-type.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { systemRandom } from '../../src/base/random.ts';
import { startKubeCluster, type KubeCluster } from '../../src/emulator/kube/cluster.ts';
import { watch } from '../../src/kube/cache/watch.ts';
import { KubeClient } from '../../src/kube/client/client.ts';
import { loadKubeAccess } from '../../src/kube/config/config.ts';
import type { KubeTransport } from '../../src/kube/client/transport.ts';
import { UndiciTransport } from '../../src/kube/client/undici-transport.ts';
import { fakeHost } from '../support/config-host.ts';
import { customResourceConformance } from './custom-resources.ts';
import { kubeClientConformance } from './kube-client.ts';

const started = new Set<KubeCluster>();

async function start(): Promise<KubeCluster> {
  const cluster = await startKubeCluster({
    clock: systemClock,
    random: systemRandom(),
    log: silentLogger,
    controllers: false,
    scheduler: false,
  });
  started.add(cluster);
  return cluster;
}

afterAll(async () => {
  for (const cluster of started) await cluster.stop();
});

async function transportOf(kubeconfig: string): Promise<KubeTransport> {
  const host = fakeHost({ kubeconfig });
  const access = await loadKubeAccess({ host, clock: systemClock, kubeconfig: 'kubeconfig' });
  return new UndiciTransport({ access });
}

const connect = async (): Promise<KubeTransport> =>
  transportOf((await start()).administratorKubeconfig);

kubeClientConformance('the emulated cluster', connect, { binary: false });
customResourceConformance('the emulated cluster', connect);

test.each([
  [
    'a client certificate',
    {},
    'User "jane" cannot list resource "nodes" in API group "" at the cluster scope',
  ],
  ['a wrong token', { token: 'wrong' }, 'Unauthorized'],
])('%s is judged over TLS', async (_, credential, message) => {
  const cluster = await start();
  const kubeconfig = await cluster.kubeconfigFor({ username: 'jane', ...credential });
  const transport = await transportOf(kubeconfig);
  const client = new KubeClient({ transport, clock: systemClock, log: silentLogger });
  await expect(client.list(nodes, {})).rejects.toThrow(message);
  await transport.close();
});

test('a watch ends when the cluster stops', async () => {
  const cluster = await start();
  const transport = await transportOf(cluster.administratorKubeconfig);
  const client = new KubeClient({ transport, clock: systemClock, log: silentLogger });
  const opened = Promise.withResolvers<void>();
  const watching = watch({
    client,
    clock: systemClock,
    type: nodes,
    options: { resourceVersion: '0', signal: new AbortController().signal },
    silenceMs: () => 60_000,
    onOpen: opened.resolve,
    onEvent: () => undefined,
  });
  await opened.promise;
  await cluster.stop();
  expect((await watching).reason).toBe('failed');
  await transport.close();
});
