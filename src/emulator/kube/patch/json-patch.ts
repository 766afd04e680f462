// JSON patch (RFC 6902). In: an object and a list of operations. Out: the patched object, or why not; never half of it.
// No library: they change the object in place, and are stricter than the server where clients rely on it.
// Where the server is looser than the standard, so is this: it replaces members that are not there, copies nothing as
// null, counts list positions from the end when negative, and takes a path without its first slash.
import type { Json } from '../../../api/meta.ts';
import { isArray, isObject, type JsonObject, sameJson, without } from '../json.ts';
import { jsonType } from '../schema/decode-built-in.ts';
import type { Outcome, Refusal } from './refusal.ts';

const maxOperations = 10_000;

type Edit = (container: Json | undefined, key: string) => Json;

/** Any reason for which an operation does not fit the object; the server tells the client none of them. */
class Misfit extends Error {}

export function applyJsonPatch(object: JsonObject, patch: Json): Outcome<JsonObject> {
  const list = patch ?? [];
  if (!isArray(list)) return { ok: false, refusal: undecodable(list, '[]') };
  const wrong = list.find((operation) => !isObject(operation));
  if (wrong !== undefined) return { ok: false, refusal: undecodable(wrong, '') };
  if (list.length > maxOperations) {
    const message = `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${list.length}`;
    return {
      ok: false,
      refusal: {
        code: 413,
        reason: 'RequestEntityTooLarge',
        message: `Request entity too large: ${message}`,
      },
    };
  }
  const malformed = list.map((operation) => malformedField(operation as JsonObject)).find(Boolean);
  if (malformed !== undefined) return { ok: false, refusal: malformed };
  try {
    const patched = list.reduce<Json>(
      (value, operation) => apply(value, operation as JsonObject),
      object,
    );
    return isObject(patched) ? { ok: true, value: patched } : { ok: false, refusal: rejected };
  } catch (error) {
    if (error instanceof Misfit) return { ok: false, refusal: rejected };
    throw error;
  }
}

const rejected: Refusal = {
  code: 422,
  reason: 'Invalid',
  message: 'the server rejected our request due to an error in our request',
};

function undecodable(value: Json, list: string): Refusal {
  const message = `error decoding patch: json: cannot unmarshal ${jsonType(value)} into Go value of type ${list}handlers.jsonPatchOp`;
  return { code: 400, reason: 'BadRequest', message };
}

function malformedField(operation: JsonObject): Refusal | undefined {
  for (const field of ['op', 'path', 'from']) {
    const value = operation[field] ?? '';
    if (typeof value === 'string') continue;
    const message = `error decoding patch: json: cannot unmarshal ${jsonType(value)} into Go struct field jsonPatchOp.${field} of type string`;
    return { code: 400, reason: 'BadRequest', message };
  }
  return undefined;
}

type Operation = (document: Json, operation: JsonObject) => Json;

const operations: Readonly<Record<string, Operation>> = {
  add: (document, operation) => add(document, operation, operation['value'] ?? null),
  remove: (document, operation) => edit(document, pointer(operation, 'path'), removed),
  replace: (document, operation) =>
    replace(document, pointer(operation, 'path'), operation['value'] ?? null),
  move: (document, operation) => {
    const from = pointer(operation, 'from');
    return add(edit(document, from, removed), operation, get(document, from) ?? null);
  },
  copy: (document, operation) =>
    add(document, operation, get(document, pointer(operation, 'from')) ?? null),
  test: (document, operation) => {
    const path = pointer(operation, 'path');
    const found = path.length === 0 ? document : get(document, path);
    if (!sameJson(found ?? null, operation['value'] ?? null)) throw new Misfit();
    return document;
  },
};

function apply(document: Json, operation: JsonObject): Json {
  const { op } = operation;
  const run = typeof op === 'string' && Object.hasOwn(operations, op) ? operations[op] : undefined;
  if (run === undefined) throw new Misfit();
  return run(document, operation);
}

function add(document: Json, operation: JsonObject, value: Json): Json {
  return edit(document, pointer(operation, 'path'), (container, key) =>
    added(container, key, value),
  );
}

/** The steps of a JSON pointer. Whatever stands before the first slash is ignored. */
function pointer(operation: JsonObject, field: 'path' | 'from'): readonly string[] {
  const text = operation[field];
  if (typeof text !== 'string') throw new Misfit();
  return text
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function replace(document: Json, path: readonly string[], value: Json): Json {
  if (path.length === 0) return value;
  return edit(document, path, (container, key) => {
    if (isObject(container)) return { ...container, [key]: value };
    const items = listOf(container);
    return items.with(position(key, items.length - 1), value);
  });
}

/** The document with the container at the end of `path` edited; only the way to it is copied. */
function edit(document: Json, path: readonly string[], change: Edit): Json {
  const [step, ...rest] = path;
  if (step === undefined) throw new Misfit();
  if (rest.length === 0) return change(document, step);
  const inner = member(document, step);
  if (inner === undefined) throw new Misfit();
  const changed = edit(inner, rest, change);
  if (isObject(document)) return { ...document, [step]: changed };
  const items = listOf(document);
  return items.with(position(step, items.length - 1), changed);
}

function get(document: Json, path: readonly string[]): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) throw new Misfit();
  const inner = member(document, step);
  if (rest.length === 0) return inner;
  if (inner === undefined) throw new Misfit();
  return get(inner, rest);
}

function member(container: Json | undefined, key: string): Json | undefined {
  if (isObject(container)) return container[key];
  const items = listOf(container);
  return items[position(key, items.length - 1)];
}

function added(container: Json | undefined, key: string, value: Json): Json {
  if (isObject(container)) return { ...container, [key]: value };
  const items = listOf(container);
  return key === '-' ? [...items, value] : items.toSpliced(position(key, items.length), 0, value);
}

function removed(container: Json | undefined, key: string): Json {
  if (!isObject(container)) {
    const items = listOf(container);
    return items.toSpliced(position(key, items.length - 1), 1);
  }
  if (container[key] === undefined) throw new Misfit();
  return without(container, key);
}

function listOf(container: Json | undefined): readonly Json[] {
  if (!isArray(container)) throw new Misfit();
  return container;
}

/** A position up to `last`, from the front, or from behind when negative. */
function position(key: string, last: number): number {
  const index = /^[+-]?\d+$/.test(key) ? Number(key) : Number.NaN;
  const found = index < 0 ? index + last + 1 : index;
  if (!(found >= 0 && found <= last)) throw new Misfit();
  return found;
}
