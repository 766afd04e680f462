import { describe, expect, test } from 'vitest';
import { Fixture, kubelet, named, user } from '../fixture.ts';
import { nodeRules } from '../policy/default-policy.ts';
import { keyOf, tables } from '../stored-objects.ts';
import type { AuthorizationRequest } from '../../ports.ts';
import { NodeAuthorizer } from './node-authorizer.ts';
import { NodeReferences } from './node-references.ts';

function world(): { fixture: Fixture; authorizer: NodeAuthorizer } {
  const fixture = new Fixture();
  const references = new NodeReferences(fixture.store);
  const authorizer = new NodeAuthorizer({ objects: fixture.store, references, rules: nodeRules() });
  return { fixture, authorizer };
}

/** `list /pods shop?spec.nodeName=n1`: verb, group/resource/subresource, namespace/name, field selector. */
function ask(authorizer: NodeAuthorizer, text: string, who = kubelet('n1')): string {
  const { allowed, reason } = authorizer.authorize({ user: who, ...parse(text) });
  const refusal = reason === '' ? 'no' : reason;
  return allowed ? 'allowed' : refusal;
}

function parse(text: string): Omit<AuthorizationRequest, 'user'> {
  const shape = /^(\w+) ([^/]*)\/([^/ ]*)\/?(\S*) ?([^/?]*)\/?([^?]*)\??(.*)$/;
  const [verb, group, resource, subresource, namespace, name, fieldSelector] = shape
    .exec(text)!
    .slice(1) as [string, string, string, string, string, string, string];
  if (resource === '') return { verb, path: `/${subresource}` };
  const place = { group, version: 'v1', resource, subresource, namespace, name };
  return { verb, path: '', resource: { ...place, fieldSelector } };
}

const unrelated = "no relationship found between node 'n1' and this object";

describe('a kubelet', () => {
  const { fixture, authorizer } = world();
  fixture.put(
    tables.pods,
    named('Pod', 'shop/mine', {
      spec: {
        nodeName: 'n1',
        serviceAccountName: 'web',
        imagePullSecrets: [{ name: 'pull' }],
        containers: [
          {
            env: [{ valueFrom: { secretKeyRef: { name: 'env-secret' } } }],
            envFrom: [{ configMapRef: { name: 'settings' } }],
          },
        ],
        volumes: [
          { name: 'a', secret: { secretName: 'mounted' } },
          { name: 'b', projected: { sources: [{ configMap: { name: 'kube-root-ca.crt' } }] } },
          { name: 'c', persistentVolumeClaim: { claimName: 'disk' } },
          { name: 'scratch', ephemeral: {} },
        ],
      },
    }),
  );
  fixture.put(
    tables.pods,
    named('Pod', 'shop/other', {
      spec: {
        nodeName: 'n2',
        serviceAccountName: 'db',
        volumes: [{ name: 'a', secret: { secretName: 'theirs' } }],
      },
    }),
  );
  fixture.put(tables.pods, named('Pod', 'shop/pending', { spec: { serviceAccountName: 'db' } }));
  fixture.put(
    tables.pods,
    named('Pod', 'shop/mirror', {
      metadata: {
        name: 'mirror',
        namespace: 'shop',
        annotations: { 'kubernetes.io/config.mirror': 'x' },
      },
      spec: { nodeName: 'n1', volumes: [{ name: 'a', secret: { secretName: 'stolen' } }] },
    }),
  );
  const claimRef = { name: 'disk', namespace: 'shop' };
  fixture.put(
    tables.persistentVolumes,
    named('PersistentVolume', 'pv1', {
      spec: { claimRef, csi: { nodePublishSecretRef: { name: 'volume-key', namespace: 'vault' } } },
    }),
  );
  fixture.put(
    tables.persistentVolumes,
    named('PersistentVolume', 'pv2', {
      spec: { claimRef, azureFile: { secretName: 'share-key' } },
    }),
  );
  fixture.put(tables.persistentVolumes, named('PersistentVolume', 'pv3', { spec: {} }));
  fixture.put(
    tables.volumeAttachments,
    named('VolumeAttachment', 'va1', { spec: { nodeName: 'n1' } }),
  );
  fixture.put(
    tables.volumeAttachments,
    named('VolumeAttachment', 'va2', { spec: { nodeName: 'n2' } }),
  );
  fixture.put(
    tables.resourceSlices,
    named('ResourceSlice', 'slice1', { spec: { nodeName: 'n1' } }),
  );

  test.each([
    ['get /secrets shop/mounted', 'allowed'],
    ['list /secrets shop/env-secret', 'allowed'],
    ['watch /secrets shop/pull', 'allowed'],
    ['get /secrets vault/volume-key', 'allowed'],
    ['get /secrets shop/share-key', 'allowed'],
    ['get /secrets shop/theirs', unrelated],
    ['get /secrets shop/stolen', unrelated],
    ['get /secrets other/mounted', unrelated],
    ['list /secrets shop', 'No Object name found'],
    ['list /secrets', 'can only read namespaced object of this type'],
    ['create /secrets shop', 'can only read resources of this type'],
    ['get /secrets/status shop/mounted', 'cannot read subresource'],
    ['get /configmaps shop/settings', 'allowed'],
    ['get /configmaps shop/kube-root-ca.crt', 'allowed'],
    ['get /configmaps shop/x', unrelated],
    ['get /persistentvolumeclaims shop/disk', 'allowed'],
    ['get /persistentvolumeclaims shop/mine-scratch', 'allowed'],
    ['list /persistentvolumeclaims shop', 'can only get individual resources of this type'],
    ['patch /persistentvolumeclaims/status shop/disk', 'allowed'],
    ['get /persistentvolumeclaims/status shop/disk', 'can only get/update/patch this type'],
    ['get /persistentvolumes /pv1', 'allowed'],
    ['get /persistentvolumes /pv3', unrelated],
    ['get /serviceaccounts shop/web', 'allowed'],
    ['get /serviceaccounts shop/db', unrelated],
    ['list /serviceaccounts shop', 'can only create tokens for individual service accounts'],
    ['create /serviceaccounts/token shop/web', 'allowed'],
    ['create /serviceaccounts/token shop/db', unrelated],
    ['create /serviceaccounts shop/web', 'can only create token subresource of serviceaccount'],
    ['get /nodes /n1', 'allowed'],
    ['watch /nodes /n1', 'allowed'],
    ['get /nodes /n2', "node 'n1' cannot read 'n2', only its own Node object"],
    ['list /nodes', "node 'n1' cannot read all nodes, only its own Node object"],
    ['create /nodes', 'allowed'],
    ['patch /nodes/status /n1', 'allowed'],
    ['get /nodes/status /n1', 'no'],
    ['delete /nodes /n1', 'no'],
    ['get /nodes/proxy /n1', 'no'],
    ['list /pods ?spec.nodeName=n1', 'allowed'],
    ['watch /pods ?status.phase!=Failed,spec.nodeName==n1', 'allowed'],
    ['list /pods ?spec.nodeName=n2', 'can only list/watch pods with spec.nodeName field selector'],
    ['list /pods ?spec.nodeName!=n1', 'can only list/watch pods with spec.nodeName field selector'],
    ['list /pods', 'can only list/watch pods with spec.nodeName field selector'],
    ['get /pods shop/mine', 'allowed'],
    ['watch /pods shop/mine', 'allowed'],
    ['get /pods shop/other', unrelated],
    ['get /pods shop/pending', unrelated],
    ['create /pods shop', 'allowed'],
    ['update /pods/status shop/mine', 'allowed'],
    ['create /pods/eviction shop/mine', 'allowed'],
    ['patch /pods shop/mine', 'no'],
    ['get /pods/log shop/mine', 'no'],
    ['create coordination.k8s.io/leases kube-node-lease', 'allowed'],
    ['update coordination.k8s.io/leases kube-node-lease/n1', 'allowed'],
    [
      'get coordination.k8s.io/leases kube-node-lease/n2',
      'can only access node lease with the same name as the requesting node',
    ],
    [
      'create coordination.k8s.io/leases default',
      'can only access leases in the "kube-node-lease" system namespace',
    ],
    [
      'list coordination.k8s.io/leases kube-node-lease',
      'can only get, create, update, patch, or delete a node lease',
    ],
    ['create storage.k8s.io/csinodes', 'allowed'],
    [
      'get storage.k8s.io/csinodes /n2',
      'can only access CSINode with the same name as the requesting node',
    ],
    ['list storage.k8s.io/csinodes', 'can only get, create, update, patch, or delete a CSINode'],
    ['get storage.k8s.io/volumeattachments /va1', 'allowed'],
    ['get storage.k8s.io/volumeattachments /va2', unrelated],
    ['delete resource.k8s.io/resourceslices /slice1', 'allowed'],
    ['list resource.k8s.io/resourceslices ?spec.nodeName=n1', 'allowed'],
    [
      'list resource.k8s.io/resourceslices',
      'can only list/watch/deletecollection resourceslices with nodeName field selector',
    ],
    ['create /events shop', 'allowed'],
    ['list /services', 'allowed'],
    ['create certificates.k8s.io/certificatesigningrequests', 'allowed'],
    ['list apps/deployments', 'no'],
    ['get //healthz', 'no'],
  ])('%s: %s', (request, answer) => {
    expect(ask(authorizer, request)).toBe(answer);
  });
});

describe('who is a kubelet', () => {
  const { authorizer } = world();
  test.each([
    [user('system:node:n1', 'system:nodes'), 'allowed'],
    [user('system:node:n1'), 'no'],
    [user('ann', 'system:nodes'), 'no'],
    [user('system:node:', 'system:nodes'), 'unknown node for user "system:node:"'],
  ])('%j', (who, answer) => {
    expect(ask(authorizer, 'get /nodes /n1', who)).toBe(answer);
  });
});

describe('what a node may read', () => {
  test('begins when a pod is bound to it and ends when the last such pod is gone', () => {
    const { fixture, authorizer } = world();
    const pod = (name: string, nodeName?: string) =>
      named('Pod', `shop/${name}`, {
        spec: {
          volumes: [{ name: 'v', secret: { secretName: 'key' } }],
          ...(nodeName === undefined ? {} : { nodeName }),
        },
      });
    const seen: string[] = [];
    const look = () => seen.push(ask(authorizer, 'get /secrets shop/key'));
    fixture.put(tables.pods, pod('a'));
    look();
    fixture.put(tables.pods, pod('a', 'n1'));
    fixture.put(tables.pods, pod('b', 'n1'));
    look();
    fixture.remove(tables.pods, 'a', 'shop');
    look();
    fixture.remove(tables.pods, 'b', 'shop');
    look();
    expect(seen).toEqual([unrelated, 'allowed', 'allowed', unrelated]);
  });

  test('survives changes to the pod that do not concern it', () => {
    const { fixture, authorizer } = world();
    const first = fixture.put(
      tables.pods,
      named('Pod', 'shop/a', {
        spec: { nodeName: 'n1', volumes: [{ name: 'v', secret: { secretName: 'key' } }] },
      }),
    );
    fixture.store.put(tables.pods, keyOf('shop', 'a'), {
      ...first,
      metadata: { ...first.metadata, labels: { a: 'b' } },
    });
    fixture.store.put(tables.pods, keyOf('shop', 'a'), { ...first, status: { phase: 'Running' } });
    expect(ask(authorizer, 'get /secrets shop/key')).toBe('allowed');
    fixture.remove(tables.pods, 'a', 'shop');
    expect(ask(authorizer, 'get /secrets shop/key')).toBe(unrelated);
  });
});
