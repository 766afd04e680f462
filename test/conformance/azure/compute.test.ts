// The official compute client against the emulated Azure: a machine's life, its extensions, and what there is to buy.
import { ComputeManagementClient, type VirtualMachine } from '@azure/arm-compute';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/api/meta.ts';
import type { VmChange } from '../../../src/emulator/azure/compute/vm-events.ts';
import { nicBody, vmBody } from '../../../src/emulator/azure/azure-fixture.ts';
import type { AzureServer } from '../../../src/emulator/azure/server.ts';
import {
  clientsOf,
  location,
  startTestAzure,
  subscriptionId,
  testImages,
  testSizes,
} from './sdk.ts';

let server: AzureServer;
let client: ComputeManagementClient;
const group = 'nodes';
const place = `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers`;
const changes: VmChange[] = [];

/** The network client takes seconds to load; what a machine needs is written by hand. */
async function put(path: string, body: Json): Promise<void> {
  const { credential } = clientsOf(server);
  const token = await credential.getToken(`${server.armUrl}/.default`);
  const reply = await server.armHandler({
    method: 'PUT',
    path,
    query: new URLSearchParams('api-version=2024-07-01'),
    headers: { authorization: `Bearer ${token.token}` },
    signal: new AbortController().signal,
    body: () => Promise.resolve(Buffer.from(JSON.stringify(body))),
  });
  expect(reply.status).toBeLessThan(300);
}

beforeAll(async () => {
  server = await startTestAzure({ sizes: testSizes, images: testImages, pageSize: 1 });
  server.compute.events.onChanged((change) => changes.push(change));
  const { credential, options } = clientsOf(server);
  client = new ComputeManagementClient(credential, subscriptionId, options);
  await put(`/subscriptions/${subscriptionId}/resourceGroups/${group}`, { location });
  await put(`${place}/Microsoft.Network/virtualNetworks/vnet`, {
    location,
    properties: {
      addressSpace: { addressPrefixes: ['10.0.0.0/8'] },
      subnets: [{ name: 'nodes', properties: { addressPrefix: '10.1.0.0/16' } }],
    },
  });
  for (const name of ['a', 'b', 'c', 'd']) {
    await put(`${place}/Microsoft.Network/networkInterfaces/${name}`, nicBody(group));
  }
});

afterAll(async () => {
  await server.stop();
});

/** What lies under `properties` on the wire is flat in the client's form. */
function model(name: string): VirtualMachine {
  const { properties, ...rest } = vmBody({ name, group }) as { properties: object };
  const networkInterfaces = [
    {
      id: `${place}/Microsoft.Network/networkInterfaces/${name}`,
      primary: true,
      deleteOption: 'Delete',
    },
  ];
  return { ...rest, ...properties, networkProfile: { networkInterfaces } } as VirtualMachine;
}

describe('a virtual machine', () => {
  test('is created, read, tagged, stopped, started and deleted with what belongs to it', async () => {
    const created = await client.virtualMachines.createOrUpdate(group, 'a', model('a'));
    const view = await client.virtualMachines.instanceView(group, 'a');
    const tagged = await client.virtualMachines.update(group, 'a', { tags: { team: 'b' } });
    await client.virtualMachines.deallocate(group, 'a');
    const stopped = await client.virtualMachines.instanceView(group, 'a');
    await client.virtualMachines.start(group, 'a');
    await client.virtualMachines.delete(group, 'a', { forceDeletion: true });
    expect({
      created: [created.provisioningState, created.zones, created.hardwareProfile?.vmSize],
      power: [view, stopped].map((one) => one.statuses?.at(-1)?.code),
      tags: tagged.tags,
      told: changes.splice(0).map(({ kind }) => kind),
    }).toEqual({
      created: ['Succeeded', ['1'], 'Standard_D2s_v3'],
      power: ['PowerState/running', 'PowerState/deallocated'],
      tags: { team: 'b' },
      told: ['created', 'running', 'updated', 'deallocated', 'running', 'deleted'],
    });
    await expect(client.virtualMachines.get(group, 'a')).rejects.toMatchObject({ statusCode: 404 });
    expect(server.env.store.get(`${place}/Microsoft.Network/networkInterfaces/a`)).toBeUndefined();
  });

  test('takes extensions, and its listeners see their protected settings', async () => {
    await client.virtualMachines.createOrUpdate(group, 'b', model('b'));
    const extension = await client.virtualMachineExtensions.createOrUpdate(group, 'b', 'cse', {
      location,
      publisher: 'Microsoft.Azure.Extensions',
      typePropertiesType: 'CustomScript',
      typeHandlerVersion: '2.0',
      autoUpgradeMinorVersion: true,
      protectedSettings: { commandToExecute: 'echo hello' },
    });
    expect([extension.provisioningState, extension.protectedSettings]).toEqual([
      'Succeeded',
      undefined,
    ]);
    expect(changes.at(-1)).toMatchObject({
      kind: 'extended',
      extension: { protectedSettings: { commandToExecute: 'echo hello' } },
    });
  });

  test('fails late when the zone has no room, and says so in the words of the allocator', async () => {
    const full = { size: 'Standard_D2s_v3', zone: '1', priority: 'Regular', count: 0 } as const;
    using _ = server.compute.capacity.add(full);
    const refused = client.virtualMachines.createOrUpdate(group, 'c', model('c'));
    await expect(refused).rejects.toThrow(/ZonalAllocationFailed.*sufficient capacity/);
    const failed = await client.virtualMachines.get(group, 'c');
    expect(failed.provisioningState).toBe('Failed');
  });

  test('does not get an interface that is kept for another that failed', async () => {
    const { networkProfile } = model('c');
    const refused = client.virtualMachines.createOrUpdate(group, 'd', {
      ...model('d'),
      networkProfile: networkProfile!,
    });
    await expect(refused).rejects.toMatchObject({ code: 'NicReservedForAnotherVm' });
  });

  test('is refused at once when the quota of its family is spent', async () => {
    server.compute.quotas.set({ name: 'standardDSv3Family', limit: 4 });
    const refused = client.virtualMachines.createOrUpdate(group, 'd', model('d'));
    await expect(refused).rejects.toMatchObject({
      statusCode: 409,
      code: 'OperationNotAllowed',
      message: expect.stringContaining(
        'exceeding approved standardDSv3Family Cores quota. Additional details - Deployment Model: Resource Manager, Location: southcentralus, Current Limit: 4, Current Usage: 4, Additional Required: 2, (Minimum) New Limit Required: 6.',
      ) as string,
    });
  });
});

test('the catalogue is filtered by location and keeps its restrictions', async () => {
  const skus = [];
  for await (const sku of client.resourceSkus.list({ filter: `location eq '${location}'` })) {
    skus.push(sku);
  }
  const arm = skus.find((sku) => sku.name === 'Standard_D16plds_v5');
  expect(skus.map((sku) => sku.name)).toEqual([
    'Standard_A0',
    'Standard_D16plds_v5',
    'Standard_D2s_v3',
    'Standard_D64s_v3',
  ]);
  expect(arm).toMatchObject({
    size: 'D16plds_v5',
    restrictions: [{ type: 'Zone', restrictionInfo: { zones: ['3'] } }],
    locationInfo: [{ zones: ['1', '2', '3'], zoneDetails: [{ name: ['1'] }] }],
  });
});

test('machines are listed page by page', async () => {
  const names: (string | undefined)[] = [];
  for await (const vm of client.virtualMachines.list(group)) names.push(vm.name);
  expect(names).toEqual(['b', 'c']);
});

test('usages count what machines hold', async () => {
  const used: Record<string, number | undefined> = {};
  for await (const usage of client.usage.list(location)) {
    used[usage.name.value ?? ''] = usage.currentValue;
  }
  expect(used).toMatchObject({ cores: 4, standardDSv3Family: 4, lowPriorityCores: 0 });
});

test('community images list their versions', async () => {
  const versions = [];
  const { gallery, definition } = testImages[0]!;
  const list = client.communityGalleryImageVersions.list(location, gallery, definition);
  for await (const version of list) versions.push([version.name, version.publishedDate]);
  expect(versions).toEqual([
    ['202501.05.0', new Date('2025-01-05T00:00:00Z')],
    ['202502.09.0', new Date('2025-02-09T00:00:00Z')],
  ]);
});
