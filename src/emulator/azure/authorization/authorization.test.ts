import { describe, expect, test } from 'vitest';
import { textAt, type JsonObject } from '../../kube/json.ts';
import {
  nicBody,
  subscriptionId,
  testAzure,
  type Answer,
  type TestAzure,
} from '../azure-fixture.ts';
import type { Principal } from '../entra/directory.ts';

const place = `/subscriptions/${subscriptionId}`;
const group = `${place}/resourceGroups/nodes`;
const network = `${group}/providers/Microsoft.Network`;
const version = 'api-version=2022-04-01';
const location = 'southcentralus';
const roles = {
  reader: 'acdd72a7-3385-48ef-bd42-f606fba81ae7',
  contributor: 'b24988ac-6180-42a0-ab88-20f7382dd24c',
  vmContributor: '9980e02c-c2be-4d73-94e8-173b1dc7cf3c',
  networkContributor: '4d97b98b-1d4f-4787-a291-c67834d212e7',
};

const jane: Principal = {
  objectId: '00000000-0000-4000-8000-000000000005',
  clientId: '00000000-0000-4000-8000-0000000000a5',
  displayName: 'jane',
  kind: 'Application',
};

let names = 0;

async function assign(
  test: TestAzure,
  scope: string,
  role: string,
  changes: JsonObject = {},
): Promise<Answer> {
  const name = `${String(++names).padStart(8, '0')}-0000-4000-8000-000000000000`;
  const roleDefinitionId = `${place}/providers/Microsoft.Authorization/roleDefinitions/${role}`;
  return await test.send(
    'PUT',
    `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}?${version}`,
    {
      properties: { roleDefinitionId, principalId: jane.objectId, ...changes },
    },
  );
}

async function world(): Promise<
  TestAzure & { asJane(method: string, target: string, body?: JsonObject): Promise<Answer> }
> {
  const test = testAzure({ latencyFactor: 0 });
  test.azure.env.directory.put(jane);
  await test.send('PUT', `${group}?api-version=2024-11-01`, { location });
  const authorization = `Bearer ${test.tokenOf(jane)}`;
  return {
    ...test,
    asJane: (method, target, body) => test.send(method, target, body, { authorization }),
  };
}

const code = ({ body }: Answer): string => textAt(body, 'error', 'code');

describe('a role', () => {
  test('holds at its scope and below, not beside it', async () => {
    const test = await world();
    await test.send('PUT', `${place}/resourceGroups/other?api-version=2024-11-01`, { location });
    await assign(test, group, roles.reader);
    const seen = await test.asJane('GET', `${group}?api-version=2024-11-01`);
    const unseen = await test.asJane('GET', `${place}/resourceGroups/other?api-version=2024-11-01`);
    const listed = await test.asJane('GET', `${place}/resourceGroups?api-version=2024-11-01`);
    expect([seen.status, unseen.status, listed.body['value']]).toMatchObject([
      200,
      403,
      [{ name: 'nodes' }],
    ]);
    expect(listed.body['value']).toHaveLength(1);
  });

  test('lets a contributor do all but give roles away', async () => {
    const test = await world();
    await assign(test, place, roles.contributor);
    const created = await test.asJane('PUT', `${place}/resourceGroups/new?api-version=2024-11-01`, {
      location,
    });
    const name = '99999999-0000-4000-8000-000000000000';
    const given = await test.asJane(
      'PUT',
      `${place}/providers/Microsoft.Authorization/roleAssignments/${name}?${version}`,
      { properties: {} },
    );
    expect([created.status, given.status, code(given)]).toEqual([201, 403, 'AuthorizationFailed']);
  });

  test('that is taken away is gone at once', async () => {
    const test = await world();
    const { body } = await assign(test, group, roles.reader);
    const before = await test.asJane('GET', `${group}?api-version=2024-11-01`);
    await test.send('DELETE', `${textAt(body, 'id')}?${version}`);
    const after = await test.asJane('GET', `${group}?api-version=2024-11-01`);
    expect([before.status, after.status]).toEqual([200, 403]);
  });

  test('that somebody has written counts by its actions', async () => {
    const test = await world();
    const role = '77777777-0000-4000-8000-000000000000';
    await test.send(
      'PUT',
      `${place}/providers/Microsoft.Authorization/roleDefinitions/${role}?${version}`,
      {
        properties: {
          roleName: 'Group Reader',
          assignableScopes: [place],
          permissions: [
            {
              actions: ['Microsoft.Resources/subscriptions/resourceGroups/*'],
              notActions: ['*/delete'],
            },
          ],
        },
      },
    );
    await assign(test, place, role);
    const read = await test.asJane('GET', `${group}?api-version=2024-11-01`);
    const deleted = await test.asJane('DELETE', `${group}?api-version=2024-11-01`);
    expect([read.status, deleted.status]).toEqual([200, 403]);
  });
});

test('an interface in a subnet takes a right on the subnet too', async () => {
  const test = await world();
  await test.send('PUT', `${place}/resourceGroups/shared?api-version=2024-11-01`, { location });
  const shared = `${place}/resourceGroups/shared/providers/Microsoft.Network/virtualNetworks/vnet`;
  await test.finish('PUT', `${shared}?api-version=2024-07-01`, {
    location,
    properties: {
      addressSpace: { addressPrefixes: ['10.0.0.0/8'] },
      subnets: [{ name: 'nodes', properties: { addressPrefix: '10.0.0.0/16' } }],
    },
  });
  await assign(test, group, roles.vmContributor);
  const target = `${network}/networkInterfaces/n?api-version=2024-07-01`;
  const refused = await test.asJane('PUT', target, nicBody('shared'));
  expect([refused.status, code(refused), textAt(refused.body, 'error', 'message')]).toEqual([
    403,
    'LinkedAuthorizationFailed',
    expect.stringContaining(
      `action(s) 'Microsoft.Network/virtualNetworks/subnets/join/action' on the linked scope(s) '${shared}/subnets/nodes'`,
    ),
  ]);
  await assign(test, `${place}/resourceGroups/shared`, roles.networkContributor);
  expect((await test.asJane('PUT', target, nicBody('shared'))).status).toBe(201);
});

describe('assignments', () => {
  test.each<readonly [string, JsonObject, string]>([
    [
      'a role that is not there',
      { roleDefinitionId: '/x/66666666-0000-4000-8000-000000000000' },
      'RoleDefinitionDoesNotExist',
    ],
    ['nobody', { principalId: '66666666-0000-4000-8000-000000000000' }, 'PrincipalNotFound'],
    ['no id at all', { principalId: 'jane' }, 'InvalidPrincipalId'],
  ])('are refused for %s', async (_, changes, expected) => {
    expect(code(await assign(await world(), group, roles.reader, changes))).toBe(expected);
  });

  test('exist once for a role, a principal and a scope', async () => {
    const test = await world();
    const first = await assign(test, group, roles.reader);
    const again = await assign(test, group, roles.reader);
    expect([first.status, code(again)]).toEqual([201, 'RoleAssignmentExists']);
  });

  test('are listed at a scope with those above it, and by principal', async () => {
    const test = await world();
    await assign(test, place, roles.reader);
    await assign(test, group, roles.vmContributor);
    const count = async (scope: string, filter: string) =>
      (
        (
          await test.send(
            'GET',
            `${scope}/providers/Microsoft.Authorization/roleAssignments?${version}&$filter=${encodeURIComponent(filter)}`,
          )
        ).body['value'] as unknown[]
      ).length;
    expect([
      await count(group, `assignedTo('${jane.objectId}')`),
      await count(place, `assignedTo('${jane.objectId}')`),
      await count(place, `atScope() and assignedTo('${jane.objectId}')`),
      await count(place, `principalId eq '${subscriptionId}'`),
    ]).toEqual([2, 2, 1, 0]);
  });
});

test('a built-in role is found by name and cannot be changed', async () => {
  const { send } = await world();
  const definitions = `${place}/providers/Microsoft.Authorization/roleDefinitions`;
  const found = await send('GET', `${definitions}?${version}&$filter=roleName%20eq%20'Reader'`);
  const changed = await send('PUT', `${definitions}/${roles.reader}?${version}`, {
    properties: {},
  });
  expect(found.body['value']).toMatchObject([
    { name: roles.reader, properties: { type: 'BuiltInRole' } },
  ]);
  expect(code(changed)).toBe('RoleDefinitionUpdateNotPermitted');
});

test('a written role is shown, found and deleted, and an unknown one is not', async () => {
  const { send } = await world();
  const definitions = `${place}/providers/Microsoft.Authorization/roleDefinitions`;
  const id = `${definitions}/88888888-0000-4000-8000-000000000000`;
  const properties = {
    roleName: 'Mine',
    assignableScopes: [place],
    permissions: [{ actions: ['*/read'] }],
  };
  const incomplete = await send('PUT', `${id}?${version}`, { properties: { roleName: 'Mine' } });
  await send('PUT', `${id}?${version}`, { properties });
  const listed = await send('GET', `${definitions}?${version}&$filter=type%20eq%20'CustomRole'`);
  const deleted = await send('DELETE', `${id}?${version}`);
  const again = await send('DELETE', `${id}?${version}`);
  const gone = await send('GET', `${id}?${version}`);
  expect([
    code(incomplete),
    listed.body['value'],
    deleted.status,
    again.status,
    code(gone),
  ]).toMatchObject([
    'InvalidRoleDefinition',
    [{ properties: { roleName: 'Mine', type: 'CustomRole' } }],
    200,
    204,
    'RoleDefinitionDoesNotExist',
  ]);
});
