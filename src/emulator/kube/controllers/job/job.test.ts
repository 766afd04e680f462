import { describe, expect, test } from 'vitest';
import { stringAt } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import type { ClusterFixture } from '../cluster-fixture.ts';
import { address } from '../runtime/addresses.ts';
import { startCluster } from '../test-cluster.ts';
import { formatIndexes, parseIndexes } from './indexes.ts';
import type { JobSpec } from './job-object.ts';
import { planJob, type JobPods } from './job-plan.ts';
import { backoffMs } from './retry-wait.ts';

function createJob(cluster: ClusterFixture, spec: object = {}): void {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] } };
  cluster.create({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'work', namespace: 'default' },
    spec: { template, ...spec },
  });
}

const theJob = (cluster: ClusterFixture) => cluster.get(address.jobs, 'work', 'default');
const status = (cluster: ClusterFixture) => theJob(cluster)!['status'] as Record<string, unknown>;
const live = (cluster: ClusterFixture) =>
  cluster
    .list(address.pods)
    .filter((pod) => !['Succeeded', 'Failed'].includes(stringAt(pod, 'status', 'phase') ?? ''));
const conditions = (cluster: ClusterFixture) =>
  ((status(cluster)['conditions'] ?? []) as { type: string; status: string; reason: string }[]).map(
    (condition) => `${condition.type}=${condition.status} ${condition.reason}`,
  );

async function end(cluster: ClusterFixture, pod: ApiObject, phase: 'Succeeded' | 'Failed') {
  cluster.finish(pod, phase);
  await cluster.run();
}

describe('a job', () => {
  test('is complete when enough of its pods have succeeded', async () => {
    const cluster = await startCluster('a');
    createJob(cluster, { completions: 3, parallelism: 2 });
    await cluster.run();
    expect(live(cluster)).toHaveLength(2);
    await end(cluster, live(cluster)[0]!, 'Succeeded');
    expect(live(cluster)).toHaveLength(2);
    await end(cluster, live(cluster)[0]!, 'Succeeded');
    expect(live(cluster)).toHaveLength(1);
    await end(cluster, live(cluster)[0]!, 'Succeeded');
    expect(status(cluster)).toMatchObject({ succeeded: 3 });
    expect(status(cluster)['completionTime']).toBeDefined();
    expect(conditions(cluster)).toEqual([
      'SuccessCriteriaMet=True CompletionsReached',
      'Complete=True CompletionsReached',
    ]);
    expect(cluster.list(address.pods).flatMap((pod) => pod.metadata.finalizers ?? [])).toEqual([]);
  });

  test('tries again after a failure, later each time, and gives up beyond its limit', async () => {
    const cluster = await startCluster('a');
    createJob(cluster, { backoffLimit: 1 });
    await cluster.run();
    await end(cluster, live(cluster)[0]!, 'Failed');
    expect(live(cluster)).toHaveLength(0);
    await cluster.run(9_000);
    expect(live(cluster)).toHaveLength(0);
    await cluster.run(1_000);
    expect(live(cluster)).toHaveLength(1);
    await end(cluster, live(cluster)[0]!, 'Failed');
    expect(status(cluster)).toMatchObject({ failed: 2 });
    expect(conditions(cluster)).toEqual([
      'FailureTarget=True BackoffLimitExceeded',
      'Failed=True BackoffLimitExceeded',
    ]);
  });

  test('is stopped at its deadline, pods and all', async () => {
    const cluster = await startCluster('a');
    createJob(cluster, { activeDeadlineSeconds: 30 });
    await cluster.live(31);
    await cluster.live(2);
    expect(conditions(cluster)).toContain('Failed=True DeadlineExceeded');
    expect(live(cluster)).toHaveLength(0);
  });

  test('with indexes runs every index until it has succeeded once', async () => {
    const cluster = await startCluster('a');
    createJob(cluster, { completions: 3, parallelism: 3, completionMode: 'Indexed' });
    await cluster.run();
    const index = (pod: ApiObject) =>
      pod.metadata.annotations?.['batch.kubernetes.io/job-completion-index'];
    expect(new Set(live(cluster).map(index))).toEqual(new Set(['0', '1', '2']));
    const of = (wanted: string) => live(cluster).find((pod) => index(pod) === wanted)!;
    await end(cluster, of('2'), 'Succeeded');
    await end(cluster, of('0'), 'Succeeded');
    expect(status(cluster)).toMatchObject({ completedIndexes: '0,2', succeeded: 2 });
    await end(cluster, of('1'), 'Failed');
    await cluster.run(10_000);
    await end(cluster, of('1'), 'Succeeded');
    expect(status(cluster)).toMatchObject({ completedIndexes: '0-2', failed: 1 });
    expect(conditions(cluster)).toContain('Complete=True CompletionsReached');
  });

  test('is deleted some time after it has finished', async () => {
    const cluster = await startCluster('a');
    createJob(cluster, { ttlSecondsAfterFinished: 20 });
    await cluster.run();
    await end(cluster, live(cluster)[0]!, 'Succeeded');
    await cluster.run(19_000);
    expect(theJob(cluster)).toBeDefined();
    await cluster.live(4);
    expect(theJob(cluster)).toBeUndefined();
    expect(cluster.list(address.pods)).toEqual([]);
  });

  test('does nothing while suspended', async () => {
    const cluster = await startCluster('a');
    createJob(cluster, { suspend: true });
    await cluster.run();
    expect([live(cluster).length, conditions(cluster)]).toEqual([
      0,
      ['Suspended=True JobSuspended'],
    ]);
    cluster.merge(address.jobs, theJob(cluster)!, { spec: { suspend: false } });
    await cluster.run();
    expect([live(cluster).length, conditions(cluster)]).toEqual([
      1,
      ['Suspended=False JobResumed'],
    ]);
  });
});

describe('the next step of a job', () => {
  const pods = (more: Partial<JobPods> = {}): JobPods => ({
    active: [],
    terminating: [],
    succeeded: 0,
    failed: 0,
    completedIndexes: new Set(),
    ...more,
  });
  const active = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ name: `p${i}`, index: undefined }));

  test.each<[string, JobSpec, JobPods, readonly [create: number, remove: number]]>([
    ['fills up to its parallelism', { parallelism: 3 }, pods({ active: active(1) }), [2, 0]],
    [
      'asks for no more than is missing',
      { parallelism: 3, completions: 4 },
      pods({ succeeded: 3 }),
      [1, 0],
    ],
    [
      'replaces a pod that is going',
      { parallelism: 1 },
      pods({ terminating: [undefined] }),
      [1, 0],
    ],
    [
      'waits for a pod that is going when only failed ones are replaced',
      { parallelism: 1, podReplacementPolicy: 'Failed' },
      pods({ terminating: [undefined] }),
      [0, 0],
    ],
    [
      'leaves the index of a pod that is going alone',
      {
        parallelism: 2,
        completions: 2,
        completionMode: 'Indexed',
        podReplacementPolicy: 'Failed',
      },
      pods({ terminating: [0] }),
      [1, 0],
    ],
    [
      'removes pods whose index is gone or taken',
      { parallelism: 3, completions: 2, completionMode: 'Indexed' },
      pods({
        active: [
          { name: 'a', index: 0 },
          { name: 'b', index: 0 },
          { name: 'c', index: 7 },
        ],
      }),
      [0, 2],
    ],
    ['removes what is too many', { parallelism: 1 }, pods({ active: active(3) }), [0, 2]],
    [
      'starts nothing new after the first success of a work queue',
      { parallelism: 3 },
      pods({ active: active(1), succeeded: 1 }),
      [0, 0],
    ],
    [
      'removes all when suspended',
      { suspend: true, parallelism: 2 },
      pods({ active: active(2) }),
      [0, 2],
    ],
  ])('%s', (_, spec, given, [create, remove]) => {
    const plan = planJob({ spec, pods: given, activeMs: 0 });
    expect([plan.create.length, plan.remove.length, plan.end]).toEqual([create, remove, undefined]);
  });

  test.each([
    [[], ''],
    [[3], '3'],
    [[0, 1], '0,1'],
    [[2, 0, 1, 5, 7, 6], '0-2,5-7'],
  ])('writes indexes %j as %s', (indexes, text) => {
    expect([formatIndexes(indexes), parseIndexes(text)]).toEqual([text, new Set(indexes)]);
  });

  test('waits ten seconds after the first failure and ten minutes at most', () => {
    expect([0, 1, 2, 3, 20].map(backoffMs)).toEqual([0, 10_000, 20_000, 40_000, 600_000]);
  });
});
