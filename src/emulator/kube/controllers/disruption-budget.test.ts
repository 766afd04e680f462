import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../json.ts';
import { administrator, type ClusterFixture } from './cluster-fixture.ts';
import { address } from './runtime/addresses.ts';
import { podTemplate, startCluster } from './test-cluster.ts';

const labels = { app: 'web' };

async function clusterWith(replicas: number, spec: object): Promise<ClusterFixture> {
  const cluster = await startCluster('a');
  cluster.create({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas, selector: { matchLabels: labels }, template: podTemplate(labels) },
  });
  cluster.create({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', namespace: 'default' },
    spec: { selector: { matchLabels: labels }, ...spec },
  });
  await cluster.live(3);
  return cluster;
}

const status = (cluster: ClusterFixture) =>
  cluster.get(address.budgets, 'web', 'default')!['status'] as Record<string, unknown>;

function evict(cluster: ClusterFixture, name: string): void {
  const metadata = { name, namespace: 'default' };
  cluster.api.create({
    context: administrator,
    resource: address.pods,
    namespace: 'default',
    name,
    subresource: 'eviction',
    object: { apiVersion: 'policy/v1', kind: 'Eviction', metadata },
  });
}

describe('the status of a disruption budget', () => {
  test.each([
    [5, { minAvailable: 3 }, { expectedPods: 5, desiredHealthy: 3, disruptionsAllowed: 2 }],
    [5, { minAvailable: '50%' }, { expectedPods: 5, desiredHealthy: 3, disruptionsAllowed: 2 }],
    [5, { maxUnavailable: 1 }, { expectedPods: 5, desiredHealthy: 4, disruptionsAllowed: 1 }],
    [5, { maxUnavailable: '30%' }, { expectedPods: 5, desiredHealthy: 3, disruptionsAllowed: 2 }],
    [2, { minAvailable: 3 }, { expectedPods: 2, desiredHealthy: 3, disruptionsAllowed: 0 }],
  ])('of %i pods with %j', async (replicas, spec, expected) => {
    const cluster = await clusterWith(replicas, spec);
    expect(status(cluster)).toMatchObject({ currentHealthy: replicas, ...expected });
  });

  test('goes down with every eviction and up again with every replacement', async () => {
    const cluster = await clusterWith(3, { maxUnavailable: 1 });
    const [first, second] = cluster.names(address.pods);
    evict(cluster, first!);
    expect(status(cluster)).toMatchObject({ disruptionsAllowed: 0 });
    expect(() => evict(cluster, second!)).toThrow(/disruption budget/);
    await cluster.live(3);
    expect(status(cluster)).toMatchObject({ currentHealthy: 3, disruptionsAllowed: 1 });
    expect(status(cluster)['disruptedPods'] ?? {}).toEqual({});
  });

  test('counts only pods that are ready', async () => {
    const cluster = await clusterWith(3, { minAvailable: 2 });
    cluster.setRunning(cluster.list(address.pods)[0]!, false);
    await cluster.run();
    expect(status(cluster)).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 0 });
    expect(status(cluster)['conditions']).toMatchObject([
      { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' },
    ]);
  });

  test('forgets an eviction that came to nothing after two minutes', async () => {
    const cluster = await clusterWith(2, { minAvailable: 1 });
    const name = cluster.names(address.pods)[0]!;
    const budget = cluster.get(address.budgets, 'web', 'default')!;
    const disruptedPods = { [name]: '2026-01-01T00:00:03Z' };
    cluster.merge(address.budgets, budget, { status: { disruptedPods } }, 'status');
    await cluster.live(60);
    expect(status(cluster)).toMatchObject({ currentHealthy: 1, disruptionsAllowed: 0 });
    await cluster.live(62);
    expect(status(cluster)).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 1 });
  });
});

describe('pods of a custom resource', () => {
  const scalable = {
    scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
    status: {},
  };

  /** Four pods of a Thing that asks for six, and a budget of one of them. */
  async function clusterWithThing(subresources: JsonObject): Promise<ClusterFixture> {
    const cluster = await startCluster('a');
    const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
    const size = { type: 'object', properties: { size: { type: 'integer' } } };
    const openAPIV3Schema = { type: 'object', properties: { spec: size, status: size } };
    cluster.create({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names,
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources },
        ],
      },
    });
    await cluster.run();
    const thing = cluster.api.create({
      context: administrator,
      resource: { group: 'example.com', version: 'v1', resource: 'things' },
      namespace: 'default',
      object: {
        apiVersion: 'example.com/v1',
        kind: 'Thing',
        metadata: { name: 't' },
        spec: { size: 6 },
      },
    });
    const owner = { apiVersion: 'example.com/v1', kind: 'Thing', name: 't', controller: true };
    for (const name of ['a', 'b', 'c', 'd']) {
      const ownerReferences = [{ ...owner, uid: thing.metadata.uid ?? '' }];
      const metadata = { name, namespace: 'default', labels, ownerReferences };
      cluster.create({ apiVersion: 'v1', kind: 'Pod', ...podTemplate(labels), metadata });
    }
    cluster.create({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace: 'default' },
      spec: { selector: { matchLabels: labels }, maxUnavailable: '50%' },
    });
    await cluster.live(3);
    return cluster;
  }

  test('are expected in the number that its scale says', async () => {
    const cluster = await clusterWithThing(scalable);
    expect(status(cluster)).toMatchObject({
      expectedPods: 6,
      desiredHealthy: 3,
      currentHealthy: 4,
      disruptionsAllowed: 1,
    });
  });

  test('may not be disturbed when it has no scale to ask', async () => {
    const cluster = await clusterWithThing({ status: {} });
    expect(status(cluster)).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [
        {
          type: 'DisruptionAllowed',
          status: 'False',
          reason: 'SyncFailed',
          message: 'things.example.com does not implement the scale subresource',
        },
      ],
    });
  });
});
