import {
  createPrivateKey,
  generateKeyPairSync,
  sign,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { CertificateAuthority, type IssuedCertificate } from '../../certificates.ts';
import { textAt, type JsonObject } from '../../kube/json.ts';
import { armUrl, ask, owner, tenantId, testAzure, type Answer } from '../azure-fixture.ts';
import type { Principal } from './directory.ts';
import { decodeToken } from './jwt.ts';
import { createIdentityEndpoint, createMetadataHandler } from './managed-identity.ts';

const scope = `${armUrl}/.default`;
const tokenPath = `/${tenantId}/oauth2/v2.0/token`;
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const issuer = 'https://cluster.example/';

const workload: Principal = {
  objectId: '00000000-0000-4000-8000-000000000002',
  clientId: '00000000-0000-4000-8000-0000000000a2',
  displayName: 'karpenter',
  kind: 'ManagedIdentity',
  federated: [
    {
      name: 'karpenter',
      issuer,
      subject: 'system:serviceaccount:kube-system:karpenter-sa',
      audiences: ['api://AzureADTokenExchange'],
    },
  ],
};

function jwt(
  claims: JsonObject,
  key: KeyObject = privateKey,
  header: JsonObject = { alg: 'ES256' },
): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode(header)}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

function world() {
  const test = testAzure({
    issuerKeys: (name) => (name === issuer ? [publicKey.export({ format: 'jwk' })] : undefined),
  });
  test.azure.env.directory.put(workload);
  const token = (form: Record<string, string>, path = tokenPath): Promise<Answer> =>
    ask(test.azure.entraHandler, {
      method: 'POST',
      target: path,
      body: new URLSearchParams(form).toString(),
    });
  const nowSeconds = test.clock.now() / 1000;
  const assertion = (changes: JsonObject = {}, key?: KeyObject): Record<string, string> => ({
    grant_type: 'client_credentials',
    client_id: workload.clientId,
    scope,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: jwt(
      {
        iss: issuer,
        sub: 'system:serviceaccount:kube-system:karpenter-sa',
        aud: ['api://AzureADTokenExchange'],
        exp: nowSeconds + 3600,
        ...changes,
      },
      key,
    ),
  });
  return { ...test, token, assertion, nowSeconds };
}

const secretForm = {
  grant_type: 'client_credentials',
  client_id: owner.clientId,
  client_secret: 'owner-secret',
  scope,
};

const number = (answer: Answer): unknown => (answer.body['error_codes'] as number[])[0];

describe('a client with a secret', () => {
  test('gets a token that Resource Manager takes', async () => {
    const { token, azure } = world();
    const { status, body } = await token(secretForm);
    const claims = decodeToken(textAt(body, 'access_token'))?.claims;
    expect([status, body['expires_in'], claims]).toMatchObject([
      200,
      3600,
      { aud: armUrl, oid: owner.objectId, appid: owner.clientId, tid: tenantId },
    ]);
    const answer = await ask(azure.armHandler, {
      method: 'GET',
      target: '/subscriptions?api-version=2022-12-01',
      headers: { authorization: `Bearer ${textAt(body, 'access_token')}` },
    });
    expect(answer.body['value']).toHaveLength(1);
  });

  test.each<readonly [string, Record<string, string>, string, readonly [number, number]]>([
    ['a wrong secret', { client_secret: 'no' }, tokenPath, [401, 7_000_215]],
    ['an unknown application', { client_id: tenantId }, tokenPath, [400, 700_016]],
    ['another tenant', {}, '/elsewhere/oauth2/v2.0/token', [400, 90_002]],
    ['a grant that needs a person', { grant_type: 'authorization_code' }, tokenPath, [400, 70_003]],
    [
      'a scope without .default',
      { scope: 'https://management.azure.com' },
      tokenPath,
      [400, 1_002_012],
    ],
    [
      'a resource that is not there',
      { scope: 'https://graph.example/.default' },
      tokenPath,
      [400, 500_011],
    ],
  ])('is refused for %s', async (_, changes, path, expected) => {
    const { token } = world();
    const answer = await token({ ...secretForm, ...changes }, path);
    expect([answer.status, number(answer)]).toEqual(expected);
  });

  test('is told which parameter is missing', async () => {
    const { token } = world();
    const { client_secret: _, ...form } = secretForm;
    expect([number(await token({})), number(await token(form))]).toEqual([900_144, 7_000_218]);
  });
});

describe('workload identity', () => {
  test('exchanges a token of the cluster for one of the directory', async () => {
    const { token, assertion } = world();
    const { body } = await token(assertion());
    expect(decodeToken(textAt(body, 'access_token'))?.claims['oid']).toBe(workload.objectId);
  });

  test.each<readonly [string, JsonObject, number]>([
    ['another issuer', { iss: 'https://other.example/' }, 700_211],
    ['another subject', { sub: 'system:serviceaccount:default:thief' }, 700_213],
    ['another audience', { aud: 'kubernetes' }, 700_212],
    ['a time that is over', { exp: 1 }, 700_024],
  ])('refuses %s', async (_, changes, code) => {
    const { token, assertion } = world();
    expect(number(await token(assertion(changes)))).toBe(code);
  });

  test('refuses a token that the issuer did not sign', async () => {
    const { token, assertion } = world();
    const thief = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
    expect((await token(assertion({}, thief))).status).toBe(401);
  });
});

test('an assertion signed with a registered certificate is proof, with any other it is none', async () => {
  const { token, azure, nowSeconds, clock } = world();
  const authority = await CertificateAuthority.create({
    commonName: 'x',
    clock,
    random: seededRandom(1),
  });
  const issue = () =>
    authority.issue({ subject: { commonName: 'app' }, usages: ['digitalSignature'], purposes: [] });
  const [known, other] = [await issue(), await issue()];
  const certified: Principal = {
    ...workload,
    federated: [],
    certificates: [known.certificatePem],
  };
  azure.env.directory.put(certified);
  const form = ({ certificatePem, privateKeyPem }: IssuedCertificate) => ({
    grant_type: 'client_credentials',
    client_id: certified.clientId,
    scope,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: jwt(
      { iss: certified.clientId, sub: certified.clientId, exp: nowSeconds + 600 },
      createPrivateKey(privateKeyPem),
      {
        alg: 'ES256',
        'x5t#S256': Buffer.from(
          new X509Certificate(certificatePem).fingerprint256.replaceAll(':', ''),
          'hex',
        ).toString('base64url'),
      },
    ),
  });
  const forged = form({ ...known, privateKeyPem: other.privateKeyPem });
  expect((await token(form(known))).status).toBe(200);
  expect(number(await token(form(other)))).toBe(700_027);
  expect(number(await token(forged))).toBe(700_027);
});

test('what needs a person is refused as an application that the tenant does not have', async () => {
  const { azure } = world();
  const device = await ask(azure.entraHandler, {
    method: 'POST',
    target: '/organizations/oauth2/v2.0/devicecode',
    body: 'client_id=04b07795-8ddb-461a-bbee-02f9e1bf7b46',
  });
  expect([device.status, number(device)]).toEqual([400, 700_016]);
});

test('discovery names the endpoints that clients insist on, by the host they asked', async () => {
  const { azure } = world();
  const answer = await ask(azure.entraHandler, {
    method: 'GET',
    target: `/${tenantId}/v2.0/.well-known/openid-configuration`,
    headers: { host: '127.0.0.1:4444' },
  });
  expect(answer.body).toMatchObject({
    issuer: `https://127.0.0.1:4444/${tenantId}/v2.0`,
    token_endpoint: `https://127.0.0.1:4444${tokenPath}`,
    jwks_uri: `https://127.0.0.1:4444/${tenantId}/discovery/v2.0/keys`,
  });
  const keys = await ask(azure.entraHandler, {
    method: 'GET',
    target: `/${tenantId}/discovery/v2.0/keys`,
  });
  expect(keys.body['keys']).toMatchObject([{ kty: 'RSA', use: 'sig' }]);
});

test('whatever is sent to the directory has an answer in its shape', async () => {
  const { azure, assertion } = world();
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(owner.clientId, scope, 'client_credentials', 'a.b.c', '%'),
  );
  const claims = fc.dictionary(fc.constantFrom('iss', 'sub', 'aud', 'exp', 'nbf'), fc.jsonValue());
  const form = fc.oneof(
    fc.dictionary(fc.constantFrom(...Object.keys(assertion()), 'client_secret', 'resource'), text),
    claims.map((changes) => assertion(changes as JsonObject)),
  );
  const path = fc.constantFrom(
    tokenPath,
    '/x/oauth2/token',
    '/common/oauth2/v2.0/devicecode',
    '/',
    '/v1.0/x',
  );
  await fc.assert(
    fc.asyncProperty(path, form, async (target, fields) => {
      const body = new URLSearchParams(fields).toString();
      const answer = await ask(azure.entraHandler, { method: 'POST', target, body });
      expect(answer.status).toBeLessThan(500);
      expect(
        answer.status === 200 ? answer.body['access_token'] : answer.body['error'],
      ).toBeDefined();
    }),
    { numRuns: 300 },
  );
});

describe('a machine without secrets', () => {
  const query = 'api-version=2018-02-01&resource=https%3A%2F%2Fmanagement.azure.com';
  const target = `/metadata/identity/oauth2/token?${query}`;

  test('gets the token of the identity it names, over the metadata service', async () => {
    const { azure } = world();
    const handler = createMetadataHandler({ tokens: azure.tokens, principals: () => [workload] });
    const headers = { metadata: 'true' };
    const found = await ask(handler, {
      method: 'GET',
      target: `${target}&client_id=${workload.clientId}`,
      headers,
    });
    const other = await ask(handler, {
      method: 'GET',
      target: `${target}&client_id=${owner.clientId}`,
      headers,
    });
    const bare = await ask(handler, { method: 'GET', target });
    expect([found.body['client_id'], found.body['expires_in'], other.status, bare.status]).toEqual([
      workload.clientId,
      '86400',
      400,
      400,
    ]);
  });

  test('gets it from the endpoint of its environment only with the header', async () => {
    const { azure } = world();
    const handler = createIdentityEndpoint(
      { tokens: azure.tokens, principals: () => [workload] },
      's3cret',
    );
    const good = await ask(handler, {
      method: 'GET',
      target,
      headers: { 'x-identity-header': 's3cret' },
    });
    expect([good.status, (await ask(handler, { method: 'GET', target })).status]).toEqual([
      200, 401,
    ]);
  });
});

describe('Graph', () => {
  const names = async (target: string, token?: string): Promise<unknown> => {
    const { azure } = world();
    const { token: own } = azure.tokens.issue(owner, 'https://graph.microsoft.com');
    const answer = await ask(azure.entraHandler, {
      method: 'GET',
      target,
      headers: { authorization: `Bearer ${token ?? own}` },
    });
    const { value } = answer.body as { value?: { displayName: string }[] };
    return value?.map(({ displayName }) => displayName) ?? answer.status;
  };
  const filtered = (filter: string): Promise<unknown> =>
    names(`/v1.0/servicePrincipals?$filter=${encodeURIComponent(filter)}`);

  test('finds a principal by any of its names', async () => {
    expect([
      await filtered(`servicePrincipalNames/any(c:c eq '${workload.clientId}')`),
      await filtered(`appId eq '${workload.clientId}'`),
      await filtered(`id eq '${owner.objectId}'`),
      await filtered(`displayName eq 'nobody'`),
      await names(`/v1.0/servicePrincipals/${tenantId}`),
    ]).toEqual([['karpenter'], ['karpenter'], ['owner'], [], 404]);
  });

  test('refuses what it does not know and whom it does not know', async () => {
    expect([
      await filtered("startswith(displayName, 'k')"),
      await names('/v1.0/groups'),
      await names('/v1.0/servicePrincipals', 'opaque'),
    ]).toEqual([400, 400, 401]);
  });

  test('gives objects by their ids', async () => {
    const { azure } = world();
    const { token } = azure.tokens.issue(owner, 'https://graph.microsoft.com/');
    const { body } = await ask(azure.entraHandler, {
      method: 'POST',
      target: '/v1.0/directoryObjects/getByIds',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ ids: [workload.objectId, tenantId] }),
    });
    expect(body['value']).toMatchObject([
      { '@odata.type': '#microsoft.graph.servicePrincipal', id: workload.objectId },
    ]);
  });
});
