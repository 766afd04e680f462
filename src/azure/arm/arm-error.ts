// A refusal of Azure, read once. In: status, headers and body of an answer, or the body of an operation that failed. Out: an
// error with Azure's own code to switch on, its words, and how long to wait before asking again.
// Bodies come as `{error: {…}}`, as `{odata.error: {…}}` and flat, the last from AKS; all three are read.
import { CodedError } from '../../base/errors.ts';

export interface ArmErrorDetail {
  readonly code: string;
  readonly message: string;
  readonly target: string;
}

export class ArmError extends CodedError {
  /** Zero for an operation that was accepted and failed later. */
  readonly status: number;
  readonly text: string;
  readonly details: readonly ArmErrorDetail[];
  readonly retryAfterMs: number | undefined;

  constructor(parts: {
    readonly status: number;
    readonly code: string;
    readonly text: string;
    readonly details?: readonly ArmErrorDetail[];
    readonly retryAfterMs?: number | undefined;
    readonly call?: string;
  }) {
    const { status, code, text, call } = parts;
    super(code, 'azure refused', { fields: { status, errorCode: code, text, call } });
    this.status = status;
    this.text = text;
    this.details = parts.details ?? [];
    this.retryAfterMs = parts.retryAfterMs;
  }
}

const unknownCode = 'UnknownError';

export function readArmError(answer: {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly call: string;
}): ArmError {
  const { status, headers, call } = answer;
  const body = errorIn(parse(answer.text));
  return new ArmError({
    status,
    call,
    code: headers['x-ms-error-code'] ?? textOf(body['code']) ?? unknownCode,
    text: textOf(body['message']) ?? answer.text,
    details: detailsOf(body['details']),
    retryAfterMs: retryAfterMs(headers),
  });
}

/** Of an operation that ended badly; HTTP itself went well. */
export function operationError(body: unknown, call: string): ArmError {
  const error = errorIn(body);
  return new ArmError({
    status: 0,
    call,
    code: textOf(error['code']) ?? unknownCode,
    text: textOf(error['message']) ?? 'the operation failed without saying why',
    details: detailsOf(error['details']),
  });
}

export function findArmError(error: unknown): ArmError | undefined {
  let link = error;
  for (let depth = 0; depth < 32 && link instanceof Error; depth++) {
    if (link instanceof ArmError) return link;
    link = link.cause;
  }
  return undefined;
}

export function isArmNotFound(error: unknown): boolean {
  return findArmError(error)?.status === 404;
}

/** Milliseconds where Azure says so, else seconds; a date is nobody's habit here and is not read. */
export function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const exactMs = headers['retry-after-ms'] ?? headers['x-ms-retry-after-ms'];
  if (exactMs !== undefined) return nonNegative(Number(exactMs));
  const seconds = headers['retry-after'];
  return seconds === undefined ? undefined : nonNegative(Number(seconds) * 1000);
}

function nonNegative(value: number): number | undefined {
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function errorIn(body: unknown): Fields {
  const fields = fieldsIn(body);
  const inner = fields['error'] ?? fields['odata.error'];
  return inner === undefined ? fields : fieldsIn(inner);
}

function detailsOf(value: unknown): ArmErrorDetail[] {
  if (!Array.isArray(value)) return [];
  return value.map((item: unknown) => {
    const fields = fieldsIn(item);
    return {
      code: textOf(fields['code']) ?? unknownCode,
      message: textOf(fields['message']) ?? '',
      target: textOf(fields['target']) ?? '',
    };
  });
}

function fieldsIn(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  // `odata.error` has its words in an object.
  return value === undefined ? undefined : textOf(fieldsIn(value)['value']);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
