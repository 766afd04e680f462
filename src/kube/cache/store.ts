// The objects of one kind as the API server has them, in memory. In: lists and watch events from a
// reflector, results of our own writes. Out: reads by key and by index, and every change to subscribers.
//  1. An object is only ever replaced by a newer version of itself, so a late or doubled event, or a list
//     older than our own write, changes nothing.
//  2. What is deleted stays deleted: later news of the same uid, or of an older version, is ignored.
//  3. The same name with another uid is another object: subscribers hear of a deletion, then an addition.
//  4. Subscribers are called at once, in the order of the changes, also for changes that they cause.
//     One that throws is logged and disturbs nobody. Replaying what one heard gives what the store holds.
//  5. Parts of an object that did not change are the same parts in its next version.
//  6. Objects are shared and must not be changed; with `freeze` they cannot be.
import { CodedError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { KubeObject } from '../../api/meta.ts';
import { keyOf, type ObjectRef } from '../client/paths.ts';
import { deepFreeze, withoutManagedFields } from './prepare-object.ts';
import { isNewer, isStale } from './resource-version.ts';
import { StoreIndex, type IndexFunction } from './store-index.ts';
import { share } from './structural-sharing.ts';
import { Subscriptions, type ChangeHandler } from './subscriptions.ts';
import { Tombstones } from './tombstones.ts';

export interface StoreOptions<T, Index extends string = never> {
  readonly log: Logger;
  readonly indexes?: Readonly<Record<Index, IndexFunction<T>>>;
  /** Drops what a list or watch has not, from the whole object that a write is answered with. */
  readonly lean?: ((object: T) => T) | undefined;
  /** Drops what nobody reads, before an object is kept. Managed fields are always dropped. */
  readonly transform?: ((object: T) => T) | undefined;
  /** Makes changing a cached object throw. For tests: it costs a walk over every object. */
  readonly freeze?: boolean | undefined;
  /** The store sees only some objects of its kind (a selector), so a new one of ours may not belong. */
  readonly partial?: boolean | undefined;
}

export class Store<T extends KubeObject, Index extends string = never> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, StoreIndex<T>>();
  readonly #tombstones = new Tombstones();
  readonly #subscriptions: Subscriptions<T>;
  readonly #options: StoreOptions<T, Index>;
  #version: string | undefined;
  /** Of the last list: what is older and was not on it is gone. */
  #listed: string | undefined;

  constructor(options: StoreOptions<T, Index>) {
    this.#options = options;
    this.#subscriptions = new Subscriptions(options.log);
    for (const [name, valuesOf] of Object.entries(options.indexes ?? {})) {
      this.#indexes.set(name, new StoreIndex(valuesOf as IndexFunction<T>));
    }
  }

  /** By reference or by its key (`namespace/name`, `name`). */
  get(ref: ObjectRef | string): T | undefined {
    return this.#objects.get(typeof ref === 'string' ? ref : keyOf(ref));
  }

  list(): T[] {
    return [...this.#objects.values()];
  }

  /** Without a copy: not to be walked across an await. */
  values(): IterableIterator<T> {
    return this.#objects.values();
  }

  byIndex(index: Index, value: string): T[] {
    return [...this.#index(index).objects(value).values()];
  }

  countByIndex(index: Index, value: string): number {
    return this.#index(index).objects(value).size;
  }

  get size(): number {
    return this.#objects.size;
  }

  /** True once the store has held everything that the server had. It stays true through later faults. */
  get synced(): boolean {
    return this.#version !== undefined;
  }

  /** How far the server's history has been followed. */
  get version(): string | undefined {
    return this.#version;
  }

  /** Hears of all there is, as additions, then of every change. Returns how to stop that. */
  subscribe(handler: ChangeHandler<T>): () => void {
    return this.#subscriptions.add(handler, this.list());
  }

  /** For informers that are shared: adds an index unless the same one is there. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    const known = this.#indexes.get(name);
    if (known?.valuesOf === valuesOf) return;
    if (known !== undefined) {
      throw new CodedError('IndexExists', 'another index of this store has the same name', {
        fields: { index: name },
      });
    }
    const index = new StoreIndex(valuesOf);
    for (const [key, object] of this.#objects) index.put(key, undefined, object);
    this.#indexes.set(name, index);
  }

  /** Puts the result of a successful write in, unless the watch is already past it. */
  assume(written: T): void {
    const known = this.get(written.metadata) !== undefined;
    // The watch has passed this version and the object is not here: it is gone again, or not selected.
    if (!known && this.#isPast(written.metadata.resourceVersion)) return;
    if (!known && this.#options.partial === true) return;
    this.upsert(this.prepare(this.#options.lean?.(written) ?? written));
  }

  /** Takes out what a delete call of ours has removed. */
  assumeDeleted(ref: ObjectRef & { readonly uid?: string | undefined }): void {
    const key = keyOf(ref);
    const object = this.#objects.get(key);
    if (object === undefined) return;
    if (ref.uid !== undefined && ref.uid !== object.metadata.uid) return;
    const { uid, resourceVersion: version } = object.metadata;
    this.#tombstones.set(key, { uid, version, confirmed: false });
    this.#remove(key, object);
  }

  /** What to do with an object fresh from the wire before `upsert`, `remove` or `replace` take it. */
  prepare(object: T): T {
    const { transform } = this.#options;
    const lean = withoutManagedFields(object);
    return transform === undefined ? lean : transform(lean);
  }

  /** News of an object that exists. */
  upsert(object: T): void {
    this.#upsert(keyOf(object.metadata), object);
  }

  #upsert(key: string, object: T): void {
    const before = this.#objects.get(key);
    const stale =
      before === undefined
        ? this.#isGone(key, object)
        : isStale(object.metadata.resourceVersion, before.metadata.resourceVersion);
    if (!stale) this.#put(key, before, object);
  }

  /** News of an object that is gone, with its last state. */
  remove(last: T): void {
    const key = keyOf(last.metadata);
    const { uid, resourceVersion: version } = last.metadata;
    const object = this.#objects.get(key);
    const successor =
      object !== undefined &&
      object.metadata.uid !== uid &&
      isNewer(object.metadata.resourceVersion, version);
    // The grave of a predecessor must not bury who has its name now.
    if (successor) return;
    this.#tombstones.set(key, { uid, version, confirmed: true });
    if (object !== undefined) this.#remove(key, object.metadata.uid === uid ? last : object);
  }

  /** Everything that the server has at `version`. What is here and newer than that stays. */
  replace(objects: Iterable<T>, version: string): void {
    const listed = new Map<string, T>();
    for (const object of objects) listed.set(keyOf(object.metadata), object);
    this.replaceByKey(listed, version);
  }

  replaceByKey(listed: ReadonlyMap<string, T>, version: string): void {
    // Only a server restored from a backup goes back in time: then nothing we knew counts any more.
    const rewound = isNewer(this.#version, version);
    if (rewound) this.#tombstones.clear();
    for (const [key, object] of this.#objects) {
      if (listed.has(key)) continue;
      if (rewound || !isNewer(object.metadata.resourceVersion, version)) this.#remove(key, object);
    }
    this.#listed = undefined;
    for (const [key, object] of listed) {
      if (rewound) this.#putDifferent(key, object);
      else this.#upsert(key, object);
    }
    this.#tombstones.prune(listed);
    this.#version = version;
    this.#listed = version;
  }

  /** Everything up to `version` has been told. */
  advance(version: string): void {
    if (isNewer(version, this.#version)) this.#version = version;
  }

  #putDifferent(key: string, object: T): void {
    const before = this.#objects.get(key);
    if (before?.metadata.resourceVersion === object.metadata.resourceVersion) return;
    this.#put(key, before, object);
  }

  #put(key: string, before: T | undefined, news: T): void {
    const other = before !== undefined && before.metadata.uid !== news.metadata.uid;
    if (other) this.#remove(key, before);
    const predecessor = other ? undefined : before;
    const after = this.#kept(predecessor, news);
    this.#objects.set(key, after);
    this.#tombstones.delete(key);
    for (const index of this.#indexes.values()) index.put(key, predecessor, after);
    this.#subscriptions.publish(
      predecessor === undefined
        ? { type: 'added', after }
        : { type: 'updated', before: predecessor, after },
    );
  }

  #kept(before: T | undefined, after: T): T {
    const kept = before === undefined ? after : share(before, after);
    return this.#options.freeze === true ? deepFreeze(kept) : kept;
  }

  #remove(key: string, last: T): void {
    const object = this.#objects.get(key);
    if (object === undefined) return;
    this.#objects.delete(key);
    for (const index of this.#indexes.values()) index.delete(key, object);
    this.#subscriptions.publish({ type: 'deleted', before: last });
  }

  #isGone(key: string, object: T): boolean {
    return (
      isStale(object.metadata.resourceVersion, this.#listed) ||
      this.#tombstones.covers(key, object.metadata)
    );
  }

  #isPast(version: string | undefined): boolean {
    return this.#version !== undefined && isStale(version, this.#version);
  }

  #index(name: string): StoreIndex<T> {
    const index = this.#indexes.get(name);
    if (index !== undefined) return index;
    throw new CodedError('NoSuchIndex', 'this store has no index of that name', {
      fields: { index: name, known: [...this.#indexes.keys()] },
    });
  }
}
