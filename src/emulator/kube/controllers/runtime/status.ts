// Writing a status only when it says something new. In: the object and the status it should have.
// Out: the object as stored. An equal status is no write: controllers that wrote what is would wake each other for ever.
// Zeros and empty lists are left out, as upstream leaves them out, but for the fields that it always spells out.
import type { Json } from '../../../../api/meta.ts';
import type { ResourceAddress } from '../../api.ts';
import { isEmpty, sameJson, type JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import type { Client } from './client.ts';

export function writeStatus(
  client: Client,
  resource: ResourceAddress,
  object: ApiObject,
  wanted: { readonly status: JsonObject; readonly spelledOut: readonly string[] },
): ApiObject {
  const { spelledOut } = wanted;
  const status: Record<string, Json> = {};
  for (const [field, value] of Object.entries(wanted.status)) {
    if (spelledOut.includes(field) || !isEmpty(value)) status[field] = value;
  }
  if (sameJson(object['status'] ?? {}, status)) return object;
  return client.update(resource, { ...object, status }, 'status');
}
