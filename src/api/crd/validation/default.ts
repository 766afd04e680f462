// Fills in defaults, as an API server does whenever it takes in or hands out an object. In: any JSON. Out:
// the same value where nothing was missing, else a copy that shares the rest.
// A null that the schema does not allow counts as missing: it gets the default, or goes.
import type { Json } from '../../meta.ts';
import { isRecord, setField } from './json-value.ts';
import type { StructuralNode } from './structural-node.ts';

type JsonRecord = { readonly [key: string]: Json };

function isForbiddenNull(value: Json | undefined, node: StructuralNode | undefined): boolean {
  return value === null && node?.nullable === false;
}

function withMissing(value: JsonRecord, node: StructuralNode): JsonRecord {
  let copy: Record<string, Json> | undefined;
  for (const [name, fallback] of node.defaults) {
    const isThere = Object.hasOwn(value, name);
    if (isThere && !isForbiddenNull(value[name], node.properties.get(name))) continue;
    copy ??= { ...value };
    setField(copy, name, fallback);
  }
  return copy ?? value;
}

function fillRecord(value: JsonRecord, node: StructuralNode): Json {
  const complete = withMissing(value, node);
  let copy: Record<string, Json> | undefined;
  for (const key in complete) {
    const item = complete[key];
    const child = node.properties.get(key) ?? node.additional;
    if (item === undefined || child === undefined) continue;
    const filled = fill(item, child);
    if (filled === item) continue;
    copy ??= { ...complete };
    if (filled === undefined) delete copy[key];
    else setField(copy, key, filled);
  }
  return copy ?? complete;
}

/** Undefined: the value is a null that may not be there. */
function fill(value: Json, node: StructuralNode): Json | undefined {
  if (isForbiddenNull(value, node)) {
    const fallback = node.schema.default ?? null;
    return fallback === null ? undefined : fill(fallback, node);
  }
  if (isRecord(value)) return fillRecord(value, node);
  const { items } = node;
  if (!Array.isArray(value) || items === undefined) return value;
  const array = value as readonly Json[];
  // A null in a list has no key to go with, so it stays and fails validation.
  const filled = array.map((item) => fill(item, items) ?? item);
  return filled.every((item, index) => item === array[index]) ? value : filled;
}

export function fillDefaults(value: Json, node: StructuralNode): Json {
  return fill(value, node) ?? value;
}
