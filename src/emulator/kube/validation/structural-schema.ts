// Whether a schema of a CustomResourceDefinition is structural: a type everywhere, values in one place only, and defaults
// that fit. In: the schema. Out: complaints in the server's words for the rules that people trip over.
import type { OpenApiSchema } from '../../../api/crd/open-api.ts';
import { compileRe2 } from '../../../api/crd/validation/re2.ts';
import { compileSchema } from '../../../api/crd/validation/validate.ts';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { forbidden, invalid, notSupported, required } from '../field-error.ts';
import {
  isArray,
  isObject,
  listAt,
  objectAt,
  objectsAt,
  sameJson,
  scalarText,
  stringAt,
  textAt,
  type JsonObject,
} from '../json.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

function typeErrors(schema: JsonObject, field: string, isRoot: boolean): readonly FieldError[] {
  if (schema['$ref'] !== undefined) return [forbidden(`${field}.$ref`, '$ref is not supported')];
  const type = textAt(schema, 'type');
  const isOpen =
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (type === '') {
    if (isRoot) return [required(`${field}.type`, 'must not be empty at the root')];
    return isOpen
      ? []
      : [required(`${field}.type`, `must not be empty for specified ${roleOf(field)}`)];
  }
  if (isRoot && type !== 'object')
    return [invalid(`${field}.type`, type, 'must be object at the root')];
  return types.includes(type) ? [] : [notSupported(`${field}.type`, type, types)];
}

function roleOf(field: string): string {
  return field.endsWith('.items') ? 'array items' : 'object fields';
}

function extensionErrors(schema: JsonObject, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (schema['uniqueItems'] === true) {
    errors.push(
      forbidden(
        `${field}.uniqueItems`,
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ),
    );
  }
  if (
    isObject(schema['additionalProperties']) &&
    Object.keys(objectAt(schema, 'properties') ?? {}).length > 0
  ) {
    errors.push(
      forbidden(
        `${field}.additionalProperties`,
        'additionalProperties and properties are mutual exclusive',
      ),
    );
  }
  errors.push(...patternErrors(schema, field), ...listTypeErrors(schema, field));
  if (isArray(schema['items'])) {
    errors.push(forbidden(`${field}.items`, 'items must be a schema object and not an array'));
  }
  if (stringAt(schema, 'type') === 'array' && schema['items'] === undefined) {
    errors.push(required(`${field}.items`, 'must be specified'));
  }
  return errors;
}

function patternErrors(schema: JsonObject, field: string): readonly FieldError[] {
  const pattern = stringAt(schema, 'pattern');
  if (pattern === undefined) return [];
  try {
    compileRe2(pattern);
    return [];
  } catch {
    const detail = `must be a valid regular expression, but isn't: error parsing regexp: ${pattern}`;
    return [invalid(`${field}.pattern`, pattern, detail)];
  }
}

function listTypeErrors(schema: JsonObject, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const listType = stringAt(schema, 'x-kubernetes-list-type');
  if (listType === undefined) return errors;
  if (!['atomic', 'set', 'map'].includes(listType)) {
    errors.push(
      notSupported(`${field}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']),
    );
  }
  const type = textAt(schema, 'type');
  if (type !== 'array') {
    errors.push(
      invalid(`${field}.type`, type, 'must be array if x-kubernetes-list-type is specified'),
    );
  }
  if (listType === 'map' && listAt(schema, 'x-kubernetes-list-map-keys').length === 0) {
    const detail = 'must not be empty if x-kubernetes-list-type is map';
    errors.push(required(`${field}.x-kubernetes-list-map-keys`, detail));
  }
  const keys = listAt(schema, 'x-kubernetes-list-map-keys');
  const properties = objectAt(schema, 'items', 'properties') ?? {};
  if (keys.some((key) => !Object.hasOwn(properties, scalarText(key)))) {
    const detail = 'entries must all be names of item properties';
    errors.push(invalid(`${field}.x-kubernetes-list-map-keys`, keys, detail));
  }
  return errors;
}

function defaultErrors(schema: JsonObject, field: string): readonly FieldError[] {
  const value = schema['default'];
  if (value === undefined) return [];
  const wrapper = { type: 'object', properties: { value: schema } } as unknown as OpenApiSchema;
  const compiled = compileSchema(wrapper);
  if (!sameJson(compiled.prune({ value }), { value })) {
    return [invalid(`${field}.default`, value, 'must not have unknown fields')];
  }
  return compiled.validate({ value }).map((error) => ({
    ...error,
    field: error.field.replace(/^value/, `${field}.default`),
    detail: error.detail.replaceAll(/(?<=^|[^\w])value(?= in body)/g, ''),
  }));
}

function childErrors(schema: JsonObject, field: string): readonly FieldError[] {
  const properties = Object.entries(objectAt(schema, 'properties') ?? {}).flatMap(([name, child]) =>
    isObject(child) ? [...schemaErrors(child, `${field}.properties[${name}]`, false)] : [],
  );
  const items = objectAt(schema, 'items');
  const values = objectAt(schema, 'additionalProperties');
  return [
    ...properties,
    ...(items === undefined ? [] : schemaErrors(items, `${field}.items`, false)),
    ...(values === undefined ? [] : schemaErrors(values, `${field}.additionalProperties`, false)),
  ];
}

/** Alternatives may narrow what is there, but not say what it is. */
function alternativeErrors(schema: JsonObject, field: string): readonly FieldError[] {
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  return ['allOf', 'anyOf', 'oneOf'].flatMap((name) =>
    objectsAt(schema, name).flatMap((branch, index) => {
      const path = `${field}.${name}[${index}]`;
      const told = ['description', 'default', 'nullable', 'title'].filter(
        (part) => branch[part] !== undefined,
      );
      const typed = branch['type'] !== undefined && !isIntOrString ? ['type'] : [];
      return [...typed, ...told].map((part) =>
        forbidden(`${path}.${part}`, 'must be empty to be structural'),
      );
    }),
  );
}

function metadataErrors(schema: JsonObject, field: string): readonly FieldError[] {
  const properties = objectAt(schema, 'properties', 'metadata', 'properties') ?? {};
  const isPlain = Object.keys(properties).every(
    (name) => name === 'name' || name === 'generateName',
  );
  if (isPlain) return [];
  const detail =
    'must not specify anything other than name and generateName, but metadata is implicitly specified';
  return [forbidden(`${field}.properties[metadata]`, detail)];
}

export function schemaErrors(
  schema: JsonObject,
  field: string,
  isRoot = true,
): readonly FieldError[] {
  const errors = [
    ...(isRoot ? metadataErrors(schema, field) : []),
    ...typeErrors(schema, field, isRoot),
    ...extensionErrors(schema, field),
    ...alternativeErrors(schema, field),
    ...childErrors(schema, field),
  ];
  return errors.length > 0 ? errors : defaultErrors(schema, field);
}
