// How fast the emulated scheduler binds pods. In: a fleet of nodes and a burst of pods written at once. Out: seconds of
// process time from the first pod to the last binding, with the emulated server underneath and without it.
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/log.ts';
import { MetricsRegistry } from '../src/base/metrics.ts';
import { seededRandom } from '../src/base/random.ts';
import { VirtualClock } from '../src/base/virtual-clock.ts';
import { createApiServer } from '../src/emulator/kube/api-server.ts';
import type { KubeApi, RequestContext } from '../src/emulator/kube/api.ts';
import { stringAt } from '../src/emulator/kube/json.ts';
import { ClusterState } from '../src/emulator/kube/scheduler/cluster-state.ts';
import { Nominations } from '../src/emulator/kube/scheduler/nominations.ts';
import { nodeOf, podOf } from '../src/emulator/kube/scheduler/objects.ts';
import { Placer } from '../src/emulator/kube/scheduler/placement.ts';
import { Scheduler } from '../src/emulator/kube/scheduler/scheduler.ts';

const nodeCount = 500;
const podCount = 10_000;
const shapeCount = 40;
const context: RequestContext = { user: { username: 'bench', groups: ['system:masters'] } };
const pods = { group: '', version: 'v1', resource: 'pods' };
const nodes = { group: '', version: 'v1', resource: 'nodes' };
const accounts = { group: '', version: 'v1', resource: 'serviceaccounts' };

export const bench = {
  name: 'emulator-scheduler',
  description: `${podCount} pods of ${shapeCount} shapes onto ${nodeCount} nodes`,
  run: async (print: (line: string) => void): Promise<void> => {
    const clock = new VirtualClock();
    const { api, stop } = startServer(clock);
    createNodes(api);
    const creating = since(() => createPods(api));
    print(`creating the pods            ${seconds(creating)}`);
    print(`deciding, without the server ${seconds(since(() => decideAll(api)))}`);
    const scheduler = new Scheduler({
      api,
      context,
      clock,
      random: seededRandom(2),
      log: silentLogger,
    });
    const startMs = systemClock.monotonic();
    scheduler.start();
    await clock.advance(0);
    const tookMs = systemClock.monotonic() - startMs;
    scheduler.stop();
    const bound = api
      .list({ context, resource: pods })
      .items.filter((pod) => stringAt(pod, 'spec', 'nodeName') !== undefined).length;
    const rate = Math.round(bound / (tookMs / 1000));
    print(`binding ${bound} of ${podCount}       ${seconds(tookMs)} (${rate} pods/s)`);
    stop();
  },
};

function startServer(clock: VirtualClock): { readonly api: KubeApi; readonly stop: () => void } {
  const server = createApiServer({
    clock,
    random: seededRandom(1),
    log: silentLogger,
    metrics: new MetricsRegistry(),
    authenticator: { authenticate: () => context.user },
    authorizer: { authorize: () => ({ allowed: true, reason: '' }) },
    disableAdmission: ['TaintNodesByCondition'],
  });
  server.start();
  return { api: server.api, stop: () => server.stop() };
}

function createNodes(api: KubeApi): void {
  const account = { metadata: { name: 'default' } };
  api.create({ context, resource: accounts, namespace: 'default', object: account });
  const amounts = { cpu: '16', memory: '64Gi', pods: '110' };
  for (let i = 0; i < nodeCount; i++) {
    const name = `node-${String(i).padStart(3, '0')}`;
    const labels = {
      'kubernetes.io/hostname': name,
      'topology.kubernetes.io/zone': `zone-${i % 3}`,
      pool: `pool-${i % 5}`,
    };
    api.create({ context, resource: nodes, object: { metadata: { name, labels }, spec: {} } });
    api.patch({
      context,
      resource: nodes,
      name,
      subresource: 'status',
      patchType: 'application/merge-patch+json',
      patch: { status: { allocatable: amounts, capacity: amounts } },
    });
  }
}

function createPods(api: KubeApi): void {
  for (let i = 0; i < podCount; i++) {
    const shape = i % shapeCount;
    const resources = {
      requests: { cpu: `${100 + (shape % 8) * 100}m`, memory: `${256 + (shape % 5) * 256}Mi` },
    };
    api.create({
      context,
      resource: pods,
      namespace: 'default',
      object: {
        metadata: {
          name: `pod-${i}`,
          labels: { app: `app-${shape}` },
          ownerReferences: [
            {
              apiVersion: 'apps/v1',
              kind: 'ReplicaSet',
              name: `app-${shape}`,
              uid: `owner-${shape}`,
              controller: true,
            },
          ],
        },
        spec: {
          containers: [{ name: 'c', image: 'x', resources }],
          ...(shape % 4 === 0 ? { nodeSelector: { pool: `pool-${shape % 5}` } } : {}),
          ...(shape % 10 === 1 ? { topologySpreadConstraints: [zonalSpread(shape)] } : {}),
        },
      },
    });
  }
}

function zonalSpread(shape: number) {
  return {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app: `app-${shape}` } },
  };
}

/** The decisions alone: no watch, no binding, no event. */
function decideAll(api: KubeApi): void {
  const state = new ClusterState();
  const placer = new Placer(state, new Nominations());
  for (const node of api.list({ context, resource: nodes }).items) state.setNode(nodeOf(node));
  for (const object of api.list({ context, resource: pods }).items) {
    const pod = podOf(object);
    const placement = placer.place(pod, state.shapeOf(pod));
    if (placement.node !== undefined) state.place(pod, placement.node.name);
  }
}

function since(work: () => void): number {
  const startMs = systemClock.monotonic();
  work();
  return systemClock.monotonic() - startMs;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
