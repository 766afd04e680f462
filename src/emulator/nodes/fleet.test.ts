import { describe, expect, test } from 'vitest';
import { at, objectAt, objectsAt, textAt, type JsonObject } from '../kube/json.ts';
import type { VirtualMachine } from '../azure/compute/vm-events.ts';
import { bootData, bootScript, conditionsOf, testWorld, usualFlags } from './node-fixture.ts';

const taintsOf = (node: JsonObject) =>
  objectsAt(node, 'spec', 'taints').map(
    (taint) => `${textAt(taint, 'key')}:${textAt(taint, 'effect')}`,
  );

describe('a machine that boots', () => {
  test('is a node that is not ready and not initialized at first', async () => {
    const world = await testWorld();
    world.start();
    await world.clock.advance(10_000);
    const early = await world.send('GET /api/v1/nodes/aks-one');
    await world.clock.runUntil(
      () => world.fleet.nodes()[0]?.bootLog.at(-1)?.includes('registered') ?? false,
    );
    const node = await world.node();
    expect([
      early.code,
      conditionsOf(node)['Ready'],
      taintsOf(node),
      at(node, 'spec', 'providerID'),
    ]).toEqual([
      404,
      'False KubeletNotReady',
      [
        'karpenter.sh/unregistered:NoExecute',
        'node.cloudprovider.kubernetes.io/uninitialized:NoSchedule',
        'node.kubernetes.io/not-ready:NoSchedule',
      ],
      undefined,
    ]);
  });

  test('becomes a ready node with what its payload and its size say', async () => {
    const world = await testWorld();
    const vm = await world.ready();
    const node = await world.node();
    const { allocatable, capacity, nodeInfo, addresses } = objectAt(node, 'status') ?? {};
    expect({
      labels: at(node, 'metadata', 'labels'),
      providerId: at(node, 'spec', 'providerID'),
      taints: taintsOf(node),
      pods: at(capacity, 'pods'),
      cpu: at(allocatable, 'cpu'),
      version: at(nodeInfo, 'kubeletVersion'),
      image: at(nodeInfo, 'osImage'),
      addresses,
    }).toEqual({
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/instance-type': 'Standard_D2s_v3',
        'beta.kubernetes.io/os': 'linux',
        'failure-domain.beta.kubernetes.io/region': 'southcentralus',
        'failure-domain.beta.kubernetes.io/zone': 'southcentralus-2',
        'karpenter.sh/nodepool': 'default',
        'kubernetes.azure.com/mode': 'user',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': 'aks-one',
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': 'Standard_D2s_v3',
        'topology.kubernetes.io/region': 'southcentralus',
        'topology.kubernetes.io/zone': 'southcentralus-2',
      },
      providerId: `azure://${vm.id.replace('MC_group', 'mc_group')}`,
      taints: ['karpenter.sh/unregistered:NoExecute'],
      pods: '30',
      cpu: '1900m',
      version: 'v1.33.2',
      image: 'Ubuntu 22.04.5 LTS',
      addresses: [
        { type: 'InternalIP', address: '10.224.0.4' },
        { type: 'Hostname', address: 'aks-one' },
      ],
    });
  });

  test('has the conditions of an AKS node', async () => {
    const world = await testWorld();
    await world.ready();
    expect(conditionsOf(await world.node())).toMatchObject({
      Ready: 'True KubeletReady',
      MemoryPressure: 'False KubeletHasSufficientMemory',
      DiskPressure: 'False KubeletHasNoDiskPressure',
      PIDPressure: 'False KubeletHasSufficientPID',
      KubeletProblem: 'False KubeletIsUp',
      VMEventScheduled: 'False NoVMEventScheduled',
    });
  });

  test('keeps its node alive for as long as it runs', async () => {
    const world = await testWorld();
    await world.ready();
    await world.clock.advance(3600_000);
    const lease = await world.send(
      'GET /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/aks-one',
    );
    const renewed = Date.parse(textAt(lease.body, 'spec', 'renewTime'));
    expect(world.clock.now() - renewed).toBeLessThanOrEqual(10_000);
    expect(conditionsOf(await world.node())['Ready']).toBe('True KubeletReady');
    expect(objectsAt(lease.body, 'metadata', 'ownerReferences')).toMatchObject([
      { kind: 'Node', name: 'aks-one' },
    ]);
  });

  test('renews its certificate before it runs out', async () => {
    const asked: string[] = [];
    const world = await testWorld({}, (handler) => async (request) => {
      const isRequest = request.method === 'POST' && request.path.endsWith('signingrequests');
      if (!isRequest) return await handler(request);
      asked.push(request.clientCertificate === undefined ? 'token' : 'certificate');
      const body = JSON.parse(Buffer.from(await request.body()).toString()) as {
        readonly spec: object;
      };
      const shortLived = { ...body, spec: { ...body.spec, expirationSeconds: 600 } };
      return await handler({
        ...request,
        body: () => Promise.resolve(Buffer.from(JSON.stringify(shortLived))),
      });
    });
    await world.ready();
    await world.clock.advance(1800_000);
    expect(asked.slice(0, 3)).toEqual(['token', 'certificate', 'certificate']);
    expect(conditionsOf(await world.node())['Ready']).toBe('True KubeletReady');
  });

  test('waits for the extension that tells it what to do', async () => {
    const world = await testWorld();
    const command = bootScript(world.cluster.authorityPem).split('\n').slice(2).join(' ');
    const vm = world.start({ customData: Buffer.from('#cloud-config\n') });
    await world.clock.advance(120_000);
    expect((await world.send('GET /api/v1/nodes/aks-one')).code).toBe(404);
    const extension = {
      name: 'cse-agent-karpenter',
      publisher: 'Microsoft.Azure.Extensions',
      type: 'CustomScript',
      settings: {},
      protectedSettings: { commandToExecute: command },
    };
    world.events.emit({ kind: 'extended', vm: { ...vm, extensions: [extension] }, extension });
    await world.clock.advance(30_000);
    expect(conditionsOf(await world.node())['Ready']).toBe('True KubeletReady');
  });

  test('is faster when time is', async () => {
    const seconds = async (speed: number): Promise<number> => {
      const world = await testWorld({ speed });
      const startMs = world.clock.now();
      world.start();
      await world.clock.runUntil(() => world.fleet.nodes()[0]?.isReady ?? false);
      return (world.clock.now() - startMs) / 1000;
    };
    const [usual, fast] = [await seconds(1), await seconds(100)];
    expect(usual).toBeGreaterThan(15);
    expect(usual).toBeLessThan(60);
    expect(fast).toBeLessThan(3);
  });

  test('is the same each time, for the same seed', async () => {
    const life = async (): Promise<unknown> => {
      const world = await testWorld();
      await world.ready();
      const node = await world.node();
      return [world.clock.now(), at(node, 'status', 'capacity'), world.fleet.nodes()];
    };
    expect(await life()).toEqual(await life());
  });
});

describe('a machine that does not become a node says why', () => {
  const log = (world: { readonly fleet: { nodes(): readonly { bootLog: readonly string[] }[] } }) =>
    world.fleet.nodes()[0]?.bootLog.map((line) => line.slice(25));

  test.each<[string, (pem: string) => Partial<VirtualMachine>, string]>([
    [
      'when its payload cannot be read',
      () => ({ customData: Buffer.from('nothing') }),
      'custom data cannot be read: it begins with "nothing", not with #! or #cloud-config',
    ],
    ['when nothing in it starts', () => ({ boots: false }), 'the operating system does not start'],
    [
      'when it is sent to another server',
      (pem) => ({ customData: bootData(pem, { API_SERVER_NAME: 'elsewhere.example' }) }),
      'kubelet: dial tcp: lookup elsewhere.example: no such host',
    ],
    [
      'when it trusts another authority',
      () => ({ customData: bootData('another') }),
      'kubelet: x509: certificate signed by unknown authority',
    ],
  ])('%s', async (_, changes, line) => {
    const world = await testWorld();
    world.start(changes(world.cluster.authorityPem));
    await world.clock.advance(120_000);
    expect([world.fleet.nodes()[0]?.phase, log(world)?.at(-1)]).toEqual(['failed', line]);
    expect((await world.send('GET /api/v1/nodes/aks-one')).code).toBe(404);
  });

  test('when its token is not accepted, and joins as soon as it is', async () => {
    const world = await testWorld();
    const token = 'zzzzzz.0123456789abcdef';
    const customData = bootData(world.cluster.authorityPem, { TLS_BOOTSTRAP_TOKEN: token });
    world.start({ customData });
    await world.clock.advance(60_000);
    expect([world.fleet.nodes()[0]?.phase, log(world)?.at(-1)]).toEqual([
      'joining',
      'kubelet: no client certificate: cannot create: 401 Unauthorized',
    ]);
    await world.send('POST /api/v1/namespaces/kube-system/secrets', {
      metadata: { name: 'bootstrap-token-zzzzzz' },
      type: 'bootstrap.kubernetes.io/token',
      stringData: {
        'token-id': 'zzzzzz',
        'token-secret': '0123456789abcdef',
        'usage-bootstrap-authentication': 'true',
      },
    });
    await world.clock.advance(30_000);
    expect(conditionsOf(await world.node())['Ready']).toBe('True KubeletReady');
  });

  test('when it asks for labels that the API does not let a kubelet set', async () => {
    const world = await testWorld();
    const labels = 'node-restriction.kubernetes.io/team=a';
    const customData = bootData(world.cluster.authorityPem, { KUBELET_NODE_LABELS: labels });
    world.start({ customData });
    await world.clock.advance(60_000);
    expect(log(world)?.at(-1)).toContain("unknown 'kubernetes.io' or 'k8s.io' labels");
  });
});

describe('a node whose API server is away', () => {
  test('goes on when it is back, with pods that came and went meanwhile', async () => {
    const away = { is: false };
    const world = await testWorld({}, (handler) => async (request) => {
      if (away.is) throw new Error('connection refused');
      const reply = await handler(request);
      // A server that goes ends its watches.
      return typeof reply.body === 'object' && !(reply.body instanceof Uint8Array)
        ? { ...reply, body: untilAway(reply.body, away) }
        : reply;
    });
    await world.ready();
    await world.place({ name: 'old' });
    await world.clock.advance(15_000);
    away.is = true;
    await world.place({ name: 'new' });
    await world.send('DELETE /api/v1/namespaces/default/pods/old', { gracePeriodSeconds: 0 });
    await world.clock.advance(30_000);
    const during = textAt(await world.pod('new'), 'status', 'phase');
    away.is = false;
    await world.clock.advance(30_000);
    const { code } = await world.send('GET /api/v1/namespaces/default/pods/old');
    expect([
      during,
      textAt(await world.pod('new'), 'status', 'phase'),
      code,
      conditionsOf(await world.node())['Ready'],
    ]).toEqual(['Pending', 'Running', 404, 'True KubeletReady']);
  });
});

async function* untilAway(
  body: AsyncIterable<string | Uint8Array>,
  away: { readonly is: boolean },
): AsyncGenerator<string | Uint8Array> {
  for await (const chunk of body) {
    if (away.is) return;
    yield chunk;
  }
}

describe('a node without a cloud provider', () => {
  test('has no taint to wait for, and no provider id', async () => {
    const world = await testWorld();
    const { 'cloud-provider': _, ...flags } = usualFlags;
    await world.ready({ customData: bootData(world.cluster.authorityPem, {}, flags) });
    const node = await world.node();
    expect([taintsOf(node), at(node, 'spec', 'providerID')]).toEqual([
      ['karpenter.sh/unregistered:NoExecute'],
      undefined,
    ]);
  });
});

describe('a node whose network comes with a daemon', () => {
  const daemonSet = (name: string): JsonObject => ({
    metadata: { name, namespace: 'kube-system' },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          hostNetwork: true,
          tolerations: [{ operator: 'Exists' }],
          containers: [{ name: 'agent', image: 'registry/agent:1' }],
        },
      },
    },
  });
  const sets = '/apis/apps/v1/namespaces/kube-system/daemonsets';

  test('is not ready before the daemon runs', async () => {
    const world = await testWorld({ networkAgents: ['cilium'] });
    world.start();
    await world.clock.advance(120_000);
    expect(conditionsOf(await world.node())['Ready']).toBe('False KubeletNotReady');
    await world.send(`POST ${sets}`, daemonSet('cilium'));
    await world.clock.advance(20_000);
    expect(conditionsOf(await world.node())['Ready']).toBe('True KubeletReady');
  });

  test('holds back pods that need the network, and no others', async () => {
    const world = await testWorld({ networkAgents: ['cilium'] });
    world.start();
    await world.clock.advance(60_000);
    await world.place({ name: 'inside' });
    await world.place({ name: 'on-host', spec: { hostNetwork: true } });
    await world.clock.advance(20_000);
    const phases = await Promise.all(['inside', 'on-host'].map((name) => world.pod(name)));
    expect(phases.map((pod) => at(pod, 'status', 'phase'))).toEqual(['Pending', 'Running']);
  });

  test('needs none when its image brings the network', async () => {
    const world = await testWorld({ networkAgents: ['cilium'] });
    const customData = bootData(world.cluster.authorityPem, { NETWORK_PLUGIN: 'azure' });
    await world.ready({ customData });
    expect(conditionsOf(await world.node())['Ready']).toBe('True KubeletReady');
  });
});
