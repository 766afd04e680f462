// Plants one forbidden import per line in a tree laid out like ours and expects the linter to name each of
// them, and nothing else. A rule that silently stopped matching would otherwise stay green for ever.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** file → one statement; `target` exists in every folder so that only the layer is wrong. */
const forbidden: Record<string, string> = {
  'src/base/a.ts': `import { x } from '../api/target.ts';`,
  'src/api/a.ts': `import { x } from '../base/target.ts';`,
  'src/api/crd/a.ts': `import { x } from '../../base/target.ts';`,
  'src/model/a.ts': `import { x } from '../kube/target.ts';`,
  'src/model/b.ts': `import type { X } from '../scheduling/target.ts';`,
  'src/scheduling/a.ts': `import { x } from '../state/target.ts';`,
  'src/scheduling/b.ts': `import { x } from 'node:fs';`,
  'src/scheduling/topology/a.ts': `import { x } from '../../base/clock.ts';`,
  'src/kube/a.ts': `import { x } from '../cloud/target.ts';`,
  'src/cloud/a.ts': `import { x } from '../azure/target.ts';`,
  'src/state/a.ts': `import { x } from '../controllers/target.ts';`,
  'src/controllers/disruption/a.ts': `import { x } from '../../azure/target.ts';`,
  'src/controllers/disruption/methods/a.ts': `import { x } from '../../../emulator/target.ts';`,
  'src/azure/arm/a.ts': `import { x } from '../../controllers/target.ts';`,
  'src/emulator/a.ts': `import { x } from '../kube/target.ts';`,
  'src/emulator/kube/a.ts': `import { x } from '../../kube/target.ts';`,
  'src/emulator/azure/b.ts': `import { x } from '../../model/target.ts';`,
  'src/operator/a.ts': `import { x } from '../emulator/target.ts';`,
  'src/dashboard/a.ts': `import { x } from '../kube/target.ts';`,
};

const allowed: Record<string, string> = {
  'src/model/c.ts': `import { x } from '../api/target.ts';`,
  'src/controllers/disruption/c.ts': `import { x } from '../../state/target.ts';`,
  'src/emulator/c.ts': `import { x } from './kube/target.ts';`,
  'src/emulator/azure/c.ts': `import { x } from '../kube/target.ts';`,
  'src/emulator/kube/c.ts': `import { x } from '../../model/quantity.ts';`,
  'src/scheduling/c.ts': `import { x } from '../base/target.ts';`,
  'src/operator/c.ts': `import { x } from '../azure/target.ts';`,
  'src/cli/c.ts': `import { x } from '../emulator/target.ts';`,
};

const restricted: Record<string, readonly [rule: string, code: string]> = {
  'src/model/now.ts': ['no-restricted-properties', 'export const now = () => Date.now();'],
  'src/kube/random.ts': ['no-restricted-properties', 'export const draw = () => Math.random();'],
  'src/kube/timer.ts': ['no-restricted-globals', 'export const t = () => setTimeout(() => {}, 1);'],
  'src/kube/timer.test.ts': ['no-restricted-globals', 'setInterval(() => {}, 1);'],
  'src/kube/any.ts': ['no-explicit-any', 'export const f = (x: any) => x;'],
  'src/kube/default.ts': ['no-default-export', 'export default 1;'],
  'src/kube/float.ts': ['no-floating-promises', 'Promise.resolve(1);\nexport const y = 1;'],
};

let tree: string;
let found: { readonly file: string; readonly rule: string }[];

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'layers-'));
  await cp(join(root, 'oxlint.config.ts'), join(tree, 'oxlint.config.ts'));
  await cp(join(root, 'tsconfig.json'), join(tree, 'tsconfig.json'));
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));
  for (const [file, line] of Object.entries({ ...forbidden, ...allowed })) {
    const name = line.includes('type') ? 'X' : 'x';
    await plant(file, `${line}\nexport type Y = typeof ${name};\n`);
    const target = /'(\.[^']+)'/.exec(line)?.[1];
    if (target === undefined) continue;
    await plant(join(dirname(file), target), 'export const x = 1;\nexport type X = number;\n');
  }
  for (const [file, [, code]] of Object.entries(restricted)) await plant(file, `${code}\n`);
  found = await lint();
}, 60_000);

afterAll(() => rm(tree, { recursive: true, force: true }));

async function plant(file: string, text: string): Promise<void> {
  const path = join(tree, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

function lint(): Promise<{ file: string; rule: string }[]> {
  return new Promise((done, reject) => {
    const command = join(root, 'node_modules/.bin/oxlint');
    execFile(command, ['--format', 'json'], { cwd: tree, maxBuffer: 1 << 26 }, (error, stdout) => {
      if (stdout === '') reject(error ?? new Error('oxlint printed nothing'));
      else {
        const report = JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] };
        done(report.diagnostics.map(({ filename, code }) => ({ file: filename, rule: code })));
      }
    });
  });
}

function filesBreaking(rule: string): string[] {
  const files = found
    .filter((entry) => entry.rule.includes(`(${rule})`))
    .map((entry) => entry.file);
  return [...new Set(files)].toSorted();
}

describe('the layers of src', () => {
  test('every planted import against the table is caught, and no import along it', () => {
    expect(filesBreaking('no-restricted-imports')).toEqual(Object.keys(forbidden).toSorted());
  });

  test.each(Object.entries(restricted))('%s is caught', (file, [rule]) => {
    expect(filesBreaking(rule)).toContain(file);
  });

  test('the base folder may use the machine clock', async () => {
    await plant('src/base/clock-use.ts', 'export const now = () => Date.now();\n');
    found = await lint();
    expect(filesBreaking('no-restricted-properties')).not.toContain('src/base/clock-use.ts');
  });
});
