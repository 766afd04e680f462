// What can go wrong when talking to an API server, as one error with a closed set of codes.
// In: an answer (status line, headers, Status body) or the failure to get one. Out: a KubeError that keeps
// the server's own words as its message, because only the server knows why it refused.
import { CodedError } from '../../base/errors.ts';
import type { Status, StatusCause } from '../../api/meta.ts';

export type KubeErrorCode =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'AlreadyExists'
  | 'Conflict'
  /** The version or continue token asked for is too old (410). */
  | 'Expired'
  | 'TooLarge'
  | 'UnsupportedMediaType'
  | 'Invalid'
  | 'TooManyRequests'
  | 'ServerError'
  | 'Unavailable'
  /** The server gave up, or our deadline passed before it answered. */
  | 'Timeout'
  /** No answer, or only a part of one. */
  | 'Network'
  /** An answer that is not what the API promises. */
  | 'Malformed';

export interface KubeErrorOptions {
  /** HTTP status; 0 when there was no answer. */
  readonly status?: number;
  readonly reason?: string | undefined;
  readonly causes?: readonly StatusCause[] | undefined;
  /** What the server asked for in its Retry-After header, or else in the Status. */
  readonly retryAfterSeconds?: number | undefined;
  readonly request?: { readonly method: string; readonly path: string } | undefined;
  readonly cause?: unknown;
}

export class KubeError extends CodedError<KubeErrorCode> {
  readonly status: number;
  readonly reason: string | undefined;
  readonly causes: readonly StatusCause[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: KubeErrorCode, message: string, options: KubeErrorOptions = {}) {
    super(code, message, {
      fields: {
        status: options.status,
        reason: options.reason,
        method: options.request?.method,
        path: options.request?.path,
      },
      cause: options.cause,
    });
    this.status = options.status ?? 0;
    this.reason = options.reason;
    this.causes = options.causes ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Reasons tell apart what one HTTP status lumps together; they win over the status. */
const codeByReason: Readonly<Record<string, KubeErrorCode>> = {
  AlreadyExists: 'AlreadyExists',
  Conflict: 'Conflict',
  Expired: 'Expired',
  Gone: 'Expired',
  Invalid: 'Invalid',
  NotFound: 'NotFound',
  ServerTimeout: 'Timeout',
  ServiceUnavailable: 'Unavailable',
  Timeout: 'Timeout',
};

const codeByStatus: Readonly<Record<number, KubeErrorCode>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'UnsupportedMediaType',
  408: 'Timeout',
  409: 'Conflict',
  410: 'Expired',
  413: 'TooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  503: 'Unavailable',
  504: 'Timeout',
};

/** The error that a Status tells of, from the body of an answer or inside a watch event. */
export function errorFromStatus(
  status: Status,
  options: {
    readonly httpStatus?: number;
    readonly retryAfterSeconds?: number | undefined;
    readonly request?: { readonly method: string; readonly path: string };
  } = {},
): KubeError {
  const { reason, details, message = 'the API server refused the request' } = status;
  const httpStatus = options.httpStatus ?? status.code ?? 500;
  return new KubeError(codeOf(reason, httpStatus), message, {
    status: httpStatus,
    reason,
    causes: details?.causes,
    retryAfterSeconds: options.retryAfterSeconds ?? details?.retryAfterSeconds,
    request: options.request,
  });
}

function codeOf(reason: string | undefined, httpStatus: number): KubeErrorCode {
  return codeByReason[reason ?? ''] ?? codeByStatus[httpStatus] ?? 'ServerError';
}

/** The KubeError in a chain of causes, whatever wraps it. */
export function findKubeError(error: unknown): KubeError | undefined {
  let link = error;
  // A cycle of causes is somebody's bug; the bound keeps it from becoming ours.
  for (let depth = 0; depth < 32 && link instanceof Error; depth++) {
    if (link instanceof KubeError) return link;
    link = link.cause;
  }
  return undefined;
}

export function isKubeError(error: unknown, code: KubeErrorCode): boolean {
  return findKubeError(error)?.code === code;
}

export function isNotFound(error: unknown): boolean {
  return isKubeError(error, 'NotFound');
}

export function isConflict(error: unknown): boolean {
  return isKubeError(error, 'Conflict');
}

export function isAlreadyExists(error: unknown): boolean {
  return isKubeError(error, 'AlreadyExists');
}

export function isExpired(error: unknown): boolean {
  return isKubeError(error, 'Expired');
}

export function isInvalid(error: unknown): boolean {
  return isKubeError(error, 'Invalid');
}

export function isTooManyRequests(error: unknown): boolean {
  return isKubeError(error, 'TooManyRequests');
}
