// From what a caller sent to an object of the wanted kind. In: a body. Out: an object with its head in order,
// unknown fields gone; a StatusError in the server's words when it is no such object.
import { CodedError } from '../../../base/errors.ts';
import type { RequestContext } from '../api.ts';
import { isEmpty, objectAt, without, type JsonObject } from '../json.ts';
import { apiVersionOf, type ApiMeta, type ApiObject } from '../object.ts';
import type { Outcome } from '../patch/refusal.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import { decodeBuiltIn, Mistyped } from '../schema/decode-built-in.ts';
import { checkObject, decodeObject, type Decoded } from '../schema/field-validation.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { badRequest, StatusError } from '../status-error.ts';
import type { Body, Environment } from './environment.ts';

/** The kind that a body must be of: that of its resource, or another's for a subresource. */
export interface ExpectedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly isCustom: boolean;
  readonly schema: TypeSchema | undefined;
}

export function expectedKind(env: Environment, kind: ResourceKind): ExpectedKind {
  const { group, version } = kind;
  const isCustom = kind.custom !== undefined;
  return { group, version, kind: kind.kind, isCustom, schema: env.schemaOf(kind) };
}

export function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  const { code, reason, message, causes } = outcome.refusal;
  throw new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(causes === undefined ? withoutDetails(message) : { details: { causes } }),
    code,
  });
}

/** The words that a server has for what it does not look into come with empty details. */
function withoutDetails(message: string): { readonly details?: object } {
  return message.startsWith('the server ') ? { details: {} } : {};
}

function decodeTyped(body: Body, expected: ExpectedKind): Decoded {
  const { schema, isCustom: custom, group, version, kind } = expected;
  if (schema === undefined) {
    throw new CodedError('SchemaMissing', 'a served kind has no schema', {
      fields: { group, kind },
    });
  }
  const type = { schema, custom, kind: { group, version, kind } };
  return 'object' in body
    ? unwrap(checkObject({ ...type, object: body.object }))
    : unwrap(decodeObject({ ...type, text: body.text, mediaType: body.mediaType }));
}

export function decode(body: Body, expected: ExpectedKind, context: RequestContext): ApiObject {
  const decoded = decodeTyped(body, expected);
  report(decoded, expected, context);
  return withHead(decoded.object, expected);
}

function report(decoded: Decoded, expected: ExpectedKind, context: RequestContext): void {
  const { strictErrors, warnings } = decoded;
  if (strictErrors.length === 0 || context.fieldValidation === 'Ignore') return;
  if (context.fieldValidation === 'Strict') {
    throw badRequest(
      `${expected.kind} in version ${JSON.stringify(expected.version)} cannot be handled as a ${expected.kind}: strict decoding error: ${strictErrors.join(', ')}`,
    );
  }
  for (const text of warnings) context.warn?.(text);
}

/** Head first, in the order in which the server writes it; a name always, if only an empty one. */
export function withHead(
  object: JsonObject,
  expected: { readonly group: string; readonly version: string; readonly kind: string },
): ApiObject {
  const metadata = withoutEmpty(objectAt(object, 'metadata') ?? {}) as ApiMeta;
  const named = typeof metadata.name === 'string' ? metadata : { ...metadata, name: '' };
  return {
    ...object,
    kind: expected.kind,
    apiVersion: apiVersionOf(expected.group, expected.version),
    metadata: named,
  };
}

/** DeleteOptions are of every group, and of one kind. */
export function decodeDeleteOptions(env: Environment, body: JsonObject): JsonObject {
  const { kind = '', apiVersion = '' } = body;
  if (kind !== '' && kind !== 'DeleteOptions') {
    throw badRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  const schema = env.typeOf({ group: '', version: 'v1', kind: 'DeleteOptions' });
  if (schema === undefined) return body;
  try {
    return decodeBuiltIn(schema, body);
  } catch (error) {
    if (!(error instanceof Mistyped)) throw error;
    throw badRequest(error.message);
  }
}

const emptied = ['labels', 'annotations', 'finalizers', 'ownerReferences'];

/** Maps and lists of metadata with nothing in them are left out, as the server writes them. */
function withoutEmpty(metadata: JsonObject): JsonObject {
  return emptied.reduce(
    (rest, field) => (field in rest && isEmpty(rest[field]) ? without(rest, field) : rest),
    metadata,
  );
}
