// An object without some of its fields. In: the schema, the object, the paths to drop. Out: the object without them;
// containers that lose all their members stay behind empty, unless their own path is dropped too.
import type { Json } from '../../../api/meta.ts';
import { isArray, isObject, type JsonObject, type MutableJsonObject } from '../json.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import type { FieldSet } from './field-set.ts';
import { hasSharedItems, itemElement } from './list-item.ts';
import { fieldElement } from './path-element.ts';

export function removeFields(schema: TypeSchema, object: JsonObject, set: FieldSet): JsonObject {
  if (set.children.size === 0) return object;
  const copy: MutableJsonObject = {};
  let changed = false;
  for (const [name, value] of Object.entries(object)) {
    const below = set.children.get(fieldElement(name));
    if (below?.isMember === true) {
      changed = true;
      continue;
    }
    const member = schema.member(name);
    const rest =
      below === undefined || member === undefined ? value : removeBelow(member, value, below);
    changed ||= rest !== value;
    copy[name] = rest;
  }
  return changed ? copy : object;
}

function removeBelow(schema: TypeSchema, value: Json, set: FieldSet): Json {
  if (isObject(value)) {
    // Nobody can own a part of it; that the set says so means that the schema was another one then.
    return schema.sharing === 'atomic' ? {} : removeFields(schema, value, set);
  }
  if (!isArray(value)) return value;
  return hasSharedItems(schema) ? removeItems(schema, value, set) : [];
}

function removeItems(schema: TypeSchema, items: readonly Json[], set: FieldSet): readonly Json[] {
  const { items: itemSchema } = schema;
  return items.flatMap((item) => {
    const element = itemElement(schema, item);
    const below = element === undefined ? undefined : set.children.get(element);
    if (below === undefined || itemSchema === undefined) return [item];
    return below.isMember ? [] : [removeBelow(itemSchema, item, below)];
  });
}
