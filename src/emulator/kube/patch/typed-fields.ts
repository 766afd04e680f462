// The fields of a value by its schema. In: the schema and a value. Out: the paths of all its leaves, of the items of
// its shared lists and of the members of its maps. What an applier owns is exactly this, of what it applied.
import type { Json } from '../../../api/meta.ts';
import { isArray, isObject, type JsonObject } from '../json.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { FieldSet } from './field-set.ts';
import { hasSharedItems, itemsByElement, shapeOf } from './list-item.ts';
import { fieldElement } from './path-element.ts';

export function fieldsOf(schema: TypeSchema, object: JsonObject): FieldSet {
  return fieldsOfValue(schema, object);
}

function fieldsOfValue(schema: TypeSchema, value: Json): FieldSet {
  switch (shapeOf(schema, value)) {
    case 'scalar':
      return FieldSet.leaf;
    case 'list':
      if (!hasSharedItems(schema)) return FieldSet.leaf;
      return isArray(value) ? fieldsOfItems(schema, value) : FieldSet.empty;
    default:
      if (schema.sharing === 'atomic') return FieldSet.leaf;
      return isObject(value) ? fieldsOfMembers(schema, value) : FieldSet.empty;
  }
}

function fieldsOfItems(schema: TypeSchema, items: readonly Json[]): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [element, [item, ...more]] of itemsByElement(schema, items)) {
    if (item === undefined || schema.items === undefined) continue;
    // Duplicates are owned as one leaf: nothing tells their fields apart.
    const fields = more.length > 0 ? FieldSet.leaf : fieldsOfValue(schema.items, item);
    children.set(element, asMember(fields));
  }
  return new FieldSet(false, children);
}

function fieldsOfMembers(schema: TypeSchema, value: JsonObject): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [name, inner] of Object.entries(value)) {
    const member = schema.member(name);
    if (member === undefined) continue;
    const fields = fieldsOfValue(member, inner);
    const isMember = isNothing(inner) || schema.field(name) === undefined;
    const set = isMember ? asMember(fields) : fields;
    if (!set.isEmpty) children.set(fieldElement(name), set);
  }
  return new FieldSet(false, children);
}

function isNothing(value: Json): boolean {
  return value === null || (isObject(value) && Object.keys(value).length === 0);
}

function asMember(set: FieldSet): FieldSet {
  return set.isMember ? set : new FieldSet(true, set.children);
}

/** The set with the declared fields on the way to its members: an applier that owns a.b also stands for a. */
export function withNamedParents(schema: TypeSchema | undefined, set: FieldSet): FieldSet {
  let children: Map<string, FieldSet> | undefined;
  for (const [element, child] of set.children) {
    const full = child.children.size === 0 ? child : withNamedParent(schema, element, child);
    if (full === child) continue;
    children ??= new Map(set.children);
    children.set(element, full);
  }
  return children === undefined ? set : new FieldSet(set.isMember, children);
}

function withNamedParent(
  schema: TypeSchema | undefined,
  element: string,
  child: FieldSet,
): FieldSet {
  if (!element.startsWith('f:')) return withNamedParents(schema?.items, child);
  const name = element.slice(2);
  const named = withNamedParents(schema?.member(name), child);
  return schema?.field(name) === undefined ? named : asMember(named);
}
