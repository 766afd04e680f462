// Sets whose pods the server refuses: they say so, go on trying ever more slowly, and still report what they see.
import { describe, expect, onTestFinished, test } from 'vitest';
import { objectsAt, textAt, type JsonObject } from '../json.ts';
import { ClusterFixture } from './cluster-fixture.ts';
import { address } from './runtime/addresses.ts';
import { podTemplate } from './test-cluster.ts';

const labels = { app: 'web' };
const events = { group: '', version: 'v1', resource: 'events' };
const quotas = { group: '', version: 'v1', resource: 'resourcequotas' };
const refusal = 'failed quota: none: must specify cpu for: c';

/** A cluster with one node and a quota that no pod of ours meets. */
async function startWithQuota(): Promise<ClusterFixture> {
  const cluster = await new ClusterFixture().start();
  onTestFinished(() => cluster.stop());
  cluster.node('a');
  cluster.create({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'none', namespace: 'default' },
    spec: { hard: { cpu: '1' } },
  });
  await cluster.run();
  return cluster;
}

function createSet(cluster: ClusterFixture, kind: string, more: JsonObject = {}): void {
  cluster.create({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'web', namespace: 'default' },
    spec: { selector: { matchLabels: labels }, template: podTemplate(labels), ...more },
  });
}

const failures = (cluster: ClusterFixture): readonly string[] =>
  cluster
    .list(events)
    .filter((event) => event['reason'] === 'FailedCreate')
    .map((event) => textAt(event, 'message'));

describe('a set whose pods the server refuses', () => {
  test('tries again ever more slowly, although each refusal names another pod', async () => {
    const cluster = await startWithQuota();
    createSet(cluster, 'ReplicaSet');
    await cluster.run(1_000);
    const tries = failures(cluster);
    expect(tries[0]).toMatch(/^Error creating: pods "web-\w{5}" is forbidden: failed quota/);
    expect(tries.length).toBeGreaterThan(3);
    expect(tries.length).toBeLessThan(15);
  });

  test('passes its trouble on to its deployment, until there is none', async () => {
    const cluster = await startWithQuota();
    createSet(cluster, 'Deployment');
    await cluster.run(1_000);
    const failure = () =>
      objectsAt(cluster.get(address.deployments, 'web', 'default'), 'status', 'conditions').find(
        ({ type }) => type === 'ReplicaFailure',
      );
    expect(failure()).toMatchObject({ status: 'True', reason: 'FailedCreate' });
    expect(textAt(failure(), 'message')).toContain(refusal);
    cluster.delete(quotas, cluster.get(quotas, 'none', 'default')!);
    await cluster.run(10_000);
    expect(failure()).toBeUndefined();
  });

  test.each([
    [
      'StatefulSet',
      address.statefulSets,
      `Create Pod web-0 in StatefulSet web failed error: pods "web-0" is forbidden: ${refusal}`,
    ],
    ['DaemonSet', address.daemonSets, refusal],
  ])(
    'says so as a %s and reports that it has seen its own change',
    async (kind, resource, said) => {
      const cluster = await startWithQuota();
      createSet(cluster, kind, kind === 'StatefulSet' ? { serviceName: 'web' } : {});
      await cluster.run(1_000);
      expect(failures(cluster)[0]).toContain(said);
      expect(cluster.get(resource, 'web', 'default')?.['status']).toMatchObject({
        observedGeneration: 1,
      });
    },
  );
});
