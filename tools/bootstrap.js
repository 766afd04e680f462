// Runs before every npm script: makes sure that what package-lock.json names is installed, and installs it
// once if not. In: the lock file and node_modules. Out: nothing when all is there (a few milliseconds), else
// one `npm ci`, or a message that says what is missing.
// Plain old JavaScript without dependencies: it must run on any Node from 20 before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const neededNode = 24;
const ownNode = Number(process.versions.node.split('.')[0]);

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function fitsThisMachine(entry) {
  const os = entry.os === undefined || entry.os.includes(process.platform);
  const cpu = entry.cpu === undefined || entry.cpu.includes(process.arch);
  return os && cpu;
}

/** Optional packages are for other machines, except a build of Node that this one needs. */
function isNeeded(path, entry) {
  if (path === '') return false;
  if (entry.optional !== true) return true;
  const isNode = /^node_modules\/node-(linux|darwin|win)-/.test(path);
  return isNode && fitsThisMachine(entry) && ownNode < neededNode;
}

/** Packages of the lock file that are not installed in the version it names. */
function missingPackages() {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages ?? {};
  // npm writes this file as the last step of an install, so a broken install has none.
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages ?? {};
  return Object.entries(wanted)
    .filter(([path, entry]) => isNeeded(path, entry) && installed[path]?.version !== entry.version)
    .map(([path, entry]) => ({
      name: path.replace(/^node_modules\//, ''),
      version: entry.version,
    }));
}

function hasNode() {
  if (ownNode >= neededNode) return true;
  return existsSync(
    join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node'),
  );
}

function fail(lines) {
  process.stderr.write(`karpenter: ${lines.join('\n  ')}\n`);
  process.exit(1);
}

function describe(missing) {
  const direct = readJson(join(root, 'package.json'));
  const names = new Set(Object.keys({ ...direct.dependencies, ...direct.devDependencies }));
  const shown = missing
    .filter((entry) => names.has(entry.name))
    .map((entry) => `${entry.name} ${entry.version}`);
  const node = hasNode() ? [] : [`Node ${neededNode} (this is Node ${process.versions.node})`];
  return `${missing.length} packages, among them ${[...node, ...shown].join(', ')}`;
}

/** True unless the process that wrote the lock has died without removing it. */
function isHeld(lock) {
  const pid = Number(readFileSync(lock, { encoding: 'utf8', flag: 'a+' }));
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** One install at a time per checkout: two terminals must not tear down each other's node_modules. */
function withLock(work) {
  const key = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const lock = join(tmpdir(), `karpenter-install-${key}`);
  for (let waited = 0; ; waited++) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch {
      if (waited === 0) {
        process.stderr.write('karpenter: another install is under way, waiting for it\n');
      }
      if (!isHeld(lock)) rmSync(lock, { force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    }
  }
  // Also when the install fails, which ends the process on the spot.
  process.on('exit', () => rmSync(lock, { force: true }));
  work();
}

function install(missing) {
  process.stderr.write(`karpenter: installing ${missing.length} packages, once\n`);
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' };
  const result =
    npm !== undefined && /\.c?js$/.test(npm)
      ? spawnSync(process.execPath, [npm, ...args], options)
      : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (result.status === 0) return;
  const said = `${result.error?.message ?? ''}${result.stderr ?? ''}`.trim();
  const offline =
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|EHOSTUNREACH/.test(
      said,
    );
  fail([
    offline
      ? 'the packages it needs are not installed, and the package registry cannot be reached.'
      : 'installing failed.',
    `missing: ${describe(missing)}`,
    ...(offline ? [] : said.split('\n').slice(0, 12)),
    offline
      ? 'fix: connect to a network (or set `npm config set registry` to a mirror) and run the command again; it installs only once.'
      : 'fix: what npm says above; then run the command again.',
  ]);
}

let missing = missingPackages();
if (missing.length > 0) {
  withLock(() => {
    missing = missingPackages();
    if (missing.length > 0) install(missing);
  });
}
if (!hasNode()) {
  fail([
    `needs Node ${neededNode} or newer; this is Node ${process.versions.node}, and no build of Node ${neededNode} for ${process.platform}-${process.arch} comes with the packages.`,
    `fix: install Node ${neededNode} (for example \`nvm install ${neededNode}\`) and run the command again.`,
  ]);
}
