import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { testCluster, testPlan } from '../bootstrap/test-node.ts';
import { poolsToJoin } from './backend-pools.ts';
import { CachedLookup } from './cached-lookup.ts';
import { managedOf } from './managed-security-group.ts';
import { nodeInterface } from './node-interface.ts';
import { isInManagedNetwork, subnetRefusal } from './subnet-choice.ts';

const subnetOf = (group: string, network: string, subnet: string, subscription = 's') =>
  `/subscriptions/${subscription}/resourceGroups/${group}/providers/Microsoft.Network/virtualNetworks/${network}/subnets/${subnet}`;
const managed = subnetOf('MC_g', 'aks-vnet-12345678', 'aks-subnet');
const own = subnetOf('net', 'corp', 'nodes');

describe('a lookup', () => {
  function lookup() {
    const clock = new VirtualClock();
    const state = { looked: 0 };
    const load = () => Promise.resolve(++state.looked);
    const { signal } = new AbortController();
    return { clock, state, signal, cache: new CachedLookup({ clock, ttlMs: 1000, load }) };
  }

  test('is made once for all who ask at the same time and while it is kept', async () => {
    const { clock, cache, signal } = lookup();
    const found = await Promise.all([cache.get(signal), cache.get(signal)]);
    await clock.advance(999);
    const later = await cache.get(signal);
    await clock.advance(1);
    const last = await cache.get(signal);
    expect([...found, later, last].map(({ value }) => value)).toEqual([1, 1, 1, 2]);
  });

  test('is made again once, however many found the same answer wrong', async () => {
    const { cache, signal, state } = lookup();
    const wrong = await cache.get(signal);
    const newer = await Promise.all([cache.getNewer(wrong, signal), cache.getNewer(wrong, signal)]);
    const late = await cache.getNewer(wrong, signal);
    expect([...newer, late].map(({ value }) => value)).toEqual([2, 2, 2]);
    expect(state.looked).toBe(2);
  });

  test('that fails is not kept', async () => {
    const clock = new VirtualClock();
    let isBroken = true;
    const load = () => (isBroken ? Promise.reject(new Error('down')) : Promise.resolve(1));
    const cache = new CachedLookup({ clock, ttlMs: 1000, load });
    const { signal } = new AbortController();
    await expect(cache.get(signal)).rejects.toThrow('down');
    isBroken = false;
    expect((await cache.get(signal)).value).toBe(1);
  });
});

describe('pools to join', () => {
  const pool = (name: string, ip?: string) => ({
    id: `/${name}`,
    name,
    properties: {
      loadBalancerBackendAddresses: [{ properties: ip === undefined ? {} : { ipAddress: ip } }],
    },
  });

  test('are those of Kubernetes’ own load balancers that take IPv4 interfaces', () => {
    const balancer = (name: string, ...pools: object[]) => ({
      name,
      properties: { backendAddressPools: pools },
    });
    const joined = poolsToJoin([
      balancer(
        'Kubernetes',
        pool('kubernetes'),
        pool('aksOutboundBackendPool'),
        pool('kubernetes-ipv6'),
      ),
      balancer('kubernetes-internal', pool('internal'), pool('by-address', '10.0.0.1'), {
        name: 'new',
      }),
      balancer('other', pool('foreign')),
      { name: 'kubernetes' },
    ]);
    expect(joined).toEqual(['/kubernetes', '/aksOutboundBackendPool', '/internal']);
  });
});

describe('the managed security group', () => {
  const group = (name: string) => ({ id: `/${name}`, name });

  test('is the one with AKS’s name', () => {
    const groups = [group('mine'), group('AKS-agentpool-12345678-nsg')];
    expect(managedOf(groups, 'MC_g').name).toBe('AKS-agentpool-12345678-nsg');
  });

  test.each([
    { names: [] },
    { names: ['aks-agentpool-1234-nsg'] },
    { names: ['aks-agentpool-12345678-nsg', 'aks-agentpool-87654321-nsg'] },
  ])('must be exactly one: $names', ({ names }) => {
    expect(() => managedOf(names.map(group), 'MC_g')).toThrow('exactly one');
  });
});

describe('a subnet', () => {
  test.each([
    [managed, true],
    [managed.toUpperCase(), true],
    [subnetOf('other', 'aks-vnet-12345678', 'aks-subnet'), false],
    [subnetOf('MC_g', 'corp', 'aks-subnet'), false],
    [subnetOf('MC_g', 'aks-vnet-12345678', 'mine'), false],
    ['nonsense', false],
  ])('%s is AKS’s own: %s', (id, expected) => {
    expect(isInManagedNetwork(id, 'mc_G')).toBe(expected);
  });

  test.each([
    ['none of its own', undefined, own, undefined],
    ['the cluster’s', own, own, undefined],
    ['the cluster’s in other letters', own.toUpperCase(), own, undefined],
    ['another of the same network', subnetOf('net', 'CORP', 'more'), own, undefined],
    ['another network', subnetOf('net', 'other', 'nodes'), own, 'not in the cluster’s'],
    ['another group', subnetOf('other', 'corp', 'nodes'), own, 'not in the cluster’s'],
    ['another subscription', subnetOf('net', 'corp', 'nodes', 'x'), own, 'not in the cluster’s'],
    ['one in AKS’s network', subnetOf('MC_g', 'aks-vnet-12345678', 'mine'), managed, 'AKS manages'],
    ['no id', 'subnet-1', own, 'not the id of a subnet'],
  ])('of a class may be %s or not', (_, classSubnetId, clusterSubnetId, refusal) => {
    const seen = subnetRefusal({ classSubnetId, clusterSubnetId, nodeResourceGroup: 'MC_g' });
    const expected = refusal?.replaceAll('’', "'");
    expect(seen?.includes(expected ?? '') ?? 'allowed').toBe(
      expected === undefined ? 'allowed' : true,
    );
  });
});

describe('the interface of a node', () => {
  const parts = { name: 'aks-a', pools: ['/pool'], securityGroupId: '/nsg' };
  const interfaceOf = (
    network: Parameters<typeof testCluster>[0],
    node?: Parameters<typeof testPlan>[0],
  ) => nodeInterface(testCluster(network), testPlan(node), parts);

  test('has one address, the pools and no security group in AKS’s network with an overlay', () => {
    const { properties } = interfaceOf({ nodeResourceGroup: 'net-group' });
    expect(properties).toEqual({
      enableAcceleratedNetworking: true,
      enableIPForwarding: false,
      ipConfigurations: [
        {
          name: 'aks-a',
          properties: {
            primary: true,
            privateIPAllocationMethod: 'Dynamic',
            subnet: { id: testCluster().network.subnetId },
            loadBalancerBackendAddressPools: [{ id: '/pool' }],
          },
        },
      ],
    });
  });

  test.each([
    ['30 by default on the node’s subnet', { pluginMode: '' }, {}, 30],
    ['as many as pods', { pluginMode: '' }, { maxPods: 12 }, 12],
    ['one with an overlay', {}, { maxPods: 12 }, 1],
    ['one without a plugin', { plugin: 'none', pluginMode: '' }, {}, 1],
  ] as const)('has %s', (_, network, spec, count) => {
    const { properties } = interfaceOf({ network }, { spec });
    expect(properties.ipConfigurations).toHaveLength(count);
    const rest = properties.ipConfigurations.slice(1);
    expect(rest.map(({ name }) => name)).toEqual(rest.map((_, i) => `ipconfig${i + 1}`));
    expect(rest.some((one) => one.properties.loadBalancerBackendAddressPools)).toBe(false);
  });

  test.each([
    ['the cluster’s network is one’s own', { network: { subnetId: own } }, {}],
    ['the class’s is', { nodeResourceGroup: 'net-group' }, { vnetSubnetID: own }],
  ] as const)('is behind the security group when %s', (_, cluster, spec) => {
    const { properties } = interfaceOf(cluster, { spec });
    expect(properties.networkSecurityGroup).toEqual({ id: '/nsg' });
    expect(properties.ipConfigurations[0]?.properties.subnet.id).toBe(own);
  });
});
