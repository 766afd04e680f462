import { describe, expect, test } from 'vitest';
import type { Json } from '../../../api/meta.ts';
import { textAt, type JsonObject } from '../../kube/json.ts';
import {
  armUrl,
  subscriptionId,
  testAzure,
  type Answer,
  type TestAzure,
} from '../azure-fixture.ts';
import { evaluate, type Scope } from './evaluate.ts';

const place = `/subscriptions/${subscriptionId}`;
const group = `${place}/resourceGroups/g`;
const deployment = `${group}/providers/Microsoft.Resources/deployments/d`;
const version = 'api-version=2025-04-01';
const location = 'southcentralus';

const scope: Scope = {
  subscription: { id: place, subscriptionId },
  resourceGroup: { id: group, name: 'g', location },
  tenantId: 'tenant',
  deployment: { name: 'd' },
  parameters: { name: 'web', count: 3, list: ['a', 'b'], object: { Key: { inner: [1, 2] } } },
  variables: { greeting: "[concat('hello ', parameters('name'))]" },
  reference: (id, isFull) => ({ id, isFull }),
  loops: [{ name: 'loop', index: 4 }],
  now: () => 0,
  newGuid: () => 'new',
};

describe('expressions', () => {
  test.each<readonly [string, Json]>([
    ['plain', 'plain'],
    ['[[not an expression]', '[not an expression]'],
    ["[parameters('NAME')]", 'web'],
    ["[variables('greeting')]", 'hello web'],
    ["[concat('it''s ', string(1), '-', string(true()))]", "it's 1-true"],
    ["[concat(parameters('list'), createArray('c'))]", ['a', 'b', 'c']],
    ["[parameters('object').key.inner[1]]", 2],
    ['[resourceGroup().location]', location],
    ['[subscription().subscriptionId]', subscriptionId],
    [
      "[resourceId('Microsoft.Network/virtualNetworks/subnets', 'v', 's')]",
      `${group}/providers/Microsoft.Network/virtualNetworks/v/subnets/s`,
    ],
    [
      "[resourceId('other', 'Microsoft.Network/virtualNetworks', 'v')]",
      `${place}/resourceGroups/other/providers/Microsoft.Network/virtualNetworks/v`,
    ],
    [
      "[subscriptionResourceId('Microsoft.Authorization/roleDefinitions', 'r')]",
      `${place}/providers/Microsoft.Authorization/roleDefinitions/r`,
    ],
    ["[format('{0}-{1}-{0}', 'a', 2)]", 'a-2-a'],
    ["[if(equals(parameters('count'), 3), 'three', missing())]", 'three'],
    ["[and(greater(3, 2), not(empty(parameters('list'))))]", true],
    ["[toLower(replace('A-B', '-', '_'))]", 'a_b'],
    ["[split('a,b', ',')]", ['a', 'b']],
    ["[substring('abcdef', 2, 3)]", 'cde'],
    ["[padLeft('7', 3, '0')]", '007'],
    ['[add(mul(2, 3), div(7, 2))]', 9],
    ["[union(createObject('a', 1), createObject('b', 2))]", { a: 1, b: 2 }],
    ["[contains(parameters('object'), 'key')]", true],
    ["[first(skip(parameters('list'), 1))]", 'b'],
    ['[copyIndex()]', 4],
    ["[copyIndex('loop', 1)]", 5],
    ["[coalesce(null(), 'x')]", 'x'],
    ['[json(\'{"a": 1}\').a]', 1],
    ["[base64('x')]", 'eA=='],
    ['[length(range(0, 5))]', 5],
    ["[toUpper(trim(' a '))]", 'A'],
    ["[join(createArray('a', 1), '-')]", 'a-1'],
    [
      "[createArray(startsWith('Abc', 'aB'), endsWith('Abc', 'BC'), indexOf('abc', 'C'))]",
      [true, true, 2],
    ],
    ["[base64ToString(base64('x'))]", 'x'],
    ["[base64ToJson(base64('[1]'))]", [1]],
    ["[uri('https://a/b/', 'c')]", 'https://a/b/c'],
    ["[array('a')]", ['a']],
    ['[union(createArray(1, 2), createArray(2, 3))]', [1, 2, 3]],
    ["[createArray(contains('abc', 'b'), contains(createArray(1), 1))]", [true, true]],
    [
      "[createArray(empty(''), empty(createObject()), length('abc'), length(createObject('a', 1)))]",
      [true, true, 3, 1],
    ],
    ["[createArray(first('abc'), last('abc'), last(parameters('list')))]", ['a', 'c', 'b']],
    ["[take('abcdef', 2)]", 'ab'],
    ['[intersection(createArray(1, 2), createArray(2, 3))]', [2]],
    ['[flatten(createArray(createArray(1), 2))]', [1, 2]],
    [
      "[items(createObject('b', 1, 'a', 2))]",
      [
        { key: 'a', value: 2 },
        { key: 'b', value: 1 },
      ],
    ],
    [
      "[createArray(sub(5, 2), mod(5, 3), min(3, 1), max(createArray(1, 4)), int('7'))]",
      [3, 2, 1, 4, 7],
    ],
    ["[createArray(bool('True'), bool(0), or(false(), true()))]", [true, false, true]],
    [
      "[createArray(less(1, 2), lessOrEquals(2, 2), greaterOrEquals('b', 'a'), greater('a', 'a'))]",
      [true, true, true, false],
    ],
    [
      '[createArray(utcNow(), newGuid(), tenant().tenantId, deployment().name)]',
      ['1970-01-01T00:00:00.000Z', 'new', 'tenant', 'd'],
    ],
    [
      "[tenantResourceId('Microsoft.Authorization/roleDefinitions', 'r')]",
      '/providers/Microsoft.Authorization/roleDefinitions/r',
    ],
    [
      "[extensionResourceId(resourceGroup().id, 'Microsoft.Authorization/locks', 'l')]",
      `${group}/providers/Microsoft.Authorization/locks/l`,
    ],
    ["[reference('x', '2024-07-01', 'Full')]", { id: 'x', isFull: true }],
  ])('%s', (text, expected) => {
    expect(evaluate(text, scope)).toEqual(expected);
  });

  test('that name nothing are refused by name', () => {
    for (const text of [
      '[toLower(1)]',
      "[add('a', 1)]",
      "[not('x')]",
      '[first(1)]',
      '[range(0, 1000000)]',
      "[uri('no', 'base')]",
      "[json('{')]",
      '[union(1, 2)]',
      "[padLeft('a', 1000000000)]",
      "[parameters('list')[7]]",

      '[nothing()]',
      "[parameters('x')]",
      "[concat('a']",
      '[resourceGroup().nothing]',
    ]) {
      expect(() => evaluate(text, scope)).toThrow(/template/i);
    }
  });

  test('guid and uniqueString depend on their arguments alone', () => {
    const run = (text: string): Json => evaluate(text, scope);
    expect(run("[guid('a', 'b')]")).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(run("[guid('a', 'b')]")).toBe(run("[guid('a', 'b')]"));
    expect(run("[uniqueString('a')]")).toMatch(/^[a-z2-7]{13}$/);
    expect(run("[uniqueString('a')]")).not.toBe(run("[uniqueString('b')]"));
  });
});

const template = {
  parameters: {
    prefix: { type: 'string' },
    count: { type: 'int', defaultValue: 2 },
    where: { type: 'string', defaultValue: '[resourceGroup().location]' },
  },
  variables: { vnet: "[concat(parameters('prefix'), '-vnet')]" },
  resources: [
    {
      type: 'Microsoft.Network/networkInterfaces',
      apiVersion: '2024-07-01',
      name: "[format('{0}-nic-{1}', parameters('prefix'), copyIndex())]",
      location: "[parameters('where')]",
      copy: { name: 'nics', count: "[parameters('count')]" },
      dependsOn: [
        "[resourceId('Microsoft.Network/virtualNetworks/subnets', variables('vnet'), 'nodes')]",
      ],
      properties: {
        ipConfigurations: [
          {
            name: 'a',
            properties: {
              subnet: {
                id: "[resourceId('Microsoft.Network/virtualNetworks/subnets', variables('vnet'), 'nodes')]",
              },
            },
          },
        ],
      },
    },
    {
      type: 'Microsoft.Network/virtualNetworks',
      apiVersion: '2024-07-01',
      name: "[variables('vnet')]",
      location: "[parameters('where')]",
      properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } },
      resources: [
        {
          type: 'subnets',
          apiVersion: '2024-07-01',
          name: 'nodes',
          properties: { addressPrefix: '10.0.0.0/24' },
        },
      ],
    },
  ],
  outputs: {
    guid: { type: 'string', value: "[reference(variables('vnet')).resourceGuid]" },
    ids: { type: 'array', value: '[createArray(resourceGroup().id)]' },
  },
};

async function world(): Promise<TestAzure> {
  const test = testAzure();
  await test.send('PUT', `${group}?${version}`, { location });
  return test;
}

const body = (
  changes: JsonObject = {},
  parameters: JsonObject = { prefix: { value: 'web' } },
): JsonObject => ({
  properties: {
    mode: 'Incremental',
    template: { ...(template as unknown as JsonObject), ...changes },
    parameters,
  },
});

/** Deploys and waits for the end. */
async function deploy(
  test: TestAzure,
  content: JsonObject,
): Promise<{ status: JsonObject; record: JsonObject }> {
  const { headers, body: refusal } = await test.send('PUT', `${deployment}?${version}`, content);
  const poll = headers['azure-asyncoperation'];
  if (poll === undefined) return { status: refusal, record: {} };
  let status: Answer;
  do {
    await test.clock.advance(1000);
    status = await test.send('GET', poll.slice(armUrl.length));
  } while (status.body['status'] === 'Running');
  return { status: status.body, record: (await test.send('GET', `${deployment}?${version}`)).body };
}

const code = (refused: JsonObject): string => textAt(refused, 'error', 'code');

describe('a deployment', () => {
  test('writes its resources in the order of their dependencies and gives outputs', async () => {
    const test = await world();
    const { status, record } = await deploy(test, body());
    const names = test.azure.env.store
      .list('Microsoft.Network/networkInterfaces', group)
      .map(({ name }) => name);
    const vnet = test.azure.env.store.get(
      `${group}/providers/Microsoft.Network/virtualNetworks/web-vnet`,
    );
    expect([status, names, record['properties']]).toMatchObject([
      { status: 'Succeeded' },
      ['web-nic-0', 'web-nic-1'],
      {
        provisioningState: 'Succeeded',
        outputs: {
          guid: { type: 'String', value: textAt(vnet?.body, 'properties', 'resourceGuid') },
          ids: { type: 'Array', value: [group] },
        },
      },
    ]);
  });

  test('keeps no secrets', async () => {
    const test = await world();
    const secret = { secret: { type: 'secureString' }, plain: { type: 'string' } };
    const given = { secret: { value: 'hidden' }, plain: { value: 'open' } };
    const { record } = await deploy(
      test,
      body({ parameters: secret, resources: [], outputs: {}, variables: {} }, given),
    );
    expect(record['properties']).toMatchObject({
      provisioningState: 'Succeeded',
      parameters: { secret: { type: 'secureString' }, plain: { value: 'open' } },
    });
    expect(JSON.stringify(record)).not.toContain('hidden');
  });

  test('that is complete removes what it does not name', async () => {
    const test = await world();
    await deploy(test, body());
    const second = body({}, { prefix: { value: 'web' }, count: { value: 1 } });
    await deploy(test, {
      properties: { ...(second['properties'] as JsonObject), mode: 'Complete' },
    });
    const names = test.azure.env.store
      .list('Microsoft.Network/networkInterfaces', group)
      .map(({ name }) => name);
    expect(names).toEqual(['web-nic-0']);
  });

  test('that fails says which resource failed and why, and begins nothing after it', async () => {
    const test = await world();
    test.azure.env.faults.add({
      operation: 'Microsoft.Network/virtualNetworks/write',
      effect: { kind: 'fail-late', code: 'InternalServerError', message: 'No luck today.' },
    });
    const { status } = await deploy(test, body());
    expect(status).toMatchObject({
      status: 'Failed',
      error: {
        code: 'DeploymentFailed',
        details: [{ code: 'InternalServerError', message: 'No luck today.' }],
      },
    });
    expect(test.azure.env.store.list('Microsoft.Network/networkInterfaces')).toEqual([]);
  });

  test('takes the rights of who deploys', async () => {
    const test = await world();
    const role = 'Microsoft.Resources/deployments/*';
    const roleId = '77777777-0000-4000-8000-000000000000';
    const jane = {
      objectId: '00000000-0000-4000-8000-000000000005',
      clientId: '00000000-0000-4000-8000-0000000000a5',
      displayName: 'jane',
      kind: 'Application',
    } as const;
    test.azure.env.directory.put(jane);
    const auth = `${place}/providers/Microsoft.Authorization`;
    await test.send('PUT', `${auth}/roleDefinitions/${roleId}?api-version=2022-04-01`, {
      properties: {
        roleName: 'Deployer',
        assignableScopes: [place],
        permissions: [{ actions: [role] }],
      },
    });
    await test.send('PUT', `${auth}/roleAssignments/${roleId}?api-version=2022-04-01`, {
      properties: {
        roleDefinitionId: `${auth}/roleDefinitions/${roleId}`,
        principalId: jane.objectId,
      },
    });
    const authorization = `Bearer ${test.tokenOf(jane)}`;
    await test.send('PUT', `${deployment}?${version}`, body(), { authorization });
    await test.clock.advance(1000);
    const { body: record } = await test.send('GET', `${deployment}?${version}`);
    expect(record['properties']).toMatchObject({
      provisioningState: 'Failed',
      error: { details: [{ code: 'AuthorizationFailed' }] },
    });
  });

  test.each<readonly [string, JsonObject, string]>([
    ['has no value for a parameter', body({}, {}), 'InvalidTemplate'],
    [
      'is given a parameter it does not have',
      body({}, { prefix: { value: 'a' }, x: { value: 1 } }),
      'InvalidTemplate',
    ],
    ['is given a value of another type', body({}, { prefix: { value: 1 } }), 'InvalidTemplate'],
    [
      'depends on what is not there',
      body({
        resources: [{ ...template.resources[1]!, dependsOn: ['nobody'] }],
      }),
      'InvalidTemplate',
    ],
    [
      'has a type that is not there',
      body({ resources: [{ type: 'Microsoft.Nothing/x', apiVersion: '2024-07-01', name: 'a' }] }),
      'InvalidResourceNamespace',
    ],
    [
      'has a version that is not there',
      body({
        resources: [
          { type: 'Microsoft.Network/virtualNetworks', apiVersion: '1999-01-01', name: 'a' },
        ],
      }),
      'NoRegisteredProviderFound',
    ],
    ['has no template', { properties: { mode: 'Incremental' } }, 'InvalidTemplate'],
    [
      'has a template elsewhere',
      { properties: { mode: 'Incremental', templateLink: { uri: 'https://x' } } },
      'NotSupported',
    ],
  ])('that %s is refused before anything is written', async (_, content, expected) => {
    const test = await world();
    const { status } = await deploy(test, content);
    const validated = await test.send('POST', `${deployment}/validate?${version}`, content);
    expect([code(status), code(validated.body)]).toEqual([expected, expected]);
    expect(test.azure.env.store.below(group)).toEqual([]);
  });

  test('whose resources wait for each other is refused', async () => {
    const test = await world();
    const one = (name: string, other: string): JsonObject => ({
      type: 'Microsoft.Network/routeTables',
      apiVersion: '2024-07-01',
      name,
      location,
      dependsOn: [other],
    });
    const { status } = await deploy(
      test,
      body({ resources: [one('a', 'b'), one('b', 'a')], outputs: {} }),
    );
    expect(textAt(status, 'error', 'message')).toContain('Circular dependency detected');
  });

  test('within another is waited for, and reads its own template', async () => {
    const test = await world();
    const nested = {
      type: 'Microsoft.Resources/deployments',
      apiVersion: '2025-04-01',
      name: 'inner',
      properties: {
        mode: 'Incremental',
        expressionEvaluationOptions: { scope: 'inner' },
        parameters: { prefix: { value: "[parameters('prefix')]" } },
        template,
      },
    };
    const outer = body({
      resources: [nested] as unknown as Json,
      outputs: {
        guid: { type: 'string', value: "[reference('inner').outputs.guid.value]" },
      },
    });
    const { status, record } = await deploy(test, outer);
    expect([status['status'], record['properties']]).toMatchObject([
      'Succeeded',
      { outputs: { guid: { value: expect.stringMatching(/^[0-9a-f-]{36}$/) as string } } },
    ]);
  });

  test('is listed, found and forgotten, and what it made stays', async () => {
    const test = await world();
    await deploy(test, body());
    const list = await test.send(
      'GET',
      `${group}/providers/Microsoft.Resources/deployments?${version}`,
    );
    const before = await test.send('HEAD', `${deployment}?${version}`);
    await test.send('DELETE', `${deployment}?${version}`);
    const after = await test.send('HEAD', `${deployment}?${version}`);
    expect([list.body['value'], before.status, after.status]).toMatchObject([
      [{ name: 'd' }],
      204,
      404,
    ]);
    expect(code((await test.send('GET', `${deployment}?${version}`)).body)).toBe(
      'DeploymentNotFound',
    );
    expect(test.azure.env.store.list('Microsoft.Network/virtualNetworks')).toHaveLength(1);
  });

  test('that is under way cannot be replaced, but stopped', async () => {
    const test = await world();
    await test.send('PUT', `${deployment}?${version}`, body());
    await test.clock.advance(1);
    const second = await test.send('PUT', `${deployment}?${version}`, body());
    const stopped = await test.send('POST', `${deployment}/cancel?${version}`);
    await test.clock.advance(60_000);
    const { body: record } = await test.send('GET', `${deployment}?${version}`);
    expect([
      code(second.body),
      stopped.status,
      textAt(record, 'properties', 'provisioningState'),
    ]).toEqual(['DeploymentActive', 204, 'Canceled']);
    expect(test.azure.env.store.list('Microsoft.Network/networkInterfaces')).toEqual([]);
  });

  test('is not predicted', async () => {
    const test = await world();
    expect(code((await test.send('POST', `${deployment}/whatIf?${version}`, body())).body)).toBe(
      'NotSupported',
    );
  });

  test('of a subscription makes groups', async () => {
    const test = testAzure();
    const target = `${place}/providers/Microsoft.Resources/deployments/s`;
    await test.send('PUT', `${target}?${version}`, {
      location,
      properties: {
        mode: 'Incremental',
        template: {
          resources: [
            {
              type: 'Microsoft.Resources/resourceGroups',
              apiVersion: '2024-11-01',
              name: 'made',
              location,
            },
          ],
        },
      },
    });
    await test.clock.advance(1000);
    expect((await test.send('GET', `${place}/resourceGroups/made?${version}`)).status).toBe(200);
  });
});
