// Every way in which the emulated server says no, worded as the real one words it. In: what was asked for.
// Out: a StatusError, the only error that an operation throws on purpose; anything else is a fault of ours
// and becomes a 500.
import type { Status, StatusCause, StatusDetails } from '../../api/meta.ts';
import { quote } from '../../api/crd/validation/field-error.ts';
import { aggregate, toCauses, type FieldError } from '../../api/crd/validation/field-error.ts';

/** `pods`, `deployments.apps`: how messages name a resource. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

export class StatusError extends Error {
  readonly status: Status & { readonly code: number };

  constructor(status: Status & { readonly code: number }) {
    super(status.message ?? '');
    this.name = 'StatusError';
    this.status = status;
  }

  get code(): number {
    return this.status.code;
  }

  get reason(): string {
    return this.status.reason ?? '';
  }
}

/** True for a StatusError with this reason, such as `NotFound`. */
export function isReason(error: unknown, reason: string): error is StatusError {
  return error instanceof StatusError && error.reason === reason;
}

export function qualified({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function failure(options: {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: StatusDetails;
}): StatusError {
  const { details, ...rest } = options;
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: rest.message,
    ...(rest.reason === '' ? {} : { reason: rest.reason }),
    ...(details === undefined ? {} : { details }),
    code: rest.code,
  });
}

function about(resource: GroupResource, name?: string): StatusDetails {
  return {
    ...(name === undefined || name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.resource,
  };
}

export function notFound(resource: GroupResource, name: string): StatusError {
  return failure({
    code: 404,
    reason: 'NotFound',
    message: `${qualified(resource)} ${quote(name)} not found`,
    details: about(resource, name),
  });
}

/** What is asked for is no resource at all; clients word their own message from it. */
export function noSuchResource(): StatusError {
  return failure({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });
}

export function alreadyExists(resource: GroupResource, name: string): StatusError {
  return failure({
    code: 409,
    reason: 'AlreadyExists',
    message: `${qualified(resource)} ${quote(name)} already exists`,
    details: about(resource, name),
  });
}

export function generateNameConflict(resource: GroupResource, name: string): StatusError {
  return failure({
    code: 409,
    reason: 'AlreadyExists',
    message: `${qualified(resource)} ${quote(name)} already exists, the server was not able to generate a unique name for the object`,
    details: { ...about(resource, name), retryAfterSeconds: 1 },
  });
}

export function conflict(resource: GroupResource, name: string, why: string): StatusError {
  return failure({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualified(resource)} ${quote(name)}: ${why}`,
    details: about(resource, name),
  });
}

/** The writer's copy is not the latest. */
export function staleObject(resource: GroupResource, name: string): StatusError {
  return conflict(
    resource,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );
}

export function invalidObject(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const title = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const reasons = errors.length === 0 ? '' : `: ${aggregate(errors)}`;
  return failure({
    code: 422,
    reason: 'Invalid',
    message: `${title} ${quote(name)} is invalid${reasons}`,
    details: {
      ...(name === '' ? {} : { name }),
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.kind,
      ...(errors.length === 0 ? {} : { causes: toCauses(errors) }),
    },
  });
}

export function badRequest(message: string): StatusError {
  return failure({ code: 400, reason: 'BadRequest', message });
}

export function forbidden(resource: GroupResource, name: string, why: string): StatusError {
  const subject = name === '' ? qualified(resource) : `${qualified(resource)} ${quote(name)}`;
  return failure({
    code: 403,
    reason: 'Forbidden',
    message: `${subject} is forbidden: ${why}`,
    details: about(resource, name),
  });
}

/** A path that is no resource, such as /metrics, closed to this user. */
export function forbiddenPath(message: string): StatusError {
  return failure({ code: 403, reason: 'Forbidden', message: `forbidden: ${message}`, details: {} });
}

/** A refusal with further causes, such as the condition of a namespace that is being deleted. */
export function withCauses(error: StatusError, causes: readonly StatusCause[]): StatusError {
  const details = { ...error.status.details, causes };
  return new StatusError({ ...error.status, details });
}

export function unauthorized(message = 'Unauthorized'): StatusError {
  return failure({ code: 401, reason: 'Unauthorized', message });
}

/** A verb that the resource, or this place of it, does not have. */
export function methodNotAllowedHere(): StatusError {
  return failure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });
}

export function unsupportedMediaType(message: string): StatusError {
  return failure({ code: 415, reason: 'UnsupportedMediaType', message });
}

export function expired(message: string): StatusError {
  return failure({ code: 410, reason: 'Expired', message });
}

export function tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return failure({
    code: 429,
    reason: 'TooManyRequests',
    message,
    details: retryAfterSeconds === 0 ? {} : { retryAfterSeconds },
  });
}

export function entityTooLarge(limitBytes: number): StatusError {
  return failure({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: limit is ${limitBytes}`,
  });
}

/** The revision asked for lies in the future. */
export function tooLargeResourceVersion(wanted: number, current: number): StatusError {
  return failure({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${wanted}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });
}

export function serviceUnavailable(message: string): StatusError {
  return failure({ code: 503, reason: 'ServiceUnavailable', message });
}

export function internalError(message: string): StatusError {
  return failure({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  });
}

/** A server that knows the call but cannot do it, without any reason of the catalogue. */
export function unknownFailure(code: number, message: string): StatusError {
  return failure({ code, reason: '', message });
}
