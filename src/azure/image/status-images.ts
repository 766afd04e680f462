// What `status.images` of a node class becomes. In: the images it has, the newest ones, and whether it may move to them.
// Out: the images to write, or why there are none, as the condition ImagesReady says it.
// 1. A class that is not ready, or within its maintenance window, gets the newest of everything.
// 2. Otherwise a definition it already has keeps its version, a new one comes in at its newest, one that is no longer
//    wanted goes: a change of family takes effect at once, a new release of an image does not.
import type { NodeImage } from '../../api/aks-node-class.ts';
import type { GalleryKind } from './image-definition.ts';
import { withoutVersion } from './image-id.ts';

export type ImagesOutcome =
  | { readonly kind: 'images'; readonly images: readonly NodeImage[] }
  | { readonly kind: 'none'; readonly reason: string; readonly message: string };

export function nextImages(parts: {
  readonly current: readonly NodeImage[];
  readonly newest: readonly NodeImage[];
  readonly mayMove: boolean;
}): ImagesOutcome {
  const { current, newest, mayMove } = parts;
  if (newest.length === 0) {
    return {
      kind: 'none',
      reason: 'ImagesNotFound',
      message: 'ImageSelectors did not match any Images',
    };
  }
  const known = new Map(current.map((image) => [withoutVersion(image.id), image]));
  const images = mayMove
    ? newest
    : newest.map((image) => known.get(withoutVersion(image.id)) ?? image);
  return { kind: 'images', images };
}

/** Before anything is looked up: FIPS images are in the shared galleries only. */
export function galleryRefusal(fips: boolean, gallery: GalleryKind): ImagesOutcome | undefined {
  if (!fips || gallery === 'shared') return undefined;
  return {
    kind: 'none',
    reason: 'SIGRequiredForFIPS',
    message:
      'FIPS images require UseSIG to be enabled, but UseSIG is false (note: UseSIG is only supported in AKS managed NAP)',
  };
}
