// JSON merge patch (RFC 7386). In: an object and a patch. Out: the patched object; null removes, objects merge,
// anything else replaces. What the patch does not touch is shared with the object handed in.
import type { Json } from '../../../api/meta.ts';
import { isObject, type JsonObject, type MutableJsonObject } from '../json.ts';

export function applyMergePatch(object: JsonObject, patch: JsonObject): JsonObject {
  const merged: MutableJsonObject = { ...object };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergedValue(object[name], value);
  }
  return merged;
}

function mergedValue(current: Json | undefined, patch: Json): Json {
  // Against nothing, so that the nulls of a whole new object are no members of it.
  if (isObject(patch)) return applyMergePatch(isObject(current) ? current : {}, patch);
  // The standard would keep nulls inside lists; the server's merge drops them from the objects there.
  return Array.isArray(patch) ? patch.map(withoutNullMembers) : patch;
}

function withoutNullMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNullMembers);
  return isObject(value) ? applyMergePatch({}, value) : value;
}
