import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { user } from '../fixture.ts';
import { tables } from '../stored-objects.ts';
import {
  approved,
  asking,
  authority,
  clientUsages,
  node1,
  refusalOf,
  signer,
  SigningWorld,
  type Condition,
} from './signing-fixture.ts';

describe('a request', () => {
  const spec = { request: node1.request, signerName: 'example.com/own', usages: clientUsages };

  test('says who made it, whatever it says itself, and begins undecided', () => {
    const world = new SigningWorld(authority);
    const forged = { username: 'evil', groups: ['x'], uid: '1', extra: { a: ['b'] } };
    const who = { username: 'ann', groups: ['dev'], extra: { k: ['v'] } };
    const made = world.create({ ...spec, ...forged }, who, { status: { conditions: [approved] } });
    expect({ spec: made['spec'], status: made['status'] }).toEqual({
      spec: { ...spec, username: 'ann', groups: ['dev'], extra: { k: ['v'] } },
      status: {},
    });
  });

  test('keeps its spec and status through an update of the whole', () => {
    const world = new SigningWorld(authority);
    const before = world.create(spec);
    const after = world.write('', (object) => ({
      ...object,
      metadata: { ...object.metadata, labels: { a: 'b' } },
      spec: { ...spec, usages: ['server auth'] },
      status: { conditions: [approved] } as never,
    }));
    expect({ labels: after.metadata.labels, spec: after['spec'], status: after['status'] }).toEqual(
      {
        labels: { a: 'b' },
        spec: before['spec'],
        status: {},
      },
    );
  });

  const pem = (type: string, body: string) =>
    Buffer.from(`-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`).toString('base64');
  const invalid = '422 CertificateSigningRequest.certificates.k8s.io "c1" is invalid:';
  const words =
    '"any", "cert sign", "client auth", "code signing", "content commitment", "crl sign", "data encipherment", "decipher only", "digital signature", "email protection", "encipher only", "ipsec end system", "ipsec tunnel", "ipsec user", "key agreement", "key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime", "server auth", "signing", "timestamping"';

  test.each<[string, JsonObject, string]>([
    [
      'without usages',
      { request: node1.request, signerName: signer.kubelet },
      `${invalid} spec.usages: Required value`,
    ],
    [
      'with usages that do not exist',
      { ...spec, usages: ['foo', 'client auth', 'client auth'] },
      `${invalid} [spec.usages[0]: Unsupported value: "foo": supported values: ${words}, spec.usages[2]: Duplicate value: "client auth"]`,
    ],
    [
      'without PEM',
      { ...spec, request: 'aGVsbG8=' },
      `${invalid} spec.request: Invalid value: "aGVsbG8=": PEM block type must be CERTIFICATE REQUEST`,
    ],
    [
      'with other PEM',
      { ...spec, request: pem('CERTIFICATE', 'AAAA') },
      `${invalid} spec.request: Invalid value: "${pem('CERTIFICATE', 'AAAA')}": PEM block type must be CERTIFICATE REQUEST`,
    ],
    [
      'without a signer',
      { request: node1.request, usages: clientUsages },
      `${invalid} spec.signerName: Required value`,
    ],
    [
      'with a signer without a path',
      { ...spec, signerName: 'foo' },
      `${invalid} spec.signerName: Invalid value: "foo": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
    ],
    [
      'with a signer of a short domain',
      { ...spec, signerName: 'foo/bar' },
      `${invalid} spec.signerName: Invalid value: "foo": should be a domain with at least two segments separated by dots`,
    ],
    [
      'for the legacy signer',
      { ...spec, signerName: 'kubernetes.io/legacy-unknown' },
      `${invalid} spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version`,
    ],
    [
      'for less than ten minutes',
      { ...spec, expirationSeconds: 599 },
      `${invalid} spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)`,
    ],
  ])('%s is refused', (_, bad, refusal) => {
    const world = new SigningWorld(authority);
    expect(refusalOf(() => world.create(bad))).toBe(refusal);
  });

  test('that was tampered with is refused', () => {
    const world = new SigningWorld(authority);
    const text = Buffer.from(node1.request, 'base64')
      .toString()
      .replaceAll(/-----[^-]+-----\s*/g, '');
    const der = Buffer.from(text, 'base64');
    der[der.length - 1]! ^= 1;
    const request = pem('CERTIFICATE REQUEST', der.toString('base64'));
    expect(refusalOf(() => world.create({ ...spec, request }))).toBe(
      `${invalid} spec.request: Invalid value: "${request}": x509: ECDSA verification failure`,
    );
  });

  test('cannot make its maker a master', async () => {
    const world = new SigningWorld(authority);
    const { request } = await asking('x', ['system:masters']);
    expect(
      refusalOf(() => world.create({ request, signerName: signer.client, usages: clientUsages })),
    ).toBe(
      '403 certificatesigningrequests.certificates.k8s.io "c1" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
    );
  });
});

describe('a decision', () => {
  const spec = { request: node1.request, signerName: 'example.com/own', usages: clientUsages };
  const invalid = '422 CertificateSigningRequest.certificates.k8s.io "c1" is invalid:';

  function pending(): SigningWorld {
    const world = new SigningWorld(authority);
    world.create(spec);
    return world;
  }

  test('is dated by the server', () => {
    const world = pending();
    const status = world.decide([approved])['status'];
    const now = '2026-01-01T00:00:00Z';
    expect(status).toEqual({
      conditions: [{ ...approved, lastUpdateTime: now, lastTransitionTime: now }],
    });
  });

  test('keeps the date of what did not change', async () => {
    const world = pending();
    world.decide([approved]);
    await world.fixture.clock.advance(5000);
    const { conditions } = world.decide([approved, { type: 'Foo', status: 'Unknown' }])[
      'status'
    ] as {
      conditions: { lastUpdateTime: string; lastTransitionTime: string }[];
    };
    expect(conditions.map((item) => [item.lastUpdateTime, item.lastTransitionTime])).toEqual([
      ['2026-01-01T00:00:05Z', '2026-01-01T00:00:00Z'],
      ['2026-01-01T00:00:05Z', '2026-01-01T00:00:05Z'],
    ]);
  });

  test.each<[string, Condition[], string]>([
    [
      'False',
      [{ type: 'Approved', status: 'False' }],
      'status.conditions[0].status: Unsupported value: "False": supported values: "True"',
    ],
    ['without a status', [{ type: 'Approved' }], 'status.conditions[0].status: Required value'],
    ['without a type', [{ type: '', status: 'True' }], 'status.conditions[0].type: Required value'],
    [
      'both ways',
      [approved, { type: 'Denied', status: 'True' }],
      'status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
    ],
    ['made twice', [approved, approved], 'status.conditions[1].type: Duplicate value: "Approved"'],
  ])('%s is refused', (_, conditions, complaint) => {
    const world = pending();
    expect(refusalOf(() => world.decide(conditions))).toBe(`${invalid} ${complaint}`);
  });

  test('stands', () => {
    const world = pending();
    world.decide([approved]);
    expect(refusalOf(() => world.decide([]))).toBe(
      `${invalid} status.conditions: Forbidden: updates may not remove a condition of type "Approved"`,
    );
  });

  test('is made through its own endpoint only', () => {
    const world = pending();
    const decide = () =>
      world.write('status', (object) => ({
        ...object,
        status: { conditions: [approved] } as never,
      }));
    expect(refusalOf(decide)).toBe(
      `${invalid} status.conditions: Forbidden: updates may not add a condition of type "Approved"`,
    );
  });

  test('takes the right to approve for that signer', () => {
    const world = pending();
    const allow = (name: string, resourceNames: string[]) =>
      world.fixture.put(tables.clusterRoles, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name },
        rules: [
          {
            verbs: ['approve'],
            apiGroups: ['certificates.k8s.io'],
            resources: ['signers'],
            resourceNames,
          },
        ],
      });
    const ann = user('ann');
    const refused =
      '403 certificatesigningrequests.certificates.k8s.io "c1" is forbidden: user not permitted to approve requests with signerName "example.com/own"';
    allow('approver', ['example.com/other']);
    world.fixture.put(tables.clusterRoleBindings, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'approver' },
      roleRef: { kind: 'ClusterRole', name: 'approver' },
      subjects: [{ kind: 'User', name: 'ann' }],
    });
    const before = refusalOf(() => world.decide([approved], ann));
    allow('approver', ['example.com/*']);
    expect([before, refusalOf(() => world.decide([approved], ann))]).toEqual([refused, undefined]);
  });
});

describe('a certificate', () => {
  const spec = { request: node1.request, signerName: 'example.com/own', usages: clientUsages };
  const invalid = '422 CertificateSigningRequest.certificates.k8s.io "c1" is invalid:';
  const garbage = Buffer.from('x').toString('base64');
  const withCertificate = (certificate: string) => (object: ApiObject) => ({
    ...object,
    status: { ...(object['status'] as object), certificate },
  });

  function issuedTo(world: SigningWorld): string {
    world.create(spec);
    world.decide([approved]);
    const pem = Buffer.from(authority.certificatePem).toString('base64');
    world.write('status', withCertificate(pem));
    return pem;
  }

  test('is written once, and is one', () => {
    const world = new SigningWorld(authority);
    const pem = issuedTo(world);
    expect([
      (world.get()['status'] as JsonObject)['certificate'],
      refusalOf(() => world.write('status', withCertificate(garbage))),
      refusalOf(() => world.write('approval', withCertificate(garbage))),
    ]).toEqual([
      pem,
      `${invalid} [status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block, status.certificate: Forbidden: updates may not modify existing certificate content]`,
      undefined,
    ]);
  });

  test('takes the right to sign for that signer', () => {
    const world = new SigningWorld(authority);
    world.create(spec);
    const pem = Buffer.from(authority.certificatePem).toString('base64');
    expect([
      refusalOf(() => world.write('status', withCertificate(pem), user('ann'))),
      refusalOf(() => world.write('status', (object) => object, user('ann'))),
    ]).toEqual([
      '403 certificatesigningrequests.certificates.k8s.io "c1" is forbidden: user not permitted to sign requests with signerName "example.com/own"',
      undefined,
    ]);
  });
});
