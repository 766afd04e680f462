import { expect, test } from 'vitest';
import { objectAt, textAt } from '../json.ts';
import { startCluster } from '../controllers/test-cluster.ts';

const services = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' };
const path = '/apis/apiregistration.k8s.io/v1/apiservices';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object' } },
      },
    ],
  },
};

test('says of each group and version that it is served here', async () => {
  const cluster = await startCluster();
  const { body } = await cluster.send('GET', `${path}/v2.autoscaling`);
  expect(body).toMatchObject({
    kind: 'APIService',
    apiVersion: 'apiregistration.k8s.io/v1',
    metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' } },
    spec: {
      group: 'autoscaling',
      version: 'v2',
      groupPriorityMinimum: 17_500,
      versionPriority: 30,
    },
    status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
  });
  const core = await cluster.send('GET', `${path}/v1.`);
  expect(objectAt(core.body, 'spec')).toEqual({
    version: 'v1',
    groupPriorityMinimum: 18_000,
    versionPriority: 1,
  });
});

test('follows definitions as they come and go', async () => {
  const cluster = await startCluster();
  const has = (): boolean => cluster.names(services).includes('v1.example.com');
  const before = has();
  const made = cluster.create(definition);
  await cluster.run();
  const during = has();
  cluster.delete(
    { ...services, group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
    made,
  );
  await cluster.run();
  expect([before, during, has()]).toEqual([false, true, false]);
});

test.each([
  ['POST', path],
  ['DELETE', `${path}/v1.apps`],
  ['PUT', `${path}/v1.apps`],
])('cannot be written: %s %s', async (method, target) => {
  const cluster = await startCluster();
  const object = { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService' };
  const sent = method === 'DELETE' ? undefined : object;
  const { status, body } = await cluster.send(method, target, sent);
  expect([status, textAt(body, 'reason')]).toEqual([405, 'MethodNotAllowed']);
});
