// Types as OpenAPI writes them. In: a named type. Out: its schema in the dialect of version 2 or 3, with references to the
// other types it uses. Of built-in kinds only the kinds themselves have prose; all else is facts.
import type { OpenApiSchema } from '../../../api/crd/open-api.ts';
import type { JsonObject, MutableJsonObject } from '../json.ts';
import { kindDescriptions } from './kind-descriptions.ts';
import type { GroupVersionKind, TypeSchema } from './type-schema.ts';

export interface Dialect {
  readonly version: 2 | 3;
  /** Before the name of a type in a reference. */
  readonly types: string;
}

export const version2: Dialect = { version: 2, types: '#/definitions/' };
export const version3: Dialect = { version: 3, types: '#/components/schemas/' };

const specialTypes: Readonly<Record<string, Readonly<Record<2 | 3, JsonObject>>>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': {
    2: { type: 'string' },
    3: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': {
    2: { type: 'string', format: 'int-or-string' },
    3: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  },
  'io.k8s.apimachinery.pkg.runtime.RawExtension': { 2: { type: 'object' }, 3: { type: 'object' } },
};

/** Names that a type refers to are added to `used`. */
export interface Writing {
  readonly dialect: Dialect;
  readonly used: Set<string>;
}

/** The definition of a named type. */
export function typeDocument(
  schema: TypeSchema,
  kinds: readonly GroupVersionKind[],
  writing: Writing,
): JsonObject {
  const [kind] = kinds;
  const description = kind === undefined ? undefined : kindDescriptions[kind.kind];
  return {
    ...(description !== undefined && { description }),
    ...(specialTypes[schema.name ?? '']?.[writing.dialect.version] ?? bodyOf(schema, writing)),
    ...sharingOf(schema),
    ...(kinds.length > 0 && {
      'x-kubernetes-group-version-kind': kinds.map(({ group, version, kind }) => ({
        group,
        version,
        kind,
      })),
    }),
  };
}

function bodyOf(schema: TypeSchema, writing: Writing): JsonObject {
  const document: MutableJsonObject = { ...scalarOf(schema) };
  if (schema.fields.size > 0) {
    const fields = [...schema.fields].map(([name, field]) => [name, placeDocument(field, writing)]);
    document['properties'] = Object.fromEntries(fields) as JsonObject;
    if (schema.required.length > 0) document['required'] = schema.required;
  } else if (
    schema.type === 'object' &&
    schema.values?.type !== 'any' &&
    schema.values !== undefined
  ) {
    document['additionalProperties'] = placeDocument(schema.values, writing);
  }
  if (schema.type === 'array' && schema.items !== undefined) {
    document['items'] = placeDocument(schema.items, writing);
  }
  return document;
}

function scalarOf(schema: TypeSchema): JsonObject {
  if (schema.type === 'any') return {};
  const type = schema.type === 'scalar' ? 'string' : schema.type;
  return { type, ...(schema.format !== undefined && { format: schema.format }) };
}

/** A field, an item or a member: a reference where its type has a name. */
function placeDocument(schema: TypeSchema, writing: Writing): JsonObject {
  const facts: JsonObject = {
    ...(schema.default !== undefined && { default: schema.default }),
    ...(schema.enum !== undefined && { enum: schema.enum }),
    ...patchOf(schema),
  };
  const name = schema.name;
  if (name === undefined) return { ...bodyOf(schema, writing), ...facts, ...sharingOf(schema) };
  writing.used.add(name);
  const reference = { $ref: `${writing.dialect.types}${name}` };
  if (Object.keys(facts).length === 0) return reference;
  // Beside a reference version 3 allows nothing, and version 2 takes no notice.
  return writing.dialect.version === 3
    ? { allOf: [reference], ...facts }
    : { ...reference, ...facts };
}

function patchOf({ patchStrategies, patchMergeKey }: TypeSchema): JsonObject {
  return {
    ...(patchStrategies.length > 0 && { 'x-kubernetes-patch-strategy': patchStrategies.join(',') }),
    ...(patchMergeKey !== undefined && { 'x-kubernetes-patch-merge-key': patchMergeKey }),
  };
}

function sharingOf(schema: TypeSchema): JsonObject {
  const { type, sharing, mapKeys, unions } = schema;
  const ofUnions = unions === undefined ? {} : { 'x-kubernetes-unions': unions };
  if (type === 'array') {
    const keys = sharing === 'map' ? { 'x-kubernetes-list-map-keys': mapKeys } : {};
    return { 'x-kubernetes-list-type': sharing, ...keys };
  }
  if (type === 'object' && sharing === 'atomic')
    return { 'x-kubernetes-map-type': 'atomic', ...ofUnions };
  return ofUnions;
}

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const listMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';

/** The definition of a custom resource, as its author wrote it. */
export function customTypeDocument(
  document: OpenApiSchema,
  kind: GroupVersionKind,
  writing: Writing,
): JsonObject {
  writing.used.add(objectMeta);
  const written = writing.dialect.version === 3 ? document : forVersion2(document);
  return {
    ...(written as unknown as JsonObject),
    properties: {
      ...(written.properties as unknown as JsonObject),
      metadata: { allOf: [{ $ref: `${writing.dialect.types}${objectMeta}` }] },
    },
    'x-kubernetes-group-version-kind': [{ ...kind }],
  };
}

export function customListDocument(
  kind: GroupVersionKind & { readonly listKind: string; readonly name: string },
  writing: Writing,
): JsonObject {
  writing.used.add(listMeta);
  const { group, version, listKind } = kind;
  return {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      items: { type: 'array', items: { $ref: `${writing.dialect.types}${kind.name}` } },
      kind: { type: 'string' },
      metadata: { $ref: `${writing.dialect.types}${listMeta}` },
    },
    'x-kubernetes-group-version-kind': [{ group, version, kind: listKind }],
  };
}

/** What version 2 has no words for is left out, and with it the type where the two would contradict each other. */
function forVersion2(schema: OpenApiSchema): OpenApiSchema {
  const { nullable: _, anyOf: _any, oneOf: _one, not: _not, ...rest } = schema;
  const { properties, items, additionalProperties } = schema;
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, forVersion2(field)]),
      ),
    }),
    ...(items && { items: forVersion2(items) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: forVersion2(additionalProperties),
    }),
  };
}
