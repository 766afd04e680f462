import { describe, expect, test } from 'vitest';
import { stringAt } from '../../json.ts';
import type { ClusterFixture } from '../cluster-fixture.ts';
import { address } from '../runtime/addresses.ts';
import { podTemplate, startCluster } from '../test-cluster.ts';

const labels = { app: 'agent' };

function createSet(cluster: ClusterFixture, spec: object = {}, podSpec: object = {}): void {
  cluster.create({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent', namespace: 'default' },
    spec: { selector: { matchLabels: labels }, template: podTemplate(labels, podSpec), ...spec },
  });
}

const theSet = (cluster: ClusterFixture) => cluster.get(address.daemonSets, 'agent', 'default')!;
const nodesOf = (cluster: ClusterFixture) =>
  cluster
    .list(address.pods)
    .map((pod) => stringAt(pod, 'spec', 'nodeName'))
    .toSorted((a = '', b = '') => (a < b ? -1 : 1));

describe('a daemon set', () => {
  test('has one pod on every node, also on one that comes later or is cordoned', async () => {
    const cluster = await startCluster('a', 'b');
    createSet(cluster);
    await cluster.run();
    expect(nodesOf(cluster)).toEqual(['a', 'b']);
    const node = cluster.node('c');
    cluster.merge(address.nodes, node, { spec: { unschedulable: true } });
    await cluster.live(3);
    expect(nodesOf(cluster)).toEqual(['a', 'b', 'c']);
    expect(theSet(cluster)['status']).toMatchObject({
      desiredNumberScheduled: 3,
      currentNumberScheduled: 3,
      numberReady: 3,
      updatedNumberScheduled: 3,
      numberAvailable: 3,
    });
  });

  test('keeps to the nodes that its selector and its tolerations allow', async () => {
    const cluster = await startCluster('a', 'b', 'c');
    const get = (name: string) => cluster.get(address.nodes, name)!;
    cluster.merge(address.nodes, get('a'), { metadata: { labels: { disk: 'ssd' } } });
    cluster.merge(address.nodes, get('b'), { metadata: { labels: { disk: 'ssd' } } });
    cluster.merge(address.nodes, get('b'), {
      spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] },
    });
    createSet(cluster, {}, { nodeSelector: { disk: 'ssd' } });
    await cluster.run();
    expect(nodesOf(cluster)).toEqual(['a']);
    cluster.merge(address.nodes, get('a'), { metadata: { labels: { disk: 'hdd' } } });
    await cluster.live(2);
    expect(nodesOf(cluster)).toEqual([]);
  });

  test('updates no more nodes at once than may be unavailable', async () => {
    const cluster = await startCluster('a', 'b', 'c');
    createSet(cluster);
    await cluster.live(3);
    const template = { spec: { containers: [{ name: 'c', image: 'y' }] } };
    cluster.merge(address.daemonSets, theSet(cluster), { spec: { template } });
    await cluster.run();
    const leaving = cluster.list(address.pods).filter((p) => p.metadata.deletionTimestamp);
    expect(leaving).toHaveLength(1);
    await cluster.live(10);
    expect(theSet(cluster)['status']).toMatchObject({ updatedNumberScheduled: 3, numberReady: 3 });
    expect(cluster.names(address.controllerRevisions)).toHaveLength(2);
  });

  test('brings the new pod first when it may surge', async () => {
    const cluster = await startCluster('a', 'b');
    const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
    createSet(cluster, { updateStrategy: { type: 'RollingUpdate', rollingUpdate } });
    await cluster.live(3);
    const template = { spec: { containers: [{ name: 'c', image: 'y' }] } };
    cluster.merge(address.daemonSets, theSet(cluster), { spec: { template } });
    await cluster.run();
    expect(cluster.list(address.pods)).toHaveLength(3);
    await cluster.live(10);
    expect(nodesOf(cluster)).toEqual(['a', 'b']);
    expect(theSet(cluster)['status']).toMatchObject({ updatedNumberScheduled: 2 });
  });
});
