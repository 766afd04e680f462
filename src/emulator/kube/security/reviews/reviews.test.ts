import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../base/random.ts';
import { VirtualClock } from '../../../../base/virtual-clock.ts';
import type { JsonObject } from '../../json.ts';
import type { VirtualCreate } from '../../ports.ts';
import { StatusError } from '../../status-error.ts';
import { unverifiedClaims } from '../authentication/token-key.ts';
import { CertificateAuthority } from '../../../certificates.ts';
import { Fixture, kubelet, named, user } from '../fixture.ts';
import { defaultPolicy } from '../policy/default-policy.ts';
import { Security } from '../security.ts';
import { tables } from '../stored-objects.ts';

const issuer = 'https://kubernetes.default.svc';
const alice = user('alice', 'dev', 'system:authenticated');
const policy = defaultPolicy();
const authority = await CertificateAuthority.create({
  commonName: 'kubernetes',
  clock: new VirtualClock(),
  random: seededRandom(1),
});

function world() {
  const fixture = new Fixture();
  const { clock, newUid, store: objects } = fixture;
  fixture.putPolicy(policy);
  const security = new Security({
    objects,
    clock,
    newUid,
    issuer,
    authority,
    staticTokens: [{ token: 'plaintoken', user: { username: 'plain', uid: 'uid-2', groups: [] } }],
  });
  const ask = (
    what: string,
    object: JsonObject,
    call: Partial<Parameters<VirtualCreate>[0]> = {},
  ): JsonObject | string => {
    try {
      return security.virtualCreates.get(what)!({
        context: { user: alice },
        namespace: '',
        name: '',
        object,
        ...call,
      });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return `${error.code} ${error.message}`;
    }
  };
  return { fixture, security, ask };
}

function statusOf(answer: JsonObject | string): unknown {
  return typeof answer === 'string' ? answer : answer['status'];
}

describe('a TokenReview', () => {
  const what = 'authentication.k8s.io/tokenreviews';

  test.each<[string, JsonObject, unknown]>([
    [
      'names the user of a token',
      { token: 'plaintoken' },
      {
        authenticated: true,
        user: { username: 'plain', uid: 'uid-2', groups: ['system:authenticated'] },
        audiences: [issuer],
      },
    ],
    [
      'names the audiences that fit',
      { token: 'plaintoken', audiences: ['x', issuer] },
      {
        authenticated: true,
        user: { username: 'plain', uid: 'uid-2', groups: ['system:authenticated'] },
        audiences: [issuer],
      },
    ],
    [
      'finds nobody for other audiences',
      { token: 'plaintoken', audiences: ['x'] },
      { user: {}, error: 'invalid bearer token' },
    ],
    [
      'finds nobody for a token that is none',
      { token: 'nope' },
      { user: {}, error: 'invalid bearer token' },
    ],
    ['needs a token', {}, '400 token is required for TokenReview in authentication'],
  ])('%s', (_, spec, status) => {
    const { ask } = world();
    expect(statusOf(ask(what, { spec }))).toEqual(status);
  });

  test('says why a service account token is not good', () => {
    const { fixture, security, ask } = world();
    const account = fixture.put(tables.serviceAccounts, named('ServiceAccount', 'shop/web'));
    const token = security.tokens.issue({ account }, { audiences: [issuer], lifetimeSeconds: 600 });
    const review = (spec = {}) => statusOf(ask(what, { spec: { token, ...spec } }));
    expect(review()).toMatchObject({
      authenticated: true,
      user: {
        groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
      },
    });
    fixture.remove(tables.serviceAccounts, 'web', 'shop');
    expect([review({ audiences: ['x'] }), review()]).toEqual([
      {
        user: {},
        error: `[invalid bearer token, token audiences ["${issuer}"] is invalid for the target audiences ["x"]]`,
      },
      { user: {}, error: '[invalid bearer token, serviceaccounts "web" not found]' },
    ]);
  });
});

test('a SelfSubjectReview says who asks', () => {
  const { ask } = world();
  const context = { user: { username: 'a', groups: ['g'], extra: { k: ['v'] } } };
  expect(ask('authentication.k8s.io/selfsubjectreviews', {}, { context })).toEqual({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'SelfSubjectReview',
    metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
    status: { userInfo: { username: 'a', groups: ['g'], extra: { k: ['v'] } } },
  });
});

describe('a SubjectAccessReview', () => {
  const what = 'authorization.k8s.io/subjectaccessreviews';
  const pods = (attributes = {}) => ({
    resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default', ...attributes },
  });
  const invalid = '422 .authorization.k8s.io "" is invalid:';
  const controller = 'deployment-controller';

  test.each<[string, JsonObject, unknown]>([
    ['refuses by default', { user: 'alice', ...pods() }, { allowed: false }],
    ['allows masters', { user: 'alice', groups: ['system:masters'], ...pods() }, { allowed: true }],
    [
      'names the binding that allows',
      { user: `system:serviceaccount:kube-system:${controller}`, ...pods({ namespace: '' }) },
      {
        allowed: true,
        reason: `RBAC: allowed by ClusterRoleBinding "system:controller:${controller}" of ClusterRole "system:controller:${controller}" to ServiceAccount "${controller}/kube-system"`,
      },
    ],
    [
      'asks about paths',
      {
        user: 'a',
        groups: ['system:authenticated'],
        nonResourceAttributes: { path: '/api', verb: 'get' },
      },
      {
        allowed: true,
        reason:
          'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
      },
    ],
    [
      'looks at the field selector of a kubelet as text',
      {
        user: 'system:node:n1',
        groups: ['system:nodes'],
        ...pods({
          verb: 'list',
          namespace: '',
          fieldSelector: { rawSelector: 'spec.nodeName=n1' },
        }),
      },
      { allowed: true },
    ],
    [
      'looks at it as requirements',
      {
        user: 'system:node:n1',
        groups: ['system:nodes'],
        ...pods({
          verb: 'list',
          fieldSelector: {
            requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['n1'] }],
          },
        }),
      },
      { allowed: true },
    ],
    [
      'says why a kubelet may not',
      { user: 'system:node:n1', groups: ['system:nodes'], ...pods({ verb: 'list' }) },
      { allowed: false, reason: 'can only list/watch pods with spec.nodeName field selector' },
    ],
    [
      'leaves out what it does not understand',
      {
        user: 'x',
        ...pods({
          fieldSelector: {
            requirements: [
              { key: 'a', operator: 'Foo', values: ['b'] },
              { key: 'a', operator: 'In', values: ['b'] },
            ],
          },
          labelSelector: { rawSelector: 'a in (' },
        }),
      },
      {
        allowed: false,
        evaluationError:
          'spec.resourceAttributes.fieldSelector partially ignored due to parse error; spec.resourceAttributes.labelSelector ignored due to parse error',
      },
    ],
    [
      'needs something to ask about',
      { user: 'alice' },
      `${invalid} spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified`,
    ],
    [
      'needs somebody',
      pods(),
      `${invalid} spec.user: Invalid value: "": at least one of user or group must be specified`,
    ],
    [
      'asks about one thing',
      { user: 'x', ...pods(), nonResourceAttributes: { path: '/', verb: 'get' } },
      `${invalid} spec.nonResourceAttributes: Invalid value: {"Path":"/","Verb":"get"}: cannot be specified in combination with resourceAttributes`,
    ],
    [
      'needs a selector that selects',
      { user: 'x', ...pods({ fieldSelector: {} }) },
      `${invalid} spec.resourceAttributes.fieldSelector.requirements: Required value: when spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required`,
    ],
    [
      'needs one form of it',
      {
        user: 'x',
        ...pods({
          fieldSelector: {
            rawSelector: 'a=b',
            requirements: [{ key: 'a', operator: 'In', values: ['b'] }],
          },
        }),
      },
      `${invalid} spec.resourceAttributes.fieldSelector.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements`,
    ],
  ])('%s', (_, spec, status) => {
    const { ask } = world();
    expect(statusOf(ask(what, { spec }))).toEqual(status);
  });

  test('gives back what was asked', () => {
    const { ask } = world();
    const spec = { user: 'alice', ...pods() };
    expect(ask(what, { kind: 'SubjectAccessReview', metadata: {}, spec })).toEqual({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata: {},
      spec,
      status: { allowed: false },
    });
  });

  test('has no name', () => {
    const { ask } = world();
    expect(ask(what, { metadata: { name: 'a' }, spec: { user: 'x', ...pods() } })).toBe(
      `${invalid} metadata: Invalid value: {"name":"a"}: must be empty`,
    );
  });

  test('about oneself uses who asks', () => {
    const { ask } = world();
    const self = 'authorization.k8s.io/selfsubjectaccessreviews';
    const healthz = { nonResourceAttributes: { path: '/healthz', verb: 'get' } };
    const root = { context: { user: user('root', 'system:masters') } };
    expect([
      statusOf(ask(self, { spec: healthz })),
      statusOf(ask(self, { spec: pods() })),
      statusOf(ask(self, { spec: pods() }, root)),
    ]).toMatchObject([{ allowed: true }, { allowed: false }, { allowed: true }]);
  });

  test('about one namespace stays in it', () => {
    const { ask } = world();
    const local = (spec: JsonObject) =>
      ask('authorization.k8s.io/localsubjectaccessreviews', { spec }, { namespace: 'default' });
    expect([
      local({ user: 'alice', ...pods() }),
      local({ user: 'alice', ...pods({ namespace: 'other' }) }),
      local({ user: 'alice', nonResourceAttributes: { path: '/healthz', verb: 'get' } }),
    ]).toMatchObject([
      { metadata: { namespace: 'default' }, status: { allowed: false } },
      `${invalid} spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace`,
      `${invalid} spec.nonResourceAttributes: Invalid value: {"Path":"/healthz","Verb":"get"}: disallowed on this kind of request`,
    ]);
  });
});

describe('a SelfSubjectRulesReview', () => {
  const what = 'authorization.k8s.io/selfsubjectrulesreviews';

  test('lists what the asker may do', () => {
    const { ask } = world();
    expect(ask(what, { spec: { namespace: 'default' } })).toEqual({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectRulesReview',
      metadata: {},
      spec: {},
      status: {
        resourceRules: [
          {
            verbs: ['create'],
            apiGroups: ['authorization.k8s.io'],
            resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
          },
          {
            verbs: ['create'],
            apiGroups: ['authentication.k8s.io'],
            resources: ['selfsubjectreviews'],
          },
        ],
        nonResourceRules: [
          {
            verbs: ['get'],
            nonResourceURLs: [
              '/api',
              '/api/*',
              '/apis',
              '/apis/*',
              '/healthz',
              '/livez',
              '/openapi',
              '/openapi/*',
              '/readyz',
              '/version',
              '/version/',
            ],
          },
          {
            verbs: ['get'],
            nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'],
          },
        ],
        incomplete: false,
      },
    });
  });

  test('cannot list all that a kubelet may do', () => {
    const { ask } = world();
    const answer = ask(
      what,
      { spec: { namespace: 'default' } },
      { context: { user: kubelet('n1') } },
    );
    expect(statusOf(answer)).toMatchObject({
      incomplete: true,
      evaluationError: 'node authorizer does not support user rule resolution',
    });
  });

  test('needs a namespace', () => {
    const { ask } = world();
    expect(ask(what, { spec: {} })).toBe('400 no namespace on request');
  });
});

describe('a TokenRequest', () => {
  function prepared() {
    const made = world();
    const { fixture, ask } = made;
    const account = fixture.put(tables.serviceAccounts, named('ServiceAccount', 'shop/web'));
    const node = fixture.put(tables.nodes, named('Node', 'n1'));
    const pod = fixture.put(
      tables.pods,
      named('Pod', 'shop/p1', { spec: { nodeName: 'n1', serviceAccountName: 'web' } }),
    );
    const want = (spec: JsonObject, metadata: JsonObject = {}, name = 'web') =>
      ask('/serviceaccounts/token', { metadata, spec }, { namespace: 'shop', name });
    return { ...made, account, node, pod, want };
  }
  const ref = (kind: string, name: string, uid?: string, apiVersion = 'v1') => ({
    boundObjectRef: { apiVersion, kind, name, ...(uid === undefined ? {} : { uid }) },
  });

  test('is answered with a token for this server, for an hour', () => {
    const { security, account, want } = prepared();
    const answer = want({}) as JsonObject;
    const { token } = answer['status'] as { token: string };
    expect(answer).toEqual({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {
        name: 'web',
        namespace: 'shop',
        uid: account.metadata.uid,
        creationTimestamp: '2026-01-01T00:00:00Z',
      },
      spec: { audiences: [issuer], expirationSeconds: 3600, boundObjectRef: null },
      status: { token, expirationTimestamp: '2026-01-01T01:00:00Z' },
    });
    expect(security.authenticator.authenticateToken(token, [issuer])).toMatchObject({
      outcome: 'valid',
      user: { username: 'system:serviceaccount:shop:web' },
    });
  });

  test('binds to a pod and says where that runs', () => {
    const { node, pod, want } = prepared();
    const answer = want({
      audiences: ['vault'],
      expirationSeconds: 600,
      ...ref('Pod', 'p1'),
    }) as JsonObject;
    const { token } = answer['status'] as { token: string };
    const claims = unverifiedClaims(token)!;
    expect(claims).toMatchObject({
      aud: ['vault'],
      'kubernetes.io': {
        pod: { name: 'p1', uid: pod.metadata.uid },
        node: { name: 'n1', uid: node.metadata.uid },
      },
    });
    expect((claims['exp'] as number) - (claims['iat'] as number)).toBe(600);
  });

  test('of the volume of a pod lives a year and warns after its hour', () => {
    const { want } = prepared();
    const lifetime = (spec: JsonObject) => {
      const { token } = (want({ expirationSeconds: 3607, ...spec }) as JsonObject)['status'] as {
        token: string;
      };
      const {
        exp,
        iat,
        'kubernetes.io': bound,
      } = unverifiedClaims(token) as {
        exp: number;
        iat: number;
        'kubernetes.io': { warnafter?: number };
      };
      return [exp - iat, bound.warnafter === undefined ? undefined : bound.warnafter - iat];
    };
    expect([
      lifetime(ref('Pod', 'p1')),
      lifetime({ ...ref('Pod', 'p1'), audiences: [issuer, 'api'] }),
      lifetime({}),
    ]).toEqual([
      [365 * 24 * 3600, 3607],
      [3607, undefined],
      [3607, undefined],
    ]);
  });

  const invalid = '422 TokenRequest.authentication.k8s.io';
  const recreated =
    'the UID in the bound object reference (zz) does not match the UID in record. The object might have been deleted and then recreated';
  test.each<[string, [JsonObject, JsonObject?, string?], string]>([
    [
      'for less than ten minutes',
      [{ expirationSeconds: 599 }],
      `${invalid} "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes`,
    ],
    [
      'for more than 2^32 seconds',
      [{ expirationSeconds: 4294967297 }],
      `${invalid} "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds`,
    ],
    ['of an account that is not there', [{}, {}, 'nope'], '404 serviceaccounts "nope" not found'],
    [
      'with another name',
      [{}, { name: 'x' }],
      `${invalid} "web" is invalid: metadata.name: Invalid value: "x": must match the service account name if specified`,
    ],
    [
      'with another namespace',
      [{}, { namespace: 'x' }],
      '400 the namespace of the provided object does not match the namespace sent on the request',
    ],
    ['for a pod that is not there', [ref('Pod', 'x')], '404 pods "x" not found'],
    [
      'for a pod that is another',
      [ref('Pod', 'p1', 'zz')],
      `409 Operation cannot be fulfilled on Pod "p1": ${recreated}`,
    ],
    ['for a node that is not there', [ref('Node', 'x')], '404 nodes "x" not found'],
    [
      'for other kinds',
      [ref('ConfigMap', 'x')],
      '400 cannot bind token to object of type /v1, Kind=ConfigMap',
    ],
    [
      'for kinds of other groups',
      [ref('Deployment', 'x', undefined, 'apps/v1')],
      '400 cannot bind token to object of type apps/v1, Kind=Deployment',
    ],
  ])('is refused %s', (_, args, refusal) => {
    const { want } = prepared();
    expect(want(...args)).toBe(refusal);
  });

  test('is refused for the pod of another account, and for another account of that name', () => {
    const { fixture, account, want } = prepared();
    fixture.put(tables.serviceAccounts, named('ServiceAccount', 'shop/other'));
    expect([want(ref('Pod', 'p1'), {}, 'other'), want({}, { uid: 'x' })]).toEqual([
      '400 cannot bind token for serviceaccount "other" to pod running with different serviceaccount name.',
      `409 Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "web": the UID in the token request (x) does not match the UID of the service account (${account.metadata.uid})`,
    ]);
  });

  test('of a kubelet is held to the pods of its node', () => {
    const { ask, pod } = prepared();
    const want = (node: string, spec: JsonObject) =>
      ask(
        '/serviceaccounts/token',
        { spec },
        { namespace: 'shop', name: 'web', context: { user: kubelet(node) } },
      );
    expect([want('n1', {}), want('n2', ref('Pod', 'p1', pod.metadata.uid))]).toEqual([
      '403 serviceaccounts "web" is forbidden: node requested token not bound to a pod',
      '403 serviceaccounts "web" is forbidden: node requested token bound to a pod scheduled on a different node',
    ]);
  });
});
