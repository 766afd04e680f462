import { describe, expect, test } from 'vitest';
import {
  distroOf,
  imageDefinitionsFor,
  type ImageWish,
  requirementsOf,
} from './image-definition.ts';

const variants = {
  plain: { fips: false, trustedLaunch: false },
  'Trusted Launch': { fips: false, trustedLaunch: true },
  FIPS: { fips: true, trustedLaunch: false },
  both: { fips: true, trustedLaunch: true },
} as const;

function namesOf(release: ImageWish['release'], variant: keyof typeof variants) {
  return imageDefinitionsFor({ release, gallery: 'shared', ...variants[variant] }).map(
    ({ name, architecture, hyperVGeneration }) => `${name} ${architecture} ${hyperVGeneration}`,
  );
}

describe('the image definitions of a release', () => {
  test.each<[ImageWish['release'], keyof typeof variants, string[]]>([
    [
      'Ubuntu2404',
      'plain',
      ['2404gen2containerd amd64 2', '2404containerd amd64 1', '2404gen2arm64containerd arm64 2'],
    ],
    ['Ubuntu2404', 'Trusted Launch', ['2404gen2TLcontainerd amd64 2']],
    ['Ubuntu2404', 'FIPS', []],
    ['Ubuntu2404', 'both', []],
    [
      'Ubuntu2204',
      'plain',
      ['2204gen2containerd amd64 2', '2204containerd amd64 1', '2204gen2arm64containerd arm64 2'],
    ],
    ['Ubuntu2204', 'Trusted Launch', ['2204gen2TLcontainerd amd64 2']],
    ['Ubuntu2204', 'FIPS', []],
    ['Ubuntu2204', 'both', ['2204gen2fipsTLcontainerd amd64 2']],
    ['Ubuntu2004', 'plain', []],
    ['Ubuntu2004', 'Trusted Launch', []],
    ['Ubuntu2004', 'FIPS', ['2004gen2fipscontainerd amd64 2', '2004fipscontainerd amd64 1']],
    ['Ubuntu2004', 'both', []],
    ['AzureLinux3', 'plain', ['V3gen2 amd64 2', 'V3 amd64 1', 'V3gen2arm64 arm64 2']],
    ['AzureLinux3', 'Trusted Launch', ['V3gen2TL amd64 2']],
    ['AzureLinux3', 'FIPS', ['V3gen2fips amd64 2', 'V3fips amd64 1', 'V3gen2arm64fips arm64 2']],
    ['AzureLinux3', 'both', ['V3gen2fips amd64 2', 'V3fips amd64 1', 'V3gen2arm64fips arm64 2']],
    ['AzureLinux2', 'plain', ['V2gen2 amd64 2', 'V2 amd64 1', 'V2gen2arm64 arm64 2']],
    ['AzureLinux2', 'Trusted Launch', ['V2gen2TL amd64 2']],
    ['AzureLinux2', 'FIPS', ['V2gen2fips amd64 2', 'V2fips amd64 1']],
  ])('%s, %s', (release, variant, names) => {
    expect(namesOf(release, variant)).toEqual(names);
  });

  test.each(['Ubuntu2004', 'Ubuntu2204', 'AzureLinux2', 'AzureLinux3'] as const)(
    'has nothing with FIPS for %s in a community gallery',
    (release) => {
      expect(imageDefinitionsFor({ release, gallery: 'community', ...variants.FIPS })).toEqual([]);
    },
  );

  test('are in the gallery of their system', () => {
    const galleryOf = (release: ImageWish['release']) =>
      imageDefinitionsFor({ release, gallery: 'community', ...variants.plain })[0]?.gallery;
    expect([galleryOf('Ubuntu2204'), galleryOf('AzureLinux3')]).toEqual([
      {
        name: 'AKSUbuntu',
        resourceGroup: 'AKS-Ubuntu',
        communityName: 'AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2',
      },
      {
        name: 'AKSAzureLinux',
        resourceGroup: 'AKS-AzureLinux',
        communityName: 'AKSAzureLinux-f7c7cda5-1c9a-4bdc-a222-9614c968580b',
      },
    ]);
  });

  test('tell the sizes they boot on, the shorter key first', () => {
    const [definition] = imageDefinitionsFor({
      release: 'Ubuntu2404',
      gallery: 'community',
      ...variants.plain,
    });
    expect(requirementsOf(definition!)).toEqual([
      { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
      { key: 'karpenter.azure.com/sku-hyperv-generation', operator: 'In', values: ['2'] },
    ]);
  });
});

describe('the distribution of an image', () => {
  test.each([
    ['2404gen2arm64containerd', 'aks-ubuntu-arm64-containerd-24.04-gen2'],
    ['2204gen2fipsTLcontainerd', 'aks-ubuntu-fips-containerd-22.04-tl-gen2'],
    ['2004fipscontainerd', 'aks-ubuntu-fips-containerd-20.04'],
    ['V2gen2TL', 'aks-azurelinux-v2-gen2-tl'],
    ['V3gen2arm64fips', 'aks-azurelinux-v3-arm64-gen2-fips'],
    ['my-own-image', undefined],
  ])('of %s is %s', (definition, distro) => {
    expect(distroOf(definition)).toBe(distro);
  });
});
