// A schema as a flat table: one row per field and one per rule. The reference page shows it to people, and a
// test holds it against a table written by hand.
import type { OpenApiSchema } from './open-api.ts';

export interface FieldRow {
  /** `spec.template.spec.taints[].key`; map values are `labels{}`. */
  readonly path: string;
  /** `string`, `integer (int32)`, `list`, `map`, `object`, `quantity`. */
  readonly type: string;
  readonly required: boolean;
  /** As JSON; empty when there is none. */
  readonly fallback: string;
  /** `1 to 100`, `one of A, B`, `matches ^a$`, … */
  readonly constraints: readonly string[];
  readonly description: string;
}

export interface RuleRow {
  readonly path: string;
  readonly message: string;
  readonly rule: string;
}

function typeOf(schema: OpenApiSchema): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'quantity';
  if (schema.type === 'array') return 'list';
  if (schema.type === 'object') return schema.additionalProperties === undefined ? 'object' : 'map';
  return schema.format === undefined ? `${schema.type}` : `${schema.type} (${schema.format})`;
}

function range(minimum: number | undefined, maximum: number | undefined, unit: string): string {
  const bounds =
    minimum === undefined || maximum === undefined
      ? `${minimum === undefined ? 'at most' : 'at least'} ${minimum ?? maximum}`
      : `${minimum} to ${maximum}`;
  if (unit === '') return bounds;
  return bounds.endsWith(' 1') ? `${bounds} ${unit}` : `${bounds} ${unit.replace(/y$/, 'ie')}s`;
}

function constraintsOf(schema: OpenApiSchema): readonly string[] {
  const constraints: string[] = [];
  const bounds = [
    [schema.minimum, schema.maximum, ''],
    [schema.minLength, schema.maxLength, 'character'],
    [schema.minItems, schema.maxItems, 'item'],
    [schema.minProperties, schema.maxProperties, 'entry'],
  ] as const;
  // Length and pattern on a list are there for parity only.
  const isInert = schema.type === 'array';
  for (const [minimum, maximum, unit] of bounds) {
    if (minimum === undefined && maximum === undefined) continue;
    if (!(isInert && unit === 'character')) constraints.push(range(minimum, maximum, unit));
  }
  if (schema.enum !== undefined) {
    const values = schema.enum.map((value) =>
      typeof value === 'string' ? value : JSON.stringify(value),
    );
    constraints.push(`one of ${values.join(', ')}`);
  }
  if (schema.pattern !== undefined && !isInert && typeOf(schema) !== 'quantity') {
    constraints.push(`matches ${schema.pattern}`);
  }
  return [...constraints, ...mergingOf(schema)];
}

/** How a list or map is merged by those who apply parts of it. */
function mergingOf(schema: OpenApiSchema): readonly string[] {
  const type = schema['x-kubernetes-list-type'] ?? schema['x-kubernetes-map-type'];
  switch (type) {
    case 'atomic':
      return ['replaced as a whole'];
    case 'set':
      return ['no element twice'];
    case 'map':
      return [`unique by ${(schema['x-kubernetes-list-map-keys'] ?? []).join(', ')}`];
    default:
      return [];
  }
}

/** The schemas directly below one, with their names. */
function childrenOf(schema: OpenApiSchema): readonly (readonly [string, OpenApiSchema])[] {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [`.${name}`, field] as const,
  );
  const values = schema.additionalProperties;
  return [
    ...fields,
    ...(schema.items === undefined ? [] : [['[]', schema.items] as const]),
    ...(typeof values === 'object' ? [['{}', values] as const] : []),
  ];
}

export function fieldTable(schema: OpenApiSchema, path: string): readonly FieldRow[] {
  return childrenOf(schema).flatMap(([name, field]) => {
    const fieldPath = `${path}${name}`;
    const row: FieldRow = {
      path: fieldPath,
      type: typeOf(field),
      required: schema.required?.includes(name.slice(1)) === true,
      fallback: field.default === undefined ? '' : JSON.stringify(field.default),
      constraints: constraintsOf(field),
      description: field.description ?? '',
    };
    return [row, ...fieldTable(field, fieldPath)];
  });
}

export function ruleTable(schema: OpenApiSchema, path: string): readonly RuleRow[] {
  const own = (schema['x-kubernetes-validations'] ?? []).map(({ rule, message = '' }) => ({
    path,
    message,
    rule,
  }));
  return [
    ...own,
    ...childrenOf(schema).flatMap(([name, field]) => ruleTable(field, `${path}${name}`)),
  ];
}
