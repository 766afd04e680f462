import { describe, expect, test } from 'vitest';
import type { CapacityType } from '../catalog/quote.ts';
import type { VmSize } from '../catalog/vm-size.ts';
import { testCluster, testPlan, type TestNode } from '../bootstrap/test-node.ts';
import type { LaunchPlan } from './instance.ts';
import { vmBody, type VmSettings } from './vm-body.ts';

const size: VmSize = {
  name: 'Standard_D4s_v5',
  parts: { family: 'D', vcpus: 4, additive: 's', version: '5' } as unknown as VmSize['parts'],
  family: 'standardDSv5Family',
  vcpus: 4,
  memoryGiB: 16,
  architecture: 'amd64',
  generations: ['2'],
  gpus: 0,
  gpu: undefined,
  premiumStorage: true,
  acceleratedNetworking: true,
  encryptionAtHost: true,
  trustedLaunch: true,
  spotCapable: true,
  ephemeralDisk: undefined,
  zones: [],
};

function bodyOf(
  node: TestNode & { readonly size?: string } = {},
  changes: {
    readonly settings?: Partial<VmSettings>;
    readonly size?: Partial<VmSize>;
    readonly capacityType?: CapacityType;
    readonly adminUsername?: string;
  } = {},
) {
  const { capacityType = 'on-demand', adminUsername = 'azureuser' } = changes;
  const plan: LaunchPlan = { ...testPlan(node), size: { ...size, ...changes.size }, capacityType };
  return vmBody(
    testCluster({ adminUsername }),
    { sshPublicKey: 'ssh-rsa A', nodeIdentities: [], ...changes.settings },
    plan,
    { name: 'aks-a', nicId: '/nic', customData: 'ZGF0YQ==' },
  );
}

describe('a virtual machine', () => {
  test('is written as it was chosen, and takes disk and interface with it', () => {
    expect(bodyOf()).toEqual({
      location: 'southcentralus',
      zones: ['2'],
      tags: {
        'karpenter.azure.com_cluster': 'cluster-1',
        'compute.aks.billing': 'linux',
        'karpenter.sh_nodepool': 'default',
      },
      properties: {
        hardwareProfile: { vmSize: 'Standard_D4s_v5' },
        storageProfile: {
          imageReference: { id: testPlan().imageId },
          osDisk: {
            name: 'aks-a',
            createOption: 'FromImage',
            deleteOption: 'Delete',
            diskSizeGB: 128,
          },
        },
        osProfile: {
          computerName: 'aks-a',
          adminUsername: 'azureuser',
          customData: 'ZGF0YQ==',
          linuxConfiguration: {
            disablePasswordAuthentication: true,
            ssh: {
              publicKeys: [{ path: '/home/azureuser/.ssh/authorized_keys', keyData: 'ssh-rsa A' }],
            },
          },
        },
        networkProfile: {
          networkInterfaces: [
            { id: '/nic', properties: { primary: true, deleteOption: 'Delete' } },
          ],
        },
        priority: 'Regular',
      },
    });
  });

  test('lies in no zone when it was chosen so', () => {
    expect(bodyOf({ plan: { zone: '0' } }).zones).toEqual([]);
  });

  test('is evicted only for want of capacity when it is spot', () => {
    expect(bodyOf({}, { capacityType: 'spot' }).properties).toMatchObject({
      priority: 'Spot',
      evictionPolicy: 'Delete',
      billingProfile: { maxPrice: -1 },
    });
  });

  test('boots a community’s image by its own name', () => {
    const imageId = '/CommunityGalleries/g/images/i/versions/1.0.0';
    const { storageProfile } = bodyOf({ plan: { imageId } }).properties ?? {};
    expect(storageProfile?.imageReference).toEqual({ communityGalleryImageId: imageId });
  });

  test.each([
    [128, { caching: 'ReadOnly', diffDiskSettings: { option: 'Local', placement: 'CacheDisk' } }],
    [129, {}],
  ])('has its disk of %i GB on itself where it fits', (osDiskSizeGB, expected) => {
    const ephemeralDisk = { placement: 'CacheDisk', maxSizeGb: 128 } as const;
    const { storageProfile } =
      bodyOf({ spec: { osDiskSizeGB } }, { size: { ephemeralDisk } }).properties ?? {};
    const { caching, diffDiskSettings } = storageProfile?.osDisk ?? {};
    expect({ ...(caching && { caching }), ...(diffDiskSettings && { diffDiskSettings }) }).toEqual(
      expected,
    );
  });

  test.each([
    [undefined, undefined],
    [{}, undefined],
    [{ encryptionAtHost: true }, { encryptionAtHost: true }],
    [{ encryptionAtHost: false }, { encryptionAtHost: false }],
    [
      { trustedLaunch: { vtpm: true } },
      {
        securityType: 'TrustedLaunch',
        uefiSettings: { vTpmEnabled: true, secureBootEnabled: false },
      },
    ],
    [{ trustedLaunch: { vtpm: false, secureBoot: false } }, undefined],
  ])('is as safe as the class says: %j', (security, expected) => {
    const { properties } = bodyOf({ spec: security === undefined ? {} : { security } });
    expect(properties?.securityProfile).toEqual(expected);
  });

  test('has the node identities, the encryption set and the user of the options', () => {
    const { identity, properties } = bodyOf(
      {},
      {
        settings: { nodeIdentities: ['/a', '/b'], diskEncryptionSetId: '/des' },
        adminUsername: 'core',
      },
    );
    expect(identity).toEqual({
      type: 'UserAssigned',
      userAssignedIdentities: { '/a': {}, '/b': {} },
    });
    expect(properties?.storageProfile?.osDisk?.managedDisk).toEqual({
      diskEncryptionSet: { id: '/des' },
    });
    expect(properties?.osProfile?.linuxConfiguration.ssh.publicKeys[0]?.path).toBe(
      '/home/core/.ssh/authorized_keys',
    );
  });

  test('has ultra disks only when they were asked for', () => {
    expect(bodyOf({ plan: { ultraSsd: true } }).properties?.additionalCapabilities).toEqual({
      ultraSSDEnabled: true,
    });
    expect(bodyOf().properties).not.toHaveProperty('additionalCapabilities');
  });
});
