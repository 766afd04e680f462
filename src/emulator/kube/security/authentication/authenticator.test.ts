import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { HttpRequest } from '../../../../base/http-server.ts';
import { CertificateAuthority } from '../../../certificates.ts';
import { RbacAuthorizer } from '../authorization/rbac-authorizer.ts';
import { Fixture, named, user } from '../fixture.ts';
import { tables } from '../stored-objects.ts';
import { StatusError } from '../../status-error.ts';
import { RequestAuthenticator } from './authenticator.ts';
import { ClientCertificates } from './client-certificates.ts';
import { staticTokens } from './static-tokens.ts';

const audience = 'https://kubernetes.default.svc';
const dayMs = 24 * 3600_000;

function request(options: {
  path?: string;
  headers?: Record<string, string>;
  certificate?: string;
}): HttpRequest {
  const { path = '/api', headers = {}, certificate } = options;
  return {
    method: 'GET',
    path,
    query: new URLSearchParams(),
    headers,
    ...(certificate === undefined
      ? {}
      : { clientCertificate: new X509Certificate(certificate).raw }),
    signal: new AbortController().signal,
    body: async () => new Uint8Array(),
  };
}

async function world() {
  const fixture = new Fixture();
  const { clock, random } = fixture;
  const authority = await CertificateAuthority.create({ commonName: 'kubernetes', clock, random });
  const authorizer = new RbacAuthorizer(fixture.store);
  const authenticator = new RequestAuthenticator({
    certificates: new ClientCertificates({ authority, clock }),
    tokens: [
      staticTokens({
        tokens: [{ token: 'good', user: { username: 'bob', uid: 'u', groups: ['dev'] } }],
        audiences: [audience],
      }),
    ],
    audiences: [audience],
    authorizer,
  });
  const issue = async (
    commonName: string,
    organizations: string[] = [],
    purposes = ['clientAuth'] as const,
  ) =>
    (
      await authority.issue({
        subject: { commonName, organizations },
        usages: ['digitalSignature'],
        purposes,
        lifetimeMs: dayMs,
      })
    ).certificatePem;
  return { fixture, authority, authenticator, issue };
}

describe('a client certificate', () => {
  test('names user and groups, and is known by its fingerprint', async () => {
    const { authenticator, issue } = await world();
    const certificate = await issue('ann', ['dev', 'ops']);
    const fingerprint = new X509Certificate(certificate).fingerprint256
      .replaceAll(':', '')
      .toLowerCase();
    expect(authenticator.authenticate(request({ certificate }))).toEqual({
      username: 'ann',
      groups: ['dev', 'ops', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
    });
  });

  test('is good within its time only, by the clock of this world', async () => {
    const { fixture, authenticator, issue } = await world();
    const certificate = await issue('ann');
    const seen = () => authenticator.authenticate(request({ certificate }))?.username;
    const times = [seen()];
    await fixture.clock.advance(dayMs);
    times.push(seen());
    await fixture.clock.advance(1);
    times.push(seen());
    fixture.clock.jump(-2 * dayMs);
    times.push(seen());
    expect(times).toEqual(['ann', 'ann', undefined, undefined]);
  });

  test('of another authority, for servers, or without a name is none', async () => {
    const { authenticator, issue } = await world();
    const stranger = await world();
    const certificates = [
      await stranger.issue('ann'),
      await issue('ann', [], ['serverAuth'] as never),
      await issue('', ['dev']),
    ];
    const found = certificates.map((certificate) =>
      authenticator.authenticate(request({ certificate })),
    );
    expect(found).toEqual([undefined, undefined, undefined]);
  });

  test('wins over a token, and a bad one does not spoil a good token', async () => {
    const { authenticator, issue } = await world();
    const stranger = await (await world()).issue('eve');
    const headers = { authorization: 'Bearer good' };
    expect([
      authenticator.authenticate(request({ certificate: await issue('ann'), headers }))?.username,
      authenticator.authenticate(request({ certificate: stranger, headers }))?.username,
    ]).toEqual(['ann', 'bob']);
  });
});

describe('a bearer token', () => {
  test.each([
    ['Bearer good', 'bob'],
    ['bearer good', 'bob'],
    ['Bearer good trailing', 'bob'],
    ['Bearer bad', undefined],
    ['Bearer  good', undefined],
    ['Bearer', undefined],
    ['Basic good', undefined],
    ['good', undefined],
  ])('%j stands for %s', async (authorization, username) => {
    const { authenticator } = await world();
    expect(authenticator.authenticate(request({ headers: { authorization } }))?.username).toBe(
      username,
    );
  });

  test('makes its user one of the authenticated', async () => {
    const { authenticator } = await world();
    expect(
      authenticator.authenticate(request({ headers: { authorization: 'Bearer good' } })),
    ).toEqual({
      username: 'bob',
      uid: 'u',
      groups: ['dev', 'system:authenticated'],
    });
  });
});

describe('without credentials', () => {
  test.each([
    ['/healthz', 'system:anonymous'],
    ['/livez', 'system:anonymous'],
    ['/readyz', 'system:anonymous'],
    ['/version', 'system:anonymous'],
    ['/api', undefined],
    ['/api/v1/pods', undefined],
    ['/metrics', undefined],
    ['/healthz/etcd', undefined],
  ])('%s is read by %s', async (path, username) => {
    const { authenticator } = await world();
    expect(authenticator.authenticate(request({ path }))?.username).toBe(username);
  });

  test('bad ones are not taken for none', async () => {
    const { authenticator } = await world();
    const stranger = await (await world()).issue('eve');
    const headers = { authorization: 'Bearer bad' };
    expect([
      authenticator.authenticate(request({ path: '/healthz', headers })),
      authenticator.authenticate(request({ path: '/healthz', certificate: stranger })),
    ]).toEqual([undefined, undefined]);
  });
});

describe('acting as somebody else', () => {
  async function act(headers: Record<string, string>, rules: object[]) {
    const { fixture, authenticator } = await world();
    fixture.put(tables.clusterRoles, named('ClusterRole', 'actor', { rules: rules as never }));
    fixture.put(
      tables.clusterRoleBindings,
      named('ClusterRoleBinding', 'actor', {
        roleRef: { kind: 'ClusterRole', name: 'actor' },
        subjects: [{ kind: 'User', name: 'bob' }],
      }),
    );
    try {
      return authenticator.authenticate(
        request({ headers: { authorization: 'Bearer good', ...headers } }),
      );
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return `${error.code} ${error.message}`;
    }
  }
  const anybody = [{ verbs: ['impersonate'], apiGroups: ['*'], resources: ['*'] }];
  const annOnly = [
    { verbs: ['impersonate'], apiGroups: [''], resources: ['users'], resourceNames: ['ann'] },
  ];

  test.each<[Record<string, string>, object]>([
    [{ 'impersonate-user': 'ann' }, user('ann', 'system:authenticated')],
    [
      {
        'impersonate-user': 'ann',
        'impersonate-group': 'g, h',
        'impersonate-uid': 'u1',
        'impersonate-extra-dept%2fx': 'a, b',
      },
      {
        username: 'ann',
        uid: 'u1',
        groups: ['g', 'h', 'system:authenticated'],
        extra: { 'dept/x': ['a', 'b'] },
      },
    ],
    [
      { 'impersonate-user': 'system:serviceaccount:ns1:sa1' },
      user(
        'system:serviceaccount:ns1:sa1',
        'system:serviceaccounts',
        'system:serviceaccounts:ns1',
        'system:authenticated',
      ),
    ],
    [
      { 'impersonate-user': 'system:serviceaccount:ns1:sa1', 'impersonate-group': 'q' },
      user('system:serviceaccount:ns1:sa1', 'q', 'system:authenticated'),
    ],
    [
      { 'impersonate-user': 'system:anonymous' },
      user('system:anonymous', 'system:unauthenticated'),
    ],
    [
      { 'impersonate-user': 'x', 'impersonate-group': 'system:unauthenticated' },
      user('x', 'system:unauthenticated'),
    ],
    [{}, { username: 'bob', uid: 'u', groups: ['dev', 'system:authenticated'] }],
  ])('%j is %j', async (headers, expected) => {
    expect(await act(headers, anybody)).toEqual(expected);
  });

  const cannot = 'is forbidden: User "bob" cannot impersonate resource';
  test.each<[string, Record<string, string>, object[], string]>([
    [
      'a user',
      { 'impersonate-user': 'eve' },
      annOnly,
      `403 users "eve" ${cannot} "users" in API group "" at the cluster scope`,
    ],
    [
      'a service account',
      { 'impersonate-user': 'system:serviceaccount:ns1:sa1' },
      annOnly,
      `403 serviceaccounts "sa1" ${cannot} "serviceaccounts" in API group "" in the namespace "ns1"`,
    ],
    [
      'a group',
      { 'impersonate-user': 'ann', 'impersonate-group': 'g' },
      annOnly,
      `403 groups "g" ${cannot} "groups" in API group "" at the cluster scope`,
    ],
    [
      'an extra value',
      { 'impersonate-user': 'ann', 'impersonate-extra-scopes': 'v' },
      annOnly,
      `403 userextras.authentication.k8s.io "v" ${cannot} "userextras/scopes" in API group "authentication.k8s.io" at the cluster scope`,
    ],
    [
      'a uid',
      { 'impersonate-user': 'ann', 'impersonate-uid': 'v' },
      annOnly,
      `403 uids.authentication.k8s.io "v" ${cannot} "uids" in API group "authentication.k8s.io" at the cluster scope`,
    ],
    [
      'a group without a user',
      { 'impersonate-group': 'g' },
      anybody,
      '400 requested [{Group  g    }] without impersonating a user',
    ],
    [
      'an extra value without a user',
      { 'impersonate-extra-scopes': 'g' },
      anybody,
      '400 requested [{UserExtra  g  authentication.k8s.io/v1  scopes}] without impersonating a user',
    ],
    [
      'a uid without a user',
      { 'impersonate-uid': 'u' },
      anybody,
      '400 requested [{UID  u  authentication.k8s.io/v1  }] without impersonating a user',
    ],
  ])('does not take on %s that was not allowed', async (_, headers, rules, refusal) => {
    expect(await act(headers, rules)).toBe(refusal);
  });
});
