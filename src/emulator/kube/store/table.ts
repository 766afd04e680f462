// All objects of one resource, now and in the recent past. In: keys and objects. Out: point reads, ordered
// ranges at any remembered revision, and every change to those who watch.
import type { ApiObject } from '../object.ts';
import { History, type Retention, type StoredEvent } from './history.ts';
import { SortedKeys } from './sorted-keys.ts';
import type { Watcher } from './watcher.ts';

export interface Range {
  readonly prefix: string;
  /** First key to look at; for the pages after the first. */
  readonly start?: string;
  /** State at this revision; the latest when left out. */
  readonly revision?: number;
}

export class Table {
  readonly #objects = new Map<string, ApiObject>();
  readonly #keys = new SortedKeys();
  readonly history: History;
  readonly watchers = new Set<Watcher>();

  constructor(retention: Retention, startRevision: number) {
    this.history = new History(retention, startRevision);
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): ApiObject | undefined {
    return this.#objects.get(key);
  }

  /** Puts an object in place without an event: how a stored table is read back. */
  restore(key: string, object: ApiObject): void {
    if (!this.#objects.has(key)) this.#keys.add(key);
    this.#objects.set(key, object);
  }

  record(event: StoredEvent): void {
    if (event.type === 'DELETED') {
      this.#objects.delete(event.key);
      this.#keys.delete(event.key);
    } else {
      this.restore(event.key, event.object);
    }
    this.history.append(event);
    for (const watcher of this.watchers) watcher.offer(event);
  }

  /** Keys and objects in key order; undefined when the revision is forgotten. */
  range(range: Range): readonly (readonly [key: string, object: ApiObject])[] | undefined {
    const keys = this.#keys.range(range.prefix, range.start);
    if (range.revision === undefined) {
      return keys.map((key) => [key, this.#objects.get(key) as ApiObject] as const);
    }
    return this.#rangeAt(range, range.revision, keys);
  }

  #rangeAt(
    range: Range,
    revision: number,
    keys: readonly string[],
  ): readonly (readonly [string, ApiObject])[] | undefined {
    const later = this.history.after(revision);
    if (later === undefined) return undefined;
    // The first event after the revision knows what was there at the revision.
    const then = new Map<string, ApiObject | undefined>();
    for (const event of later) if (!then.has(event.key)) then.set(event.key, event.previous);
    const wanted = new Set(keys);
    for (const key of then.keys()) {
      if (key.startsWith(range.prefix) && key >= (range.start ?? '')) wanted.add(key);
    }
    return [...wanted]
      .toSorted((a, b) => (a < b ? -1 : 1))
      .flatMap((key) => {
        const object = then.has(key) ? then.get(key) : this.#objects.get(key);
        return object === undefined ? [] : [[key, object] as const];
      });
  }
}
