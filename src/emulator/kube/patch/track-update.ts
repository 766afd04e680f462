// Ownership after a create, update, or a patch other than apply. In: the object before and after the write. Out: the
// object after it, with its managedFields: the writer owns what it wrote, the others lose that and what it removed.
// 1. Whoever changes nothing owns nothing new, and the time of its entry stays.
// 2. An object without managers stays so: somebody has asked to stop tracking it.
// 3. A writer may hand managedFields in; through a subresource they are ignored, an empty list or one empty entry
//    clears them (of a custom resource only the latter), and nonsense counts as not handed in.
import type { Json } from '../../../api/meta.ts';
import { isArray, isObject, type JsonObject, sameJson } from '../json.ts';
import { type Comparison, compareObjects } from './compare.ts';
import { FieldSet } from './field-set.ts';
import {
  afterWrite,
  currentManagers,
  filtered,
  isNew,
  ownedFields,
  type WriteContext,
} from './field-manager.ts';
import {
  capUpdaters,
  decodeManagers,
  encodeManagers,
  managedFieldsOf,
  managerId,
  type Manager,
  type Managers,
  withManagedFields,
} from './managed-fields.ts';

/** `live` undefined: the object is being created. */
export function trackUpdate(
  context: WriteContext & {
    readonly live: JsonObject | undefined;
    readonly updated: JsonObject;
  },
): JsonObject {
  if (context.live === context.updated) return context.updated;
  const { updated, live = {} } = context;
  const changes = changesOf(context, live, updated);
  if (isIdle(context, changes)) return withManagedFields(updated, managedFieldsOf(live));
  const before = managersOf(context, live);
  if (before.managers.size === 0 && !isNew(live)) return withManagedFields(updated, undefined);
  const after = managersAfterUpdate(context, before.managers, changes);
  // Nothing changed hands: the entries as they stand are the encoded form, to be shared and not written again.
  const entries = after === before.managers ? before.entries : encodeManagers(after);
  return withManagedFields(updated, entries);
}

/** What the write did, as far as anyone can own it. Exported for apply, which asks the same of the past. */
export function changesOf(
  { schema, ownable }: WriteContext,
  live: JsonObject,
  updated: JsonObject,
): Comparison {
  const { written, removed } = filtered(compareObjects(schema, live, updated), ownable);
  return { written: written.difference(managedFields), removed: removed.difference(managedFields) };
}

/** Nobody owns the list of owners, and a write that leaves it out removes nothing. */
const managedFields = FieldSet.of(['f:metadata', 'f:managedFields']);

/** Nothing to do, and nothing to look up: a write that changed nothing and says nothing of managers. */
function isIdle(
  {
    live,
    updated,
    apiVersion,
  }: WriteContext & { live: JsonObject | undefined; updated: JsonObject },
  { written, removed }: Comparison,
): boolean {
  const stored = managedFieldsOf(live ?? {});
  if (!written.isEmpty || !removed.isEmpty || !isArray(stored)) return false;
  const given = managedFieldsOf(updated);
  const isOwn = (entry: Json): boolean => isObject(entry) && entry['apiVersion'] === apiVersion;
  return (given === undefined || given === stored) && stored.every(isOwn);
}

interface Known {
  readonly managers: Managers;
  readonly entries: readonly Json[] | undefined;
}

const nobody: Known = { managers: new Map(), entries: undefined };

function managersOf(
  { schema, subresource, updated }: WriteContext & { readonly updated: JsonObject },
  live: JsonObject,
): Known {
  const given = managedFieldsOf(updated);
  const isCustom = schema.document !== undefined;
  if (subresource === '' && isReset(given, isCustom)) return nobody;
  const stored = managedFieldsOf(live);
  const fromRequest = subresource === '' && given !== stored ? known(given) : undefined;
  if (fromRequest !== undefined && fromRequest.managers.size > 0) return fromRequest;
  return known(stored) ?? nobody;
}

function known(entries: Json | undefined): Known | undefined {
  const managers = decodeManagers(entries);
  if (managers === undefined || !isArray(entries)) return undefined;
  return { managers, entries };
}

function isReset(entries: Json | undefined, isCustom: boolean): boolean {
  if (!isArray(entries) || entries.length > 1) return false;
  const [only] = entries;
  if (only === undefined) return !isCustom;
  return isObject(only) && Object.keys(only).length === 0;
}

/** Shared with apply, which gives the fields of an object that nobody owned to a manager of the past. */
export function managersAfterUpdate(
  context: WriteContext,
  before: Managers,
  { written, removed }: Comparison,
): Managers {
  const managers = currentManagers(before, context);
  if (written.isEmpty && removed.isEmpty) return managers;
  const own = ownedFields(written);
  const self: Manager = {
    name: context.manager === '' ? 'unknown' : context.manager,
    operation: 'Update',
    apiVersion: context.apiVersion,
    subresource: context.subresource,
    time: context.time,
    fields: own,
  };
  const id = managerId(self);
  // What the writer had and wrote again is not taken away first: the same set needs no new encoding.
  const after = afterWrite(managers, { written, removed }, own.isEmpty ? undefined : id);
  if (own.isEmpty) return after;
  const earlier = after.get(id)?.fields.difference(removed) ?? FieldSet.empty;
  after.set(id, { ...self, fields: earlier.union(own) });
  return capUpdaters(after);
}

/**
 * True when nothing but the times of managers would change: such a write is answered with the stored object and
 * makes no new version.
 */
export function differsOnlyInManagerTimes(live: JsonObject, updated: JsonObject): boolean {
  const before = managedFieldsOf(live);
  const after = managedFieldsOf(updated);
  if (!isArray(before) || !isArray(after) || before.length !== after.length) return false;
  return (
    before.every((entry, index) => sameJson(withoutTime(entry), withoutTime(after[index]))) &&
    sameJson(withManagedFields(live, undefined), withManagedFields(updated, undefined))
  );
}

function withoutTime(entry: Json | undefined): Json | undefined {
  if (!isObject(entry)) return entry;
  const { time: _, ...rest } = entry;
  return rest;
}
