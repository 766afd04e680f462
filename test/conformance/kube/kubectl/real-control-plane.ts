// A real control plane without kubelets: etcd, API server, controller manager, scheduler. In: a directory with their
// programs. Out: a kubeconfig for it. After `stop` no process of it is left.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { startRealApiServer } from '../../../support/real-api-server.ts';

export interface RealControlPlane {
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

export async function startRealControlPlane(bin: string): Promise<RealControlPlane> {
  const server = await startRealApiServer(bin);
  const common = [`--kubeconfig=${server.kubeconfig}`, '--leader-elect=false', '--secure-port=0'];
  const rates = ['--kube-api-qps=300', '--kube-api-burst=600'];
  const children = await Promise.all([
    start(join(bin, 'kube-controller-manager'), [
      ...common,
      ...rates,
      `--flex-volume-plugin-dir=${devNull}`,
    ]),
    start(join(bin, 'kube-scheduler'), [...common, ...rates]),
  ]);
  const kubeconfig = await readFile(server.kubeconfig, 'utf8');
  const stop = async (): Promise<void> => {
    await Promise.all(children.map((child) => end(child)));
    await server.stop();
  };
  return { kubeconfig, stop };
}

async function start(program: string, args: readonly string[]): Promise<ChildProcess> {
  const log = await open(devNull, 'w');
  const child = spawn(program, args, { stdio: ['ignore', log.fd, log.fd] });
  await log.close();
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
