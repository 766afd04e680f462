import { describe, expect, test } from 'vitest';
import { CertificateAuthority } from '../../certificates.ts';
import { Fixture, kubelet, named, user } from './fixture.ts';
import { defaultPolicy } from './policy/default-policy.ts';
import { Security } from './security.ts';
import { tables } from './stored-objects.ts';

async function world() {
  const fixture = new Fixture();
  const { clock, random, newUid, store: objects } = fixture;
  fixture.putPolicy(defaultPolicy());
  const authority = await CertificateAuthority.create({ commonName: 'kubernetes', clock, random });
  const security = new Security({ objects, clock, newUid, authority, issuer: 'https://issuer' });
  return { fixture, security };
}

const pods = {
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: '',
  name: '',
};

describe('authorizers in a row', () => {
  test.each([
    ['masters pass', user('root', 'system:masters'), { allowed: true, reason: '' }],
    [
      'a kubelet is refused by all with their reasons',
      kubelet('n1'),
      { allowed: false, reason: 'can only list/watch pods with spec.nodeName field selector' },
    ],
    ['others are refused without', user('ann'), { allowed: false, reason: '' }],
    [
      'a role is enough',
      user('system:kube-scheduler'),
      {
        allowed: true,
        reason:
          'RBAC: allowed by ClusterRoleBinding "system:kube-scheduler" of ClusterRole "system:kube-scheduler" to User "system:kube-scheduler"',
      },
    ],
  ])('%s', async (_, who, decision) => {
    const { security } = await world();
    expect(
      security.authorizer.authorize({ user: who, verb: 'list', path: '', resource: pods }),
    ).toEqual(decision);
  });

  test('join the reasons of the node authorizer and of roles that are missing', async () => {
    const { fixture, security } = await world();
    fixture.put(
      tables.clusterRoleBindings,
      named('ClusterRoleBinding', 'x', {
        roleRef: { kind: 'ClusterRole', name: 'gone' },
        subjects: [{ kind: 'Group', name: 'system:nodes' }],
      }),
    );
    const request = { user: kubelet('n1'), verb: 'list', path: '', resource: pods };
    expect(security.authorizer.authorize(request).reason).toBe(
      'can only list/watch pods with spec.nodeName field selector\nRBAC: clusterrole.rbac.authorization.k8s.io "gone" not found',
    );
  });
});

test('anonymous requests may read health and version, and nothing else, by the default roles', async () => {
  const { security } = await world();
  const anonymous = user('system:anonymous', 'system:unauthenticated');
  const paths = ['/healthz', '/livez', '/readyz', '/version', '/api', '/metrics', '/'];
  const open = paths.filter(
    (path) => security.authorizer.authorize({ user: anonymous, verb: 'get', path }).allowed,
  );
  expect(open).toEqual(['/healthz', '/livez', '/readyz', '/version']);
});

test('nothing watches the store after close', async () => {
  const { fixture, security } = await world();
  security.close();
  fixture.put(
    tables.clusterRoleBindings,
    named('ClusterRoleBinding', 'x', {
      roleRef: { kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'User', name: 'ann' }],
    }),
  );
  const request = {
    user: kubelet('n1'),
    verb: 'get',
    path: '',
    resource: { ...pods, namespace: 'shop', name: 'p' },
  };
  fixture.put(tables.pods, named('Pod', 'shop/p', { spec: { nodeName: 'n1' } }));
  expect(security.authorizer.authorize(request).allowed).toBe(false);
});
