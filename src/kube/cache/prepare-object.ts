// What an object goes through before it is cached: parts that nobody reads are dropped, and in tests it is
// frozen. In: an object fresh from the wire. Out: the object to keep; the argument is left alone.
import type { KubeObject } from '../../api/meta.ts';

/** A third of a typical object, and only the server's bookkeeping. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (!('managedFields' in object.metadata)) return object;
  const { managedFields: _, ...metadata } = object.metadata as T['metadata'] & {
    readonly managedFields: unknown;
  };
  return { ...object, metadata };
}

export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}
