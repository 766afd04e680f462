// Requests that nobody in their right mind sends, and bodies that are almost right: the answer is always JSON in
// Azure's shape, never a fault of ours, and what was refused has left nothing behind.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../api/meta.ts';
import type { Logger } from '../../../base/log.ts';
import { isArray, isObject, textAt } from '../../kube/json.ts';
import {
  nicBody,
  subscriptionId,
  testAzure,
  testImages,
  testSizes,
  vmBody,
  type TestAzure,
} from '../azure-fixture.ts';

const group = `/subscriptions/${subscriptionId}/resourceGroups/g`;
const location = 'southcentralus';
const compute = `${group}/providers/Microsoft.Compute`;
const network = `${group}/providers/Microsoft.Network`;

/** A log that remembers what went wrong inside. */
function rememberingLog(faults: unknown[]): Logger {
  const log: Logger = {
    debug: () => undefined,
    info: () => undefined,
    error: (message, fields) => faults.push([message, fields?.['error']]),
    with: () => log,
    named: () => log,
  };
  return log;
}

async function world(faults: unknown[]): Promise<TestAzure> {
  const test = testAzure({
    sizes: testSizes,
    images: testImages,
    throttling: 'off',
    latencyFactor: 0,
    log: rememberingLog(faults),
  });
  await test.send('PUT', `${group}?api-version=2024-11-01`, { location });
  await test.send('PUT', `${network}/virtualNetworks/vnet?api-version=2024-07-01`, {
    location,
    properties: {
      addressSpace: { addressPrefixes: ['10.0.0.0/8'] },
      subnets: [{ name: 'nodes', properties: { addressPrefix: '10.1.0.0/16' } }],
    },
  });
  await test.send('PUT', `${network}/networkInterfaces/a?api-version=2024-07-01`, nicBody('g'));
  await test.clock.advance(1);
  return test;
}

const words = [
  subscriptionId,
  location,
  'x'.repeat(300),
  ...`subscriptions resourceGroups resourcegroups g providers register Microsoft.Compute Microsoft.Network
    Microsoft.Resources Microsoft.Authorization Microsoft.Nope virtualMachines networkInterfaces virtualNetworks subnets
    deployments tags default locations usages skus operations communityGalleries images versions roleAssignments
    roleDefinitions vnet a extensions start %20 ..`.split(/\s+/),
];

const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, '', 0, -1, true, [], {}, '[', '/', '[concat(', [null], { a: null }),
  fc.constantFrom<Json>(
    group,
    `${network}/networkInterfaces/a`,
    'Standard_D2s_v3',
    '2',
    'x'.repeat(2000),
  ),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);

/** The value with one of its leaves or branches replaced, or left out. */
function spoiled(value: Json): fc.Arbitrary<Json> {
  if (isArray(value) && value.length > 0) {
    return fc.oneof(
      odd,
      fc.nat(value.length - 1).chain((at) => spoiled(value[at]!).map((one) => value.with(at, one))),
    );
  }
  if (!isObject(value) || Object.keys(value).length === 0) return odd;
  return fc.oneof(
    { weight: 1, arbitrary: odd },
    {
      weight: 6,
      arbitrary: fc
        .constantFrom(...Object.keys(value))
        .chain((key) => spoiled(value[key]!).map((one) => ({ ...value, [key]: one }))),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...Object.keys(value)).map((key) => {
        const { [key]: _, ...rest } = value;
        return rest;
      }),
    },
  );
}

const template: Json = {
  properties: {
    mode: 'Incremental',
    parameters: { name: { value: 'x' } },
    template: {
      parameters: { name: { type: 'string' } },
      variables: { v: "[concat(parameters('name'), '-v')]" },
      resources: [
        {
          type: 'Microsoft.Network/routeTables',
          apiVersion: '2024-07-01',
          name: "[variables('v')]",
          location: '[resourceGroup().location]',
          copy: { name: 'loop', count: 2 },
          dependsOn: [],
          properties: { routes: [] },
        },
      ],
      outputs: { o: { type: 'string', value: "[uri('https://a', 'b')]" } },
    },
  },
};

describe('whatever is asked', () => {
  test('has an answer in the shape of Azure', async () => {
    const faults: unknown[] = [];
    const { send } = await world(faults);
    const request = fc.record({
      method: fc.constantFrom('GET', 'PUT', 'PATCH', 'DELETE', 'POST', 'HEAD', 'OPTIONS'),
      path: fc.array(fc.constantFrom(...words), { maxLength: 10 }),
      version: fc.constantFrom('2024-07-01', '2024-11-01', '2022-04-01', 'x', ''),
      query: fc.constantFrom(
        '',
        '&$top=0',
        '&$top=2',
        '&$skiptoken=!',
        "&$filter=name eq 'x'",
        '&$filter=(',
      ),
      body: fc.option(odd, { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ method, path, version, query, body }) => {
        const answer = await send(
          method,
          `/${path.join('/')}?api-version=${version}${query}`,
          body,
        );
        expect(faults).toEqual([]);
        expect(answer.status).toBeLessThan(500);
        const isRefused = answer.status >= 400 && method !== 'HEAD';
        expect(isRefused ? textAt(answer.body, 'error', 'code') : 'fine').not.toBe('');
      }),
      { numRuns: 1500 },
    );
  });

  test.each<readonly [string, string, Json]>([
    [
      'a machine',
      `${compute}/virtualMachines/a?api-version=2024-11-01`,
      vmBody({ name: 'a', group: 'g' }),
    ],
    ['an interface', `${network}/networkInterfaces/b?api-version=2024-07-01`, nicBody('g')],
    [
      'a network',
      `${network}/virtualNetworks/w?api-version=2024-07-01`,
      {
        location,
        tags: { a: 'b' },
        properties: {
          addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
          subnets: [
            {
              name: 's',
              properties: { addressPrefix: '10.0.0.0/24' },
            },
          ],
        },
      },
    ],
    [
      'a load balancer',
      `${network}/loadBalancers/l?api-version=2024-07-01`,
      {
        location,
        sku: { name: 'Standard' },
        properties: {
          backendAddressPools: [{ name: 'p' }],
          frontendIPConfigurations: [{ name: 'f', properties: {} }],
        },
      },
    ],
    [
      'a deployment',
      `${group}/providers/Microsoft.Resources/deployments/d?api-version=2025-04-01`,
      template,
    ],
    [
      'a role',
      `${group}/providers/Microsoft.Authorization/roleAssignments/11111111-0000-4000-8000-000000000000?api-version=2022-04-01`,
      {
        properties: {
          roleDefinitionId: '/x/acdd72a7-3385-48ef-bd42-f606fba81ae7',
          principalId: subscriptionId,
          principalType: 'User',
        },
      },
    ],
  ])(
    '%s that is almost right is made or refused, and nothing else happens',
    async (_, target, body) => {
      await fc.assert(
        fc.asyncProperty(spoiled(body), async (content) => {
          const faults: unknown[] = [];
          const { send, clock, azure } = await world(faults);
          const path = target.split('?')[0]!;
          const before = azure.env.store.below(group).length;
          const answer = await send('PUT', target, content);
          const held = azure.env.store.get(path);
          await clock.advance(1);
          await send('GET', target);
          await send('DELETE', target);
          await clock.advance(300_000);
          expect(faults).toEqual([]);
          expect(answer.status).toBeLessThan(500);
          expect(answer.status >= 400 ? held : undefined).toBeUndefined();
          const left = azure.env.store
            .below(group)
            .filter(({ type }) => type !== 'Microsoft.Network/routeTables');
          expect(left.length).toBeLessThanOrEqual(before);
          expect(clock.pending().timers).toEqual([]);
        }),
        { numRuns: 100 },
      );
    },
  );
});
