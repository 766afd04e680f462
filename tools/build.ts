// Bundles the command line into one file for the container image. In: src/cli/run.ts. Out:
// dist/karpenter.mjs, which needs Node 24 and nothing else: no node_modules, no writable directory.
import { readFileSync, rmSync, statSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';

const outfile = 'dist/karpenter.mjs';
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

function commit(): string {
  try {
    const run = (...args: string[]): string =>
      execFileSync('git', args, { encoding: 'utf8' }).trim();
    const dirty = run('status', '--porcelain') === '' ? '' : '-dirty';
    return `${run('rev-parse', '--short=7', 'HEAD')}${dirty}`;
  } catch {
    // A source archive has no history.
    return 'unknown';
  }
}

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: ['src/cli/run.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  minify: true,
  keepNames: true,
  legalComments: 'none',
  define: {
    KARPENTER_VERSION: JSON.stringify(version),
    KARPENTER_COMMIT: JSON.stringify(commit()),
  },
  // Dependencies in CommonJS call require; the bundle is a module.
  banner: {
    js: `#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);`,
  },
});
console.log(`${outfile}: ${(statSync(outfile).size / 1024).toFixed(0)} KiB`);
