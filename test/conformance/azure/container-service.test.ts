// The official clients of AKS, of managed identities and of Resource Graph against the emulated Azure: a cluster from its
// creation to its end, its pools, its machines, who it is, and how its nodes are found.
import { ContainerServiceClient } from '@azure/arm-containerservice';
import { ManagedServiceIdentityClient } from '@azure/arm-msi';
import { ResourceGraphClient } from '@azure/arm-resourcegraph';
import { ResourceManagementClient } from '@azure/arm-resources';
import {
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineRequest,
} from '@azure/core-rest-pipeline';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AzureServer } from '../../../src/emulator/azure/server.ts';
import {
  clusterBody,
  machineBody,
  testKubeconfig,
} from '../../../src/emulator/azure/containerservice/container-service-fixture.ts';
import {
  clientsOf,
  location,
  startTestAzure,
  subscriptionId,
  testImages,
  testSizes,
} from './sdk.ts';

let server: AzureServer;
let service: ContainerServiceClient;
let identities: ManagedServiceIdentityClient;
let graph: ResourceGraphClient;
const group = 'main';
const cluster = 'prod';
const poll = { updateIntervalInMs: 1 };

beforeAll(async () => {
  server = await startTestAzure({
    sizes: testSizes,
    images: testImages,
    retryAfterSeconds: 0,
    containerService: { clusterAccess: () => ({ kubeconfig: testKubeconfig }) },
  });
  const { credential, options } = clientsOf(server);
  const resources = new ResourceManagementClient(credential, subscriptionId, options);
  await resources.resourceGroups.createOrUpdate(group, { location });
  service = new ContainerServiceClient(credential, subscriptionId, options);
  identities = new ManagedServiceIdentityClient(credential, subscriptionId, options);
  graph = new ResourceGraphClient(credential, options);
  const body = clusterBody()['properties'] as Record<string, object>;
  await service.managedClusters.createOrUpdate(
    group,
    cluster,
    {
      location,
      identity: { type: 'SystemAssigned' },
      agentPoolProfiles: [{ name: 'nodepool1', count: 1, mode: 'System', osType: 'Linux' }],
      networkProfile: body['networkProfile'] ?? {},
      nodeProvisioningProfile: { mode: 'Auto' },
      oidcIssuerProfile: { enabled: true },
    },
    poll,
  );
});

afterAll(async () => {
  await server.stop();
});

/** The stable client cannot make machines; the preview that can is one request. */
async function putMachine(name: string, headers: Record<string, string>): Promise<number> {
  const put = createPipelineRequest({
    url: `${server.armUrl}/subscriptions/${subscriptionId}/resourceGroups/${group}/providers/Microsoft.ContainerService/managedClusters/${cluster}/agentPools/machines/machines/${name}?api-version=2026-05-02-preview`,
    method: 'PUT',
    body: JSON.stringify(machineBody()),
    headers: createHttpHeaders({ 'content-type': 'application/json', ...headers }),
  });
  return (await service.pipeline.sendRequest(createDefaultHttpClient(), put)).status;
}

async function machineNames(): Promise<string[]> {
  const names: string[] = [];
  for await (const machine of service.machines.list(group, cluster, 'machines')) {
    names.push(machine.name ?? '');
  }
  return names;
}

test('a cluster has what was asked for and what AKS adds', async () => {
  const shown = await service.managedClusters.get(group, cluster);
  expect(shown).toMatchObject({
    provisioningState: 'Succeeded',
    currentKubernetesVersion: '1.35.4',
    nodeResourceGroup: `MC_${group}_${cluster}_${location}`,
    nodeProvisioningProfile: { mode: 'Auto' },
    networkProfile: { networkPlugin: 'azure', networkPolicy: 'cilium', dnsServiceIP: '10.0.0.10' },
    agentPoolProfiles: [{ name: 'nodepool1', provisioningState: 'Succeeded', count: 1 }],
  });
  expect(shown.oidcIssuerProfile?.issuerURL).toMatch(/^https:/);
  expect(shown.identityProfile?.['kubeletidentity']?.clientId).toMatch(/^[0-9a-f-]{36}$/);
});

test('its credentials are those of the Kubernetes behind it', async () => {
  const { kubeconfigs } = await service.managedClusters.listClusterUserCredentials(group, cluster);
  expect(Buffer.from(kubeconfigs?.[0]?.value ?? '').toString()).toBe(testKubeconfig);
});

test('versions, upgrades and images can be listed', async () => {
  const versions = await service.managedClusters.listKubernetesVersions(location);
  const upgrades = await service.managedClusters.getUpgradeProfile(group, cluster);
  expect([versions.values?.[0]?.version, upgrades.controlPlaneProfile.kubernetesVersion]).toEqual([
    '1.35',
    '1.35.4',
  ]);
});

test('a pool is scaled and removed', async () => {
  const created = await service.agentPools.createOrUpdate(
    group,
    cluster,
    'user',
    { count: 2, mode: 'User' },
    poll,
  );
  const machines: string[] = [];
  for await (const machine of service.machines.list(group, cluster, 'user')) {
    machines.push(machine.properties?.network?.ipAddresses?.[0]?.ip ?? '');
  }
  await service.agentPools.delete(group, cluster, 'user', poll);
  expect([created.provisioningState, created.count, machines.length]).toEqual(['Succeeded', 2, 2]);
  await expect(service.agentPools.get(group, cluster, 'user')).rejects.toMatchObject({
    statusCode: 404,
  });
});

test('machines are made in a batch, listed, found in the graph and deleted in a batch', async () => {
  await service.agentPools.createOrUpdate(group, cluster, 'machines', { mode: 'Machines' }, poll);
  const batch = JSON.stringify({
    batchMachines: ['a', 'b', 'c'].map((machineName) => ({ machineName, zones: ['1'], tags: {} })),
  });
  const status = await putMachine('a', { BatchPutMachine: batch });
  await expect
    .poll(async () => {
      const machine = await service.machines.get(group, cluster, 'machines', 'c');
      return machine.properties?.network?.ipAddresses?.length;
    })
    .toBe(1);
  const query = `Resources | where type == 'microsoft.compute/virtualmachines' | where resourceGroup == '${`MC_${group}_${cluster}_${location}`.toLowerCase()}' | where tags has_cs 'karpenter.azure.com_aksmachine_nodeclaim' | project id, name, tags`;
  const found = await graph.resources({ subscriptions: [subscriptionId], query });
  const names = await machineNames();
  await service.agentPools.deleteMachines(
    group,
    cluster,
    'machines',
    { machineNames: ['a', 'b'] },
    poll,
  );
  expect([status, names, found.count, await machineNames()]).toEqual([
    201,
    ['a', 'b', 'c'],
    3,
    ['c'],
  ]);
});

test('maintenance windows are kept', async () => {
  const name = 'aksManagedNodeOSUpgradeSchedule';
  const written = await service.maintenanceConfigurations.createOrUpdate(group, cluster, name, {
    maintenanceWindow: {
      schedule: { daily: { intervalDays: 2 } },
      durationHours: 4,
      startTime: '01:00',
    },
  });
  await service.maintenanceConfigurations.delete(group, cluster, name);
  expect(written.maintenanceWindow).toMatchObject({ durationHours: 4, startTime: '01:00' });
});

test('an identity trusts the issuer of the cluster', async () => {
  const identity = await identities.userAssignedIdentities.createOrUpdate(group, 'karpenter', {
    location,
  });
  const { oidcIssuerProfile } = await service.managedClusters.get(group, cluster);
  const credential = {
    issuer: oidcIssuerProfile?.issuerURL ?? '',
    subject: 'system:serviceaccount:kube-system:karpenter-sa',
    audiences: ['api://AzureADTokenExchange'],
  };
  await identities.federatedIdentityCredentials.createOrUpdate(
    group,
    'karpenter',
    'fed',
    credential,
  );
  const listed = [];
  for await (const one of identities.federatedIdentityCredentials.list(group, 'karpenter')) {
    listed.push(one);
  }
  expect(identity.clientId).toMatch(/^[0-9a-f-]{36}$/);
  expect(listed).toMatchObject([{ name: 'fed', ...credential }]);
  const own = await identities.systemAssignedIdentities.getByScope(
    `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers/Microsoft.ContainerService/managedClusters/${cluster}`,
  );
  const shown = await service.managedClusters.get(group, cluster);
  expect(own.principalId).toBe(shown.identity?.principalId);
});

test('the graph answers in pages and refuses what it does not know', async () => {
  const query =
    'Resources | where type startswith "microsoft.network" | order by id asc | project id';
  const first = await graph.resources({
    subscriptions: [subscriptionId],
    query,
    options: { top: 2 },
  });
  const second = await graph.resources({
    subscriptions: [subscriptionId],
    query,
    options: { top: 2, skipToken: first.skipToken ?? '' },
  });
  expect([first.count, second.count]).toEqual([2, 2]);
  expect(first.data).not.toEqual(second.data);
  await expect(
    graph.resources({ subscriptions: [subscriptionId], query: 'Resources | render piechart' }),
  ).rejects.toMatchObject({ statusCode: 400, code: 'BadRequest' });
});

test('prices and bootstrapping have addresses of their own', async () => {
  const dispatcher = new Agent({ connect: { ca: server.ca } });
  const filter = encodeURIComponent(`armRegionName eq '${location}'`);
  const prices = await request(`${server.pricesUrl}/api/retail/prices?$filter=${filter}`, {
    dispatcher,
  });
  const page = (await prices.body.json()) as { readonly Count: number };
  await dispatcher.close();
  const { credential, options } = clientsOf(server);
  const { token } = await credential.getToken(options.credentialScopes);
  const place = `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers/Microsoft.ContainerService`;
  const answer = await request(
    `${server.bootstrappingUrl}${place}/managedclusters/${cluster}/nodeBootstrapping`,
    { method: 'GET', headers: { authorization: `Bearer ${token}` }, body: '{}' },
  );
  expect([prices.statusCode, page.Count, answer.statusCode, await answer.body.text()]).toEqual([
    200,
    4,
    400,
    'provisionProfile is required',
  ]);
});

test('a cluster goes with its group of nodes', async () => {
  const { credential, options } = clientsOf(server);
  const resources = new ResourceManagementClient(credential, subscriptionId, options);
  await service.managedClusters.delete(group, cluster, poll);
  await expect(
    resources.resourceGroups.get(`MC_${group}_${cluster}_${location}`),
  ).rejects.toMatchObject({ statusCode: 404 });
});
