// An applied configuration laid over the live object. In: the schema, both objects. Out: the live object with every
// field of the configuration; nothing is removed here. Shared lists keep the live items in place, and take the order
// of the configuration for the items that both have.
import type { Json } from '../../../api/meta.ts';
import { isArray, isObject, type JsonObject, type MutableJsonObject } from '../json.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { hasSharedItems, itemElement, itemsByElement, shapeOf } from './list-item.ts';

export function mergeApplied(
  schema: TypeSchema,
  live: JsonObject,
  applied: JsonObject,
): JsonObject {
  return mergeMembers(schema, live, applied);
}

function mergeValues(schema: TypeSchema, live: Json | undefined, applied: Json): Json {
  if (live === undefined || live === applied) return applied;
  // Null and empty containers add nothing to what is there, and replace only what is empty too.
  switch (shapeOf(schema, applied)) {
    case 'list':
      if (!hasItemsToShare(schema, live)) return applied;
      return mergeItems(schema, live, isArray(applied) ? applied : []);
    case 'object':
      if (!isShared(schema, live)) return applied;
      return mergeMembers(schema, live, isObject(applied) ? applied : {});
    default:
      return applied;
  }
}

function hasItemsToShare(schema: TypeSchema, live: Json): live is readonly Json[] {
  return hasSharedItems(schema) && isArray(live) && live.length > 0;
}

function isShared(schema: TypeSchema, live: Json): live is JsonObject {
  return schema.sharing !== 'atomic' && isObject(live) && Object.keys(live).length > 0;
}

function mergeMembers(schema: TypeSchema, live: JsonObject, applied: JsonObject): JsonObject {
  const merged: MutableJsonObject = { ...live };
  for (const [name, value] of Object.entries(applied)) {
    const member = schema.member(name);
    merged[name] = member === undefined ? value : mergeValues(member, live[name], value);
  }
  return merged;
}

function mergeItems(
  schema: TypeSchema,
  live: readonly Json[],
  applied: readonly Json[],
): readonly Json[] {
  const liveItems = itemsByElement(schema, live);
  const pending = [...itemsByElement(schema, applied)].map(([element, [item]]) => ({
    element,
    item,
  }));
  const appliedElements = new Set(pending.map(({ element }) => element));
  const shared = pending.map(({ element }) => element).filter((element) => liveItems.has(element));
  const merged: Json[] = [];
  const done = new Set<string>();
  const takeNext = (): string | undefined => {
    const next = pending.shift();
    if (next?.item === undefined) return undefined;
    const matches = liveItems.get(next.element) ?? [];
    // Duplicates in the live list are replaced, not merged: it is open which of them is meant.
    const match = matches.length === 1 ? matches[0] : undefined;
    merged.push(
      schema.items === undefined ? next.item : mergeValues(schema.items, match, next.item),
    );
    done.add(next.element);
    if (shared[0] === next.element) shared.shift();
    return next.element;
  };
  for (const item of live) {
    const element = itemElement(schema, item);
    if (element === undefined || !appliedElements.has(element)) merged.push(item);
    else if (done.has(element)) takeNext();
    // Out of turn: it comes when the configuration gets to it.
    else if (shared[0] === element) while (takeNext() !== element);
  }
  while (pending.length > 0) takeNext();
  return merged;
}
