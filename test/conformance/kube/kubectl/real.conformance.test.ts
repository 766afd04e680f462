// The same stories told to a real control plane. Needs KUBE_BIN, a directory with etcd, kube-apiserver,
// kube-controller-manager and kube-scheduler; without it the stories are skipped.
import { afterAll, beforeAll, describe } from 'vitest';
import { startRealControlPlane, type RealControlPlane } from './real-control-plane.ts';
import { describeStories } from './suites.ts';
import { hasKubectl } from './programs.ts';
import { Terminal } from './terminal.ts';

const bin = process.env['KUBE_BIN'] ?? '';
const isWanted = bin !== '' && process.env['KUBE_CONFORMANCE_KUBECONFIG'] !== undefined;

describe.runIf(isWanted && hasKubectl).concurrent('a real cluster,', () => {
  let plane: RealControlPlane;
  let terminal: Terminal;

  beforeAll(async () => {
    plane = await startRealControlPlane(bin);
    terminal = await Terminal.open('real', plane.kubeconfig);
  }, 60_000);

  afterAll(async () => {
    await terminal.close();
    await plane.stop();
  }, 60_000);

  describeStories(() => terminal, 120_000);
});
