import { describe, expect, test } from 'vitest';
import type { ApiObject } from '../../object.ts';
import type { AdmissionRequest } from '../../ports.ts';
import { StatusError } from '../../status-error.ts';
import { RbacAuthorizer } from '../authorization/rbac-authorizer.ts';
import { Fixture, named, user } from '../fixture.ts';
import { tables } from '../stored-objects.ts';
import { EscalationGuard } from './escalation-guard.ts';

const group = 'rbac.authorization.k8s.io';
const alice = user('alice', 'dev', 'system:authenticated');

interface Rule {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

const held: Rule[] = [
  { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
  { apiGroups: ['apps'], resources: ['*/scale'], verbs: ['get'] },
  { nonResourceURLs: ['/logs/*'], verbs: ['get'] },
  { apiGroups: [group], resources: ['clusterroles'], verbs: ['bind'], resourceNames: ['gift'] },
  { apiGroups: [group], resources: ['clusterroles'], verbs: ['escalate'], resourceNames: ['free'] },
];

function world(): { fixture: Fixture; guard: EscalationGuard } {
  const fixture = new Fixture();
  const bind = (name: string, role: string) =>
    fixture.put(
      tables.clusterRoleBindings,
      named('ClusterRoleBinding', name, {
        roleRef: { apiGroup: group, kind: 'ClusterRole', name: role },
        subjects: [{ kind: 'User', name: 'alice' }],
      }),
    );
  fixture.put(tables.clusterRoles, named('ClusterRole', 'own', { rules: held as never }));
  bind('own', 'own');
  const big = [
    { apiGroups: ['certificates.k8s.io'], resources: ['signers'], verbs: ['sign', 'approve'] },
  ];
  for (const name of ['gift', 'big'])
    fixture.put(tables.clusterRoles, named('ClusterRole', name, { rules: big }));
  const rbac = new RbacAuthorizer(fixture.store);
  return { fixture, guard: new EscalationGuard({ rbac, authorizer: rbac }) };
}

function writing(resource: string, options: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return {
    context: { user: alice },
    operation: 'CREATE',
    group,
    resource,
    kind: '',
    subresource: '',
    namespace: resource.startsWith('cluster') ? '' : 'default',
    name: 'x',
    before: undefined,
    ...options,
  };
}

function refusalOf(act: () => unknown): [code: number, message: string] | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return [error.code, error.message];
  }
}

function grants(message: string, resource = 'clusterroles'): string {
  return `${resource}.${group} "x" is forbidden: user "alice" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n${message}`;
}

describe('writing a role', () => {
  const role = (rules: readonly Rule[], body = {}): ApiObject =>
    named('ClusterRole', 'x', { rules: rules as never, ...body });

  test.each<[string, Rule[], string | undefined]>([
    [
      'may repeat what the writer holds',
      [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      undefined,
    ],
    [
      'may narrow it to names',
      [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: ['a'] }],
      undefined,
    ],
    [
      'may use a subresource of all kinds',
      [{ apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['get'] }],
      undefined,
    ],
    [
      'may use a path below one that is held',
      [{ nonResourceURLs: ['/logs/a'], verbs: ['get'] }],
      undefined,
    ],
    ['may be empty', [], undefined],
    [
      'may not add a verb, a resource, a group or a path',
      [
        {
          apiGroups: ['', 'apps'],
          resources: ['pods', 'secrets'],
          verbs: ['get', 'list', 'delete'],
          resourceNames: ['x', 'y'],
        },
        { nonResourceURLs: ['/logs/a', '/m*'], verbs: ['get', 'post'] },
      ],
      [
        '{APIGroups:[""], Resources:["pods"], ResourceNames:["x"], Verbs:["delete"]}',
        '{APIGroups:[""], Resources:["pods"], ResourceNames:["y"], Verbs:["delete"]}',
        '{APIGroups:[""], Resources:["secrets"], ResourceNames:["x"], Verbs:["get" "list" "delete"]}',
        '{APIGroups:[""], Resources:["secrets"], ResourceNames:["y"], Verbs:["get" "list" "delete"]}',
        '{APIGroups:["apps"], Resources:["pods"], ResourceNames:["x"], Verbs:["get" "list" "delete"]}',
        '{APIGroups:["apps"], Resources:["pods"], ResourceNames:["y"], Verbs:["get" "list" "delete"]}',
        '{APIGroups:["apps"], Resources:["secrets"], ResourceNames:["x"], Verbs:["get" "list" "delete"]}',
        '{APIGroups:["apps"], Resources:["secrets"], ResourceNames:["y"], Verbs:["get" "list" "delete"]}',
        '{NonResourceURLs:["/logs/a"], Verbs:["post"]}',
        '{NonResourceURLs:["/m*"], Verbs:["get"]}',
        '{NonResourceURLs:["/m*"], Verbs:["post"]}',
      ].join('\n'),
    ],
    [
      'may not grant everything',
      [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
      '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}',
    ],
  ])('%s', (_, rules, missing) => {
    const { guard } = world();
    const refusal = refusalOf(() => guard.mutate(role(rules), writing('clusterroles')));
    expect(refusal).toEqual(missing === undefined ? undefined : [403, grants(missing)]);
  });

  const more: Rule[] = [{ apiGroups: [''], resources: ['pods'], verbs: ['delete'] }];

  test('is free for masters', () => {
    const { guard } = world();
    const request = writing('clusterroles', { context: { user: user('root', 'system:masters') } });
    expect(refusalOf(() => guard.mutate(role(more), request))).toBeUndefined();
  });

  test('with the verb escalate is free for the role of that name, but not to create it', () => {
    const { guard } = world();
    const before = named('ClusterRole', 'free', { rules: [] });
    const free = named('ClusterRole', 'free', { rules: more as never });
    const update = writing('clusterroles', { operation: 'UPDATE', name: 'free', before });
    expect(refusalOf(() => guard.mutate(free, update))).toBeUndefined();
    expect(
      refusalOf(() => guard.mutate(free, writing('clusterroles', { name: 'free' })))?.[0],
    ).toBe(403);
  });

  test('with an aggregation rule needs all rights', () => {
    const { guard } = world();
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
    expect(
      refusalOf(() => guard.mutate(role([], { aggregationRule }), writing('clusterroles'))),
    ).toEqual([
      403,
      `clusterroles.${group} "x" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
    ]);
  });

  test('lets finalizers and owners go without looking at the rules', () => {
    const { guard } = world();
    const before = role(more);
    const kept = { ...before, metadata: { ...before.metadata, finalizers: ['a.b/c'] } };
    const update = writing('clusterroles', { operation: 'UPDATE', before: kept });
    expect(refusalOf(() => guard.mutate(before, update))).toBeUndefined();
    const relabelled = { ...before, metadata: { ...before.metadata, labels: { a: 'b' } } };
    expect(refusalOf(() => guard.mutate(relabelled, update))?.[0]).toBe(403);
  });

  test('says which roles of the writer could not be looked up', () => {
    const { fixture, guard } = world();
    fixture.put(
      tables.clusterRoleBindings,
      named('ClusterRoleBinding', 'lost', {
        roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'nope' },
        subjects: [{ kind: 'User', name: 'alice' }],
      }),
    );
    const refusal = refusalOf(() =>
      guard.mutate(named('Role', 'default/x', { rules: more as never }), writing('roles')),
    );
    expect(refusal?.[1]).toBe(
      grants(
        `{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}; resolution errors: [roles.${group} "nope" not found]`,
        'roles',
      ),
    );
  });

  test('passes over other groups, subresources and deletes', () => {
    const { guard } = world();
    for (const other of [
      writing('clusterroles', { group: 'apps' }),
      writing('clusterroles', { subresource: 'status' }),
      writing('clusterroles', { operation: 'DELETE' }),
    ]) {
      expect(refusalOf(() => guard.mutate(role(more), other))).toBeUndefined();
    }
  });
});

describe('writing a binding', () => {
  const binding = (kind: string, name: string): ApiObject =>
    named('ClusterRoleBinding', 'x', { roleRef: { apiGroup: group, kind, name }, subjects: [] });

  test.each<[string, ApiObject, string, [number, string] | undefined]>([
    [
      'may hand on what the writer holds',
      binding('ClusterRole', 'own'),
      'clusterrolebindings',
      undefined,
    ],
    [
      'may use a role that the writer may bind',
      binding('ClusterRole', 'gift'),
      'clusterrolebindings',
      undefined,
    ],
    [
      'may not use any other',
      binding('ClusterRole', 'big'),
      'rolebindings',
      [
        403,
        grants(
          '{APIGroups:["certificates.k8s.io"], Resources:["signers"], Verbs:["sign" "approve"]}',
          'rolebindings',
        ),
      ],
    ],
    [
      'may not use a role that does not exist',
      binding('ClusterRole', 'nope'),
      'clusterrolebindings',
      [404, `clusterrolebindings.${group} "nope" not found`],
    ],
    [
      'may not use a role without its namespace',
      binding('Role', 'nope'),
      'clusterrolebindings',
      [400, 'Namespace parameter required.'],
    ],
    [
      'may not use anything but roles',
      binding('Foo', 'nope'),
      'clusterrolebindings',
      [500, 'unsupported role reference kind: "Foo"'],
    ],
  ])('%s', (_, object, resource, refusal) => {
    const { guard } = world();
    expect(refusalOf(() => guard.mutate(object, writing(resource)))).toEqual(refusal);
  });
});
