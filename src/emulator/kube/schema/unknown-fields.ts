// The fields of an object that its type does not know. In: the type and an object that is no longer text. Out: the object
// without them, and their paths in order of name. Nothing is looked at below an unknown field.
import type { Json } from '../../../api/meta.ts';
import { isArray, isObject, type JsonObject, mapped, without } from '../json.ts';
import type { TypeSchema } from './type-schema.ts';

export interface Known {
  readonly object: JsonObject;
  readonly unknown: readonly string[];
}

export function withoutUnknownFields(schema: TypeSchema, object: JsonObject): Known {
  // Nearly every object is free of them, and needs no order then.
  if (isKnown(schema, object)) return { object, unknown: [] };
  const unknown: string[] = [];
  const known = prune(schema, object, { path: '', unknown });
  return { object: known as JsonObject, unknown };
}

function isKnown(schema: TypeSchema, value: Json): boolean {
  if (schema.isScalar || schema.isOpen) return true;
  if (isArray(value)) {
    const { items } = schema;
    return items === undefined || value.every((item) => isKnown(items, item));
  }
  if (!isObject(value)) return true;
  for (const name in value) {
    const member = schema.member(name);
    if (member === undefined || !isKnown(member, value[name] ?? null)) return false;
  }
  return true;
}

interface Place {
  readonly path: string;
  readonly unknown: string[];
}

function prune(schema: TypeSchema, value: Json, place: Place): Json {
  if (isArray(value)) {
    const { items } = schema;
    if (items === undefined) return value;
    let index = 0;
    return mapped(value, (item) =>
      prune(items, item, { ...place, path: `${place.path}[${index++}]` }),
    );
  }
  const isTyped = schema.type === 'object' || schema.type === 'any';
  return isTyped && isObject(value) ? pruneMembers(schema, value, place) : value;
}

function pruneMembers(
  schema: TypeSchema,
  object: JsonObject,
  { path, unknown }: Place,
): JsonObject {
  let known = object;
  for (const name of Object.keys(object).toSorted()) {
    const member = schema.member(name);
    const below = path === '' ? name : `${path}.${name}`;
    if (member === undefined) {
      unknown.push(below);
      known = without(known, name);
      continue;
    }
    const value = object[name] ?? null;
    const kept = prune(member, value, { path: below, unknown });
    if (kept !== value) known = { ...known, [name]: kept };
  }
  return known;
}
