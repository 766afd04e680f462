// The places where other parts of the emulated cluster plug into the server: security, admission, pod logs.
// Each port is as small as the server's own need of it.
import type { HttpRequest } from '../../base/http-server.ts';
import type { RequestContext, UserInfo } from './api.ts';
import type { JsonObject } from './json.ts';
import type { ApiObject } from './object.ts';

export interface Authenticator {
  /** Undefined: credentials were sent and are wrong, or anonymous requests are not allowed. */
  authenticate(request: HttpRequest): UserInfo | undefined;
}

export interface AuthorizationRequest {
  readonly user: UserInfo;
  readonly verb: string;
  /** Present for resource requests; absent for paths such as /healthz. */
  readonly resource?: {
    readonly group: string;
    readonly version: string;
    readonly resource: string;
    readonly subresource: string;
    readonly namespace: string;
    readonly name: string;
    /** As sent with a list, a watch or a deletion of many. Only kubelets are judged by it. */
    readonly fieldSelector?: string;
  };
  readonly path: string;
}

export interface AuthorizationDecision {
  readonly allowed: boolean;
  /** Appended to the refusal, as RBAC does with its own findings. */
  readonly reason: string;
}

export interface Authorizer {
  authorize(request: AuthorizationRequest): AuthorizationDecision;
}

/** One call that makes something without storing it: reviews, token requests. */
export type VirtualCreate = (call: {
  readonly context: RequestContext;
  readonly object: JsonObject;
  readonly namespace: string;
  /** The object whose subresource this is; empty for whole kinds. */
  readonly name: string;
}) => ApiObject;

/**
 * Keyed by `group/plural` or `group/plural/subresource`: `authorization.k8s.io/subjectaccessreviews`,
 * `/serviceaccounts/token`. What is not here is not served.
 */
export type VirtualCreates = ReadonlyMap<string, VirtualCreate>;

export interface AdmissionRequest {
  readonly context: RequestContext;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly before: ApiObject | undefined;
}

/** Looks at what is about to be written; may change it, or throw a StatusError. */
export interface AdmissionPlugin {
  readonly name: string;
  mutate?(object: ApiObject, request: AdmissionRequest): ApiObject;
  validate?(object: ApiObject, request: AdmissionRequest): void;
}

export interface PodLogOptions {
  readonly container: string;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  readonly signal: AbortSignal;
}

/** The kubelets' side of `kubectl logs`. */
export interface PodLogs {
  read(pod: ApiObject, options: PodLogOptions): AsyncIterable<string>;
}
