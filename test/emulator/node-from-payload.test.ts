// The whole way of a node: what the provider writes into a machine, through Azure, comes out on the Node object. The two sides share
// no code, so a payload that says something wrong, or says it wrongly, fails here.
import { describe, expect, onTestFinished, test } from 'vitest';
import { decodeCustomData } from '../../src/azure/bootstrap/decode-custom-data.ts';
import { scriptlessCustomData } from '../../src/azure/bootstrap/scriptless.ts';
import {
  testCluster as clusterSettings,
  testPlan,
  type TestNode,
} from '../../src/azure/bootstrap/test-node.ts';
import { silentLogger } from '../../src/base/log.ts';
import { seededRandom } from '../../src/base/random.ts';
import {
  nicBody,
  subscriptionId,
  testAzure,
  testImages,
  testSizes,
  vmBody,
  type TestAzure,
} from '../../src/emulator/azure/azure-fixture.ts';
import {
  azureWithCluster,
  machineBody,
  machinePath,
} from '../../src/emulator/azure/containerservice/container-service-fixture.ts';
import { at, objectAt, objectsAt, textAt, type JsonObject } from '../../src/emulator/kube/json.ts';
import { startFleet, type Fleet } from '../../src/emulator/nodes/fleet.ts';
import {
  apiServer,
  bootstrapToken,
  conditionsOf,
  testCluster,
  type TestCluster,
} from '../../src/emulator/nodes/node-fixture.ts';

const group = `/subscriptions/${subscriptionId}/resourceGroups/nodes`;
const network = `${group}/providers/Microsoft.Network`;
const compute = `${group}/providers/Microsoft.Compute`;
const location = 'southcentralus';

function startNodes({ azure, clock }: TestAzure, { cluster }: TestCluster): Fleet {
  const fleet = startFleet({
    clock,
    random: seededRandom(3),
    log: silentLogger,
    machines: azure.compute.events,
    sizes: azure.compute.catalog,
    endpoints: [
      {
        apiServer,
        authorityPem: cluster.authorityPem,
        handler: cluster.handler,
        cloudToken: cluster.administratorToken,
      },
    ],
  });
  onTestFinished(() => {
    fleet.stop();
    azure.stop();
  });
  return fleet;
}

function payload(authorityPem: string, node: TestNode): string {
  const settings = clusterSettings({
    apiServerName: apiServer,
    certificateAuthority: Buffer.from(authorityPem).toString('base64'),
    bootstrapToken,
  });
  const made = scriptlessCustomData(settings, testPlan({ size: 'Standard_D2s_v3', ...node }));
  if (!made.ok) throw new Error(made.reason);
  return made.customData;
}

interface Boot {
  readonly cluster: TestCluster;
  readonly fleet: Fleet;
  readonly azure: TestAzure;
  readonly customData: string;
  readonly node: JsonObject;
}

/** A machine in Azure with the payload that the provider makes, and the node that came of it. */
async function boot(node: TestNode, properties: JsonObject = {}): Promise<Boot> {
  const azure = testAzure({ sizes: testSizes, images: testImages });
  const cluster = await testCluster(azure.clock);
  const fleet = startNodes(azure, cluster);
  const customData = payload(cluster.cluster.authorityPem, node);
  await azure.send('PUT', `${group}?api-version=2024-11-01`, { location });
  await azure.finish('PUT', `${network}/virtualNetworks/vnet?api-version=2024-07-01`, {
    location,
    properties: {
      addressSpace: { addressPrefixes: ['10.0.0.0/8'] },
      subnets: [{ name: 'nodes', properties: { addressPrefix: '10.1.0.0/16' } }],
    },
  });
  const nic = `${network}/networkInterfaces/aks-default-a1b2c?api-version=2024-07-01`;
  await azure.finish('PUT', nic, nicBody('nodes'));
  const usual = vmBody({ name: 'aks-default-a1b2c', group: 'nodes', zones: ['2'] });
  const osProfile = { ...objectAt(usual, 'properties', 'osProfile'), customData };
  const body = {
    ...usual,
    properties: { ...objectAt(usual, 'properties'), osProfile, ...properties },
  };
  const vm = `${compute}/virtualMachines/aks-default-a1b2c?api-version=2024-11-01`;
  await azure.finish('PUT', vm, body);
  await azure.clock.advance(90_000);
  const made = await cluster.send('GET /api/v1/nodes/aks-default-a1b2c');
  return { cluster, fleet, azure, customData, node: made.body };
}

describe('a machine with the payload of a script', () => {
  test('is a ready node with the labels, taints and limits of its payload', async () => {
    const { node, customData, fleet } = await boot({
      spec: { maxPods: 42 },
      claim: {
        labels: { 'karpenter.sh/nodepool': 'default', team: 'search' },
        spec: {
          taints: [{ key: 'example.com/dedicated', value: 'search', effect: 'NoSchedule' }],
          startupTaints: [{ key: 'example.com/agent', effect: 'NoExecute' }],
        },
      },
    });
    const labels = Object.fromEntries(
      (decodeCustomData(customData)['KUBELET_NODE_LABELS'] ?? '')
        .split(',')
        .map((item) => item.split('=')),
    ) as Record<string, string>;
    expect([fleet.nodes()[0]?.phase, conditionsOf(node)['Ready']]).toEqual([
      'running',
      'True KubeletReady',
    ]);
    expect(at(node, 'metadata', 'labels')).toMatchObject(labels);
    expect(labels).toMatchObject({ 'karpenter.sh/nodepool': 'default', team: 'search' });
    expect(objectsAt(node, 'spec', 'taints')).toEqual([
      { key: 'example.com/dedicated', value: 'search', effect: 'NoSchedule' },
      { key: 'example.com/agent', effect: 'NoExecute' },
      { key: 'karpenter.sh/unregistered', effect: 'NoExecute' },
    ]);
    expect([
      at(node, 'status', 'allocatable', 'pods'),
      at(node, 'status', 'nodeInfo', 'kubeletVersion'),
      textAt(node, 'spec', 'providerID').toLowerCase(),
      textAt(node, 'metadata', 'labels', 'topology.kubernetes.io/zone'),
    ]).toEqual([
      '42',
      'v1.33.2',
      `azure://${compute}/virtualMachines/aks-default-a1b2c`.toLowerCase(),
      'southcentralus-2',
    ]);
  });

  test('keeps of its size what the payload says', async () => {
    const { node } = await boot({});
    const quantity = (list: string, name: string) =>
      Number.parseInt(textAt(node, 'status', list, name), 10);
    const keptKib = quantity('capacity', 'memory') - quantity('allocatable', 'memory');
    expect([at(node, 'status', 'allocatable', 'cpu'), keptKib]).toEqual([
      '1860m',
      (2662 + 750) * 1024,
    ]);
  });

  test.each(['1.30.9', '1.33.2', '1.34.1', '1.35.4'])(
    'starts a kubelet of version %s with flags that it knows',
    async (kubernetesVersion) => {
      const { node } = await boot({ plan: { kubernetesVersion } });
      expect(at(node, 'status', 'nodeInfo', 'kubeletVersion')).toBe(`v${kubernetesVersion}`);
    },
  );

  test('tells of its eviction before it goes, and its node goes with it', async () => {
    const spot = { priority: 'Spot', evictionPolicy: 'Delete', billingProfile: { maxPrice: -1 } };
    const { cluster, azure, fleet } = await boot({ plan: { capacityType: 'spot' } }, spot);
    const seen = async () =>
      conditionsOf((await cluster.send('GET /api/v1/nodes/aks-default-a1b2c')).body);
    azure.azure.compute.evictions.begin(`${compute}/virtualMachines/aks-default-a1b2c`);
    await azure.clock.advance(10_000);
    const warned = await seen();
    const machines = fleet.nodes().length;
    await azure.clock.advance(90_000);
    expect([warned['PreemptionScheduled'], warned['Ready'], machines]).toEqual([
      'True PreemptScheduled',
      'True KubeletReady',
      1,
    ]);
    const { code } = await cluster.send('GET /api/v1/nodes/aks-default-a1b2c');
    expect([code, fleet.nodes()]).toEqual([404, []]);
  });
});

describe('a machine of AKS', () => {
  test('is a node by its extension, with what was asked of AKS', async () => {
    const access: { cluster?: TestCluster } = {};
    const azure = await azureWithCluster({
      containerService: {
        clusterAccess: () =>
          access.cluster === undefined
            ? undefined
            : {
                kubeconfig: '',
                apiServer,
                caCertificate: access.cluster.cluster.authorityPem,
                bootstrapToken,
              },
      },
    });
    const cluster = await testCluster(azure.clock);
    access.cluster = cluster;
    startNodes(azure, cluster);
    const properties = objectAt(machineBody(), 'properties');
    const kubernetes = { ...objectAt(properties, 'kubernetes'), maxPods: 33 };
    await azure.finish('PUT', machinePath('default-abcde'), machineBody({ kubernetes }));
    await azure.clock.advance(90_000);
    const { body } = await cluster.send('GET /api/v1/nodes');
    const [node] = objectsAt(body, 'items');
    expect(node).toMatchObject({
      metadata: {
        labels: { 'karpenter.sh/nodepool': 'default', 'kubernetes.azure.com/mode': 'user' },
      },
      spec: { taints: [{ key: 'karpenter.sh/unregistered', effect: 'NoExecute' }] },
      status: { capacity: { pods: '33' }, nodeInfo: { kubeletVersion: 'v1.35.4' } },
    });
    expect(conditionsOf(node ?? {})['Ready']).toBe('True KubeletReady');
  });
});
