// Server-side apply. In: the live object, all that a manager wants to be so, and its name. Out: the merged object with its
// new owners, or the fields that others own and the configuration would change.
// 1. The manager owns what it applied, no more and no less; what it no longer applies goes, unless another owns it.
// 2. Without `force` no field of another manager changes.
// 3. Applying what is already so changes nothing, not even a time.
import { type JsonObject, sameJson, stringAt } from '../json.ts';
import { parseApiVersion } from '../object.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { type Conflict, conflictRefusal, conflictsOf } from './apply-conflicts.ts';
import { appliedMisfits } from './apply-validation.ts';
import { type Comparison, compareObjects } from './compare.ts';
import {
  afterWrite,
  currentManagers,
  filtered,
  isNew,
  ownedFields,
  type WriteContext,
} from './field-manager.ts';
import { FieldSet } from './field-set.ts';
import { allowedByLastApplied, lastAppliedManager, withLastApplied } from './last-applied.ts';
import {
  decodeManagers,
  managedFieldsOf,
  type Manager,
  managerId,
  type Managers,
  withManagedFields,
  withManagers,
} from './managed-fields.ts';
import { mergeApplied } from './merge-applied.ts';
import type { Outcome, Refusal } from './refusal.ts';
import { removeFields } from './remove-fields.ts';
import { changesOf, managersAfterUpdate } from './track-update.ts';
import { fieldsOf, withNamedParents } from './typed-fields.ts';

export type ApplyContext = WriteContext & {
  readonly kind: string;
  /** The stored object; undefined when the apply creates it. */
  readonly live: JsonObject | undefined;
  readonly applied: JsonObject;
  readonly force: boolean;
};

/** The result still has to be defaulted, admitted and validated. */
export function applyConfiguration(context: ApplyContext): Outcome<JsonObject> {
  const refusal = refusalOf(context);
  if (refusal !== undefined) return { ok: false, refusal };
  const stored = context.live ?? {};
  const managers = managersBefore(context, stored);
  const merge = merged(context, withManagedFields(stored, undefined), managers);
  const conflicts = context.force ? [] : conflictsWith(context, merge);
  if (conflicts.length > 0) return { ok: false, refusal: conflictRefusal(conflicts) };
  const object = owned(context, merge, managers.get(merge.id)?.time);
  const isKubectl = context.manager === lastAppliedManager;
  return { ok: true, value: isKubectl ? withLastApplied(object, context.applied) : object };
}

interface Merge {
  /** Of the applying manager. */
  readonly id: string;
  /** All managers, with what the applying one now wants to own. */
  readonly owners: Managers;
  readonly live: JsonObject;
  readonly object: JsonObject;
  readonly comparison: Comparison;
}

function merged(context: ApplyContext, live: JsonObject, managers: Managers): Merge {
  const { schema, applied } = context;
  const self = selfOf(context);
  const id = managerId(self);
  const owners: Managers = new Map(managers).set(id, self);
  const last = managers.get(id)?.fields ?? FieldSet.empty;
  const object = prune({ schema, merged: mergeApplied(schema, live, applied), owners, last });
  const comparison = filtered(compareObjects(schema, live, object), context.ownable);
  return { id, owners, live, object, comparison };
}

/** The object with its owners; the time of an applier is when it last changed something. */
function owned(context: ApplyContext, merge: Merge, earlier: string | undefined): JsonObject {
  const { id, owners, live } = merge;
  const isChanged = !sameJson(live, merge.object);
  const after = afterWrite(owners, merge.comparison, id);
  const self = after.get(id);
  if (self !== undefined) {
    const fields = ownedFields(self.fields);
    if (fields.isEmpty) after.delete(id);
    else after.set(id, { ...self, fields, time: isChanged ? context.time : earlier });
  }
  return withManagers(isChanged ? merge.object : live, after);
}

function refusalOf({ schema, kind, apiVersion, applied }: ApplyContext): Refusal | undefined {
  const itsVersion = stringAt(applied, 'apiVersion') ?? '';
  const itsKind = stringAt(applied, 'kind') ?? '';
  if (itsVersion !== apiVersion || itsKind !== kind) {
    return badRequest(`invalid object type: ${kindText(itsVersion, itsKind)}`);
  }
  // Null is the same as nothing here, an empty list is not.
  if ((managedFieldsOf(applied) ?? null) !== null) {
    return badRequest('metadata.managedFields must be nil');
  }
  const misfits = appliedMisfits(schema, applied);
  if (misfits === undefined) return undefined;
  const namespace = stringAt(applied, 'metadata', 'namespace') ?? '';
  const name = stringAt(applied, 'metadata', 'name') ?? '';
  const object = `${namespace}/${name}; ${kindText(itsVersion, itsKind)}`;
  return {
    code: 500,
    reason: '',
    message: `failed to create typed patch object (${object}): ${misfits}`,
  };
}

function badRequest(message: string): Refusal {
  return { code: 400, reason: 'BadRequest', message };
}

/** `apps/v1, Kind=Deployment`; the core group is written as nothing before the slash. */
function kindText(apiVersion: string, kind: string): string {
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: apiVersion };
  return `${group}/${version}, Kind=${kind}`;
}

/** The fields of an object that nobody tracked go to a manager of the past, so that taking them is a conflict. */
function managersBefore(context: ApplyContext, stored: JsonObject): Managers {
  const managers = currentManagers(
    decodeManagers(managedFieldsOf(stored)) ?? new Map<string, Manager>(),
    context,
  );
  if (managers.size > 0 || isNew(stored)) return managers;
  const live = withManagedFields(stored, undefined);
  const past = { ...context, manager: 'before-first-apply' };
  return managersAfterUpdate(past, managers, changesOf(past, {}, live));
}

function selfOf({ schema, applied, ownable, ...context }: ApplyContext): Manager {
  const fields = fieldsOf(schema, applied);
  return {
    name: context.manager,
    operation: 'Apply',
    apiVersion: context.apiVersion,
    subresource: context.subresource,
    time: undefined,
    fields: ownable?.(fields) ?? fields,
  };
}

/** `merged` without what the manager applied last time, does not apply now, and nobody else owns. */
function prune(options: {
  readonly schema: TypeSchema;
  readonly merged: JsonObject;
  readonly owners: Managers;
  readonly last: FieldSet;
}): JsonObject {
  const { schema, merged, owners } = options;
  const owned = [...owners.values()].reduce((all, { fields }) => all.union(fields), FieldSet.empty);
  // The usual case: nothing was dropped.
  if (options.last.difference(owned).isEmpty) return merged;
  const named = (fields: FieldSet): FieldSet => withNamedParents(schema, fields);
  const present = (object: JsonObject): FieldSet => named(fieldsOf(schema, object));
  const last = named(options.last);
  const all = present(merged);
  const kept = present(removeFields(schema, merged, last)).union(named(owned));
  const withOwned = removeFields(schema, merged, all.difference(kept));
  return removeFields(schema, merged, all.difference(present(withOwned)).intersection(last));
}

function conflictsWith({ schema, manager }: ApplyContext, merge: Merge): readonly Conflict[] {
  const conflicts = conflictsOf(merge.owners, merge.comparison.written, merge.id);
  if (conflicts.length === 0 || manager !== lastAppliedManager) return conflicts;
  const allowed = allowedByLastApplied(schema, merge.live);
  return conflicts.filter(({ path }) => !allowed.has(path));
}
