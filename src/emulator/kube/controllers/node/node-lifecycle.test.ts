import { describe, expect, test } from 'vitest';
import type { Taint } from '../../../../api/core.ts';
import { nodeOf } from '../../scheduler/objects.ts';
import type { ClusterFixture } from '../cluster-fixture.ts';
import { isReady } from '../pods.ts';
import { address } from '../runtime/addresses.ts';
import { podTemplate, startCluster } from '../test-cluster.ts';
import { evictionTimeMs } from './taint-eviction.ts';

const taints = (cluster: ClusterFixture, name = 'a') =>
  (nodeOf(cluster.get(address.nodes, name)!).spec?.taints ?? []).map(
    ({ key, effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`,
  );

const ready = (cluster: ClusterFixture) =>
  nodeOf(cluster.get(address.nodes, 'a')!).status?.conditions?.find(({ type }) => type === 'Ready');

function createPod(cluster: ClusterFixture, spec: object = {}): void {
  const { metadata, spec: base } = podTemplate({ app: 'web' });
  const object = { ...metadata, name: 'web', namespace: 'default' };
  cluster.create({ apiVersion: 'v1', kind: 'Pod', metadata: object, spec: { ...base, ...spec } });
}

const thePod = (cluster: ClusterFixture) => cluster.get(address.pods, 'web', 'default');

describe('a node that goes silent', () => {
  test('is unknown after the grace period, tainted, and its pods are not ready', async () => {
    const cluster = await startCluster('a');
    createPod(cluster);
    await cluster.live(2);
    expect(isReady(thePod(cluster)!)).toBe(true);
    await cluster.run(48_000);
    expect([ready(cluster)?.status, taints(cluster)]).toEqual(['True', []]);
    await cluster.run(3_000);
    expect(ready(cluster)).toMatchObject({ status: 'Unknown', reason: 'NodeStatusUnknown' });
    expect(taints(cluster)).toEqual(['unreachable:NoSchedule', 'unreachable:NoExecute']);
    expect(isReady(thePod(cluster)!)).toBe(false);
  });

  test('is kept ready by its lease alone', async () => {
    const cluster = await startCluster('a');
    const metadata = { name: 'a', namespace: 'kube-node-lease' };
    const lease = cluster.create({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata });
    for (let i = 0; i < 12; i++) {
      await cluster.run(10_000);
      cluster.merge(address.leases, lease, { metadata: { labels: { beat: `${i}` } } });
    }
    await cluster.run();
    expect(ready(cluster)?.status).toBe('True');
  });

  test('is free of taints when it is back', async () => {
    const cluster = await startCluster('a');
    await cluster.run(60_000);
    expect(taints(cluster)).toHaveLength(2);
    cluster.heartbeat();
    await cluster.run();
    expect(taints(cluster)).toEqual([]);
  });

  test('that never spoke has a little longer', async () => {
    const cluster = await startCluster();
    cluster.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } });
    await cluster.run(59_000);
    expect(ready(cluster)).toBeUndefined();
    await cluster.run(2_000);
    expect(ready(cluster)).toMatchObject({ reason: 'NodeStatusNeverUpdated' });
  });

  test('loses its pods after the time that they tolerate it', async () => {
    const cluster = await startCluster('a');
    createPod(cluster);
    await cluster.live(2);
    await cluster.run(52_000);
    await cluster.run(295_000);
    expect(thePod(cluster)?.metadata.deletionTimestamp).toBeUndefined();
    await cluster.run(6_000);
    expect(thePod(cluster)?.metadata.deletionTimestamp).toBeDefined();
    const { conditions } = thePod(cluster)!['status'] as { conditions: { reason?: string }[] };
    expect(conditions.map(({ reason }) => reason)).toContain('DeletionByTaintManager');
  });
});

describe('a condition of a node', () => {
  test.each([
    ['MemoryPressure', 'True', ['memory-pressure:NoSchedule']],
    ['MemoryPressure', 'False', []],
    ['DiskPressure', 'True', ['disk-pressure:NoSchedule']],
    ['PIDPressure', 'True', ['pid-pressure:NoSchedule']],
    ['NetworkUnavailable', 'True', ['network-unavailable:NoSchedule']],
    ['Ready', 'False', ['not-ready:NoSchedule', 'not-ready:NoExecute']],
  ])('%s=%s means the taints %j', async (type, status, expected) => {
    const cluster = await startCluster('a');
    const { conditions = [] } = nodeOf(cluster.get(address.nodes, 'a')!).status ?? {};
    const others = conditions.filter((condition) => condition.type !== type);
    const changed = [...others, { type, status }] as never;
    const node = cluster.get(address.nodes, 'a')!;
    cluster.merge(address.nodes, node, { status: { conditions: changed } }, 'status');
    await cluster.run();
    expect(taints(cluster)).toEqual(expected);
  });

  test('leaves taints of others alone, and a cordon has one of its own', async () => {
    const cluster = await startCluster('a');
    const spec = { unschedulable: true, taints: [{ key: 'mine', effect: 'NoSchedule' }] };
    cluster.merge(address.nodes, cluster.get(address.nodes, 'a')!, { spec });
    await cluster.run();
    expect(taints(cluster)).toEqual(['mine:NoSchedule', 'unschedulable:NoSchedule']);
  });
});

describe('the time until a pod is driven away', () => {
  const nowMs = Date.UTC(2026, 0, 1, 0, 1);
  const taint: Taint = { key: 'x', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' };
  test.each([
    ['is none without a toleration', [], nowMs],
    [
      'is none for a toleration of something else',
      [{ key: 'y', operator: 'Exists' as const }],
      nowMs,
    ],
    ['is never for one without an end', [{ key: 'x', operator: 'Exists' as const }], undefined],
    [
      'is the shortest of several',
      [
        { key: 'x', operator: 'Exists' as const, tolerationSeconds: 300 },
        { operator: 'Exists' as const, tolerationSeconds: 90 },
      ],
      nowMs + 30_000,
    ],
  ])('%s', (_, tolerations, expected) => {
    expect(evictionTimeMs([taint], tolerations, nowMs)).toBe(expected);
  });
});

describe('pods that nobody looks after', () => {
  test('go after their node has been gone for a while', async () => {
    const cluster = await startCluster('a');
    createPod(cluster);
    await cluster.live(2);
    cluster.delete(address.nodes, cluster.get(address.nodes, 'a')!);
    await cluster.run(39_000);
    expect(thePod(cluster)).toBeDefined();
    await cluster.run(25_000);
    expect(thePod(cluster)).toBeUndefined();
  });

  test('go when they are asked to and never had a node', async () => {
    const cluster = await startCluster();
    createPod(cluster, { schedulerName: 'nobody' });
    await cluster.run();
    const pod = thePod(cluster)!;
    cluster.merge(address.pods, pod, { metadata: { finalizers: ['example.com/hold'] } });
    cluster.delete(address.pods, pod);
    cluster.merge(address.pods, thePod(cluster)!, { metadata: { finalizers: null } });
    await cluster.run(21_000);
    expect(thePod(cluster)).toBeUndefined();
  });
});

test('greets a node and sees it off in events, and gives its facts their old names too', async () => {
  const cluster = await startCluster();
  const labels = { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'arm64' };
  const node = cluster.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a', labels } });
  await cluster.run();
  expect(cluster.get(address.nodes, 'a')?.metadata.labels).toEqual({
    ...labels,
    'beta.kubernetes.io/os': 'linux',
    'beta.kubernetes.io/arch': 'arm64',
  });
  cluster.delete(address.nodes, node);
  await cluster.run();
  const events = cluster.list({ group: '', version: 'v1', resource: 'events' });
  expect(events.map((event) => [event['reason'], event['message']])).toEqual([
    ['RegisteredNode', 'Node a event: Registered Node a in Controller'],
    ['RemovingNode', 'Node a event: Removing Node a from Controller'],
  ]);
});
