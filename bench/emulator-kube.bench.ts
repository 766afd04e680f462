// What the emulated cluster costs, beside a real API server where KUBE_BIN names a directory that has one. In: fresh
// processes. Out: start to ready, ten thousand pods from creation to running, watchers, memory.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startRealApiServer } from '../test/support/real-api-server.ts';

type Figures = Readonly<
  Record<
    'importMs' | 'readyMs' | 'podsMs' | 'podsCpuMs' | 'podsMb' | 'watchMs' | 'delivered',
    number
  >
>;

const rounds = 3;
const run = promisify(execFile);

export const bench = {
  name: 'emulator-kube',
  description: 'a cluster in this process: start, 10,000 pods onto 500 nodes, 50 watchers',
  async run(print: (line: string) => void): Promise<void> {
    const path = fileURLToPath(new URL('emulator-kube/contender.ts', import.meta.url));
    const all: Figures[] = [];
    for (let round = 0; round < rounds; round++) {
      const { stdout } = await run(process.execPath, ['--expose-gc', path]);
      all.push(JSON.parse(stdout) as Figures);
    }
    const best = (figure: keyof Figures): number => Math.min(...all.map((one) => one[figure]));
    print(
      `start to ready            ${best('readyMs').toFixed(0)} ms (${best('importMs').toFixed(0)} ms to load)`,
    );
    print(
      `10,000 pods until running ${(best('podsMs') / 1000).toFixed(1)} s (${(best('podsCpuMs') / 1000).toFixed(1)} s of process time)`,
    );
    print(`memory for those pods     ${best('podsMb').toFixed(0)} MB`);
    print(
      `50 watchers, 1,000 changes ${best('watchMs').toFixed(0)} ms for ${best('delivered')} events`,
    );
    await real(print);
  },
};

async function real(print: (line: string) => void): Promise<void> {
  const bin = process.env['KUBE_BIN'] ?? '';
  if (bin === '') {
    print('real API server           not measured: KUBE_BIN is not set');
    return;
  }
  const startedMs = performance.now();
  const server = await startRealApiServer(bin);
  print(`real etcd + API server    ${(performance.now() - startedMs).toFixed(0)} ms to ready`);
  await server.stop();
}
