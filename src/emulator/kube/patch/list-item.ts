// Which item of a shared list a value is. In: the list's schema and one item. Out: its step in a path: by its key
// fields, with the defaults of those left out, or by its own value. Items that cannot be told apart have no step.
import type { Json } from '../../../api/meta.ts';
import { isObject } from '../json.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { keyElement, type KeyField, valueElement } from './path-element.ts';

/** The shape a value takes at a place: where the schema leaves it open, the value decides; null counts as an object. */
export type Shape = 'object' | 'list' | 'scalar';

export function shapeOf(schema: TypeSchema, value: Json | undefined): Shape {
  if (schema.type === 'object') return 'object';
  if (schema.type === 'array') return 'list';
  if (schema.type !== 'any') return 'scalar';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'object' || value === undefined ? 'object' : 'scalar';
}

/** True when the items of a list are owned each by itself. */
export function hasSharedItems(schema: TypeSchema): boolean {
  return schema.type === 'array' && schema.sharing !== 'atomic';
}

/** The step of `item`, or undefined when the item has no key or is not what the list holds. */
export function itemElement(list: TypeSchema, item: Json): string | undefined {
  if (list.sharing === 'set') {
    return typeof item === 'object' ? undefined : valueElement(item);
  }
  if (!isObject(item)) return undefined;
  const keys: KeyField[] = [];
  for (const name of list.mapKeys) {
    const value = item[name] ?? list.items?.field(name)?.default;
    if (value !== undefined) keys.push([name, value]);
  }
  return keys.length === 0 ? undefined : keyElement(keys);
}

/** The items of a list by their steps, in order. Several items under one step are duplicates. */
export function itemsByElement(
  list: TypeSchema,
  items: readonly Json[],
): ReadonlyMap<string, readonly Json[]> {
  const byElement = new Map<string, Json[]>();
  for (const item of items) {
    const element = itemElement(list, item);
    if (element === undefined) continue;
    const same = byElement.get(element);
    if (same === undefined) byElement.set(element, [item]);
    else same.push(item);
  }
  return byElement;
}
