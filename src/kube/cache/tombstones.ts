// What was deleted lately, so that late news of it does not bring it back. In: deletions. Out: whether a
// piece of news is about something already gone.
// Bounded: a doubled or reordered event follows its deletion closely, so only the latest are kept.
import type { ObjectMeta } from '../../api/meta.ts';
import { isNewer, isStale } from './resource-version.ts';

interface Tombstone {
  readonly uid: string | undefined;
  /** Of the deletion when the server told it, else the last version we saw. */
  readonly version: string | undefined;
  /** The server has told of this deletion; until then only our own delete call did. */
  readonly confirmed: boolean;
}

const kept = 4096;

export class Tombstones {
  readonly #byKey = new Map<string, Tombstone>();

  set(key: string, stone: Tombstone): void {
    const known = this.#byKey.get(key);
    if (known !== undefined && isNewer(known.version, stone.version)) return;
    // Setting again must move the entry to the young end of the map.
    this.#byKey.delete(key);
    this.#byKey.set(key, stone);
    if (this.#byKey.size <= kept) return;
    for (const oldest of this.#byKey.keys()) {
      this.#byKey.delete(oldest);
      return;
    }
  }

  /** True for news of an object that is known to be gone. A uid never comes back. */
  covers(key: string, metadata: ObjectMeta): boolean {
    const stone = this.#byKey.get(key);
    if (stone === undefined) return false;
    if (stone.uid !== undefined && stone.uid === metadata.uid) return true;
    return isStale(metadata.resourceVersion, stone.version);
  }

  delete(key: string): void {
    this.#byKey.delete(key);
  }

  clear(): void {
    this.#byKey.clear();
  }

  /**
   * A list of everything makes the tombstones up to its version needless. A deletion that only we know of
   * is still to come if the list, taken before it, has the object.
   */
  prune(listed: ReadonlyMap<string, { readonly metadata: ObjectMeta }>): void {
    for (const [key, stone] of this.#byKey) {
      const object = listed.get(key);
      const pending = !stone.confirmed && object !== undefined && object.metadata.uid === stone.uid;
      if (!pending) this.#byKey.delete(key);
    }
  }
}
