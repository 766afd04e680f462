// One complaint about one field, in the API server's shape, and the server's words for a list of them:
// what a person reads in `kubectl`, and what a client finds in `status.details.causes`.
import type { Json, StatusCause } from '../../meta.ts';

export type FieldErrorType =
  | 'Required'
  | 'Invalid'
  | 'TypeInvalid'
  | 'NotSupported'
  | 'NotFound'
  | 'Duplicate'
  | 'TooLong'
  | 'TooMany'
  | 'Forbidden'
  | 'InternalError';

export interface FieldError {
  /** `spec.template.spec.taints[0].key`; `<nil>` where the server names no field. */
  readonly field: string;
  readonly type: FieldErrorType;
  readonly detail: string;
  /** The offending value; absent where the server does not repeat it. */
  readonly value?: Json;
}

const labels: Readonly<Record<FieldErrorType, string>> = {
  Required: 'Required value',
  Invalid: 'Invalid value',
  TypeInvalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  NotFound: 'Not found',
  Duplicate: 'Duplicate value',
  TooLong: 'Too long',
  TooMany: 'Too many',
  Forbidden: 'Forbidden',
  InternalError: 'Internal error',
};

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

function escapeCharacter(character: string): string {
  const known = escapes[character];
  if (known !== undefined) return known;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000
    ? `\\u${code.toString(16).padStart(4, '0')}`
    : `\\U${code.toString(16).padStart(8, '0')}`;
}

/** Text in double quotes as the server prints it: only what cannot be seen is escaped. */
export function quote(text: string): string {
  return `"${text.replaceAll(/["\\]|[^\P{C}]|[^\P{Z} ]/gu, escapeCharacter)}"`;
}

/** A floating-point number as the server prints it: 1e+06 for a million. */
export function formatFloat(value: number): string {
  const [mantissa = '', exponentText = ''] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (value === 0 || (exponent >= -4 && exponent < 6)) return String(value);
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
}

// Whole numbers beyond this are floating-point numbers to the server.
const INT64_LIMIT = 2 ** 63;

function formatNumber(value: number): string {
  const isWhole = Number.isInteger(value) && Math.abs(value) < INT64_LIMIT;
  return isWhole ? BigInt(value).toString() : formatFloat(value);
}

function sortedKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => sortedKeys(item));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value as { readonly [key: string]: Json });
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sortedKeys(item)]),
  );
}

/** JSON as the server prints it: keys in order, and nothing that a browser could take for markup. */
function formatJson(value: Json): string {
  return JSON.stringify(sortedKeys(value)).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

export function formatValue(value: Json): string {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
      return formatNumber(value);
    case 'boolean':
      return String(value);
    default:
      return formatJson(value);
  }
}

function body(error: FieldError): string {
  const label = labels[error.type];
  const shown = error.value === undefined ? label : `${label}: ${formatValue(error.value)}`;
  return error.detail === '' ? shown : `${shown}: ${error.detail}`;
}

/** `spec.a: Required value`, one line per error, none twice. */
export function errorLines(errors: readonly FieldError[]): readonly string[] {
  return [...new Set(errors.map((error) => `${error.field}: ${body(error)}`))];
}

/** `NodePool.karpenter.sh "x" is invalid: spec.a: Required value`. */
export function invalidMessage(options: {
  readonly kind: string;
  readonly group: string;
  readonly name: string;
  readonly errors: readonly FieldError[];
}): string {
  return `${options.kind}.${options.group} ${quote(options.name)} is invalid: ${aggregate(options.errors)}`;
}

/** All errors as one text: bare when it is one, in brackets when there are several. */
export function aggregate(errors: readonly FieldError[]): string {
  const lines = errorLines(errors);
  return lines.length === 1 ? lines.join('') : `[${lines.join(', ')}]`;
}

/** The errors as `status.details.causes` of an API error. */
export function toCauses(errors: readonly FieldError[]): readonly StatusCause[] {
  return errors.map((error) => ({
    reason: error.type === 'InternalError' ? error.type : `FieldValue${error.type}`,
    message: body(error),
    field: error.field,
  }));
}
