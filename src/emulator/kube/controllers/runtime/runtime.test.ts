import { describe, expect, test } from 'vitest';
import { silentLogger } from '../../../../base/log.ts';
import { seededRandom } from '../../../../base/random.ts';
import { VirtualClock } from '../../../../base/virtual-clock.ts';
import { administrator, type ClusterFixture } from '../cluster-fixture.ts';
import { startCluster } from '../test-cluster.ts';
import { address } from './addresses.ts';
import { withCondition } from './condition.ts';
import { Informer, type Change } from './informer.ts';
import { KeyQueue } from './key-queue.ts';
import { ControllerManager } from './manager.ts';

function configMap(cluster: ClusterFixture, name: string, labels: object = {}): void {
  const metadata = { name, namespace: 'default', labels: { ...labels } };
  cluster.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
}

const words = ({ before, after }: Change): string =>
  `${before?.metadata.name ?? '-'} > ${after?.metadata.name ?? '-'}`;

describe('an informer', () => {
  function informerOf(cluster: ClusterFixture) {
    const seen: string[] = [];
    const resource = address.configMaps;
    const informer = new Informer({ api: cluster.api, context: administrator, resource });
    informer.addIndex('app', ({ metadata }) => [metadata.labels?.['app'] ?? '']);
    informer.onChange((change) => {
      const name = (change.after ?? change.before)?.metadata.name ?? '';
      if (name !== 'kube-root-ca.crt') seen.push(words(change));
    });
    return { informer, seen };
  }

  test('tells what was there, what comes, changes and goes, each once', async () => {
    const cluster = await startCluster();
    configMap(cluster, 'a');
    const { informer, seen } = informerOf(cluster);
    informer.start(() => {});
    configMap(cluster, 'b', { app: 'web' });
    informer.drain();
    informer.drain();
    const b = informer.get('default/b')!;
    expect(informer.indexed('app', 'web')).toEqual([b]);
    cluster.merge(address.configMaps, b, { metadata: { labels: { app: 'db' } } });
    cluster.delete(address.configMaps, informer.get('default/a')!);
    informer.drain();
    expect(seen).toEqual(['- > a', '- > b', 'b > b', 'a > -']);
    expect(informer.indexed('app', 'web')).toEqual([]);
    informer.stop();
  });

  test('tells two changes when an object was replaced by another of its name', async () => {
    const cluster = await startCluster();
    configMap(cluster, 'a');
    const { informer, seen } = informerOf(cluster);
    informer.start(() => {});
    cluster.delete(address.configMaps, informer.get('default/a')!);
    configMap(cluster, 'a');
    informer.drain();
    expect(seen).toEqual(['- > a', 'a > -', '- > a']);
    informer.stop();
  });

  test('wakes its owner when there is something to take', async () => {
    const cluster = await startCluster();
    const { informer } = informerOf(cluster);
    let wakes = 0;
    informer.start(() => wakes++);
    informer.drain();
    expect(wakes).toBe(0);
    configMap(cluster, 'a');
    expect(wakes).toBe(1);
    informer.stop();
  });
});

describe('a queue of keys', () => {
  const queueOn = (clock: VirtualClock) => {
    let wakes = 0;
    const queue = new KeyQueue({ clock, wake: () => wakes++, label: 'test' });
    return { queue, wakes: () => wakes };
  };

  test('holds a key once, and of two times the earlier', async () => {
    const clock = new VirtualClock();
    const { queue } = queueOn(clock);
    queue.add('a');
    queue.add('a');
    expect([queue.take(), queue.take()]).toEqual(['a', undefined]);
    queue.add('b', 100);
    queue.add('b', 50);
    queue.add('b', 500);
    await clock.advance(50);
    expect([queue.take(), clock.pending().timers]).toEqual(['b', []]);
  });

  test('brings a failing key back later each time until it succeeds', () => {
    const clock = new VirtualClock();
    const { queue } = queueOn(clock);
    const delays = Array.from({ length: 4 }, () => {
      queue.failed('a');
      const [timer] = clock.pending().timers;
      queue.add('a');
      queue.take();
      return timer?.inMs;
    });
    expect(delays).toEqual([5, 10, 20, 40]);
    queue.succeeded('a');
    queue.failed('a');
    expect(clock.pending().timers[0]?.inMs).toBe(5);
    queue.stop();
    expect(clock.pending().timers).toEqual([]);
  });
});

describe('a manager', () => {
  test('goes on with the others when one controller fails, and tries the failed key again', async () => {
    const cluster = await startCluster();
    const { clock, api } = cluster;
    const done: string[] = [];
    let failures = 2;
    const manager = new ControllerManager({
      api,
      context: administrator,
      clock,
      random: seededRandom(1),
      log: silentLogger,
      controllers: [
        ({ enqueue }) => {
          enqueue('x');
          const reconcile = (key: string): undefined => {
            if (failures-- > 0) throw new Error('not yet');
            done.push(`late ${key}`);
          };
          return { name: 'fails', reconcile };
        },
        ({ enqueue }) => {
          enqueue('y');
          return { name: 'works', reconcile: (key) => void done.push(key) };
        },
      ],
    });
    manager.start();
    await clock.advance(0);
    expect(done).toEqual(['y']);
    await clock.advance(100);
    expect(done).toEqual(['y', 'late x']);
    manager.stop();
  });
});

describe('a condition', () => {
  const nowMs = Date.UTC(2026, 0, 1, 0, 0, 9);
  const before = {
    type: 'Ready',
    status: 'True' as const,
    reason: 'A',
    message: 'm',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };

  test('that says the same leaves the list as it is', () => {
    const list = [before];
    expect(withCondition(list, { ...before }, nowMs)).toBe(list);
  });

  test('keeps its time when only the words change, and moves it with the status', () => {
    const { lastTransitionTime: _, ...said } = before;
    const [reworded] = withCondition([before], { ...said, reason: 'B' }, nowMs);
    expect(reworded?.lastTransitionTime).toBe('2026-01-01T00:00:00Z');
    const [turned] = withCondition([before], { ...said, status: 'False' }, nowMs);
    expect(turned?.lastTransitionTime).toBe('2026-01-01T00:00:09Z');
  });
});
