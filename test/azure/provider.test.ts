// The provider as the loops use it, on an Azure in this process.
import { describe, expect, test } from 'vitest';
import type { Node } from '../../src/api/core.ts';
import type { NodeClaim } from '../../src/api/node-claim.ts';
import { azureWithCluster } from '../../src/emulator/azure/containerservice/container-service-fixture.ts';
import {
  findCreateError,
  isInsufficientCapacity,
  isNodeClaimNotFound,
  isNodeClassNotReady,
} from '../../src/cloud/errors.ts';
import {
  adapterOn,
  readyClass,
  sized,
  testAdapter,
  testClaim,
  type Adapter,
} from '../support/azure/adapter.ts';
import {
  machineClass,
  machinePool,
  machinesOn,
  machineType,
  singly,
} from '../support/azure/machines.ts';
import { testProvider, type TestProvider } from '../support/azure/provider.ts';

const vmType = 'Microsoft.Compute/virtualMachines';
const name = 'default-a1b2c';
const small = testClaim(name, sized('Standard_D2s_v3'));

async function start(
  changes?: Parameters<typeof testAdapter>[0],
): Promise<TestProvider & { readonly adapter: Adapter }> {
  const adapter = await testAdapter(changes);
  return { ...testProvider(adapter), adapter };
}

function classOf(
  status: 'True' | 'False' | 'Unknown',
  changes: { readonly type?: string; readonly observedGeneration?: number } = {},
) {
  const { type = 'Ready', observedGeneration = 1 } = changes;
  const nodeClass = readyClass();
  const conditions = nodeClass.status?.conditions?.map((condition) =>
    condition.type === type
      ? { ...condition, status, observedGeneration, message: 'because' }
      : condition,
  );
  return { ...nodeClass, status: { ...nodeClass.status, conditions: conditions ?? [] } };
}

async function refusalOf(cluster: TestProvider & { readonly adapter: Adapter }, claim = small) {
  const { adapter, provider } = cluster;
  try {
    await adapter.settle(provider.create(claim, adapter.signal));
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('creating', () => {
  test('answers with the machine as a claim', async () => {
    const { adapter, provider } = await start();
    const claim = await adapter.settle(provider.create(small, adapter.signal));
    const { labels = {}, annotations = {} } = claim.metadata;
    expect({
      size: labels['node.kubernetes.io/instance-type'],
      zone: labels['topology.kubernetes.io/zone'],
      scope: labels['karpenter.azure.com/placement-scope'],
      type: labels['karpenter.sh/capacity-type'],
      priority: labels['kubernetes.azure.com/priority'],
      ultra: labels['karpenter.azure.com/sku-storage-ultra-ssd'],
      pool: labels['karpenter.sh/nodepool'],
      cpu: claim.status?.capacity?.['cpu'],
      image: claim.status?.imageID?.split('/').at(-1),
      hashVersion: annotations['karpenter.azure.com/aksnodeclass-hash-version'],
    }).toEqual({
      size: 'Standard_D2s_v3',
      zone: expect.stringMatching(/^southcentralus-[123]$/),
      scope: 'zonal',
      type: 'on-demand',
      priority: 'regular',
      ultra: 'false',
      pool: 'default',
      cpu: '2',
      image: '202502.09.0',
      hashVersion: 'v3',
    });
    expect(annotations['karpenter.azure.com/aksnodeclass-hash']).toMatch(/^\d+$/);
    expect(annotations['karpenter.azure.com/in-place-update-hash']).toMatch(/^\d+$/);
    expect(claim.status?.providerID).toMatch(/^azure:\/\/\/.*aks-default-a1b2c$/);
  });

  test('returns before the machine is complete when a pool owns the claim', async () => {
    const { adapter, provider } = await start();
    await adapter.settle(provider.create(small, adapter.signal));
    expect(adapter.left(`${vmType}/extensions`)).toEqual([]);
    await adapter.test.clock.advance(10 * 60 * 1000);
    expect(adapter.left(`${vmType}/extensions`)).toEqual(['computeAksLinuxBilling']);
  });

  test('returns only when the machine is complete when nobody owns the claim', async () => {
    const { adapter, provider } = await start();
    const alone: NodeClaim = { ...small, metadata: { name, uid: 'alone' } };
    await adapter.settle(provider.create(alone, adapter.signal));
    expect(adapter.left(`${vmType}/extensions`)).toEqual(['computeAksLinuxBilling']);
  });

  test('makes one machine of a claim that is created twice', async () => {
    const { adapter, provider } = await start();
    const first = await adapter.settle(provider.create(small, adapter.signal));
    const second = await adapter.settle(provider.create(small, adapter.signal));
    expect(second.status?.providerID).toBe(first.status?.providerID);
    await adapter.test.clock.advance(10 * 60 * 1000);
    expect(adapter.left(vmType)).toEqual([`aks-${name}`]);
  });

  test('gives a claim up whose class is gone, and tells why', async () => {
    const cluster = await start();
    cluster.classes.clear();
    expect(isInsufficientCapacity(await refusalOf(cluster))).toBe(true);
    expect(cluster.events.map(({ reason }) => reason)).toEqual(['NodeClassResolutionError']);
  });

  test.each([
    { state: classOf('False'), kind: 'not ready' },
    { state: classOf('Unknown'), kind: 'NodeClassReadinessUnknown' },
    { state: classOf('False', { type: 'ImagesReady' }), kind: 'other' },
    { state: classOf('True', { type: 'ImagesReady', observedGeneration: 7 }), kind: 'other' },
    { state: classOf('Unknown', { type: 'KubernetesVersionReady' }), kind: 'other' },
  ])('is refused by a class that cannot be used: $kind', async ({ state, kind }) => {
    const cluster = await start();
    cluster.classes.set('default', state);
    const error = await refusalOf(cluster);
    const seen = isNodeClassNotReady(error)
      ? 'not ready'
      : (findCreateError(error)?.conditionReason ?? 'other');
    expect(seen).toBe(kind);
    expect(cluster.adapter.left(vmType)).toEqual([]);
  });

  test('gives a claim up that no size can meet', async () => {
    const cluster = await start();
    const error = await refusalOf(cluster, testClaim(name, sized('Standard_D4s_v3')));
    expect(isInsufficientCapacity(error)).toBe(true);
  });

  test('shows what Azure said of a failure that no other offering escapes', async () => {
    const cluster = await start();
    const { faults } = cluster.adapter.test.azure.env;
    using _ = faults.add({
      operation: `${vmType}/write`,
      effect: { kind: 'refuse', status: 403, code: 'AuthorizationFailed', message: 'you may not' },
    });
    const error = findCreateError(await refusalOf(cluster));
    expect(error?.conditionReason).toBe('CreateInstanceFailed');
    expect(error?.conditionMessage).toContain('you may not');
    expect(cluster.adapter.left('Microsoft.Network/networkInterfaces')).toEqual([]);
  });
});

describe('offerings that Azure refuses', () => {
  const either = testClaim(name, [
    {
      key: 'node.kubernetes.io/instance-type',
      operator: 'In',
      values: ['Standard_D2s_v3', 'Standard_D64s_v3'],
    },
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
  ]);

  async function sizeMade(cluster: TestProvider & { readonly adapter: Adapter }, claim = either) {
    const { adapter, provider } = cluster;
    const made = await adapter.settle(provider.create(claim, adapter.signal));
    const { labels = {} } = made.metadata;
    return [
      labels['node.kubernetes.io/instance-type'],
      labels['karpenter.azure.com/placement-scope'],
    ];
  }

  test('are followed by the next cheapest at once: sold out in zones', async () => {
    const cluster = await start({
      capacity: ['1', '2', '3'].map((zone) => ({
        size: 'Standard_D2s_v3',
        zone,
        count: 0,
        failure: 'SkuNotAvailable' as const,
      })),
    });
    expect(await sizeMade(cluster)).toEqual(['Standard_D2s_v3', 'regional']);
  });

  test('are followed by the next cheapest at once: a size is sold out', async () => {
    const cluster = await start({
      capacity: [{ size: 'Standard_D2s_v3', count: 0, failure: 'SkuNotAvailable' }],
    });
    // Larger sizes of the family count as sold out with it, so there is nothing left.
    expect(isInsufficientCapacity(await refusalOf(cluster, either))).toBe(true);
    expect(cluster.adapter.left('Microsoft.Network/networkInterfaces')).toEqual([]);
  });

  test('are not tried when the quota is known to be used up', async () => {
    const cluster = await start({ quotas: [{ name: 'standardDSv3Family', limit: 1 }] });
    expect(isInsufficientCapacity(await refusalOf(cluster))).toBe(true);
    expect(cluster.adapter.seen.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  test('are followed by another family when the quota of one is met, and the quota is read again', async () => {
    const cluster = await start();
    const { test, seen } = cluster.adapter;
    test.azure.compute.quotas.set({ name: 'standardDSv3Family', limit: 1 });
    const any = testClaim(name, [
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
    ]);
    const [size] = await sizeMade(cluster, any);
    expect(size).toBe('Standard_D16plds_v5');
    expect(seen.filter(({ path }) => path.endsWith('/usages'))).toHaveLength(1);
  });

  test('count launches under way against the quota', async () => {
    const cluster = await start({ quotas: [{ name: 'standardDSv3Family', limit: 3 }] });
    await cluster.adapter.settle(cluster.provider.create(small, cluster.adapter.signal));
    const other = testClaim('default-other', sized('Standard_D2s_v3'));
    expect(isInsufficientCapacity(await refusalOf(cluster, other))).toBe(true);
  });
});

describe('a machine that fails after it was accepted', () => {
  test('ends its claim, tells why, leaves nothing, and teaches', async () => {
    const cluster = await start({
      capacity: [{ size: 'Standard_D2s_v3', count: 0, failure: 'ZonalAllocationFailed' }],
    });
    const { adapter, claims, ended, events } = cluster;
    await adapter.settle(cluster.launch(small, adapter.signal));
    await adapter.test.clock.advance(20 * 60 * 1000);
    expect([claims.size, ended]).toEqual([0, ['async_provisioning']]);
    expect(events.map(({ reason }) => reason)).toEqual(['AsyncProvisioningError']);
    expect(events[0]?.message).toContain('ZonalAllocationFailed');
    await adapter.sweep();
    expect(adapter.left(vmType)).toEqual([]);
    expect(adapter.left('Microsoft.Network/networkInterfaces')).toEqual([]);
    expect(adapter.unavailable.generation).toBeGreaterThan(0);
  });

  test('is left to the drain of its node when that has joined', async () => {
    const cluster = await start();
    const { adapter, claims, ended } = cluster;
    using _ = adapter.test.azure.env.faults.add({
      operation: `${vmType}/extensions/write`,
      effect: { kind: 'fail-late', code: 'VMExtensionProvisioningError' },
    });
    await adapter.settle(cluster.launch(small, adapter.signal));
    const launched = claims.get(name)!;
    const [condition] = launched.status?.conditions ?? [];
    const registered = { ...condition!, type: 'Registered' };
    claims.set(name, { ...launched, status: { conditions: [condition!, registered] } });
    await adapter.test.clock.advance(20 * 60 * 1000);
    expect([ended, adapter.left(vmType)]).toEqual([['async_provisioning'], [`aks-${name}`]]);
  });

  test('is nobody’s concern when its claim was deleted meanwhile', async () => {
    const cluster = await start();
    const { adapter, claims, ended, events } = cluster;
    const made = await adapter.settle(cluster.launch(small, adapter.signal));
    claims.delete(name);
    await adapter.settle(cluster.provider.delete(made, adapter.signal));
    await adapter.test.clock.advance(20 * 60 * 1000);
    expect([ended, events, adapter.left(vmType)]).toEqual([[], [], []]);
  });

  test('is the caller’s to hear of when nobody owns the claim', async () => {
    const cluster = await start({
      capacity: [{ size: 'Standard_D2s_v3', count: 0, failure: 'AllocationFailed' }],
    });
    const alone: NodeClaim = { ...small, metadata: { name, uid: 'alone' } };
    const error = findCreateError(await refusalOf(cluster, alone));
    expect(error?.conditionReason).toBe('AllocationFailure');
    expect(cluster.adapter.left(vmType)).toEqual([]);
  });
});

describe('machines that are there', () => {
  test('are got, listed and deleted by what their claims say', async () => {
    const { adapter, provider } = await start();
    const { signal } = adapter;
    const made = await adapter.settle(provider.create(small, signal));
    await adapter.test.clock.advance(10 * 60 * 1000);
    const id = made.status?.providerID ?? '';
    const got = await adapter.settle(provider.get(id, signal));
    expect([got.metadata.name, got.status?.capacity]).toEqual([name, made.status?.capacity]);
    const listed = await adapter.settle(provider.list(signal));
    expect(listed.map(({ status }) => status?.providerID)).toEqual([id]);
    await adapter.settle(provider.delete(made, signal));
    const going = await adapter.settle(provider.get(id, signal));
    expect(going.metadata.deletionTimestamp).toBeDefined();
    await adapter.settle(provider.delete(made, signal));
    await adapter.test.clock.advance(5 * 60 * 1000);
    await expect(adapter.settle(provider.delete(made, signal))).rejects.toSatisfy(
      isNodeClaimNotFound,
    );
    await expect(adapter.settle(provider.get(id, signal))).rejects.toSatisfy(isNodeClaimNotFound);
  });

  test('are listed without their type when pool or class is gone', async () => {
    const cluster = await start();
    const { adapter, provider, pools } = cluster;
    await adapter.settle(provider.create(small, adapter.signal));
    pools.clear();
    const [listed] = await adapter.settle(provider.list(adapter.signal));
    expect([listed?.metadata.name, listed?.status?.capacity]).toEqual([name, undefined]);
  });
});

describe('instance types', () => {
  test('are those of the pool’s class, also when none can be had', async () => {
    const { provider, pools } = await start({
      quotas: [{ name: 'cores', limit: 0 }],
    });
    const types = await provider.getInstanceTypes(pools.get('default')!);
    expect(types.map((type) => type.name)).toContain('Standard_D2s_v3');
  });

  test('are an error, never an empty list, without the class', async () => {
    const { provider, pools, classes, events } = await start();
    classes.clear();
    await expect(provider.getInstanceTypes(pools.get('default')!)).rejects.toMatchObject({
      code: 'NodeClassMissing',
    });
    expect(events[0]?.object.kind).toBe('NodePool');
  });
});

describe('drift', () => {
  const providerID =
    'azure:///subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/aks-default-a1b2c';

  async function driftOf(changes: {
    readonly claim?: Partial<NodeClaim['metadata']>;
    readonly imageID?: string;
    readonly node?: Partial<Node>;
    readonly classHash?: string;
    readonly prepare?: (cluster: TestProvider) => void;
  }) {
    const cluster = await start();
    const current = readyClass().status?.images?.[0]?.id;
    const hash = (value: string) => ({
      'karpenter.azure.com/aksnodeclass-hash': value,
      'karpenter.azure.com/aksnodeclass-hash-version': 'v3',
    });
    const nodeClass = readyClass();
    cluster.classes.set('default', {
      ...nodeClass,
      metadata: { ...nodeClass.metadata, annotations: hash(changes.classHash ?? '1') },
    });
    cluster.nodes.push({ metadata: { name: 'n' }, ...changes.node, spec: { providerID } });
    changes.prepare?.(cluster);
    const claim: NodeClaim = {
      ...small,
      metadata: { ...small.metadata, annotations: hash('1'), ...changes.claim },
      status: { providerID, imageID: changes.imageID ?? current ?? '' },
    };
    return await cluster.provider.isDrifted(claim, cluster.adapter.signal);
  }

  const kubelet = (kubeletVersion: string): Partial<Node> => ({
    status: { nodeInfo: { kubeletVersion } },
  });
  const identity = (value: string): Partial<Node> => ({
    metadata: { name: 'n', labels: { 'kubernetes.azure.com/kubelet-identity-client-id': value } },
  });

  test.each([
    ['nothing', {}, undefined],
    ['another hash', { classHash: '2' }, 'NodeClassDrift'],
    ['an older kubelet', { node: kubelet('v1.32.9') }, 'K8sVersionDrift'],
    ['the same kubelet', { node: kubelet('v1.33.2') }, undefined],
    ['a newer kubelet', { node: kubelet('v1.34.0') }, undefined],
    ['another identity', { node: identity('other') }, 'KubeletIdentityDrift'],
    ['a node without the label', { node: identity('') }, undefined],
    ['another image', { imageID: '/CommunityGalleries/g/images/i/versions/1' }, 'ImageDrift'],
    ['no pool', { prepare: ({ pools }: TestProvider) => pools.clear() }, undefined],
    ['no class', { prepare: ({ classes }: TestProvider) => classes.clear() }, undefined],
    ['no label of a pool', { claim: { labels: {} }, classHash: '2' }, undefined],
  ] as const)('by %s', async (_, changes, reason) => {
    expect(await driftOf(changes)).toBe(reason);
  });

  test('cannot be told without a provider id', async () => {
    const { provider, adapter } = await start();
    await expect(provider.isDrifted(small, adapter.signal)).rejects.toMatchObject({
      code: 'ProviderIdMissing',
    });
  });
});

describe('AKS machines', () => {
  async function startMachines() {
    const adapter = await adapterOn(await azureWithCluster());
    const instances = machinesOn(adapter, singly);
    const { pool } = machinePool;
    return { adapter, ...testProvider(adapter, { instances, nodeClass: machineClass, pool }) };
  }

  async function launchedMachine() {
    const cluster = await startMachines();
    const { adapter, provider } = cluster;
    const claim = await adapter.settle(provider.create(small, adapter.signal));
    await adapter.test.clock.advance(10 * 60 * 1000);
    return { ...cluster, claim };
  }

  test('are known by their annotation and by the shape of their name', async () => {
    const { adapter, provider, claim } = await launchedMachine();
    const { signal } = adapter;
    const machineId = claim.metadata.annotations?.['karpenter.azure.com/aks-machine-resource-id'];
    expect(machineId).toMatch(/\/agentPools\/machines\/machines\/default-a1b2c$/);
    const id = claim.status?.providerID ?? '';
    expect(id).toMatch(/\/aks-machines-default-a1b2c-\d{8}-vm$/);
    expect(claim.status?.imageID).toBe('AKSUbuntu-2204gen2containerd-202502.09.0');
    const got = await adapter.settle(provider.get(id, signal));
    expect([got.metadata.name, got.metadata.annotations]).toEqual([
      name,
      { 'karpenter.azure.com/aks-machine-resource-id': machineId },
    ]);
    const listed = await adapter.settle(provider.list(signal));
    expect(listed.map(({ status }) => status?.providerID)).toEqual([id]);
    await adapter.settle(provider.delete(claim, signal));
    await adapter.test.clock.advance(10 * 60 * 1000);
    await expect(adapter.settle(provider.delete(claim, signal))).rejects.toSatisfy(
      isNodeClaimNotFound,
    );
  });

  test.each([
    ['Synced', undefined],
    ['Recreate', 'ClusterConfigDrift'],
    ['SomethingNew', 'ClusterConfigDrift'],
  ])('drift when AKS says %s: %s', async (driftAction, reason) => {
    const { adapter, provider, claim } = await launchedMachine();
    const { store, lifecycle } = adapter.test.azure.env;
    const machine = store.list(machineType).find((one) => one.name === name);
    lifecycle.update(machine?.id ?? '', (body) => ({
      ...body,
      properties: {
        ...(body['properties'] as object),
        status: { creationTimestamp: '2026-01-01T00:00:00Z', driftAction },
      },
    }));
    const running: NodeClaim = { ...small, ...claim, spec: small.spec };
    expect(await adapter.settle(provider.isDrifted(running, adapter.signal))).toBe(reason);
  });
});

test('a claim that goes before its machine was on record takes the machine with it', async () => {
  const { adapter, provider } = await start();
  await adapter.settle(provider.create(small, adapter.signal));
  await adapter.settle(provider.delete(small, adapter.signal));
  await adapter.test.clock.advance(10 * 60 * 1000);
  expect(adapter.left(vmType)).toEqual([]);
  await expect(adapter.settle(provider.delete(small, adapter.signal))).rejects.toSatisfy(
    isNodeClaimNotFound,
  );
});

test('nodes are repaired after ten minutes of silence, and at once when Azure says so', async () => {
  const { provider } = await start();
  expect(
    provider.repairPolicies.map(({ conditionType, conditionStatus, tolerationMs }) =>
      [conditionType, conditionStatus, tolerationMs / 60_000].join(' '),
    ),
  ).toEqual([
    'Ready False 10',
    'Ready Unknown 10',
    'kubernetes.azure.com/NodeHealthy False 0',
    'PreemptionScheduled True 0',
  ]);
});
