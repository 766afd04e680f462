// How many keys a work queue moves per second: added, handed out and given back, with and without metrics,
// and through a due time. In: a printer. Out: one line per case.
import { systemClock } from '../src/base/clock.ts';
import { MetricsRegistry } from '../src/base/metrics.ts';
import { defaultRateLimits, RateLimiter } from '../src/kube/controller/rate-limiter.ts';
import { WorkQueueMetrics } from '../src/kube/controller/work-queue-metrics.ts';
import { WorkQueue } from '../src/kube/controller/work-queue.ts';

const keys = Array.from({ length: 100_000 }, (_, i) => `default/pod-${i}`);

function newQueue(metrics?: WorkQueueMetrics): WorkQueue {
  const limiter = new RateLimiter({ clock: systemClock, limits: defaultRateLimits });
  return new WorkQueue({ name: 'bench', clock: systemClock, limiter, metrics });
}

async function moveAll(
  queue: WorkQueue,
  add: (queue: WorkQueue, key: string) => void,
): Promise<void> {
  for (const key of keys) add(queue, key);
  for (let moved = 0; moved < keys.length; moved++) {
    const key = await queue.get();
    if (key !== undefined) queue.done(key);
  }
  await queue.shutDown({ drain: false });
}

async function keysPerSecond(work: () => Promise<void>): Promise<number> {
  await work();
  const rounds = 5;
  const startedMs = performance.now();
  for (let round = 0; round < rounds; round++) await work();
  return (rounds * keys.length * 1000) / (performance.now() - startedMs);
}

export const bench = {
  name: 'work-queue',
  description: '100 000 keys added, handed out and given back',
  async run(print: (line: string) => void): Promise<void> {
    const add = (queue: WorkQueue, key: string): void => queue.add(key);
    const addAfter = (queue: WorkQueue, key: string): void => queue.addAfter(key, 1);
    const metrics = new WorkQueueMetrics(new MetricsRegistry());
    const cases: [string, () => Promise<void>][] = [
      ['plain', () => moveAll(newQueue(), add)],
      ['with metrics', () => moveAll(newQueue(metrics), add)],
      ['through a due time', () => moveAll(newQueue(), addAfter)],
    ];
    for (const [name, work] of cases) {
      const rate = await keysPerSecond(work);
      print(`work queue, ${name}: ${Math.round(rate).toLocaleString('en-US')} keys/s`);
    }
  },
};
