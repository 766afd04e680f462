import { describe, expect, test } from 'vitest';
import type { ImageReference, VirtualMachine } from '../arm/virtual-machines.ts';
import { claimOfInstance } from './instance-claim.ts';
import { instanceOfVm } from './vm-instance.ts';

const id = (name: string) =>
  `/subscriptions/s/resourceGroups/MC_g/providers/Microsoft.Compute/virtualMachines/${name}`;
const vm: VirtualMachine = { id: id('aks-aks-x'), name: 'aks-aks-x', location: 'southcentralus' };

function withImage(imageReference: ImageReference): VirtualMachine {
  return { ...vm, properties: { storageProfile: { imageReference } } };
}

describe('a virtual machine', () => {
  test('keeps the name of its claim, also of a pool named aks', () => {
    const { metadata } = claimOfInstance(instanceOfVm(vm), { instanceType: undefined, nowMs: 0 });
    expect(metadata.name).toBe('aks-x');
  });

  test('is spelt as we do, however Resource Graph spells it', () => {
    const instance = instanceOfVm({ ...vm, id: id('AKS-AKS-X'), name: 'AKS-AKS-X' });
    expect([instance.name, instance.providerId]).toEqual([
      'aks-aks-x',
      `azure://${id('aks-aks-x').replace('MC_g', 'mc_g')}`,
    ]);
  });

  test('without an age is as young as can be', () => {
    const nowMs = Date.UTC(2026, 5, 1);
    const { metadata } = claimOfInstance(instanceOfVm(vm), { instanceType: undefined, nowMs });
    expect(metadata.creationTimestamp).toBe('2026-06-01T00:00:00Z');
  });

  test('in an odd place is still a machine', () => {
    const torn = instanceOfVm({ ...vm, zones: ['1', '2'] });
    const { metadata } = claimOfInstance(torn, { instanceType: undefined, nowMs: 0 });
    expect(metadata.labels).not.toHaveProperty(['topology.kubernetes.io/zone']);
  });

  test.each([
    [[], '0', 'regional'],
    [['3'], 'southcentralus-3', 'zonal'],
  ])('in zones %j is labelled %s', (zones, zone, scope) => {
    const instance = instanceOfVm({ ...vm, zones });
    const { labels = {} } = claimOfInstance(instance, {
      instanceType: undefined,
      nowMs: 0,
    }).metadata;
    expect([
      labels['topology.kubernetes.io/zone'],
      labels['karpenter.azure.com/placement-scope'],
    ]).toEqual([zone, scope]);
  });

  test.each([
    [{ id: '/i' }, '/i'],
    [{ communityGalleryImageId: '/c' }, '/c'],
    [{ sharedGalleryImageId: '/s' }, '/s'],
    [{ publisher: 'p', offer: 'o', sku: 's', version: 'v' }, 'p:o:s:v'],
    [{}, ''],
  ])('with image %j has image id %s', (image, expected) => {
    expect(instanceOfVm(withImage(image)).imageId).toBe(expected);
  });

  test('without a name is refused', () => {
    expect(() => instanceOfVm({ id: id('a') })).toThrow('without a name');
  });
});
