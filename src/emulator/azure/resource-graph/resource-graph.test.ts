import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { objectsAt, textAt, type JsonObject } from '../../kube/json.ts';
import { subscriptionId, testAzure, type Answer, type TestAzure } from '../azure-fixture.ts';
import { ArmError } from '../errors.ts';
import { parseQuery } from './kusto-query.ts';

const graph = '/providers/Microsoft.ResourceGraph/resources?api-version=2024-04-01';
const place = `/subscriptions/${subscriptionId}/resourceGroups`;

async function withIdentities(names: readonly string[], changes = {}): Promise<TestAzure> {
  const test = testAzure(changes);
  await test.send('PUT', `${place}/MC_Nodes?api-version=2024-11-01`, {
    location: 'southcentralus',
  });
  for (const [index, name] of names.entries()) {
    await test.send('PUT', identityPath(name), {
      location: 'southcentralus',
      tags: { 'karpenter.sh_nodepool': 'default', order: String(index) },
    });
  }
  return test;
}

function identityPath(name: string): string {
  return `${place}/MC_Nodes/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}?api-version=2024-11-30`;
}

function ask(test: TestAzure, query: string, options: JsonObject = {}): Promise<Answer> {
  return test.send('POST', graph, { subscriptions: [subscriptionId], query, options });
}

function names(answer: Answer): string[] {
  return objectsAt(answer.body, 'data').map((row) => textAt(row, 'name'));
}

describe('rows', () => {
  test('are in lower case where the service has them so, and have every column', async () => {
    const azure = await withIdentities(['Kubelet']);
    const answer = await ask(azure, 'Resources');
    expect(answer.body).toMatchObject({
      totalRecords: 1,
      count: 1,
      resultTruncated: 'false',
      data: [
        {
          id: `${place}/MC_Nodes/providers/Microsoft.ManagedIdentity/userAssignedIdentities/Kubelet`,
          name: 'Kubelet',
          type: 'microsoft.managedidentity/userassignedidentities',
          resourceGroup: 'mc_nodes',
          location: 'southcentralus',
          subscriptionId,
          zones: null,
          kind: '',
        },
      ],
    });
  });

  test('can name groups in ids as some types do', async () => {
    const azure = await withIdentities(['kubelet'], { graph: { groupCasing: 'upper' } });
    const answer = await ask(azure, 'resources | project id');
    expect(answer.body['data']).toEqual([
      {
        id: `${place}/MC_NODES/providers/Microsoft.ManagedIdentity/userAssignedIdentities/kubelet`,
      },
    ]);
  });

  test('are only what the caller may read', async () => {
    const azure = await withIdentities(['kubelet']);
    const stranger = {
      objectId: '00000000-0000-4000-8000-000000000002',
      clientId: '00000000-0000-4000-8000-0000000000a2',
      displayName: 'stranger',
      kind: 'Application',
    } as const;
    azure.azure.env.directory.put(stranger);
    const answer = await azure.send(
      'POST',
      graph,
      { query: 'resources' },
      {
        authorization: `Bearer ${azure.tokenOf(stranger)}`,
      },
    );
    expect([answer.status, answer.body['data']]).toEqual([200, []]);
  });

  test('show a change only after the lag', async () => {
    const azure = await withIdentities(['old'], { graph: { lagMs: 30_000 } });
    const seen: string[][] = [];
    const look = async (): Promise<void> => {
      seen.push(names(await ask(azure, 'resources | order by name asc')));
    };
    await look();
    await azure.clock.advance(30_000);
    await azure.send('DELETE', identityPath('old'));
    await azure.send('PUT', identityPath('new'), { location: 'southcentralus' });
    await look();
    await azure.clock.advance(29_999);
    await look();
    await azure.clock.advance(1);
    await look();
    expect(seen).toEqual([[], ['old'], ['old'], ['new']]);
  });

  test('include groups and subscriptions in the table of containers', async () => {
    const azure = await withIdentities([]);
    const answer = await ask(azure, 'ResourceContainers | project type, name');
    expect(answer.body['data']).toEqual([
      { type: 'microsoft.resources/subscriptions', name: 'Test' },
      { type: 'microsoft.resources/subscriptions/resourcegroups', name: 'MC_Nodes' },
    ]);
  });
});

describe('pages', () => {
  test('go on by their token until there is none', async () => {
    const azure = await withIdentities(['one-', 'two-', 'three'], { graph: { pageSize: 2 } });
    const first = await ask(azure, 'resources | project id, name');
    const token = textAt(first.body, '$skipToken');
    const second = await ask(azure, 'resources | project id, name', { $skipToken: token });
    expect([names(first), names(second), second.body['$skipToken']]).toEqual([
      ['one-', 'two-'],
      ['three'],
      undefined,
    ]);
  });

  test('break off without a token when the id is not among the columns', async () => {
    const azure = await withIdentities(['one-', 'two-']);
    const answer = await ask(azure, 'resources | project name', { $top: 1 });
    expect([answer.body['resultTruncated'], answer.body['$skipToken']]).toEqual([
      'true',
      undefined,
    ]);
  });

  test('are tables when asked for', async () => {
    const azure = await withIdentities(['one-']);
    const answer = await ask(azure, 'resources | project name', { resultFormat: 'table' });
    expect(answer.body['data']).toEqual({
      columns: [{ name: 'name', type: 'string' }],
      rows: [['one-']],
    });
  });
});

test.each([
  ['Resources | join kind=inner (Resources) on id', 'DisallowedOperator'],
  ['Resources | where frobnicate(name)', 'UnknownFunction'],
  ['Resources | where name ==', 'ParserFailure'],
  ['Resources | where name == "a" b', 'ParserFailure'],
  ['Resources where', 'ParserFailure'],
  ['Resources | where name = "a"', 'ParserFailure'],
  ['Resources | take x', 'ParserFailure'],
  ['Resources | where `name`', 'ParserFailure'],
  ['SecurityResources', 'InvalidTableName'],
  ['  ', 'QueryCannotBeNullOrEmpty'],
])('refuses %s', async (query, code) => {
  const answer = await ask(testAzure(), query);
  const codes = objectsAt(answer.body['error'], 'details').map((one) => one['code']);
  expect([answer.status, textAt(answer.body, 'error', 'code'), codes.at(-1)]).toEqual([
    400,
    'BadRequest',
    code,
  ]);
});

const rows: readonly JsonObject[] = [
  {
    id: 'a',
    type: 'microsoft.compute/virtualmachines',
    tags: { 'karpenter.sh_nodepool': 'default' },
    zones: ['1'],
    properties: { hardwareProfile: { vmSize: 'Standard_D2s_v3' }, n: 2 },
  },
  {
    id: 'b',
    type: 'microsoft.compute/virtualmachines',
    tags: { 'karpenter.sh_nodepool': 'gpu', 'karpenter.azure.com_aksmachine_nodeclaim': 'x' },
    properties: { hardwareProfile: { vmSize: 'Standard_NC6' }, n: 10 },
  },
  { id: 'c', type: 'microsoft.network/networkinterfaces', tags: null, properties: {} },
];

describe('a condition', () => {
  test.each([
    ["type == 'microsoft.compute/virtualmachines'", ['a', 'b']],
    ["type == 'Microsoft.Compute/virtualMachines'", []],
    ["type =~ 'Microsoft.Compute/virtualMachines'", ['a', 'b']],
    ["type !~ 'Microsoft.Compute/virtualMachines'", ['c']],
    ["type in~ ('MICROSOFT.network/networkInterfaces', 'other')", ['c']],
    ["id !in ('a', 'b')", ['c']],
    ["tags has_cs 'karpenter.sh_nodepool'", ['a', 'b']],
    ["tags has_cs 'Karpenter.sh_nodepool'", []],
    ["tags has 'NODEPOOL' and not(tags has 'nodeclaim')", ['a']],
    ["tags !has_cs 'karpenter.azure.com_aksmachine_nodeclaim'", ['a', 'c']],
    ["tags has 'karpen'", []],
    ["tags contains 'karpen'", ['a', 'b']],
    ["isnotempty(tags['karpenter.sh_nodepool'])", ['a', 'b']],
    ["tags['karpenter.sh_nodepool'] == 'gpu' or id == \"c\"", ['b', 'c']],
    ["properties.hardwareProfile.vmSize startswith 'standard_d'", ['a']],
    ["properties['hardwareProfile'].vmSize endswith_cs 'v3'", ['a']],
    ['properties.n > 2', ['b']],
    ['properties.n >= 2 and properties.n < 10', ['a']],
    ["zones[0] == '1'", ['a']],
    ['isnull(zones)', ['b', 'c']],
    ['array_length(zones) == 1', ['a']],
    ["tostring(tags.absent) == ''", ['a', 'b', 'c']],
    ["tags.absent != 'x'", ['a', 'b', 'c']],
    ["id == 'a' or id == 'b' and id == 'c'", ['a']],
    ["(id == 'a' or id == 'b') and id == 'b' // the second", ['b']],
    ["split(type, '/')[1] == 'virtualmachines'", ['a', 'b']],
    [String.raw`id == 'it\'s'`, []],
  ] as const)('%s', (condition, expected) => {
    const found = parseQuery(`resources | where ${condition}`).run(rows);
    expect(found.map(({ id }) => id)).toEqual(expected);
  });
});

describe('a step', () => {
  test.each([
    [
      'project id, size = properties.hardwareProfile.vmSize | take 1',
      [{ id: 'a', size: 'Standard_D2s_v3' }],
    ],
    [
      "extend pool = tags['karpenter.sh_nodepool'], twice = strcat(pool, pool) | project twice",
      [{ twice: 'defaultdefault' }, { twice: 'gpugpu' }, { twice: '' }],
    ],
    ['project-away tags, zones, properties, type', [{ id: 'a' }, { id: 'b' }, { id: 'c' }]],
    ['project id | order by id', [{ id: 'c' }, { id: 'b' }, { id: 'a' }]],
    ['sort by type asc, id desc | project id', [{ id: 'b' }, { id: 'a' }, { id: 'c' }]],
    ['top 1 by id asc | project id', [{ id: 'a' }]],
    [
      "project properties.n, tags['karpenter.sh_nodepool'], zones[0], tolower(id) | take 1",
      [
        {
          properties_n: 2,
          'tags_karpenter.sh_nodepool': 'default',
          zones_0: '1',
          Column4: 'a',
        },
      ],
    ],
    ['count', [{ Count: 3 }]],
    [
      'summarize count() by type',
      [
        { type: 'microsoft.compute/virtualmachines', count_: 2 },
        { type: 'microsoft.network/networkinterfaces', count_: 1 },
      ],
    ],
    ['summarize machines = count()', [{ machines: 3 }]],
    ['distinct type | count', [{ Count: 2 }]],
  ])('%s', (step, expected) => {
    expect(parseQuery(`resources | ${step}`).run(rows)).toEqual(expected);
  });
});

test('any text is either a query or refused as one', () => {
  const word = fc.constantFrom(
    'resources',
    '|',
    'where',
    'project',
    'and',
    'or',
    'not',
    '(',
    ')',
    '==',
    'in~',
    'has',
    'id',
    "'a'",
    '1',
    ',',
    '.',
    '[',
    ']',
    'tags',
    'order',
    'by',
    'limit',
    '=',
    'isnotempty',
    '!',
    '"',
  );
  const outcome = (text: string): unknown => {
    try {
      return parseQuery(text).run(rows).length;
    } catch (error) {
      return error instanceof ArmError ? [error.status, error.code, error.details.length] : error;
    }
  };
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      expect([0, 1, 2, 3, [400, 'BadRequest', 2]]).toContainEqual(outcome(words.join(' ')));
    }),
    { numRuns: 2000 },
  );
});
