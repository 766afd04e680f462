// The stories told to the emulated cluster: over HTTPS, with its controllers and its scheduler. Skipped where there is no
// kubectl; those of helm where there is no helm, on the PATH or in KUBE_BIN.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { silentLogger } from '../../../../src/base/log.ts';
import { systemRandom } from '../../../../src/base/random.ts';
import {
  startKubeCluster,
  type KubeCluster,
  type KubeClusterOptions,
} from '../../../../src/emulator/kube/cluster.ts';
import { hasHelm, hasKubectl } from './programs.ts';
import { describeStories } from './suites.ts';
import { Terminal } from './terminal.ts';
import { play, printedBy } from './transcript.ts';

const missing = hasKubectl ? 'no helm on the PATH or in KUBE_BIN' : 'no kubectl on the PATH';
if (!hasKubectl || !hasHelm) process.stderr.write(`${missing}: its stories are skipped\n`);

async function start(options: Partial<KubeClusterOptions> = {}): Promise<KubeCluster> {
  const parts = { clock: systemClock, random: systemRandom(), log: silentLogger };
  return await startKubeCluster({ ...parts, ...options });
}

describe.skipIf(!hasKubectl).concurrent('the emulated cluster,', () => {
  let cluster: KubeCluster;
  let terminal: Terminal;

  beforeAll(async () => {
    cluster = await start();
    terminal = await Terminal.open('emulated', cluster.administratorKubeconfig);
  });

  afterAll(async () => {
    await terminal.close();
    await cluster.stop();
  });

  describeStories(() => terminal, 60_000);
});

describe.skipIf(!hasKubectl)('an emulated cluster without nodes', () => {
  let cluster: KubeCluster;
  let terminal: Terminal;

  beforeAll(async () => {
    async function* read(pod: { metadata: { name: string } }): AsyncIterable<string> {
      yield `${pod.metadata.name} starts\n`;
      yield 'and is ready\n';
    }
    cluster = await start({ podLogs: { read } });
    terminal = await Terminal.open('emulated', cluster.administratorKubeconfig, []);
  });

  afterAll(async () => {
    await terminal.close();
    await cluster.stop();
  });

  test('has its namespaces from the start, and gives a pod the first node that comes', async () => {
    const story = await terminal.story();
    await play(
      story,
      `
      $ kubectl get namespaces -o name
      namespace/default
      namespace/kube-node-lease
      namespace/kube-public
      namespace/kube-system
      namespace/NAMESPACE
      $ kubectl run web --image=example.com/web:1
      pod/web created
      $ kubectl wait pod/web --for=condition=PodScheduled=false --timeout=10s
      pod/web condition met
      $ kubectl get pod web -o jsonpath={.status.conditions[*].message}
      no nodes available to schedule pods
      `,
    );
    await terminal.kubelets.add('first');
    await expect(
      play(
        story,
        `
        $ kubectl wait pod/web --for=condition=Ready --timeout=20s
        pod/web condition met
        $ kubectl get pod web -o jsonpath={.spec.nodeName}
        first
        $ kubectl logs web
        web starts
        and is ready
        `,
      ),
    ).resolves.toBeUndefined();
  });

  test('lets in the holder of a client certificate', async () => {
    const story = await terminal.story();
    const groups = ['system:masters'];
    await story.file('jane', await cluster.kubeconfigFor({ username: 'jane', groups }));
    const asked = await story.kubectl('auth whoami', { env: { KUBECONFIG: 'jane' } });
    expect(printedBy(asked, story).slice(0, 3)).toEqual([
      'ATTRIBUTE VALUE',
      'Username jane',
      'Groups [system:masters system:authenticated]',
    ]);
  });
});
