import { describe, expect, onTestFinished, test } from 'vitest';
import { numberAt } from '../../json.ts';
import { ClusterFixture } from '../cluster-fixture.ts';
import { address } from '../runtime/addresses.ts';
import { findCondition, type Condition } from '../runtime/condition.ts';
import { countOf, revisionAnnotation, sizeOf } from './deployment-view.ts';

async function clusterWith(spec: object = {}): Promise<ClusterFixture> {
  const cluster = await new ClusterFixture().start();
  onTestFinished(() => {
    cluster.stop();
    expect(cluster.faults.slice(0, 2)).toEqual([]);
  });
  for (const name of ['a', 'b', 'c']) cluster.node(name);
  cluster.create({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas: 4,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'c', image: 'web:1' }] },
      },
      ...spec,
    },
  });
  return cluster;
}

const deployment = (cluster: ClusterFixture) => cluster.get(address.deployments, 'web', 'default')!;

function conditionOf(cluster: ClusterFixture, type: string): Condition | undefined {
  const { conditions } = deployment(cluster)['status'] as { conditions?: Condition[] };
  return findCondition(conditions, type);
}

const rollOut = (cluster: ClusterFixture) => cluster.live(20);

function setImage(cluster: ClusterFixture, image: string): void {
  const template = { spec: { containers: [{ name: 'c', image }] } };
  cluster.merge(address.deployments, deployment(cluster), { spec: { template } });
}

const sizes = (cluster: ClusterFixture) =>
  cluster
    .list(address.replicaSets)
    .toSorted((a, b) => revision(a) - revision(b))
    .map((set) => sizeOf(set));

function revision(set: { metadata: { annotations?: Readonly<Record<string, string>> } }): number {
  return Number(set.metadata.annotations?.[revisionAnnotation]);
}

describe('a deployment', () => {
  test('becomes a replica set and pods that run', async () => {
    const cluster = await clusterWith();
    await rollOut(cluster);
    const status = deployment(cluster)['status'] as object;
    expect(status).toMatchObject({
      observedGeneration: 1,
      replicas: 4,
      updatedReplicas: 4,
      readyReplicas: 4,
      availableReplicas: 4,
    });
    expect(conditionOf(cluster, 'Available')).toMatchObject({
      status: 'True',
      reason: 'MinimumReplicasAvailable',
    });
    expect(conditionOf(cluster, 'Progressing')).toMatchObject({
      status: 'True',
      reason: 'NewReplicaSetAvailable',
    });
    expect(deployment(cluster).metadata.annotations?.[revisionAnnotation]).toBe('1');
  });

  test('goes through a rolling update one surge at a time', async () => {
    const cluster = await clusterWith();
    await rollOut(cluster);
    setImage(cluster, 'web:2');
    await cluster.run();
    expect(sizes(cluster)).toEqual([3, 2]);
    await rollOut(cluster);
    expect(sizes(cluster)).toEqual([0, 4]);
    expect(deployment(cluster).metadata.annotations?.[revisionAnnotation]).toBe('2');
  });

  test('is rolled back by writing the old template, which makes the old set the newest', async () => {
    const cluster = await clusterWith();
    await rollOut(cluster);
    setImage(cluster, 'web:2');
    await rollOut(cluster);
    setImage(cluster, 'web:1');
    await rollOut(cluster);
    const sets = cluster.list(address.replicaSets);
    expect(sets).toHaveLength(2);
    const current = sets.find((set) => revision(set) === 3)!;
    expect(sizeOf(current)).toBe(4);
    expect(current.metadata.annotations?.['deployment.kubernetes.io/revision-history']).toBe('1');
  });

  test('with Recreate has no two revisions at once', async () => {
    const cluster = await clusterWith({ strategy: { type: 'Recreate' } });
    await rollOut(cluster);
    setImage(cluster, 'web:2');
    await cluster.run();
    expect(sizes(cluster)).toEqual([0, 0]);
    await rollOut(cluster);
    expect(sizes(cluster)).toEqual([0, 4]);
  });

  test('is scaled but not rolled out while paused', async () => {
    const cluster = await clusterWith();
    await rollOut(cluster);
    cluster.merge(address.deployments, deployment(cluster), {
      spec: { paused: true, replicas: 6 },
    });
    setImage(cluster, 'web:2');
    await rollOut(cluster);
    expect(sizes(cluster)).toEqual([6]);
    expect(conditionOf(cluster, 'Progressing')?.reason).toBe('DeploymentPaused');
    cluster.merge(address.deployments, deployment(cluster), { spec: { paused: false } });
    await rollOut(cluster);
    expect(sizes(cluster)).toEqual([0, 6]);
  });

  test('says that it is stuck after its deadline', async () => {
    const cluster = await clusterWith({ progressDeadlineSeconds: 60 });
    await cluster.run(59_000);
    expect(conditionOf(cluster, 'Progressing')?.status).toBe('True');
    await cluster.run(2_000);
    expect(conditionOf(cluster, 'Progressing')).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
    });
    await rollOut(cluster);
    expect(conditionOf(cluster, 'Progressing')?.reason).toBe('NewReplicaSetAvailable');
  });

  test('keeps as many old sets as its history allows', async () => {
    const cluster = await clusterWith({ revisionHistoryLimit: 1 });
    await rollOut(cluster);
    for (const image of ['web:2', 'web:3', 'web:4']) {
      setImage(cluster, image);
      await rollOut(cluster);
    }
    expect(
      cluster
        .list(address.replicaSets)
        .map(revision)
        .toSorted((a, b) => a - b),
    ).toEqual([3, 4]);
  });

  test('takes its pods with it when it is deleted', async () => {
    const cluster = await clusterWith();
    await rollOut(cluster);
    cluster.delete(address.deployments, deployment(cluster));
    await rollOut(cluster);
    expect(cluster.names(address.replicaSets)).toEqual([]);
    expect(cluster.names(address.pods)).toEqual([]);
  });

  test('never has too many pods, nor too few that are available', async () => {
    const cluster = await clusterWith({ replicas: 5 });
    await rollOut(cluster);
    setImage(cluster, 'web:2');
    for (let step = 0; step < 12; step++) {
      await cluster.run(500);
      const pods = cluster.list(address.pods);
      const live = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined);
      expect(live.length).toBeLessThanOrEqual(7);
      expect(
        cluster
          .list(address.replicaSets)
          .reduce((n, set) => n + countOf(set, 'availableReplicas'), 0),
      ).toBeGreaterThanOrEqual(4);
      cluster.kubelets((pod) => step % 3 === 0 || pod.metadata.name.endsWith('2'));
      for (const pod of live) if (step % 4 === 3) cluster.setRunning(pod);
    }
    expect(numberAt(deployment(cluster), 'status', 'updatedReplicas')).toBeGreaterThan(0);
  });
});
