// The emulated cluster, measured in a process of its own. In: nothing. Out: one line of JSON: milliseconds from loading
// to ready, then the process time of ten thousand pods from creation to running on 500 nodes, the cost of 50
// watchers, and the memory that the pods take.
const loadedMs = performance.now();
const { systemClock } = await import('../../src/base/clock.ts');
const { silentLogger } = await import('../../src/base/log.ts');
const { seededRandom } = await import('../../src/base/random.ts');
const { startKubeCluster } = await import('../../src/emulator/kube/cluster.ts');
import type { RequestContext, WatchEvent } from '../../src/emulator/kube/api.ts';
import { stringAt } from '../../src/emulator/kube/json.ts';

const nodeCount = 500;
const podCount = 10_000;
const watcherCount = 50;
const changeCount = 1000;

const importMs = performance.now() - loadedMs;
const startedMs = performance.now();
const cluster = await startKubeCluster({
  clock: systemClock,
  random: seededRandom(1),
  log: silentLogger,
});
const readyMs = performance.now() - startedMs;
const { api } = cluster;
const context: RequestContext = { user: { username: 'bench', groups: ['system:masters'] } };
const nodes = { group: '', version: 'v1', resource: 'nodes' };
const pods = { group: '', version: 'v1', resource: 'pods' };
const leases = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const leaseNamespace = 'kube-node-lease';
const mergePatch = 'application/merge-patch+json';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};
const heapMb = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

function patchStatus(resource: typeof pods, name: string, status: object): void {
  const namespace = resource === pods ? { namespace: 'default' } : {};
  api.patch({
    context,
    resource,
    ...namespace,
    name,
    subresource: 'status',
    patchType: mergePatch,
    patch: { status } as never,
  });
}

const nodeNames = Array.from({ length: nodeCount }, (_, i) => `node-${String(i).padStart(3, '0')}`);
const leaseSpec = () => ({ renewTime: new Date().toISOString().replace('Z', '000Z') });
for (const name of nodeNames) {
  api.create({ context, resource: nodes, object: { metadata: { name } } });
  api.create({
    context,
    resource: leases,
    namespace: leaseNamespace,
    object: { metadata: { name }, spec: leaseSpec() },
  });
  const amounts = { cpu: '16', memory: '64Gi', pods: '110' };
  const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }];
  patchStatus(nodes, name, { capacity: amounts, allocatable: amounts, conditions });
}
await turn();

// On a slow machine the nodes would otherwise fall silent, and lose their pods, before the last one runs.
setInterval(() => {
  for (const name of nodeNames) {
    api.patch({
      context,
      resource: leases,
      namespace: leaseNamespace,
      name,
      patchType: mergePatch,
      patch: { spec: leaseSpec() },
    });
  }
}, 10_000);

// What kubelets do, in one loop: a pod that has a node runs.
let running = 0;
const bound = api.watch({ context, resource: pods });
function runBound(events: readonly WatchEvent[]): void {
  for (const { object } of events) {
    if (stringAt(object, 'spec', 'nodeName') === undefined) continue;
    if (stringAt(object, 'status', 'phase') !== 'Pending') continue;
    patchStatus(pods, object.metadata.name, { phase: 'Running' });
    running++;
  }
}

const heapBefore = heapMb();
const cpuBefore = process.cpuUsage();
const wallMs = performance.now();
for (let i = 0; i < podCount; i++) {
  const resources = { requests: { cpu: `${100 + (i % 8) * 100}m`, memory: '256Mi' } };
  api.create({
    context,
    resource: pods,
    namespace: 'default',
    object: {
      metadata: { name: `pod-${i}`, labels: { app: `app-${i % 40}` } },
      spec: { containers: [{ name: 'c', image: 'x', resources }] },
    },
  });
  if (i % 100 === 0) {
    runBound(bound.take());
    await turn();
  }
}
while (running < podCount) {
  runBound(bound.take());
  await turn();
}
const podsCpuMs = cpuMs(cpuBefore);
const podsMs = performance.now() - wallMs;
bound.stop();
await turn();
const podsMb = heapMb() - heapBefore;

const watches = Array.from({ length: watcherCount }, () => api.watch({ context, resource: pods }));
for (const watch of watches) watch.take();
const fanOutMs = performance.now();
let delivered = 0;
for (let i = 0; i < changeCount; i++) {
  patchStatus(pods, `pod-${i}`, { message: `change ${i}` });
  if (i % 50 === 49) for (const watch of watches) delivered += watch.take().length;
}
const watchMs = performance.now() - fanOutMs;
for (const watch of watches) watch.stop();

await cluster.stop();
console.log(JSON.stringify({ importMs, readyMs, podsMs, podsCpuMs, podsMb, watchMs, delivered }));
process.exit(0);
