// What an API server asks of the two numbers that `kubectl scale` and autoscalers read and write: whole, not
// negative, and within 32 bits. Their paths are given by the CRD and not by the schema.
import type { Json } from '../../meta.ts';
import { type FieldError, formatValue } from './field-error.ts';
import { isRecord } from './json-value.ts';
import { kindOf, type ValueKind } from './structural-node.ts';

const INT32_MAX = 2_147_483_647;

/** Go's names for what a value is, which the server's words contain. */
const goTypes: Readonly<Record<ValueKind, string>> = {
  object: 'map[string]interface {}',
  array: '[]interface {}',
  string: 'string',
  integer: 'int64',
  number: 'float64',
  boolean: 'bool',
  null: '<nil>',
};

function wrongType(path: string, value: Json, wanted: string): string {
  const shown = typeof value === 'string' ? value : formatValue(value);
  return `${path} accessor error: ${shown} is of the type ${goTypes[kindOf(value)]}, expected ${wanted}`;
}

/** The number at a path such as `.spec.replicas`; 0 when it is absent, words when it is no number. */
function numberAt(object: Json, path: string): number | string {
  let value: Json | undefined = object;
  for (const name of path.replace('.', '').split('.')) {
    if (!isRecord(value)) return wrongType(path, value, 'map[string]interface{}');
    value = value[name];
    if (value === undefined) return 0;
  }
  return typeof value === 'number' && kindOf(value) === 'integer'
    ? value
    : wrongType(path, value, 'int64');
}

export function checkReplicas(object: Json, path: string): readonly FieldError[] {
  const replicas = numberAt(object, path);
  const invalid = (value: number, detail: string): readonly FieldError[] => [
    { field: path, type: 'Invalid', detail, value },
  ];
  if (typeof replicas === 'string') return invalid(0, replicas);
  if (replicas < 0) return invalid(replicas, 'should be a non-negative integer');
  if (replicas <= INT32_MAX) return [];
  return invalid(replicas, `should be less than or equal to ${INT32_MAX}`);
}
