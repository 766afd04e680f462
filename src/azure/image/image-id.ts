// Names of image versions. In: an id as ARM, a node class or a machine states it. Out: its parts, or undefined for
// anything else; and back. Keywords are read in any case, as ARM reads them; names keep the case they came in.
//   /CommunityGalleries/{gallery}/images/{definition}/versions/{version}
//   /subscriptions/{s}/resourceGroups/{rg}/providers/Microsoft.Compute/galleries/{gallery}/images/{definition}/versions/{version}

interface ImageParts {
  readonly gallery: string;
  readonly definition: string;
  readonly version: string;
}

export interface CommunityImage extends ImageParts {
  readonly kind: 'community';
}

export interface SharedImage extends ImageParts {
  readonly kind: 'shared';
  readonly subscriptionId: string;
  readonly resourceGroup: string;
}

export type ImageReference = CommunityImage | SharedImage;

export type NodeImageVersion =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

const tail = 'images/(?<definition>[^/]+)/versions/(?<version>[^/]+)/?$';
const community = new RegExp(`^/CommunityGalleries/(?<gallery>[^/]+)/${tail}`, 'i');
const shared = new RegExp(
  `^/subscriptions/(?<subscriptionId>[^/]+)/resourceGroups/(?<resourceGroup>[^/]+)/providers/Microsoft\\.Compute/galleries/(?<gallery>[^/]+)/${tail}`,
  'i',
);

export function parseImageId(id: string): ImageReference | undefined {
  const inCommunity = community.exec(id)?.groups;
  if (inCommunity !== undefined) return { kind: 'community', ...partsOf(inCommunity) };
  const groups = shared.exec(id)?.groups;
  if (groups === undefined) return undefined;
  const { subscriptionId = '', resourceGroup = '' } = groups;
  return { kind: 'shared', subscriptionId, resourceGroup, ...partsOf(groups) };
}

export function formatImageId(image: ImageReference): string {
  const path = `${image.gallery}/images/${image.definition}/versions/${image.version}`;
  if (image.kind === 'community') return `/CommunityGalleries/${path}`;
  const { subscriptionId, resourceGroup } = image;
  return `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/Microsoft.Compute/galleries/${path}`;
}

/** `AKSUbuntu-2204gen2containerd-202411.12.0`: how AKS machines name an image. It has no room for a community's. */
export function nodeImageVersionOf(imageId: string): NodeImageVersion {
  const image = parseImageId(imageId);
  if (image === undefined) {
    return { ok: false, reason: `image ${imageId} is not the id of a version in a gallery` };
  }
  if (image.kind === 'community') {
    return {
      ok: false,
      reason: `image ${imageId} is in a community gallery, which AKS machines cannot use; set use-sig or another provision mode`,
    };
  }
  return { ok: true, text: `${image.gallery}-${image.definition}-${image.version}` };
}

/** What stays the same from version to version. */
export function withoutVersion(imageId: string): string {
  return imageId.replace(/\/versions\/[^/]*\/?$/i, '');
}

function partsOf(groups: Readonly<Record<string, string>>): ImageParts {
  const { gallery = '', definition = '', version = '' } = groups;
  return { gallery, definition, version };
}
