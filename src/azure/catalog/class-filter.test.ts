import { describe, expect, test } from 'vitest';
import { skuRow } from '../../../test/support/azure/sku-rows.ts';
import { testCatalog } from '../../../test/support/azure/catalog.ts';
import { classWith } from '../../../test/support/azure/node-class.ts';
import type { AKSNodeClassSpec, AKSNodeClassStatus } from '../../api/aks-node-class.ts';
import { classParameters, defaultMaxPods, parametersKey } from './class-parameters.ts';

const gpu = { GPUs: '1' };
const shared = await testCatalog({
  records: [
    skuRow('Standard_D4s_v5'),
    skuRow('Standard_D2s_v5', { capabilities: { vCPUs: '2' } }),
    skuRow('Standard_D4ps_v6', {
      capabilities: { CpuArchitectureType: 'Arm64', HyperVGenerations: 'V2' },
    }),
    skuRow('Standard_D4_v3', {
      capabilities: { EncryptionAtHostSupported: 'False', HyperVGenerations: 'V1' },
    }),
    skuRow('Standard_M8ms', { capabilities: { TrustedLaunchDisabled: 'True' } }),
    skuRow('Standard_NC4as_T4_v3', { capabilities: gpu }),
    skuRow('Standard_NC24ads_A100_v4', { capabilities: gpu }),
    skuRow('Standard_NV48s_v3', { capabilities: gpu }),
    skuRow('Standard_NV4ads_V710_v5', { capabilities: gpu }),
  ],
});

const everything = 'D4s_v5 D2s_v5 D4ps_v6 D4_v3 M8ms NC4as_T4_v3 NC24ads_A100_v4 NV48s_v3';

function offered(spec: Partial<AKSNodeClassSpec>, status?: AKSNodeClassStatus): Set<string> {
  return new Set(shared.types(spec, status).map(({ name }) => name.slice('Standard_'.length)));
}

function without(...names: readonly string[]): Set<string> {
  return new Set(everything.split(' ')).difference(new Set(names));
}

const images = (...kinds: readonly (readonly [string, string])[]): AKSNodeClassStatus => ({
  images: kinds.map(([arch, generation]) => ({
    id: `${arch}-${generation}`,
    requirements: [
      { key: 'kubernetes.io/arch', operator: 'In', values: [arch] },
      { key: 'karpenter.azure.com/sku-hyperv-generation', operator: 'In', values: [generation] },
    ],
  })),
  conditions: [
    {
      type: 'ImagesReady',
      status: 'True',
      observedGeneration: 1,
      lastTransitionTime: '2026-01-01T00:00:00Z',
      reason: 'ImagesReady',
      message: '',
    },
  ],
});

describe('a node class offers', () => {
  test.each<[string, Partial<AKSNodeClassSpec>, Set<string>]>([
    ['everything with a driver for it', {}, without()],
    [
      'on Azure Linux only GPUs with a driver there',
      { imageFamily: 'AzureLinux' },
      without('NV48s_v3'),
    ],
    [
      'all GPUs when others see to the driver',
      { gpu: { mode: 'None' } },
      without().add('NV4ads_V710_v5'),
    ],
    ['GPUs with a driver when asked to install it', { gpu: { mode: 'Driver' } }, without()],
    [
      'no AMD GPUs on Azure Linux',
      { imageFamily: 'AzureLinux', gpu: { mode: 'None' } },
      without('NV48s_v3'),
    ],
    ['encryption at host', { security: { encryptionAtHost: true } }, without('D4_v3')],
    ['everything without encryption at host', { security: { encryptionAtHost: false } }, without()],
    [
      'Trusted Launch for a virtual TPM',
      { security: { trustedLaunch: { vtpm: true } } },
      without('D4_v3', 'M8ms'),
    ],
    [
      'Trusted Launch for secure boot',
      { security: { trustedLaunch: { secureBoot: true } } },
      without('D4_v3', 'M8ms'),
    ],
    [
      'everything without Trusted Launch',
      { security: { trustedLaunch: { vtpm: false, secureBoot: false } } },
      without(),
    ],
    ['artifact streaming', { artifactStreaming: { enabled: true } }, without('D4ps_v6')],
    ['everything without artifact streaming', { artifactStreaming: { enabled: false } }, without()],
    ['everything when streaming is not mentioned', { artifactStreaming: {} }, without()],
  ])('%s', (_, spec, expected) => {
    expect(offered(spec)).toEqual(expected);
  });

  test.each<[string, AKSNodeClassStatus, Set<string>]>([
    ['four vCPUs for the DNS cache', { localDNSState: 'Enabled' }, without('D2s_v5')],
    ['everything without the DNS cache', { localDNSState: 'Disabled' }, without()],
    ['what its images run on', images(['amd64', '2'], ['amd64', '1']), without('D4ps_v6')],
    ['what its only image runs on', images(['amd64', '2']), without('D4ps_v6', 'D4_v3')],
    ['Arm machines for an Arm image', images(['arm64', '2']), new Set(['D4ps_v6'])],
    ['everything as long as there are no images', images(), without()],
  ])('%s', (_, status, expected) => {
    expect(offered({}, status)).toEqual(expected);
  });

  test('everything while its images are those of an earlier spec', () => {
    const status = images(['arm64', '2']);
    const stale = {
      ...status,
      conditions: status.conditions!.map((c) => ({ ...c, observedGeneration: 0 })),
    };
    expect(offered({}, stale)).toEqual(without());
  });
});

describe('what of a class matters', () => {
  const network = { plugin: 'azure', pluginMode: 'overlay' };
  const key = (spec: Partial<AKSNodeClassSpec>, status?: AKSNodeClassStatus): string =>
    parametersKey(classWith(spec, status), network);

  test.each<[string, Partial<AKSNodeClassSpec>, AKSNodeClassStatus?]>([
    ['the image family', { imageFamily: 'AzureLinux' }],
    ['the OS disk', { osDiskSizeGB: 100 }],
    ['the number of pods', { maxPods: 30 }],
    ['encryption at host', { security: { encryptionAtHost: true } }],
    ['Trusted Launch', { security: { trustedLaunch: { vtpm: true } } }],
    ['the GPU mode', { gpu: { mode: 'None' } }],
    ['artifact streaming', { artifactStreaming: { enabled: true } }],
    ['FIPS', { fipsMode: 'FIPS' }],
    ['the DNS cache', {}, { localDNSState: 'Enabled' }],
    ['the images', {}, images(['amd64', '2'])],
  ])('is %s', (_, spec, status) => {
    expect(key(spec, status)).not.toBe(key({}));
  });

  test.each<[string, Partial<AKSNodeClassSpec>, AKSNodeClassStatus?]>([
    ['tags', { tags: { a: 'b' } }],
    ['the subnet', { vnetSubnetID: '/subscriptions/a' }],
    ['what is off when absent', { gpu: { mode: 'Driver' }, artifactStreaming: { enabled: false } }],
    ['the number of pods that it would get anyway', { maxPods: 250 }],
    ['a DNS cache that is off', {}, { localDNSState: 'Disabled' }],
  ])('is not %s', (_, spec, status) => {
    expect(key(spec, status)).toBe(key({}));
  });

  test.each([
    ['azure', 'overlay', 250],
    ['azure', '', 30],
    ['none', '', 250],
    ['kubenet', '', 110],
    ['azure', 'other', 110],
  ])('is how many pods the network allows: %s %s %d', (plugin, pluginMode, pods) => {
    expect(defaultMaxPods({ plugin, pluginMode })).toBe(pods);
    expect(classParameters(classWith(), { plugin, pluginMode }).maxPods).toBe(pods);
    expect(classParameters(classWith({ maxPods: 42 }), { plugin, pluginMode }).maxPods).toBe(42);
  });
});
