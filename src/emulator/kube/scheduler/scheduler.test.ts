// The scheduler against the emulated server, with the controllers beside it.
import { describe, expect, test } from 'vitest';
import { address } from '../controllers/runtime/addresses.ts';
import type { ClusterFixture } from '../controllers/cluster-fixture.ts';
import { startCluster } from '../controllers/test-cluster.ts';
import { stringAt } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { podOf } from './objects.ts';

const events = { group: '', version: 'v1', resource: 'events' };

function pod(cluster: ClusterFixture, name: string, spec: object = {}, cpu = '1'): ApiObject {
  const containers = [{ name: 'c', image: 'x', resources: { requests: { cpu } } }];
  const metadata = { name, namespace: 'default' };
  return cluster.create({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers, ...spec } });
}

const get = (cluster: ClusterFixture, name: string) => cluster.get(address.pods, name, 'default')!;
const nodeOf = (cluster: ClusterFixture, name: string) => podOf(get(cluster, name)).spec.nodeName;
const scheduled = (cluster: ClusterFixture, name: string) =>
  podOf(get(cluster, name)).status?.conditions?.find(({ type }) => type === 'PodScheduled');
const said = (cluster: ClusterFixture, name: string) =>
  cluster
    .list(events, 'default')
    .filter((event) => stringAt(event, 'involvedObject', 'name') === name)
    .map((event) => `${stringAt(event, 'reason')}: ${stringAt(event, 'message')}`);

function priorityClass(cluster: ClusterFixture, name: string, value: number): void {
  const kind = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' };
  cluster.create({ ...kind, metadata: { name }, value });
}

describe('a pod', () => {
  test('is bound to a node, and an event says so', async () => {
    const cluster = await startCluster('a');
    pod(cluster, 'web');
    await cluster.run();
    expect(nodeOf(cluster, 'web')).toBe('a');
    expect(scheduled(cluster, 'web')?.status).toBe('True');
    expect(said(cluster, 'web')).toEqual(['Scheduled: Successfully assigned default/web to a']);
  });

  test('that fits nowhere says why, and is bound as soon as a node comes', async () => {
    const cluster = await startCluster('a');
    pod(cluster, 'web', {}, '9');
    await cluster.run();
    const message =
      '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.';
    expect(scheduled(cluster, 'web')).toMatchObject({
      status: 'False',
      reason: 'Unschedulable',
      message,
    });
    expect(said(cluster, 'web')).toEqual([`FailedScheduling: ${message}`]);
    cluster.node('b', { cpu: '16' });
    await cluster.run();
    expect(nodeOf(cluster, 'web')).toBe('b');
  });

  test('takes the room that another leaves', async () => {
    const cluster = await startCluster('a');
    pod(cluster, 'first', {}, '4');
    await cluster.live(1);
    pod(cluster, 'second', {}, '4');
    await cluster.run();
    expect(nodeOf(cluster, 'second')).toBeUndefined();
    cluster.delete(address.pods, get(cluster, 'first'));
    await cluster.live(2);
    expect(nodeOf(cluster, 'second')).toBe('a');
  });

  test('waits behind its gates', async () => {
    const cluster = await startCluster('a');
    pod(cluster, 'web', { schedulingGates: [{ name: 'example.com/wait' }] });
    await cluster.run(30_000);
    expect(nodeOf(cluster, 'web')).toBeUndefined();
    expect(scheduled(cluster, 'web')?.reason).toBe('SchedulingGated');
    cluster.merge(address.pods, get(cluster, 'web'), { spec: { schedulingGates: null } });
    await cluster.run();
    expect(nodeOf(cluster, 'web')).toBe('a');
  });

  test('of another scheduler is left alone', async () => {
    const cluster = await startCluster('a');
    pod(cluster, 'web', { schedulerName: 'mine' });
    await cluster.run(60_000);
    expect([nodeOf(cluster, 'web'), scheduled(cluster, 'web')]).toEqual([undefined, undefined]);
  });

  test('is not written again and again while nothing changes', async () => {
    const cluster = await startCluster('a');
    pod(cluster, 'web', {}, '9');
    await cluster.run();
    const { resourceVersion } = get(cluster, 'web').metadata;
    for (let i = 0; i < 30; i++) {
      await cluster.run(1_000);
      cluster.heartbeat();
    }
    expect(get(cluster, 'web').metadata.resourceVersion).toBe(resourceVersion);
  });
});

describe('an important pod', () => {
  test('sends less important ones away, gracefully, and takes their place', async () => {
    const cluster = await startCluster('a');
    priorityClass(cluster, 'high', 1000);
    pod(cluster, 'low', {}, '3');
    await cluster.live(1);
    pod(cluster, 'high', { priorityClassName: 'high' }, '3');
    await cluster.run();
    const victim = get(cluster, 'low');
    expect(victim.metadata.deletionTimestamp).toBeDefined();
    expect(podOf(victim).status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'DisruptionTarget', reason: 'PreemptionByScheduler' }),
    );
    expect(podOf(get(cluster, 'high')).status?.nominatedNodeName).toBe('a');
    const { uid } = get(cluster, 'high').metadata;
    expect(said(cluster, 'low')).toContain(`Preempted: Preempted by pod ${uid} on node a`);
    await cluster.live(2);
    expect(nodeOf(cluster, 'high')).toBe('a');
  });

  test('keeps its promised place against newcomers', async () => {
    const cluster = await startCluster('a');
    priorityClass(cluster, 'high', 1000);
    pod(cluster, 'low', {}, '3');
    await cluster.live(1);
    pod(cluster, 'high', { priorityClassName: 'high' }, '3');
    await cluster.run();
    pod(cluster, 'newcomer', {}, '3');
    cluster.delete(address.pods, get(cluster, 'low'), { gracePeriodSeconds: 0 });
    await cluster.run();
    expect([nodeOf(cluster, 'high'), nodeOf(cluster, 'newcomer')]).toEqual(['a', undefined]);
  });

  test('goes before others that came earlier', async () => {
    const cluster = await startCluster();
    priorityClass(cluster, 'high', 1000);
    pod(cluster, 'first', {}, '3');
    pod(cluster, 'second', { priorityClassName: 'high' }, '3');
    await cluster.run();
    cluster.node('a');
    await cluster.run();
    expect([nodeOf(cluster, 'first'), nodeOf(cluster, 'second')]).toEqual([undefined, 'a']);
  });
});

describe('many pods', () => {
  test('of a few shapes are all bound, and no node is given more than it has', async () => {
    const cluster = await startCluster();
    for (let i = 0; i < 10; i++) cluster.node(`n${i}`, { zone: `${i % 3}` });
    for (let i = 0; i < 90; i++) pod(cluster, `p${i}`, {}, i % 3 === 0 ? '500m' : '250m');
    await cluster.run();
    const used = new Map<string, number>();
    for (const object of cluster.list(address.pods)) {
      const { nodeName = '', containers } = podOf(object).spec;
      const cpu = containers[0]!.resources!.requests!['cpu'] === '500m' ? 500 : 250;
      used.set(nodeName, (used.get(nodeName) ?? 0) + cpu);
    }
    expect(used.has('')).toBe(false);
    expect(Math.max(...used.values())).toBeLessThanOrEqual(4000);
  });
});
