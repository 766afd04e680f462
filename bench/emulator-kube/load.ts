// The load of the comparison, in a process of its own, the same for every server. In: address, token and the ids of the
// server's processes. Out: one line of JSON. Ten thousand pods are created, the server's scheduler finds their nodes, and
// this process does what kubelets do: it renews the nodes' leases and reports bound pods as running.
import { readFileSync } from 'node:fs';
import { Pool, type Dispatcher } from 'undici';

const [, , url = '', token = '', pidText = ''] = process.argv;
const pids = pidText.split(',').map(Number);
const nodeCount = 500;
const podCount = 10_000;
const watcherCount = 50;
const changeCount = 1000;
/** Requests under way at once. */
const width = 32;
/** Kubelets renew every ten seconds; a node that is silent for longer loses its pods in both worlds. */
const renewMs = 10_000;

const connect = { rejectUnauthorized: false };
const pool = new Pool(url, { connections: width * 2, pipelining: 1, connect });
const streams = new Pool(url, { pipelining: 1, connect, bodyTimeout: 0, headersTimeout: 0 });
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

async function call(
  method: Dispatcher.HttpMethod,
  path: string,
  body?: object,
  contentType = 'application/json',
): Promise<unknown> {
  const reply = await pool.request({
    method,
    path,
    headers: { ...headers, 'content-type': contentType },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.body.text();
  if (reply.statusCode >= 300) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text);
}

const patch = (path: string, body: object): Promise<unknown> =>
  call('PATCH', path, body, 'application/merge-patch+json');

/** Calls for 0 to `count` − 1, `width` of them at once. */
async function each(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** Text as it arrives, until `stop`. */
async function watch(
  path: string,
  onChunk: (chunk: string) => void,
  onEnd: () => void = () => {},
): Promise<{ readonly stop: () => void }> {
  const { body } = await streams.request({ method: 'GET', path, headers });
  body.setEncoding('utf8');
  body.on('data', onChunk);
  body.on('end', onEnd);
  body.on('error', () => {});
  return { stop: () => body.destroy() };
}

/** Processor time and resident memory of the server's processes together. */
function usage(): { readonly cpuMs: number; readonly mb: number } {
  let cpuMs = 0;
  let mb = 0;
  for (const pid of pids) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the name, which may hold blanks; a tick is 10 ms.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    cpuMs += (Number(fields[11]) + Number(fields[12])) * 10;
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    mb += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }
  return { cpuMs, mb };
}

const nodeName = (i: number): string => `node-${String(i).padStart(3, '0')}`;
const podPath = (name: string): string => `/api/v1/namespaces/default/pods/${name}/status`;
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

async function createNode(i: number): Promise<void> {
  const name = nodeName(i);
  await call('POST', '/api/v1/nodes', { metadata: { name } });
  const amounts = { cpu: '16', memory: '64Gi', pods: '110' };
  const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }];
  await patch(`/api/v1/nodes/${name}/status`, {
    status: { capacity: amounts, allocatable: amounts, conditions },
  });
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: microTime() };
  await call('POST', leases, { metadata: { name }, spec });
}

function microTime(): string {
  return new Date().toISOString().replace('Z', '000Z');
}

const renewals = setInterval(() => {
  each(nodeCount, (i) =>
    patch(`${leases}/${nodeName(i)}`, { spec: { renewTime: microTime() } }),
  ).catch(() => {});
}, renewMs);

await each(nodeCount, createNode);
while (await hasTaints()) await new Promise((resolve) => setTimeout(resolve, 50));

/** The nodes are ready when the controllers have taken away what they put on new ones. */
async function hasTaints(): Promise<boolean> {
  const list = (await call('GET', '/api/v1/nodes')) as {
    items: { spec: { taints?: readonly unknown[] } }[];
  };
  return list.items.some(({ spec }) => (spec.taints ?? []).length > 0);
}

interface PodEvent {
  readonly object: {
    readonly metadata: { readonly name: string };
    readonly spec?: { readonly nodeName?: string };
    readonly status?: { readonly phase: string };
  };
}

const allRunning = Promise.withResolvers<void>();
const bound: string[] = [];
const started = new Set<string>();
let running = 0;
let lanes = 0;

async function reportRunning(): Promise<void> {
  lanes++;
  for (let name = bound.shift(); name !== undefined; name = bound.shift()) {
    await patch(podPath(name), { status: { phase: 'Running' } });
    if (++running === podCount) allRunning.resolve();
  }
  lanes--;
}

function seePod(line: string): void {
  const { object } = JSON.parse(line) as PodEvent;
  const { name } = object.metadata;
  if (object.spec?.nodeName === undefined || object.status?.phase !== 'Pending') return;
  if (started.has(name)) return;
  started.add(name);
  bound.push(name);
  if (lanes < width) reportRunning().catch(allRunning.reject);
}

/** A server ends the watch of whoever reads too slowly; what was missed comes again with the next one. */
async function watchPods(): Promise<void> {
  let rest = '';
  await watch(
    '/api/v1/pods?watch=true&resourceVersion=0',
    (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) seePod(line);
    },
    () => void watchPods().catch(allRunning.reject),
  );
}

await watchPods();
const before = usage();
const startedMs = performance.now();
await each(podCount, (i) => {
  const resources = { requests: { cpu: `${100 + (i % 8) * 100}m`, memory: '256Mi' } };
  return call('POST', '/api/v1/namespaces/default/pods', {
    metadata: { name: `pod-${i}`, labels: { app: `app-${i % 40}` } },
    spec: { containers: [{ name: 'c', image: 'x', resources }] },
  });
});
const createdMs = performance.now() - startedMs;
await allRunning.promise;
const podsMs = performance.now() - startedMs;
const after = usage();

let delivered = 0;
const allDelivered = Promise.withResolvers<void>();
const count = (chunk: string): void => {
  for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', at + 1)) delivered++;
  if (delivered >= watcherCount * changeCount) allDelivered.resolve();
};
const cutOff = (): void =>
  allDelivered.reject(new Error('the server ended the watch of a watcher'));
const { metadata } = (await call('GET', '/api/v1/pods?limit=1')) as {
  metadata: { resourceVersion: string };
};
const query = `watch=true&resourceVersion=${metadata.resourceVersion}`;
const watches = await Promise.all(
  Array.from({ length: watcherCount }, () => watch(`/api/v1/pods?${query}`, count, cutOff)),
);
const fanOutBefore = usage();
const fanOutMs = performance.now();
await each(changeCount, (i) => patch(podPath(`pod-${i}`), { status: { message: `change ${i}` } }));
await allDelivered.promise;
const watchMs = performance.now() - fanOutMs;
const watchCpuMs = usage().cpuMs - fanOutBefore.cpuMs;
for (const one of watches) one.stop();
clearInterval(renewals);

console.log(
  JSON.stringify({
    createdMs,
    podsMs,
    podsCpuMs: after.cpuMs - before.cpuMs,
    podsMb: after.mb - before.mb,
    totalMb: after.mb,
    watchMs,
    watchCpuMs,
  }),
);
process.exit(0);
