// Changes one object by a patch of any of the four types. In: the patch. Out: the object as stored.
// Apply makes the object when it is not there; the other types do not.
import type { PatchType, RequestContext } from '../api.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { applyConfiguration } from '../patch/apply.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { decodePatchedObject, type ReadPatch } from '../patch/read-patch.ts';
import { applyStrategicMergePatch } from '../patch/strategic-merge.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import { badRequest, unsupportedMediaType } from '../status-error.ts';
import { jsonType } from '../schema/decode-built-in.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { expectedKind, unwrap, withHead, type ExpectedKind } from './decode.ts';
import type { Environment } from './environment.ts';
import { writeContext } from './ownership.ts';
import { updateObject } from './update.ts';

/** A patch, however it is sent, and who sends it. */
export interface SentPatch {
  readonly context: RequestContext;
  readonly patchType: PatchType;
  readonly read: ReadPatch;
}

export interface Patching extends SentPatch {
  readonly kind: ResourceKind;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly subresource?: string;
  readonly force?: boolean;
}

export function patchObject(env: Environment, patching: Patching): ApiObject {
  const { kind, context, namespace, name, subresource = '' } = patching;
  const isApply = patching.patchType === 'application/apply-patch+yaml';
  return updateObject(
    env,
    { kind, context, namespace, name, subresource, tracksItself: isApply, mayCreate: isApply },
    (current) => (isApply ? applied(env, patching, current) : patched(env, patching, current)),
  );
}

function applied(env: Environment, patching: Patching, current: ApiObject | undefined): ApiObject {
  const { kind, context, subresource = '', read, force = false } = patching;
  const { patch } = read;
  const write = writeContext(env, { kind, subresource, context });
  if (write === undefined) throw unsupportedMediaType('this kind has no schema to apply by');
  if (!isObject(patch)) throw notAnObject(read);
  const merged = unwrap(
    applyConfiguration({ ...write, kind: kind.kind, live: current, applied: patch, force }),
  );
  return decodeOutcome(patching, { object: merged, settled: {} }, expectedKind(env, kind));
}

function patched(env: Environment, patching: Patching, current: ApiObject | undefined): ApiObject {
  if (current === undefined) throw badRequest('there is nothing to patch');
  return patchedObject(patching, current, expectedKind(env, patching.kind));
}

/** The outcome of a patch on any object, as a subresource that is a kind of its own needs it too. */
export function patchedObject(
  sent: SentPatch,
  current: JsonObject,
  expected: ExpectedKind,
): ApiObject {
  const object = applyPatch(sent, current, expected.schema);
  return decodeOutcome(sent, { object, settled: current }, expected);
}

function applyPatch(
  { patchType, read }: SentPatch,
  current: JsonObject,
  schema: TypeSchema | undefined,
): JsonObject {
  const { patch } = read;
  if (patchType === 'application/json-patch+json') return unwrap(applyJsonPatch(current, patch));
  if (!isObject(patch)) throw notAnObject(read);
  if (patchType === 'application/merge-patch+json') return applyMergePatch(current, patch);
  if (schema === undefined) throw unsupportedMediaType('strategic merge needs a schema');
  return unwrap(applyStrategicMergePatch({ object: current, patch, schema }));
}

/** Only from inside the process: what comes as text has been looked at by then. */
function notAnObject({ patch }: ReadPatch): Error {
  return badRequest(
    `error decoding patch: json: cannot unmarshal ${jsonType(patch)} into Go value of type map[string]interface {}`,
  );
}

/** A patch whose outcome is no such object is itself what is invalid. */
function decodeOutcome(
  { patchType, read, context }: SentPatch,
  { object, settled }: { readonly object: JsonObject; readonly settled: JsonObject },
  expected: ExpectedKind,
): ApiObject {
  const { schema, group, version, kind, isCustom: custom } = expected;
  if (schema === undefined) throw unsupportedMediaType('this kind has no schema to patch by');
  const validation = context.fieldValidation ?? 'Warn';
  const type = { schema, kind: { group, version, kind }, custom };
  const decoded = unwrap(
    decodePatchedObject({ ...type, patchType, read, object, settled, validation }),
  );
  if (validation !== 'Ignore') for (const text of decoded.warnings) context.warn?.(text);
  return withHead(decoded.object, expected);
}
