import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ApiObject } from '../../object.ts';
import { aggregatedRules } from './aggregation.ts';
import { defaultPolicy, nodeBootstrapPolicy, nodeRules } from './default-policy.ts';
import { parseRule } from './rule-text.ts';

const path = new URL('../../../../../test/vectors/rbac/default-policy.json', import.meta.url);
const real = JSON.parse(readFileSync(path, 'utf8')) as ApiObject[];

function titleOf({ kind, metadata }: ApiObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}

describe('the roles and bindings of a new cluster', () => {
  const ours = new Map(defaultPolicy().map((object) => [titleOf(object), object]));

  test('are those of a real API server, no more and no less', () => {
    expect([...ours.keys()].toSorted()).toEqual(real.map((object) => titleOf(object)).toSorted());
  });

  test.each(real.map((object) => [titleOf(object), object] as const))(
    '%s is the same',
    (title, object) => {
      expect(ours.get(title)).toEqual(object);
    },
  );

  test('let nodes join with a bootstrap token and renew their certificates', () => {
    const rows = nodeBootstrapPolicy().map((binding) => [
      (binding['subjects'] as { name: string }[])[0]?.name,
      (binding['roleRef'] as { name: string }).name,
    ]);
    expect(rows).toEqual([
      ['system:bootstrappers', 'system:node-bootstrapper'],
      ['system:bootstrappers', 'system:certificates.k8s.io:certificatesigningrequests:nodeclient'],
      ['system:nodes', 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient'],
    ]);
  });

  test('give the node authorizer the rules of system:node', () => {
    const node = real.find((object) => titleOf(object) === 'ClusterRole /system:node')!;
    expect(nodeRules()).toHaveLength((node['rules'] as unknown[]).length);
  });
});

describe('a gathered role', () => {
  const source = (name: string, labels: Record<string, string>, resource: string): ApiObject => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name, labels },
    rules: [parseRule(`get core: ${resource}`)],
  });
  const gathered = (rules: string[]): ApiObject => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'all', labels: { team: 'a' } },
    aggregationRule: {
      clusterRoleSelectors: [
        { matchLabels: { team: 'a' } },
        { matchExpressions: [{ key: 'extra', operator: 'Exists' }] },
      ],
    },
    rules: rules.map((rule) => parseRule(rule)),
  });
  const sources = [
    source('z', { team: 'a' }, 'pods'),
    source('b', { team: 'a', extra: '' }, 'nodes'),
    source('c', { extra: '' }, 'pods'),
    source('d', { team: 'b' }, 'secrets'),
  ];

  test.each([
    [
      'takes the rules of all that match, by name, each once',
      [],
      ['get core: nodes', 'get core: pods'],
    ],
    [
      'drops rules that nothing gives any more',
      ['get core: secrets'],
      ['get core: nodes', 'get core: pods'],
    ],
    ['is left alone when it is right', ['get core: nodes', 'get core: pods'], undefined],
  ])('%s', (_, has, wants) => {
    const role = gathered(has);
    expect(aggregatedRules(role, [role, ...sources])).toEqual(
      wants?.map((rule) => parseRule(rule)),
    );
  });

  test('is none without an aggregation rule', () => {
    expect(aggregatedRules(sources[0]!, sources)).toBeUndefined();
  });
});

test.each([
  ['read core: pods', { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] }],
  [
    'create follow core,apps: a b/c [x y]',
    {
      verbs: ['create', 'list', 'watch'],
      apiGroups: ['', 'apps'],
      resources: ['a', 'b/c'],
      resourceNames: ['x', 'y'],
    },
  ],
  ['get /api /api/*', { verbs: ['get'], nonResourceURLs: ['/api', '/api/*'] }],
  ['* *', { verbs: ['*'], nonResourceURLs: ['*'] }],
  ['* *: *', { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
])('reads the rule %j', (text, rule) => {
  expect(parseRule(text)).toEqual(rule);
});
