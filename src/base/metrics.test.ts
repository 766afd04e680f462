import { describe, expect, test } from 'vitest';
import { GaugeStore } from './gauge-store.ts';
import { exponentialBuckets, MetricsRegistry } from './metrics.ts';

async function seriesOf(registry: MetricsRegistry): Promise<string[]> {
  const text = await registry.text();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

describe('metrics', () => {
  test('are read as Prometheus text', async () => {
    const registry = new MetricsRegistry();
    const created = registry.counter({ name: 'created_total', help: 'Created.', labels: ['pool'] });
    created.add({ pool: 'a' });
    created.add({ pool: 'a' }, 2);
    const depth = registry.gauge({ name: 'depth', help: 'Depth.' });
    depth.set(4);
    depth.add({}, -1);
    expect(registry.contentType).toContain('text/plain');
    expect(await seriesOf(registry)).toEqual(['created_total{pool="a"} 3', 'depth 3']);
  });

  test('series are deleted by part of their labels', async () => {
    const registry = new MetricsRegistry();
    const labels = ['nodepool', 'zone'];
    const gauge = registry.gauge({ name: 'g', help: 'g', labels });
    for (const nodepool of ['a', 'b']) {
      for (const zone of ['1', '2']) gauge.set(1, { nodepool, zone });
    }
    expect(gauge.deleteMatching({ nodepool: 'a' })).toBe(2);
    expect(gauge.deleteMatching({ nodepool: 'a' })).toBe(0);
    expect(await seriesOf(registry)).toEqual([
      'g{nodepool="b",zone="1"} 1',
      'g{nodepool="b",zone="2"} 1',
    ]);
  });

  test('a histogram and a summary lose all their series with a label set', async () => {
    const registry = new MetricsRegistry();
    const histogram = registry.histogram({ name: 'h', help: 'h', labels: ['l'], buckets: [1, 2] });
    const summary = registry.summary({ name: 's', help: 's', labels: ['l'], quantiles: [0.5] });
    histogram.observe(1.5, { l: 'x' });
    summary.observe(3, { l: 'x' });
    expect(await seriesOf(registry)).toContain('h_bucket{le="2",l="x"} 1');
    expect([histogram.deleteMatching({ l: 'x' }), summary.deleteMatching({})]).toEqual([1, 1]);
    expect(await seriesOf(registry)).toEqual([]);
  });

  test('reset forgets everything; two registries never mix', async () => {
    const [one, two] = [new MetricsRegistry(), new MetricsRegistry()];
    const counter = one.counter({ name: 'c', help: 'c', labels: ['l'] });
    two.counter({ name: 'c', help: 'c', labels: ['l'] });
    counter.add({ l: '1' });
    expect(await seriesOf(two)).toEqual([]);
    counter.reset();
    expect(counter.deleteMatching({ l: '1' })).toBe(0);
    two.collectRuntime();
    expect((await two.text()).includes('process_cpu_seconds_total')).toBe(true);
  });

  test('buckets grow by their factor', () => {
    expect(exponentialBuckets(1, 2, 4)).toEqual([1, 2, 4, 8]);
  });
});

describe('gauges that follow an object', () => {
  test('show exactly its series of now, and none when it is gone', async () => {
    const registry = new MetricsRegistry();
    const gauge = registry.gauge({ name: 'usage', help: 'u', labels: ['pool', 'resource'] });
    const store = new GaugeStore();
    const value = (resource: string, amount: number) => ({
      gauge,
      labels: { pool: 'a', resource },
      value: amount,
    });
    store.update('a', [value('cpu', 1), value('memory', 2)]);
    store.update('a', [value('cpu', 3)]);
    expect(await seriesOf(registry)).toEqual(['usage{pool="a",resource="cpu"} 3']);
    store.keepOnly(new Set(['a']));
    expect((await seriesOf(registry)).length).toBe(1);
    store.keepOnly(new Set());
    expect(await seriesOf(registry)).toEqual([]);
  });
});
