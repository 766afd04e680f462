import { describe, expect, test } from 'vitest';
import { textAt, type JsonObject } from '../../kube/json.ts';
import { subscriptionId, testAzure, type TestAzure } from '../azure-fixture.ts';

const group = `/subscriptions/${subscriptionId}/resourceGroups/main`;
const identity = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/karpenter`;
const version = 'api-version=2024-11-30';
const location = 'southcentralus';

async function withIdentity(): Promise<{ readonly azure: TestAzure; readonly body: JsonObject }> {
  const azure = testAzure();
  await azure.send('PUT', `${group}?api-version=2024-11-01`, { location });
  const { body } = await azure.send('PUT', `${identity}?${version}`, { location });
  return { azure, body };
}

function credential(changes: JsonObject = {}): JsonObject {
  return {
    properties: {
      issuer: 'https://issuer.example/1',
      subject: 'system:serviceaccount:kube-system:karpenter-sa',
      audiences: ['api://AzureADTokenExchange'],
      ...changes,
    },
  };
}

describe('an identity', () => {
  test('keeps its ids when it is written again', async () => {
    const { azure, body } = await withIdentity();
    const again = await azure.send('PUT', `${identity}?${version}`, { location, tags: { a: 'b' } });
    expect(again.body).toEqual({ ...body, tags: { a: 'b' } });
    expect(Object.keys(body['properties'] as JsonObject)).toEqual([
      'tenantId',
      'principalId',
      'clientId',
    ]);
  });

  test('is a principal as long as it exists', async () => {
    const { azure, body } = await withIdentity();
    const clientId = textAt(body, 'properties', 'clientId');
    const { directory } = azure.azure.env;
    const before = directory.byClientId(clientId)?.resourceId;
    const removed = await azure.send('DELETE', `${identity}?${version}`);
    const again = await azure.send('DELETE', `${identity}?${version}`);
    expect([before, removed.status, again.status, directory.byClientId(clientId)]).toEqual([
      identity,
      200,
      204,
      undefined,
    ]);
  });

  test('leaves the directory with its group', async () => {
    const { azure, body } = await withIdentity();
    await azure.finish('DELETE', `${group}?api-version=2024-11-01`);
    expect(
      azure.azure.env.directory.byClientId(textAt(body, 'properties', 'clientId')),
    ).toBeUndefined();
  });

  test('needs a proper name', async () => {
    const { azure } = await withIdentity();
    const answer = await azure.send('PUT', `${identity.slice(0, -7)}?${version}`, { location });
    expect([answer.status, textAt(answer.body, 'error', 'code')]).toEqual([
      400,
      'InvalidResourceName',
    ]);
  });
});

describe('a federated credential', () => {
  const path = (name: string): string =>
    `${identity}/federatedIdentityCredentials/${name}?${version}`;

  test('is known to the directory at once, and no longer than it exists', async () => {
    const { azure, body } = await withIdentity();
    const trusted = (): unknown =>
      azure.azure.env.directory.byClientId(textAt(body, 'properties', 'clientId'))?.federated;
    const created = await azure.send('PUT', path('karpenter'), credential());
    const during = trusted();
    await azure.send('DELETE', path('karpenter'));
    expect([created.status, created.body['properties'], during, trusted()]).toEqual([
      201,
      credential()['properties'],
      [{ name: 'karpenter', ...(credential()['properties'] as JsonObject) }],
      [],
    ]);
  });

  test('may change, but not double another', async () => {
    const { azure } = await withIdentity();
    await azure.send('PUT', path('first'), credential());
    const same = await azure.send('PUT', path('first'), credential({ subject: 'other' }));
    const back = await azure.send('PUT', path('first'), credential());
    const twin = await azure.send('PUT', path('second'), credential());
    expect([same.status, back.status, twin.status, textAt(twin.body, 'error', 'code')]).toEqual([
      200,
      200,
      409,
      'Conflict',
    ]);
  });

  test.each([
    [{ issuer: 'http://plain' }, 'issuer'],
    [{ subject: '' }, 'subject'],
    [{ audiences: [] }, 'audiences'],
  ])('is refused with %j', async (changes, word) => {
    const { azure } = await withIdentity();
    const answer = await azure.send('PUT', path('bad'), credential(changes));
    expect([answer.status, textAt(answer.body, 'error', 'message')]).toEqual([
      400,
      expect.stringContaining(word),
    ]);
  });

  test('is one of twenty at most', async () => {
    const { azure } = await withIdentity();
    const statuses: number[] = [];
    for (let n = 0; n < 21; n++) {
      const { status } = await azure.send(
        'PUT',
        path(`number-${n}`),
        credential({ subject: `${n}` }),
      );
      statuses.push(status);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(201), 400]);
  });
});

test('the identity of a resource itself is read through the resource', async () => {
  const { azure } = await withIdentity();
  azure.azure.env.directory.put({
    objectId: '00000000-0000-4000-8000-00000000000c',
    clientId: '00000000-0000-4000-8000-00000000000d',
    displayName: 'cluster',
    kind: 'ManagedIdentity',
    resourceId: group,
  });
  const path = '/providers/Microsoft.ManagedIdentity/identities/default';
  const own = await azure.send('GET', `${group}${path}?${version}`);
  const none = await azure.send(
    'GET',
    `${identity.replace('karpenter', 'other')}${path}?${version}`,
  );
  expect([textAt(own.body, 'properties', 'principalId'), none.status]).toEqual([
    '00000000-0000-4000-8000-00000000000c',
    404,
  ]);
});
