// Strategic merge patch, for built-in kinds. In: an object, a patch, and the type that says which lists merge by which
// key. Out: the patched object, or why not. Directives in the patch: `$patch` replaces or deletes, `$retainKeys` names
// all that may stay, `$deleteFromPrimitiveList/x` removes from a list, `$setElementOrder/x` orders one.
// Unknown fields pass through: whoever decodes the result drops or reports them.
import type { Json } from '../../../api/meta.ts';
import { isArray, isObject, type JsonObject, type MutableJsonObject } from '../json.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { goText, goTypeName } from './go-text.ts';
import type { Outcome } from './refusal.ts';
import { followsOrder, identity, ordered } from './strategic-order.ts';

const directive = '$patch';
const retainKeys = '$retainKeys';
const deletePrefix = '$deleteFromPrimitiveList';
const orderPrefix = '$setElementOrder';

/** A patch that contradicts itself or its type. */
class BadPatch extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export function applyStrategicMergePatch(options: {
  readonly object: JsonObject;
  readonly patch: JsonObject;
  readonly schema: TypeSchema;
}): Outcome<JsonObject> {
  try {
    return { ok: true, value: mergeObjects(options.object, options.patch, options.schema) };
  } catch (error) {
    if (!(error instanceof BadPatch)) throw error;
    const { code, message } = error;
    return { ok: false, refusal: { code, reason: reasons[code] ?? '', message } };
  }
}

const reasons: Readonly<Record<number, string>> = { 400: 'BadRequest', 422: 'Invalid' };

type Schema = TypeSchema | undefined;

function mergeObjects(object: JsonObject, patch: JsonObject, schema: Schema): JsonObject {
  if (patch[directive] !== undefined) return directed(patch);
  const { [retainKeys]: retained, ...rest } = patch;
  const kept = retained === undefined ? object : retain(object, rest, retained);
  const merged: MutableJsonObject = { ...kept };
  const changes: MutableJsonObject = { ...rest };
  for (const [key, order] of Object.entries(rest)) {
    if (!key.startsWith(orderPrefix)) continue;
    delete changes[key];
    const name = listName(key, orderPrefix);
    const list = orderedList({ merged, changes, schema, name, order });
    if (list === undefined) continue;
    merged[name] = list;
    delete changes[name];
  }
  for (const [key, change] of Object.entries(changes)) mergeMember(merged, key, change, schema);
  return merged;
}

function directed(patch: JsonObject): JsonObject {
  const { [directive]: what, ...rest } = patch;
  if (what === 'replace') return rest;
  if (what === 'delete') return {};
  throw new BadPatch(500, `unknown patch type: ${goText(what ?? null)} in map: ${goText(patch)}`);
}

function retain(object: JsonObject, patch: JsonObject, retained: Json): JsonObject {
  const isDirective = (key: string): boolean =>
    key.startsWith(deletePrefix) || key.startsWith(orderPrefix);
  const isOutside = ([key, value]: readonly [string, Json]): boolean =>
    value !== null && !isDirective(key) && !(retained as readonly Json[]).includes(key);
  if (!isArray(retained) || Object.entries(patch).some(isOutside)) {
    throw new BadPatch(400, 'invalid patch format of retainKeys');
  }
  return Object.fromEntries(Object.entries(object).filter(([key]) => retained.includes(key)));
}

function listName(key: string, prefix: string): string {
  const slash = key.indexOf('/');
  if (key.slice(0, slash) === prefix) return key.slice(slash + 1);
  const what = prefix === orderPrefix ? 'setElementOrder list' : 'primitive list';
  throw new BadPatch(400, `invalid patch format of ${what}`);
}

function mergeMember(merged: MutableJsonObject, key: string, change: Json, schema: Schema): void {
  const isDeletion = key.startsWith(deletePrefix);
  const name = isDeletion ? listName(key, deletePrefix) : key;
  const current = merged[name];
  if (change === null) delete merged[name];
  else if (isDeletion) deleteItems(merged, name, change);
  else if (current === undefined) replaceMember(merged, name, change);
  else mergeValue(merged, name, { current, change, member: schema?.member(name) });
}

function mergeValue(
  merged: MutableJsonObject,
  name: string,
  at: { readonly current: Json; readonly change: Json; readonly member: Schema },
): void {
  const { current, change, member } = at;
  if (isObject(current) && isObject(change)) {
    merged[name] = hasStrategy(member, 'replace') ? change : mergeObjects(current, change, member);
  } else if (isArray(current) && isArray(change)) {
    merged[name] = hasStrategy(member, 'merge') ? mergeLists(current, change, member) : change;
  } else {
    replaceMember(merged, name, change);
  }
}

function deleteItems(merged: MutableJsonObject, name: string, gone: Json): void {
  const current = merged[name];
  if (!isArray(current) || !isArray(gone)) return;
  merged[name] = current.filter((item) => !gone.includes(item));
}

function replaceMember(merged: MutableJsonObject, name: string, change: Json): void {
  const value = withoutDirectives(withoutNulls(change));
  if (value === undefined) delete merged[name];
  else merged[name] = value;
}

function hasStrategy(schema: Schema, strategy: string): boolean {
  return schema?.patchStrategies.includes(strategy) === true;
}

/** A list that the patch orders, merged with the part of the patch about it; undefined when there is no such list. */
function orderedList(options: {
  readonly merged: JsonObject;
  readonly changes: JsonObject;
  readonly schema: Schema;
  readonly name: string;
  readonly order: Json;
}): readonly Json[] | undefined {
  const { name, order } = options;
  const member = options.schema?.member(name);
  const mergeKey = member?.patchMergeKey ?? '';
  const current = listOrNothing(options.merged[name]);
  const change = listOrNothing(options.changes[name]);
  const wanted = listOrNothing(order) ?? [];
  checkOrder(change ?? [], wanted, mergeKey);
  if (current === undefined && change === undefined) return undefined;
  const items = mergedForOrder(current, change, member);
  for (const item of [...items, ...wanted]) requireKey(item, mergeKey);
  return ordered({ items, wanted, earlier: current ?? [], mergeKey });
}

function mergedForOrder(
  current: readonly Json[] | undefined,
  change: readonly Json[] | undefined,
  member: Schema,
): readonly Json[] {
  if (change === undefined) return current ?? [];
  if (current === undefined) return withoutDirectives(change) as readonly Json[];
  return hasStrategy(member, 'merge') ? mergeLists(current, change, member) : change;
}

function listOrNothing(value: Json | undefined): readonly Json[] | undefined {
  if (value === undefined || isArray(value)) return value;
  throw new BadPatch(500, `expected a []interface {}, but received a ${goTypeName(value)}`);
}

function checkOrder(items: readonly Json[], order: readonly Json[], mergeKey: string): void {
  if (items.length === 0 || order.length === 0) return;
  const isDirective = (item: Json): boolean => isObject(item) && item[directive] !== undefined;
  const staying = items.filter((item) => !isObject(item) || item[directive] !== 'delete');
  const keyed = [...staying.filter((item) => !isDirective(item)), ...order];
  for (const item of keyed) requireKey(item, mergeKey);
  if (followsOrder({ items: staying, order, mergeKey, isDirective })) return;
  throw new BadPatch(
    500,
    `The order in patch list:\n${goText(items)}\n doesn't match ${orderPrefix} list:\n${goText(order)}\n`,
  );
}

function requireKey(item: Json, mergeKey: string): void {
  if (mergeKey === '') return;
  if (!isObject(item)) {
    throw new BadPatch(
      500,
      `expected a map[string]interface {}, but received a ${goTypeName(item)}`,
    );
  }
  if (item[mergeKey] === undefined) {
    throw new BadPatch(
      500,
      `map: ${goText(item)} does not contain declared merge key: ${mergeKey}`,
    );
  }
}

function mergeLists(
  current: readonly Json[],
  change: readonly Json[],
  list: Schema,
): readonly Json[] {
  if (current.length === 0 && change.length === 0) return current;
  checkItemTypes(current, change);
  if (isObject(current[0] ?? change[0])) {
    return mergeObjectLists(
      current as readonly JsonObject[],
      change as readonly JsonObject[],
      list,
    );
  }
  const items = [...new Set([...current, ...change])];
  return ordered({ items, wanted: change, earlier: current, mergeKey: '' });
}

function mergeObjectLists(
  current: readonly JsonObject[],
  change: readonly JsonObject[],
  list: Schema,
): readonly Json[] {
  const mergeKey = list?.patchMergeKey ?? '';
  const { kept, plain } = directedItems(current, change, mergeKey);
  const items: JsonObject[] = [...kept];
  for (const item of plain) {
    requireKey(item, mergeKey);
    const index = items.findIndex((candidate) => candidate[mergeKey] === item[mergeKey]);
    const match = items[index];
    if (match === undefined) items.push(item);
    else items[index] = mergeObjects(match, item, list?.items);
  }
  for (const item of items) requireKey(item, mergeKey);
  return ordered({ items, wanted: plain, earlier: kept, mergeKey });
}

/** The list after the items of the patch that only delete or replace, and the other items of the patch. */
function directedItems(
  current: readonly JsonObject[],
  change: readonly JsonObject[],
  mergeKey: string,
): { readonly kept: readonly JsonObject[]; readonly plain: readonly JsonObject[] } {
  const plain = change.filter((item) => item[directive] === undefined);
  let kept = current;
  let isReplaced = false;
  for (const item of change) {
    switch (item[directive]) {
      case undefined:
        break;
      case 'delete':
        requireKey(item, mergeKey);
        kept = kept.filter((one) => identity(one, mergeKey) !== identity(item, mergeKey));
        break;
      case 'replace':
        isReplaced = true;
        break;
      case 'merge':
        throw new BadPatch(500, 'merging lists cannot yet be specified in the patch');
      default:
        throw new BadPatch(
          500,
          `unknown patch type: ${goText(item[directive])} in map: ${goText(item)}`,
        );
    }
  }
  return isReplaced ? { kept: plain, plain: [] } : { kept, plain };
}

function checkItemTypes(current: readonly Json[], change: readonly Json[]): void {
  const items = [...current, ...change];
  if (isArray(items[0])) {
    throw new BadPatch(422, 'the server rejected our request due to an error in our request');
  }
  if (new Set(items.map(goTypeName)).size < 2) return;
  throw new BadPatch(500, `list element types are not identical: ${goText([current, change])}`);
}

/** What the patch adds is taken as it stands, but its nulls remove nothing. */
function withoutNulls(value: Json): Json {
  if (isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(members.map(([name, inner]) => [name, withoutNulls(inner)]));
}

/** Objects with a directive say what to do with something that is not there. */
function withoutDirectives(value: Json): Json | undefined {
  if (isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  if (value[directive] !== undefined) return undefined;
  const members = Object.entries(value).map(
    ([name, inner]) => [name, withoutDirectives(inner)] as const,
  );
  return Object.fromEntries(members.filter(([, inner]) => inner !== undefined)) as JsonObject;
}
