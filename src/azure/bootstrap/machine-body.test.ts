import { describe, expect, test } from 'vitest';
import type { AKSNodeClassSpec } from '../../api/aks-node-class.ts';
import { azureLabel } from '../../api/labels.ts';
import { machineBody } from './machine-body.ts';
import { machineLabels } from './node-labels.ts';
import { subnetId, testCluster, testPlan, type TestNode } from './test-node.ts';

function bodyOf(node: TestNode = {}) {
  const outcome = machineBody(testCluster(), testPlan(node));
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.body;
}

function propertiesOf(node: TestNode = {}) {
  return bodyOf(node).properties;
}

const kubelet = {
  cpuManagerPolicy: 'none',
  cpuCFSQuota: true,
  cpuCFSQuotaPeriod: '100ms',
  topologyManagerPolicy: 'none',
  containerLogMaxSize: '50Mi',
  containerLogMaxFiles: 5,
} as const;

describe('an AKS machine', () => {
  test('is this for a plain node', () => {
    expect(bodyOf()).toEqual({
      zones: ['2'],
      properties: {
        nodeImageVersion: 'AKSUbuntu-2204gen2containerd-202601.01.0',
        network: {},
        hardware: { vmSize: 'Standard_D4s_v5', ultraSsdEnabled: false },
        operatingSystem: {
          osType: 'Linux',
          osSKU: 'Ubuntu2204',
          osDiskSizeGB: 128,
          osDiskType: 'Managed',
          enableFIPS: false,
        },
        kubernetes: {
          nodeLabels: machineLabels(testPlan()),
          orchestratorVersion: '1.33.2',
          nodeInitializationTaints: ['karpenter.sh/unregistered:NoExecute'],
          nodeTaints: [],
        },
        mode: 'User',
        security: {
          sshAccess: 'LocalUser',
          enableEncryptionAtHost: false,
          enableVTPM: false,
          enableSecureBoot: false,
        },
        priority: 'Regular',
        tags: {
          'karpenter.azure.com_cluster': 'cluster-1',
          'karpenter.azure.com_aksmachine_nodeclaim': 'default-a1b2c',
          'karpenter.sh_nodepool': 'default',
          'compute.aks.billing': 'linux',
        },
      },
    });
  });

  test('cannot have an image of a community gallery', () => {
    const imageId = '/CommunityGalleries/g/images/d/versions/1';
    expect(machineBody(testCluster(), testPlan({ plan: { imageId } })).ok).toBe(false);
  });

  test.each<[Partial<AKSNodeClassSpec>, string, string]>([
    [{ imageFamily: 'Ubuntu2204' }, '1.34.0', 'Ubuntu2204'],
    [{ imageFamily: 'Ubuntu2404' }, '1.30.0', 'Ubuntu2404'],
    [{ imageFamily: 'AzureLinux' }, '1.34.0', 'AzureLinux'],
    [{ imageFamily: 'AzureLinux', fipsMode: 'FIPS' }, '1.31.0', 'AzureLinux'],
    [{}, '1.33.9', 'Ubuntu2204'],
    [{}, '1.34.0', 'Ubuntu2404'],
    [{}, '', 'Ubuntu2204'],
    [{ fipsMode: 'FIPS' }, '1.34.0', 'Ubuntu'],
    [{ fipsMode: 'Disabled' }, '1.34.0', 'Ubuntu2404'],
    [{ security: { trustedLaunch: { vtpm: true } } }, '1.34.0', 'Ubuntu2204'],
    [{ fipsMode: 'FIPS', security: { trustedLaunch: { vtpm: true } } }, '1.34.0', 'Ubuntu'],
  ])('with %j on %s runs %s', (spec, kubernetesVersion, osSKU) => {
    const { operatingSystem } = propertiesOf({ spec, plan: { kubernetesVersion } });
    expect([operatingSystem.osSKU, operatingSystem.enableFIPS]).toEqual([
      osSKU,
      spec.fipsMode === 'FIPS',
    ]);
  });

  test('starts with all taints, each once, and keeps none', () => {
    const hard = { key: 'team', value: 'a', effect: 'NoSchedule' } as const;
    const soft = { key: 'soft', effect: 'PreferNoSchedule' } as const;
    const { kubernetes } = propertiesOf({
      claim: { spec: { taints: [hard, soft], startupTaints: [hard] } },
    });
    expect([kubernetes.nodeInitializationTaints, kubernetes.nodeTaints]).toEqual([
      ['team=a:NoSchedule', 'soft:PreferNoSchedule', 'karpenter.sh/unregistered:NoExecute'],
      [],
    ]);
  });

  test.each([
    ['system', 'System'],
    ['user', 'User'],
    ['other', 'User'],
  ])('in mode %s is sent as %s', (mode, sent) => {
    expect(propertiesOf({ claim: { labels: { [azureLabel.mode]: mode } } }).mode).toBe(sent);
  });

  test.each([
    ['spot', 'Spot'],
    ['on-demand', 'Regular'],
    ['', 'Regular'],
  ])('had as %s is sent as %s', (capacityType, priority) => {
    expect(propertiesOf({ plan: { capacityType } }).priority).toBe(priority);
  });

  test('without a zone names none', () => {
    expect(bodyOf({ plan: { zone: '0' } }).zones).toEqual([]);
  });

  test('takes ultra disks and an ephemeral disk of its own where asked', () => {
    const { hardware, operatingSystem } = propertiesOf({
      spec: { osDiskSizeGB: 64 },
      plan: { ultraSsd: true, ephemeralOsDisk: true },
    });
    expect([
      hardware.ultraSsdEnabled,
      operatingSystem.osDiskType,
      operatingSystem.osDiskSizeGB,
    ]).toEqual([true, 'Ephemeral', 64]);
  });

  test.each([
    ['Standard_NC24ads_A100_v4', undefined, { driver: 'Install' }],
    ['Standard_NC24ads_A100_v4', 'None', { driver: 'None' }],
    ['Standard_ND96isr_MI300X_v5', 'None', { driver: 'None' }],
    ['Standard_D4s_v5', 'None', undefined],
  ] as const)('of size %s in mode %s has the driver %j', (size, mode, gpuProfile) => {
    const spec = mode === undefined ? {} : { gpu: { mode } };
    const isGpu = size.startsWith('Standard_N');
    const node = { size, spec, ...(isGpu && { gpu: 'A100' }) };
    expect(propertiesOf(node).hardware.gpuProfile).toEqual(gpuProfile);
  });

  test.each([
    [{ encryptionAtHost: true }, [true, false, false]],
    [{ encryptionAtHost: false }, [false, false, false]],
    [{ trustedLaunch: { vtpm: true } }, [false, true, false]],
    [{ trustedLaunch: { secureBoot: true } }, [false, false, true]],
    [{}, [false, false, false]],
  ])('is protected as %j says', (security, flags) => {
    const sent = propertiesOf({ spec: { security } }).security;
    expect([sent.enableEncryptionAtHost, sent.enableVTPM, sent.enableSecureBoot]).toEqual(flags);
  });

  test("has its class's subnet, pods, kubelet, kernel and DNS cache, and no others", () => {
    const properties = propertiesOf({
      spec: {
        vnetSubnetID: subnetId,
        maxPods: 42,
        kubelet,
        linuxOSConfig: { swapFileSize: '1Gi' },
        localDNS: { mode: 'Preferred', vnetDNSOverrides: [], kubeDNSOverrides: [] },
      },
      status: { localDNSState: 'Enabled' },
    });
    expect(properties).toMatchObject({
      network: { vnetSubnetID: subnetId },
      kubernetes: { maxPods: 42, kubeletConfig: { containerLogMaxSizeMB: 50 } },
      operatingSystem: { linuxProfile: { linuxOSConfig: { swapFileSizeMB: 1024 } } },
      localDNSProfile: { mode: 'Required' },
    });
  });

  const arm = {
    size: 'Standard_D4ps_v5',
    architecture: 'arm64' as const,
  };

  test.each([
    [{ enabled: true }, {}, { enabled: true }],
    [{ enabled: true }, arm, undefined],
    [{ enabled: false }, {}, undefined],
    [{}, {}, undefined],
  ])('streams images when %j: %j', (artifactStreaming, node, profile) => {
    const { kubernetes } = propertiesOf({ ...node, spec: { artifactStreaming } });
    expect(kubernetes.artifactStreamingProfile).toEqual(profile);
  });

  test('carries a label with the longest value there is', () => {
    const value = 'a'.repeat(63);
    expect(propertiesOf({ claim: { labels: { team: value } } }).kubernetes.nodeLabels['team']).toBe(
      value,
    );
  });
});
