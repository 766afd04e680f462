// A review with its answer: what was asked comes back with a status beside it. Reviews are never stored, so they are
// the only objects that need no name.
import type { Json } from '../../../../api/meta.ts';
import { isObject, objectAt, type JsonObject, type MutableJsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';

export function answered(
  type: { readonly apiVersion: string; readonly kind: string },
  asked: JsonObject,
  status: JsonObject,
): ApiObject {
  const metadata = withoutEmptyTexts(objectAt(asked, 'metadata') ?? {});
  const spec = withoutEmptyTexts(objectAt(asked, 'spec') ?? {});
  return { ...type, metadata, spec, status } as unknown as ApiObject;
}

/** What was sent as an empty text comes back as nothing, as from any typed server. */
function withoutEmptyTexts(object: JsonObject): JsonObject {
  const kept: MutableJsonObject = {};
  for (const [field, value] of Object.entries(object)) {
    if (value !== '') kept[field] = trimmed(value);
  }
  return kept;
}

function trimmed(value: Json): Json {
  return isObject(value) ? withoutEmptyTexts(value) : value;
}
