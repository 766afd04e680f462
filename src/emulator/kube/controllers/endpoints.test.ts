import { describe, expect, test } from 'vitest';
import { address } from './runtime/addresses.ts';
import { podTemplate, startCluster } from './test-cluster.ts';

describe('a service', () => {
  test('leads to its ready pods, by endpoints and by slice', async () => {
    const cluster = await startCluster('a');
    cluster.create({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: 'default' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
    });
    const { metadata, spec } = podTemplate({ app: 'web' });
    for (const [name, ip] of [
      ['x', '10.1.0.1'],
      ['y', '10.1.0.2'],
    ]) {
      const place = { ...metadata, name: name!, namespace: 'default' };
      const pod = cluster.create({ apiVersion: 'v1', kind: 'Pod', metadata: place, spec });
      const podIPs = [{ ip: ip! }];
      cluster.merge(address.pods, pod, { status: { podIP: ip!, podIPs } }, 'status');
    }
    await cluster.run();
    cluster.setRunning(cluster.get(address.pods, 'x', 'default')!);
    await cluster.run();
    expect(cluster.get(address.endpoints, 'web', 'default')!['subsets']).toMatchObject([
      {
        addresses: [{ ip: '10.1.0.1', targetRef: { name: 'x' } }],
        notReadyAddresses: [{ ip: '10.1.0.2' }],
        ports: [{ port: 8080, protocol: 'TCP' }],
      },
    ]);
    const [slice] = cluster.list(address.endpointSlices, 'default');
    expect(slice!['endpoints']).toMatchObject([
      { addresses: ['10.1.0.1'], conditions: { ready: true } },
      { addresses: ['10.1.0.2'], conditions: { ready: false } },
    ]);
    expect(slice!.metadata.labels).toMatchObject({ 'kubernetes.io/service-name': 'web' });
  });
});

describe('a resource quota', () => {
  test('shows what is used of what is allowed', async () => {
    const cluster = await startCluster('a');
    const hard = { pods: '5', 'requests.cpu': '2', services: '3', 'count/configmaps': '9' };
    cluster.create({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q', namespace: 'default' },
      spec: { hard },
    });
    const resources = { requests: { cpu: '300m' } };
    const spec = { containers: [{ name: 'c', image: 'x', resources }] };
    for (const name of ['x', 'y']) {
      const metadata = { name, namespace: 'default' };
      cluster.create({ apiVersion: 'v1', kind: 'Pod', metadata, spec });
    }
    await cluster.run();
    const quota = () => cluster.get(address.resourceQuotas, 'q', 'default')!['status'];
    expect(quota()).toMatchObject({
      hard,
      used: { pods: '2', 'requests.cpu': '600m', services: '1', 'count/configmaps': '1' },
    });
    cluster.finish(cluster.get(address.pods, 'x', 'default')!, 'Succeeded');
    await cluster.run();
    expect(quota()).toMatchObject({ used: { pods: '1', 'requests.cpu': '300m' } });
  });
});
