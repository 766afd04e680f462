// JSON as CEL sees it through a schema: whole numbers are ints, dates are timestamps, sets have no order,
// absent and null are the same, and field names that CEL reserves are escaped. Parts of an object that are the
// same to both are passed on as they are, not copied.
import { Duration } from '@marcbachmann/cel-js/evaluator';
import type { Json } from '../../meta.ts';
import { isRecord, setField } from './json-value.ts';
import { listKeysOf, type StructuralNode } from './structural-node.ts';

/** `like`: the new value that an old one will be compared with; see `aligned`. */
export type Convert = (value: Json, like?: Json) => unknown;

const reserved = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** The name of a field inside a rule. */
export function escapeName(name: string): string {
  if (reserved.has(name)) return `__${name}__`;
  return name.replaceAll(/__|[.\-/]/g, (found) => escapes[found] ?? found);
}

function toDuration(text: string): Duration {
  const seconds: Readonly<Record<string, number>> = {
    h: 3600,
    m: 60,
    s: 1,
    ms: 1e-3,
    us: 1e-6,
    ns: 1e-9,
  };
  const sign = text.startsWith('-') ? -1 : 1;
  let total = 0;
  for (const [, amount = '', unit = ''] of text.matchAll(/([\d.]+)(h|ms|us|ns|m|s)/g)) {
    total += Number(amount) * (seconds[unit] ?? 0);
  }
  return Duration.fromMilliseconds(sign * total * 1000);
}

const byFormat: Readonly<Record<string, (text: string) => unknown>> = {
  'date-time': (text) => new Date(text),
  date: (text) => new Date(`${text}T00:00:00Z`),
  duration: toDuration,
  byte: (text) => Uint8Array.from(Buffer.from(text, 'base64')),
};

function textConvert(format: string | undefined): Convert | undefined {
  const convert = byFormat[format ?? ''];
  return convert && ((value) => (typeof value === 'string' ? convert(value) : value));
}

function toInt(value: Json): unknown {
  return typeof value === 'number' ? BigInt(Math.trunc(value)) : value;
}

function keyText(item: Json, keys: readonly string[]): string {
  return JSON.stringify(keys.map((key) => (isRecord(item) ? item[key] : undefined) ?? null));
}

/**
 * Lists of type map are equal in any order. Putting the old items in the order of the new ones lets plain
 * comparison see that.
 */
function aligned(
  old: readonly Json[],
  like: readonly Json[],
  keys: readonly string[],
): readonly Json[] {
  if (old.length !== like.length) return old;
  const byKey = new Map(old.map((item) => [keyText(item, keys), item]));
  const matched = like.map((item) => byKey.get(keyText(item, keys)));
  return matched.every((item) => item !== undefined) ? matched : old;
}

/** A set, unless the list is a bad one: rules may count its duplicates. */
function unordered(items: readonly unknown[]): unknown {
  const set = new Set(items);
  return set.size === items.length ? set : items;
}

function arrayConvert(node: StructuralNode): Convert | undefined {
  const item = node.items === undefined ? undefined : converter(node.items);
  const isSet = node.schema['x-kubernetes-list-type'] === 'set';
  const keys = listKeysOf(node.schema);
  if (item === undefined && !isSet && keys === undefined) return undefined;
  return (value, like) => {
    if (!Array.isArray(value)) return value;
    const old = value as readonly Json[];
    const peers = Array.isArray(like) ? (like as readonly Json[]) : undefined;
    const items = keys === undefined || peers === undefined ? old : aligned(old, peers, keys);
    const converted =
      item === undefined ? items : items.map((each, index) => item(each, peers?.[index]));
    return isSet ? unordered(converted) : converted;
  };
}

function mapConvert(values: StructuralNode): Convert | undefined {
  const convert = converter(values);
  if (convert === undefined) return undefined;
  return (value, like) => {
    if (!isRecord(value)) return value;
    const copy: Record<string, unknown> = {};
    for (const key in value) {
      const item = value[key];
      if (item === undefined) continue;
      setField(copy, key, convert(item, isRecord(like) ? like[key] : undefined));
    }
    return copy;
  };
}

interface FieldConversion {
  readonly name: string;
  readonly escaped: string;
  readonly convert: Convert | undefined;
}

function objectConvert(node: StructuralNode): Convert | undefined {
  const fields = [...node.properties].flatMap(([name, field]): FieldConversion[] => {
    const convert = converter(field);
    const escaped = escapeName(name);
    if (convert === undefined && escaped === name && !field.nullable) return [];
    return [{ name, escaped, convert }];
  });
  if (fields.length === 0) return undefined;
  return (value, like) => {
    if (!isRecord(value)) return value;
    const peers = isRecord(like) ? like : undefined;
    let copy: Record<string, unknown> | undefined;
    for (const field of fields) {
      const item = value[field.name];
      if (item === undefined) continue;
      copy ??= { ...value };
      putField(copy, field, item, peers?.[field.name]);
    }
    return copy ?? value;
  };
}

function putField(
  copy: Record<string, unknown>,
  { name, escaped, convert }: FieldConversion,
  item: Json,
  like: Json | undefined,
): void {
  if (escaped !== name || item === null) delete copy[name];
  if (item !== null) copy[escaped] = convert === undefined ? item : convert(item, like);
}

/** Undefined: the value may be passed on as it is. */
export function converter(node: StructuralNode): Convert | undefined {
  if (node.schema['x-kubernetes-int-or-string'] === true) return toInt;
  switch (node.schema.type) {
    case 'integer':
      return toInt;
    case 'string':
      return textConvert(node.schema.format);
    case 'array':
      return arrayConvert(node);
    case 'object':
      if (node.properties.size > 0) return objectConvert(node);
      return node.additional === undefined ? undefined : mapConvert(node.additional);
    default:
      return undefined;
  }
}
