// Lists that are sets or maps hold no element, or no key, twice.
import type { Json } from '../../meta.ts';
import type { FieldError } from './field-error.ts';
import { isRecord } from './json-value.ts';
import { listKeysOf, type StructuralNode } from './structural-node.ts';

/** A schema cut down to the parts that have set or map lists in them. */
export interface ListNode {
  readonly keys: readonly string[] | undefined;
  readonly isSet: boolean;
  readonly items: ListNode | undefined;
  readonly properties: ReadonlyMap<string, ListNode>;
  readonly additional: ListNode | undefined;
}

function childLists(node: StructuralNode | undefined): ListNode | undefined {
  return node === undefined ? undefined : toListNode(node);
}

export function toListNode(node: StructuralNode): ListNode | undefined {
  const items = childLists(node.items);
  const additional = childLists(node.additional);
  const properties = new Map<string, ListNode>();
  for (const [name, field] of node.properties) {
    const child = toListNode(field);
    if (child !== undefined) properties.set(name, child);
  }
  const keys = listKeysOf(node.schema);
  const isSet = node.schema['x-kubernetes-list-type'] === 'set';
  const isBare = items === undefined && additional === undefined && properties.size === 0;
  return isBare && !isSet && keys === undefined
    ? undefined
    : { keys, isSet, items, properties, additional };
}

/** Indices of the second appearance of every value that appears more than once. */
function secondAppearances(values: readonly Json[]): readonly number[] {
  const seen = new Map<string, number>();
  const repeated: number[] = [];
  for (const [index, value] of values.entries()) {
    const text = JSON.stringify(value);
    const times = seen.get(text) ?? 0;
    if (times === 1) repeated.push(index);
    seen.set(text, times + 1);
  }
  return repeated;
}

function duplicates(values: readonly Json[], path: string): readonly FieldError[] {
  if (values.length <= 1) return [];
  return secondAppearances(values).map((index) => ({
    field: `${path}[${index}]`,
    type: 'Duplicate',
    detail: '',
    value: values[index] ?? null,
  }));
}

function keyOf(item: Json, keys: readonly string[]): Json {
  if (!isRecord(item)) return {};
  const present = keys.flatMap((key) => {
    const value = item[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(present);
}

function checkKeys(
  value: readonly Json[],
  keys: readonly string[],
  path: string,
): readonly FieldError[] {
  const stray = value.findIndex((item) => item !== null && !isRecord(item));
  if (stray < 0)
    return duplicates(
      value.map((item) => keyOf(item, keys)),
      path,
    );
  const detail = 'must be an object for an array of list-type map';
  return [{ field: `${path}[${stray}]`, type: 'Invalid', detail, value: value[stray] ?? null }];
}

function checkArray(node: ListNode, value: readonly Json[], path: string): readonly FieldError[] {
  const { keys, isSet, items } = node;
  return [
    ...(isSet ? duplicates(value, path) : []),
    ...(keys === undefined ? [] : checkKeys(value, keys, path)),
    ...(items === undefined
      ? []
      : value.flatMap((item, index) => checkLists(items, item, `${path}[${index}]`))),
  ];
}

export function checkLists(node: ListNode, value: Json, path = ''): readonly FieldError[] {
  if (Array.isArray(value)) return checkArray(node, value as readonly Json[], path);
  if (!isRecord(value)) return [];
  const errors: FieldError[] = [];
  for (const [name, field] of node.properties) {
    const item = value[name];
    if (item === undefined) continue;
    errors.push(...checkLists(field, item, path === '' ? name : `${path}.${name}`));
  }
  const { additional } = node;
  if (additional === undefined) return errors;
  for (const [key, item] of Object.entries(value)) {
    if (node.properties.has(key)) continue;
    errors.push(...checkLists(additional, item, `${path}[${key}]`));
  }
  return errors;
}
