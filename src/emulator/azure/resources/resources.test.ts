import { describe, expect, test } from 'vitest';
import type { Json } from '../../../api/meta.ts';
import { objectAt, textAt, type JsonObject } from '../../kube/json.ts';
import {
  nicBody,
  subscriptionId,
  testAzure,
  type Answer,
  type TestAzure,
} from '../azure-fixture.ts';

const place = `/subscriptions/${subscriptionId}`;
const group = `${place}/resourceGroups/g`;
const version = 'api-version=2024-11-01';
const networkVersion = 'api-version=2024-07-01';
const location = 'southcentralus';

const code = ({ body }: Answer): string => textAt(body, 'error', 'code');

async function withNetwork(): Promise<TestAzure> {
  const test = testAzure();
  await test.send('PUT', `${group}?${version}`, { location, tags: { team: 'a' } });
  await test.finish(
    'PUT',
    `${group}/providers/Microsoft.Network/virtualNetworks/vnet?${networkVersion}`,
    {
      location,
      properties: {
        addressSpace: { addressPrefixes: ['10.0.0.0/8'] },
        subnets: [{ name: 'nodes', properties: { addressPrefix: '10.0.0.0/16' } }],
      },
    },
  );
  await test.finish(
    'PUT',
    `${group}/providers/Microsoft.Network/networkInterfaces/n?${networkVersion}`,
    nicBody('g'),
  );
  return test;
}

describe('resource groups', () => {
  test.each([
    ['no location', 'g', {}, 'LocationRequired'],
    [
      'a location that is not there',
      'g',
      { location: 'moon' },
      'LocationNotAvailableForResourceGroup',
    ],
    ['a name that ends with a period', 'g.', { location }, 'InvalidResourceGroupName'],
    [
      'a reserved character in a tag',
      'g',
      { location, tags: { 'a/b': 'c' } },
      'InvalidTagNameCharacters',
    ],
    ['a tag that is too long', 'g', { location, tags: { a: 'x'.repeat(257) } }, 'TagValueTooLong'],
  ])('are refused with %s', async (_, name, body, expected) => {
    const { send } = testAzure();
    expect(code(await send('PUT', `${place}/resourceGroups/${name}?${version}`, body))).toBe(
      expected,
    );
  });

  test('stay in their location', async () => {
    const { send } = testAzure();
    await send('PUT', `${group}?${version}`, { location: 'South Central US' });
    const moved = await send('PUT', `${group}?${version}`, { location: 'westcentralus' });
    expect([moved.status, code(moved)]).toEqual([409, 'InvalidResourceGroupLocation']);
  });

  test('are listed by tag, page by page', async () => {
    const { send } = testAzure({ pageSize: 2 });
    for (const [name, team] of [
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'x'],
      ['d', 'x'],
    ]) {
      await send('PUT', `${place}/resourceGroups/${name}?${version}`, {
        location,
        tags: { team: team! },
      });
    }
    const filter = encodeURIComponent("tagName eq 'team' and tagValue eq 'x'");
    const first = await send('GET', `${place}/resourceGroups?${version}&$filter=${filter}`);
    const link = new URL(textAt(first.body, 'nextLink'));
    const second = await send('GET', `${link.pathname}${link.search}`);
    const names = [first, second].map(({ body }) =>
      (body['value'] as { name: string }[]).map(({ name }) => name),
    );
    expect([names, second.body['nextLink']]).toEqual([[['a', 'c'], ['d']], undefined]);
  });

  test('take everything with them when they go, and nothing new meanwhile', async () => {
    const { send, clock, azure } = await withNetwork();
    const accepted = await send('DELETE', `${group}?${version}`);
    const going = await send('GET', `${group}?${version}`);
    const late = await send(
      'PUT',
      `${group}/providers/Microsoft.Network/networkInterfaces/m?${networkVersion}`,
      nicBody('g'),
    );
    await clock.advance(60_000);
    const gone = await send('HEAD', `${group}?${version}`);
    expect([
      accepted.status,
      textAt(going.body, 'properties', 'provisioningState'),
      code(late),
      gone.status,
      azure.env.store.below(group),
    ]).toEqual([202, 'Deleting', 'ResourceGroupBeingDeleted', 404, []]);
  });

  test('that are going are polled at an address that knows when they are gone', async () => {
    const { finish } = await withNetwork();
    expect((await finish('DELETE', `${group}?${version}`)).status).toBe(200);
  });
});

describe('all resources together', () => {
  test('are listed with their filters, tracked ones only', async () => {
    const { send } = await withNetwork();
    const list = async (filter: string): Promise<string[]> => {
      const { body } = await send(
        'GET',
        `${place}/resources?${version}&$filter=${encodeURIComponent(filter)}`,
      );
      return (body['value'] as { type: string }[]).map(({ type }) => type);
    };
    expect([
      await list("resourceGroup eq 'G'"),
      await list("resourceType eq 'Microsoft.Network/virtualNetworks'"),
      await list("name eq 'n' and location eq 'westcentralus'"),
    ]).toEqual([
      ['Microsoft.Network/networkInterfaces', 'Microsoft.Network/virtualNetworks'],
      ['Microsoft.Network/virtualNetworks'],
      [],
    ]);
  });

  test('are not listed by a filter that is not understood', async () => {
    const { send } = await withNetwork();
    const answer = await send(
      'GET',
      `${place}/resources?${version}&$filter=${encodeURIComponent("substringof('a', name)")}`,
    );
    expect(code(answer)).toBe('InvalidFilterInQueryString');
  });
});

test('providers tell their types and versions, features their state', async () => {
  const { send } = testAzure();
  const provider = await send('GET', `${place}/providers/microsoft.network?${version}`);
  const feature = `${place}/providers/Microsoft.Features/providers/Microsoft.ContainerService/features/F`;
  const before = await send('GET', `${feature}?api-version=2021-07-01`);
  await send('POST', `${feature}/register?api-version=2021-07-01`);
  const after = await send('GET', `${feature}?api-version=2021-07-01`);
  expect(provider.body).toMatchObject({
    namespace: 'Microsoft.Network',
    registrationState: 'Registered',
    resourceTypes: expect.arrayContaining([
      expect.objectContaining({ resourceType: 'virtualNetworks/subnets' }),
    ]) as unknown,
  });
  expect([before, after].map(({ body }) => textAt(body, 'properties', 'state'))).toEqual([
    'NotRegistered',
    'Registered',
  ]);
});

test('locations name their zones', async () => {
  const { send } = testAzure();
  const { body } = await send('GET', `${place}/locations?api-version=2022-12-01`);
  expect(body['value']).toMatchObject([
    { name: 'southcentralus', availabilityZoneMappings: [{ logicalZone: '1' }, {}, {}] },
    { name: 'westcentralus' },
  ]);
});

test('tags are replaced, merged and taken away on their own', async () => {
  const { send } = await withNetwork();
  const target = `${group}/providers/Microsoft.Resources/tags/default?${version}`;
  const tags = async (method: string, body: Json): Promise<unknown> =>
    objectAt((await send(method, target, body)).body, 'properties', 'tags');
  const patch = (operation: string, tags: JsonObject): JsonObject => ({
    operation,
    properties: { tags },
  });
  expect([
    await tags('PATCH', patch('Merge', { a: '1' })),
    await tags('PATCH', patch('Delete', { team: '' })),
    await tags('PUT', { properties: { tags: { b: '2' } } }),
    code(await send('PATCH', target, patch('Swap', {}))),
  ]).toEqual([{ team: 'a', a: '1' }, { a: '1' }, { b: '2' }, 'InvalidTagOperation']);
});

test('a resource is named after its group, however the request writes that', async () => {
  const { send } = await withNetwork();
  const target = `${group.replace('/resourceGroups/g', '/resourcegroups/G')}/providers/microsoft.network/networkinterfaces/New`;
  const { body } = await send('PUT', `${target}?${networkVersion}`, nicBody('g'));
  expect(body['id']).toBe(`${group}/providers/Microsoft.Network/networkInterfaces/New`);
});

test('a resource that is there is found by HEAD', async () => {
  const { send } = await withNetwork();
  const status = async (name: string): Promise<number> =>
    (
      await send(
        'HEAD',
        `${group}/providers/Microsoft.Network/networkInterfaces/${name}?${networkVersion}`,
      )
    ).status;
  expect([await status('n'), await status('no')]).toEqual([204, 404]);
});
