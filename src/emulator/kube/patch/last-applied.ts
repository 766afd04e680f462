// The bridge from client-side to server-side apply, for the manager named `kubectl` alone. In: the live object's
// last-applied annotation. Out: the fields it set and that are still as it set them, which may be taken over without a
// conflict; and after an apply the annotation brought up to date, so that the way back stays open.
import type { Json } from '../../../api/meta.ts';
import { isObject, type JsonObject, objectAt, stringAt, without, withValue } from '../json.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { compareObjects } from './compare.ts';
import { FieldSet } from './field-set.ts';
import { withManagedFields } from './managed-fields.ts';
import { goJson } from './path-element.ts';
import { fieldsOf } from './typed-fields.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** The whole of an object's annotations may not be larger. */
const maxAnnotationBytes = 256 * 1024;

export const lastAppliedManager = 'kubectl';

export function allowedByLastApplied(schema: TypeSchema, live: JsonObject): FieldSet {
  const last = parsed(stringAt(live, 'metadata', 'annotations', annotation));
  if (last === undefined || last['apiVersion'] !== live['apiVersion']) return FieldSet.empty;
  const { written, removed } = compareObjects(schema, last, withManagedFields(live, undefined));
  return fieldsOf(schema, last).difference(written).difference(removed);
}

function parsed(text: string | undefined): JsonObject | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function withLastApplied(object: JsonObject, applied: JsonObject): JsonObject {
  const annotations = objectAt(object, 'metadata', 'annotations') ?? {};
  if ((stringAt(annotations, annotation) ?? '') === '') return object;
  const text = `${goJson(sorted(withoutAnnotation(applied)))}\n`;
  const updated = { ...annotations, [annotation]: text };
  const bytes = Object.entries(updated).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  const fitting = bytes > maxAnnotationBytes ? without(updated, annotation) : updated;
  return withValue(object, ['metadata', 'annotations'], fitting);
}

function withoutAnnotation(applied: JsonObject): JsonObject {
  const annotations = objectAt(applied, 'metadata', 'annotations');
  if (annotations === undefined) return applied;
  return withValue(applied, ['metadata', 'annotations'], without(annotations, annotation));
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const members = Object.keys(value).toSorted();
  return Object.fromEntries(members.map((name) => [name, sorted(value[name] ?? null)]));
}
