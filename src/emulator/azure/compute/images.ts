// Images of galleries that anybody may use. In: a region, a gallery, a definition. Out: the definition and its
// versions there; and, for a VM, the image that its reference means. A version that is not replicated to a region is
// not there.
import type { Json } from '../../../api/meta.ts';
import { ok, type ArmCall, type ResourceType } from '../arm/arm-call.ts';
import { pageReply } from '../arm/paging.ts';
import type { AzureEnvironment } from '../environment.ts';
import { ArmError } from '../errors.ts';
import type { ImageFacts, ImageVersionFacts } from '../facts.ts';
import { entityNotFound } from './errors.ts';
import { regionOf } from './usages.ts';

export interface GalleryImage {
  readonly image: ImageFacts;
  readonly version: ImageVersionFacts;
}

export class ImageCatalog {
  readonly #images: readonly ImageFacts[];

  constructor(images: readonly ImageFacts[]) {
    this.#images = images;
  }

  definition(gallery: string, definition: string): ImageFacts | undefined {
    return this.#images.find(
      (image) => isSame(image.gallery, gallery) && isSame(image.definition, definition),
    );
  }

  definitionsOf(gallery: string): ImageFacts[] {
    return this.#images.filter((image) => isSame(image.gallery, gallery));
  }

  /** `latest` is the newest that a region has and that is not kept out of it. */
  find(reference: {
    readonly gallery: string;
    readonly definition: string;
    readonly version: string;
    readonly region: string;
  }): GalleryImage | undefined {
    const image = this.definition(reference.gallery, reference.definition);
    if (image === undefined) return undefined;
    const there = versionsIn(image, reference.region);
    const version =
      reference.version.toLowerCase() === 'latest'
        ? there
            .filter((one) => one.excludeFromLatest !== true)
            .toSorted((a, b) => b.publishedMs - a.publishedMs)[0]
        : there.find((one) => one.version === reference.version);
    return version === undefined ? undefined : { image, version };
  }
}

export function galleryTypes(env: AzureEnvironment, catalog: ImageCatalog): ResourceType[] {
  const base = 'Microsoft.Compute/locations/communityGalleries/images';
  const definition = (call: ArmCall): ImageFacts => {
    const [, gallery = '', name = ''] = call.path.names;
    const image = catalog.definition(gallery, name);
    if (image === undefined) throw galleryNotFound(gallery, name);
    return image;
  };
  return [
    {
      type: base,
      open: ['get', 'list'],
      get: (call) => ok(shownDefinition(definition(call), regionOf(env, call))),
      list: (call) => {
        const [, gallery = ''] = call.path.names;
        const images = catalog.definitionsOf(gallery);
        if (images.length === 0) throw galleryNotFound(gallery, '');
        const items = images.map((image) => ({
          key: image.definition.toLowerCase(),
          json: shownDefinition(image, regionOf(env, call)),
        }));
        return pageReply(call, items, env.pageSize);
      },
    },
    {
      type: `${base}/versions`,
      open: ['get', 'list'],
      list: (call) => {
        const image = definition(call);
        const region = regionOf(env, call);
        const items = versionsIn(image, region).map((version) => ({
          key: version.version,
          json: shownVersion(image, version, region),
        }));
        return pageReply(call, items, env.pageSize);
      },
      get: (call) => {
        const image = definition(call);
        const region = regionOf(env, call);
        const name = call.path.names[3];
        const version = versionsIn(image, region).find((one) => one.version === name);
        if (version === undefined) throw entityNotFound();
        return ok(shownVersion(image, version, region));
      },
    },
  ];
}

function versionsIn(image: ImageFacts, region: string): ImageVersionFacts[] {
  return image.versions.filter(
    (version) => version.regions === undefined || version.regions.includes(region),
  );
}

function galleryNotFound(gallery: string, definition: string): ArmError {
  return new ArmError(
    404,
    'ResourceNotFound',
    `The community gallery image '${gallery}/${definition}' was not found.`,
  );
}

function uniqueId({ gallery, definition }: ImageFacts): string {
  return `/CommunityGalleries/${gallery}/Images/${definition}`;
}

function shownDefinition(image: ImageFacts, region: string): Json {
  return {
    name: image.definition,
    location: region,
    type: 'Microsoft.Compute/communityGalleries/images',
    identifier: { uniqueId: uniqueId(image) },
    properties: {
      osType: 'Linux',
      osState: 'Generalized',
      hyperVGeneration: image.hyperVGeneration,
      architecture: image.architecture,
      identifier: { publisher: 'AKS', offer: image.gallery, sku: image.definition },
      features: (image.securityTypes ?? []).map((value) => ({ name: 'SecurityType', value })),
    },
  };
}

function shownVersion(image: ImageFacts, version: ImageVersionFacts, region: string): Json {
  return {
    name: version.version,
    location: region,
    type: 'Microsoft.Compute/communityGalleries/images/versions',
    identifier: { uniqueId: `${uniqueId(image)}/Versions/${version.version}` },
    properties: {
      publishedDate: new Date(version.publishedMs).toISOString(),
      excludeFromLatest: version.excludeFromLatest === true,
      storageProfile: {
        osDiskImage: { diskSizeGB: image.osDiskSizeGb ?? 30, hostCaching: 'None' },
      },
    },
  };
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
