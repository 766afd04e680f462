import { describe, expect, test } from 'vitest';
import { objectsAt, textAt, type JsonObject } from '../../kube/json.ts';
import {
  ask,
  nicBody,
  subscriptionId,
  testAzure,
  testImages,
  testSizes,
  vmBody,
  type Answer,
  type TestAzure,
} from '../azure-fixture.ts';
import { createInstanceMetadata } from './instance-metadata.ts';

const place = `/subscriptions/${subscriptionId}/resourceGroups/nodes`;
const network = `${place}/providers/Microsoft.Network`;
const vmId = `${place}/providers/Microsoft.Compute/virtualMachines/aks-a`;

interface Machine {
  readonly azure: TestAzure;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  text(path: string): Promise<string>;
  approve(eventId: string): Promise<number>;
  events(): Promise<readonly JsonObject[]>;
  incarnation(): Promise<unknown>;
}

async function machine(changes: JsonObject = {}): Promise<Machine> {
  const azure = testAzure({ sizes: testSizes, images: testImages, throttling: 'off' });
  await azure.send('PUT', `${place}?api-version=2024-11-01`, { location: 'southcentralus' });
  await azure.finish('PUT', `${network}/virtualNetworks/vnet?api-version=2024-07-01`, {
    location: 'southcentralus',
    properties: {
      addressSpace: { addressPrefixes: ['10.224.0.0/12'] },
      subnets: [{ name: 'nodes', properties: { addressPrefix: '10.224.0.0/16' } }],
    },
  });
  await azure.finish(
    'PUT',
    `${network}/networkInterfaces/aks-a?api-version=2024-07-01`,
    nicBody('nodes'),
  );
  await azure.finish(
    'PUT',
    `${vmId}?api-version=2025-04-01`,
    vmBody({ name: 'aks-a', group: 'nodes', changes }),
  );
  const handler = createInstanceMetadata({
    compute: azure.azure.compute,
    events: azure.azure.scheduledEvents,
    vmId,
  });
  const get: Machine['get'] = (target, headers = { metadata: 'true' }) =>
    ask(handler, { method: 'GET', target: `/metadata/${target}`, headers });
  const scheduled = 'scheduledevents?api-version=2020-07-01';
  return {
    azure,
    get,
    text: async (target) => {
      const [path = '', query = ''] = `/metadata/${target}`.split('?');
      const reply = await handler({
        method: 'GET',
        path,
        query: new URLSearchParams(query),
        headers: { metadata: 'true' },
        signal: new AbortController().signal,
        body: () => Promise.resolve(Buffer.from('')),
      });
      return reply.body as string;
    },
    approve: async (eventId) => {
      const { status } = await ask(handler, {
        method: 'POST',
        target: `/metadata/${scheduled}`,
        headers: { metadata: 'true' },
        body: JSON.stringify({ StartRequests: [{ EventId: eventId }] }),
      });
      return status;
    },
    events: async () => objectsAt((await get(scheduled)).body, 'Events'),
    incarnation: async () => (await get(scheduled)).body['DocumentIncarnation'],
  };
}

describe('a machine reads of itself', () => {
  test('where and what it is', async () => {
    const { get } = await machine();
    const { body } = await get('instance?api-version=2021-02-01');
    expect(body).toMatchObject({
      compute: {
        name: 'aks-a',
        location: 'southcentralus',
        resourceGroupName: 'nodes',
        resourceId: vmId,
        subscriptionId,
        vmSize: 'Standard_D2s_v3',
        zone: '1',
        priority: '',
        provider: 'Microsoft.Compute',
        tags: 'karpenter.sh_nodepool:default',
        tagsList: [{ name: 'karpenter.sh_nodepool', value: 'default' }],
        osProfile: { computerName: 'aks-a', adminUsername: 'azureuser' },
      },
      network: {
        interface: [
          {
            ipv4: {
              ipAddress: [{ privateIpAddress: '10.224.0.4', publicIpAddress: '' }],
              subnet: [{ address: '10.224.0.0', prefix: '16' }],
            },
            macAddress: expect.stringMatching(/^000D3A[0-9A-F]{6}$/),
          },
        ],
      },
    });
  });

  test('one value at a time as text', async () => {
    const { text } = await machine();
    const path = (rest: string): string => `instance/${rest}?api-version=2021-02-01&format=text`;
    expect([
      await text(path('compute/zone')),
      await text(path('network/interface/0/ipv4/ipAddress/0/privateIpAddress')),
      await text(path('network/interface/0')),
    ]).toEqual(['1', '10.224.0.4', 'ipv4/\nipv6/\nmacAddress']);
  });

  test.each([
    ['instance?api-version=2021-02-01', {}, 400],
    ['instance?api-version=2021-02-01', { metadata: 'true', 'x-forwarded-for': 'a' }, 400],
    ['instance', { metadata: 'true' }, 400],
    ['instance?api-version=1999-01-01', { metadata: 'true' }, 400],
    ['instance/compute/zone?api-version=2021-02-01', { metadata: 'true' }, 400],
    ['instance/compute/nothing?api-version=2021-02-01', { metadata: 'true' }, 404],
    ['instancely?api-version=2021-02-01', { metadata: 'true' }, 404],
    ['scheduledevents?api-version=2021-02-01', { metadata: 'true' }, 400],
    ['versions', { metadata: 'true' }, 200],
  ])('%s with %j: %i', async (path, headers, status) => {
    const { get } = await machine();
    expect((await get(path, headers as Record<string, string>)).status).toBe(status);
  });

  test('nothing when it is gone', async () => {
    const { azure, get } = await machine();
    await azure.finish('DELETE', `${vmId}?api-version=2025-04-01`);
    expect((await get('instance?api-version=2021-02-01')).status).toBe(410);
  });

  test('a token of its identity only when it has one', async () => {
    const { get } = await machine();
    const answer = await get(
      'identity/oauth2/token?api-version=2018-02-01&resource=https://management.azure.com',
    );
    expect(answer.status).toBe(400);
  });
});

describe('an event', () => {
  const kinds = (test: TestAzure): string[] => {
    const seen: string[] = [];
    test.azure.compute.events.onChanged(({ kind }) => seen.push(kind));
    return seen;
  };

  test('of an eviction is announced half a minute before, and gone with the machine', async () => {
    const spot = { priority: 'Spot', evictionPolicy: 'Delete', billingProfile: { maxPrice: -1 } };
    const { azure, events, incarnation } = await machine(spot);
    const before = await incarnation();
    await azure.send('POST', `${vmId}/simulateEviction?api-version=2025-04-01`);
    const nowMs = azure.clock.now();
    expect([before, await incarnation(), await events()]).toEqual([
      1,
      2,
      [
        expect.objectContaining({
          EventType: 'Preempt',
          EventStatus: 'Scheduled',
          ResourceType: 'VirtualMachine',
          Resources: ['aks-a'],
          NotBefore: new Date(nowMs + 30_000).toUTCString(),
          EventSource: 'Platform',
        }),
      ],
    ]);
    await azure.clock.advance(30_000);
    expect([await events(), azure.azure.env.store.get(vmId)]).toEqual([[], undefined]);
  });

  test('happens when its time has come', async () => {
    const { azure, events } = await machine();
    const seen = kinds(azure);
    azure.azure.scheduledEvents.schedule(vmId, { type: 'Reboot' });
    const states: unknown[] = [];
    for (const waitMs of [0, 15 * 60_000, 60_000]) {
      await azure.clock.advance(waitMs);
      states.push(
        (await events()).map((event) => [event['EventStatus'], event['NotBefore'] === '']),
      );
    }
    expect([states, seen]).toEqual([
      [[['Scheduled', false]], [['Started', true]], []],
      ['restarted'],
    ]);
  });

  test('happens earlier when the machine agrees, and only once', async () => {
    const { azure, approve, events } = await machine();
    const seen = kinds(azure);
    const id = azure.azure.scheduledEvents.schedule(vmId, { type: 'Redeploy' }) ?? '';
    const statuses = [await approve('unknown'), await approve(id), await approve(id)];
    const during = (await events()).map((event) => textAt(event, 'EventStatus'));
    await azure.clock.advance(3_600_000);
    expect([statuses, during, seen, await events()]).toEqual([
      [400, 200, 200],
      ['Started'],
      ['restarted'],
      [],
    ]);
  });

  test.each([
    ['Freeze', [], true],
    ['Terminate', ['deleted'], false],
  ] as const)('%s does %j', async (type, expected, isThere) => {
    const { azure } = await machine();
    const seen = kinds(azure);
    azure.azure.scheduledEvents.schedule(vmId, { type, noticeMs: 1000 });
    await azure.clock.advance(60_000);
    expect([seen, azure.azure.env.store.get(vmId) !== undefined]).toEqual([expected, isThere]);
  });

  test('is forgotten with its machine', async () => {
    const { azure, events } = await machine();
    azure.azure.scheduledEvents.schedule(vmId, { type: 'Reboot' });
    await azure.finish('DELETE', `${vmId}?api-version=2025-04-01`);
    const seen = kinds(azure);
    await azure.clock.advance(3_600_000);
    expect([
      await events(),
      seen,
      azure.azure.scheduledEvents.schedule(vmId, { type: 'Reboot' }),
    ]).toEqual([[], [], undefined]);
  });
});
