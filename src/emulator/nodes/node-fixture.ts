// A cluster and machines to test nodes with, on a virtual clock and without a socket. In: what a test wants different. Out: both, and
// ways to send requests and to boot a machine. Azure itself is only its news: machines come as events.
import { onTestFinished } from 'vitest';
import type { HttpHandler } from '../../base/http-server.ts';
import { createLogger } from '../../base/log.ts';
import { seededRandom } from '../../base/random.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { subscriptionId, testSizes } from '../azure/azure-fixture.ts';
import { SizeCatalog } from '../azure/compute/size-catalog.ts';
import { VmEvents, type VirtualMachine } from '../azure/compute/vm-events.ts';
import { startKubeCluster, type KubeCluster } from '../kube/cluster.ts';
import { objectsAt, stringAt, textAt, type JsonObject } from '../kube/json.ts';
import { nodeBootstrapPolicy } from '../kube/security/policy/default-policy.ts';
import { startFleet, type Fleet, type FleetOptions } from './fleet.ts';

export const bootstrapToken = 'abcdef.0123456789abcdef';
export const apiServer = 'cluster-1.hcp.southcentralus.azmk8s.io';

export interface Answer {
  readonly code: number;
  readonly body: JsonObject;
}

export interface TestCluster {
  readonly clock: VirtualClock;
  readonly cluster: KubeCluster;
  /** `GET /api/v1/nodes`, as the administrator. */
  readonly send: (line: string, body?: JsonObject) => Promise<Answer>;
}

/** A cluster that machines with the bootstrap token may join; all of it is gone at the end of the test. */
export async function testCluster(clock = new VirtualClock()): Promise<TestCluster> {
  const faults: string[] = [];
  const log = createLogger({
    level: 'error',
    output: { write: (line) => void faults.push(line) },
    clock,
  });
  const cluster = await startKubeCluster({ clock, random: seededRandom(1), log, listen: false });
  onTestFinished(async () => {
    await cluster.stop();
    if (faults.length > 0) throw new Error(faults.slice(0, 3).join(''));
    const { timers } = clock.pending();
    if (timers.length > 0) throw new Error(`timers are left: ${JSON.stringify(timers)}`);
  });
  await clock.advance(0);
  const send: TestCluster['send'] = async (line, body) => {
    const [method = '', target = ''] = line.split(' ');
    const { pathname, searchParams } = new URL(target, cluster.url);
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const reply = await cluster.handler({
      method,
      path: pathname,
      query: searchParams,
      headers: { 'content-type': type, authorization: `Bearer ${cluster.administratorToken}` },
      signal: new AbortController().signal,
      body: () => Promise.resolve(Buffer.from(body === undefined ? '' : JSON.stringify(body))),
    });
    const text = typeof reply.body === 'string' ? reply.body : '{}';
    return { code: reply.status, body: JSON.parse(text) as JsonObject };
  };
  await allowBootstrap(send);
  await clock.advance(0);
  return { clock, cluster, send };
}

async function allowBootstrap(send: TestCluster['send']): Promise<void> {
  const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
  for (const binding of nodeBootstrapPolicy()) await send(`POST ${bindings}`, binding);
  const [id = '', secret = ''] = bootstrapToken.split('.');
  await send('POST /api/v1/namespaces/kube-system/secrets', {
    metadata: { name: `bootstrap-token-${id}` },
    type: 'bootstrap.kubernetes.io/token',
    stringData: {
      'token-id': id,
      'token-secret': secret,
      'usage-bootstrap-authentication': 'true',
    },
  });
}

export interface TestWorld extends TestCluster {
  readonly events: VmEvents;
  readonly fleet: Fleet;
  /** Creates and starts a machine; lets no time pass. */
  start(vm?: Partial<VirtualMachine>): VirtualMachine;
  /** Starts a machine and lets time pass until its node is ready. */
  ready(vm?: Partial<VirtualMachine>): Promise<VirtualMachine>;
  node(name?: string): Promise<JsonObject>;
  pod(name: string): Promise<JsonObject>;
  /** Runs a pod on the node at once, as if a scheduler had put it there. */
  place(pod: PlacedPod): Promise<JsonObject>;
}

export interface PlacedPod {
  readonly name: string;
  readonly node?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly metadata?: JsonObject;
  readonly spec?: JsonObject;
  readonly container?: JsonObject;
}

export async function testWorld(
  options: Partial<FleetOptions> = {},
  between: (handler: HttpHandler) => HttpHandler = (handler) => handler,
): Promise<TestWorld> {
  const base = await testCluster();
  const { clock, cluster, send } = base;
  const events = new VmEvents();
  const fleet = startFleet({
    clock,
    random: seededRandom(2),
    log: createLogger({ level: 'error', output: { write: () => undefined }, clock }),
    machines: events,
    sizes: new SizeCatalog(testSizes),
    endpoints: [
      {
        apiServer,
        authorityPem: cluster.authorityPem,
        handler: between(cluster.handler),
        cloudToken: cluster.administratorToken,
      },
    ],
    ...options,
  });
  onTestFinished(() => fleet.stop());
  const start: TestWorld['start'] = (changes) => {
    const vm = testMachine({ customData: bootData(cluster.authorityPem), ...changes });
    events.emit({ kind: 'created', vm: { ...vm, powerState: 'starting' } });
    events.emit({ kind: 'running', vm });
    return vm;
  };
  return {
    ...base,
    events,
    fleet,
    start,
    ready: async (changes) => {
      const vm = start(changes);
      const isReady = (): boolean =>
        fleet.nodes().some((node) => node.vmId === vm.id && node.isReady);
      await clock.runUntil(isReady, { limitMs: 300_000, what: 'node ready' });
      await clock.advance(5000);
      return vm;
    },
    node: async (name = 'aks-one') => (await send(`GET /api/v1/nodes/${name}`)).body,
    pod: async (name) => (await send(`GET /api/v1/namespaces/default/pods/${name}`)).body,
    place: async (pod) => {
      const { code, body } = await send('POST /api/v1/namespaces/default/pods', podBody(pod));
      if (code !== 201) throw new Error(JSON.stringify(body));
      return body;
    },
  };
}

function podBody({ name, node = 'aks-one', annotations = {}, ...rest }: PlacedPod): JsonObject {
  return {
    metadata: { name, annotations, ...rest.metadata },
    spec: {
      nodeName: node,
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'main', image: 'registry/app:1', ...rest.container }],
      ...rest.spec,
    },
  };
}

export function testMachine(changes: Partial<VirtualMachine> = {}): VirtualMachine {
  const { name = 'aks-one' } = changes;
  const group = `/subscriptions/${subscriptionId}/resourceGroups/MC_group`;
  return {
    id: `${group}/providers/Microsoft.Compute/virtualMachines/${name}`,
    vmId: '0f0f0f0f-1111-4222-8333-444444444444',
    name,
    computerName: name,
    subscriptionId,
    resourceGroup: 'MC_group',
    location: 'southcentralus',
    zone: '2',
    size: 'Standard_D2s_v3',
    priority: 'Regular',
    powerState: 'running',
    createdMs: 0,
    tags: {},
    customData: new Uint8Array(),
    imageId: '/CommunityGalleries/AKSUbuntu/images/2204gen2containerd/versions/202502.09.0',
    adminUsername: 'azureuser',
    osDiskSizeGb: 128,
    identities: [],
    nics: [{ id: `${group}/nic`, privateAddress: '10.224.0.4', isPrimary: true }],
    extensions: [],
    boots: true,
    ...changes,
  };
}

export const usualFlags: Readonly<Record<string, string>> = {
  'cloud-provider': 'external',
  'eviction-hard': 'memory.available<750Mi,nodefs.available<10%,nodefs.inodesFree<5%',
  'kube-reserved': 'cpu=100m,memory=1843Mi',
  'max-pods': '30',
  'register-with-taints': 'karpenter.sh/unregistered:NoExecute',
};

/** What a machine that becomes a node is told; `changes` replace variables, and undefined leaves one out. */
export function bootScript(
  authorityPem: string,
  changes: Readonly<Record<string, string | undefined>> = {},
  flags: Readonly<Record<string, string>> = usualFlags,
): string {
  const variables: Readonly<Record<string, string | undefined>> = {
    API_SERVER_NAME: apiServer,
    KUBE_CA_CRT: Buffer.from(authorityPem).toString('base64'),
    KUBERNETES_VERSION: '1.33.2',
    NETWORK_PLUGIN: 'none',
    TLS_BOOTSTRAP_TOKEN: bootstrapToken,
    KUBELET_FLAGS: Object.entries(flags)
      .map(([name, value]) => `--${name}=${value}`)
      .join(' '),
    KUBELET_NODE_LABELS: 'karpenter.sh/nodepool=default,kubernetes.azure.com/mode=user',
    ...changes,
  };
  const lines = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value}"`],
  );
  return ['#!/bin/bash', 'set -o allexport', ...lines, '/usr/bin/nohup provision_start.sh'].join(
    '\n',
  );
}

/** The same as a machine gets it. */
export function bootData(...parts: Parameters<typeof bootScript>): Uint8Array {
  return Buffer.from(bootScript(...parts));
}

/** `type status reason` of each condition. */
export function conditionsOf(object: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    objectsAt(object, 'status', 'conditions').map((one) => [
      textAt(one, 'type'),
      [textAt(one, 'status'), stringAt(one, 'reason')].filter(Boolean).join(' '),
    ]),
  );
}
