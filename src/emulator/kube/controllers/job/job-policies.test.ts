import { describe, expect, test } from 'vitest';
import { stringAt } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import type { ClusterFixture } from '../cluster-fixture.ts';
import { address } from '../runtime/addresses.ts';
import { startCluster } from '../test-cluster.ts';
import { judgeFailure } from './failure-policy.ts';
import { satisfiedRule } from './success-policy.ts';

async function startJob(spec: object): Promise<ClusterFixture> {
  const cluster = await startCluster('a');
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] } };
  cluster.create({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'work', namespace: 'default' },
    spec: { template, ...spec },
  });
  await cluster.run();
  return cluster;
}

const theJob = (cluster: ClusterFixture) => cluster.get(address.jobs, 'work', 'default')!;
const status = (cluster: ClusterFixture) => theJob(cluster)['status'] as Record<string, unknown>;
const conditions = (cluster: ClusterFixture) =>
  (status(cluster)['conditions'] ?? []) as { type: string; reason: string; message: string }[];
const reasons = (cluster: ClusterFixture) =>
  conditions(cluster).map(({ type, reason }) => `${type} ${reason}`);
const live = (cluster: ClusterFixture) =>
  cluster
    .list(address.pods)
    .filter((pod) => !['Succeeded', 'Failed'].includes(stringAt(pod, 'status', 'phase') ?? ''))
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined);
const indexOf = (pod: ApiObject) =>
  pod.metadata.annotations?.['batch.kubernetes.io/job-completion-index'];
const ofIndex = (cluster: ClusterFixture, index: number) =>
  live(cluster).find((pod) => indexOf(pod) === `${index}`)!;

async function end(cluster: ClusterFixture, pod: ApiObject, exitCode: number) {
  const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
  const state = {
    terminated: { exitCode, finishedAt: new Date(cluster.clock.now()).toISOString() },
  };
  const containerStatuses = [
    { name: 'c', image: 'x', imageID: '', ready: false, restartCount: 0, state },
  ];
  cluster.merge(address.pods, pod, { status: { phase, containerStatuses } }, 'status');
  await cluster.run();
}

const onExit = (action: string, ...values: number[]) => ({
  action,
  onExitCodes: { operator: 'In', values },
});

describe('a job with a failure policy', () => {
  test('fails at once, in words, on an exit code that ends it all', async () => {
    const cluster = await startJob({
      parallelism: 2,
      completions: 2,
      podFailurePolicy: { rules: [onExit('FailJob', 42)] },
    });
    const [failed] = live(cluster);
    await end(cluster, failed!, 42);
    await cluster.live(3);
    expect(reasons(cluster)).toEqual(['FailureTarget PodFailurePolicy', 'Failed PodFailurePolicy']);
    expect(conditions(cluster)[1]?.message).toBe(
      `Container c for pod default/${failed!.metadata.name} failed with exit code 42 matching FailJob rule at index 0`,
    );
    // The one that was still running has failed with it.
    expect(status(cluster)).toMatchObject({ failed: 2 });
    expect(live(cluster)).toEqual([]);
  });

  test('does not count what it is told to ignore, and counts the rest', async () => {
    const cluster = await startJob({
      backoffLimit: 0,
      podFailurePolicy: {
        rules: [
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
          onExit('Count', 1),
        ],
      },
    });
    const disrupted = live(cluster)[0]!;
    const condition = { type: 'DisruptionTarget', status: 'True', reason: 'Preempted' };
    cluster.merge(address.pods, disrupted, { status: { conditions: [condition] } }, 'status');
    await end(cluster, disrupted, 137);
    await cluster.run(10_000);
    expect([status(cluster)['failed'], live(cluster).length]).toEqual([undefined, 1]);
    await end(cluster, live(cluster)[0]!, 1);
    expect([status(cluster)['failed'], reasons(cluster).at(-1)]).toEqual([
      1,
      'Failed BackoffLimitExceeded',
    ]);
  });

  test('replaces a pod that is being deleted only when it is gone', async () => {
    const cluster = await startJob({ podFailurePolicy: { rules: [onExit('FailJob', 42)] } });
    cluster.setRunning(live(cluster)[0]!);
    await cluster.run();
    cluster.delete(address.pods, live(cluster)[0]!);
    await cluster.run(1_000);
    expect([live(cluster).length, status(cluster)['terminating']]).toEqual([0, 1]);
  });

  const pod = (containerStatuses: object[], conditions: object[] = []): ApiObject =>
    ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'n' },
      status: { containerStatuses, conditions },
    }) as unknown as ApiObject;
  const ended = (name: string, exitCode: number) => ({ name, state: { terminated: { exitCode } } });

  test.each([
    ['the first rule that matches', [onExit('Count', 1), onExit('FailJob', 1)], 'Count'],
    ['no rule', [onExit('Count', 2)], undefined],
    ['NotIn', [{ action: 'Ignore', onExitCodes: { operator: 'NotIn', values: [3] } }], 'Ignore'],
    [
      'another container',
      [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1], containerName: 'b' } }],
      undefined,
    ],
  ] as const)('goes by %s', (_, rules, action) => {
    const failed = pod([ended('a', 1), ended('b', 0)]);
    expect(judgeFailure({ rules } as never, failed)?.action).toBe(action);
  });

  test('never matches a container that ended well or has not ended', () => {
    const rules = [{ action: 'FailJob', onExitCodes: { operator: 'NotIn', values: [1] } }];
    const running = { name: 'b', state: { running: {} } };
    expect(judgeFailure({ rules } as never, pod([ended('a', 0), running]))).toBeUndefined();
  });
});

describe('a job with a success policy', () => {
  test('is complete when its leader is, and stops the others without calling them failed', async () => {
    const cluster = await startJob({
      completions: 3,
      parallelism: 3,
      completionMode: 'Indexed',
      successPolicy: { rules: [{ succeededIndexes: '0' }] },
    });
    await end(cluster, ofIndex(cluster, 1), 0);
    expect(reasons(cluster)).toEqual([]);
    await end(cluster, ofIndex(cluster, 0), 0);
    await cluster.live(3);
    expect(reasons(cluster)).toEqual([
      'SuccessCriteriaMet SuccessPolicy',
      'Complete SuccessPolicy',
    ]);
    expect(conditions(cluster)[1]?.message).toBe('Matched rules at index 0');
    expect(status(cluster)).toMatchObject({ succeeded: 2, completedIndexes: '0,1' });
    expect([status(cluster)['failed'], live(cluster)]).toEqual([undefined, []]);
  });

  test.each([
    ['all of the named', [{ succeededIndexes: '0-1' }], [0, 2], undefined],
    ['all of the named', [{ succeededIndexes: '0-1' }], [0, 1], 'Matched rules at index 0'],
    [
      'some of the named',
      [{ succeededIndexes: '0-2', succeededCount: 1 }],
      [2],
      'Matched rules at index 0',
    ],
    [
      'any of them',
      [{ succeededIndexes: '3' }, { succeededCount: 2 }],
      [0, 1],
      'Matched rules at index 1',
    ],
    ['none yet', [{ succeededCount: 0 }], [], undefined],
  ])('asks for %s', (_, rules, done, message) => {
    expect(satisfiedRule({ rules }, 4, new Set(done))).toBe(message);
  });
});

describe('a job with a limit per index', () => {
  const perIndex = { completions: 2, parallelism: 2, completionMode: 'Indexed' };

  test('gives up one index and goes on with the other', async () => {
    const cluster = await startJob({ ...perIndex, backoffLimitPerIndex: 1 });
    const failures = (pod: ApiObject) =>
      pod.metadata.annotations?.['batch.kubernetes.io/job-index-failure-count'];
    expect(live(cluster).map(failures)).toEqual(['0', '0']);
    await end(cluster, ofIndex(cluster, 0), 1);
    // The failed pod stays until its successor knows its count.
    expect(cluster.list(address.pods).flatMap((pod) => pod.metadata.finalizers ?? [])).toHaveLength(
      2,
    );
    await cluster.run(10_000);
    expect(failures(ofIndex(cluster, 0))).toBe('1');
    await end(cluster, ofIndex(cluster, 0), 1);
    await cluster.run(60_000);
    expect(ofIndex(cluster, 0)).toBeUndefined();
    expect(status(cluster)).toMatchObject({ failedIndexes: '0', failed: 2 });
    await end(cluster, ofIndex(cluster, 1), 0);
    expect(reasons(cluster)).toEqual(['FailureTarget FailedIndexes', 'Failed FailedIndexes']);
    expect(status(cluster)).toMatchObject({ completedIndexes: '1', failedIndexes: '0' });
  });

  test('gives up an index at once when its policy says so', async () => {
    const cluster = await startJob({
      ...perIndex,
      backoffLimitPerIndex: 5,
      podFailurePolicy: { rules: [onExit('FailIndex', 9)] },
    });
    await end(cluster, ofIndex(cluster, 1), 9);
    expect(status(cluster)).toMatchObject({ failedIndexes: '1' });
  });

  test('fails when more indexes fail than it allows', async () => {
    const cluster = await startJob({ ...perIndex, backoffLimitPerIndex: 0, maxFailedIndexes: 0 });
    await end(cluster, ofIndex(cluster, 1), 1);
    await cluster.live(2);
    expect(reasons(cluster).at(-1)).toBe('Failed MaxFailedIndexesExceeded');
  });
});

test('a job of another manager is left alone', async () => {
  const cluster = await startJob({ managedBy: 'example.com/other' });
  expect([live(cluster), status(cluster)]).toEqual([[], {}]);
});

test('a job that is suspended removes its pods without calling them failed', async () => {
  const cluster = await startJob({ backoffLimit: 0 });
  cluster.merge(address.jobs, theJob(cluster), { spec: { suspend: true } });
  await cluster.live(3);
  expect([live(cluster), status(cluster)['failed'], reasons(cluster)]).toEqual([
    [],
    undefined,
    ['Suspended JobSuspended'],
  ]);
});
