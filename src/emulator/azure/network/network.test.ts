import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { objectsAt, textAt, type JsonObject } from '../../kube/json.ts';
import {
  nicBody,
  subscriptionId,
  testAzure,
  type Answer,
  type TestAzure,
} from '../azure-fixture.ts';
import { attachNic, detachNic } from './nic-attachment.ts';
import { addressText, contains, overlaps, parseAddress, parsePrefix } from './ipv4.ts';
import { SubnetAddresses } from './subnet-addresses.ts';

const group = `/subscriptions/${subscriptionId}/resourceGroups/g`;
const network = `${group}/providers/Microsoft.Network`;
const version = 'api-version=2024-07-01';
const location = 'southcentralus';
const vnet = `${network}/virtualNetworks/vnet`;
const subnet = `${vnet}/subnets/nodes`;
const nic = (name: string): string => `${network}/networkInterfaces/${name}?${version}`;

const code = ({ body }: Answer): string => textAt(body, 'error', 'code');

function vnetBody(subnets: readonly JsonObject[]): JsonObject {
  return { location, properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] }, subnets } };
}

const subnetBody = (name: string, addressPrefix: string): JsonObject => ({
  name,
  properties: { addressPrefix },
});

async function world(prefix = '10.0.0.0/24'): Promise<TestAzure> {
  const test = testAzure();
  await test.send('PUT', `${group}?api-version=2024-11-01`, { location });
  await test.finish('PUT', `${vnet}?${version}`, vnetBody([subnetBody('nodes', prefix)]));
  return test;
}

const firstAddress = ({ body }: Answer): string =>
  textAt(objectsAt(body, 'properties', 'ipConfigurations')[0], 'properties', 'privateIPAddress');

describe('addresses', () => {
  test('are read back as they were written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (value) => {
        expect(parseAddress(addressText(value))).toBe(value);
      }),
    );
  });

  test.each(['10.0.0', '10.0.0.256', '10.0.0.0/33', '10.0.0.1/24', '10.0.0.x/8', ''])(
    '%j is no prefix',
    (text) => {
      expect(parsePrefix(text)).toBeUndefined();
    },
  );

  test('a prefix contains what it overlaps only from one side', () => {
    const [outer, inner] = [parsePrefix('10.0.0.0/8')!, parsePrefix('10.1.0.0/16')!];
    expect([contains(outer, inner), contains(inner, outer), overlaps(inner, outer)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('are given to one owner at a time, lowest first, whatever comes and goes', () => {
    const prefix = parsePrefix('10.0.0.0/28')!;
    const steps = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 14 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, (all) => {
        const addresses = new SubnetAddresses();
        const held = new Map<string, string>();
        const wronglyRefused: string[] = [];
        for (const [takes, number] of all) {
          const owner = `/nic/${number}`;
          const isFull = held.size === 11 && !held.has(owner);
          const address = takes ? addresses.take('/subnet', prefix, owner) : undefined;
          if (!takes) {
            addresses.release(owner);
            held.delete(owner);
          } else if (address !== undefined) {
            held.set(owner, address);
          } else if (!isFull) {
            wronglyRefused.push(owner);
          }
        }
        expect(wronglyRefused).toEqual([]);
        const given = [...held.values()];
        expect(new Set(given).size).toBe(given.length);
        expect(addresses.ownersIn('/subnet').length).toBe(held.size);
        for (const address of given) {
          const last = Number(address.split('.')[3]);
          expect(last >= 4 && last <= 14).toBe(true);
        }
      }),
    );
  });
});

describe('networks and subnets', () => {
  test.each([
    ['outside the network', '10.9.0.0/24', 'NetcfgSubnetRangeOutsideVnet'],
    ['over another subnet', '10.0.0.128/25', 'NetcfgSubnetRangesOverlap'],
    ['not aligned', '10.0.1.1/24', 'InvalidCIDRNotation'],
  ])('a subnet that is %s is refused', async (_, prefix, expected) => {
    const { send } = await world();
    const answer = await send(
      'PUT',
      `${vnet}/subnets/other?${version}`,
      subnetBody('other', prefix),
    );
    expect(code(answer)).toBe(expected);
  });

  test('a subnet of a network that is not there is refused', async () => {
    const { send } = await world();
    const answer = await send(
      'PUT',
      `${network}/virtualNetworks/no/subnets/n?${version}`,
      subnetBody('n', '10.0.0.0/24'),
    );
    expect([answer.status, code(answer)]).toEqual([404, 'ParentResourceNotFound']);
  });

  test('a write that leaves a subnet out removes it, unless it is in use', async () => {
    const { send, finish } = await world();
    const names = async (): Promise<string[]> => {
      const { body } = await send('GET', `${vnet}?${version}`);
      return objectsAt(body, 'properties', 'subnets').map((one) => textAt(one, 'name'));
    };
    await finish(
      'PUT',
      `${vnet}?${version}`,
      vnetBody([subnetBody('nodes', '10.0.0.0/24'), subnetBody('b', '10.0.1.0/24')]),
    );
    const both = await names();
    await finish('PUT', nic('n'), nicBody('g'));
    await finish('PUT', `${vnet}?${version}`, vnetBody([subnetBody('nodes', '10.0.0.0/24')]));
    const one = await names();
    const silent = { location, properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } } };
    await finish('PUT', `${vnet}?${version}`, silent);
    const same = await names();
    const refused = await send('PUT', `${vnet}?${version}`, vnetBody([]));
    expect([both, one, same, code(refused)]).toEqual([
      ['nodes', 'b'],
      ['nodes'],
      ['nodes'],
      'InUseSubnetCannotBeDeleted',
    ]);
  });

  test('a network cannot shrink away from under its subnets', async () => {
    const { send } = await world();
    const shrunk = { location, properties: { addressSpace: { addressPrefixes: ['10.9.0.0/16'] } } };
    expect(code(await send('PUT', `${vnet}?${version}`, shrunk))).toBe(
      'NetcfgSubnetRangeOutsideVnet',
    );
  });

  test('a network whose subnet is in use stays', async () => {
    const { send, finish } = await world();
    await finish('PUT', nic('n'), nicBody('g'));
    expect(code(await send('DELETE', `${vnet}?${version}`))).toBe('InUseSubnetCannotBeDeleted');
  });

  test('a missing subnet is not found in the words of the network provider', async () => {
    const { send } = await world();
    const { status, body } = await send('GET', `${vnet}/subnets/no?${version}`);
    expect([status, body['error']]).toEqual([
      404,
      { code: 'NotFound', message: `Resource ${vnet}/subnets/no not found.` },
    ]);
  });
});

describe('interfaces', () => {
  test('are creating until their operation is over', async () => {
    const { send, clock } = await world();
    const accepted = await send('PUT', nic('n'), nicBody('g'));
    const poll = accepted.headers['azure-asyncoperation']!;
    const first = await send('GET', poll.slice('https://management.azure.com'.length));
    const busy = await send('DELETE', nic('n'));
    await clock.advance(5000);
    const last = await send('GET', poll.slice('https://management.azure.com'.length));
    const done = await send('GET', nic('n'));
    expect([
      accepted.status,
      textAt(accepted.body, 'properties', 'provisioningState'),
      [first.body['status'], first.headers['retry-after']],
      [busy.status, code(busy)],
      last.body['status'],
      textAt(done.body, 'properties', 'provisioningState'),
    ]).toEqual([
      201,
      'Creating',
      ['InProgress', '1'],
      [429, 'AnotherOperationInProgress'],
      'Succeeded',
      'Succeeded',
    ]);
  });

  test('keep their address when they are written again', async () => {
    const { finish, send } = await world();
    await finish('PUT', nic('n'), nicBody('g'));
    const again = await send('PUT', nic('n'), nicBody('g'));
    expect([again.status, firstAddress(again)]).toEqual([200, '10.0.0.4']);
  });

  test('are refused when the subnet is full, and take nothing then', async () => {
    const { finish, send } = await world('10.0.0.0/29');
    const many = (count: number) =>
      nicBody('g', {
        ipConfigurations: Array.from({ length: count }, (_, index) => ({
          name: `c${index}`,
          properties: { primary: index === 0, subnet: { id: subnet } },
        })),
      });
    const refused = await send('PUT', nic('a'), many(4));
    const fits = await finish('PUT', nic('b'), many(3));
    expect([textAt(refused.body, 'error', 'message'), code(refused), fits.body['status']]).toEqual([
      'Subnet nodes with address prefix 10.0.0.0/29 does not have enough capacity for 1 IP addresses.',
      'SubnetIsFull',
      'Succeeded',
    ]);
  });

  test.each([
    ['no configuration', { ipConfigurations: [] }, 'NetworkInterfaceMustHaveAtLeastOneIpConfig'],
    ['no subnet', { ipConfigurations: [{ name: 'a' }] }, 'SubnetNotProvided'],
    [
      'a subnet that is not there',
      { ipConfigurations: [{ name: 'a', properties: { subnet: { id: `${vnet}/subnets/no` } } }] },
      'InvalidResourceReference',
    ],
    [
      'a subnet that is none',
      { ipConfigurations: [{ name: 'a', properties: { subnet: { id: vnet } } }] },
      'InvalidRequestFormat',
    ],
    [
      'two configurations of one name',
      { ipConfigurations: [{ name: 'a' }, { name: 'A' }] },
      'InvalidRequestFormat',
    ],
    [
      'an address that is Azure’s own',
      {
        ipConfigurations: [
          {
            name: 'a',
            properties: {
              subnet: { id: subnet },
              privateIPAllocationMethod: 'Static',
              privateIPAddress: '10.0.0.1',
            },
          },
        ],
      },
      'PrivateIPAddressInReservedRange',
    ],
  ])('are refused with %s', async (_, properties, expected) => {
    const { send } = await world();
    expect(code(await send('PUT', nic('n'), nicBody('g', properties as JsonObject)))).toBe(
      expected,
    );
  });

  test('stay while a machine has them, and a while after it has failed', async () => {
    const { azure, finish, send, clock } = await world();
    await finish('PUT', nic('n'), nicBody('g'));
    const id = `${network}/networkInterfaces/n`;
    attachNic(azure.env, id, { id: '/vm', isPrimary: true });
    const attached = await send('DELETE', nic('n'));
    detachNic(azure.env, id, { vmId: '/vm' });
    const reserved = await send('DELETE', nic('n'));
    await clock.advance(180_000);
    const free = await send('DELETE', nic('n'));
    expect([code(attached), code(reserved), free.status]).toEqual([
      'NicInUse',
      'NicReservedForAnotherVm',
      202,
    ]);
  });

  test('change only under the etag that was read', async () => {
    const { finish, send } = await world();
    await finish('PUT', nic('n'), nicBody('g'));
    const { body } = await send('GET', nic('n'));
    const stale = await send('PATCH', nic('n'), { tags: { a: 'b' } }, { 'if-match': 'W/"old"' });
    const fresh = await send(
      'PATCH',
      nic('n'),
      { tags: { a: 'b' } },
      { 'if-match': textAt(body, 'etag') },
    );
    const only = await send('PUT', nic('n'), nicBody('g'), { 'if-none-match': '*' });
    const more = await send('PATCH', nic('n'), { tags: {}, properties: {} });
    expect(code(more)).toBe('InvalidRequestContent');
    expect([stale.status, fresh.status, fresh.body['tags'], only.status]).toEqual([
      412,
      200,
      { a: 'b' },
      412,
    ]);
  });

  test('whose operation is stuck never finish, and whose fails say so for ever', async () => {
    const { azure, send, clock } = await world();
    azure.env.faults.add({
      operation: '*/networkInterfaces/write',
      count: 1,
      effect: { kind: 'stuck' },
    });
    azure.env.faults.add({
      operation: '*/networkInterfaces/write',
      effect: { kind: 'fail-late', code: 'InternalServerError' },
    });
    const status = async (name: string): Promise<unknown[]> => {
      const { headers } = await send('PUT', nic(name), nicBody('g'));
      await clock.advance(3_600_000);
      const poll = headers['azure-asyncoperation']!.slice('https://management.azure.com'.length);
      const { body } = await send('GET', poll);
      return [body['status'], textAt(body, 'error', 'code')];
    };
    expect([
      await status('a'),
      await status('b'),
      (await send('GET', nic('b'))).body,
    ]).toMatchObject([
      ['InProgress', ''],
      ['Failed', 'InternalServerError'],
      { properties: { provisioningState: 'Failed' } },
    ]);
  });
});

test('a public address is allocated once and stays while it is used', async () => {
  const { finish, send } = await world();
  const address = `${network}/publicIPAddresses/p`;
  await finish('PUT', `${address}?${version}`, { location, sku: { name: 'Standard' } });
  await finish('PUT', `${network}/loadBalancers/lb?${version}`, {
    location,
    properties: {
      frontendIPConfigurations: [{ name: 'f', properties: { publicIPAddress: { id: address } } }],
    },
  });
  const shown = await send('GET', `${address}?${version}`);
  const refused = await send('DELETE', `${address}?${version}`);
  expect([shown.body['properties'], code(refused)]).toMatchObject([
    {
      ipAddress: '203.0.113.1',
      ipConfiguration: { id: `${network}/loadBalancers/lb/frontendIPConfigurations/f` },
    },
    'PublicIPAddressCannotBeDeleted',
  ]);
});

describe('load balancers', () => {
  const balancer = `${network}/loadBalancers/kubernetes`;

  test('show who stands in their pools, and stay while somebody does', async () => {
    const { finish, send } = await world();
    await finish('PUT', `${balancer}?${version}`, {
      location,
      properties: { backendAddressPools: [{ name: 'p' }, { name: 'q' }], probes: [{ name: 'x' }] },
    });
    const pool = `${balancer}/backendAddressPools/p`;
    const properties = {
      subnet: { id: subnet },
      loadBalancerBackendAddressPools: [{ id: pool.toLowerCase() }],
    };
    await finish('PUT', nic('n'), nicBody('g', { ipConfigurations: [{ name: 'a', properties }] }));
    const [one, all, missing] = [
      await send('GET', `${pool}?${version}`),
      await send('GET', `${balancer}/backendAddressPools?${version}`),
      await send('GET', `${balancer}/backendAddressPools/no?${version}`),
    ];
    expect(one.body).toMatchObject({
      id: pool,
      properties: {
        provisioningState: 'Succeeded',
        backendIPConfigurations: [{ id: `${network}/networkInterfaces/n/ipConfigurations/a` }],
      },
    });
    expect([objectsAt(all.body, 'value').length, code(missing)]).toEqual([2, 'NotFound']);
    expect(code(await send('DELETE', `${balancer}?${version}`))).toBe(
      'LoadBalancerInUseByVirtualMachine',
    );
    expect((await send('PUT', `${pool}?${version}`, {})).status).toBe(405);
  });

  test('refuse parts without a name and two of one name', async () => {
    const { send } = await world();
    const put = async (pools: JsonObject[]): Promise<string> =>
      code(
        await send('PUT', `${balancer}?${version}`, {
          location,
          properties: { backendAddressPools: pools },
        }),
      );
    expect([
      await put([{}]),
      await put([{ name: 'p' }, { name: 'P' }]),
      await put([{ name: 'a/b' }]),
    ]).toEqual(['InvalidRequestFormat', 'InvalidRequestFormat', 'InvalidResourceName']);
  });
});

test('a security group and a route table know the subnets under them', async () => {
  const { finish, send } = await world();
  const [groupId, tableId] = [`${network}/networkSecurityGroups/n`, `${network}/routeTables/r`];
  for (const id of [groupId, tableId]) await finish('PUT', `${id}?${version}`, { location });
  await finish('PUT', `${subnet}?${version}`, {
    properties: {
      addressPrefix: '10.0.0.0/24',
      networkSecurityGroup: { id: groupId },
      routeTable: { id: tableId },
    },
  });
  const shown = await send('GET', `${groupId}?${version}`);
  const refusals = [
    await send('DELETE', `${groupId}?${version}`),
    await send('DELETE', `${tableId}?${version}`),
  ];
  expect(shown.body['properties']).toMatchObject({ subnets: [{ id: subnet }] });
  expect(refusals.map((answer) => code(answer))).toEqual([
    'InUseNetworkSecurityGroupCannotBeDeleted',
    'InUseRouteTableCannotBeDeleted',
  ]);
  const elsewhere = {
    properties: { addressPrefix: '10.0.0.0/24', routeTable: { id: `${tableId}x` } },
  };
  expect(code(await send('PUT', `${subnet}?${version}`, elsewhere))).toBe(
    'InvalidResourceReference',
  );
});

test('a static address is taken once', async () => {
  const { finish, send } = await world();
  const asked = (privateIPAddress: string): JsonObject =>
    nicBody('g', {
      ipConfigurations: [
        {
          name: 'a',
          properties: {
            subnet: { id: subnet },
            privateIPAllocationMethod: 'Static',
            privateIPAddress,
          },
        },
      ],
    });
  await finish('PUT', nic('n'), asked('10.0.0.9'));
  const [taken, outside, kept] = [
    await send('PUT', nic('m'), asked('10.0.0.9')),
    await send('PUT', nic('m'), asked('10.7.0.9')),
    await send('PUT', nic('n'), asked('10.0.0.9')),
  ];
  expect([code(taken), code(outside), firstAddress(kept)]).toEqual([
    'PrivateIPAddressInUse',
    'PrivateIPAddressNotInSubnet',
    '10.0.0.9',
  ]);
  await finish('PUT', `${subnet}?${version}`, { properties: { addressPrefix: '10.0.0.0/24' } });
  const moved = await send('PUT', `${subnet}?${version}`, {
    properties: { addressPrefix: '10.0.4.0/24' },
  });
  expect(code(moved)).toBe('InUsePrefixCannotBeDeleted');
});
