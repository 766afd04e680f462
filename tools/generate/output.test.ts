import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { staleOutputs } from './output.ts';
import { outputs } from './outputs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('all generated files are fresh (run: node tools/generate.ts)', async () => {
  const stale = await staleOutputs(outputs, root);
  expect(stale.map(({ path }) => path)).toEqual([]);
});

test('no file is generated twice', () => {
  expect(new Set(outputs.map(({ path }) => path)).size).toBe(outputs.length);
});

test('a file that is missing or different is stale', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'generate-'));
  try {
    await writeFile(join(folder, 'same'), 'x');
    await writeFile(join(folder, 'different'), 'x');
    const stale = await staleOutputs(
      [
        { path: 'same', render: () => 'x' },
        { path: 'different', render: () => 'y' },
        { path: 'missing', render: () => '' },
      ],
      folder,
    );
    expect(stale.map(({ path }) => path)).toEqual(['different', 'missing']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
