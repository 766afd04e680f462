// The adapter on an Azure in this process: a cluster's network is there, sizes and quotas are read, virtual time stands still.
// In: what a test wants different. Out: both sides, and what is left in Azure.
import type { AKSNodeClass, AKSNodeClassSpec } from '../../../src/api/aks-node-class.ts';
import type { NodeClaim, NodeClaimRequirement } from '../../../src/api/node-claim.ts';
import { armMetrics } from '../../../src/azure/arm/arm-metrics.ts';
import { Arm } from '../../../src/azure/arm/send.ts';
import { skuSource } from '../../../src/azure/arm/skus.ts';
import type { Transport } from '../../../src/azure/arm/transport.ts';
import { usageSource } from '../../../src/azure/arm/usages.ts';
import { InstanceTypeCatalog } from '../../../src/azure/catalog/instance-type-catalog.ts';
import { clusterLabelValue } from '../../../src/azure/catalog/label-rules.ts';
import { LearntCapacity } from '../../../src/azure/catalog/learnt-capacity.ts';
import { PriceBook } from '../../../src/azure/catalog/price-book.ts';
import { QuotaBook } from '../../../src/azure/catalog/quota.ts';
import { UnavailableOfferings } from '../../../src/azure/catalog/unavailable-offerings.ts';
import { LaunchMetrics } from '../../../src/azure/instance/launch-metrics.ts';
import { scriptlessBoot } from '../../../src/azure/instance/node-boot.ts';
import { sweepInstances, sweepInterfaces } from '../../../src/azure/instance/sweeps.ts';
import {
  type LaunchSettings,
  VmInstances,
  type VmInstancesOptions,
} from '../../../src/azure/instance/vm-instances.ts';
import { backendPoolLookup } from '../../../src/azure/network/backend-pools.ts';
import { securityGroupLookup } from '../../../src/azure/network/managed-security-group.ts';
import { silentLogger } from '../../../src/base/log.ts';
import { MetricsRegistry } from '../../../src/base/metrics.ts';
import { seededRandom } from '../../../src/base/random.ts';
import {
  armUrl,
  owner,
  subscriptionId,
  tenantId,
  testAzure,
  testImages,
  testSizes,
  type TestAzure,
} from '../../../src/emulator/azure/azure-fixture.ts';
import { inProcessTransport, type SeenCall } from './in-process-transport.ts';
import { classWith } from './node-class.ts';

export const nodeGroup = 'MC_group_cluster_southcentralus';
const location = 'southcentralus';
const place = `/subscriptions/${subscriptionId}/resourceGroups/${nodeGroup}`;
const network = `${place}/providers/Microsoft.Network`;
export const subnetId = `${network}/virtualNetworks/aks-vnet-12345678/subnets/aks-subnet`;

export const imageIds = testImages.map(
  ({ gallery, definition, versions }) =>
    `/CommunityGalleries/${gallery}/images/${definition}/versions/${versions.at(-1)?.version}`,
);

export interface Adapter {
  readonly test: TestAzure;
  readonly arm: Arm;
  readonly seen: SeenCall[];
  readonly transport: Transport;
  readonly registry: MetricsRegistry;
  readonly catalog: InstanceTypeCatalog;
  readonly quota: QuotaBook;
  readonly unavailable: UnavailableOfferings;
  readonly vms: VmInstances;
  readonly signal: AbortSignal;
  /** Names of what is in Azure, by type. */
  left(type: string): string[];
  /** What the garbage collectors do, some time after; `claims` are the names that are still there. */
  sweep(claims?: readonly string[]): Promise<void>;
  /** Lets time pass until the work is done. */
  settle<T>(work: Promise<T>): Promise<T>;
}

type AzureChanges = Parameters<typeof testAzure>[0];

export async function testAdapter(changes: AzureChanges = {}): Promise<Adapter> {
  const test = testAzure({ sizes: testSizes, images: testImages, ...changes });
  await makeNetwork(test);
  return await adapterOn(test);
}

/** A second process on the same Azure. */
export async function adapterOn(
  test: TestAzure,
  options: {
    readonly wrap?: (transport: Transport) => Transport;
    readonly vms?: Partial<VmInstancesOptions>;
  } = {},
): Promise<Adapter> {
  const { clock, azure } = test;
  const { wrap = (transport: Transport) => transport } = options;
  const seen: SeenCall[] = [];
  const registry = new MetricsRegistry();
  const transport = wrap(inProcessTransport(azure.armHandler, seen));
  const arm = new Arm({
    endpoint: armUrl,
    transport,
    tokens: { token: () => Promise.resolve(test.tokenOf(owner)), forget: () => undefined },
    clock,
    random: seededRandom(7),
    log: silentLogger,
    metrics: armMetrics(registry),
    userAgent: 'karpenter-aks/v0.1.0',
  });
  const region = { subscriptionId, location };
  const quota = new QuotaBook({ clock, source: usageSource(arm, region) });
  const unavailable = new UnavailableOfferings({ clock });
  const catalog = new InstanceTypeCatalog({
    source: skuSource(arm, region),
    cluster: {
      region: location,
      clusterLabel: clusterLabelValue(nodeGroup),
      memoryOverheadShare: 0.075,
    },
    network: { plugin: 'azure', pluginMode: 'overlay' },
    market: {
      prices: new PriceBook({ region: location, source: { page: () => Promise.resolve({}) } }),
      quota,
      unavailable,
      learnt: new LearntCapacity(),
    },
    log: silentLogger,
  });
  const nodes = { subscriptionId, resourceGroup: nodeGroup };
  const vms = new VmInstances({
    arm,
    cluster: () => settings,
    settings: { sshPublicKey: 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ a@b', nodeIdentities: [] },
    boot: scriptlessBoot,
    hasScript: false,
    hasBilling: true,
    pools: backendPoolLookup(arm, nodes),
    securityGroups: securityGroupLookup(arm, nodes),
    metrics: new LaunchMetrics(registry),
    log: silentLogger,
    ...options.vms,
  });
  const { signal } = new AbortController();
  await settle(test, Promise.all([catalog.refresh(signal), quota.refresh(signal)]));
  seen.length = 0;
  return {
    test,
    arm,
    seen,
    transport,
    registry,
    catalog,
    quota,
    unavailable,
    vms,
    signal,
    left: (type) => azure.env.store.list(type).map(({ name }) => name),
    sweep: (claims = []) => sweep(test, { arm, vms, signal }, claims),
    settle: (work) => settle(test, work),
  };
}

const sweepAfterMs = 10 * 60 * 1000;

async function sweep(
  test: TestAzure,
  { arm, vms, signal }: Pick<Adapter, 'arm' | 'vms' | 'signal'>,
  claims: readonly string[],
): Promise<void> {
  const { clock } = test;
  await clock.advance(sweepAfterMs);
  const names = new Set(claims.map((name) => `aks-${name}`));
  const owned = (await settle(test, vms.list(signal))).filter(({ name }) => names.has(name));
  const ids = new Set(owned.map(({ providerId }) => providerId));
  await settle(test, sweepInstances({ instances: vms, owned: () => ids, clock, signal }));
  await clock.advance(sweepAfterMs);
  await settle(
    test,
    sweepInterfaces({
      arm,
      nodeGroup: { subscriptionId, resourceGroup: nodeGroup },
      vmNames: async () => (await vms.list(signal)).map(({ name }) => name),
      nodeClaimNames: () => claims,
      log: silentLogger,
      signal,
    }),
  );
}

export const settings: LaunchSettings = {
  cloud: 'AzurePublicCloud',
  tenantId,
  subscriptionId,
  location,
  clusterName: 'cluster',
  clusterResourceGroup: 'group',
  nodeResourceGroup: nodeGroup,
  apiServerName: 'cluster.hcp.southcentralus.azmk8s.io',
  certificateAuthority: 'Y2E=',
  bootstrapToken: 'abcdef.0123456789abcdef',
  kubeletIdentityClientId: '99999999-0000-4000-8000-000000000000',
  adminUsername: 'azureuser',
  additionalTags: { team: 'nodes' },
  network: {
    plugin: 'azure',
    pluginMode: 'overlay',
    dataplane: 'cilium',
    policy: 'cilium',
    subnetId,
    vnetGuid: 'guid-1',
    dnsServiceIp: '10.0.0.10',
  },
};

/** A class that is ready, with the images that the emulated galleries have. */
export function readyClass(
  spec: Partial<AKSNodeClassSpec> = {},
  status: { readonly gallery?: 'shared'; readonly kubernetesVersion?: string } = {},
): AKSNodeClass {
  const { gallery, kubernetesVersion = '1.33.2' } = status;
  const conditions = [
    'Ready',
    'ImagesReady',
    'KubernetesVersionReady',
    'SubnetsReady',
    'ValidationSucceeded',
    'LocalDNSReady',
  ].map((type) => ({
    type,
    status: 'True' as const,
    observedGeneration: 1,
    lastTransitionTime: '2026-01-01T00:00:00Z',
    reason: type,
    message: '',
  }));
  const [amd64 = '', arm64 = ''] = gallery === 'shared' ? imageIds.map(asShared) : imageIds;
  const images = [
    { id: amd64, requirements: imageRequirements('amd64') },
    { id: arm64, requirements: imageRequirements('arm64') },
  ];
  return classWith(
    { imageFamily: 'Ubuntu2204', ...spec },
    { kubernetesVersion, conditions, images },
  );
}

/** The same image where AKS itself takes it from. */
function asShared(imageId: string): string {
  const [, tail] = imageId.split('/images/');
  return `/subscriptions/aks/resourceGroups/AKS-Ubuntu/providers/Microsoft.Compute/galleries/AKSUbuntu/images/${tail}`;
}

function imageRequirements(arch: string) {
  return [
    { key: 'kubernetes.io/arch', operator: 'In', values: [arch] },
    { key: 'karpenter.azure.com/sku-hyperv-generation', operator: 'In', values: ['2'] },
  ];
}

export function testClaim(
  name: string,
  requirements: readonly NodeClaimRequirement[] = [],
): NodeClaim {
  return {
    metadata: { name, uid: `uid-${name}`, labels: { 'karpenter.sh/nodepool': 'default' } },
    spec: {
      nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' },
      requirements,
      expireAfter: 'Never',
      resources: { requests: { cpu: '1' } },
    },
  };
}

/** Exactly this size, on demand. */
export function sized(size: string, capacityType = 'on-demand'): NodeClaimRequirement[] {
  return [
    { key: 'node.kubernetes.io/instance-type', operator: 'In', values: [size] },
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: [capacityType] },
  ];
}

async function makeNetwork(test: TestAzure): Promise<void> {
  const put = async (target: string, properties: object, version: string) => {
    const body = JSON.parse(JSON.stringify({ location, properties })) as Record<string, never>;
    const answer = await test.finish('PUT', `${target}?api-version=${version}`, body);
    if (answer.status >= 300) throw new Error(`${target}: ${JSON.stringify(answer.body)}`);
  };
  const version = '2024-05-01';
  await put(place, {}, '2021-04-01');
  await put(
    `${network}/virtualNetworks/aks-vnet-12345678`,
    {
      addressSpace: { addressPrefixes: ['10.224.0.0/12'] },
      subnets: [{ name: 'aks-subnet', properties: { addressPrefix: '10.224.0.0/16' } }],
    },
    version,
  );
  await put(`${network}/networkSecurityGroups/aks-agentpool-12345678-nsg`, {}, version);
  await put(
    `${network}/loadBalancers/kubernetes`,
    {
      backendAddressPools: [{ name: 'kubernetes' }, { name: 'aksOutboundBackendPool' }],
    },
    version,
  );
}

async function settle<T>(test: TestAzure, work: Promise<T>): Promise<T> {
  let isOver = false;
  const watched = work.finally(() => {
    isOver = true;
  });
  watched.catch(() => undefined);
  await test.clock.runUntil(() => isOver, { limitMs: 3 * 3600 * 1000, what: 'azure work' });
  return await watched;
}
