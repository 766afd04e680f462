import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AuthorizationRequest } from '../../ports.ts';
import type { ApiObject } from '../../object.ts';
import { Fixture, named, user } from '../fixture.ts';
import { tables } from '../stored-objects.ts';
import { RbacAuthorizer } from './rbac-authorizer.ts';

interface PolicyBody {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly Partial<Record<string, readonly string[]>>[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly {
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string;
  }[];
}

interface Policy {
  readonly roles: readonly PolicyBody[];
  readonly clusterRoles: readonly PolicyBody[];
  readonly roleBindings: readonly PolicyBody[];
  readonly clusterRoleBindings: readonly PolicyBody[];
}

const kinds = {
  roles: 'Role',
  clusterRoles: 'ClusterRole',
  roleBindings: 'RoleBinding',
  clusterRoleBindings: 'ClusterRoleBinding',
} as const;

function authorizerOf(policy: Policy, fixture = new Fixture()): RbacAuthorizer {
  for (const field of Object.keys(kinds) as (keyof typeof kinds)[]) {
    for (const body of policy[field]) {
      const object = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: kinds[field], ...body };
      fixture.put(tables[field], object as unknown as ApiObject);
    }
  }
  return new RbacAuthorizer(fixture.store);
}

function onResource(fields: Partial<NonNullable<AuthorizationRequest['resource']>>) {
  const none = { group: '', version: 'v1', resource: '', subresource: '', namespace: '', name: '' };
  return { ...none, ...fields };
}

describe('against a real API server', () => {
  interface Check {
    readonly user: string;
    readonly groups?: readonly string[];
    readonly resourceAttributes?: Record<string, string>;
    readonly nonResourceAttributes?: { readonly verb: string; readonly path: string };
    readonly allowed: boolean;
  }
  const path = new URL('../../../../../test/vectors/rbac/decisions.json', import.meta.url);
  const scenarios = JSON.parse(readFileSync(path, 'utf8')) as (Policy & { checks: Check[] })[];

  test.each(scenarios.map((scenario, index) => [index, scenario] as const))(
    'decides as it did for random roles and bindings, set %i',
    (_, scenario) => {
      const authorizer = authorizerOf(scenario);
      const wrong = scenario.checks.filter((check) => {
        const { verb = '', ...attributes } = check.resourceAttributes ?? {};
        const decision = authorizer.authorize({
          user: user(check.user, ...(check.groups ?? [])),
          verb: check.nonResourceAttributes?.verb ?? verb,
          path: check.nonResourceAttributes?.path ?? '',
          ...(check.resourceAttributes === undefined ? {} : { resource: onResource(attributes) }),
        });
        return decision.allowed !== check.allowed;
      });
      expect(wrong).toEqual([]);
    },
  );
});

describe('the index', () => {
  const texts = (...items: string[]) =>
    fc.subarray(items, { minLength: 1, maxLength: Math.min(items.length, 3) });
  const rule = fc.record({
    verbs: texts('get', 'list', 'watch', '*'),
    apiGroups: texts('', 'apps', '*'),
    resources: texts('pods', 'pods/log', 'nodes', '*/log', '*'),
    resourceNames: fc.oneof(fc.constant([]), texts('a', 'b')),
  });
  const namespace = fc.constantFrom('n1', 'n2');
  const subject = fc.oneof(
    fc.record({
      kind: fc.constant('User'),
      name: fc.constantFrom('u1', 'system:serviceaccount:n1:s'),
    }),
    fc.record({ kind: fc.constant('Group'), name: fc.constantFrom('g1', 'g2') }),
    fc.record({ kind: fc.constant('ServiceAccount'), name: fc.constant('s') }),
    fc.record({ kind: fc.constant('ServiceAccount'), name: fc.constant('s'), namespace }),
  );
  const subjects = fc.array(subject, { maxLength: 3 });
  const rules = fc.array(rule, { maxLength: 3 });
  const roleName = fc.constantFrom('r1', 'r2');
  const policies = fc.record({
    clusterRoles: fc.uniqueArray(fc.record({ metadata: fc.record({ name: roleName }), rules }), {
      selector: (role) => role.metadata.name,
    }),
    roles: fc.uniqueArray(
      fc.record({ metadata: fc.record({ name: roleName, namespace }), rules }),
      { selector: (role) => `${role.metadata.namespace}/${role.metadata.name}` },
    ),
    clusterRoleBindings: fc
      .array(
        fc.record({
          roleRef: fc.record({ kind: fc.constant('ClusterRole'), name: roleName }),
          subjects,
        }),
        { maxLength: 4 },
      )
      .map((bindings) => bindings.map((body, i) => ({ ...body, metadata: { name: `cb${i}` } }))),
    roleBindings: fc
      .array(
        fc.record({
          namespace,
          roleRef: fc.record({ kind: fc.constantFrom('ClusterRole', 'Role'), name: roleName }),
          subjects,
        }),
        { maxLength: 4 },
      )
      .map((bindings) =>
        bindings.map(({ namespace, ...body }, i) => ({
          ...body,
          metadata: { name: `b${i}`, namespace },
        })),
      ),
  });
  const requests = fc.record({
    user: fc.record({
      username: fc.constantFrom(
        'u1',
        'u2',
        'system:serviceaccount:n1:s',
        'system:serviceaccount:n2:s',
      ),
      groups: fc.subarray(['g1', 'g2']),
    }),
    verb: fc.constantFrom('get', 'list', 'delete'),
    path: fc.constant(''),
    resource: fc.record({
      group: fc.constantFrom('', 'apps'),
      version: fc.constant('v1'),
      resource: fc.constantFrom('pods', 'nodes'),
      subresource: fc.constantFrom('', 'log'),
      namespace: fc.constantFrom('', 'n1', 'n2'),
      name: fc.constantFrom('', 'a', 'c'),
    }),
  });

  test('decides as a search through all rules of all bindings does', () => {
    fc.assert(
      fc.property(policies, requests, (policy, request) => {
        const { allowed } = authorizerOf(policy).authorize(request);
        expect(allowed).toBe(bruteForce(policy, request));
      }),
      { numRuns: 400 },
    );
  });

  /** Written without looking at the implementation: every binding, every subject, every rule. */
  function bruteForce(
    policy: Policy,
    { user: who, verb, resource: asked }: AuthorizationRequest,
  ): boolean {
    const bindings = [...policy.clusterRoleBindings, ...policy.roleBindings];
    return bindings.some((binding) => {
      const { namespace } = binding.metadata;
      if (namespace !== undefined && namespace !== asked!.namespace) return false;
      const applies = binding.subjects!.some((subject) => {
        if (subject.kind === 'User') return subject.name === who.username;
        if (subject.kind === 'Group') return who.groups.includes(subject.name);
        const home = subject.namespace ?? namespace;
        return (
          home !== undefined && who.username === `system:serviceaccount:${home}:${subject.name}`
        );
      });
      if (!applies) return false;
      const role =
        binding.roleRef!.kind === 'ClusterRole'
          ? policy.clusterRoles.find(({ metadata }) => metadata.name === binding.roleRef!.name)
          : policy.roles.find(
              ({ metadata }) =>
                metadata.name === binding.roleRef!.name && metadata.namespace === namespace,
            );
      return (role?.rules ?? []).some((rule) => {
        const full =
          asked!.subresource === '' ? asked!.resource : `${asked!.resource}/${asked!.subresource}`;
        const wild = asked!.subresource === '' ? 'no such resource' : `*/${asked!.subresource}`;
        return (
          rule['verbs']!.some((item) => item === '*' || item === verb) &&
          rule['apiGroups']!.some((item) => item === '*' || item === asked!.group) &&
          rule['resources']!.some((item) => item === '*' || item === full || item === wild) &&
          (rule['resourceNames']!.length === 0 || rule['resourceNames']!.includes(asked!.name))
        );
      });
    });
  }
});

describe('a change', () => {
  const listPods: AuthorizationRequest = {
    user: user('ann'),
    verb: 'list',
    path: '',
    resource: onResource({ resource: 'pods', namespace: 'shop' }),
  };
  const reader = named('ClusterRole', 'reader', {
    rules: [{ verbs: ['list'], apiGroups: [''], resources: ['pods'] }],
  });
  const binding = named('RoleBinding', 'shop/readers', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' },
    subjects: [{ kind: 'User', name: 'ann' }],
  });

  test('to a role or binding counts for the next check', () => {
    const fixture = new Fixture();
    const authorizer = new RbacAuthorizer(fixture.store);
    const decisions = [authorizer.authorize(listPods)];
    fixture.put(tables.roleBindings, binding);
    decisions.push(authorizer.authorize(listPods));
    fixture.put(tables.clusterRoles, reader);
    decisions.push(authorizer.authorize(listPods));
    fixture.put(tables.clusterRoles, named('ClusterRole', 'reader', { rules: [] }));
    decisions.push(authorizer.authorize(listPods));
    fixture.remove(tables.roleBindings, 'readers', 'shop');
    decisions.push(authorizer.authorize(listPods));
    expect(decisions).toEqual([
      { allowed: false, reason: '' },
      {
        allowed: false,
        reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "reader" not found',
      },
      {
        allowed: true,
        reason: 'RBAC: allowed by RoleBinding "readers/shop" of ClusterRole "reader" to User "ann"',
      },
      { allowed: false, reason: '' },
      { allowed: false, reason: '' },
    ]);
  });

  test('after close is no longer seen', () => {
    const fixture = new Fixture();
    fixture.put(tables.clusterRoles, reader);
    const authorizer = new RbacAuthorizer(fixture.store);
    authorizer.authorize(listPods);
    authorizer.close();
    fixture.put(tables.roleBindings, binding);
    expect(authorizer.authorize(listPods).allowed).toBe(false);
  });
});

test('names every role that is missing, once', () => {
  const ref = (kind: string, name: string) => ({
    roleRef: { kind, name },
    subjects: [{ kind: 'Group', name: 'dev' }],
  });
  const authorizer = authorizerOf({
    roles: [],
    clusterRoles: [],
    clusterRoleBindings: [{ metadata: { name: 'a' }, ...ref('ClusterRole', 'gone') }],
    roleBindings: [
      { metadata: { name: 'b', namespace: 'n1' }, ...ref('Role', 'lost') },
      { metadata: { name: 'c', namespace: 'n1' }, ...ref('ClusterRole', 'gone') },
    ],
  });
  const ask = (namespace: string) =>
    authorizer.authorize({
      user: user('bob', 'dev'),
      verb: 'get',
      path: '',
      resource: onResource({ resource: 'pods', namespace }),
    }).reason;
  expect([ask('n1'), ask('n2')]).toEqual([
    'RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "lost" not found]',
    'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found',
  ]);
});

test('lists the rules of a user once per binding, cluster-wide ones first', () => {
  const authorizer = authorizerOf({
    roles: [
      {
        metadata: { name: 'local', namespace: 'n1' },
        rules: [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'] }],
      },
    ],
    clusterRoles: [
      { metadata: { name: 'wide' }, rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }] },
    ],
    roleBindings: [
      {
        metadata: { name: 'b', namespace: 'n1' },
        roleRef: { kind: 'Role', name: 'local' },
        subjects: [{ kind: 'User', name: 'bob' }],
      },
    ],
    clusterRoleBindings: [
      {
        metadata: { name: 'a' },
        roleRef: { kind: 'ClusterRole', name: 'wide' },
        subjects: [
          { kind: 'User', name: 'bob' },
          { kind: 'Group', name: 'dev' },
        ],
      },
    ],
  });
  const none = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
  expect(authorizer.rulesFor(user('bob', 'dev'), 'n1')).toEqual({
    rules: [
      { ...none, verbs: ['get'], nonResourceURLs: ['/healthz'] },
      { ...none, verbs: ['get'], apiGroups: [''], resources: ['secrets'] },
    ],
    missing: [],
  });
});
