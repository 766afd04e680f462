// What a write did to an object, field by field. In: the schema and the object before and after. Out: the paths whose
// value was written (added or changed) and those that are gone. Parts shared by both objects are not looked into.
import type { Json } from '../../../api/meta.ts';
import { isArray, isObject, type JsonObject, sameJson } from '../json.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { FieldSet } from './field-set.ts';
import { hasSharedItems, itemsByElement, shapeOf } from './list-item.ts';
import { fieldElement } from './path-element.ts';

export interface Comparison {
  readonly written: FieldSet;
  readonly removed: FieldSet;
}

type Value = Json | undefined;

const same: Comparison = { written: FieldSet.empty, removed: FieldSet.empty };
const leafWritten: Comparison = { written: FieldSet.leaf, removed: FieldSet.empty };
const leafRemoved: Comparison = { written: FieldSet.empty, removed: FieldSet.leaf };

export function compareObjects(
  schema: TypeSchema,
  before: JsonObject,
  after: JsonObject,
): Comparison {
  return compareValues(schema, before, after);
}

function compareValues(schema: TypeSchema, before: Value, after: Value): Comparison {
  if (before === after) return same;
  const shape = shapeOf(schema, after ?? before);
  if (schema.type !== 'any' || before === undefined || after === undefined) {
    return compareAs(shape, schema, before, after);
  }
  // Where anything may stand, an object may have become a text: both views of the change count.
  const earlier = shapeOf(schema, before);
  const change = compareAs(shape, schema, before, after);
  return earlier === shape ? change : joined(compareAs(earlier, schema, before, after), change);
}

function compareAs(
  shape: 'object' | 'list' | 'scalar',
  schema: TypeSchema,
  before: Value,
  after: Value,
): Comparison {
  if (shape === 'object') return compareMembers(schema, before, after);
  if (shape === 'list') return compareItems(schema, before, after);
  return compareLeaf(before, after);
}

function compareLeaf(before: Value, after: Value): Comparison {
  if (before === undefined) return leafWritten;
  if (after === undefined) return leafRemoved;
  return sameJson(before, after) ? same : leafWritten;
}

function compareMembers(schema: TypeSchema, before: Value, after: Value): Comparison {
  const left = isObject(before) ? before : nothing;
  const right = isObject(after) ? after : nothing;
  // Two empty ones are a leaf: that keeps null and {} apart.
  if (schema.sharing === 'atomic' || (isEmptyObject(left) && isEmptyObject(right))) {
    return compareLeaf(before, after);
  }
  const changes = new Changes();
  for (const name in right) {
    if (left[name] !== right[name]) compareMember(changes, name, { schema, left, right });
  }
  for (const name in left) {
    if (right[name] === undefined) compareMember(changes, name, { schema, left, right });
  }
  return changes.at(before, after);
}

const nothing: JsonObject = {};

function compareMember(
  changes: Changes,
  name: string,
  { schema, left, right }: { schema: TypeSchema; left: JsonObject; right: JsonObject },
): void {
  const member = schema.member(name);
  if (member === undefined) return;
  const before = memberValue(left, name, member);
  const change = compareValues(member, before, memberValue(right, name, member));
  if (change !== same) changes.add(fieldElement(name), change);
}

/** Only an object that is there has the fields which its type cannot leave out. */
function memberValue(object: JsonObject, name: string, member: TypeSchema): Value {
  const value = object[name];
  return value === undefined && object !== nothing ? member.absent : value;
}

function compareItems(schema: TypeSchema, before: Value, after: Value): Comparison {
  const left = isArray(before) ? before : [];
  const right = isArray(after) ? after : [];
  const isLeaf = !hasSharedItems(schema) || left.length + right.length === 0;
  if (isLeaf) return compareLeaf(before, after);
  // Most lists of most writes are as they were, and keys of items are dear.
  if (left.length === right.length && sameJson(left, right)) return same;
  const changes = new Changes();
  const leftItems = itemsByElement(schema, left);
  const rightItems = itemsByElement(schema, right);
  for (const element of new Set([...rightItems.keys(), ...leftItems.keys()])) {
    const items = { left: leftItems.get(element) ?? [], right: rightItems.get(element) ?? [] };
    changes.add(element, compareEqualItems(schema, items));
  }
  return changes.at(before, after);
}

/** One item against one item; duplicates of a key have no fields of their own and count as one leaf. */
function compareEqualItems(
  { items }: TypeSchema,
  { left, right }: { readonly left: readonly Json[]; readonly right: readonly Json[] },
): Comparison {
  if (items === undefined) return same;
  if (left.length >= 2 && right.length >= 2) return compareLeaf(left, right);
  const single = (values: readonly Json[]): Value => (values.length < 2 ? values[0] : undefined);
  const change = compareValues(items, single(left), single(right));
  if (left.length < 2 && right.length < 2) return change;
  return joined(left.length >= 2 ? leafRemoved : leafWritten, change);
}

function isEmptyObject(value: JsonObject): boolean {
  for (const _ in value) return false;
  return true;
}

function joined(a: Comparison, b: Comparison): Comparison {
  return { written: a.written.union(b.written), removed: a.removed.union(b.removed) };
}

/** Collects the changes below one place. */
class Changes {
  #written: Map<string, FieldSet> | undefined;
  #removed: Map<string, FieldSet> | undefined;

  add(element: string, { written, removed }: Comparison): void {
    if (!written.isEmpty) (this.#written ??= new Map()).set(element, written);
    if (!removed.isEmpty) (this.#removed ??= new Map()).set(element, removed);
  }

  /** The place itself is written when it was not there before, and removed when it is not there any more. */
  at(before: Value, after: Value): Comparison {
    const isNew = before === undefined;
    const isGone = after === undefined;
    if (this.#written === undefined && this.#removed === undefined && !isNew && !isGone)
      return same;
    return {
      written: setOf(isNew, this.#written),
      removed: setOf(isGone, this.#removed),
    };
  }
}

function setOf(isMember: boolean, children: ReadonlyMap<string, FieldSet> | undefined): FieldSet {
  if (children === undefined) return isMember ? FieldSet.leaf : FieldSet.empty;
  return new FieldSet(isMember, children);
}
