import { describe, expect, test } from 'vitest';
import { stringAt } from '../json.ts';
import { address } from './runtime/addresses.ts';
import { podTemplate, startCluster } from './test-cluster.ts';

describe('a namespace', () => {
  test('gets its service account and the CA, again and again', async () => {
    const cluster = await startCluster();
    cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    await cluster.run();
    const account = cluster.get(address.serviceAccounts, 'default', 'shop')!;
    const ca = cluster.get(address.configMaps, 'kube-root-ca.crt', 'shop')!;
    expect(ca['data']).toEqual({ 'ca.crt': 'a certificate' });
    cluster.delete(address.serviceAccounts, account);
    cluster.merge(address.configMaps, ca, { data: { 'ca.crt': 'forged' } });
    await cluster.run();
    expect(cluster.get(address.serviceAccounts, 'default', 'shop')).toBeDefined();
    expect(cluster.get(address.configMaps, 'kube-root-ca.crt', 'shop')!['data']).toEqual({
      'ca.crt': 'a certificate',
    });
  });

  test('goes after all that is in it, and says what it waits for', async () => {
    const cluster = await startCluster('a');
    const namespace = cluster.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'shop' },
    });
    await cluster.run();
    const { metadata, spec } = podTemplate({ app: 'web' });
    const place = { name: 'web', namespace: 'shop', finalizers: ['example.com/hold'] };
    cluster.create({ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, ...place }, spec });
    await cluster.live(1);
    cluster.delete(address.namespaces, namespace);
    await cluster.live(3);
    const held = cluster.get(address.namespaces, 'shop')!;
    expect(stringAt(held, 'status', 'phase')).toBe('Terminating');
    expect(cluster.names(address.configMaps, 'shop')).toEqual([]);
    const { conditions } = held['status'] as { conditions: { type: string; message: string }[] };
    const says = (type: string) => conditions.find((it) => it.type === type)?.message;
    expect(says('NamespaceContentRemaining')).toBe(
      'Some resources are remaining: pods. has 1 resource instances',
    );
    expect(says('NamespaceFinalizersRemaining')).toBe(
      'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
    );
    const pod = cluster.get(address.pods, 'web', 'shop')!;
    cluster.merge(address.pods, pod, { metadata: { finalizers: null } });
    await cluster.live(1);
    expect(cluster.get(address.namespaces, 'shop')).toBeUndefined();
  });
});
