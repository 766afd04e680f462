import { describe, expect, test } from 'vitest';
import type { Pod } from '../../api/core.ts';
import { nodes, pods, resourceType } from '../../api/resource-type.ts';
import { podNamed, scriptedCluster, settled } from '../../../test/support/scripted-cluster.ts';
import { InformerSet } from './informer-set.ts';
import { mergePatch } from '../client/patch.ts';

const byNode = (pod: Pod): string[] => [pod.spec.nodeName ?? ''];
const buffers = resourceType<Pod>({
  group: 'autoscaling.x-k8s.io',
  kind: 'CapacityBuffer',
  plural: 'capacitybuffers',
});

function setting(): ReturnType<typeof scriptedCluster> & { informers: InformerSet } {
  const cluster = scriptedCluster();
  cluster.server.serve(pods, nodes);
  return { ...cluster, informers: new InformerSet({ ...cluster, freeze: true }) };
}

/** Names of the pods that a subscriber knows of, as told. */
function replay(informer: ReturnType<typeof podInformer>): Set<string> {
  const known = new Set<string>();
  informer.subscribe((change) => {
    if (change.type === 'deleted') known.delete(change.before.metadata.name);
    else known.add(change.after.metadata.name);
  });
  return known;
}

function podInformer(informers: InformerSet) {
  return informers.for(pods, { indexes: { byNode } });
}

async function stopped({
  informers,
  clock,
  transport,
  server,
}: ReturnType<typeof setting>): Promise<void> {
  await informers.stop();
  await clock.settle();
  expect([clock.pending().timers, transport.open, server.openWatches]).toEqual([[], 0, []]);
}

describe('informers of a program', () => {
  test('are shared by kind and selector, and gather the indexes of all who ask', async () => {
    const { informers, server, clock } = setting();
    const first = informers.for(pods);
    const second = podInformer(informers);
    const other = informers.for(pods, { selector: { namespace: 'kube-system' } });
    expect([second === (first as unknown), other === (first as unknown)]).toEqual([true, false]);
    server.put(pods, podNamed('a'));
    informers.start();
    await settled(clock, informers.synced());
    expect(second.store.byIndex('byNode', '')).toHaveLength(1);
    expect([other.store.size, server.openWatches.length]).toEqual([0, 2]);
    await informers.stop();
  });

  test.each([true, false])(
    'hold the same of a pod whether it was listed, watched or written (binary: %s)',
    async (binary) => {
      const cluster = setting();
      const { informers, server, clock, client } = cluster;
      server.binary = binary;
      const container = { name: 'a', image: 'i', resources: {}, env: [{ name: 'A', value: '1' }] };
      const spec = { containers: [container], dnsPolicy: 'Default' };
      const pod = (name: string): Pod => ({ ...podNamed(name), spec });
      server.put(pods, pod('listed'));
      const { store } = informers.for(pods);
      informers.start();
      await settled(clock, informers.synced());
      server.put(pods, pod('watched'));
      await clock.settle();
      server.openWatches[0]!.muted = true;
      await client.create(pods, pod('written'));
      const { env: _, ...kept } = container;
      const specs = ['listed', 'watched', 'written'].map(
        (name) => store.get(`default/${name}`)?.spec,
      );
      expect(specs).toEqual(Array.from({ length: 3 }, () => ({ containers: [kept] })));
      await stopped(cluster);
    },
  );

  test('are ready when all have seen everything', async () => {
    const cluster = setting();
    const { informers, clock, server } = cluster;
    informers.for(pods);
    informers.for(nodes);
    expect(informers.statuses().map(({ status }) => status.phase)).toEqual(['stopped', 'stopped']);
    server.withdraw(nodes);
    informers.start();
    const synced = informers.synced();
    await clock.settle();
    expect(informers.ready).toBe(false);
    expect(informers.statuses().map(({ type, status }) => [type.kind, status.phase])).toEqual([
      ['Pod', 'watching'],
      ['Node', 'missing'],
    ]);
    server.serve(nodes);
    await settled(clock, synced);
    expect(informers.ready).toBe(true);
    await stopped(cluster);
  });

  test('do not wait for an optional kind that the server does not have', async () => {
    const cluster = setting();
    const { informers, clock, server } = cluster;
    const optional = informers.for(buffers, { optional: true });
    informers.start();
    await settled(clock, informers.synced());
    expect([informers.ready, optional.store.synced, clock.monotonic()]).toEqual([true, false, 0]);
    server.put(buffers, podNamed('late'));
    await clock.advance(30_000);
    expect(optional.store.size).toBe(1);
    await stopped(cluster);
  });

  test('waiting ends with the signal', async () => {
    const { informers } = setting();
    informers.for(pods);
    const stop = new AbortController();
    const waiting = informers.synced(stop.signal);
    stop.abort(new Error('shutting down'));
    await expect(waiting).rejects.toThrow('shutting down');
    await expect(informers.synced(stop.signal)).rejects.toThrow('shutting down');
  });

  test('one asked for while running starts at once, and stopped ones can start again', async () => {
    const cluster = setting();
    const { informers, clock, server } = cluster;
    informers.start();
    const informer = podInformer(informers);
    await settled(clock, informer.synced());
    await informers.stop();
    expect(informer.status.phase).toBe('stopped');
    server.put(pods, podNamed('while-stopped'));
    await clock.settle();
    expect(informer.store.size).toBe(0);
    informers.start();
    await clock.settle();
    expect(informer.store.size).toBe(1);
    await stopped(cluster);
  });
});

describe('our own writes', () => {
  test('are in the cache when the call returns, before the watch tells of them', async () => {
    const cluster = setting();
    const { informers, client, clock, server } = cluster;
    const informer = podInformer(informers);
    const known = replay(informer);
    informers.start();
    await clock.settle();
    server.openWatches[0]!.muted = true;
    const created = await settled(clock, client.create(pods, podNamed('a', { finalizers: ['x'] })));
    expect(informer.store.get(created.metadata)).toEqual(created);
    const labelled = { ...created, metadata: { ...created.metadata, labels: { a: 'b' } } };
    await settled(clock, client.patch(pods, created.metadata, mergePatch(created, labelled)!));
    expect(informer.store.get('default/a')?.metadata.labels).toEqual({ a: 'b' });
    await settled(clock, client.delete(pods, created.metadata));
    expect(informer.store.get('default/a')?.metadata.deletionTimestamp).toBeDefined();
    await settled(clock, client.create(pods, podNamed('b')));
    await settled(clock, client.delete(pods, podNamed('b').metadata));
    expect([...known]).toEqual(['a']);
    // What the watch missed while muted changes nothing once it is read.
    server.openWatches[0]!.close();
    await clock.advance(5000);
    expect([...known]).toEqual(['a']);
    await stopped(cluster);
  });

  test('that were only tried out are not', async () => {
    const { informers, client, clock, server } = setting();
    const informer = podInformer(informers);
    informers.start();
    await clock.settle();
    server.openWatches[0]!.muted = true;
    await settled(clock, client.create(pods, podNamed('a'), { dryRun: true }));
    expect(informer.store.size).toBe(0);
    await settled(clock, client.create(pods, podNamed('b')));
    await settled(clock, client.delete(pods, podNamed('b').metadata, { dryRun: true }));
    expect(informer.store.size).toBe(1);
    await informers.stop();
  });
});
