// The official network client against the emulated Azure: networks, interfaces, and what hinders what.
import { NetworkManagementClient } from '@azure/arm-network';
import { ResourceManagementClient } from '@azure/arm-resources';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AzureServer } from '../../../src/emulator/azure/server.ts';
import { clientsOf, location, startTestAzure, subscriptionId } from './sdk.ts';

let server: AzureServer;
let network: NetworkManagementClient;
const group = 'nodes';
const place = `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers/Microsoft.Network`;

beforeAll(async () => {
  server = await startTestAzure();
  const { credential, options } = clientsOf(server);
  const resources = new ResourceManagementClient(credential, subscriptionId, options);
  await resources.resourceGroups.createOrUpdate(group, { location });
  network = new NetworkManagementClient(credential, subscriptionId, options);
  await network.virtualNetworks.createOrUpdate(group, 'vnet', {
    location,
    addressSpace: { addressPrefixes: ['10.224.0.0/12'] },
    subnets: [{ name: 'nodes', addressPrefix: '10.224.0.0/16' }],
  });
});

afterAll(async () => {
  await server.stop();
});

test('a network shows its subnets and keeps its guid over updates', async () => {
  const before = await network.virtualNetworks.get(group, 'vnet');
  await network.subnets.createOrUpdate(group, 'vnet', 'second', { addressPrefix: '10.225.0.0/16' });
  const after = await network.virtualNetworks.get(group, 'vnet');
  expect(after).toMatchObject({
    id: `${place}/virtualNetworks/vnet`,
    resourceGuid: before.resourceGuid,
    subnets: [
      { name: 'nodes', addressPrefix: '10.224.0.0/16', provisioningState: 'Succeeded' },
      { name: 'second', addressPrefix: '10.225.0.0/16', provisioningState: 'Succeeded' },
    ],
  });
});

test('an interface gets the first free address and gives it back', async () => {
  const body = {
    location,
    tags: { 'karpenter.sh_nodepool': 'default' },
    ipConfigurations: [
      { name: 'a', primary: true, subnet: { id: `${place}/virtualNetworks/vnet/subnets/nodes` } },
    ],
  };
  const created = await network.networkInterfaces.createOrUpdate(group, 'aks-a', body);
  const tagged = await network.networkInterfaces.updateTags(group, 'aks-a', { tags: { x: 'y' } });
  await expect(network.subnets.delete(group, 'vnet', 'nodes')).rejects.toMatchObject({
    code: 'InUseSubnetCannotBeDeleted',
  });
  await network.networkInterfaces.delete(group, 'aks-a');
  const again = await network.networkInterfaces.createOrUpdate(group, 'aks-b', body);
  expect([created, again].map((nic) => nic.ipConfigurations?.[0]?.privateIPAddress)).toEqual([
    '10.224.0.4',
    '10.224.0.4',
  ]);
  expect([created.provisioningState, tagged.tags]).toEqual(['Succeeded', { x: 'y' }]);
  await expect(network.networkInterfaces.get(group, 'aks-a')).rejects.toMatchObject({
    statusCode: 404,
    code: 'ResourceNotFound',
  });
});

test('a backend pool shows its members, and a missing one is named in the refusal', async () => {
  await network.loadBalancers.createOrUpdate(group, 'kubernetes', {
    location,
    backendAddressPools: [{ name: 'kubernetes' }],
  });
  const pool = `${place}/loadBalancers/kubernetes/backendAddressPools/kubernetes`;
  const nic = (id: string) => ({
    location,
    ipConfigurations: [
      {
        name: 'a',
        subnet: { id: `${place}/virtualNetworks/vnet/subnets/nodes` },
        loadBalancerBackendAddressPools: [{ id }],
      },
    ],
  });
  await network.networkInterfaces.createOrUpdate(group, 'member', nic(pool));
  const balancers = [];
  for await (const one of network.loadBalancers.list(group)) balancers.push(one);
  expect(balancers[0]?.backendAddressPools?.[0]).toMatchObject({
    id: pool,
    backendIPConfigurations: [{ id: `${place}/networkInterfaces/member/ipConfigurations/a` }],
  });
  const refused = network.networkInterfaces.createOrUpdate(group, 'lost', nic(`${pool}-gone`));
  await expect(refused).rejects.toMatchObject({
    code: 'InvalidResourceReference',
    message: expect.stringContaining(`${pool}-gone`) as string,
  });
});

test('a security group that an interface is under stays', async () => {
  const created = await network.networkSecurityGroups.createOrUpdate(group, 'nsg', { location });
  await network.networkInterfaces.createOrUpdate(group, 'guarded', {
    location,
    networkSecurityGroup: { id: `${place}/networkSecurityGroups/nsg` },
    ipConfigurations: [
      { name: 'a', subnet: { id: `${place}/virtualNetworks/vnet/subnets/nodes` } },
    ],
  });
  expect(created.defaultSecurityRules?.map((rule) => rule.name)).toContain('DenyAllInBound');
  await expect(network.networkSecurityGroups.delete(group, 'nsg')).rejects.toMatchObject({
    code: 'InUseNetworkSecurityGroupCannotBeDeleted',
  });
});
