// Kinds whose status belongs to a controller: a create begins with an empty one, an update of the whole object leaves it
// alone, and only the status subresource writes it.
import type { JsonObject } from '../json.ts';
import { without } from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { Strategy } from './resource-kind.ts';

export function withStatusOf(object: ApiObject, before: ApiObject): ApiObject {
  const { status } = before;
  if (object['status'] === status) return object;
  return status === undefined ? without(object, 'status') : { ...object, status };
}

/** `initial` is what the status of a new object looks like: fields that are never left out are zero in it. */
export function ownStatus(
  initial: JsonObject = {},
): Required<Pick<Strategy, 'prepareForCreate' | 'prepareForUpdate'>> {
  return {
    prepareForCreate: (object) => ({ ...object, status: initial }),
    prepareForUpdate: withStatusOf,
  };
}

/** For `status` writes that may not touch labels, as those of workloads. */
export function statusKeepingLabels(object: ApiObject, before: ApiObject): ApiObject {
  const { labels } = before.metadata;
  const { labels: _, ...rest } = object.metadata;
  return {
    ...before,
    status: object['status'] ?? {},
    metadata: labels === undefined ? rest : { ...rest, labels },
  };
}
