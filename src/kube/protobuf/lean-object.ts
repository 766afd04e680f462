// An object as it would have come in binary form. In: an object out of JSON, with all that the server has. Out: one with
// only the fields that the tables name. The argument is left alone; parts that stay whole are its own.
// What is cached must not depend on how it came: writes are always answered in JSON, and some servers know nothing else.
import type { KubeObject } from '../../api/meta.ts';
import type { WireField, WireMessage } from '../../api/protobuf/wire-field.ts';
import type { Members } from './message-reader.ts';

export function leanObject<T extends KubeObject>(object: T, table: WireMessage): T {
  const { apiVersion, kind } = object;
  return {
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
    ...leanMembers(object as unknown as Members, table),
  } as unknown as T;
}

function leanMembers(object: Members, table: WireMessage): Members {
  const lean: Members = {};
  for (const name in table) {
    const value = object[name];
    // Absent and null are one in Kubernetes.
    if (value !== undefined && value !== null)
      lean[name] = leanValue(value, table[name] as WireField);
  }
  return lean;
}

function leanValue(value: unknown, { message, shape }: WireField): unknown {
  if (message === undefined || typeof value !== 'object') return value;
  if (shape !== 'list') return leanMembers(value as Members, message);
  return Array.isArray(value)
    ? value.map((item: unknown) => leanMembers(item as Members, message))
    : value;
}
