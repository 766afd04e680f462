import { describe, expect, test } from 'vitest';
import { azureLabel } from '../../api/labels.ts';
import { kubeletLabels } from './node-labels.ts';
import { provisionValues } from './provision-profile.ts';
import { subnetId, testCluster, testPlan, type TestNode } from './test-node.ts';

function valuesOf(node: TestNode = {}, cluster = testCluster()) {
  const question = provisionValues(cluster, testPlan(node));
  if (!question.ok) throw new Error(question.reason);
  return question.values;
}

function profileOf(node: TestNode = {}, cluster = testCluster()) {
  return valuesOf(node, cluster).provisionProfile;
}

const image = (gallery: string, definition: string) =>
  `/subscriptions/aks/resourceGroups/AKS/providers/Microsoft.Compute/galleries/${gallery}/images/${definition}/versions/1.0.0`;

describe('the bootstrapping service is asked', () => {
  test('this for a plain node', () => {
    expect(valuesOf()).toEqual({
      provisionProfile: {
        name: '',
        architecture: 'x64',
        osType: 2,
        osSku: 1,
        vmSize: 'Standard_D4s_v5',
        distro: 'aks-ubuntu-containerd-22.04-gen2',
        orchestratorVersion: '1.33.2',
        vnetSubnetID: subnetId,
        storageProfile: 'ManagedDisks',
        customNodeLabels: kubeletLabels(testCluster(), testPlan()),
        nodeTaints: [],
        nodeInitializationTaints: ['karpenter.sh/unregistered:NoExecute'],
        mode: 2,
        maxPods: 250,
        vnetCidrs: [],
        securityProfile: { sshAccess: 0 },
        enableFIPS: false,
        artifactStreamingProfile: { enabled: false },
        customKubeletConfig: {},
      },
      provisionHelperValues: { skuCPU: 4, skuMemory: 16 },
    });
  });

  test('for what its memory is sold as, however much of it a machine shows', () => {
    const { instanceType } = testPlan();
    const learnt = { ...instanceType, capacity: new Map(instanceType.capacity).set('memory', 1n) };
    expect(valuesOf({ plan: { instanceType: learnt } }).provisionHelperValues.skuMemory).toBe(16);
    expect(valuesOf({ memoryMiB: 3584 }).provisionHelperValues.skuMemory).toBe(4);
  });

  test('with taints that stay and taints that go', () => {
    const profile = profileOf({
      claim: {
        spec: {
          taints: [{ key: 'team', value: 'a', effect: 'NoSchedule' }],
          startupTaints: [{ key: 'agent', effect: 'NoExecute' }],
        },
      },
    });
    expect([profile.nodeTaints, profile.nodeInitializationTaints]).toEqual([
      ['team=a:NoSchedule'],
      ['agent:NoExecute', 'karpenter.sh/unregistered:NoExecute'],
    ]);
  });

  test.each([
    ['system', 1],
    ['user', 2],
    ['other', 2],
  ])('in mode %s as %i', (mode, number) => {
    expect(profileOf({ claim: { labels: { [azureLabel.mode]: mode } } }).mode).toBe(number);
  });

  test.each([
    ['Ubuntu', image('AKSUbuntu', '2204containerd'), 1, 'aks-ubuntu-containerd-22.04'],
    ['Ubuntu2404', image('AKSUbuntu', '2404gen2containerd'), 1, 'aks-ubuntu-containerd-24.04-gen2'],
    ['AzureLinux', image('AKSAzureLinux', 'V3gen2'), 7, 'aks-azurelinux-v3-gen2'],
    [
      'AzureLinux',
      '/CommunityGalleries/AKSAzureLinux-f7c7/images/V2gen2/versions/1',
      7,
      'aks-azurelinux-v2-gen2',
    ],
  ] as const)('for %s with image %s', (...row) => {
    const [imageFamily, imageId, osSku, distro] = row;
    expect(profileOf({ spec: { imageFamily }, plan: { imageId } })).toMatchObject({
      osSku,
      distro,
    });
  });

  test.each([image('Mine', 'my-image'), 'no-image'])(
    'nothing about an image that AKS does not know: %s',
    (imageId) => {
      expect(provisionValues(testCluster(), testPlan({ plan: { imageId } }))).toEqual({
        ok: false,
        reason: expect.stringContaining(imageId),
      });
    },
  );

  test('for arm64', () => {
    expect(profileOf({ architecture: 'arm64' }).architecture).toBe('Arm64');
  });

  test('with an ephemeral disk, the subnet and the pods of the class', () => {
    const vnetSubnetID = subnetId.replace('aks-subnet', 'other');
    expect(
      profileOf({ spec: { vnetSubnetID, maxPods: 42 }, plan: { ephemeralOsDisk: true } }),
    ).toMatchObject({
      storageProfile: 'Ephemeral',
      vnetSubnetID,
      maxPods: 42,
    });
  });

  test.each([
    [{ vtpm: true }, { sshAccess: 0, enableVTPM: true }],
    [{ secureBoot: false }, { sshAccess: 0, enableSecureBoot: false }],
    [
      { vtpm: true, secureBoot: true },
      { sshAccess: 0, enableVTPM: true, enableSecureBoot: true },
    ],
  ])('with Trusted Launch %j as it was set', (trustedLaunch, securityProfile) => {
    expect(profileOf({ spec: { security: { trustedLaunch } } }).securityProfile).toEqual(
      securityProfile,
    );
  });

  test.each(['Ubuntu', 'AzureLinux'] as const)('for FIPS with %s', (imageFamily) => {
    expect(profileOf({ spec: { imageFamily, fipsMode: 'FIPS' } }).enableFIPS).toBe(true);
  });

  const gpu = { gpu: 'A100' };

  test.each([
    ['Standard_NC24ads_A100_v4', undefined, { installGPUDriver: true, driverType: 3 }],
    ['Standard_NC24ads_A100_v4', 'Driver', { installGPUDriver: true, driverType: 3 }],
    ['Standard_NC24ads_A100_v4', 'None', { installGPUDriver: false, driverType: 3 }],
    ['Standard_NV36ads_A10_v5', 'Driver', { installGPUDriver: true, driverType: 2 }],
    ['Standard_NC24lds_xl_RTXPRO6000BSE_v6', 'Driver', { installGPUDriver: true, driverType: 2 }],
    ['Standard_ND96isr_MI300X_v5', 'None', undefined],
    ['Standard_D4s_v5', 'Driver', undefined],
  ] as const)('for the GPUs of %s in mode %s', (size, mode, gpuProfile) => {
    const isGpu = size.startsWith('Standard_N');
    const spec = mode === undefined ? {} : { gpu: { mode } };
    expect(profileOf({ size, spec, ...(isGpu && gpu) }).gpuProfile).toEqual(gpuProfile);
  });

  test('for streaming of images', () => {
    const spec = { artifactStreaming: { enabled: true } };
    expect(profileOf({ spec }).artifactStreamingProfile).toEqual({ enabled: true });
  });

  test('for settings of kubelet, kernel and DNS cache', () => {
    const profile = profileOf({
      spec: {
        kubelet: {
          cpuManagerPolicy: 'static',
          cpuCFSQuota: true,
          cpuCFSQuotaPeriod: '100ms',
          topologyManagerPolicy: 'none',
          containerLogMaxSize: '50Mi',
          containerLogMaxFiles: 5,
        },
        linuxOSConfig: { sysctls: { vmSwappiness: 1 } },
        localDNS: { mode: 'Required', vnetDNSOverrides: [], kubeDNSOverrides: [] },
      },
    });
    expect(profile).toMatchObject({
      customKubeletConfig: { cpuManagerPolicy: 'static' },
      customLinuxOSConfig: { sysctls: { vmSwappiness: 1 } },
      localDNSProfile: { mode: 'Required' },
    });
  });
});
