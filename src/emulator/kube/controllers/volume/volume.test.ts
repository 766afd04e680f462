import { describe, expect, test } from 'vitest';
import { objectAt, stringAt } from '../../json.ts';
import type { ClusterFixture } from '../cluster-fixture.ts';
import { address } from '../runtime/addresses.ts';
import { podTemplate, startCluster } from '../test-cluster.ts';

const zone = 'topology.kubernetes.io/zone';

function storageClass(cluster: ClusterFixture, name: string, more: object = {}): void {
  cluster.create({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner: 'disk.csi.azure.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    ...more,
  });
}

function claim(cluster: ClusterFixture, storageClassName: string, more: object = {}): void {
  cluster.create({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '5Gi' } },
      storageClassName,
      ...more,
    },
  });
}

function podWithClaim(cluster: ClusterFixture, name = 'web', more: object = {}): void {
  const { metadata, spec } = podTemplate({ app: 'web' });
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
  cluster.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, name, namespace: 'default' },
    spec: { ...spec, volumes, ...more },
  });
}

const theClaim = (cluster: ClusterFixture) => cluster.get(address.claims, 'data', 'default')!;
const phase = (cluster: ClusterFixture) => stringAt(theClaim(cluster), 'status', 'phase');
const thePod = (cluster: ClusterFixture, name = 'web') =>
  cluster.get(address.pods, name, 'default')!;

describe('a claim', () => {
  test('that waits for its consumer gets a disk in the zone of the pod', async () => {
    const cluster = await startCluster();
    cluster.node('a', { zone: 'eastus-1' });
    storageClass(cluster, 'zonal');
    claim(cluster, 'zonal');
    await cluster.run(60_000 - 20_000);
    expect([phase(cluster), cluster.list(address.volumes)]).toEqual(['Pending', []]);
    podWithClaim(cluster);
    await cluster.run();
    expect(phase(cluster)).toBe('Bound');
    const [volume] = cluster.list(address.volumes);
    expect(volume!['spec']).toMatchObject({
      capacity: { storage: '5Gi' },
      csi: { driver: 'disk.csi.azure.com' },
      persistentVolumeReclaimPolicy: 'Delete',
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: zone, operator: 'In', values: ['eastus-1'] }] },
          ],
        },
      },
    });
    expect(stringAt(thePod(cluster), 'spec', 'nodeName')).toBe('a');
    expect(stringAt(volume, 'status', 'phase')).toBe('Bound');
  });

  test('of an immediate class is bound before any pod comes', async () => {
    const cluster = await startCluster();
    const file = { provisioner: 'file.csi.azure.com', volumeBindingMode: 'Immediate' };
    storageClass(cluster, 'shared', file);
    claim(cluster, 'shared', { accessModes: ['ReadWriteMany'] });
    await cluster.run();
    expect(phase(cluster)).toBe('Bound');
    expect(objectAt(cluster.list(address.volumes)[0], 'spec', 'nodeAffinity')).toBeUndefined();
  });

  test('takes the smallest volume that is there and large enough', async () => {
    const cluster = await startCluster();
    for (const [name, storage] of [
      ['small', '1Gi'],
      ['large', '50Gi'],
      ['right', '6Gi'],
    ]) {
      cluster.create({
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: name! },
        spec: {
          capacity: { storage: storage! },
          accessModes: ['ReadWriteOnce'],
          persistentVolumeReclaimPolicy: 'Retain',
          storageClassName: 'manual',
          csi: { driver: 'example.com', volumeHandle: name! },
        },
      });
    }
    claim(cluster, 'manual');
    await cluster.run();
    expect(stringAt(theClaim(cluster), 'spec', 'volumeName')).toBe('right');
    expect(objectAt(theClaim(cluster), 'status', 'capacity')).toEqual({ storage: '6Gi' });
  });

  test.each([
    ['Delete', []],
    ['Retain', ['Released']],
  ])('leaves, when deleted, a volume with policy %s as %j', async (reclaimPolicy, left) => {
    const cluster = await startCluster();
    storageClass(cluster, 'fast', { volumeBindingMode: 'Immediate', reclaimPolicy });
    claim(cluster, 'fast');
    await cluster.run();
    cluster.delete(address.claims, theClaim(cluster));
    await cluster.run();
    expect(cluster.get(address.claims, 'data', 'default')).toBeUndefined();
    const phases = cluster.list(address.volumes).map((v) => stringAt(v, 'status', 'phase'));
    expect(phases).toEqual(left);
  });

  test('that a pod uses stays until the pod is gone', async () => {
    const cluster = await startCluster('a');
    storageClass(cluster, 'fast', { volumeBindingMode: 'Immediate' });
    claim(cluster, 'fast', {});
    podWithClaim(cluster, 'web', { schedulerName: 'nobody' });
    await cluster.run();
    cluster.delete(address.claims, theClaim(cluster));
    await cluster.run();
    expect(theClaim(cluster).metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
    cluster.delete(address.pods, thePod(cluster), { gracePeriodSeconds: 0 });
    await cluster.run();
    expect(cluster.get(address.claims, 'data', 'default')).toBeUndefined();
  });

  test('whose volume is taken away is lost', async () => {
    const cluster = await startCluster();
    storageClass(cluster, 'fast', { volumeBindingMode: 'Immediate' });
    claim(cluster, 'fast');
    await cluster.run();
    const [volume] = cluster.list(address.volumes);
    cluster.delete(address.volumes, volume!);
    cluster.merge(address.volumes, volume!, { metadata: { finalizers: null } });
    await cluster.run();
    expect(phase(cluster)).toBe('Lost');
  });
});

describe('an attached volume', () => {
  test('is where its pod is, and is let go after the pod', async () => {
    const cluster = await startCluster();
    cluster.node('a', { zone: 'eastus-1' });
    storageClass(cluster, 'zonal');
    claim(cluster, 'zonal');
    podWithClaim(cluster);
    await cluster.run();
    const [attachment] = cluster.list(address.volumeAttachments);
    expect(attachment!['spec']).toMatchObject({ attacher: 'disk.csi.azure.com', nodeName: 'a' });
    expect(attachment!['status']).toMatchObject({ attached: true });
    const attached = (cluster.get(address.nodes, 'a')!['status'] as Record<string, unknown>)[
      'volumesAttached'
    ];
    expect(attached).toHaveLength(1);
    cluster.delete(address.pods, thePod(cluster), { gracePeriodSeconds: 0 });
    await cluster.run();
    expect(cluster.list(address.volumeAttachments)).toEqual([]);
    expect(cluster.get(address.nodes, 'a')!['status']).not.toHaveProperty('volumesAttached');
  });
});

describe('an ephemeral volume', () => {
  test('has a claim of its own that goes with the pod', async () => {
    const cluster = await startCluster();
    cluster.node('a', { zone: 'eastus-1' });
    storageClass(cluster, 'zonal');
    const template = {
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'zonal',
        resources: { requests: { storage: '1Gi' } },
      },
    };
    const volumes = [{ name: 'tmp', ephemeral: { volumeClaimTemplate: template } }];
    podWithClaim(cluster, 'web', { volumes });
    await cluster.run();
    expect(cluster.names(address.claims)).toEqual(['web-tmp']);
    expect(stringAt(thePod(cluster), 'spec', 'nodeName')).toBe('a');
    cluster.delete(address.pods, thePod(cluster), { gracePeriodSeconds: 0 });
    await cluster.run();
    expect([cluster.names(address.claims), cluster.names(address.volumes)]).toEqual([[], []]);
  });
});
