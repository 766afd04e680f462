// What Azure's front door says when it refuses, in its own codes and words. In: what was asked for. Out: an ArmError
// that the handler turns into `{error: {code, message}}`. Clients match on codes and on parts of messages, so both
// are kept exactly as the real service writes them; what only one provider says lives beside that provider.
import type { Json } from '../../api/meta.ts';
import type { JsonObject } from '../kube/json.ts';

export interface ArmErrorDetail {
  readonly code: string;
  readonly message: string;
  readonly target?: string;
}

export class ArmError extends Error {
  readonly status: number;
  readonly code: string;
  readonly target: string | undefined;
  readonly details: readonly ArmErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;
  /** True: not wrapped in `error`, as some providers answer. */
  readonly isFlat: boolean;

  constructor(
    status: number,
    code: string,
    message: string,
    more: {
      readonly target?: string | undefined;
      readonly details?: readonly ArmErrorDetail[];
      readonly headers?: Readonly<Record<string, string>>;
      readonly isFlat?: boolean;
    } = {},
  ) {
    super(message);
    this.name = code;
    this.status = status;
    this.code = code;
    this.target = more.target;
    this.details = more.details ?? [];
    this.headers = more.headers ?? {};
    this.isFlat = more.isFlat ?? false;
  }

  /** What stands under `error`, in an answer and in a failed operation alike. */
  toJson(): JsonObject {
    return {
      code: this.code,
      message: this.message,
      ...(this.target === undefined ? {} : { target: this.target }),
      ...(this.details.length === 0 ? {} : { details: this.details as unknown as Json }),
    };
  }
}

export function missingApiVersion(): ArmError {
  return new ArmError(
    400,
    'MissingApiVersionParameter',
    'The api-version query parameter (?api-version=) is required for all requests.',
  );
}

export function invalidApiVersion(version: string, supported: readonly string[]): ArmError {
  return new ArmError(
    400,
    'InvalidApiVersionParameter',
    `The api-version '${version}' is invalid. The supported versions are '${supported.join(',')}'.`,
  );
}

export function noRegisteredProvider(options: {
  readonly location: string;
  readonly version: string;
  readonly type: string;
  readonly versions: readonly string[];
  readonly locations: readonly string[];
}): ArmError {
  return new ArmError(
    400,
    'NoRegisteredProviderFound',
    `No registered resource provider found for location '${options.location}' and API version '${options.version}' for type '${options.type}'. ` +
      `The supported api-versions are '${options.versions.join(', ')}'. The supported locations are '${options.locations.join(', ')}'.`,
  );
}

export function invalidNamespace(namespace: string): ArmError {
  return new ArmError(
    404,
    'InvalidResourceNamespace',
    `The resource namespace '${namespace}' is invalid.`,
  );
}

export function invalidType(namespace: string, type: string, version: string): ArmError {
  return new ArmError(
    404,
    'InvalidResourceType',
    `The resource type '${type}' could not be found in the namespace '${namespace}' for api version '${version}'.`,
  );
}

export function missingSubscription(): ArmError {
  return new ArmError(
    404,
    'MissingSubscription',
    'The request did not have a subscription or a valid tenant level resource provider.',
  );
}

export function methodNotSupported(method: string): ArmError {
  return new ArmError(
    405,
    'UnsupportedHttpMethod',
    `The requested resource does not support http method '${method}'.`,
  );
}

export function subscriptionNotFound(subscriptionId: string): ArmError {
  return new ArmError(
    404,
    'SubscriptionNotFound',
    `The subscription '${subscriptionId}' could not be found.`,
  );
}

export function invalidSubscriptionId(subscriptionId: string): ArmError {
  return new ArmError(
    400,
    'InvalidSubscriptionId',
    `The provided subscription identifier '${subscriptionId}' is malformed or invalid.`,
  );
}

export function groupNotFound(name: string): ArmError {
  return new ArmError(404, 'ResourceGroupNotFound', `Resource group '${name}' could not be found.`);
}

export function groupBeingDeleted(name: string): ArmError {
  return new ArmError(
    409,
    'ResourceGroupBeingDeleted',
    `The resource group '${name}' is in deprovisioning state and cannot perform this operation.`,
  );
}

export function resourceNotFound(typeAndName: string, group: string): ArmError {
  return new ArmError(
    404,
    'ResourceNotFound',
    `The Resource '${typeAndName}' under resource group '${group === '' ? '<null>' : group}' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix`,
  );
}

export function parentNotFound(type: string, parentId: string): ArmError {
  return new ArmError(
    404,
    'ParentResourceNotFound',
    `Failed to perform 'write' on resource(s) of type '${type}', because the parent resource '${parentId}' could not be found.`,
  );
}

export function providerNotRegistered(namespace: string): ArmError {
  return new ArmError(
    409,
    'MissingSubscriptionRegistration',
    `The subscription is not registered to use namespace '${namespace}'. See https://aka.ms/rps-not-found for how to register subscriptions.`,
    {
      details: [
        {
          code: 'MissingSubscriptionRegistration',
          target: namespace,
          message: `The subscription is not registered to use namespace '${namespace}'. See https://aka.ms/rps-not-found for how to register subscriptions.`,
        },
      ],
    },
  );
}

export function invalidContent(reason: string): ArmError {
  return new ArmError(
    400,
    'InvalidRequestContent',
    `The request content was invalid and could not be deserialized: '${reason}'.`,
  );
}

export function contentTooLarge(maxBytes: number): ArmError {
  return new ArmError(
    413,
    'RequestContentTooLarge',
    `The request content size exceeds the maximum size of ${maxBytes} bytes.`,
  );
}

export function invalidParameter(target: string, message: string): ArmError {
  return new ArmError(400, 'InvalidParameter', message, { target });
}

/** A body that has no value where one must be. */
export function requiredParameter(name: string): ArmError {
  return invalidParameter(name, `Required parameter '${name}' is missing (null).`);
}

export function invalidName(name: string, rule: string): ArmError {
  return new ArmError(400, 'InvalidResourceName', `Resource name ${name} is invalid. ${rule}`);
}

export function preconditionFailed(): ArmError {
  return new ArmError(412, 'PreconditionFailed', 'Precondition failed.');
}

export function conflictingRequest(): ArmError {
  return new ArmError(
    409,
    'Conflict',
    'The request failed due to conflict with a concurrent request. To resolve it, please refer to https://aka.ms/activitylog to get more details on the conflicting requests.',
  );
}

export function anotherOperationInProgress(operationUrl: string): ArmError {
  return new ArmError(
    429,
    'AnotherOperationInProgress',
    `Another operation on this or dependent resource is in progress. To retrieve status of the operation use uri: ${operationUrl}.`,
    { headers: { 'retry-after': '10' } },
  );
}

export function preempted(): ArmError {
  return new ArmError(
    409,
    'OperationPreempted',
    'Operation execution has been preempted by a more recent operation.',
  );
}

export function internalError(): ArmError {
  return new ArmError(
    500,
    'InternalServerError',
    'Encountered internal server error. Diagnostic information: see the log of the emulator.',
  );
}
