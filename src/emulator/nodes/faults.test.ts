import { describe, expect, test } from 'vitest';
import { at, objectsAt, textAt } from '../kube/json.ts';
import { bootData, conditionsOf, testWorld, type TestWorld } from './node-fixture.ts';

const eventsOf = async (world: TestWorld): Promise<readonly string[]> => {
  const { body } = await world.send('GET /api/v1/namespaces/default/events');
  return objectsAt(body, 'items')
    .filter((event) => at(event, 'involvedObject', 'kind') === 'Node')
    .map((event) => textAt(event, 'reason'));
};

const readyOf = async (world: TestWorld) => conditionsOf(await world.node())['Ready'];

describe('a machine that loses its power', () => {
  test.each(['stopped', 'deallocated', 'evicted', 'failed'] as const)(
    'because it is %s leaves a node that nobody hears of',
    async (kind) => {
      const world = await testWorld();
      const vm = await world.ready();
      world.events.emit({ kind, vm });
      await world.clock.advance(30_000);
      const before = await readyOf(world);
      await world.clock.advance(60_000);
      expect([before, await readyOf(world)]).toEqual([
        'True KubeletReady',
        'Unknown NodeStatusUnknown',
      ]);
    },
  );

  test('is tainted as shut down while it is, and not when it is back', async () => {
    const world = await testWorld();
    const vm = await world.ready();
    const taints = async () =>
      objectsAt(await world.node(), 'spec', 'taints').map((taint) => textAt(taint, 'key'));
    world.events.emit({ kind: 'deallocated', vm });
    await world.clock.advance(120_000);
    const during = await taints();
    world.events.emit({ kind: 'running', vm });
    await world.clock.advance(120_000);
    expect([
      during.includes('node.cloudprovider.kubernetes.io/shutdown'),
      await taints(),
      await readyOf(world),
    ]).toEqual([true, ['karpenter.sh/unregistered'], 'True KubeletReady']);
  });

  test('because it is deleted leaves no node behind, once it is silent', async () => {
    const world = await testWorld();
    const vm = await world.ready();
    world.events.emit({ kind: 'deleted', vm });
    await world.clock.advance(30_000);
    const before = await readyOf(world);
    await world.clock.advance(60_000);
    const { code } = await world.send('GET /api/v1/nodes/aks-one');
    expect([before, code]).toEqual(['True KubeletReady', 404]);
  });

  test('leaves alone a node that another machine of its name has become', async () => {
    const world = await testWorld();
    const vm = await world.ready();
    world.events.emit({ kind: 'deleted', vm });
    const spec = { providerID: 'azure:///another' };
    await world.send('DELETE /api/v1/nodes/aks-one');
    await world.send('POST /api/v1/nodes', { metadata: { name: 'aks-one' }, spec });
    await world.clock.advance(120_000);
    expect(at(await world.node(), 'spec', 'providerID')).toBe('azure:///another');
  });

  test('is the same node when it comes back, and its pods run again', async () => {
    const world = await testWorld();
    const vm = await world.ready();
    await world.place({ name: 'web' });
    await world.clock.advance(15_000);
    const uid = at(await world.node(), 'metadata', 'uid');
    world.events.emit({ kind: 'stopped', vm });
    await world.clock.advance(120_000);
    world.events.emit({ kind: 'running', vm });
    await world.clock.advance(60_000);
    const pod = await world.pod('web');
    expect([
      await readyOf(world),
      at(await world.node(), 'metadata', 'uid') === uid,
      textAt(pod, 'status', 'phase'),
      at(objectsAt(pod, 'status', 'containerStatuses')[0], 'restartCount'),
      (await eventsOf(world)).includes('Rebooted'),
    ]).toEqual(['True KubeletReady', true, 'Running', 1, true]);
  });

  test('joins anew with its token when it was made anew', async () => {
    const world = await testWorld();
    const vm = await world.ready();
    const requests = async () =>
      objectsAt(
        (await world.send('GET /apis/certificates.k8s.io/v1/certificatesigningrequests')).body,
        'items',
      ).length;
    const before = await requests();
    world.events.emit({ kind: 'restarted', vm });
    await world.clock.advance(60_000);
    const restarted = await requests();
    world.events.emit({ kind: 'reimaged', vm });
    await world.clock.advance(60_000);
    expect([before, restarted, await requests()]).toEqual([1, 1, 2]);
  });
});

describe('a spot machine that will be taken', () => {
  test('says so on its node and in events before it goes', async () => {
    const world = await testWorld();
    const vm = await world.ready({ priority: 'Spot' });
    world.events.emit({ kind: 'preempting', vm, atMs: world.clock.now() + 30_000 });
    await world.clock.advance(5000);
    const conditions = conditionsOf(await world.node());
    expect([
      conditions['PreemptionScheduled'],
      conditions['VMEventScheduled'],
      conditions['Ready'],
      (await eventsOf(world)).filter((reason) => reason.endsWith('Scheduled')),
    ]).toEqual([
      'True PreemptScheduled',
      'True VMEventScheduled',
      'True KubeletReady',
      ['VMEventScheduled', 'PreemptScheduled'],
    ]);
  });

  test('says of other events only that they come', async () => {
    const world = await testWorld();
    await world.ready();
    world.fleet.announce('aks-one', { type: 'Freeze', atMs: world.clock.now() + 900_000 });
    await world.clock.advance(5000);
    const conditions = conditionsOf(await world.node());
    expect([conditions['PreemptionScheduled'], conditions['VMEventScheduled']]).toEqual([
      undefined,
      'True VMEventScheduled',
    ]);
  });
});

describe('a fault', () => {
  test('of the runtime makes the node not ready until it is gone', async () => {
    const world = await testWorld();
    await world.ready();
    world.fleet.setFault('aks-one', 'not-ready', true);
    await world.clock.advance(1000);
    const broken = await readyOf(world);
    world.fleet.setFault('aks-one', 'not-ready', false);
    await world.clock.advance(1000);
    expect([broken, await readyOf(world)]).toEqual(['False KubeletNotReady', 'True KubeletReady']);
  });

  test('that freezes the kubelet stops its signs of life, not its containers', async () => {
    const world = await testWorld();
    await world.ready();
    const annotations = { 'emulator.karpenter.sh/runs-for': '60s' };
    await world.place({ name: 'task', annotations, spec: { restartPolicy: 'Never' } });
    await world.clock.advance(10_000);
    world.fleet.setFault('aks-one', 'frozen', true);
    await world.place({ name: 'late' });
    await world.clock.advance(120_000);
    const frozen = [
      await readyOf(world),
      textAt(await world.pod('task'), 'status', 'phase'),
      textAt(await world.pod('late'), 'status', 'phase'),
    ];
    world.fleet.setFault('aks-one', 'frozen', false);
    await world.clock.advance(15_000);
    const thawed = [
      await readyOf(world),
      textAt(await world.pod('task'), 'status', 'phase'),
      textAt(await world.pod('late'), 'status', 'phase'),
    ];
    expect([frozen, thawed]).toEqual([
      ['Unknown NodeStatusUnknown', 'Running', 'Pending'],
      ['True KubeletReady', 'Succeeded', 'Running'],
    ]);
  });

  test('of the disk is told, and keeps further pods out', async () => {
    const world = await testWorld();
    await world.ready();
    world.fleet.setFault('aks-one', 'disk-pressure', true);
    await world.clock.advance(1000);
    await world.place({ name: 'web' });
    await world.clock.advance(1000);
    const pod = await world.pod('web');
    expect([conditionsOf(await world.node())['DiskPressure'], at(pod, 'status', 'reason')]).toEqual(
      ['True KubeletHasDiskPressure', 'Evicted'],
    );
  });

  test('of the disk puts out the pods that matter least first, while it lasts', async () => {
    const world = await testWorld();
    await world.ready();
    const priority = { metadata: { name: 'high' }, value: 1000 };
    await world.send('POST /apis/scheduling.k8s.io/v1/priorityclasses', priority);
    await world.place({ name: 'high', spec: { priorityClassName: 'high' } });
    await world.place({ name: 'system', spec: { priorityClassName: 'system-node-critical' } });
    await world.place({ name: 'low' });
    await world.clock.advance(15_000);
    const phases = async () =>
      await Promise.all(
        ['low', 'high', 'system'].map(async (name) => {
          const { status } = await world.pod(name);
          return [textAt(status, 'phase'), textAt(status, 'reason')].join(' ').trim();
        }),
      );
    world.fleet.setFault('aks-one', 'disk-pressure', true);
    await world.clock.advance(12_000);
    const first = await phases();
    await world.clock.advance(30_000);
    const later = await phases();
    world.fleet.setFault('aks-one', 'disk-pressure', false);
    await world.place({ name: 'next' });
    await world.clock.advance(30_000);
    expect([first, later, textAt(await world.pod('next'), 'status', 'phase')]).toEqual([
      ['Failed Evicted', 'Running', 'Running'],
      ['Failed Evicted', 'Failed Evicted', 'Running'],
      'Running',
    ]);
  });

  test('of a GPU is told by the problem detector, and there is one less', async () => {
    const gpuSize = 'Standard_NC24ads_A100_v4';
    const world = await testWorld({
      sizes: {
        find: () => ({
          name: gpuSize,
          family: 'f',
          vCpus: 24,
          memoryGiB: 220,
          gpus: 2,
          architecture: 'x64',
          maxDataDisks: 8,
          maxNics: 2,
          hyperVGenerations: ['V2'],
          premiumStorage: true,
          acceleratedNetworking: true,
          ephemeralOsDisk: true,
          placements: {},
        }),
      },
    });
    const gpu = { GPU_NODE: 'true', CONFIG_GPU_DRIVER_IF_NEEDED: 'true' };
    await world.ready({
      customData: bootData(world.cluster.authorityPem, gpu),
      size: gpuSize,
    });
    const counts = async () => {
      const { status } = await world.node();
      return ['capacity', 'allocatable'].map((name) => at(status, name, 'nvidia.com/gpu'));
    };
    const early = await counts();
    await world.clock.advance(30_000);
    const well = await counts();
    world.fleet.setFault('aks-one', 'gpu-error', true);
    await world.clock.advance(1000);
    const conditions = conditionsOf(await world.node());
    expect([
      early,
      well,
      await counts(),
      conditions['XIDErrors'],
      conditions['kubernetes.azure.com/NodeHealthy'],
    ]).toEqual([
      [undefined, undefined],
      ['2', '2'],
      ['2', '1'],
      'True XIDErrorsPresent',
      'False XIDErrors',
    ]);
  });

  test('ends with a reboot', async () => {
    const world = await testWorld();
    await world.ready();
    const bootId = at(await world.node(), 'status', 'nodeInfo', 'bootID');
    world.fleet.setFault('aks-one', 'frozen', true);
    world.fleet.reboot('aks-one');
    await world.clock.advance(60_000);
    const node = await world.node();
    expect([
      conditionsOf(node)['Ready'],
      at(node, 'status', 'nodeInfo', 'bootID') === bootId,
    ]).toEqual(['True KubeletReady', false]);
  });
});

describe('a node that is deleted while its machine runs', () => {
  test('stays deleted until the machine starts again', async () => {
    const world = await testWorld();
    await world.ready();
    await world.send('DELETE /api/v1/nodes/aks-one');
    await world.clock.advance(600_000);
    const before = (await world.send('GET /api/v1/nodes/aks-one')).code;
    world.fleet.reboot('aks-one');
    await world.clock.advance(60_000);
    expect([before, await readyOf(world)]).toEqual([404, 'True KubeletReady']);
  });
});
