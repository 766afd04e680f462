// Versions of node images on the wire. In: the region. Out: those of an image in a community gallery, and those that AKS lists
// for its shared galleries.
import type { CommunityImageVersion, NodeImageVersionRow } from '../image/image-version.ts';
import type { ImageVersionSource } from '../image/node-images.ts';
import { machineApiVersion } from './machines.ts';
import { listAll } from './page.ts';
import type { Arm } from './send.ts';

const galleryApiVersion = '2025-03-03';

interface CommunityVersionRow {
  readonly name?: string;
  readonly properties?: { readonly publishedDate?: string };
}

export function imageVersionSource(
  arm: Arm,
  { subscriptionId, location }: { readonly subscriptionId: string; readonly location: string },
): ImageVersionSource {
  const provider = (namespace: string) =>
    `/subscriptions/${subscriptionId}/providers/${namespace}/locations/${location}`;
  return {
    listCommunity: async ({ gallery, definition }, signal) => {
      const rows = await listAll<CommunityVersionRow>(arm, {
        path: `${provider('Microsoft.Compute')}/communityGalleries/${gallery}/images/${definition}/versions`,
        apiVersion: galleryApiVersion,
        signal,
      });
      return rows.flatMap(({ name, properties }): CommunityImageVersion[] =>
        name === undefined ? [] : [{ name, publishedDate: properties?.publishedDate ?? '' }],
      );
    },
    listNodeImageVersions: async (signal) =>
      await listAll<NodeImageVersionRow>(arm, {
        path: `${provider('Microsoft.ContainerService')}/nodeImageVersions`,
        apiVersion: machineApiVersion,
        signal,
      }),
  };
}
