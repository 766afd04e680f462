import { describe, expect, test } from 'vitest';
import { createCertificateRequest } from '../../../certificates.ts';
import type { ApiObject } from '../../object.ts';
import type { AdmissionRequest } from '../../ports.ts';
import { StatusError } from '../../status-error.ts';
import { RbacAuthorizer } from '../authorization/rbac-authorizer.ts';
import { Fixture, kubelet, named, user } from '../fixture.ts';
import { tables } from '../stored-objects.ts';
import { NodeRestriction } from './node-restriction.ts';
import { checkNodeTokenRequest } from './node-token-request.ts';

function refusalOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

/** A write by the kubelet of n1. */
function write(
  object: ApiObject,
  what: string,
  options: Partial<AdmissionRequest> = {},
  fixture = new Fixture(),
): string | undefined {
  const [group = '', resource = '', subresource = ''] = what.split('/');
  const { name, namespace = '' } = object.metadata;
  const request: AdmissionRequest = {
    context: { user: kubelet('n1') },
    operation: options.before === undefined ? 'CREATE' : 'UPDATE',
    group,
    resource,
    kind: object.kind,
    subresource,
    namespace,
    name,
    before: undefined,
    ...options,
  };
  return refusalOf(() => new NodeRestriction(fixture.store).mutate(object, request));
}

const node = (name: string, meta = {}, body = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, ...meta },
  ...body,
});

describe('a kubelet and its Node', () => {
  test.each([
    [
      'registers itself',
      node('n1', { labels: { 'kubernetes.io/hostname': 'n1', tier: 'a' } }),
      undefined,
    ],
    [
      'does not register others',
      node('n2'),
      '403 nodes "n2" is forbidden: node "n1" is not allowed to modify node "n2"',
    ],
    [
      'needs a name',
      node(''),
      '403 nodes "Unknown" is forbidden: node "n1" is not allowed to modify node ""',
    ],
    [
      'does not give itself labels that draw workloads',
      node('n1', {
        labels: {
          'node-restriction.kubernetes.io/x': 'y',
          'foo.node-restriction.kubernetes.io/x': 'y',
          'kubernetes.io/foo': 'b',
          'kubernetes.azure.com/x': '1',
          'topology.kubernetes.io/zone': 'a',
          'node.kubernetes.io/z': '1',
          'k8s.io/q': '1',
          'x.k8s.io/y': '1',
          'kubernetes.io/hostname': 'n1',
          'karpenter.sh/nodepool': 'p',
        },
      }),
      '403 nodes "n1" is forbidden: node "n1" is not allowed to set the following labels: foo.node-restriction.kubernetes.io/x, k8s.io/q, kubernetes.io/foo, node-restriction.kubernetes.io/x, x.k8s.io/y',
    ],
    [
      'does not bring a config source',
      node('n1', {}, { spec: { configSource: {} } }),
      '403 nodes "n1" is forbidden: node "n1" is not allowed to create pods with a non-nil configSource',
    ],
  ])('%s', (_, object, refusal) => {
    expect(write(object, '/nodes')).toBe(refusal);
  });

  const before = node(
    'n1',
    { labels: { a: 'b' } },
    { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } },
  );
  test.each<[string, ApiObject, string | undefined]>([
    ['reports its status', { ...before, status: { phase: 'Running' } }, undefined],
    ['changes labels of its own', { ...before, metadata: { name: 'n1' } }, undefined],
    [
      'does not change its taints',
      { ...before, spec: {} },
      '403 nodes "n1" is forbidden: node "n1" is not allowed to modify taints',
    ],
    [
      'does not change labels that draw workloads',
      { ...before, metadata: { name: 'n1', labels: { 'kubernetes.io/foo': '1' } } },
      '403 nodes "n1" is forbidden: is not allowed to modify labels: kubernetes.io/foo',
    ],
    [
      'does not change its owners',
      {
        ...before,
        metadata: {
          name: 'n1',
          ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: '1' }],
        },
      },
      '403 nodes "n1" is forbidden: node "n1" is not allowed to modify ownerReferences',
    ],
    [
      'does not bring a config source later',
      { ...before, spec: { ...(before['spec'] as object), configSource: {} } },
      '403 nodes "n1" is forbidden: node "n1" is not allowed to update configSource to a new non-nil configSource',
    ],
  ])('%s', (_, object, refusal) => {
    expect(write(object, '/nodes', { before })).toBe(refusal);
  });
});

describe('a kubelet and pods', () => {
  const fixture = new Fixture();
  const own = fixture.put(tables.nodes, node('n1'));
  const mine = fixture.put(tables.pods, named('Pod', 'shop/mine', { spec: { nodeName: 'n1' } }));
  const other = fixture.put(tables.pods, named('Pod', 'shop/other', { spec: { nodeName: 'n2' } }));
  const owner = {
    apiVersion: 'v1',
    kind: 'Node',
    name: 'n1',
    uid: own.metadata.uid!,
    controller: true,
  };
  const mirror = (owners: object[], spec = {}): ApiObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'm',
      namespace: 'shop',
      annotations: { 'kubernetes.io/config.mirror': 'x' },
      ownerReferences: owners as never,
    },
    spec: { nodeName: 'n1', ...spec },
  });
  const no = '403 pods "m" is forbidden:';

  test.each<[string, ApiObject, string | undefined]>([
    ['mirrors its own', mirror([owner]), undefined],
    [
      'makes no others',
      named('Pod', 'shop/m', { spec: { nodeName: 'n1' } }),
      `${no} pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods`,
    ],
    [
      'makes none for other nodes',
      mirror([owner], { nodeName: 'n2' }),
      `${no} node "n1" can only create pods with spec.nodeName set to itself`,
    ],
    [
      'owns what it mirrors',
      mirror([]),
      `${no} node "n1" can only create pods with an owner reference set to itself`,
    ],
    [
      'owns it alone',
      mirror([owner, owner]),
      `${no} node "n1" can only create pods with a single owner reference set to itself`,
    ],
    [
      'owns it as a controller',
      mirror([{ ...owner, controller: false }]),
      `${no} node "n1" can only create pods with a controller owner reference set to itself`,
    ],
    [
      'does not block its deletion',
      mirror([{ ...owner, blockOwnerDeletion: true }]),
      `${no} node "n1" must not set blockOwnerDeletion on an owner reference`,
    ],
    [
      'is the node that it says',
      mirror([{ ...owner, uid: 'x' }]),
      `${no} node n1 UID mismatch: expected x got ${own.metadata.uid}`,
    ],
    [
      'mirrors nothing that needs a secret',
      mirror([owner], { volumes: [{ name: 'v', secret: { secretName: 's' } }] }),
      `${no} node "n1" can not create pods that reference secrets`,
    ],
    [
      'mirrors nothing that needs a token',
      mirror([owner], {
        volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: {} }] } }],
      }),
      `${no} node "n1" can not create pods that reference serviceaccounts (via projected volumes)`,
    ],
    [
      'mirrors nothing that needs a claim',
      mirror([owner], { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }),
      `${no} node "n1" can not create pods that reference persistentvolumeclaims`,
    ],
  ])('%s', (_, object, refusal) => {
    expect(write(object, '/pods', {}, fixture)).toBe(refusal);
  });

  test('reports the status of those that run on it, and nothing else of them', () => {
    const labelled = { ...mine, metadata: { ...mine.metadata, labels: { a: 'b' } } };
    const claimed = { ...mine, status: { resourceClaimStatuses: [{ name: 'a' }] } };
    expect([
      write({ ...mine, status: { phase: 'Running' } }, '/pods/status', { before: mine }),
      write(labelled, '/pods/status', { before: mine }),
      write(claimed, '/pods/status', { before: mine }),
      write(other, '/pods/status', { before: other }),
      write(mine, '/pods', { before: mine }),
      write(mine, '/pods/binding'),
    ]).toEqual([
      undefined,
      '403 pods "mine" is forbidden: node "n1" cannot update labels through pod status',
      '403 pods "mine" is forbidden: node "n1" cannot update resource claim statues',
      '403 pods "other" is forbidden: node "n1" can only update pod status for pods with spec.nodeName set to itself',
      '403 pods "mine" is forbidden: unexpected operation "UPDATE", node "n1" can only create and delete mirror pods',
      `403 pods "mine" is forbidden: unexpected pod subresource "binding", only 'status' and 'eviction' are allowed`,
    ]);
  });

  test('removes and evicts those that run on it', () => {
    const evict = (pod: ApiObject) => write(pod, '/pods/eviction', {}, fixture);
    expect([
      write(mine, '/pods', { operation: 'DELETE', before: mine }),
      write(other, '/pods', { operation: 'DELETE', before: other }),
      evict(mine),
      evict(other),
    ]).toEqual([
      undefined,
      '403 pods "other" is forbidden: node "n1" can only delete pods with spec.nodeName set to itself',
      undefined,
      '403 pods "other" is forbidden: node n1 can only evict pods with spec.nodeName set to itself',
    ]);
  });
});

describe('a kubelet and the rest', () => {
  const claim = named('PersistentVolumeClaim', 'shop/c', { spec: { volumeName: 'a' } });
  const slice = (nodeName: string) => named('ResourceSlice', 's', { spec: { nodeName } });

  test.each<[string, ApiObject, readonly [string, Partial<AdmissionRequest>?], string | undefined]>(
    [
      [
        'renews its lease',
        named('Lease', 'kube-node-lease/n1'),
        ['coordination.k8s.io/leases'],
        undefined,
      ],
      [
        'renews no other',
        named('Lease', 'kube-node-lease/n2'),
        ['coordination.k8s.io/leases'],
        '403 leases.coordination.k8s.io "n2" is forbidden: can only access node lease with the same name as the requesting node',
      ],
      [
        'has no lease elsewhere',
        named('Lease', 'default/n1'),
        ['coordination.k8s.io/leases'],
        '403 leases.coordination.k8s.io "n1" is forbidden: can only access leases in the "kube-node-lease" system namespace',
      ],
      [
        'has one CSINode',
        named('CSINode', 'n2'),
        ['storage.k8s.io/csinodes'],
        '403 csinodes.storage.k8s.io "n2" is forbidden: can only access CSINode with the same name as the requesting node',
      ],
      [
        'reports the size of a claim',
        { ...claim, status: { capacity: { storage: '1Gi' }, conditions: [] } },
        ['/persistentvolumeclaims/status', { before: claim }],
        undefined,
      ],
      [
        'reports nothing else of it',
        { ...claim, status: { phase: 'Lost' } },
        ['/persistentvolumeclaims/status', { before: claim }],
        '403 persistentvolumeclaims "c" is forbidden: node "n1" is not allowed to update fields other than status.quantity and status.conditions',
      ],
      [
        'writes no claims',
        claim,
        ['/persistentvolumeclaims'],
        '403 persistentvolumeclaims "c" is forbidden: may only update PVC status',
      ],
      ['publishes its devices', slice('n1'), ['resource.k8s.io/resourceslices'], undefined],
      [
        'publishes no others',
        slice('n2'),
        ['resource.k8s.io/resourceslices'],
        '403 resourceslices.resource.k8s.io "s" is forbidden: can only create ResourceSlice with the same NodeName as the requesting node',
      ],
      [
        'removes no others',
        slice('n2'),
        ['resource.k8s.io/resourceslices', { operation: 'DELETE', before: slice('n2') }],
        '403 resourceslices.resource.k8s.io "s" is forbidden: can only delete ResourceSlice with the same NodeName as the requesting node',
      ],
      ['writes events as it likes', named('Event', 'shop/e'), ['/events'], undefined],
    ],
  )('%s', (_, object, how, refusal) => {
    expect(write(object, ...how)).toBe(refusal);
  });

  test('asks for certificates in its own name only', async () => {
    const asking = async (commonName: string, signerName: string) => {
      const { requestPem } = await createCertificateRequest({
        subject: { commonName, organizations: ['system:nodes'] },
      });
      const spec = { signerName, request: Buffer.from(requestPem).toString('base64') };
      const object = named('CertificateSigningRequest', 'c', { spec });
      return write(object, 'certificates.k8s.io/certificatesigningrequests');
    };
    expect([
      await asking('system:node:n1', 'kubernetes.io/kubelet-serving'),
      await asking('system:node:n2', 'kubernetes.io/kubelet-serving'),
      await asking('system:node:n2', 'kubernetes.io/kube-apiserver-client-kubelet'),
      await asking('anybody', 'example.com/other'),
    ]).toEqual([
      undefined,
      '403 certificatesigningrequests.certificates.k8s.io "c" is forbidden: can only create a node CSR with CN=system:node:n1',
      '403 certificatesigningrequests.certificates.k8s.io "c" is forbidden: can only create a node CSR with CN=system:node:n1',
      undefined,
    ]);
  });

  test('is nobody without a name', () => {
    const who = user('system:node:', 'system:nodes');
    expect(write(node('n1'), '/nodes', { context: { user: who } })).toBe(
      '403 nodes "n1" is forbidden: could not determine node from user "system:node:"',
    );
  });

  test('is not what others are held to', () => {
    expect(write(node('n2'), '/nodes', { context: { user: user('ann', 'dev') } })).toBeUndefined();
  });
});

describe('a kubelet and tokens', () => {
  const fixture = new Fixture();
  const volumes = [
    { name: 'a', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
    { name: 'b', projected: { sources: [{ serviceAccountToken: { audience: 'vault' } }] } },
    { name: 'c', csi: { driver: 'inline' } },
    { name: 'd', persistentVolumeClaim: { claimName: 'disk' } },
  ];
  const pod = (place: string, nodeName: string, body = {}) =>
    fixture.put(tables.pods, named('Pod', place, { spec: { nodeName, ...body } }));
  const mine = pod('shop/mine', 'n1', { volumes });
  const bare = pod('shop/bare', 'n1');
  const lost = pod('shop/lost', 'n1', {
    volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'gone' } }],
  });
  const other = pod('shop/other', 'n2', { volumes });
  const driver = (name: string, audience: string) =>
    fixture.put(
      tables.csiDrivers,
      named('CSIDriver', name, { spec: { tokenRequests: [{ audience }] } }),
    );
  driver('inline', 'inline-audience');
  driver('disk.csi', 'disk-audience');
  fixture.put(
    tables.persistentVolumeClaims,
    named('PersistentVolumeClaim', 'shop/disk', { spec: { volumeName: 'pv' } }),
  );
  fixture.put(
    tables.persistentVolumes,
    named('PersistentVolume', 'pv', { spec: { csi: { driver: 'disk.csi' } } }),
  );
  fixture.put(
    tables.clusterRoles,
    named('ClusterRole', 'audience', {
      rules: [
        {
          verbs: ['request-serviceaccounts-token-audience'],
          apiGroups: [''],
          resources: ['granted'],
        },
      ],
    }),
  );
  fixture.put(
    tables.clusterRoleBindings,
    named('ClusterRoleBinding', 'audience', {
      roleRef: { kind: 'ClusterRole', name: 'audience' },
      subjects: [{ kind: 'Group', name: 'system:nodes' }],
    }),
  );
  const authorizer = new RbacAuthorizer(fixture.store);
  const bound = (to: ApiObject, ...audiences: string[]) => ({
    audiences,
    boundObjectRef: {
      apiVersion: 'v1',
      kind: 'Pod',
      name: to.metadata.name,
      uid: to.metadata.uid!,
    },
  });
  const no = '403 serviceaccounts "web" is forbidden:';

  test.each<[string, object, string | undefined]>([
    ['for a pod on it', bound(mine), undefined],
    ['for an audience of the pod', bound(mine, 'vault'), undefined],
    ['for an audience of a driver in the pod', bound(mine, 'inline-audience'), undefined],
    ['for an audience of the driver of a claim', bound(mine, 'disk-audience'), undefined],
    ['for an audience that nodes were granted', bound(bare, 'granted'), undefined],
    ['not without a pod', {}, `${no} node requested token not bound to a pod`],
    [
      'not without the uid of the pod',
      { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'mine' } },
      `${no} node requested token with a pod binding without a uid`,
    ],
    [
      'not for another pod of that name',
      { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'mine', uid: 'x' } },
      `${no} the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated`,
    ],
    [
      'not for a pod that does not exist',
      { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'q9', uid: 'x' } },
      '404 pod "q9" not found',
    ],
    [
      'not for a pod elsewhere',
      bound(other),
      `${no} node requested token bound to a pod scheduled on a different node`,
    ],
    [
      'not for two audiences',
      bound(mine, 'vault', 'x'),
      `${no} node may only request 0 or 1 audiences`,
    ],
    [
      'not for an audience that the pod does not name',
      bound(mine, 'x'),
      `${no} audience "x" not found in pod spec volume, system:node:n1 is not authorized to request tokens for this audience`,
    ],
    [
      'not when a claim cannot be followed',
      bound(lost, 'x'),
      `${no} error validating audience "x": persistentvolumeclaim "gone" not found`,
    ],
  ])('%s', (_, spec, refusal) => {
    const question = {
      user: kubelet('n1'),
      namespace: 'shop',
      account: 'web',
      object: { spec } as never,
    };
    const act = () => checkNodeTokenRequest({ objects: fixture.store, authorizer }, question);
    expect(refusalOf(act)).toBe(refusal);
  });

  test('are not asked of others', () => {
    const question = { user: user('ann'), namespace: 'shop', account: 'web', object: {} };
    expect(
      refusalOf(() => checkNodeTokenRequest({ objects: fixture.store, authorizer }, question)),
    ).toBeUndefined();
  });
});
