// What the emulated cluster costs. In: fresh processes. Out: first a cluster inside a process, called without sockets, as
// tests and simulations use it; then the same load over HTTPS against it and against a real control plane, in one run,
// where there is one (emulator-kube/real-control-plane.ts says how it is found).
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import {
  findControlPlane,
  startControlPlane,
  type ControlPlane,
} from './emulator-kube/real-control-plane.ts';

type Inside = 'importMs' | 'readyMs' | 'podsMs' | 'podsCpuMs' | 'podsMb' | 'watchMs' | 'delivered';
type OverHttps =
  | 'readyMs'
  | 'createdMs'
  | 'podsMs'
  | 'podsCpuMs'
  | 'podsMb'
  | 'totalMb'
  | 'watchMs'
  | 'watchCpuMs';
type Figures<Name extends string> = Readonly<Record<Name, number>>;
type Print = (line: string) => void;

const rounds = 3;
const run = promisify(execFile);

const rows: readonly (readonly [string, OverHttps, (value: number) => string])[] = [
  ['start to ready', 'readyMs', milliseconds],
  ['10,000 pods created', 'createdMs', seconds],
  ['10,000 pods running', 'podsMs', seconds],
  ['processor time for that', 'podsCpuMs', seconds],
  ['memory grew by', 'podsMb', megabytes],
  ['memory in all', 'totalMb', megabytes],
  ['1,000 changes to 50 watchers', 'watchMs', milliseconds],
  ['processor time for that', 'watchCpuMs', milliseconds],
];

export const bench = {
  name: 'emulator-kube',
  description: 'a cluster: start, 10,000 pods onto 500 nodes, 50 watchers',
  async run(print: Print): Promise<void> {
    await inside(print);
    const ours = await underLoad(startEmulated);
    const bin = findControlPlane();
    const theirs = bin === undefined ? undefined : await underLoad(() => startControlPlane(bin));
    compare(print, ours, theirs);
  },
};

async function inside(print: Print): Promise<void> {
  const all: Figures<Inside>[] = [];
  for (let round = 0; round < rounds; round++) {
    const { stdout } = await run(process.execPath, ['--expose-gc', pathOf('contender.ts')]);
    all.push(JSON.parse(stdout) as Figures<Inside>);
  }
  const best = (figure: Inside): number => Math.min(...all.map((one) => one[figure]));
  print('in one process, without sockets');
  print(
    `  start to ready            ${milliseconds(best('readyMs'))} (${milliseconds(best('importMs'))} to load)`,
  );
  print(
    `  10,000 pods until running ${seconds(best('podsMs'))} (${seconds(best('podsCpuMs'))} of process time)`,
  );
  print(`  memory for those pods     ${megabytes(best('podsMb'))} of heap`);
  print(
    `  50 watchers, 1,000 changes ${milliseconds(best('watchMs'))} for ${best('delivered')} events`,
  );
}

async function underLoad(start: () => Promise<ControlPlane>): Promise<Figures<OverHttps>> {
  const startedMs = performance.now();
  const server = await start();
  try {
    await untilReady(server);
    const readyMs = performance.now() - startedMs;
    const args = [pathOf('load.ts'), server.url, server.token, server.pids.join(',')];
    const { stdout } = await run(process.execPath, args);
    return { ...(JSON.parse(stdout) as Figures<OverHttps>), readyMs };
  } finally {
    await server.stop();
  }
}

/** The server answers, and its controllers are at work: they have made the first service account. */
async function untilReady({ url, token }: ControlPlane): Promise<void> {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  const headers = { authorization: `Bearer ${token}` };
  const path = '/api/v1/namespaces/default/serviceaccounts/default';
  for (;;) {
    const { statusCode, body } = await request(`${url}${path}`, { dispatcher, headers });
    await body.dump();
    if (statusCode === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await dispatcher.close();
}

async function startEmulated(): Promise<ControlPlane> {
  const child = spawn(process.execPath, [pathOf('server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { url, token } = JSON.parse(await firstLine(child)) as Pick<ControlPlane, 'url' | 'token'>;
  return {
    url,
    token,
    pids: [child.pid ?? 0],
    async stop() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the process has no output');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return line;
}

function compare(
  print: Print,
  ours: Figures<OverHttps>,
  theirs: Figures<OverHttps> | undefined,
): void {
  const cells = (row: readonly string[]): string =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(30) : cell.padStart(12))).join('');
  const real = theirs === undefined ? [] : ['real', 'ours / real'];
  print(cells(['over HTTPS, other process', 'ours', ...real]));
  for (const [title, figure, text] of rows) {
    const ratio = theirs === undefined ? '' : (ours[figure] / theirs[figure]).toFixed(2);
    const other = theirs === undefined ? [] : [text(theirs[figure]), ratio];
    print(cells([title, text(ours[figure]), ...other]));
  }
  if (theirs !== undefined) return;
  print('no real control plane here: set KUBE_BIN to a directory with etcd, kube-apiserver,');
  print('kube-scheduler and kube-controller-manager to compare with one');
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(`emulator-kube/${file}`, import.meta.url));
}

function milliseconds(value: number): string {
  return `${value.toFixed(0)} ms`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function megabytes(value: number): string {
  return `${value.toFixed(0)} MB`;
}
