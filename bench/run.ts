// Runs the benchmarks. In: a filter (part of a name) or nothing for all. Out: figures on the terminal, as
// ratios to a peer measured in the same run wherever there is one. Nothing here is asserted: figures that
// count are recorded in docs/benchmarks.md with what they were measured on.
import { glob } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { pathToFileURL } from 'node:url';

export interface Bench {
  readonly name: string;
  readonly description: string;
  run(print: (line: string) => void): Promise<void>;
}

const filter = process.argv[2] ?? '';
const files: string[] = [];
for await (const file of glob('bench/**/*.bench.ts')) files.push(file);

console.log(
  `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB\n`,
);
let ran = 0;
for (const file of files.toSorted()) {
  const { bench } = (await import(pathToFileURL(file).href)) as { bench: Bench };
  if (!bench.name.includes(filter)) continue;
  ran++;
  console.log(`${bench.name}: ${bench.description}`);
  await bench.run((line) => console.log(`  ${line}`));
  console.log('');
}
if (ran === 0) {
  console.error(`no benchmark has "${filter}" in its name`);
  process.exitCode = 1;
}
