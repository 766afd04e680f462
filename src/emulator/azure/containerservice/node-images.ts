// AKS's node images by the names that AKS gives them: `AKSUbuntu-2204gen2containerd-202502.09.0`. In: the galleries of this
// Azure. Out: what a region has, the image that a name means, and the newest for a kind of node.
import { ok, type ResourceType } from '../arm/arm-call.ts';
import { regionOf } from '../compute/usages.ts';
import type { AzureEnvironment } from '../environment.ts';
import type { ImageFacts, SizeFacts } from '../facts.ts';

export interface NodeImage {
  /** `AKSUbuntu` */
  readonly os: string;
  /** `2204gen2containerd` */
  readonly sku: string;
  readonly version: string;
  readonly fullName: string;
  readonly publishedMs: number;
  readonly facts: ImageFacts;
}

export interface ImageWish {
  readonly region: string;
  readonly osSku: string;
  readonly size: SizeFacts;
  readonly isFips: boolean;
}

const communitySuffix = /-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export class NodeImages {
  readonly #facts: readonly ImageFacts[];

  constructor(facts: readonly ImageFacts[]) {
    this.#facts = facts;
  }

  in(region: string): NodeImage[] {
    return this.#facts.flatMap((facts) => imagesOf(facts, region));
  }

  find(fullName: string, region: string): NodeImage | undefined {
    const name = fullName.toLowerCase();
    return this.in(region).find((image) => image.fullName.toLowerCase() === name);
  }

  newest({ region, osSku, size, isFips }: ImageWish): NodeImage | undefined {
    const wanted = skuPattern(osSku);
    return this.in(region)
      .filter(({ os, sku }) => wanted.test(`${os}-${sku}`) && /fips/i.test(sku) === isFips)
      .filter(
        ({ facts }) =>
          facts.architecture === size.architecture &&
          size.hyperVGenerations.includes(facts.hyperVGeneration),
      )
      .toSorted(byPreference)[0];
  }
}

function imagesOf(facts: ImageFacts, region: string): NodeImage[] {
  const os = (facts.gallery.split('/').at(-1) ?? '').replace(communitySuffix, '');
  return facts.versions
    .filter(({ regions }) => regions === undefined || regions.includes(region))
    .map(({ version, publishedMs }) => ({
      os,
      sku: facts.definition,
      version,
      fullName: `${os}-${facts.definition}-${version}`,
      publishedMs,
      facts,
    }));
}

function skuPattern(osSku: string): RegExp {
  const [, year, month] = /^Ubuntu(\d\d)(\d\d)$/.exec(osSku) ?? [];
  if (year !== undefined && month !== undefined)
    return new RegExp(`^AKSUbuntu-${year}${month}`, 'i');
  return /^AzureLinux/i.test(osSku) ? /^AKSAzureLinux-/i : /^AKSUbuntu-/i;
}

/** The second generation before the first, the newest first. */
function byPreference(a: NodeImage, b: NodeImage): number {
  const generation = (image: NodeImage): number => (image.facts.hyperVGeneration === 'V2' ? 0 : 1);
  return generation(a) - generation(b) || b.publishedMs - a.publishedMs;
}

/** Only the newest of each kind, as AKS lists them. */
export function nodeImageVersions(env: AzureEnvironment, images: NodeImages): ResourceType {
  return {
    type: 'Microsoft.ContainerService/locations/nodeImageVersions',
    open: ['list'],
    list: (call) => {
      const newest = new Map<string, NodeImage>();
      for (const image of images.in(regionOf(env, call))) {
        const key = `${image.os}-${image.sku}`;
        const known = newest.get(key);
        if (known === undefined || known.publishedMs < image.publishedMs) newest.set(key, image);
      }
      const value = [...newest.values()].map(({ os, sku, version, fullName }) => ({
        fullName,
        os,
        sku,
        version,
      }));
      return ok({ value });
    },
  };
}
