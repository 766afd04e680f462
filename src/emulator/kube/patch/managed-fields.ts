// Who owns which fields: metadata.managedFields, decoded. In: an object's entries. Out: managers by identity, and back.
// 1. An applier is one manager in whatever version it applies; an updater is another one in every version.
// 2. No manager is without fields.
// 3. Entries are ordered as the server orders them: appliers first, then by time, name, version and subresource.
import type { Json } from '../../../api/meta.ts';
import { isArray, isObject, type JsonObject, type MutableJsonObject } from '../json.ts';
import { FieldSet } from './field-set.ts';

export type ManagerOperation = 'Apply' | 'Update';

export interface Manager {
  readonly name: string;
  readonly operation: ManagerOperation;
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339. Without it the manager owns fields but never changed the object. */
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

export type Managers = ReadonlyMap<string, Manager>;

/** Tells managers apart, and is what conflicts are sorted by. */
export function managerId(
  manager: Pick<Manager, 'name' | 'operation' | 'apiVersion' | 'subresource'>,
): string {
  const { name, operation, apiVersion, subresource } = manager;
  return JSON.stringify({
    ...(name !== '' && { manager: name }),
    operation,
    ...(operation === 'Update' && { apiVersion }),
    ...(subresource !== '' && { subresource }),
  });
}

/** The managers of an object; undefined when an entry makes no sense. */
export function decodeManagers(entries: Json | undefined): Managers | undefined {
  const managers = new Map<string, Manager>();
  if (!isArray(entries)) return managers;
  for (const entry of entries) {
    const manager = isObject(entry) ? decodeManager(entry) : undefined;
    if (manager === undefined) return undefined;
    managers.set(managerId(manager), manager);
  }
  return managers;
}

function decodeManager(entry: JsonObject): Manager | undefined {
  const { operation, apiVersion, fieldsType, fieldsV1, time } = entry;
  if (operation !== 'Apply' && operation !== 'Update') return undefined;
  if (typeof apiVersion !== 'string' || apiVersion === '' || fieldsType !== 'FieldsV1') {
    return undefined;
  }
  const fields = decodeFields(isObject(fieldsV1) ? fieldsV1 : {});
  if (fields === undefined) return undefined;
  return {
    name: text(entry['manager']),
    operation,
    apiVersion,
    subresource: text(entry['subresource']),
    time: typeof time === 'string' ? time : undefined,
    fields,
  };
}

function decodeFields(fields: JsonObject): FieldSet | undefined {
  try {
    return FieldSet.decode(fields);
  } catch {
    return undefined;
  }
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The entries of these managers; undefined for none, since an empty list would mean "reset" to the next reader. */
export function encodeManagers(managers: Managers): readonly Json[] | undefined {
  if (managers.size === 0) return undefined;
  return [...managers.values()].toSorted(compareManagers).map(encodeManager);
}

function encodeManager(manager: Manager): JsonObject {
  return {
    manager: manager.name,
    operation: manager.operation,
    apiVersion: manager.apiVersion,
    ...(manager.time !== undefined && { time: manager.time }),
    fieldsType: 'FieldsV1',
    fieldsV1: manager.fields.encode(),
    ...(manager.subresource !== '' && { subresource: manager.subresource }),
  };
}

function compareManagers(a: Manager, b: Manager): number {
  return (
    order(a.operation, b.operation) ||
    seconds(a) - seconds(b) ||
    order(a.name, b.name) ||
    order(a.apiVersion, b.apiVersion) ||
    order(a.subresource, b.subresource)
  );
}

function seconds(manager: Manager): number {
  return manager.time === undefined ? 0 : Math.floor(Date.parse(manager.time) / 1000);
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The object with these managers; everything else is shared with the object handed in. */
export function withManagers(object: JsonObject, managers: Managers): JsonObject {
  return withManagedFields(object, encodeManagers(managers));
}

export function withManagedFields(object: JsonObject, entries: Json | undefined): JsonObject {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  if (metadata['managedFields'] === entries) return object;
  const changed: MutableJsonObject = { ...metadata };
  if (entries === undefined) delete changed['managedFields'];
  else changed['managedFields'] = entries;
  return { ...object, metadata: changed };
}

export function managedFieldsOf(object: JsonObject): Json | undefined {
  const { metadata } = object;
  return isObject(metadata) ? metadata['managedFields'] : undefined;
}

const maxUpdaters = 10;

/** With more updaters than the server keeps, the oldest of each version become one. */
export function capUpdaters(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  let excess = updaters.length - maxUpdaters;
  if (excess <= 0) return managers;
  const capped = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  const oldestFirst = updaters.toSorted(
    ([idA, a], [idB, b]) => seconds(a) - seconds(b) || order(idA, idB),
  );
  for (const [id, manager] of oldestFirst) {
    if (excess <= 0) break;
    const first = firstOfVersion.get(manager.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(manager.apiVersion, id);
      continue;
    }
    mergeInto(capped, first, manager);
    capped.delete(id);
    excess--;
  }
  return capped;
}

function mergeInto(capped: Map<string, Manager>, first: string, manager: Manager): void {
  const bucket = { ...manager, name: 'ancient-changes', subresource: '' };
  const id = managerId(bucket);
  const older = capped.get(id) ?? capped.get(first);
  if (!capped.has(id)) capped.delete(first);
  capped.set(id, { ...bucket, fields: manager.fields.union(older?.fields ?? FieldSet.empty) });
}
