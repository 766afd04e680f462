// The order of a list after a strategic merge. In: the merged items, the order that the patch wants for some of them, and
// the order they had. Out: the same items: those of the patch in its order, the others in theirs, and each of the
// others as far in front as the old order had it in front of an item of the patch.
import type { Json } from '../../../api/meta.ts';
import { isObject } from '../json.ts';

/** What tells items apart: the value of the merge key, or the item itself. */
export function identity(item: Json | undefined, mergeKey: string): Json | undefined {
  if (mergeKey === '') return item;
  return isObject(item) ? item[mergeKey] : undefined;
}

export function ordered(options: {
  readonly items: readonly Json[];
  readonly wanted: readonly Json[];
  readonly earlier: readonly Json[];
  readonly mergeKey: string;
}): readonly Json[] {
  const { items, wanted, earlier, mergeKey } = options;
  const id = (item: Json): Json | undefined => identity(item, mergeKey);
  const wantedAt = positions(wanted.map(id));
  const earlierAt = positions(earlier.map(id));
  const at = (places: ReadonlyMap<Json | undefined, number>, item: Json): number =>
    places.get(id(item)) ?? Number.POSITIVE_INFINITY;
  const byOrder = (places: ReadonlyMap<Json | undefined, number>) => (a: Json, b: Json) =>
    at(places, a) === at(places, b) ? 0 : at(places, a) - at(places, b);
  const fromPatch = items.filter((item) => wantedAt.has(id(item))).toSorted(byOrder(wantedAt));
  const others = items.filter((item) => !wantedAt.has(id(item))).toSorted(byOrder(earlierAt));
  const result: Json[] = [];
  for (const item of fromPatch) {
    const place = earlierAt.get(id(item)) ?? Number.NEGATIVE_INFINITY;
    const isBefore = (other: Json): boolean => at(earlierAt, other) < place;
    const count = others.findIndex((other) => !isBefore(other));
    result.push(...others.splice(0, count < 0 ? others.length : count), item);
  }
  return [...result, ...others];
}

function positions(ids: readonly (Json | undefined)[]): ReadonlyMap<Json | undefined, number> {
  const places = new Map<Json | undefined, number>();
  for (const [index, id] of ids.entries()) if (!places.has(id)) places.set(id, index);
  return places;
}

/** Whether the items of the patch come in the order that the patch asks for. Items with a directive have no place in it. */
export function followsOrder(options: {
  readonly items: readonly Json[];
  readonly order: readonly Json[];
  readonly mergeKey: string;
  readonly isDirective: (item: Json) => boolean;
}): boolean {
  const { items, order, mergeKey, isDirective } = options;
  let next = 0;
  for (const wanted of order) {
    while (next < items.length && isDirective(items[next] ?? null)) next++;
    if (next < items.length && identity(items[next], mergeKey) === identity(wanted, mergeKey)) {
      next++;
    }
  }
  // A directive at the very end is not skipped any more: the server takes it for an item out of order.
  return next >= items.length;
}
