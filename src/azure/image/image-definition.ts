// The images that AKS publishes for nodes. In: a release, the security settings, where images come from. Out: the
// definitions to choose from, the preferred one first: second generation before first, amd64 before arm64.
// 1. FIPS images are only in the shared galleries. 2. FIPS is looked at before Trusted Launch.
// 3. There is none for GPUs: such nodes boot the ordinary image and get their driver on the way up.
import { azureLabel, label } from '../../api/labels.ts';
import type { NodeImage } from '../../api/aks-node-class.ts';
import type { ImageRelease } from './image-family.ts';

export type Architecture = 'amd64' | 'arm64';
export type GalleryKind = 'community' | 'shared';

export interface Gallery {
  /** As the list of node image versions calls it. */
  readonly name: string;
  readonly resourceGroup: string;
  /** Its public name. */
  readonly communityName: string;
}

export interface ImageDefinition {
  readonly gallery: Gallery;
  readonly name: string;
  /** As the bootstrapping service calls it. */
  readonly distro: string;
  readonly architecture: Architecture;
  readonly hyperVGeneration: '1' | '2';
}

export interface ImageWish {
  readonly release: ImageRelease;
  readonly fips: boolean;
  readonly trustedLaunch: boolean;
  readonly gallery: GalleryKind;
}

type Variant = 'plain' | 'trusted launch' | 'fips' | 'fips and trusted launch';
type Row = readonly [
  name: string,
  distro: string,
  architecture: Architecture,
  generation: '1' | '2',
];

const ubuntu: Gallery = {
  name: 'AKSUbuntu',
  resourceGroup: 'AKS-Ubuntu',
  communityName: 'AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2',
};

const azureLinux: Gallery = {
  name: 'AKSAzureLinux',
  resourceGroup: 'AKS-AzureLinux',
  communityName: 'AKSAzureLinux-f7c7cda5-1c9a-4bdc-a222-9614c968580b',
};

const rows: Readonly<Record<ImageRelease, Readonly<Partial<Record<Variant, readonly Row[]>>>>> = {
  Ubuntu2004: {
    fips: [
      ['2004gen2fipscontainerd', 'aks-ubuntu-fips-containerd-20.04-gen2', 'amd64', '2'],
      ['2004fipscontainerd', 'aks-ubuntu-fips-containerd-20.04', 'amd64', '1'],
    ],
  },
  Ubuntu2204: {
    plain: [
      ['2204gen2containerd', 'aks-ubuntu-containerd-22.04-gen2', 'amd64', '2'],
      ['2204containerd', 'aks-ubuntu-containerd-22.04', 'amd64', '1'],
      ['2204gen2arm64containerd', 'aks-ubuntu-arm64-containerd-22.04-gen2', 'arm64', '2'],
    ],
    'trusted launch': [
      ['2204gen2TLcontainerd', 'aks-ubuntu-containerd-22.04-tl-gen2', 'amd64', '2'],
    ],
    'fips and trusted launch': [
      ['2204gen2fipsTLcontainerd', 'aks-ubuntu-fips-containerd-22.04-tl-gen2', 'amd64', '2'],
    ],
  },
  Ubuntu2404: {
    plain: [
      ['2404gen2containerd', 'aks-ubuntu-containerd-24.04-gen2', 'amd64', '2'],
      ['2404containerd', 'aks-ubuntu-containerd-24.04', 'amd64', '1'],
      ['2404gen2arm64containerd', 'aks-ubuntu-arm64-containerd-24.04-gen2', 'arm64', '2'],
    ],
    'trusted launch': [
      ['2404gen2TLcontainerd', 'aks-ubuntu-containerd-24.04-tl-gen2', 'amd64', '2'],
    ],
  },
  AzureLinux2: {
    plain: [
      ['V2gen2', 'aks-azurelinux-v2-gen2', 'amd64', '2'],
      ['V2', 'aks-azurelinux-v2', 'amd64', '1'],
      ['V2gen2arm64', 'aks-azurelinux-v2-arm64-gen2', 'arm64', '2'],
    ],
    'trusted launch': [['V2gen2TL', 'aks-azurelinux-v2-gen2-tl', 'amd64', '2']],
    fips: [
      ['V2gen2fips', 'aks-azurelinux-v2-gen2-fips', 'amd64', '2'],
      ['V2fips', 'aks-azurelinux-v2-fips', 'amd64', '1'],
    ],
  },
  AzureLinux3: {
    plain: [
      ['V3gen2', 'aks-azurelinux-v3-gen2', 'amd64', '2'],
      ['V3', 'aks-azurelinux-v3', 'amd64', '1'],
      ['V3gen2arm64', 'aks-azurelinux-v3-arm64-gen2', 'arm64', '2'],
    ],
    'trusted launch': [['V3gen2TL', 'aks-azurelinux-v3-gen2-tl', 'amd64', '2']],
    fips: [
      ['V3gen2fips', 'aks-azurelinux-v3-gen2-fips', 'amd64', '2'],
      ['V3fips', 'aks-azurelinux-v3-fips', 'amd64', '1'],
      ['V3gen2arm64fips', 'aks-azurelinux-v3-arm64-gen2-fips', 'arm64', '2'],
    ],
  },
};

export function imageDefinitionsFor(wish: ImageWish): readonly ImageDefinition[] {
  if (wish.fips && wish.gallery === 'community') return [];
  return (rows[wish.release][variantOf(wish)] ?? []).map((row) => definitionOf(wish.release, row));
}

/** For the name in an image's id; undefined for an image that is not ours. */
export function distroOf(definitionName: string): string | undefined {
  return distros.get(definitionName);
}

/** What a size must be like to boot the image, shortest key first, as the original writes it into the status. */
export function requirementsOf(definition: ImageDefinition): NodeImage['requirements'] {
  return [
    { key: label.arch, operator: 'In', values: [definition.architecture] },
    { key: azureLabel.skuHyperVGeneration, operator: 'In', values: [definition.hyperVGeneration] },
  ];
}

function variantOf({ release, fips, trustedLaunch }: ImageWish): Variant {
  if (!fips) return trustedLaunch ? 'trusted launch' : 'plain';
  // Azure Linux has FIPS images but none of them with Trusted Launch, which the API refuses to combine anyway.
  const canCombine = release === 'Ubuntu2004' || release === 'Ubuntu2204';
  return trustedLaunch && canCombine ? 'fips and trusted launch' : 'fips';
}

function definitionOf(release: ImageRelease, row: Row): ImageDefinition {
  const [name, distro, architecture, hyperVGeneration] = row;
  const gallery = release.startsWith('Ubuntu') ? ubuntu : azureLinux;
  return { gallery, name, distro, architecture, hyperVGeneration };
}

const distros: ReadonlyMap<string, string> = new Map(
  Object.values(rows)
    .flatMap((variants) => Object.values(variants).flat())
    .map(([name, distro]): [string, string] => [name, distro]),
);
