// Errors that carry a code to switch on and fields to log. In: code, constant message, fields, cause.
// The message never contains variables: those are fields, so that equal faults read equal in a log.
// Codes are found anywhere in a chain of causes: wrapping must never hide what happened.

export type ErrorFields = Readonly<Record<string, unknown>>;

export class CodedError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly fields: ErrorFields;

  constructor(
    code: Code,
    message: string,
    options: { readonly fields?: ErrorFields; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = code;
    this.code = code;
    this.fields = options.fields ?? {};
  }
}

/** The first error in the chain of causes that has this code. */
export function findCode<Code extends string>(
  error: unknown,
  code: Code,
): CodedError<Code> | undefined {
  for (const link of causes(error)) {
    if (link instanceof CodedError && link.code === code) return link as CodedError<Code>;
  }
  return undefined;
}

export function hasCode(error: unknown, code: string): boolean {
  return findCode(error, code) !== undefined;
}

/** All fields along the chain; the outermost error wins where names collide. */
export function fieldsOf(error: unknown): ErrorFields {
  const merged: Record<string, unknown> = {};
  for (const link of causes(error)) {
    if (!(link instanceof CodedError)) continue;
    for (const [key, value] of Object.entries(link.fields)) merged[key] ??= value;
  }
  return merged;
}

/** `outer, inner (a=1, b=2)`: messages joined as wrapping reads, fields sorted by name. */
export function describeError(error: unknown): string {
  const messages = causes(error).map((link) =>
    link instanceof Error ? link.message : String(link),
  );
  const fields = Object.entries(fieldsOf(error))
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${fieldText(value)}`);
  const text = messages.join(', ');
  return fields.length === 0 ? text : `${text} (${fields.join(', ')})`;
}

/** True for what an aborted signal throws, however deep it is wrapped. */
export function isAbort(error: unknown): boolean {
  return causes(error).some((link) => link instanceof Error && link.name === 'AbortError');
}

/** A value thrown by code that is not ours, as an Error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  let link = error;
  // A cycle of causes is somebody's bug; the bound keeps it from becoming ours.
  while (link !== undefined && link !== null && chain.length < 32) {
    chain.push(link);
    link = link instanceof Error ? link.cause : undefined;
  }
  return chain;
}

function fieldText(value: unknown): string {
  if (typeof value === 'string') return value;
  // A bigint has no JSON, and one odd field must not cost the whole message.
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}
