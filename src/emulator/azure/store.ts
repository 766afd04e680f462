// Everything that exists in this Azure. In: resources by id. Out: them again, by id, by type and place, or below one.
// 1. A stored resource is never changed, only replaced: what a reader holds stays as it was.
// 2. Identity is the id in lower case; the casing shown is that of the first write.
// 3. Every change is told to the listeners, in order, after it can be read.
import type { JsonObject } from '../kube/json.ts';
import { toKey } from './arm/resource-id.ts';

export interface Resource {
  readonly id: string;
  readonly key: string;
  /** `Microsoft.Compute/virtualMachines`, in the casing of its definition. */
  readonly type: string;
  readonly name: string;
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  /** All that a GET shows besides id, name, type and etag. */
  readonly body: JsonObject;
  /** What was written and is never shown: custom data, passwords, protected settings. */
  readonly hidden: JsonObject;
  readonly etag: string;
  readonly createdMs: number;
  readonly changedMs: number;
}

export interface ResourceChange {
  readonly before?: Resource;
  readonly after?: Resource;
}

export class ResourceStore {
  readonly #resources = new Map<string, Resource>();
  readonly #byType = new Map<string, Map<string, Resource>>();
  /** Keys by each id that they lie below, so that a deletion costs what it deletes. */
  readonly #below = new Map<string, Set<string>>();
  readonly #listeners = new Set<(change: ResourceChange) => void>();

  get(id: string): Resource | undefined {
    return this.#resources.get(toKey(id));
  }

  put(resource: Resource): void {
    const before = this.#resources.get(resource.key);
    this.#resources.set(resource.key, resource);
    this.#ofType(resource.type).set(resource.key, resource);
    if (before === undefined) this.#place(resource.key);
    this.#tell(before === undefined ? { after: resource } : { before, after: resource });
  }

  /** Gives back what was removed. */
  delete(id: string): Resource | undefined {
    const before = this.get(id);
    if (before === undefined) return undefined;
    this.#resources.delete(before.key);
    this.#ofType(before.type).delete(before.key);
    for (const above of idsAbove(before.key)) this.#below.get(above)?.delete(before.key);
    this.#tell({ before });
    return before;
  }

  /** All of a type within a scope, in the order of their creation. */
  list(type: string, scope = ''): Resource[] {
    const all = this.#ofType(type);
    if (scope === '') return [...all.values()];
    const keys = this.#below.get(toKey(scope)) ?? new Set<string>();
    // Whichever is shorter: a machine has two extensions, a region has thousands.
    return keys.size < all.size
      ? Array.from(keys, (key) => all.get(key)).filter((one) => one !== undefined)
      : [...all.values()].filter(({ key }) => keys.has(key));
  }

  /** Everything whose id begins with this one, itself left out, in the order of creation. */
  below(id: string): Resource[] {
    const keys = this.#below.get(toKey(id)) ?? new Set<string>();
    return Array.from(keys, (key) => this.#resources.get(key)).filter((one) => one !== undefined);
  }

  onChange(listener: (change: ResourceChange) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #ofType(type: string): Map<string, Resource> {
    const key = type.toLowerCase();
    const known = this.#byType.get(key);
    if (known !== undefined) return known;
    const created = new Map<string, Resource>();
    this.#byType.set(key, created);
    return created;
  }

  #place(key: string): void {
    for (const above of idsAbove(key)) {
      const keys = this.#below.get(above);
      if (keys === undefined) this.#below.set(above, new Set([key]));
      else keys.add(key);
    }
  }

  #tell(change: ResourceChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/** All ids that this one begins with: an id ends after every second segment. */
function idsAbove(key: string): string[] {
  const segments = key.split('/');
  const ids: string[] = [];
  for (let end = 3; end < segments.length; end += 2) ids.push(segments.slice(0, end).join('/'));
  return ids;
}
