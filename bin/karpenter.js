#!/usr/bin/env node
// The launcher. In: any Node from 20. Out: the command line (src/cli/run.ts, or the bundle in dist) under
// Node 24, which runs TypeScript as it is. When this Node is older it hands over to the one that came with
// the packages; when there is none it says so in one sentence.
// Plain old JavaScript: it must parse on Nodes that cannot run the rest.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'src', 'cli', 'run.ts');
const entry = existsSync(source) ? source : join(root, 'dist', 'karpenter.mjs');

if (Number(process.versions.node.split('.')[0]) >= 24) {
  await import(pathToFileURL(entry).href);
} else {
  const node = join(
    root,
    'node_modules',
    `node-${process.platform}-${process.arch}`,
    'bin',
    'node',
  );
  if (existsSync(node)) {
    const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
      stdio: 'inherit',
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.on(signal, () => child.kill(signal));
    child.on('exit', (code, signal) => {
      process.exitCode = signal === null ? code : 1;
    });
  } else {
    process.stderr.write(
      `karpenter: needs Node 24 or newer, this is Node ${process.versions.node}: run \`npm install\` in ${root}, which brings it, or install Node 24.\n`,
    );
    process.exitCode = 1;
  }
}
