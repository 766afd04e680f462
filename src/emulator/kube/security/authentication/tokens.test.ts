import { generateKeyPairSync, createPublicKey, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { withMeta, type ApiObject } from '../../object.ts';
import { Fixture, named } from '../fixture.ts';
import { tables } from '../stored-objects.ts';
import { BootstrapTokens } from './bootstrap-tokens.ts';
import type { Credential } from './credential.ts';
import { openIdDocuments, openIdPaths } from './oidc-discovery.ts';
import { ServiceAccountTokens, type TokenSubject } from './service-account-tokens.ts';
import { staticTokens } from './static-tokens.ts';
import { TokenKey, unverifiedClaims } from './token-key.ts';

const issuer = 'https://kubernetes.default.svc';
const hourMs = 3600_000;

function world() {
  const fixture = new Fixture();
  const key = new TokenKey();
  const { clock, store: objects, newUid } = fixture;
  const tokens = new ServiceAccountTokens({
    issuer,
    audiences: [issuer],
    key,
    objects,
    clock,
    newUid,
  });
  const account = fixture.put(tables.serviceAccounts, named('ServiceAccount', 'shop/web'));
  const issue = (bound: Omit<TokenSubject, 'account'> = {}, lifetimeSeconds = 3600) =>
    tokens.issue({ account, ...bound }, { audiences: [issuer], lifetimeSeconds });
  const check = (token: string) => outcome(tokens.authenticate(token, [issuer]));
  return { fixture, key, tokens, account, issue, check };
}

function outcome(credential: Credential): string {
  if (credential.outcome === 'valid') return credential.user.username;
  return credential.outcome === 'invalid' ? credential.reason : 'unknown';
}

describe('a service account token', () => {
  test('claims what a real one claims', () => {
    const { fixture, tokens, account } = world();
    const pod = fixture.put(tables.pods, named('Pod', 'shop/p1'));
    const now = fixture.clock.now() / 1000;
    const token = tokens.issue(
      { account, pod, node: { name: 'n1', uid: 'node-uid' } },
      { audiences: ['a', 'b'], lifetimeSeconds: 600, warnAfterSeconds: 60 },
    );
    expect(unverifiedClaims(token)).toEqual({
      aud: ['a', 'b'],
      exp: now + 600,
      iat: now,
      iss: issuer,
      jti: expect.any(String),
      'kubernetes.io': {
        namespace: 'shop',
        node: { name: 'n1', uid: 'node-uid' },
        pod: { name: 'p1', uid: pod.metadata.uid },
        serviceaccount: { name: 'web', uid: account.metadata.uid },
        warnafter: now + 60,
      },
      nbf: now,
      sub: 'system:serviceaccount:shop:web',
    });
  });

  test('stands for the account, its groups and what it is bound to', () => {
    const { fixture, tokens, account, issue } = world();
    const pod = fixture.put(tables.pods, named('Pod', 'shop/p1'));
    const token = issue({ pod, node: { name: 'n1', uid: 'u' } });
    const jti = unverifiedClaims(token)!['jti'] as string;
    expect(tokens.authenticate(token, ['x', issuer])).toEqual({
      outcome: 'valid',
      audiences: [issuer],
      user: {
        username: 'system:serviceaccount:shop:web',
        uid: account.metadata.uid,
        groups: ['system:serviceaccounts', 'system:serviceaccounts:shop'],
        extra: {
          'authentication.kubernetes.io/credential-id': [`JTI=${jti}`],
          'authentication.kubernetes.io/node-name': ['n1'],
          'authentication.kubernetes.io/node-uid': ['u'],
          'authentication.kubernetes.io/pod-name': ['p1'],
          'authentication.kubernetes.io/pod-uid': [pod.metadata.uid],
        },
      },
    });
  });

  test('is good until a minute after it expires, by the clock of this world', async () => {
    const { fixture, issue, check } = world();
    const token = issue();
    const seen = [check(token)];
    await fixture.clock.advance(hourMs + 60_000);
    seen.push(check(token));
    await fixture.clock.advance(1);
    seen.push(check(token));
    expect(seen).toEqual([
      'system:serviceaccount:shop:web',
      'system:serviceaccount:shop:web',
      'service account token has expired',
    ]);
  });

  test('from the future is not good yet', () => {
    const { fixture, issue, check } = world();
    const token = issue();
    fixture.clock.jump(-60_001);
    expect(check(token)).toBe('service account token is not valid yet');
  });

  test('dies with its account, and a new account of the same name does not revive it', () => {
    const { fixture, account, issue, check } = world();
    const token = issue();
    fixture.remove(tables.serviceAccounts, 'web', 'shop');
    const gone = check(token);
    const next = fixture.put(tables.serviceAccounts, named('ServiceAccount', 'shop/web'));
    expect([gone, check(token)]).toEqual([
      'serviceaccounts "web" not found',
      `service account UID (${next.metadata.uid}) does not match claim (${account.metadata.uid})`,
    ]);
  });

  test.each([
    ['pod', tables.pods, 'shop/x'],
    ['secret', tables.secrets, 'shop/x'],
    ['node', tables.nodes, 'x'],
  ] as const)('dies with the %s that it is bound to', async (kind, table, place) => {
    const { fixture, issue, check } = world();
    const bound = fixture.put(table, named(kind, place));
    const subject =
      kind === 'node' ? { node: { name: 'x', uid: bound.metadata.uid } } : { [kind]: bound };
    const token = issue(subject);
    const seen = [check(token)];
    const leaving = withMeta(bound, {
      deletionTimestamp: new Date(fixture.clock.now()).toISOString(),
    });
    fixture.put(table, leaving);
    seen.push(check(token));
    await fixture.clock.advance(60_001);
    seen.push(check(token));
    const [namespace, name] = place.includes('/') ? place.split('/') : ['', place];
    fixture.remove(table, name!, namespace);
    seen.push(check(token));
    const next = fixture.put(table, named(kind, place));
    seen.push(check(token));
    expect(seen).toEqual([
      'system:serviceaccount:shop:web',
      'system:serviceaccount:shop:web',
      'service account token has been invalidated',
      'service account token has been invalidated',
      `${kind} UID (${next.metadata.uid}) does not match service account ${kind} ref claim (${bound.metadata.uid})`,
    ]);
  });

  test('of a pod outlives the node that the pod ran on', () => {
    const { fixture, issue, check } = world();
    const pod = fixture.put(tables.pods, named('Pod', 'shop/p'));
    const token = issue({ pod, node: { name: 'never-existed', uid: 'u' } });
    expect(check(token)).toBe('system:serviceaccount:shop:web');
  });

  test('is refused by audiences that it does not name', () => {
    const { tokens, issue } = world();
    expect(outcome(tokens.authenticate(issue(), ['x', 'y']))).toBe(
      'token audiences ["https://kubernetes.default.svc"] is invalid for the target audiences ["x" "y"]',
    );
  });

  test('of another issuer is none of ours, one of another key is forged', () => {
    const { tokens, issue } = world();
    const stranger = world();
    const [header, payload, signature] = issue().split('.') as [string, string, string];
    const other = {
      ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as JsonObject),
      iss: 'x',
    };
    const renamed = `${header}.${Buffer.from(JSON.stringify(other)).toString('base64url')}.${signature}`;
    const verdicts = [
      renamed,
      stranger.issue(),
      `${header}.${payload}.AAAA`,
      'a.b.c',
      'abc',
      '',
    ].map((token) => outcome(tokens.authenticate(token, [issuer])));
    const forged = 'go-jose/go-jose: error in cryptographic primitive';
    expect(verdicts).toEqual(['unknown', forged, forged, 'unknown', 'unknown', 'unknown']);
  });

  test('is refused again after it was once accepted and then changed', () => {
    const { issue, check } = world();
    const token = issue();
    expect(check(token)).toBe('system:serviceaccount:shop:web');
    expect(check(`${token.slice(0, -4)}AAAA`)).toBe(
      'go-jose/go-jose: error in cryptographic primitive',
    );
  });
});

describe('a token key', () => {
  test.each([
    ['ES256', undefined],
    ['RS256', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
  ] as const)('%s signs what others verify with the published half', (algorithm, privateKey) => {
    const key = new TokenKey(privateKey);
    const token = key.sign({ a: 1 });
    const [header, payload, signature] = token.split('.') as [string, string, string];
    const documents = openIdDocuments({
      issuer,
      key,
      keysUri: 'https://example.com/openid/v1/jwks',
    });
    const { keys } = JSON.parse(documents.get(openIdPaths.keys)!.body as string) as {
      keys: JsonWebKeyLike[];
    };
    const isGenuine = verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      { key: createPublicKey({ key: keys[0] as never, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    expect({
      isGenuine,
      header: JSON.parse(Buffer.from(header, 'base64url').toString()) as object,
      published: { kid: keys[0]?.kid, alg: keys[0]?.alg, use: keys[0]?.use },
      configuration: JSON.parse(documents.get(openIdPaths.configuration)!.body as string) as object,
    }).toEqual({
      isGenuine: true,
      header: { alg: algorithm, kid: key.keyId },
      published: { kid: key.keyId, alg: algorithm, use: 'sig' },
      configuration: {
        issuer,
        jwks_uri: 'https://example.com/openid/v1/jwks',
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: [algorithm],
      },
    });
  });

  test('of another kind is refused', () => {
    expect(() => new TokenKey(generateKeyPairSync('ed25519').privateKey)).toThrow(/RSA or P-256/);
  });

  interface JsonWebKeyLike {
    readonly kid: string;
    readonly alg: string;
    readonly use: string;
  }
});

describe('a bootstrap token', () => {
  function secret(id: string, changes: Partial<Record<string, string>> = {}, body = {}): ApiObject {
    const data: Record<string, string> = {};
    const fields: Partial<Record<string, string>> = {
      'token-id': id,
      'token-secret': '0123456789abcdef',
      'usage-bootstrap-authentication': 'true',
      ...changes,
    };
    for (const [key, value] of Object.entries(fields)) {
      if (value !== undefined) data[key] = Buffer.from(value).toString('base64');
    }
    const type = 'bootstrap.kubernetes.io/token';
    return named('Secret', `kube-system/bootstrap-token-${id}`, { type, data, ...body });
  }

  function use(
    object: ApiObject,
    token = 'abcdef.0123456789abcdef',
    audience = issuer,
  ): object | string {
    const fixture = new Fixture();
    fixture.put(tables.secrets, object);
    const { store: objects, clock } = fixture;
    const tokens = new BootstrapTokens({ objects, clock, audiences: [issuer] });
    const credential = tokens.authenticate(token, [audience]);
    return credential.outcome === 'valid' ? credential.user : credential.outcome;
  }

  test.each<[string, ApiObject, object]>([
    [
      'stands for a machine that wants to join',
      secret('abcdef'),
      { groups: ['system:bootstrappers'] },
    ],
    [
      'brings groups of its own, sorted and each once',
      secret('abcdef', {
        'auth-extra-groups': 'system:bootstrappers:b,system:bootstrappers:a,system:bootstrappers:b',
      }),
      { groups: ['system:bootstrappers', 'system:bootstrappers:a', 'system:bootstrappers:b'] },
    ],
    [
      'is good before it expires',
      secret('abcdef', { expiration: '2026-01-01T00:00:01Z' }),
      { groups: ['system:bootstrappers'] },
    ],
  ])('%s', (_, object, user) => {
    expect(use(object)).toEqual({ username: 'system:bootstrap:abcdef', ...user });
  });

  test.each<[string, ApiObject, (string | undefined)?, string?]>([
    ['is refused when it expires', secret('abcdef', { expiration: '2026-01-01T00:00:00Z' })],
    ['is refused when its expiry cannot be read', secret('abcdef', { expiration: 'tomorrow' })],
    ['is refused when its expiry is no full timestamp', secret('abcdef', { expiration: '2030' })],
    [
      'is refused with groups that are not for bootstrapping',
      secret('abcdef', { 'auth-extra-groups': 'system:masters' }),
    ],
    [
      'is refused when not meant for authentication',
      secret('abcdef', { 'usage-bootstrap-authentication': 'yes' }),
    ],
    [
      'is refused when not said to be for it',
      secret('abcdef', { 'usage-bootstrap-authentication': '' }),
    ],
    ['is refused when the secret is of another type', secret('abcdef', {}, { type: 'Opaque' })],
    ['is refused when the secret is of another token', secret('abcdef', { 'token-id': 'fedcba' })],
    ['is refused with a wrong secret', secret('abcdef'), 'abcdef.fedcba9876543210'],
    ['is refused in another shape', secret('abcdef'), 'ABCDEF.0123456789abcdef'],
    ['is refused when there is none of that id', secret('abcdef'), 'zzzzzz.0123456789abcdef'],
    ['is refused for other audiences', secret('abcdef'), undefined, 'vault'],
    [
      'is refused while its secret is being deleted',
      withMeta(secret('abcdef'), { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ],
  ])('%s', (_, object, token, audience) => {
    expect(use(object, token, audience)).toBe('unknown');
  });

  test('expires while the world runs', async () => {
    const fixture = new Fixture();
    fixture.put(tables.secrets, secret('abcdef', { expiration: '2026-01-01T01:00:00Z' }));
    const tokens = new BootstrapTokens({
      objects: fixture.store,
      clock: fixture.clock,
      audiences: [issuer],
    });
    const seen = [tokens.authenticate('abcdef.0123456789abcdef', [issuer]).outcome];
    await fixture.clock.advance(hourMs);
    seen.push(tokens.authenticate('abcdef.0123456789abcdef', [issuer]).outcome);
    expect(seen).toEqual(['valid', 'unknown']);
  });
});

test('a static token stands for the user that it was made for, for the audiences of the server', () => {
  const root = { username: 'root', groups: ['system:masters'] };
  const tokens = staticTokens({ tokens: [{ token: 'secret', user: root }], audiences: [issuer] });
  expect([
    tokens.authenticate('secret', [issuer, 'x']),
    tokens.authenticate('secret', ['x']),
    tokens.authenticate('other', [issuer]),
  ]).toEqual([
    { outcome: 'valid', user: root, audiences: [issuer] },
    { outcome: 'unknown' },
    { outcome: 'unknown' },
  ]);
});
