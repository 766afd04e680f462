// What apply and the tracking of other writes share: who writes, and what a write does to the fields of the others.
import { isObject, type JsonObject } from '../json.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import type { Comparison } from './compare.ts';
import { FieldSet } from './field-set.ts';
import type { Manager, Managers } from './managed-fields.ts';

/** Keeps of a set what a write through this endpoint can change, and so own. */
export type FieldFilter = (fields: FieldSet) => FieldSet;

export interface WriteContext {
  readonly schema: TypeSchema;
  /** Of the request, for example `apps/v1`. */
  readonly apiVersion: string;
  /** The field manager as the request names it; '' becomes `unknown`. */
  readonly manager: string;
  /** '' for the main resource. */
  readonly subresource: string;
  /** Now: RFC 3339 in UTC with whole seconds. */
  readonly time: string;
  /** What the endpoint lets a write change (reset-fields.ts); everything when left out. */
  readonly ownable?: FieldFilter | undefined;
  /** Whether the kind exists in this version: managers of one that is gone lose their fields. All exist when left out. */
  readonly hasVersion?: ((apiVersion: string) => boolean) | undefined;
}

/** Fields that every write has and nobody owns. */
const unowned = FieldSet.of(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['f:metadata', `f:${name}`]),
);

export function ownedFields(fields: FieldSet): FieldSet {
  return fields.difference(unowned);
}

export function filtered(comparison: Comparison, ownable: FieldFilter | undefined): Comparison {
  if (ownable === undefined) return comparison;
  return { written: ownable(comparison.written), removed: ownable(comparison.removed) };
}

/** The managers of versions that still exist. */
export function currentManagers(managers: Managers, context: WriteContext): Managers {
  const { hasVersion } = context;
  if (hasVersion === undefined) return managers;
  const gone = [...managers].filter(([, { apiVersion }]) => !hasVersion(apiVersion));
  if (gone.length === 0) return managers;
  const rest = new Map(managers);
  for (const [id] of gone) rest.delete(id);
  return rest;
}

/** The managers other than `self` after a write took what it wrote and dropped what it removed. */
export function afterWrite(
  managers: Managers,
  { written, removed }: Comparison,
  self?: string,
): Map<string, Manager> {
  const after = new Map<string, Manager>();
  for (const [id, manager] of managers) {
    const fields =
      id === self ? manager.fields : manager.fields.difference(written).difference(removed);
    if (fields === manager.fields) after.set(id, manager);
    else if (!fields.isEmpty) after.set(id, { ...manager, fields });
  }
  return after;
}

/** True before the first write: the server gives every stored object a uid. */
export function isNew(object: JsonObject): boolean {
  const { metadata } = object;
  const uid = isObject(metadata) ? metadata['uid'] : undefined;
  return typeof uid !== 'string' || uid === '';
}
