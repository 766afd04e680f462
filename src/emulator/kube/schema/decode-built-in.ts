// An object of a built-in kind as its type takes it. In: the type and JSON without unknown fields. Out: the object as the
// server would write it again: nothing that is null or that its type cannot tell from nothing, quantities and times in
// their one form; or the first value that does not fit, in the words of the server's decoder.
import type { Json } from '../../../api/meta.ts';
import { formatQuantity, tryParseQuantity } from '../../../model/quantity.ts';
import {
  isArray,
  isEmpty,
  isObject,
  type JsonObject,
  mapped,
  type MutableJsonObject,
} from '../json.ts';
import { goTypeName } from '../patch/go-text.ts';
import { microTime, secondTime } from './go-time.ts';
import type { TypeSchema } from './type-schema.ts';
import { losesZero } from './zero-values.ts';

/** A value of the wrong type; the message is the decoder's of JSON text. */
export class Mistyped extends Error {
  /** The same in the words of the converter, which patches go through that are no longer text. */
  readonly conversion: string;

  constructor(message: string, conversion = message) {
    super(message);
    this.conversion = conversion;
  }
}

/** Where a value stands, as the server's language sees it. Grows and shrinks on the way: only an error looks at it. */
interface Trail {
  /** The struct that has the field; '' at the root of what is decoded. */
  struct: string;
  readonly path: string[];
}

export function decodeBuiltIn(schema: TypeSchema, object: JsonObject): JsonObject {
  return decodeMembers(schema, object, { struct: '', path: [] });
}

function decode(schema: TypeSchema, value: Json, trail: Trail): Json {
  switch (schema.type) {
    case 'object':
      if (!isObject(value)) throw mistyped(schema, value, trail);
      return schema.isOpen ? value : decodeMembers(schema, value, trail);
    case 'array':
      if (!isArray(value)) throw mistyped(schema, value, trail);
      return decodeItems(schema, value, trail);
    case 'any':
      return value;
    case 'scalar':
      return decodeSpecial(schema, value, trail);
    default:
      return decodeScalar(schema, value, trail);
  }
}

function decodeMembers(schema: TypeSchema, object: JsonObject, trail: Trail): JsonObject {
  let copy: MutableJsonObject | undefined;
  for (const name in object) {
    const field = schema.field(name);
    const member = field ?? schema.values;
    const value = object[name] ?? null;
    if (member === undefined) continue;
    const decoded = decodeMember(schema, { name, field, member, value }, trail);
    if (decoded === value) continue;
    copy ??= { ...object };
    setOrDelete(copy, name, decoded);
  }
  return copy ?? object;
}

/** Keys of maps are no part of the trail, but structs that JSON does not show are. */
function decodeMember(
  owner: TypeSchema,
  at: {
    readonly name: string;
    readonly field: TypeSchema | undefined;
    readonly member: TypeSchema;
    readonly value: Json;
  },
  trail: Trail,
): Json | undefined {
  const { name, field, member, value } = at;
  if (value === null) return absent(member, field !== undefined);
  if (field === undefined) return decode(member, value, trail);
  const { struct } = trail;
  const { length } = trail.path;
  trail.struct = shortName(owner);
  trail.path.push(...(field.go?.embedded ?? []), name);
  const decoded = decodeNested(owner, member, { value, trail });
  trail.struct = struct;
  trail.path.length = length;
  if (decoded === undefined) return undefined;
  return isLeftOut(owner, name, { member, decoded }) ? undefined : decoded;
}

/** Schemas within a schema are of its own type, or something else: the documents say only that they may be anything. */
function decodeNested(
  owner: TypeSchema,
  member: TypeSchema,
  { value, trail }: { readonly value: Json; readonly trail: Trail },
): Json | undefined {
  switch (member.type === 'any' ? shortName(member) : '') {
    case 'JSONSchemaPropsOrBool':
      if (isObject(value)) return decode(owner, value, trail);
      if (typeof value === 'boolean') return value;
      throw new Mistyped('boolean or JSON schema expected');
    case 'JSONSchemaPropsOrArray':
      if (isObject(value)) return decode(owner, value, trail);
      if (!isArray(value) || value.length === 0) return undefined;
      return mapped(value, (item) => decode(owner, item, trail));
    default:
      return decode(member, value, trail);
  }
}

/** The server's types do not tell nothing from a list or a map of nothing, nor most of them from a zero. */
function isLeftOut(
  owner: TypeSchema,
  name: string,
  { member, decoded }: { readonly member: TypeSchema; readonly decoded: Json },
): boolean {
  if (!isEmpty(decoded) || owner.required.includes(name)) return false;
  if (member.type === 'array') return true;
  if (member.type === 'object') return member.fields.size === 0 && !member.isOpen;
  // A zero that the documents name as the default is always written.
  return member.default !== decoded && losesZero(owner.name ?? '', name);
}

function shortName({ name = '' }: TypeSchema): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function setOrDelete(object: MutableJsonObject, name: string, value: Json | undefined): void {
  if (value === undefined) delete object[name];
  else object[name] = value;
}

/** A field that is null is not there; a key of a map whose value is null has the zero of its type. */
function absent(schema: TypeSchema, isField: boolean): Json | undefined {
  return isField ? undefined : zero(schema);
}

function zero(schema: TypeSchema): Json {
  if (schema.format === 'quantity') return '0';
  switch (schema.type) {
    case 'string':
      return '';
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'object':
      return {};
    default:
      return null;
  }
}

function decodeItems(schema: TypeSchema, items: readonly Json[], trail: Trail): readonly Json[] {
  const { items: itemSchema } = schema;
  if (itemSchema === undefined) return items;
  return mapped(items, (item) =>
    item === null ? zero(itemSchema) : decode(itemSchema, item, trail),
  );
}

function decodeScalar(schema: TypeSchema, value: Json, trail: Trail): Json {
  switch (schema.type) {
    case 'string':
      if (typeof value !== 'string') throw mistyped(schema, value, trail);
      if (schema.format === 'byte') checkBase64(value);
      return value;
    case 'boolean':
      if (typeof value !== 'boolean') throw mistyped(schema, value, trail);
      return value;
    case 'integer':
      if (typeof value !== 'number') throw mistyped(schema, value, trail);
      return integer(schema, value, trail);
    default:
      if (typeof value !== 'number') throw mistyped(schema, value, trail);
      return value;
  }
}

const limits: Readonly<Record<string, number>> = { int32: 2 ** 31, int64: 2 ** 63 };

function integer(schema: TypeSchema, value: number, trail: Trail): number {
  const limit = limits[goTypeOf(schema)] ?? 2 ** 63;
  if (Number.isInteger(value) && value < limit && value >= -limit) return value;
  throw mistyped(schema, value, trail, ` ${value}`);
}

function decodeSpecial(schema: TypeSchema, value: Json, trail: Trail): Json {
  switch (schema.format) {
    case 'quantity':
      return quantity(value);
    case 'int-or-string':
      if (typeof value === 'string') return value;
      if (typeof value !== 'number') throw mistyped(schema, value, trail);
      return integer(schema, value, trail);
    default: {
      if (typeof value !== 'string') throw mistyped(schema, value, trail);
      const read = schema.name?.endsWith('.MicroTime') === true ? microTime : secondTime;
      const time = read(value);
      if (time.ok) return time.text;
      throw new Mistyped(time.problem);
    }
  }
}

function quantity(value: Json): string {
  const text = typeof value === 'string' || typeof value === 'number' ? value : '';
  const parsed =
    text === '' ? undefined : tryParseQuantity(typeof text === 'string' ? text.trim() : text);
  if (parsed?.ok === true) return formatQuantity(parsed.quantity);
  throw new Mistyped(
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  );
}

function checkBase64(text: string): void {
  const plain = text.replaceAll(/[\r\n]/g, '');
  const valid = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.exec(plain);
  if (valid !== null) return;
  const wrong = plain.search(/[^A-Za-z0-9+/]/);
  throw new Mistyped(
    `illegal base64 data at input byte ${wrong < 0 ? plain.length - (plain.length % 4) : wrong}`,
  );
}

function mistyped(schema: TypeSchema, value: Json, trail: Trail, text = ''): Mistyped {
  const { struct, path } = trail;
  const type = goTypeOf(schema);
  const target = struct === '' ? 'Go value' : `Go struct field ${struct}.${path.join('.')}`;
  return new Mistyped(
    `json: cannot unmarshal ${jsonType(value)}${text} into ${target} of type ${type}`,
    conversionText(schema, value, type),
  );
}

/** Values that read themselves do it by way of these. */
const specialGoTypes: Readonly<Record<string, string>> = {
  'int-or-string': 'int32',
  'date-time': 'string',
};

function goTypeOf(schema: TypeSchema): string {
  const special = schema.type === 'scalar' ? specialGoTypes[schema.format ?? ''] : undefined;
  return special ?? schema.go?.type ?? schema.name?.split('.').slice(-2).join('.') ?? '';
}

const kinds: Readonly<Record<string, string>> = {
  '[]interface {}': 'slice',
  'map[string]interface {}': 'map',
};

const scalarTypes = new Set(['bool', 'int32', 'int64', 'float64']);

function conversionText(schema: TypeSchema, value: Json, type: string): string {
  const found = goTypeName(value);
  const kind = kinds[found];
  if (schema.type === 'array') return `cannot restore slice from ${kind ?? found}`;
  if (schema.type !== 'object') return scalarConversion(schema, value, type);
  if (schema.fields.size > 0) return `cannot restore struct from: ${kind ?? found}`;
  return `cannot restore map from ${kind ?? found}`;
}

function scalarConversion(schema: TypeSchema, value: Json, type: string): string {
  // Values that read themselves from JSON do so here too.
  if (schema.type === 'scalar') {
    return `json: cannot unmarshal ${jsonType(value)} into Go value of type ${type}`;
  }
  if (typeof value === 'number' || typeof value === 'boolean') {
    return `cannot convert ${goTypeName(value)} to ${type}`;
  }
  // Types that are texts under another name are not known by that name here.
  return `unrecognized type: ${scalarTypes.has(type) ? type : 'string'}`;
}

export function jsonType(value: Json): string {
  if (isArray(value)) return 'array';
  if (isObject(value)) return 'object';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
