import { describe, expect, test } from 'vitest';
import type { ClusterFixture } from './cluster-fixture.ts';
import { address } from './runtime/addresses.ts';
import { startCluster } from './test-cluster.ts';

const minute = 60_000;

function createCronJob(cluster: ClusterFixture, spec: object = {}): void {
  const pod = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] };
  cluster.create({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick', namespace: 'default' },
    spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template: { spec: pod } } }, ...spec },
  });
}

const theCronJob = (cluster: ClusterFixture) => cluster.get(address.cronJobs, 'tick', 'default')!;

async function finishAll(cluster: ClusterFixture, phase: 'Succeeded' | 'Failed'): Promise<void> {
  for (const pod of cluster.list(address.pods)) cluster.finish(pod, phase);
  await cluster.run();
}

describe('a cron job', () => {
  test('makes a job at every time of its schedule, named after the time', async () => {
    const cluster = await startCluster();
    createCronJob(cluster);
    await cluster.run(5 * minute - 1);
    expect(cluster.names(address.jobs)).toEqual([]);
    await cluster.run(1);
    const scheduled = Date.UTC(2026, 0, 1, 0, 5) / minute;
    expect(cluster.names(address.jobs)).toEqual([`tick-${scheduled}`]);
    expect(theCronJob(cluster)['status']).toMatchObject({
      lastScheduleTime: '2026-01-01T00:05:00Z',
      active: [{ kind: 'Job', name: `tick-${scheduled}` }],
    });
    await cluster.run(10 * minute);
    expect(cluster.names(address.jobs)).toHaveLength(3);
  });

  test.each([
    ['Allow', 2, 2],
    ['Forbid', 1, 1],
    ['Replace', 1, 2],
  ])('with concurrency %s has %i running jobs after two times', async (policy, running, named) => {
    const cluster = await startCluster();
    createCronJob(cluster, { concurrencyPolicy: policy });
    await cluster.run(10 * minute);
    const jobs = cluster.names(address.jobs);
    expect(jobs).toHaveLength(running);
    const last = Date.UTC(2026, 0, 1, 0, 5 * named) / minute;
    expect(jobs).toContain(`tick-${last}`);
  });

  test('keeps as many finished jobs as it is told', async () => {
    const cluster = await startCluster();
    createCronJob(cluster, { successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 0 });
    for (let i = 0; i < 4; i++) {
      await cluster.run(5 * minute);
      await finishAll(cluster, 'Succeeded');
    }
    expect(cluster.names(address.jobs)).toHaveLength(2);
    expect(theCronJob(cluster)['status']).toHaveProperty('lastSuccessfulTime');
  });

  test('rests while suspended and does not make up for it', async () => {
    const cluster = await startCluster();
    createCronJob(cluster, { suspend: true, startingDeadlineSeconds: 30 });
    await cluster.run(12 * minute);
    expect(cluster.names(address.jobs)).toEqual([]);
    cluster.merge(address.cronJobs, theCronJob(cluster), { spec: { suspend: false } });
    await cluster.run();
    expect(cluster.names(address.jobs)).toEqual([]);
    await cluster.run(3 * minute);
    expect(cluster.names(address.jobs)).toHaveLength(1);
  });

  test('goes by its own time zone', async () => {
    const cluster = await startCluster();
    createCronJob(cluster, { schedule: '30 2 * * *', timeZone: 'Europe/Berlin' });
    await cluster.run(90 * minute - 1);
    expect(cluster.names(address.jobs)).toEqual([]);
    await cluster.run(1);
    expect(cluster.names(address.jobs)).toHaveLength(1);
  });
});
