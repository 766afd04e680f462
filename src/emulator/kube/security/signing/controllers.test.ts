import { createPrivateKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AlternativeNames } from '../../../certificates.ts';
import { kubelet, user } from '../fixture.ts';
import { nodeBootstrapPolicy } from '../policy/default-policy.ts';
import { tables } from '../stored-objects.ts';
import {
  approved,
  asking,
  authority,
  clientUsages,
  newcomer,
  node1,
  refusalOf,
  root,
  signer,
  SigningWorld,
} from './signing-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

describe('a machine with a bootstrap token', () => {
  test('gets a certificate for its node by itself, for its own key', async () => {
    const world = new SigningWorld(authority);
    world.create(
      { request: node1.request, signerName: signer.kubelet, usages: clientUsages },
      newcomer,
    );
    await world.fixture.clock.advance(0);
    const { conditions, certificate } = world.state;
    const now = world.fixture.clock.now();
    expect({
      conditions,
      subject: certificate?.subject,
      purposes: certificate?.keyUsage,
      from: certificate!.validFromDate.getTime() - now,
      to: certificate!.validToDate.getTime() - now,
      signed: authority.hasSigned(certificate!.raw),
      ownKey: certificate?.checkPrivateKey(createPrivateKey(node1.privateKeyPem)),
    }).toEqual({
      conditions: [
        'Approved: AutoApproved: Auto approving kubelet client certificate after SubjectAccessReview.',
      ],
      subject: 'O=system:nodes\nCN=system:node:n1',
      purposes: ['1.3.6.1.5.5.7.3.2'],
      from: -5 * minuteMs,
      to: 365 * dayMs - 5 * minuteMs,
      signed: true,
      ownKey: true,
    });
  });

  test.each([
    [600, 10 * minuteMs],
    [3600, hourMs],
    [8 * 3600, 8 * hourMs - 5 * minuteMs],
    [400 * 24 * 3600, 365 * dayMs - 5 * minuteMs],
  ])('that asks for %i seconds gets %i milliseconds', async (expirationSeconds, lifetimeMs) => {
    const world = new SigningWorld(authority);
    const spec = {
      request: node1.request,
      signerName: signer.kubelet,
      usages: clientUsages,
      expirationSeconds,
    };
    world.create(spec, newcomer);
    await world.fixture.clock.advance(0);
    expect(world.state.certificate!.validToDate.getTime() - world.fixture.clock.now()).toBe(
      lifetimeMs,
    );
  });

  test('waits when its group was not given that right, and gets it when it is', async () => {
    const world = new SigningWorld(authority, { joins: false });
    world.create(
      { request: node1.request, signerName: signer.kubelet, usages: clientUsages },
      newcomer,
    );
    await world.fixture.clock.advance(minuteMs);
    expect(world.state).toEqual({ conditions: [] });
    const { metadata, ...binding } = nodeBootstrapPolicy()[1]!;
    world.api.create({
      context: { user: root },
      resource: {
        group: 'rbac.authorization.k8s.io',
        version: 'v1',
        resource: 'clusterrolebindings',
      },
      object: { metadata: { name: metadata.name }, ...binding },
    });
    await world.fixture.clock.advance(0);
    expect(world.state.conditions).toHaveLength(1);
  });

  test.each<[string, string, string[], AlternativeNames, string[]]>([
    ['other usages', 'system:node:n1', ['system:nodes'], {}, ['client auth']],
    ['another group', 'system:node:n1', ['system:masters'], {}, clientUsages],
    ['no node name', 'n1', ['system:nodes'], {}, clientUsages],
    ['host names', 'system:node:n1', ['system:nodes'], { dnsNames: ['a'] }, clientUsages],
  ])('that asks with %s waits for a person', async (...row) => {
    const [, commonName, organizations, names, usages] = row;
    const world = new SigningWorld(authority);
    const { request } = await asking(commonName, organizations, names);
    world.create({ request, signerName: signer.kubelet, usages }, newcomer);
    await world.fixture.clock.advance(minuteMs);
    expect(world.state).toEqual({ conditions: [] });
  });
});

test('a node renews its own certificate by itself', async () => {
  const world = new SigningWorld(authority);
  world.create(
    { request: node1.request, signerName: signer.kubelet, usages: clientUsages },
    kubelet('n1'),
  );
  await world.fixture.clock.advance(0);
  expect(world.state.conditions).toEqual([
    'Approved: AutoApproved: Auto approving self kubelet client certificate after SubjectAccessReview.',
  ]);
});

describe('an approved request', () => {
  async function settle(
    spec: { signerName: string; usages: string[] },
    ...subject: Parameters<typeof asking>
  ): Promise<SigningWorld> {
    const world = new SigningWorld(authority);
    const { request } = await asking(...subject);
    world.create({ request, ...spec });
    world.decide([approved]);
    await world.fixture.clock.advance(0);
    return world;
  }
  const servingUsages = ['digital signature', 'key encipherment', 'server auth'];

  test('for a serving certificate keeps its names', async () => {
    const names = { dnsNames: ['n1'], ipAddresses: ['10.0.0.4'] };
    const { state } = await settle(
      { signerName: signer.serving, usages: servingUsages },
      'system:node:n1',
      ['system:nodes'],
      names,
    );
    expect([state.certificate?.subjectAltName, state.certificate?.keyUsage]).toEqual([
      'DNS:n1, IP Address:10.0.0.4',
      ['1.3.6.1.5.5.7.3.1'],
    ]);
  });

  test('for a client certificate keeps its user and groups', async () => {
    const { state } = await settle({ signerName: signer.client, usages: clientUsages }, 'carol', [
      'dev',
      'ops',
    ]);
    expect(state.certificate?.subject).toBe('O=dev\nO=ops\nCN=carol');
  });

  test.each<[{ signerName: string; usages: string[] }, Parameters<typeof asking>, string]>([
    [
      { signerName: signer.serving, usages: servingUsages },
      ['system:node:n1'],
      'DNS or IP subjectAltName is required',
    ],
    [
      { signerName: signer.serving, usages: clientUsages },
      ['system:node:n1', ['system:nodes'], { dnsNames: ['a'] }],
      'usages did not match [digital signature key encipherment server auth]',
    ],
    [
      { signerName: signer.serving, usages: servingUsages },
      ['n1', ['system:nodes'], { dnsNames: ['a'] }],
      'subject common name does not begin with system:node:',
    ],
    [
      { signerName: signer.kubelet, usages: clientUsages },
      ['system:node:n1', ['system:nodes'], { ipAddresses: ['10.0.0.1'] }],
      'IP subjectAltNames are not allowed',
    ],
    [
      { signerName: signer.kubelet, usages: ['client auth'] },
      ['system:node:n1'],
      'usages did not match [client auth digital signature key encipherment]',
    ],
    [
      { signerName: signer.client, usages: ['digital signature', 'server auth'] },
      ['carol', ['dev']],
      'invalid usage for client certificate: server auth',
    ],
    [
      { signerName: signer.client, usages: ['digital signature'] },
      ['carol', ['dev']],
      'missing required usage for client certificate: client auth',
    ],
  ])('%j fails for %j: %s', async (spec, subject, message) => {
    const world = await settle(spec, ...subject);
    expect(world.state).toEqual({
      conditions: ['Approved: Test: m', `Failed: SignerValidationFailure: ${message}`],
    });
  });

  test('for a signer of others is left to them', async () => {
    const world = await settle({ signerName: 'example.com/own', usages: clientUsages }, 'carol');
    expect(world.state).toEqual({ conditions: ['Approved: Test: m'] });
  });
});

describe('requests that nobody waits for are removed', () => {
  const spec = { request: node1.request, signerName: 'example.com/own', usages: clientUsages };

  test.each<[string, (world: SigningWorld) => void, number]>([
    ['undecided after a day', () => undefined, dayMs],
    [
      'denied after an hour',
      (world) => void world.decide([{ type: 'Denied', status: 'True' }]),
      hourMs,
    ],
    ['approved but not issued after a day', (world) => void world.decide([approved]), dayMs],
  ])('%s', async (_, prepare, lifetimeMs) => {
    const world = new SigningWorld(authority);
    world.create(spec);
    prepare(world);
    await world.fixture.clock.advance(lifetimeMs);
    expect(refusalOf(() => world.get())).toBeUndefined();
    await world.fixture.clock.advance(1);
    expect(refusalOf(() => world.get())).toBe(
      '404 certificatesigningrequests.certificates.k8s.io "c1" not found',
    );
    world.manager.stop();
    expect(world.fixture.clock.pending().timers).toEqual([]);
  });

  test('issued after an hour', async () => {
    const world = new SigningWorld(authority);
    world.create(
      { request: node1.request, signerName: signer.kubelet, usages: clientUsages },
      newcomer,
    );
    await world.fixture.clock.advance(hourMs);
    expect(refusalOf(() => world.get())).toBeUndefined();
    await world.fixture.clock.advance(1);
    expect(refusalOf(() => world.get())).toMatch(/^404/);
  });
});

test('a gathered role follows what it is gathered from', async () => {
  const world = new SigningWorld(authority);
  const resource = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };
  const context = { user: root };
  const mayUseCrons = () =>
    world.security.authorizer.authorize({
      user: user('ann'),
      verb: 'get',
      path: '',
      resource: {
        group: 'example.com',
        version: 'v1',
        resource: 'crons',
        subresource: '',
        namespace: 'shop',
        name: '',
      },
    }).allowed;
  world.fixture.put(tables.roleBindings, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'ann', namespace: 'shop' },
    roleRef: { kind: 'ClusterRole', name: 'admin' },
    subjects: [{ kind: 'User', name: 'ann' }],
  });
  const seen = [mayUseCrons()];
  world.api.create({
    context,
    resource,
    object: {
      metadata: {
        name: 'crons',
        labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' },
      },
      rules: [{ verbs: ['get'], apiGroups: ['example.com'], resources: ['crons'] }],
    },
  });
  await world.fixture.clock.advance(0);
  seen.push(mayUseCrons());
  world.api.delete({ context, resource, name: 'crons' });
  await world.fixture.clock.advance(0);
  seen.push(mayUseCrons());
  expect(seen).toEqual([false, true, false]);
});
