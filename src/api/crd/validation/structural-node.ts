// A schema made ready for validation: patterns compiled, property tables built, messages prepared. Done
// once per schema, so that looking at an object allocates nothing unless something is wrong with it.
import type { Json } from '../../meta.ts';
import { formatCheck } from './formats.ts';
import type { OpenApiSchema } from '../open-api.ts';
import { compileRe2 } from './re2.ts';

export type ValueKind = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';

// Whole numbers beyond int64 arrive at the server as floating point.
const INT64_LIMIT = 2 ** 63;

export function kindOf(value: Json): ValueKind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isInteger(value) && Math.abs(value) < INT64_LIMIT ? 'integer' : 'number';
    default:
      if (value === null) return 'null';
      return Array.isArray(value) ? 'array' : 'object';
  }
}

interface Pattern {
  readonly matches: (text: string) => boolean;
  /** As messages show it. */
  readonly shown: string;
}

/** A bound of a number, with the words that follow `should be`. */
interface Bound {
  readonly limit: number;
  readonly isBroken: (value: number, limit: number) => boolean;
  readonly words: string;
}

export interface StructuralNode {
  readonly schema: OpenApiSchema;
  /** Empty: any type. */
  readonly types: readonly ValueKind[];
  /** `integer,string`, as messages show it. */
  readonly typeNames: string;
  readonly isNumeric: boolean;
  readonly format:
    | { readonly name: string; readonly accepts: (text: string) => boolean }
    | undefined;
  readonly pattern: Pattern | undefined;
  readonly bounds: readonly Bound[];
  readonly enumeration: ReadonlySet<Json> | undefined;
  readonly items: StructuralNode | undefined;
  readonly properties: ReadonlyMap<string, StructuralNode>;
  readonly required: readonly string[];
  /** The schema of map values; `true` in a CRD is a schema that knows no fields. */
  readonly additional: StructuralNode | undefined;
  readonly preservesUnknown: boolean;
  readonly isResource: boolean;
  readonly nullable: boolean;
  /** Fields with a default. */
  readonly defaults: readonly (readonly [name: string, value: Json])[];
  readonly allOf: readonly StructuralNode[];
  readonly anyOf: readonly StructuralNode[];
  readonly oneOf: readonly StructuralNode[];
  readonly not: StructuralNode | undefined;
  readonly isComposed: boolean;
}

/** The keys of a list of type map; undefined for any other value. */
export function listKeysOf(schema: OpenApiSchema): readonly string[] | undefined {
  return schema['x-kubernetes-list-type'] === 'map'
    ? (schema['x-kubernetes-list-map-keys'] ?? [])
    : undefined;
}

function toPattern(source: string | undefined): Pattern | undefined {
  if (source === undefined || source === '') return undefined;
  try {
    const expression = compileRe2(source);
    return { matches: (text) => expression.test(text), shown: source };
  } catch (error) {
    // A server refuses such a schema; one that got past it refuses every value.
    const reason = error instanceof Error ? error.message : String(error);
    return { matches: () => false, shown: `${source}, but pattern is invalid: ${reason}` };
  }
}

function toBounds(schema: OpenApiSchema): readonly Bound[] {
  const { multipleOf, minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema;
  const lower: Omit<Bound, 'limit'> =
    exclusiveMinimum === true
      ? { isBroken: (value, limit) => value <= limit, words: 'greater than' }
      : { isBroken: (value, limit) => value < limit, words: 'greater than or equal to' };
  const upper: Omit<Bound, 'limit'> =
    exclusiveMaximum === true
      ? { isBroken: (value, limit) => value >= limit, words: 'less than' }
      : { isBroken: (value, limit) => value > limit, words: 'less than or equal to' };
  const factor: Omit<Bound, 'limit'> = {
    isBroken: (value, limit) => !Number.isInteger(value / limit),
    words: 'a multiple of',
  };
  const bounds: Bound[] = [];
  if (multipleOf !== undefined) bounds.push({ ...factor, limit: multipleOf });
  if (minimum !== undefined) bounds.push({ ...lower, limit: minimum });
  if (maximum !== undefined) bounds.push({ ...upper, limit: maximum });
  return bounds;
}

function typesOf(schema: OpenApiSchema): readonly ValueKind[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined ? [] : [schema.type];
}

function toFormat(name: string | undefined): StructuralNode['format'] {
  const accepts = formatCheck(name);
  return name === undefined || accepts === undefined ? undefined : { name, accepts };
}

function list(schemas: readonly OpenApiSchema[] | undefined): readonly StructuralNode[] {
  return (schemas ?? []).map((schema) => toStructuralNode(schema));
}

function single(schema: OpenApiSchema | boolean | undefined): StructuralNode | undefined {
  if (schema === true) return toStructuralNode({});
  return typeof schema === 'object' ? toStructuralNode(schema) : undefined;
}

function defaultsOf(
  properties: readonly (readonly [string, OpenApiSchema])[],
): readonly (readonly [string, Json])[] {
  return properties.flatMap(([name, field]) =>
    field.default === undefined || field.default === null ? [] : [[name, field.default] as const],
  );
}

export function toStructuralNode(schema: OpenApiSchema): StructuralNode {
  const types = typesOf(schema);
  const properties = Object.entries(schema.properties ?? {});
  const allOf = list(schema.allOf);
  const anyOf = list(schema.anyOf);
  const oneOf = list(schema.oneOf);
  const not = single(schema.not);
  return {
    schema,
    types,
    typeNames: types.join(','),
    isNumeric: types.includes('integer') || types.includes('number'),
    format: toFormat(schema.format),
    pattern: toPattern(schema.pattern),
    bounds: toBounds(schema),
    enumeration: schema.enum === undefined ? undefined : new Set(schema.enum),
    items: single(schema.items),
    properties: new Map(properties.map(([name, field]) => [name, toStructuralNode(field)])),
    required: schema.required ?? [],
    additional: single(schema.additionalProperties),
    preservesUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true,
    isResource: schema['x-kubernetes-embedded-resource'] === true,
    nullable: schema.nullable === true,
    defaults: defaultsOf(properties),
    allOf,
    anyOf,
    oneOf,
    not,
    isComposed: allOf.length + anyOf.length + oneOf.length > 0 || not !== undefined,
  };
}
