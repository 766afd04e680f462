// A live copy of one resource. In: the server's list and watch. Out: lookups, indexes, and every change once.
// 1. After `drain` the copy is what the server holds: the server is synchronous, so nothing can be under way.
// 2. Handlers see each change exactly once and in order, also when the watch broke and the copy was listed anew.
// 3. Objects handed out are the server's own and are never mutated.
import type { KubeApi, RequestContext, ResourceAddress, Watch, WatchEvent } from '../../api.ts';
import type { ApiObject } from '../../object.ts';

export interface Change {
  readonly before: ApiObject | undefined;
  readonly after: ApiObject | undefined;
}

export type ChangeHandler = (change: Change) => void;

type IndexKeys = (object: ApiObject) => readonly string[];

interface Index {
  readonly keysOf: IndexKeys;
  readonly entries: Map<string, Map<string, ApiObject>>;
}

export function objectKey(object: ApiObject): string {
  const { namespace, name } = object.metadata;
  return namespace === undefined ? name : `${namespace}/${name}`;
}

export class Informer {
  readonly resource: ResourceAddress;
  readonly #api: KubeApi;
  readonly #context: RequestContext;
  readonly #objects = new Map<string, ApiObject>();
  readonly #indexes = new Map<string, Index>();
  readonly #handlers: ChangeHandler[] = [];
  #watch: Watch | undefined;
  #wake: (() => void) | undefined;

  constructor(options: {
    readonly api: KubeApi;
    readonly context: RequestContext;
    readonly resource: ResourceAddress;
  }) {
    this.#api = options.api;
    this.#context = options.context;
    this.resource = options.resource;
  }

  /** Handlers must be in place before `start`: nothing is replayed. */
  onChange(handler: ChangeHandler): void {
    this.#handlers.push(handler);
  }

  addIndex(name: string, keysOf: IndexKeys): void {
    if (this.#indexes.has(name)) return;
    const index: Index = { keysOf, entries: new Map() };
    this.#indexes.set(name, index);
    for (const object of this.#objects.values()) addTo(index, object);
  }

  /** `wake` runs whenever there may be something to drain. */
  start(wake: () => void): void {
    this.#wake = wake;
    this.#list();
  }

  stop(): void {
    this.#wake = undefined;
    this.#watch?.stop();
    this.#watch = undefined;
  }

  get(key: string): ApiObject | undefined {
    return this.#objects.get(key);
  }

  values(): IterableIterator<ApiObject> {
    return this.#objects.values();
  }

  get size(): number {
    return this.#objects.size;
  }

  indexed(name: string, key: string): readonly ApiObject[] {
    return [...(this.#indexes.get(name)?.entries.get(key)?.values() ?? [])];
  }

  /** Takes what has happened; true when anything has. */
  drain(): boolean {
    const watch = this.#watch;
    if (watch === undefined) return false;
    const events = watch.take();
    for (const event of events) this.#apply(event);
    if (watch.closed) this.#list();
    else if (events.length > 0) this.#listen();
    return events.length > 0;
  }

  #list(): void {
    const { resource } = this;
    const list = this.#api.list({ context: this.#context, resource });
    const { resourceVersion } = list.metadata;
    this.#watch = this.#api.watch({ context: this.#context, resource, resourceVersion });
    const seen = new Set(list.items.map(objectKey));
    for (const [key, object] of this.#objects) if (!seen.has(key)) this.#put(object, undefined);
    for (const object of list.items) this.#put(undefined, object);
    this.#listen();
  }

  #listen(): void {
    this.#watch?.wake(() => this.#wake?.());
  }

  #apply({ type, object }: WatchEvent): void {
    if (type === 'DELETED') this.#put(object, undefined);
    else if (type === 'ADDED' || type === 'MODIFIED') this.#put(undefined, object);
  }

  #put(gone: ApiObject | undefined, after: ApiObject | undefined): void {
    const subject = after ?? gone;
    if (subject === undefined) return;
    const key = objectKey(subject);
    const before = this.#objects.get(key);
    if (before === undefined && after === undefined) return;
    if (before?.metadata.resourceVersion === after?.metadata.resourceVersion) return;
    this.#keep(key, before, after);
    this.#tell(before, after, gone);
  }

  #keep(key: string, before: ApiObject | undefined, after: ApiObject | undefined): void {
    for (const index of this.#indexes.values()) {
      if (before !== undefined) removeFrom(index, before);
      if (after !== undefined) addTo(index, after);
    }
    if (after === undefined) this.#objects.delete(key);
    else this.#objects.set(key, after);
  }

  /** An object deleted and made anew between two looks is two changes, not one. */
  #tell(
    before: ApiObject | undefined,
    after: ApiObject | undefined,
    gone: ApiObject | undefined,
  ): void {
    const isOther =
      before !== undefined && after !== undefined && before.metadata.uid !== after.metadata.uid;
    const changes: readonly Change[] = isOther
      ? [
          { before, after: undefined },
          { before: undefined, after },
        ]
      : [{ before: after === undefined ? (gone ?? before) : before, after }];
    for (const change of changes) for (const handler of this.#handlers) handler(change);
  }
}

function addTo(index: Index, object: ApiObject): void {
  for (const key of index.keysOf(object)) {
    let entries = index.entries.get(key);
    if (entries === undefined) index.entries.set(key, (entries = new Map()));
    entries.set(objectKey(object), object);
  }
}

function removeFrom(index: Index, object: ApiObject): void {
  for (const key of index.keysOf(object)) {
    const entries = index.entries.get(key);
    entries?.delete(objectKey(object));
    if (entries?.size === 0) index.entries.delete(key);
  }
}
