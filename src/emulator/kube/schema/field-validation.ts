// The body of a request as an object of the type that its address expects. In: text or JSON, and the type. Out: the
// object without unknown fields, and the server's words for each that was unknown or came twice; or a refusal.
// Values of built-in kinds are checked against their types; those of custom resources only in their metadata, since
// their schema has the word on the rest.
import type { Json, StatusCause } from '../../../api/meta.ts';
import type { FieldValidation } from '../api.ts';
import { isObject, type JsonObject, type MutableJsonObject } from '../json.ts';
import { apiVersionOf } from '../object.ts';
import type { Outcome } from '../patch/refusal.ts';
import { decodeBuiltIn, jsonType, Mistyped } from './decode-built-in.ts';
import { type ExpectedType, type Mismatch, mismatchOf } from './object-type.ts';
import { readJson } from './strict-json.ts';
import { readYaml } from './strict-yaml.ts';
import { withoutUnknownFields } from './unknown-fields.ts';

export interface Decoded {
  readonly object: JsonObject;
  /** `unknown field "spec.foo"`: joined by commas they make the error of a strict request. */
  readonly strictErrors: readonly string[];
  /** The same as texts for Warning headers. */
  readonly warnings: readonly string[];
}

export function decodeObject(
  options: ExpectedType & {
    readonly text: string;
    readonly mediaType: 'application/json' | 'application/yaml';
  },
): Outcome<Decoded> {
  const { text } = options;
  const parsed = parse(options);
  if (!parsed.ok) return unrecognized(options, text, parsed.problem);
  const object = parsed.value ?? {};
  const problem = isObject(object) ? typeMetaProblem(object) : notAnObject(object);
  if (problem !== undefined || !isObject(object)) {
    return unrecognized(options, text, `couldn't get version/kind; json parse error: ${problem}`);
  }
  const mismatch = mismatchOf(options, object);
  if (mismatch !== undefined) return refusedMismatch(options, text, mismatch);
  const checked = checked400(options, object);
  if (!checked.ok) return checked;
  return decoded(checked.value.object, [...parsed.problems, ...checked.value.problems]);
}

/** The same for an object handed in without text, which cannot have a field twice. */
export function checkObject(
  options: ExpectedType & { readonly object: JsonObject },
): Outcome<Decoded> {
  const { object } = options;
  const mismatch = mismatchOf(options, object);
  if (mismatch !== undefined) return refusedMismatch(options, JSON.stringify(object), mismatch);
  const checked = checked400(options, object);
  return checked.ok ? decoded(checked.value.object, checked.value.problems) : checked;
}

/** The same for an object that a patch made: what does not fit is the patch's fault, and strictness is decided here. */
export function decodePatched(
  options: ExpectedType & {
    readonly object: JsonObject;
    readonly validation: FieldValidation;
    /** How the answer quotes what it is about. */
    readonly shown: () => string;
    /** Of the patch itself. */
    readonly problems: readonly string[];
    /** Whether the server has the object as text when it decodes it, or as a tree. */
    readonly as: 'text' | 'tree';
    /** What was patched. Its members that are still the same went through all this when they were stored. */
    readonly settled?: JsonObject;
  },
): Outcome<Decoded> {
  const { object, shown, settled = {} } = options;
  const mismatch = mismatchOf(options, object);
  if (mismatch?.sort === 'refused') return { ok: false, refusal: mismatch.refusal };
  if (mismatch !== undefined) return invalidPatch(shown(), mismatch.problem);
  const checked = check(options, object, settled);
  if (!checked.ok) {
    return invalidPatch(shown(), options.as === 'text' ? checked.problem : checked.conversion);
  }
  const problems = [...options.problems, ...checked.problems];
  if (options.validation === 'Strict' && problems.length > 0) {
    return invalidPatch(shown(), `strict decoding error: ${problems.join(', ')}`);
  }
  return decoded(checked.object, problems);
}

type Parsed =
  | { readonly ok: true; readonly value: Json; readonly problems: readonly string[] }
  | { readonly ok: false; readonly problem: string };

function parse(
  options: ExpectedType & { readonly text: string; readonly mediaType: string },
): Parsed {
  const { text, schema, custom } = options;
  const isYaml = options.mediaType === 'application/yaml';
  try {
    if (isYaml) {
      const { value, duplicates } = readYaml(text);
      return { ok: true, value, problems: yamlProblems(duplicates) };
    }
    // Of custom resources the server first reports all that comes twice, and then what is unknown.
    return { ok: true, ...readJson(text, custom ? undefined : schema) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const prefix = isYaml ? '' : "couldn't get version/kind; json parse error: ";
    return { ok: false, problem: `${prefix}${error.message}` };
  }
}

/** All keys that come twice are one problem to the server's YAML reader. */
export function yamlProblems(duplicates: readonly string[]): readonly string[] {
  if (duplicates.length === 0) return [];
  return [['yaml: unmarshal errors:', ...duplicates.map((line) => `  ${line}`)].join('\n')];
}

const typeMeta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Said of a body that is JSON but no object. */
export function notAnObject(value: Json): string {
  return `json: cannot unmarshal ${jsonType(value)} into Go value of type ${typeMeta}`;
}

function typeMetaProblem(object: JsonObject): string | undefined {
  for (const field of ['apiVersion', 'kind']) {
    const value = object[field] ?? '';
    if (typeof value === 'string') continue;
    return `json: cannot unmarshal ${jsonType(value)} into Go struct field .${field} of type string`;
  }
  return undefined;
}

interface Fitting {
  readonly object: JsonObject;
  readonly problems: readonly string[];
}

type Checked =
  | ({ readonly ok: true } & Fitting)
  | { readonly ok: false; readonly problem: string; readonly conversion: string };

function check(type: ExpectedType, object: JsonObject, settled: JsonObject = {}): Checked {
  try {
    const fitting = type.custom ? checkCustom(type, object) : checkBuiltIn(type, object, settled);
    return { ok: true, ...fitting };
  } catch (error) {
    if (!(error instanceof Mistyped)) throw error;
    return { ok: false, problem: error.message, conversion: error.conversion };
  }
}

function checked400(type: ExpectedType, object: JsonObject): Outcome<Fitting> {
  const checked = check(type, object);
  if (checked.ok) return { ok: true, value: checked };
  return badRequest(cannotHandle(type.kind, type, checked.problem));
}

function checkBuiltIn(
  { schema, kind }: ExpectedType,
  object: JsonObject,
  settled: JsonObject,
): Fitting {
  const changed = Object.keys(object).filter((name) => object[name] !== settled[name]);
  const isNew = changed.length === Object.keys(object).length;
  const known = withoutUnknownFields(schema, isNew ? object : picked(object, changed));
  const decodedPart = decodeBuiltIn(schema, known.object);
  const decodedObject = isNew ? decodedPart : replaced(object, changed, decodedPart);
  const head = { kind: kind.kind, apiVersion: apiVersionOf(kind.group, kind.version) };
  const hasHead =
    decodedObject['kind'] === head.kind && decodedObject['apiVersion'] === head.apiVersion;
  return {
    object: hasHead ? decodedObject : { ...decodedObject, ...head },
    problems: known.unknown.map(unknownField),
  };
}

function picked(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, object[name] ?? null]));
}

/** The object with the named members from elsewhere; those that are not there are left out. */
function replaced(object: JsonObject, names: readonly string[], by: JsonObject): JsonObject {
  const copy: MutableJsonObject = { ...object };
  for (const name of names) {
    const value = by[name];
    if (value === undefined) delete copy[name];
    else copy[name] = value;
  }
  return copy;
}

function checkCustom({ schema }: ExpectedType, object: JsonObject): Fitting {
  const { metadata = {}, ...rest } = object;
  const metaSchema = schema.field('metadata');
  if (!isObject(metadata) || metaSchema === undefined) {
    throw new Mistyped(
      `json: cannot unmarshal ${jsonType(metadata)} into Go value of type v1.ObjectMeta`,
    );
  }
  const meta = withoutUnknownFields(metaSchema, metadata);
  const known = withoutUnknownFields(schema, rest);
  const decodedMeta = decodeBuiltIn(metaSchema, meta.object);
  const isSame = decodedMeta === metadata && known.unknown.length === 0;
  const unknown = [...meta.unknown.map((path) => `metadata.${path}`), ...known.unknown];
  return {
    object: isSame ? object : { ...known.object, metadata: decodedMeta },
    problems: unknown.map(unknownField),
  };
}

function unknownField(path: string): string {
  return `unknown field ${JSON.stringify(path)}`;
}

function decoded(object: JsonObject, problems: readonly string[]): Outcome<Decoded> {
  const warnings = problems.flatMap(warningsOf);
  return { ok: true, value: { object, strictErrors: problems, warnings } };
}

/** A problem of several lines, as YAML has them, becomes one warning per line. */
export function warningsOf(problem: string): readonly string[] {
  const lines = problem.split('\n');
  return lines.length === 1 ? lines : lines.slice(1).map((line) => line.trim());
}

function refusedMismatch(type: ExpectedType, text: string, mismatch: Mismatch): Outcome<never> {
  if (mismatch.sort === 'refused') return { ok: false, refusal: mismatch.refusal };
  if (mismatch.sort === 'unrecognized') return unrecognized(type, text, mismatch.problem);
  return badRequest(cannotHandle(mismatch.found, type, mismatch.problem));
}

function cannotHandle(
  found: { readonly version: string; readonly kind: string },
  type: ExpectedType,
  problem: string,
): string {
  return `${found.kind} in version ${JSON.stringify(found.version)} cannot be handled as a ${type.kind.kind}: ${problem}`;
}

function unrecognized(type: ExpectedType, text: string, problem: string): Outcome<never> {
  return badRequest(unrecognizedText(type.kind.kind, problem, Buffer.from(text)));
}

/** The server's words for a body of which it cannot tell what it is. */
export function unrecognizedText(kind: string, problem: string, body: Uint8Array): string {
  return `the object provided is unrecognized (must be of type ${kind}): ${problem} (${summary(body)})`;
}

const summaryBytes = 30;

/** The beginning of the body: as text when it looks like an object, else as bytes. */
function summary(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const start = Buffer.from(body.subarray(0, summaryBytes));
  const shown = start.toString(start[0] === 0x7b ? 'utf8' : 'hex');
  return body.length > summaryBytes ? `${shown} ...` : shown;
}

function badRequest(message: string): Outcome<never> {
  return { ok: false, refusal: { code: 400, reason: 'BadRequest', message } };
}

function invalidPatch(shown: string, problem: string): Outcome<never> {
  const message = `Invalid value: ${JSON.stringify(shown)}: ${problem}`;
  const cause: StatusCause = { reason: 'FieldValueInvalid', message, field: 'patch' };
  return {
    ok: false,
    refusal: {
      code: 422,
      reason: 'Invalid',
      message: ` "" is invalid: patch: ${message}`,
      causes: [cause],
    },
  };
}
