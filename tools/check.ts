// Everything that can be known without running the product: types, lint, format, unused code, stale
// generated files. In: the tree. Out: one line per check, the whole output of those that failed, exit code.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { glob } from 'node:fs/promises';

interface Check {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

interface Outcome {
  readonly check: Check;
  readonly ok: boolean;
  readonly output: string;
  readonly seconds: string;
}

const checks: readonly Check[] = [
  { name: 'types', command: ['tsc'] },
  { name: 'lint', command: ['oxlint', '--deny-warnings'] },
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'unused code', command: ['knip', '--no-progress'] },
  { name: 'generated files', command: ['node', 'tools/generate.ts', '--check'] },
];

function run(check: Check): Promise<Outcome> {
  const [command, ...args] = check.command;
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer): void => void (output += chunk.toString());
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const end = (ok: boolean): void => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      resolve({ check, ok, output, seconds });
    };
    child.on('error', (error) => {
      output += `${error.message}\n`;
      end(false);
    });
    child.on('close', (code) => end(code === 0));
  });
}

/** Lint rules switched off in code: each needs its reason in the same line, and there should be few. */
async function countLintExceptions(): Promise<number> {
  const marker = /(?:oxlint|eslint)-disable/;
  let count = 0;
  for await (const file of glob('{src,test,bench,tools}/**/*.ts')) {
    const lines = (await readFile(file, 'utf8')).split('\n');
    if (file !== 'tools/check.ts') count += lines.filter((line) => marker.test(line)).length;
  }
  return count;
}

let failed = 0;
for (const outcome of await Promise.all(checks.map(run))) {
  console.log(`${outcome.ok ? 'ok  ' : 'FAIL'} ${outcome.check.name} (${outcome.seconds} s)`);
  if (outcome.ok) continue;
  failed++;
  console.log(outcome.output);
}
console.log(`${await countLintExceptions()} lint exceptions`);
process.exitCode = failed === 0 ? 0 : 1;
