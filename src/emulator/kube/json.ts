// Reading JSON trees of unknown shape, and changing them by copying only the path that changes.
// In: values as they came off the wire. Out: typed parts, or undefined where the shape is another.
// Nothing here mutates its input; a change that changes nothing gives back the same object.
import type { Json } from '../../api/meta.ts';

export type JsonObject = { readonly [key: string]: Json };

export type MutableJsonObject = { [key: string]: Json };

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value below `path`; undefined as soon as a step is not an object or has no such field. */
export function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let current = value;
  for (const step of path) {
    if (!isObject(current)) return undefined;
    current = current[step];
  }
  return current;
}

export function objectAt(
  value: Json | undefined,
  ...path: readonly string[]
): JsonObject | undefined {
  const found = at(value, ...path);
  return isObject(found) ? found : undefined;
}

/** The list below `path`; empty when there is none. */
export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = at(value, ...path);
  return isArray(found) ? found : [];
}

/** The objects of the list below `path`. */
export function objectsAt(
  value: Json | undefined,
  ...path: readonly string[]
): readonly JsonObject[] {
  return listAt(value, ...path).filter((item) => isObject(item));
}

export function stringAt(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

export function numberAt(value: Json | undefined, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : undefined;
}

/** The text below `path`; empty when there is none. */
export function textAt(value: Json | undefined, ...path: readonly string[]): string {
  return stringAt(value, ...path) ?? '';
}

/** The number below `path`; zero when there is none. */
export function countAt(value: Json | undefined, ...path: readonly string[]): number {
  return numberAt(value, ...path) ?? 0;
}

/** A value as text: a string as it is, anything else as JSON. */
export function scalarText(value: Json | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A copy with the value at `path`; undefined removes the field. Missing steps are made on the way. */
export function withValue<T extends JsonObject>(
  object: T,
  path: readonly string[],
  value: Json | undefined,
): T {
  const [step, ...rest] = path;
  if (step === undefined) return object;
  const current = object[step];
  if (rest.length === 0) {
    if (current === value) return object;
    return value === undefined ? without(object, step) : { ...object, [step]: value };
  }
  if (!isObject(current) && value === undefined) return object;
  const inner = isObject(current) ? current : {};
  const changed = withValue(inner, rest, value);
  return changed === current ? object : { ...object, [step]: changed };
}

export function without<T extends JsonObject>(object: T, field: string): T {
  if (!(field in object)) return object;
  const copy: MutableJsonObject = { ...object };
  delete copy[field];
  return copy as T;
}

/** A copy with `defaults` for the fields that are missing; the same object when none is. */
export function withDefaults<T extends JsonObject>(object: T, defaults: JsonObject): T {
  let copy: MutableJsonObject | undefined;
  for (const field in defaults) {
    if (object[field] !== undefined) continue;
    copy ??= { ...object };
    copy[field] = defaults[field] as Json;
  }
  return (copy ?? object) as T;
}

/** `items` mapped; the same array when no item changed. */
export function mapped<T extends Json>(items: readonly T[], change: (item: T) => T): readonly T[] {
  let copy: T[] | undefined;
  for (const [index, item] of items.entries()) {
    const changed = change(item);
    if (changed === item) continue;
    copy ??= [...items];
    copy[index] = changed;
  }
  return copy ?? items;
}

/** Equality of values, where a missing field and one that is undefined are the same. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isArray(a))
    return isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  return isObject(a) && isObject(b) && sameFields(a, b);
}

function sameFields(a: JsonObject, b: JsonObject): boolean {
  for (const field in a) if (!sameJson(a[field], b[field])) return false;
  for (const field in b) if (a[field] === undefined && b[field] !== undefined) return false;
  return true;
}

/** True for what Go leaves out of JSON under `omitempty`: nothing, zero, and empty. */
export function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) {
    return true;
  }
  if (isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
