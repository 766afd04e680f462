// A started cluster for one test: stopped at its end, which must have seen no fault.
import { expect, onTestFinished } from 'vitest';
import { ClusterFixture } from './cluster-fixture.ts';

export async function startCluster(...nodes: readonly string[]): Promise<ClusterFixture> {
  const cluster = await new ClusterFixture().start();
  onTestFinished(() => {
    cluster.stop();
    expect(cluster.faults.slice(0, 2)).toEqual([]);
    expect(cluster.clock.pending()).toEqual({ timers: [], tracked: [] });
  });
  for (const name of nodes) cluster.node(name);
  await cluster.run();
  return cluster;
}

export const podTemplate = (labels: Readonly<Record<string, string>>, spec: object = {}) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image: 'x' }], ...spec },
});
