import { describe, expect, test } from 'vitest';
import { objectAt, objectsAt, textAt, type JsonObject } from '../../kube/json.ts';
import {
  ask,
  nicBody,
  owner,
  subscriptionId,
  testAzure,
  testImages,
  testSizes,
  vmBody,
  type Answer,
  type TestAzure,
} from '../azure-fixture.ts';
import type { AzureOptions } from '../azure.ts';
import type { AllocationCode } from './errors.ts';
import type { VmChange } from './vm-events.ts';
import { createVmMetadataHandler } from './vm/metadata.ts';

const group = 'nodes';
const place = `/subscriptions/${subscriptionId}/resourceGroups/${group}`;
const vmVersion = 'api-version=2024-11-01';
const version = 'api-version=2024-07-01';
const location = 'southcentralus';
const vmId = (name: string): string =>
  `${place}/providers/Microsoft.Compute/virtualMachines/${name}`;
const nicId = (name: string): string =>
  `${place}/providers/Microsoft.Network/networkInterfaces/${name}`;
const vm = (name: string): string => `${vmId(name)}?${vmVersion}`;

const code = ({ body }: Answer): string => textAt(body, 'error', 'code');
const message = ({ body }: Answer): string => textAt(body, 'error', 'message');

interface World extends TestAzure {
  readonly changes: VmChange[];
  readonly kinds: () => string[];
  create(
    name: string,
    options?: { changes?: JsonObject; zones?: string[]; body?: JsonObject },
  ): Promise<Answer>;
}

async function world(options: Partial<AzureOptions> = {}): Promise<World> {
  const test = testAzure({ sizes: testSizes, images: testImages, ...options });
  const changes: VmChange[] = [];
  test.azure.compute.events.onChanged((change) => changes.push(change));
  await test.send('PUT', `${place}?${vmVersion}`, { location });
  await test.finish('PUT', `${place}/providers/Microsoft.Network/virtualNetworks/vnet?${version}`, {
    location,
    properties: {
      addressSpace: { addressPrefixes: ['10.0.0.0/8'] },
      subnets: [{ name: 'nodes', properties: { addressPrefix: '10.1.0.0/16' } }],
    },
  });
  return {
    ...test,
    changes,
    kinds: () => changes.map(({ kind }) => kind),
    create: async (name, { changes: properties = {}, zones = ['1'], body = {} } = {}) => {
      await test.finish('PUT', `${nicId(name)}?${version}`, nicBody(group));
      return await test.finish('PUT', vm(name), {
        ...vmBody({ name, group, changes: properties, zones }),
        ...body,
      });
    },
  };
}

const spot = { priority: 'Spot', evictionPolicy: 'Delete', billingProfile: { maxPrice: -1 } };
const base = objectAt(vmBody({ name: 'a', group }), 'properties')!;
const osDisk = objectAt(base, 'storageProfile', 'osDisk')!;
const imageReference = objectAt(base, 'storageProfile', 'imageReference')!;
const osProfile = objectAt(base, 'osProfile')!;
const gallery = testImages[0]!.gallery;

describe('a machine that cannot be', () => {
  const disk = (changes: JsonObject): JsonObject => ({
    storageProfile: { imageReference, osDisk: { ...osDisk, ...changes } },
  });
  const local = (placement: string, diskSizeGB: number, caching = 'ReadOnly'): JsonObject =>
    disk({ diffDiskSettings: { option: 'Local', placement }, diskSizeGB, caching });

  test.each<readonly [string, JsonObject, string]>([
    ['has no size', { hardwareProfile: {} }, 'InvalidParameter'],
    [
      'has a size that is not sold there',
      { hardwareProfile: { vmSize: 'Standard_X1' } },
      'InvalidParameter',
    ],
    ['has no image', { storageProfile: { osDisk } }, 'InvalidParameter'],
    [
      'has an image that is not there',
      {
        storageProfile: {
          osDisk,
          imageReference: {
            communityGalleryImageId: `/CommunityGalleries/${gallery}/images/no/versions/1.0.0`,
          },
        },
      },
      'GalleryImageNotFound',
    ],
    [
      'has an image for another processor',
      {
        storageProfile: {
          osDisk,
          imageReference: {
            communityGalleryImageId: `/CommunityGalleries/${gallery}/images/2204gen2arm64containerd/versions/202502.09.0`,
          },
        },
      },
      'BadRequest',
    ],
    [
      'has an image of a gallery elsewhere and no token for it',
      {
        storageProfile: {
          osDisk,
          imageReference: {
            id: '/subscriptions/10945678-1234-1234-1234-123456789012/resourceGroups/AKS-Ubuntu/providers/Microsoft.Compute/galleries/AKSUbuntu/images/2204gen2containerd/versions/202502.09.0',
          },
        },
      },
      'LinkedAuthorizationFailed',
    ],
    ['has a disk of an impossible name', disk({ name: 'a/b' }), 'InvalidParameter'],
    ['has a disk smaller than its image', disk({ diskSizeGB: 20 }), 'ResizeDiskError'],
    [
      'has disks that would not be there',
      {
        storageProfile: { osDisk, imageReference, dataDisks: [{ lun: 0, createOption: 'Empty' }] },
      },
      'InvalidParameter',
    ],
    ['is in a scale set', { virtualMachineScaleSet: { id: '/x' } }, 'InvalidParameter'],
    ['has no profile', { osProfile: null }, 'InvalidParameter'],
    [
      'has custom data that is no base64',
      { osProfile: { ...osProfile, customData: '#cloud-config' } },
      'InvalidParameter',
    ],
    [
      'has too much custom data',
      { osProfile: { ...osProfile, customData: 'A'.repeat(87_384) } },
      'InvalidParameter',
    ],
    [
      'has a forbidden user',
      { osProfile: { ...osProfile, adminUsername: 'root' } },
      'InvalidParameter',
    ],
    [
      'has a host name with a dot',
      { osProfile: { ...osProfile, computerName: 'a.b' } },
      'InvalidParameter',
    ],
    [
      'lets nobody in',
      { osProfile: { ...osProfile, linuxConfiguration: { disablePasswordAuthentication: true } } },
      'InvalidParameter',
    ],
    ['has no interface', { networkProfile: { networkInterfaces: [] } }, 'InvalidParameter'],
    [
      'has an interface that is not there',
      { networkProfile: { networkInterfaces: [{ id: nicId('no') }] } },
      'InvalidResourceReference',
    ],
    ['is evicted without being spot', { evictionPolicy: 'Delete' }, 'OperationNotAllowed'],
    [
      'has a price without being spot',
      { billingProfile: { maxPrice: 0.1 } },
      'OperationNotAllowed',
    ],
    ['has an ephemeral disk larger than the cache', local('CacheDisk', 128), 'NotSupported'],
    ['has an ephemeral disk where the size has none', local('NvmeDisk', 30), 'InvalidParameter'],
    [
      'has an ephemeral disk that is written through',
      local('CacheDisk', 30, 'ReadWrite'),
      'InvalidParameter',
    ],
    [
      'has boot settings without a security type',
      { securityProfile: { uefiSettings: { vTpmEnabled: true } } },
      'BadRequest',
    ],
    [
      'has ultra disks where there are none',
      { additionalCapabilities: { ultraSSDEnabled: true } },
      'InvalidParameter',
    ],
  ])('because it %s is refused, and leaves nothing behind', async (_, changes, expected) => {
    const test = await world();
    const answer = await test.create('a', { changes });
    expect([code(answer), test.azure.env.store.get(vmId('a')), test.kinds()]).toEqual([
      expected,
      undefined,
      [],
    ]);
  });

  test.each<readonly [string, { zones?: string[]; body?: JsonObject }, string]>([
    ['a zone that is not there', { zones: ['4'] }, 'InvalidAvailabilityZone'],
    ['two zones', { zones: ['1', '2'] }, 'InvalidParameter'],
    [
      'a location that is not there',
      { body: { location: 'moon' } },
      'LocationNotAvailableForResourceType',
    ],
    [
      'an identity that is not there',
      {
        body: {
          identity: { type: 'UserAssigned', userAssignedIdentities: { '/subscriptions/x/i': {} } },
        },
      },
      'LinkedAuthorizationFailed',
    ],
  ])('in %s is refused', async (_, options, expected) => {
    expect(code(await (await world()).create('a', options))).toBe(expected);
  });

  test('of a size that is closed to the subscription, there or in the zone, is not available', async () => {
    const { create } = await world();
    const changes = (vmSize: string): JsonObject => ({ hardwareProfile: { vmSize } });
    const zone = await create('a', { changes: changes('Standard_D16plds_v5'), zones: ['3'] });
    const never = await create('b', { changes: { ...changes('Standard_A0'), ...spot }, zones: [] });
    expect([zone, never].map((answer) => [answer.status, code(answer)])).toEqual([
      [409, 'SkuNotAvailable'],
      [409, 'SkuNotAvailable'],
    ]);
    expect(message(zone)).toContain(
      `is currently not available in location '${location}' zones '3'`,
    );
  });
});

describe('room', () => {
  test.each<readonly [string, string[], AllocationCode | undefined, string]>([
    ['in a zone', ['1'], undefined, 'ZonalAllocationFailed'],
    ['in the region', [], undefined, 'AllocationFailed'],
    [
      'under all constraints',
      ['1'],
      'OverconstrainedZonalAllocationRequest',
      'OverconstrainedZonalAllocationRequest',
    ],
  ])(
    'that is missing %s is found out when the operation ends',
    async (_, zones, failure, expected) => {
      const rule = { size: 'Standard_D2s_v3', count: 1, ...(failure !== undefined && { failure }) };
      const { create, send, kinds, azure, finish } = await world({ capacity: [rule] });
      await create('a', { zones });
      const failed = await create('b', { zones });
      const state = textAt((await send('GET', vm('b'))).body, 'properties', 'provisioningState');
      expect([failed.body['status'], code(failed), state]).toEqual(['Failed', expected, 'Failed']);
      expect(kinds()).toEqual(['created', 'running', 'created', 'failed']);
      // The failed machine goes at once; its interface is kept for it a while longer.
      await finish('DELETE', vm('b'));
      expect(code(await send('DELETE', `${nicId('b')}?${version}`))).toBe(
        'NicReservedForAnotherVm',
      );
      expect(azure.compute.quotas.usage(subscriptionId, location, 'cores').current).toBe(2);
      await finish('DELETE', vm('a'));
      expect((await create('c', { zones })).body['status']).toBe('Succeeded');
    },
  );

  test('that spot machines miss is said at once', async () => {
    const { create } = await world({
      capacity: [{ size: 'Standard_D2s_v3', priority: 'Spot', count: 0 }],
    });
    const refused = await create('a', { changes: spot });
    expect([refused.status, message(refused)]).toEqual([
      409,
      expect.stringContaining(
        'Following SKUs have failed for Capacity Restrictions: Standard_D2s_v3',
      ),
    ]);
    expect((await create('b')).body['status']).toBe('Succeeded');
  });
  test('that comes back lets a machine that failed be made after all', async () => {
    const { create, azure, finish, send } = await world();
    const full = azure.compute.capacity.add({ size: 'Standard_D2s_v3', count: 0 });
    await create('a');
    full[Symbol.dispose]();
    azure.compute.quotas.set({ name: 'cores', limit: 2 });
    const again = await finish('PUT', vm('a'), vmBody({ name: 'a', group }));
    const state = textAt((await send('GET', vm('a'))).body, 'properties', 'provisioningState');
    expect([again.body['status'], state]).toEqual(['Succeeded', 'Succeeded']);
    expect(azure.compute.quotas.usage(subscriptionId, location, 'cores').current).toBe(2);
  });
});

describe('quota', () => {
  test.each([
    ['standardDSv3Family', {}, 'exceeding approved standardDSv3Family Cores quota.'],
    ['cores', {}, 'exceeding approved Total Regional Cores quota.'],
    ['lowPriorityCores', spot, 'exceeding approved LowPriorityCores quota.'],
  ])('of %s is counted until a machine is gone', async (name, changes, text) => {
    const { create, finish, azure } = await world({ quotas: [{ name, limit: 3 }] });
    await create('a', { changes });
    const refused = await create('b', { changes });
    expect([refused.status, code(refused), message(refused)]).toEqual([
      409,
      'OperationNotAllowed',
      expect.stringContaining(text),
    ]);
    expect(message(refused)).toContain(
      'Current Limit: 3, Current Usage: 2, Additional Required: 2, (Minimum) New Limit Required: 4',
    );
    await finish('DELETE', vm('a'));
    expect(azure.compute.quotas.usage(subscriptionId, location, name).current).toBe(0);
    expect((await create('b', { changes })).body['status']).toBe('Succeeded');
  });
});

describe('a machine', () => {
  test('tells its listeners what is in it, and clients what is not secret', async () => {
    const { create, changes, send } = await world();
    await create('a', { changes: spot });
    const { body } = await send('GET', vm('a'));
    expect(changes.at(-1)).toMatchObject({
      kind: 'running',
      vm: {
        id: vmId('a'),
        size: 'Standard_D2s_v3',
        zone: '1',
        priority: 'Spot',
        customData: Buffer.from('#cloud-config'),
        computerName: 'a',
        boots: true,
        nics: [{ id: nicId('a'), privateAddress: '10.1.0.4', isPrimary: true }],
        tags: { 'karpenter.sh_nodepool': 'default' },
      },
    });
    expect(JSON.stringify(body)).not.toContain('customData');
    expect(body).toMatchObject({
      zones: ['1'],
      properties: { timeCreated: expect.any(String) as string },
    });
  });

  test('is shown with its power state only when that is asked for', async () => {
    const { create, send } = await world();
    await create('a');
    const plain = await send('GET', vm('a'));
    const expanded = await send('GET', `${vm('a')}&$expand=instanceView`);
    const view = await send('GET', `${vmId('a')}/instanceView?${vmVersion}`);
    const codes = (value: JsonObject | undefined): string[] =>
      objectsAt(value, 'statuses').map((one) => textAt(one, 'code'));
    expect([
      objectAt(plain.body, 'properties', 'instanceView'),
      codes(objectAt(expanded.body, 'properties', 'instanceView')),
      codes(view.body),
    ]).toEqual([
      undefined,
      ['ProvisioningState/succeeded', 'PowerState/running'],
      ['ProvisioningState/succeeded', 'PowerState/running'],
    ]);
  });

  test('written again as it was keeps everything but its tags; anything else is refused', async () => {
    const { create, send } = await world();
    await create('a');
    const write = (changes: JsonObject, zones = ['1']): Promise<Answer> =>
      send('PUT', vm('a'), {
        ...vmBody({ name: 'a', group, changes, zones }),
        tags: { new: 'tag' },
      });
    const refusals = [
      await write({}, ['2']),
      await write({ hardwareProfile: { vmSize: 'Standard_D64s_v3' } }),
      await write({ osProfile: { ...osProfile, customData: 'AAAA' } }),
      await write(spot),
    ];
    expect(
      refusals.map((answer) => [
        answer.status,
        code(answer),
        textAt(answer.body, 'error', 'target'),
      ]),
    ).toEqual([
      [409, 'PropertyChangeNotAllowed', 'zones'],
      [409, 'PropertyChangeNotAllowed', 'hardwareProfile.vmSize'],
      [409, 'PropertyChangeNotAllowed', 'osProfile.customData'],
      [409, 'PropertyChangeNotAllowed', 'priority'],
    ]);
    const same = await write({});
    expect([same.status, same.body['tags']]).toEqual([200, { new: 'tag' }]);
  });

  test('gains identities by patch and keeps those it has', async () => {
    const { create, finish, azure, send } = await world();
    const identity = (name: string): string => {
      const id = `${place}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
      azure.env.directory.put({
        objectId: `object-${name}`,
        clientId: `client-${name}`,
        displayName: name,
        kind: 'ManagedIdentity',
        resourceId: id,
      });
      return id;
    };
    const [one, two] = [identity('one'), identity('two')];
    const body = (id: string): JsonObject => ({
      identity: { type: 'UserAssigned', userAssignedIdentities: { [id]: {} } },
    });
    await create('a', { body: body(one) });
    await finish('PATCH', vm('a'), body(two));
    expect((await send('GET', vm('a'))).body['identity']).toEqual({
      type: 'UserAssigned',
      userAssignedIdentities: {
        [one]: { principalId: 'object-one', clientId: 'client-one' },
        [two]: { principalId: 'object-two', clientId: 'client-two' },
      },
    });
  });

  test('of its own identity gets tokens from its metadata service while it runs', async () => {
    const { create, finish, azure } = await world();
    await create('a', { body: { identity: { type: 'SystemAssigned' } } });
    const handler = createVmMetadataHandler(azure.compute, vmId('a'));
    const token = async (): Promise<Answer> =>
      ask(handler, {
        method: 'GET',
        target:
          '/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https://management.azure.com/',
        headers: { metadata: 'true' },
      });
    const before = await token();
    await finish('DELETE', vm('a'));
    expect([
      before.status,
      (await token()).status,
      azure.env.directory.byResourceId(vmId('a')),
    ]).toEqual([200, 400, undefined]);
  });

  test('boots an image of another subscription with a token for that one', async () => {
    const galleryId =
      '/subscriptions/10945678-1234-1234-1234-123456789012/resourceGroups/AKS-Ubuntu/providers/Microsoft.Compute/galleries/AKSUbuntu';
    const image = { ...testImages[0]!, gallery: galleryId };
    const { send, finish, tokenOf } = await world({ images: [image] });
    await finish('PUT', `${nicId('a')}?${version}`, nicBody(group));
    const id = `${galleryId}/images/${image.definition}/versions/202502.09.0`;
    const storageProfile = { osDisk, imageReference: { id } };
    const put = (auxiliary: string): Promise<Answer> =>
      send('PUT', vm('a'), vmBody({ name: 'a', group, changes: { storageProfile } }), {
        'x-ms-authorization-auxiliary': `Bearer ${auxiliary}`,
      });
    const forged = await put('forged');
    expect([forged.status, (await put(tokenOf(owner))).status]).toEqual([403, 201]);
  });

  test('takes its disk and its interface with it, and can be deleted while it is made', async () => {
    const { create, send, clock, azure, finish, kinds } = await world();
    await create('a');
    await finish('DELETE', vm('a'));
    const left = [nicId('a'), `${place}/providers/Microsoft.Compute/disks/a`];
    expect(left.map((id) => azure.env.store.get(id))).toEqual([undefined, undefined]);

    await finish('PUT', `${nicId('b')}?${version}`, nicBody(group));
    const accepted = await send('PUT', vm('b'), vmBody({ name: 'b', group }));
    await send('DELETE', `${vm('b')}&forceDeletion=true`);
    const again = await send('PUT', vm('b'), vmBody({ name: 'b', group }));
    await clock.advance(60_000);
    const poll = accepted.headers['azure-asyncoperation']!.slice(
      'https://management.azure.com'.length,
    );
    expect([
      (await send('GET', poll)).body['status'],
      code(again),
      (await send('GET', vm('b'))).status,
    ]).toEqual(['Canceled', 'OperationNotAllowed', 404]);
    expect(kinds().slice(3)).toEqual(['created', 'deleted']);
    expect(azure.env.store.get(nicId('b'))).toBeUndefined();
  });

  test('leaves what it was told to leave, free for others', async () => {
    const { create, finish, send, azure, changes } = await world();
    const networkProfile = { networkInterfaces: [{ id: nicId('a') }] };
    const storageProfile = { imageReference, osDisk: { ...osDisk, deleteOption: 'Detach' } };
    await create('a', { changes: { networkProfile, storageProfile } });
    const disk = `${place}/providers/Microsoft.Compute/disks/a`;
    const attached = await send('DELETE', `${disk}?${vmVersion}`);
    await finish('DELETE', vm('a'));
    expect(code(attached)).toBe('OperationNotAllowed');
    expect(
      [azure.env.store.get(nicId('a')), azure.env.store.get(disk)].map((one) => one?.body),
    ).toMatchObject([
      { properties: { ipConfigurations: [{}] } },
      { properties: { diskState: 'Unattached' } },
    ]);
    expect(
      code(
        await send(
          'PUT',
          vm('b'),
          vmBody({ name: 'b', group, changes: { networkProfile, storageProfile } }),
        ),
      ),
    ).toBe('ConflictingUserInput');
    expect((await send('DELETE', `${nicId('a')}?${version}`)).status).toBe(202);
    expect(changes.at(-1)?.vm.nics).toMatchObject([{ privateAddress: '10.1.0.4' }]);
  });

  test('whose interface is stuck leaves it behind', async () => {
    const { create, finish, azure } = await world();
    await create('a');
    azure.env.faults.add({
      operation: 'Microsoft.Network/networkInterfaces/delete',
      effect: { kind: 'stuck' },
    });
    await finish('DELETE', vm('a'));
    expect(azure.env.store.get(nicId('a'))).toBeDefined();
  });

  test('that never boots says it runs', async () => {
    const { create, changes, azure } = await world();
    azure.env.faults.add({ operation: '*/virtualMachines/write', effect: { kind: 'never-boots' } });
    const answer = await create('a');
    expect([answer.body['status'], changes.at(-1)?.kind, changes.at(-1)?.vm.boots]).toEqual([
      'Succeeded',
      'running',
      false,
    ]);
  });

  test('cannot have an interface that another has', async () => {
    const { create, send } = await world();
    await create('a');
    const stolen = vmBody({
      name: 'b',
      group,
      changes: { networkProfile: base['networkProfile']! },
    });
    expect(code(await send('PUT', vm('b'), stolen))).toBe('NicInUse');
  });
});

describe('power', () => {
  test('goes off and on by operations that answer 202', async () => {
    const { create, finish, send, kinds, clock } = await world();
    await create('a');
    const off = await send('POST', `${vmId('a')}/powerOff?${vmVersion}`);
    expect([off.status, typeof off.headers['location']]).toEqual([202, 'string']);
    await clock.advance(60_000);
    for (const action of ['deallocate', 'start', 'restart', 'reimage']) {
      await finish('POST', `${vmId('a')}/${action}?${vmVersion}`);
    }
    expect(kinds().slice(2)).toEqual([
      'stopped',
      'deallocated',
      'running',
      'restarted',
      'reimaged',
    ]);
  });

  test('of what was deallocated comes back only if there is still room', async () => {
    const { create, finish } = await world({ capacity: [{ size: 'Standard_D2s_v3', count: 1 }] });
    await create('a');
    await finish('POST', `${vmId('a')}/deallocate?${vmVersion}`);
    await create('b');
    const refused = await finish('POST', `${vmId('a')}/start?${vmVersion}`);
    await finish('DELETE', vm('b'));
    const started = await finish('POST', `${vmId('a')}/start?${vmVersion}`);
    expect([code(refused), started.body['status']]).toEqual(['ZonalAllocationFailed', 'Succeeded']);
  });

  test('of what is stopped cannot be cycled', async () => {
    const { create, finish, send } = await world();
    await create('a');
    await finish('POST', `${vmId('a')}/deallocate?${vmVersion}`);
    expect(code(await send('POST', `${vmId('a')}/restart?${vmVersion}`))).toBe(
      'OperationNotAllowed',
    );
  });
});

describe('extensions', () => {
  const extension = (name: string): string => `${vmId('a')}/extensions/${name}?${vmVersion}`;
  const billing = {
    location,
    properties: {
      publisher: 'Microsoft.AKS',
      type: 'Compute.AKS.Linux.Billing',
      typeHandlerVersion: '1.0',
      settings: {},
    },
  };

  test('are listed with their machine and go with it', async () => {
    const { create, finish, send, azure } = await world();
    await create('a');
    await finish('PUT', extension('billing'), billing);
    const tagged = await finish('PATCH', extension('billing'), { tags: { a: 'b' } });
    const { body } = await send('GET', vm('a'));
    expect([tagged.body['status'], body['resources']]).toMatchObject([
      'Succeeded',
      [{ name: 'billing', tags: { a: 'b' }, properties: { provisioningState: 'Succeeded' } }],
    ]);
    await finish('DELETE', vm('a'));
    expect(azure.env.store.below(vmId('a'))).toEqual([]);
  });

  test('are refused on no machine, on a stopped one, twice, or of a kind that is not there', async () => {
    const { create, finish, send } = await world();
    const missing = await send('PUT', extension('billing'), billing);
    await create('a');
    const unknown = await send('PUT', extension('x'), {
      location,
      properties: { publisher: 'Me', type: 'Mine', typeHandlerVersion: '1.0' },
    });
    await finish('PUT', extension('billing'), billing);
    const twice = await send('PUT', extension('other'), billing);
    await finish('POST', `${vmId('a')}/deallocate?${vmVersion}`);
    const stopped = await send('PUT', extension('billing'), billing);
    const absent = await send('PATCH', extension('no'), { tags: {} });
    expect([missing, unknown, twice, stopped, absent].map((answer) => code(answer))).toEqual([
      'ParentResourceNotFound',
      'ArtifactNotFound',
      'BadRequest',
      'OperationNotAllowed',
      'NotFound',
    ]);
  });
});

describe('spot', () => {
  test('machines are evicted by request, deleted or stopped as they asked', async () => {
    const { create, send, kinds, azure, clock, changes } = await world();
    await create('a', { changes: spot });
    await create('b', { changes: { ...spot, evictionPolicy: 'Deallocate' } });
    await create('c');
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) => send('POST', `${vmId(name)}/simulateEviction?${vmVersion}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 409]);
    expect(changes.slice(6)).toMatchObject([
      { kind: 'preempting', atMs: clock.now() + 30_000, vm: { name: 'a' } },
      { kind: 'preempting', vm: { name: 'b' } },
    ]);
    await send('POST', `${vmId('a')}/simulateEviction?${vmVersion}`);
    await clock.advance(30_000);
    expect(kinds().slice(8)).toEqual(['evicted', 'deleted', 'evicted', 'deallocated']);
    expect([vmId('a'), vmId('b')].map((id) => azure.env.store.get(id) !== undefined)).toEqual([
      false,
      true,
    ]);
  });

  test('machines that go by themselves while under notice are not evicted', async () => {
    const { create, send, finish, kinds, clock } = await world();
    await create('a', { changes: spot });
    await send('POST', `${vmId('a')}/simulateEviction?${vmVersion}`);
    await finish('DELETE', vm('a'));
    await clock.advance(60_000);
    expect(kinds().slice(2)).toEqual(['preempting', 'deleted']);
    expect(clock.pending().timers).toEqual([]);
  });

  test('prices move, and outbid machines go while the others stay', async () => {
    const { create, clock, azure, kinds } = await world({
      spot: { intervalMs: 60_000, volatility: 0.5 },
    });
    const start = azure.spotMarket.price('Standard_D2s_v3', location)!;
    await create('low', { changes: { ...spot, billingProfile: { maxPrice: start * 1.01 } } });
    await create('any', { changes: spot });
    await clock.advance(3_600_000);
    expect(azure.spotMarket.price('Standard_D2s_v3', location)).not.toBe(start);
    expect(kinds().filter((kind) => kind === 'evicted')).toHaveLength(1);
    expect(azure.env.store.get(vmId('any'))).toBeDefined();
    azure.stop();
    expect(clock.pending().timers).toEqual([]);
  });

  test('without machines nothing ticks', async () => {
    const { create, finish, clock, azure } = await world({ spot: { intervalMs: 1000 } });
    await create('a', { changes: spot });
    await finish('DELETE', vm('a'));
    await clock.advance(5000);
    expect(clock.pending().timers).toEqual([]);
    azure.stop();
  });
});

describe('around machines', () => {
  test('machines are listed by group, subscription and location', async () => {
    const { create, send } = await world();
    await create('a');
    await create('b', { changes: spot });
    const subscription = `/subscriptions/${subscriptionId}/providers/Microsoft.Compute`;
    const names = async (target: string): Promise<string[]> =>
      objectsAt((await send('GET', `${target}?${vmVersion}`)).body, 'value').map((one) =>
        textAt(one, 'name'),
      );
    expect([
      await names(`${place}/providers/Microsoft.Compute/virtualMachines`),
      await names(`${subscription}/virtualMachines`),
      await names(`${subscription}/locations/${location}/virtualMachines`),
      await names(`${subscription}/locations/westcentralus/virtualMachines`),
    ]).toEqual([['a', 'b'], ['a', 'b'], ['a', 'b'], []]);
    expect((await send('GET', `${vmId('no')}/extensions?${vmVersion}`)).status).toBe(404);
  });

  test('empty disks are made and deleted, others are refused', async () => {
    const { finish, send } = await world();
    const disk = `${place}/providers/Microsoft.Compute/disks/d?api-version=2024-03-02`;
    const body = (createOption: string): JsonObject => ({
      location,
      properties: { diskSizeGB: 32, creationData: { createOption } },
    });
    const made = await finish('PUT', disk, body('Empty'));
    const copied = await send('PUT', disk, body('Copy'));
    const gone = await finish('DELETE', disk);
    expect([made.body['status'], code(copied), gone.body['status']]).toEqual([
      'Succeeded',
      'InvalidParameter',
      'Succeeded',
    ]);
  });

  test('a disk is encrypted only with a set that is there', async () => {
    const { create, finish } = await world();
    const set = `${place}/providers/Microsoft.Compute/diskEncryptionSets/s`;
    const storageProfile = {
      imageReference,
      osDisk: { ...osDisk, name: undefined, managedDisk: { diskEncryptionSet: { id: set } } },
    } as unknown as JsonObject;
    const before = await create('a', { changes: { storageProfile } });
    const keyless = await finish('PUT', `${set}?api-version=2024-03-02`, { location });
    await finish('PUT', `${set}?api-version=2024-03-02`, {
      location,
      properties: { activeKey: { keyUrl: 'https://vault/keys/k/1' } },
    });
    const after = await create('a', { changes: { storageProfile } });
    expect([code(before), code(keyless), after.body['status']]).toEqual([
      'DiskEncryptionSetNotFound',
      'InvalidParameter',
      'Succeeded',
    ]);
  });

  test('interfaces must fit the size: one primary, not too many, no faster than it', async () => {
    const { create, finish, send } = await world();
    for (const name of ['x', 'y', 'z'])
      await finish('PUT', `${nicId(name)}?${version}`, nicBody(group));
    await finish(
      'PUT',
      `${nicId('fast')}?${version}`,
      nicBody(group, {
        enableAcceleratedNetworking: true,
        ipConfigurations: objectsAt(nicBody(group), 'properties', 'ipConfigurations') as never,
      }),
    );
    const of = (...nics: string[]): JsonObject => ({
      networkProfile: { networkInterfaces: nics.map((name) => ({ id: nicId(name) })) },
    });
    const small = { hardwareProfile: { vmSize: 'Standard_A0' } };
    const refusals = [
      await create('a', { changes: of('x', 'y') }),
      await create('a', { changes: of('x', 'y', 'z') }),
      await create('a', { changes: { ...of('fast'), ...small }, zones: [] }),
    ];
    expect(refusals.map((answer) => code(answer))).toEqual([
      'VirtualMachineMustHaveOneNetworkInterfaceAsPrimary',
      'NetworkInterfaceCountExceeded',
      'BadRequest',
    ]);
    expect((await send('GET', vm('a'))).status).toBe(404);
  });

  test('community images are shown with their traits', async () => {
    const { send } = await world();
    const base = `/subscriptions/${subscriptionId}/providers/Microsoft.Compute/locations/${location}/communityGalleries/${gallery}/images`;
    const [all, one, version_] = [
      await send('GET', `${base}?api-version=2025-03-03`),
      await send('GET', `${base}/2204gen2arm64containerd?api-version=2025-03-03`),
      await send('GET', `${base}/2204gen2containerd/versions/202502.09.0?api-version=2025-03-03`),
    ];
    expect([
      objectsAt(all.body, 'value').length,
      one.body['properties'],
      version_.body['identifier'],
    ]).toMatchObject([
      2,
      { architecture: 'Arm64', hyperVGeneration: 'V2' },
      { uniqueId: `/CommunityGalleries/${gallery}/Images/2204gen2containerd/Versions/202502.09.0` },
    ]);
  });
});
