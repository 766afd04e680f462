// node tools/generate.ts           writes every generated file that is stale
// node tools/generate.ts --check   writes nothing, names the stale ones and fails if there are any
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { staleOutputs } from './generate/output.ts';
import { outputs } from './generate/outputs.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const root = fileURLToPath(new URL('..', import.meta.url));

const stale = await staleOutputs(outputs, root);
for (const { path, render } of stale) {
  if (values.check) {
    console.error(`stale: ${path} (run: node tools/generate.ts)`);
    continue;
  }
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, render());
  console.log(`written: ${path}`);
}
if (values.check && stale.length > 0) process.exitCode = 1;
