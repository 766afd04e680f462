// A real control plane, to compare with. In: nothing. Out: etcd, API server, scheduler and controller manager on
// loopback, ready, with the ids of their processes. Where the programs come from, in this order:
// 1. KUBE_BIN: their directory.
// 2. The cache: the newest version in <cache>/karpenter-control-plane, with XDG_CACHE_HOME or ~/.cache as <cache>.
// Without either there is nothing to compare with, and the answer is undefined.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRealApiServer } from '../../test/support/real-api-server.ts';

export interface ControlPlane {
  readonly url: string;
  readonly token: string;
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

/** Far above what the load asks for: the clients of the real components wait for nobody but the server. */
const unhurried = ['--kube-api-qps=5000', '--kube-api-burst=10000'];

export function findControlPlane(): string | undefined {
  const given = process.env['KUBE_BIN'] ?? '';
  if (given !== '') return given;
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const directory = join(cache, 'karpenter-control-plane');
  if (!existsSync(directory)) return undefined;
  const versions = readdirSync(directory).toSorted();
  return versions
    .map((version) => join(directory, version))
    .findLast((bin) => existsSync(join(bin, 'kube-apiserver')));
}

export async function startControlPlane(bin: string): Promise<ControlPlane> {
  // Without priorities and with room for every request, nothing is queued that would not be queued by the processor.
  const server = await startRealApiServer(bin, [
    '--enable-priority-and-fairness=false',
    '--max-requests-inflight=0',
    '--max-mutating-requests-inflight=0',
  ]);
  const directory = await mkdtemp(join(tmpdir(), 'control-plane-'));
  const shared = [
    `--kubeconfig=${server.kubeconfig}`,
    '--authentication-skip-lookup',
    '--leader-elect=false',
    '--secure-port=0',
    ...unhurried,
  ];
  const children = [
    component(bin, 'kube-scheduler', shared),
    component(bin, 'kube-controller-manager', [...shared, `--flex-volume-plugin-dir=${directory}`]),
  ];
  return {
    url: server.url,
    token: server.token,
    pids: [...server.pids, ...children.flatMap(({ pid }) => pid ?? [])],
    async stop() {
      for (const child of children) {
        if (child.exitCode !== null) continue;
        child.kill();
        await once(child, 'exit');
      }
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function component(bin: string, name: string, args: readonly string[]): ChildProcess {
  return spawn(join(bin, name), args, { stdio: 'ignore' });
}
