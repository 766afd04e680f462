import { describe, expect, test } from 'vitest';
import type { ClusterFixture } from './cluster-fixture.ts';
import { byUselessness } from './pod-ranking.ts';
import { address } from './runtime/addresses.ts';
import { podTemplate, startCluster } from './test-cluster.ts';
import type { ApiObject } from '../object.ts';

const labels = { app: 'web' };

function createSet(cluster: ClusterFixture, replicas: number): void {
  cluster.create({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas, selector: { matchLabels: labels }, template: podTemplate(labels) },
  });
}

const theSet = (cluster: ClusterFixture) => cluster.get(address.replicaSets, 'web', 'default')!;

describe('a replica set', () => {
  test('makes as many pods as it wants and counts the ready ones', async () => {
    const cluster = await startCluster('a');
    createSet(cluster, 3);
    await cluster.run();
    expect(theSet(cluster)['status']).toMatchObject({ replicas: 3, fullyLabeledReplicas: 3 });
    const [first] = cluster.list(address.pods);
    cluster.setRunning(first!);
    await cluster.run();
    expect(theSet(cluster)['status']).toMatchObject({ readyReplicas: 1, availableReplicas: 1 });
    expect(first!.metadata.ownerReferences).toMatchObject([
      { kind: 'ReplicaSet', name: 'web', controller: true, blockOwnerDeletion: true },
    ]);
  });

  test('replaces a pod that ended', async () => {
    const cluster = await startCluster('a');
    createSet(cluster, 1);
    await cluster.live(2);
    cluster.finish(cluster.list(address.pods)[0]!, 'Failed');
    await cluster.live(2);
    expect(cluster.list(address.pods)).toHaveLength(2);
    expect(theSet(cluster)['status']).toMatchObject({ replicas: 1, readyReplicas: 1 });
  });

  test('adopts an orphan that matches and lets go of a pod that no longer does', async () => {
    const cluster = await startCluster('a');
    const { metadata, spec } = podTemplate(labels);
    const orphan = { ...metadata, name: 'orphan', namespace: 'default' };
    cluster.create({ apiVersion: 'v1', kind: 'Pod', metadata: orphan, spec });
    createSet(cluster, 2);
    await cluster.run();
    expect(cluster.list(address.pods)).toHaveLength(2);
    const adopted = cluster.get(address.pods, 'orphan', 'default')!;
    expect(adopted.metadata.ownerReferences).toMatchObject([{ name: 'web' }]);
    cluster.merge(address.pods, adopted, { metadata: { labels: { app: 'other' } } });
    await cluster.run();
    expect(cluster.list(address.pods)).toHaveLength(3);
    const released = cluster.get(address.pods, 'orphan', 'default')!;
    expect(released.metadata.ownerReferences ?? []).toEqual([]);
  });

  test('waits until a pod has been ready for long enough to call it available', async () => {
    const cluster = await startCluster('a');
    createSet(cluster, 1);
    cluster.merge(address.replicaSets, theSet(cluster), { spec: { minReadySeconds: 10 } });
    await cluster.live(3);
    expect(theSet(cluster)['status']).toMatchObject({ readyReplicas: 1 });
    expect(theSet(cluster)['status']).not.toMatchObject({ availableReplicas: 1 });
    await cluster.run(10_000);
    expect(theSet(cluster)['status']).toMatchObject({ availableReplicas: 1 });
  });
});

describe('when there are too many, the first to go', () => {
  const nowMs = Date.UTC(2026, 0, 2);
  const pod = (name: string, options: Record<string, unknown> = {}): ApiObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      uid: name,
      creationTimestamp: '2026-01-01T00:00:00Z',
      annotations:
        options['cost'] === undefined
          ? {}
          : { 'controller.kubernetes.io/pod-deletion-cost': `${options['cost'] as number}` },
      ...(options['created'] === undefined
        ? {}
        : { creationTimestamp: options['created'] as string }),
    },
    spec: { containers: [], nodeName: (options['node'] as string | undefined) ?? 'n' },
    status: {
      phase: (options['phase'] as string | undefined) ?? 'Running',
      conditions: [
        {
          type: 'Ready',
          status: options['ready'] === false ? 'False' : 'True',
          lastTransitionTime: (options['since'] as string | undefined) ?? '2026-01-01T00:00:00Z',
        },
      ],
      containerStatuses: [{ restartCount: (options['restarts'] as number | undefined) ?? 0 }],
    },
  });

  test.each([
    ['waits for its node', pod('x', { phase: 'Pending', ready: false })],
    ['is not ready', pod('x', { ready: false })],
    ['costs less to delete', pod('x', { cost: -5 })],
    ['became ready much later', pod('x', { since: '2026-01-01T23:00:00Z' })],
    ['restarted more often', pod('x', { restarts: 4 })],
    ['is much younger', pod('x', { created: '2026-01-01T23:00:00Z' })],
  ])('is the one that %s', (_, useless) => {
    const others = [pod('a'), pod('b')];
    const order = byUselessness([...others, useless], [...others, useless], nowMs);
    expect(order[0]?.metadata.name).toBe('x');
  });

  test('is one of the crowded node', () => {
    const pods = [pod('a', { node: 'n' }), pod('x', { node: 'm' })];
    const crowd = [...pods, pod('y', { node: 'm' })];
    expect(byUselessness(pods, crowd, nowMs)[0]?.metadata.name).toBe('x');
  });
});
