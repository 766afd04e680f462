import { describe, expect, test } from 'vitest';
import { stringAt } from '../../json.ts';
import type { ClusterFixture } from '../cluster-fixture.ts';
import { address } from '../runtime/addresses.ts';
import { podTemplate, startCluster } from '../test-cluster.ts';
import { planSet, type OrdinalPod, type SetState } from './plan.ts';

const labels = { app: 'db' };

function createSet(cluster: ClusterFixture, spec: object = {}): void {
  cluster.create({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'default' },
    spec: {
      replicas: 3,
      serviceName: 'db',
      selector: { matchLabels: labels },
      template: podTemplate(labels),
      ...spec,
    },
  });
}

const theSet = (cluster: ClusterFixture) => cluster.get(address.statefulSets, 'db', 'default')!;
const images = (cluster: ClusterFixture) =>
  cluster.list(address.pods).map((pod) => {
    const [container] = (pod['spec'] as { containers: { image: string }[] }).containers;
    return `${pod.metadata.name} ${container!.image}`;
  });

function setImage(cluster: ClusterFixture, image: string): void {
  const template = { spec: { containers: [{ name: 'c', image }] } };
  cluster.merge(address.statefulSets, theSet(cluster), { spec: { template } });
}

describe('a stateful set', () => {
  test('makes its pods in order, each after the one before is ready', async () => {
    const cluster = await startCluster('a', 'b');
    createSet(cluster);
    await cluster.run();
    expect(cluster.names(address.pods)).toEqual(['db-0']);
    await cluster.run(60_000);
    expect(cluster.names(address.pods)).toEqual(['db-0']);
    cluster.kubelets();
    await cluster.run();
    expect(cluster.names(address.pods)).toEqual(['db-0', 'db-1']);
    await cluster.live(5);
    expect(cluster.names(address.pods)).toEqual(['db-0', 'db-1', 'db-2']);
    expect(theSet(cluster)['status']).toMatchObject({ replicas: 3, readyReplicas: 3 });
  });

  test('makes all at once when it may', async () => {
    const cluster = await startCluster('a');
    createSet(cluster, { podManagementPolicy: 'Parallel' });
    await cluster.run();
    expect(cluster.names(address.pods)).toEqual(['db-0', 'db-1', 'db-2']);
  });

  test('removes the highest first and keeps the claims', async () => {
    const cluster = await startCluster('a');
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    createSet(cluster, { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }] });
    for (let i = 0; i < 3; i++) {
      // Nothing binds these claims, so the pods are placed by hand.
      await cluster.run();
      for (const pod of cluster.list(address.pods)) cluster.setRunning(pod);
    }
    await cluster.run();
    expect(cluster.names(address.pods)).toEqual(['db-0', 'db-1', 'db-2']);
    cluster.merge(address.statefulSets, theSet(cluster), { spec: { replicas: 1 } });
    await cluster.run();
    const leaving = () =>
      cluster
        .list(address.pods)
        .filter((pod) => pod.metadata.deletionTimestamp !== undefined)
        .map((pod) => pod.metadata.name);
    await cluster.run(40_000);
    expect([cluster.names(address.pods), leaving()]).toEqual([['db-0'], []]);
    expect(cluster.names(address.claims)).toEqual(['data-db-0', 'data-db-1', 'data-db-2']);
  });

  test('updates from the highest down, one at a time, and not below the partition', async () => {
    const cluster = await startCluster('a');
    const strategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1 } };
    createSet(cluster, { updateStrategy: strategy });
    await cluster.live(8);
    setImage(cluster, 'y');
    await cluster.run();
    const leaving = cluster.list(address.pods).filter((p) => p.metadata.deletionTimestamp);
    expect(leaving.map((pod) => pod.metadata.name)).toEqual(['db-2']);
    await cluster.live(10);
    expect(images(cluster)).toEqual(['db-0 x', 'db-1 y', 'db-2 y']);
    const { currentRevision, updateRevision } = theSet(cluster)['status'] as Record<string, string>;
    expect(currentRevision).not.toBe(updateRevision);
    const all = { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } };
    cluster.merge(address.statefulSets, theSet(cluster), all);
    await cluster.live(10);
    expect(images(cluster)).toEqual(['db-0 y', 'db-1 y', 'db-2 y']);
    expect(stringAt(theSet(cluster), 'status', 'currentRevision')).toBe(updateRevision);
  });

  test('gives a pod its name, its index and its place', async () => {
    const cluster = await startCluster('a');
    createSet(cluster, { replicas: 1, ordinals: { start: 5 } });
    await cluster.run();
    const [pod] = cluster.list(address.pods);
    expect(pod!.metadata.labels).toMatchObject({
      'statefulset.kubernetes.io/pod-name': 'db-5',
      'apps.kubernetes.io/pod-index': '5',
    });
    expect(pod!['spec']).toMatchObject({ hostname: 'db-5', subdomain: 'db' });
  });
});

describe('the next step of a stateful set', () => {
  const pod = (ordinal: number, more: Partial<OrdinalPod> = {}): OrdinalPod => ({
    ordinal,
    revision: 'new',
    isAvailable: true,
    isTerminating: false,
    hasEnded: false,
    ...more,
  });
  const state = (more: Partial<SetState>): SetState => ({
    start: 0,
    replicas: 3,
    isParallel: false,
    updatesPods: true,
    partition: 0,
    currentRevision: 'old',
    updateRevision: 'new',
    pods: [],
    ...more,
  });

  test.each<[string, Partial<SetState>, object]>([
    [
      'fills a gap before anything else',
      { pods: [pod(0), pod(2)] },
      { create: [{ ordinal: 1, revision: 'new' }], remove: [] },
    ],
    [
      'waits for a pod that is going',
      { pods: [pod(0), pod(1, { isAvailable: false, isTerminating: true })] },
      { create: [], remove: [] },
    ],
    [
      'replaces a pod that ended',
      { pods: [pod(0, { hasEnded: true, isAvailable: false })] },
      { create: [], remove: [0] },
    ],
    [
      'removes one surplus pod at a time',
      { replicas: 1, pods: [pod(0), pod(1), pod(2)] },
      { create: [], remove: [2] },
    ],
    [
      'waits for a surplus pod to go',
      { replicas: 1, pods: [pod(0), pod(1), pod(2, { isTerminating: true })] },
      { create: [], remove: [] },
    ],
    [
      'removes all surplus pods at once in parallel',
      { isParallel: true, replicas: 1, pods: [pod(0), pod(1), pod(2)] },
      { create: [], remove: [2, 1] },
    ],
    [
      'leaves updates to people',
      { updatesPods: false, pods: [0, 1, 2].map((i) => pod(i, { revision: 'old' })) },
      { create: [], remove: [] },
    ],
    [
      'holds low ordinals back',
      { partition: 2, pods: [pod(2)] },
      { create: [{ ordinal: 0, revision: 'old' }], remove: [] },
    ],
  ])('%s', (_, given, plan) => {
    expect(planSet(state(given))).toEqual(plan);
  });
});
