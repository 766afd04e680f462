// Cache sync and event intake, ours against @kubernetes/client-node, in one run. In: an API server in a process
// of its own. Out: a table with ratios. Every contender runs in a fresh process, in turn with the others; the
// best of each figure counts, since a noisy neighbour can only ever make one worse.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const podCount = 10_000;
const eventCount = 50_000;
const rounds = 5;
const contenders = ['client-node', 'ours'] as const;

type Figure = 'readyMs' | 'syncMs' | 'syncCpuMs' | 'eventsMs' | 'cpuMs' | 'peakMb';
type Measurement = Readonly<Record<Figure, number>>;

const columns: readonly (readonly [Figure, string])[] = [
  // From the start of the process, with loading the client: what a failover waits for.
  ['readyMs', 'start→sync ms'],
  ['syncMs', 'sync ms'],
  ['syncCpuMs', 'sync CPU ms'],
  ['eventsMs', 'events ms'],
  ['cpuMs', 'total CPU ms'],
  ['peakMb', 'peak MB'],
];

export const bench = {
  name: 'kube-sync',
  description: `${podCount} pods of 3.3 KB listed and cached, then ${eventCount} changes`,
  async run(print: (line: string) => void): Promise<void> {
    const server = start('server.ts', [podCount, eventCount]);
    try {
      const { url } = (await firstLine(server)) as { url: string };
      const best = new Map<string, Measurement>();
      for (let round = 0; round < rounds; round++) {
        for (const contender of contenders) {
          const child = start('contender.ts', [contender, url, podCount, eventCount]);
          const measured = (await firstLine(child)) as Measurement;
          best.set(contender, better(best.get(contender), measured));
        }
      }
      report(print, best);
    } finally {
      server.kill();
    }
  },
};

function start(file: string, args: readonly (string | number)[]): ChildProcess {
  const path = fileURLToPath(new URL(`kube-sync/${file}`, import.meta.url));
  return spawn(process.execPath, [path, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function firstLine(child: ChildProcess): Promise<unknown> {
  if (child.stdout === null) throw new Error('the process has no output');
  const lines = createInterface({ input: child.stdout });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`a process of the benchmark ended with code ${String(code)} and no figures`);
  });
  failed.catch(() => undefined);
  const [line] = (await Promise.race([once(lines, 'line'), failed])) as [string];
  return JSON.parse(line);
}

function better(known: Measurement | undefined, measured: Measurement): Measurement {
  if (known === undefined) return measured;
  const best = (figure: Figure): number => Math.min(known[figure], measured[figure]);
  return {
    readyMs: best('readyMs'),
    syncMs: best('syncMs'),
    syncCpuMs: best('syncCpuMs'),
    eventsMs: best('eventsMs'),
    cpuMs: best('cpuMs'),
    peakMb: best('peakMb'),
  };
}

function report(print: (line: string) => void, best: ReadonlyMap<string, Measurement>): void {
  const row = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(22) : cell.padStart(15))).join('');
  print(row(['', ...columns.map(([, title]) => title)]));
  for (const [name, measured] of best) {
    print(row([name, ...columns.map(([figure]) => measured[figure].toFixed(0))]));
  }
  const [theirs, ours] = contenders.map((name) => best.get(name));
  if (theirs === undefined || ours === undefined) return;
  const ratios = columns.map(([figure]) => `${(ours[figure] / theirs[figure]).toFixed(2)}×`);
  print(row(['ours / client-node', ...ratios]));
  const times = (figure: Figure): string => (theirs[figure] / ours[figure]).toFixed(1);
  print(`synced ${times('syncMs')} times as fast, ${times('readyMs')} times from a cold start`);
}
