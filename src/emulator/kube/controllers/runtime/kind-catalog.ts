// All kinds that the server serves, for the loops that look after every object whatever it is.
// In: the server's table. Out: one address per stored kind, and the way from an owner reference to a kind.
import type { ResourceAddress } from '../../api.ts';

/** What these loops need to know of a kind; the server's own rows have it all. */
export interface KindInfo {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly { readonly name: string }[];
  /** Versions with the same storage are the same objects. */
  readonly storage: string;
}

export type KindCatalog = () => Iterable<KindInfo>;

/** Kinds that can be listed, watched and deleted, each storage once. */
export function collectableKinds(catalog: KindCatalog): readonly KindInfo[] {
  const byStorage = new Map<string, KindInfo>();
  for (const kind of catalog()) {
    const isWhole = ['list', 'watch', 'delete'].every((verb) => kind.verbs.includes(verb));
    if (isWhole && !byStorage.has(kind.storage)) byStorage.set(kind.storage, kind);
  }
  return [...byStorage.values()];
}

export function addressOf({ group, version, plural }: KindInfo): ResourceAddress {
  return { group, version, resource: plural };
}
