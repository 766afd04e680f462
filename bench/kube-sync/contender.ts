// One contender of the sync benchmark, in a process of its own. In: its name, the server's address, how many
// objects and changes to expect. Out: one line of JSON with times and peak memory.
import type { Pod } from '../../src/api/core.ts';

const [, , contender, url = '', podText, eventText] = process.argv;
const podCount = Number(podText);
const eventCount = Number(eventText);

interface Run {
  /** Resolves when every pod is in the cache; `onChange` is then called for every change. */
  start(onChange: () => void): Promise<void>;
  size(): number;
  stop(): Promise<void>;
}

async function ours(): Promise<Run> {
  const { systemClock } = await import('../../src/base/clock.ts');
  const { silentLogger } = await import('../../src/base/log.ts');
  const { systemRandom } = await import('../../src/base/random.ts');
  const { pods } = await import('../../src/api/resource-type.ts');
  const { KubeClient } = await import('../../src/kube/client/client.ts');
  const { InformerSet } = await import('../../src/kube/cache/informer-set.ts');
  const { UndiciTransport } = await import('../../src/kube/client/undici-transport.ts');
  const { staticCredentials } = await import('../../src/kube/config/credentials.ts');
  const credentials = staticCredentials({ headers: {} });
  const access = { server: new URL(url), tls: {}, headers: {}, credentials };
  const transport = new UndiciTransport({ access });
  const shared = { clock: systemClock, log: silentLogger };
  const client = new KubeClient({ ...shared, transport });
  const informers = new InformerSet({ ...shared, client, random: systemRandom() });
  const byNode = (pod: Pod): string[] => [pod.spec.nodeName ?? ''];
  const informer = informers.for(pods, { indexes: { byNode } });
  return {
    async start(onChange) {
      informer.subscribe((change) => {
        if (change.type === 'updated') onChange();
      });
      informers.start();
      await informer.synced();
    },
    size: () => informer.store.size,
    async stop() {
      await informers.stop();
      await transport.close();
    },
  };
}

async function clientNode(): Promise<Run> {
  const k8s = await import('@kubernetes/client-node');
  const config = new k8s.KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: 'c', server: url, skipTLSVerify: true }],
    users: [{ name: 'u' }],
    contexts: [{ name: 'c', cluster: 'c', user: 'u' }],
    currentContext: 'c',
  });
  const api = config.makeApiClient(k8s.CoreV1Api);
  const informer = k8s.makeInformer(config, '/api/v1/pods', () => api.listPodForAllNamespaces());
  return {
    async start(onChange) {
      informer.on('update', onChange);
      await informer.start();
    },
    size: () => informer.list().length,
    stop: () => informer.stop(),
  };
}

const run = contender === 'ours' ? await ours() : await clientNode();
const all = Promise.withResolvers<void>();
let changes = 0;
const cpuBefore = process.cpuUsage();
const startedMs = performance.now();
await run.start(() => {
  if (++changes === eventCount) all.resolve();
});
const syncMs = performance.now() - startedMs;
const readyMs = performance.now();
const syncCpu = process.cpuUsage(cpuBefore);
if (run.size() !== podCount) throw new Error(`cache holds ${run.size()} of ${podCount} pods`);
await all.promise;
const eventsMs = performance.now() - startedMs - syncMs;
const cpu = process.cpuUsage(cpuBefore);
await run.stop();
console.log(
  JSON.stringify({
    readyMs,
    syncMs,
    syncCpuMs: (syncCpu.user + syncCpu.system) / 1000,
    eventsMs,
    cpuMs: (cpu.user + cpu.system) / 1000,
    peakMb: process.resourceUsage().maxRSS / 1024,
  }),
);
process.exit(0);
