// The body of a patch request and the object it leads to. In: the text of a patch; later the patched object. Out: the patch as
// JSON with the fields that come twice; the object with its types checked; each time or the server's words for what is
// wrong. What does not fit in the result is reported as the patch's fault.
import type { Json } from '../../../api/meta.ts';
import type { FieldValidation, PatchType } from '../api.ts';
import { isObject, type JsonObject, stringAt } from '../json.ts';
import { jsonType } from '../schema/decode-built-in.ts';
import { type Decoded, decodePatched, yamlProblems } from '../schema/field-validation.ts';
import type { ExpectedType } from '../schema/object-type.ts';
import { readJson } from '../schema/strict-json.ts';
import { readYaml } from '../schema/strict-yaml.ts';
import { granularAny, TypeSchema } from '../schema/type-schema.ts';
import { goText } from './go-text.ts';
import { goJson } from './path-element.ts';
import type { Outcome } from './refusal.ts';

export interface ReadPatch {
  readonly patch: Json;
  /** Fields that come twice in the patch; of JSON patches also unknown ones. */
  readonly problems: readonly string[];
}

const decoding: Readonly<Record<PatchType, string>> = {
  'application/json-patch+json': 'error decoding patch: ',
  'application/merge-patch+json': 'error decoding patch: ',
  'application/strategic-merge-patch+json': '',
  'application/apply-patch+yaml': 'error decoding YAML: error converting YAML to JSON: ',
};

export function readPatch(type: PatchType, text: string): Outcome<ReadPatch> {
  try {
    const read =
      type === 'application/apply-patch+yaml' ? readApplied(text) : readJsonText(type, text);
    const problem = shapeProblem(type, read.patch);
    return problem === undefined ? { ok: true, value: read } : badRequest(problem);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return badRequest(`${decoding[type]}${error.message}`);
  }
}

function readApplied(text: string): ReadPatch {
  const { value, duplicates } = readYaml(text);
  return { patch: value ?? {}, problems: yamlProblems(duplicates) };
}

function readJsonText(type: PatchType, text: string): ReadPatch {
  const isList = type === 'application/json-patch+json';
  const { value, problems } = readJson(text, isList ? operationList : undefined);
  if (!isList) return { patch: value, problems };
  return { patch: value, problems: problems.map((problem) => `json patch ${problem}`) };
}

const textField = new TypeSchema({ type: 'string' });

const operationList = new TypeSchema({
  type: 'array',
  items: () =>
    new TypeSchema({
      type: 'object',
      fields: () =>
        new Map([
          ['op', textField],
          ['path', textField],
          ['from', textField],
          ['value', granularAny],
        ]),
    }),
});

function shapeProblem(type: PatchType, patch: Json): string | undefined {
  if (type === 'application/json-patch+json' || isObject(patch)) return undefined;
  if (type === 'application/merge-patch+json' && patch === null) return 'Invalid JSON Patch';
  const problem = `json: cannot unmarshal ${jsonType(patch)} into Go value of type map[string]interface {}`;
  if (type !== 'application/apply-patch+yaml') return `${decoding[type]}${problem}`;
  return `error decoding YAML: error unmarshaling JSON: while decoding JSON: ${problem}`;
}

function badRequest(message: string): Outcome<never> {
  return { ok: false, refusal: { code: 400, reason: 'BadRequest', message } };
}

/** The object that a patch made, as its type takes it. */
export function decodePatchedObject(
  options: ExpectedType & {
    readonly patchType: PatchType;
    readonly read: ReadPatch;
    readonly object: JsonObject;
    /** What was patched. */
    readonly settled?: JsonObject;
    readonly validation: FieldValidation;
  },
): Outcome<Decoded> {
  const { patchType, read, object } = options;
  if (patchType === 'application/apply-patch+yaml') return decodeApplied(options);
  const isTree = patchType === 'application/strategic-merge-patch+json';
  return decodePatched({
    ...options,
    shown: () => (isTree ? goText(read.patch) : sortedJson(object)),
    problems: read.problems,
    as: isTree ? 'tree' : 'text',
  });
}

/** The server has sorted the outer fields by then. */
function sortedJson(object: JsonObject): string {
  return goJson(
    Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  );
}

function decodeApplied(
  options: ExpectedType & {
    readonly read: ReadPatch;
    readonly object: JsonObject;
    readonly validation: FieldValidation;
  },
): Outcome<Decoded> {
  const { read, kind, validation } = options;
  const [problem] = read.problems;
  if (problem !== undefined && validation === 'Strict') {
    return badRequest(`error strict decoding YAML: error converting YAML to JSON: ${problem}`);
  }
  const decoded = decodePatched({
    ...options,
    shown: () => '',
    problems: read.problems,
    as: 'tree',
  });
  if (decoded.ok) return decoded;
  const name = `${stringAt(read.patch, 'metadata', 'namespace') ?? ''}/${stringAt(read.patch, 'metadata', 'name') ?? ''}`;
  const type = `${kind.group}/${kind.version}, Kind=${kind.kind}`;
  const why = decoded.refusal.message.replace(/^ "" is invalid: patch: Invalid value: "": /, '');
  const message = `failed to convert new object (${name}; ${type}) to proper version: unable to convert unstructured object to ${type}: ${why}`;
  return { ok: false, refusal: { code: 500, reason: '', message } };
}
