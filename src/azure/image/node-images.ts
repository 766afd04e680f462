// The newest images for a node class. In: what image it wants, and a source of versions. Out: images in order of
// preference, each with the sizes it boots on.
// 1. An answer is kept for three days per set of definitions and Kubernetes version: an upgrade asks anew.
// 2. A definition without a version is left out; an error of the source is the caller's. Neither is kept.
// 3. Nothing is asked for a wish that no image can meet.
import type { NodeImage } from '../../api/aks-node-class.ts';
import type { Clock } from '../../base/clock.ts';
import { TtlCache } from '../../base/ttl-cache.ts';
import {
  type ImageDefinition,
  imageDefinitionsFor,
  type ImageWish,
  requirementsOf,
} from './image-definition.ts';
import { formatImageId } from './image-id.ts';
import {
  type CommunityImageVersion,
  definitionKey,
  newestByDefinition,
  newestPublished,
  type NodeImageVersionRow,
} from './image-version.ts';

/** Lists versions in the region of the nodes. */
export interface ImageVersionSource {
  listCommunity(
    image: { readonly gallery: string; readonly definition: string },
    signal: AbortSignal,
  ): Promise<readonly CommunityImageVersion[]>;
  listNodeImageVersions(signal: AbortSignal): Promise<readonly NodeImageVersionRow[]>;
}

/** Of one definition, or undefined when it has no version yet. */
type NewestVersion = (definition: ImageDefinition) => Promise<string | undefined>;

const keptMs = 3 * 24 * 60 * 60 * 1000;

export class NodeImages {
  readonly #source: ImageVersionSource;
  readonly #sharedSubscriptionId: string;
  readonly #kept: TtlCache<string, readonly NodeImage[]>;

  constructor(parts: {
    readonly source: ImageVersionSource;
    /** The subscription that owns the shared galleries. */
    readonly sharedSubscriptionId: string;
    readonly clock: Clock;
  }) {
    this.#source = parts.source;
    this.#sharedSubscriptionId = parts.sharedSubscriptionId;
    this.#kept = new TtlCache({ clock: parts.clock, ttlMs: keptMs });
  }

  async listNewest(
    wish: ImageWish & { readonly kubernetesVersion: string },
    signal: AbortSignal,
  ): Promise<readonly NodeImage[]> {
    const definitions = imageDefinitionsFor(wish);
    if (definitions.length === 0) return [];
    const key = [
      wish.gallery,
      wish.kubernetesVersion,
      ...definitions.map(({ name }) => name),
    ].join();
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const newestOf =
      wish.gallery === 'shared'
        ? await this.#sharedVersions(signal)
        : this.#communityVersions(signal);
    const versions = await Promise.all(definitions.map(newestOf));
    const images = definitions.flatMap((definition, i) => {
      const version = versions[i];
      return version === undefined ? [] : [this.#imageOf(definition, version, wish.gallery)];
    });
    if (images.length === definitions.length) this.#kept.set(key, images);
    return images;
  }

  #communityVersions(signal: AbortSignal): NewestVersion {
    return async ({ gallery, name }) =>
      newestPublished(
        await this.#source.listCommunity(
          { gallery: gallery.communityName, definition: name },
          signal,
        ),
      );
  }

  async #sharedVersions(signal: AbortSignal): Promise<NewestVersion> {
    const newest = newestByDefinition(await this.#source.listNodeImageVersions(signal));
    return ({ gallery, name }) => Promise.resolve(newest.get(definitionKey(gallery.name, name)));
  }

  #imageOf(definition: ImageDefinition, version: string, kind: ImageWish['gallery']): NodeImage {
    const { gallery, name } = definition;
    const id =
      kind === 'community'
        ? formatImageId({ kind, gallery: gallery.communityName, definition: name, version })
        : formatImageId({
            kind,
            subscriptionId: this.#sharedSubscriptionId,
            resourceGroup: gallery.resourceGroup,
            gallery: gallery.name,
            definition: name,
            version,
          });
    return { id, requirements: requirementsOf(definition) };
  }
}
