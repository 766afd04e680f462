import { describe, expect, test } from 'vitest';
import { textAt } from '../../kube/json.ts';
import { armUrl, ask, owner, subscriptionId, testAzure } from '../azure-fixture.ts';
import type { Principal } from '../entra/directory.ts';
import { TokenIssuer } from '../entra/token-issuer.ts';
import { seededRandom } from '../../../base/random.ts';

const place = `/subscriptions/${subscriptionId}`;
const version = 'api-version=2024-11-01';
const group = `${place}/resourceGroups/g`;
const location = 'southcentralus';

const nobody: Principal = {
  objectId: '00000000-0000-4000-8000-000000000009',
  clientId: '00000000-0000-4000-8000-0000000000a9',
  displayName: 'nobody',
  kind: 'Application',
};

const code = (answer: { readonly body: object }): string =>
  textAt(answer.body as never, 'error', 'code');

describe('who gets in', () => {
  test('nobody without a token, and the challenge says where to get one', async () => {
    const { azure } = testAzure();
    const answer = await ask(azure.armHandler, { method: 'GET', target: `${place}?${version}` });
    expect([answer.status, code(answer), answer.headers['www-authenticate']]).toEqual([
      401,
      'AuthenticationFailed',
      expect.stringContaining(`Bearer authorization_uri="https://login.microsoftonline.com/`),
    ]);
  });

  test('not with a token that has expired, is for somebody else, or is of another tenant', async () => {
    const { azure, send, clock } = testAzure();
    const ask = async (token: string) =>
      code(
        await send('GET', `${place}?${version}`, undefined, { authorization: `Bearer ${token}` }),
      );
    const old = azure.tokens.issue(owner, armUrl, { lifetimeSeconds: 60 }).token;
    await clock.advance(60_000);
    const foreign = new TokenIssuer({
      tenantId: '12121212-0000-4000-8000-000000000000',
      clock,
      random: seededRandom(2),
    });
    const [head, body] = azure.tokens.issue(owner, armUrl).token.split('.');
    expect([
      await ask(old),
      await ask(azure.tokens.issue(owner, 'https://vault.azure.net').token),
      await ask(foreign.issue(owner, armUrl).token),
      await ask(`${head}.${body}.c2lnbmF0dXJl`),
      await ask('opaque'),
    ]).toEqual([
      'ExpiredAuthenticationToken',
      'InvalidAuthenticationTokenAudience',
      'InvalidAuthenticationTokenTenant',
      'InvalidAuthenticationToken',
      'InvalidAuthenticationToken',
    ]);
  });

  test('whoever has no role is told which action is missing where', async () => {
    const { send, tokenOf } = testAzure();
    const answer = await send(
      'PUT',
      `${group}?${version}`,
      { location },
      {
        authorization: `Bearer ${tokenOf(nobody)}`,
      },
    );
    expect([answer.status, textAt(answer.body, 'error', 'message')]).toEqual([
      403,
      `The client '${nobody.clientId}' with object id '${nobody.objectId}' does not have authorization to perform action 'Microsoft.Resources/subscriptions/resourceGroups/write' over scope '${group}' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
    ]);
  });
});

describe('what is asked for', () => {
  test.each([
    ['GET', place, 400, 'MissingApiVersionParameter'],
    ['GET', `${place}?api-version=soon`, 400, 'InvalidApiVersionParameter'],
    ['GET', `${place}?api-version=1999-01-01`, 400, 'NoRegisteredProviderFound'],
    ['GET', `/subscriptions/no-guid?${version}`, 400, 'InvalidSubscriptionId'],
    ['GET', `/subscriptions/${nobody.objectId}?${version}`, 404, 'SubscriptionNotFound'],
    ['GET', `${place}/providers/Microsoft.Nothing/x?${version}`, 404, 'InvalidResourceNamespace'],
    ['GET', `${place}/providers/Microsoft.Compute/x?${version}`, 404, 'InvalidResourceType'],
    ['GET', `${group}?${version}`, 404, 'ResourceGroupNotFound'],
    ['PATCH', `${place}?${version}`, 405, 'UnsupportedHttpMethod'],
    ['POST', `${place}?${version}`, 405, 'UnsupportedHttpMethod'],
    [
      'GET',
      `${group}/providers/Microsoft.Compute/virtualMachines/v?${version}`,
      404,
      'ResourceGroupNotFound',
    ],
    ['GET', `/?${version}`, 404, 'MissingSubscription'],
  ])('%s %s is refused', async (method, target, status, expected) => {
    const { send } = testAzure();
    const answer = await send(method, target);
    expect([answer.status, code(answer)]).toEqual([status, expected]);
  });

  test('paths, types and query names are read in any casing', async () => {
    const { send } = testAzure();
    await send('PUT', `${group}?${version}`, { location });
    const answer = await send('GET', `${group.toUpperCase()}?API-VERSION=2024-11-01`);
    expect(answer).toMatchObject({ status: 200, body: { id: group, name: 'g' } });
  });

  test('a body that is no JSON is refused, one with comments and bare keys is read', async () => {
    const { azure, tokenOf } = testAzure();
    const put = async (body: string) =>
      ask(azure.armHandler, {
        method: 'PUT',
        target: `${group}?${version}`,
        headers: { authorization: `Bearer ${tokenOf(owner)}` },
        body,
      });
    expect(code(await put('{"location": '))).toBe('InvalidRequestContent');
    const loose = `{location: /* here */ "southcentralus", // and
      "tags": {"a": "x // no comment", },}`;
    expect((await put(loose)).body['tags']).toEqual({ a: 'x // no comment' });
  });

  test('a body beyond the limit is refused', async () => {
    const { send } = testAzure();
    const answer = await send('PUT', `${group}?${version}`, {
      location,
      x: 'x'.repeat(4 * 1024 * 1024),
    });
    expect([answer.status, code(answer)]).toEqual([413, 'RequestContentTooLarge']);
  });

  test('a request id comes back, and a correlation id is kept', async () => {
    const { send } = testAzure();
    const { headers } = await send('GET', `${place}?${version}`, undefined, {
      'x-ms-correlation-request-id': 'mine',
      'x-ms-client-request-id': 'client',
    });
    expect(headers).toMatchObject({
      'x-ms-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      'x-ms-correlation-request-id': 'mine',
      'x-ms-client-request-id': 'client',
    });
  });

  test('a provider must be registered before it is written to', async () => {
    const { send } = testAzure({ unregistered: [[subscriptionId, 'Microsoft.Network']] });
    await send('PUT', `${group}?${version}`, { location });
    const target = `${group}/providers/Microsoft.Network/networkSecurityGroups/n?api-version=2024-07-01`;
    const before = await send('PUT', target, { location });
    await send('POST', `${place}/providers/Microsoft.Network/register?${version}`);
    const after = await send('PUT', target, { location });
    expect([before.status, code(before), after.status]).toEqual([
      409,
      'MissingSubscriptionRegistration',
      201,
    ]);
  });
});

describe('what goes wrong by request', () => {
  test('a refusal strikes as often as its rule says, before anything is done', async () => {
    const { azure, send } = testAzure();
    azure.env.faults.add({
      operation: 'Microsoft.Resources/subscriptions/resourceGroups/write',
      count: 1,
      effect: { kind: 'refuse', status: 503, code: 'ServerTimeout', retryAfterSeconds: 7 },
    });
    const first = await send('PUT', `${group}?${version}`, { location });
    const second = await send('PUT', `${group}?${version}`, { location });
    expect([first.status, code(first), first.headers['retry-after'], second.status]).toEqual([
      503,
      'ServerTimeout',
      '7',
      201,
    ]);
  });

  test('a lost response is lost after the work was done', async () => {
    const { azure, send, tokenOf } = testAzure();
    azure.env.faults.add({ operation: '*/write', effect: { kind: 'lose-response' } });
    const reply = await azure.armHandler({
      method: 'PUT',
      path: group,
      query: new URLSearchParams(version),
      headers: { authorization: `Bearer ${tokenOf(owner)}` },
      signal: new AbortController().signal,
      body: () => Promise.resolve(Buffer.from(JSON.stringify({ location }))),
    });
    const read = async (): Promise<void> => {
      for await (const _ of reply.body as AsyncIterable<string>) expect.unreachable();
    };
    await expect(read()).rejects.toMatchObject({ code: 'ConnectionLost' });
    expect((await send('GET', `${group}?${version}`)).status).toBe(200);
  });

  test('an answer comes late on the clock of the world', async () => {
    const { azure, send, clock } = testAzure();
    azure.env.faults.add({ operation: '*', count: 1, effect: { kind: 'delay', delayMs: 5000 } });
    let status = 0;
    const pending = send('GET', `${place}?${version}`).then((answer) => (status = answer.status));
    await clock.advance(4999);
    expect(status).toBe(0);
    await clock.advance(1);
    await pending;
    expect(status).toBe(200);
  });

  test('whoever asks too often is told when to come back', async () => {
    const { send, clock } = testAzure();
    let answer = await send('GET', `${place}?${version}`);
    expect(answer.headers['x-ms-ratelimit-remaining-subscription-reads']).toBe('249');
    for (let i = 0; i < 249; i++) answer = await send('GET', `${place}?${version}`);
    const refused = await send('GET', `${place}?${version}`);
    await clock.advance(1000);
    const later = await send('GET', `${place}?${version}`);
    expect([
      answer.status,
      refused.status,
      code(refused),
      refused.headers['retry-after'],
      later.status,
    ]).toEqual([200, 429, 'SubscriptionRequestsThrottled', '1', 200]);
  });
});

test('the cloud tells its addresses to whoever has not logged in yet', async () => {
  const { azure } = testAzure();
  const endpoint = async (query: string) =>
    (await ask(azure.armHandler, { method: 'GET', target: `/metadata/endpoints?${query}` })).body;
  expect(await endpoint('api-version=2022-09-01')).toMatchObject({
    resourceManager: armUrl,
    authentication: { loginEndpoint: 'https://login.microsoftonline.com' },
  });
  expect(await endpoint('api-version=2019-05-01')).toHaveLength(1);
});
