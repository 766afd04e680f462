// Whether an applied configuration fits its type. In: the schema and the configuration. Out: the server's words for all
// that does not fit. They come before any merging, as an error of the server's own kind (500), not as a bad request.
import type { Json } from '../../../api/meta.ts';
import { isArray, isObject, type JsonObject } from '../json.ts';
import { granularAny, type TypeSchema } from '../schema/type-schema.ts';
import { goSyntax, goText, goTypeName } from './go-text.ts';
import { hasSharedItems, itemElement, shapeOf } from './list-item.ts';
import { pathText } from './path-element.ts';

interface Misfit {
  readonly path: string;
  readonly message: string;
}

/** Nothing, or one message about everything. */
export function appliedMisfits(schema: TypeSchema, applied: JsonObject): string | undefined {
  const misfits = [...misfitsOf(schema, applied, '')].map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  );
  if (misfits.length === 0) return undefined;
  const [only, ...more] = misfits;
  return more.length === 0 ? only : ['errors:', ...misfits.map((text) => `  ${text}`)].join('\n');
}

function* misfitsOf(schema: TypeSchema, value: Json, path: string): Generator<Misfit> {
  if (value === null) return;
  switch (shapeOf(schema, value)) {
    case 'object':
      if (isObject(value)) yield* misfitsOfMembers(schema, value, path);
      else yield { path, message: `expected map, got &{${goText(value)}}` };
      return;
    case 'list':
      if (isArray(value)) yield* misfitsOfItems(schema, value, path);
      else yield { path, message: `expected list, got &{${goText(value)}}` };
      return;
    case 'scalar': {
      const message = scalarMisfit(schema, value);
      if (message !== undefined) yield { path, message };
    }
  }
}

function* misfitsOfMembers(schema: TypeSchema, value: JsonObject, path: string): Generator<Misfit> {
  // An object without any description is free.
  const isFree = schema.fields.size === 0 && schema.values === undefined;
  for (const name of Object.keys(value).toSorted()) {
    const member = isFree ? granularAny : schema.member(name);
    const below = `${path}.${name}`;
    if (member === undefined) {
      yield { path: below, message: 'field not declared in schema' };
      return;
    }
    yield* misfitsOf(member, value[name] ?? null, below);
  }
}

function* misfitsOfItems(
  schema: TypeSchema,
  items: readonly Json[],
  path: string,
): Generator<Misfit> {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const element = hasSharedItems(schema) ? itemElement(schema, item) : `i:${index}`;
    if (element === undefined) {
      yield { path, message: `element ${index}: ${keyMisfit(schema, item)}` };
      return;
    }
    const step = pathText([element]);
    if (seen.has(element)) yield { path, message: `duplicate entries for key ${step}` };
    seen.add(element);
    if (schema.items !== undefined) yield* misfitsOf(schema.items, item, path + step);
  }
}

function keyMisfit(schema: TypeSchema, item: Json): string {
  if (schema.sharing === 'set') {
    if (item === null)
      return "associative list without keys has an element that's an explicit null";
    return isArray(item)
      ? 'not supported: associative list with lists as elements'
      : "associative list without keys has an element that's a map type";
  }
  if (item === null) return 'associative list with keys may not have a null element';
  if (!isObject(item)) return 'associative list with keys may not have non-map elements';
  const keys = schema.mapKeys.map((key) => JSON.stringify(key)).join(' ');
  return `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`;
}

function scalarMisfit(schema: TypeSchema, value: Json): string | undefined {
  switch (schema.type) {
    case 'integer':
    case 'number':
      if (typeof value === 'number') return undefined;
      return `expected numeric (int or float), got ${goTypeName(value)}`;
    case 'string':
      if (typeof value === 'string') return undefined;
      return `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'boolean':
      if (typeof value === 'boolean') return undefined;
      return `expected boolean, got &{${goText(value)}}`;
    default:
      return typeof value === 'object' ? `expected any scalar, got &{${goText(value)}}` : undefined;
  }
}
