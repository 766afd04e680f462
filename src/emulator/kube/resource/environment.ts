// What every operation on objects stands on. Made once per server and handed to each operation.
import type { Clock } from '../../../base/clock.ts';
import type { Random } from '../../../base/random.ts';
import type { JsonObject } from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { AdmissionPlugin } from '../ports.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import type { GroupVersionKind, TypeSchema } from '../schema/type-schema.ts';
import type { Store } from '../store/store.ts';

export interface Environment {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  /** In the order in which they look at a write. */
  readonly admission: readonly AdmissionPlugin[];
  /** The type of a kind; undefined only for kinds without any schema. */
  readonly schemaOf: (kind: ResourceKind) => TypeSchema | undefined;
  /** A built-in type that is no resource of its own, such as Scale or Eviction. */
  readonly typeOf: (kind: GroupVersionKind) => TypeSchema | undefined;
  /** Told after every write that was not a dry run. */
  readonly written?: (kind: ResourceKind, object: ApiObject, gone: boolean) => void;
}

/** What a caller sent: a value from inside the process, or text from outside. */
export type Body =
  | { readonly object: JsonObject }
  | { readonly text: string; readonly mediaType: 'application/json' | 'application/yaml' };

export function keyOf(kind: ResourceKind, namespace: string | undefined, name: string): string {
  return kind.namespaced ? `${namespace ?? ''}/${name}` : name;
}

/** An object as this version of the kind shows it. */
export function toServed(kind: ResourceKind, stored: ApiObject): ApiObject {
  return kind.convert === undefined ? stored : kind.convert.fromStorage(stored);
}

export function toStored(kind: ResourceKind, object: ApiObject): ApiObject {
  return kind.convert === undefined ? object : kind.convert.toStorage(object);
}
