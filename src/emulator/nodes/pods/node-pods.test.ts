import { describe, expect, test } from 'vitest';
import { at, objectAt, objectsAt, textAt, type JsonObject } from '../../kube/json.ts';
import { conditionsOf, testWorld, type TestWorld } from '../node-fixture.ts';

const mainOf = (pod: JsonObject) => objectsAt(pod, 'status', 'containerStatuses')[0];
const phaseOf = (pod: JsonObject) => textAt(pod, 'status', 'phase');

async function readyWorld(): Promise<TestWorld> {
  const world = await testWorld();
  await world.ready();
  return world;
}

describe('a pod on a node', () => {
  test('waits for its image, then runs and is ready', async () => {
    const world = await readyWorld();
    await world.place({ name: 'web' });
    await world.clock.advance(1000);
    const early = await world.pod('web');
    await world.clock.advance(10_000);
    const pod = await world.pod('web');
    expect([
      [
        phaseOf(early),
        at(mainOf(early), 'state', 'waiting', 'reason'),
        conditionsOf(early)['Ready'],
      ],
      [phaseOf(pod), at(mainOf(pod), 'ready'), conditionsOf(pod)],
      [at(pod, 'status', 'hostIP'), textAt(pod, 'status', 'podIP')],
    ]).toEqual([
      ['Pending', 'ContainerCreating', 'False ContainersNotReady'],
      [
        'Running',
        true,
        {
          PodReadyToStartContainers: 'True',
          Initialized: 'True',
          Ready: 'True',
          ContainersReady: 'True',
          PodScheduled: 'True',
        },
      ],
      ['10.224.0.4', '10.244.0.4'],
    ]);
  });

  test('is ready when its probe has found it so', async () => {
    const world = await readyWorld();
    const readinessProbe = { initialDelaySeconds: 30, httpGet: { path: '/', port: 80 } };
    await world.place({ name: 'slow', container: { readinessProbe } });
    await world.clock.advance(20_000);
    const before = conditionsOf(await world.pod('slow'))['Ready'];
    await world.clock.advance(30_000);
    expect([before, conditionsOf(await world.pod('slow'))['Ready']]).toEqual([
      'False ContainersNotReady',
      'True',
    ]);
  });

  test('is not ready while a gate of its is closed, and its kubelet leaves the gate alone', async () => {
    const world = await readyWorld();
    await world.place({
      name: 'gated',
      spec: { readinessGates: [{ conditionType: 'example.com/up' }] },
    });
    await world.clock.advance(20_000);
    const before = conditionsOf(await world.pod('gated'))['Ready'];
    const current = await world.pod('gated');
    const conditions = [
      ...objectsAt(current, 'status', 'conditions'),
      { type: 'example.com/up', status: 'True' },
    ];
    await world.send('PATCH /api/v1/namespaces/default/pods/gated/status', {
      status: { conditions },
    });
    await world.clock.advance(10_000);
    const after = conditionsOf(await world.pod('gated'));
    expect([before, after['Ready'], after['example.com/up']]).toEqual([
      'False ReadinessGatesNotReady',
      'True',
      'True',
    ]);
  });

  test('runs its init containers one after the other, and its sidecars beside', async () => {
    const world = await readyWorld();
    const image = 'registry/app:1';
    await world.place({
      name: 'staged',
      spec: {
        initContainers: [
          { name: 'proxy', image, restartPolicy: 'Always' },
          { name: 'first', image, command: ['sleep', '20'] },
          { name: 'second', image, command: ['sleep', '20'] },
        ],
      },
    });
    const states = async () =>
      objectsAt(await world.pod('staged'), 'status', 'initContainerStatuses').map(
        (one) => Object.keys(objectAt(one, 'state') ?? {})[0],
      );
    await world.clock.advance(15_000);
    const early = [await states(), phaseOf(await world.pod('staged'))];
    await world.clock.advance(45_000);
    const pod = await world.pod('staged');
    expect([early, await states(), phaseOf(pod), conditionsOf(pod)['Ready']]).toEqual([
      [['running', 'running', 'waiting'], 'Pending'],
      ['running', 'terminated', 'terminated'],
      'Running',
      'True',
    ]);
  });
});

describe('a pod that ends', () => {
  test.each([
    ['succeeds', { 'emulator.karpenter.sh/runs-for': '20s' }, 'Succeeded'],
    [
      'fails',
      { 'emulator.karpenter.sh/runs-for': '20s', 'emulator.karpenter.sh/exit-code': '2' },
      'Failed',
    ],
  ])('%s as its program does', async (_, annotations, phase) => {
    const world = await readyWorld();
    await world.place({ name: 'task', annotations, spec: { restartPolicy: 'Never' } });
    await world.clock.advance(15_000);
    const running = phaseOf(await world.pod('task'));
    await world.clock.advance(20_000);
    const pod = await world.pod('task');
    const messages = objectsAt(pod, 'status', 'conditions').map((one) => textAt(one, 'message'));
    expect([running, phaseOf(pod)]).toEqual(['Running', phase]);
    expect(messages.some((message) => message !== '')).toBe(phase === 'Failed');
  });

  test('is started again when it must not end, ever later', async () => {
    const world = await readyWorld();
    const annotations = { 'emulator.karpenter.sh/runs-for': '1s' };
    await world.place({ name: 'flaky', annotations });
    await world.clock.advance(10_000);
    const waiting = mainOf(await world.pod('flaky'));
    await world.clock.advance(600_000);
    const later = mainOf(await world.pod('flaky'));
    expect([
      at(waiting, 'state', 'waiting', 'reason'),
      at(waiting, 'restartCount'),
      Number(at(later, 'restartCount')) > 4 && Number(at(later, 'restartCount')) < 10,
    ]).toEqual(['CrashLoopBackOff', 1, true]);
  });

  test('completes the job that made it', async () => {
    const world = await readyWorld();
    await world.send('PATCH /api/v1/nodes/aks-one', { spec: { taints: null } });
    await world.send('POST /apis/batch/v1/namespaces/default/jobs', {
      metadata: { name: 'sum' },
      spec: {
        template: {
          spec: {
            restartPolicy: 'Never',
            containers: [{ name: 'main', image: 'busybox', command: ['sleep', '10'] }],
          },
        },
      },
    });
    await world.clock.advance(60_000);
    const { body } = await world.send('GET /apis/batch/v1/namespaces/default/jobs/sum');
    expect(conditionsOf(body)['Complete']).toContain('True');
  });
});

describe('a pod that is deleted', () => {
  const remove = async (world: TestWorld, name: string, graceSeconds?: number) =>
    await world.send(
      `DELETE /api/v1/namespaces/default/pods/${name}`,
      graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds },
    );
  const isThere = async (world: TestWorld, name: string) =>
    (await world.send(`GET /api/v1/namespaces/default/pods/${name}`)).code === 200;

  test('goes when its program has stopped, not before', async () => {
    const world = await readyWorld();
    await world.place({ name: 'web', annotations: { 'emulator.karpenter.sh/stops-in': '20s' } });
    await world.clock.advance(15_000);
    await remove(world, 'web');
    await world.clock.advance(18_000);
    const before = await isThere(world, 'web');
    await world.clock.advance(4000);
    expect([before, await isThere(world, 'web')]).toEqual([true, false]);
  });

  test('is killed at the end of its grace', async () => {
    const world = await readyWorld();
    await world.place({
      name: 'stubborn',
      annotations: { 'emulator.karpenter.sh/stops-in': '1h' },
      metadata: { finalizers: ['example.com/look'] },
    });
    await world.clock.advance(15_000);
    await remove(world, 'stubborn');
    await world.clock.advance(29_000);
    const before = phaseOf(await world.pod('stubborn'));
    await world.clock.advance(3000);
    const pod = await world.pod('stubborn');
    expect([before, phaseOf(pod), at(mainOf(pod), 'state', 'terminated', 'exitCode')]).toEqual([
      'Running',
      'Failed',
      137,
    ]);
  });

  test('goes at once when its grace is cut short', async () => {
    const world = await readyWorld();
    await world.place({
      name: 'web',
      annotations: { 'emulator.karpenter.sh/stops-in': '1h' },
      spec: { terminationGracePeriodSeconds: 3600 },
    });
    await world.clock.advance(15_000);
    await remove(world, 'web');
    await world.clock.advance(60_000);
    const before = await isThere(world, 'web');
    await remove(world, 'web', 5);
    await world.clock.advance(7000);
    expect([before, await isThere(world, 'web')]).toEqual([true, false]);
  });

  test('never starts when it was deleted before', async () => {
    const world = await readyWorld();
    await world.place({ name: 'web' });
    await remove(world, 'web');
    await world.clock.advance(2000);
    expect(await isThere(world, 'web')).toBe(false);
  });

  test('goes when it had ended by itself', async () => {
    const world = await readyWorld();
    const annotations = { 'emulator.karpenter.sh/runs-for': '5s' };
    await world.place({ name: 'task', annotations, spec: { restartPolicy: 'Never' } });
    await world.clock.advance(30_000);
    await remove(world, 'task');
    await world.clock.advance(1000);
    expect(await isThere(world, 'task')).toBe(false);
  });
});

describe('a node that is full', () => {
  const needs = (cpu: string) => ({ resources: { requests: { cpu } } });

  test('refuses a pod that asks for more than is left', async () => {
    const world = await readyWorld();
    await world.place({ name: 'big', container: needs('1500m') });
    await world.clock.advance(10_000);
    await world.place({ name: 'more', container: needs('500m') });
    await world.clock.advance(10_000);
    const pod = await world.pod('more');
    expect([phaseOf(pod), at(pod, 'status', 'reason')]).toEqual(['Failed', 'OutOfcpu']);
  });

  test('takes the next one when a pod has ended', async () => {
    const world = await readyWorld();
    const annotations = { 'emulator.karpenter.sh/runs-for': '5s' };
    const spec = { restartPolicy: 'Never' };
    await world.place({ name: 'task', annotations, spec, container: needs('1500m') });
    await world.clock.advance(30_000);
    await world.place({ name: 'next', container: needs('1500m') });
    await world.clock.advance(10_000);
    expect(phaseOf(await world.pod('next'))).toBe('Running');
  });

  test('refuses more pods than it was told to take', async () => {
    const world = await readyWorld();
    for (let i = 0; i < 31; i++) await world.place({ name: `p${i}` });
    await world.clock.advance(20_000);
    const { body } = await world.send('GET /api/v1/namespaces/default/pods');
    const reasons = objectsAt(body, 'items').map((pod) => textAt(pod, 'status', 'reason'));
    expect(reasons.filter((reason) => reason !== '')).toEqual(['OutOfpods']);
  });
});
