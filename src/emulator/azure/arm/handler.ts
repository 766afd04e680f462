// The front door of Azure Resource Manager: from one HTTP request to one reply. In: a request. Out: always a reply; a
// refusal is `{error: {code, message}}`, a fault of ours is a logged 500. The checks run in the order of the real
// service: who → which version → which subscription → how often → may they → is the place there → the provider
// itself.
import type { Json } from '../../../api/meta.ts';
import { sleep, type Clock } from '../../../base/clock.ts';
import { CodedError, hasCode } from '../../../base/errors.ts';
import type { HttpHandler, HttpReply, HttpRequest } from '../../../base/http-server.ts';
import { randomUuid } from '../../../base/uuid.ts';
import { textAt } from '../../kube/json.ts';
import { authorizationFailed } from '../authorization/access.ts';
import type { AzureEnvironment } from '../environment.ts';
import {
  ArmError,
  contentTooLarge,
  groupBeingDeleted,
  groupNotFound,
  internalError,
  invalidContent,
  invalidSubscriptionId,
  missingSubscription,
  providerNotRegistered,
  subscriptionNotFound,
} from '../errors.ts';
import type { FaultEffect } from '../faults.ts';
import type { Throttle } from '../throttle.ts';
import { checkedApiVersion } from './api-versions.ts';
import type { ArmReply, Caller } from './arm-call.ts';
import { authenticate, type AuthenticationOptions } from './authentication.ts';
import { looseJson } from './loose-json.ts';
import type { Registrations } from './registrations.ts';
import type { Route, TypeRegistry } from './registry.ts';
import { groupId, parsePath, type ArmPath } from './resource-id.ts';

export interface ArmHandlerOptions {
  readonly env: AzureEnvironment;
  readonly registry: TypeRegistry;
  readonly authentication: AuthenticationOptions;
  readonly throttle: Throttle;
  readonly registrations: Registrations;
  /** What links begin with when a request does not say which host it was sent to. */
  readonly url: () => string;
  /** Documents that need no token, by path. */
  readonly documents: (path: string, baseUrl: string, query: URLSearchParams) => Json | undefined;
  readonly observe: (operation: string, status: number) => void;
}

/** The real limit is four megabytes. */
const maxBodyBytes = 4 * 1024 * 1024;
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function createArmHandler(options: ArmHandlerOptions): HttpHandler {
  const random = options.env.random.fork();
  return async (request) => {
    const requestId = randomUuid(random);
    const correlationId = request.headers['x-ms-correlation-request-id'] ?? requestId;
    const common = commonHeaders(request, { requestId, correlationId });
    try {
      return await answer(request, { options, correlationId, common });
    } catch (error) {
      const refused = error instanceof ArmError ? error : internalError();
      if (refused !== error) {
        options.env.log.error('resource manager failed', { error, path: request.path });
      }
      return refusalReply(request, refused, common);
    }
  };
}

interface Visit {
  readonly options: ArmHandlerOptions;
  readonly correlationId: string;
  readonly common: Readonly<Record<string, string>>;
}

async function answer(request: HttpRequest, visit: Visit): Promise<HttpReply> {
  const { options, common } = visit;
  const { host } = request.headers;
  const baseUrl = host === undefined ? options.url() : `https://${host}`;
  const document = options.documents(request.path, baseUrl, request.query);
  if (document !== undefined) return jsonReply({ status: 200, body: document }, common);
  const caller = authenticate(request.headers['authorization'], options.authentication);
  const asked = parsePath(request.path);
  if (asked === undefined) throw missingSubscription();
  const path = canonicalPath(options.env, asked);
  const { route, apiVersion, fault, limits } = admit(request, { ...visit, path, caller });
  const { operation, id } = route;
  const headers = { ...common, ...limits };
  const observed = (status: number): void => options.observe(operation, status);
  try {
    if (fault !== undefined) await strikeFirst(fault, options.env.clock, request.signal);
    const body = await readBody(request);
    const reply = route.handler({
      method: request.method,
      path,
      id,
      operation,
      apiVersion,
      query: request.query,
      headers: request.headers,
      body,
      caller,
      baseUrl,
      correlationId: visit.correlationId,
      fault,
    });
    observed(reply.status);
    return fault?.kind === 'lose-response' ? lostReply(reply.status) : jsonReply(reply, headers);
  } catch (error) {
    if (!(error instanceof ArmError)) throw error;
    observed(error.status);
    return refusalReply(request, error, headers);
  }
}

/** Everything that is judged before the provider is asked. */
function admit(
  request: HttpRequest,
  visit: Visit & { readonly path: ArmPath; readonly caller: Caller },
): {
  readonly route: Route;
  readonly apiVersion: string;
  readonly fault: FaultEffect | undefined;
  readonly limits: Readonly<Record<string, string>>;
} {
  const { options, path, caller } = visit;
  const { env, registry } = options;
  checkSubscription(env, path);
  const namespace = registry.namespaceOf(path);
  const apiVersion = checkedApiVersion({
    version: versionOf(request.query),
    namespace,
    type: path.types.join('/'),
    location: locationOf(path),
    locations: env.regions.names,
  });
  const route = registry.route(request.method, { ...path, namespace }, apiVersion);
  const { operation, id } = route;
  const limits = options.throttle.admit({
    operation,
    method: request.method,
    subscriptionId: path.subscriptionId,
    resourceId: id,
    callerId: caller.objectId,
  });
  checkAccess(env, caller, route, path);
  checkGroup(env, request.method, route, path);
  const isWrite = request.method !== 'GET' && request.method !== 'HEAD';
  if (isWrite && !options.registrations.isRegistered(path.subscriptionId, namespace)) {
    throw providerNotRegistered(namespace);
  }
  return { route, apiVersion, fault: env.faults.strike(operation, id), limits };
}

/** A new resource is named after its group as that is written, not as the request happens to write it. */
function canonicalPath(env: AzureEnvironment, path: ArmPath): ArmPath {
  const { subscriptionId, resourceGroup, scope } = path;
  if (resourceGroup === '' || scope === '') return path;
  const group = env.store.get(groupId(subscriptionId, resourceGroup));
  if (group === undefined) return path;
  const rest = scope.slice(group.id.length);
  return { ...path, resourceGroup: group.name, scope: `${group.id}${rest}` };
}

function checkSubscription(env: AzureEnvironment, path: ArmPath): void {
  const { subscriptionId } = path;
  if (subscriptionId === '') return;
  if (!guid.test(subscriptionId)) throw invalidSubscriptionId(subscriptionId);
  const isKnown = env.subscriptions.some(({ id }) => id === subscriptionId.toLowerCase());
  if (!isKnown) throw subscriptionNotFound(subscriptionId);
}

function checkAccess(env: AzureEnvironment, caller: Caller, route: Route, path: ArmPath): void {
  const scope = route.id === '' ? '/' : route.id;
  if (!route.isOpen) env.access.require(caller, route.operation, scope);
  else if (
    path.subscriptionId !== '' &&
    !env.access.hasAnyRole(caller.objectId, path.subscriptionId)
  ) {
    throw authorizationFailed(caller, route.operation, scope);
  }
}

/** Whatever lives in a group needs the group; a group that is going takes nothing new. */
function checkGroup(env: AzureEnvironment, method: string, route: Route, path: ArmPath): void {
  const { resourceGroup, subscriptionId } = path;
  const isGroupItself = path.scope === '' && path.types.length <= 2;
  if (resourceGroup === '' || isGroupItself || route.type.ignoresGroup === true) return;
  const group = env.store.get(groupId(subscriptionId, resourceGroup));
  if (group === undefined) throw groupNotFound(resourceGroup);
  const isGoing = textAt(group.body, 'properties', 'provisioningState') === 'Deleting';
  if (isGoing && (method === 'PUT' || method === 'PATCH')) throw groupBeingDeleted(resourceGroup);
}

async function strikeFirst(fault: FaultEffect, clock: Clock, signal: AbortSignal): Promise<void> {
  if (fault.kind === 'delay') {
    await sleep(clock, fault.delayMs, { signal, label: 'azure fault: delay' });
  }
  if (fault.kind !== 'refuse') return;
  const headers =
    fault.retryAfterSeconds === undefined ? {} : { 'retry-after': String(fault.retryAfterSeconds) };
  throw new ArmError(fault.status, fault.code, fault.message ?? fault.code, { headers });
}

async function readBody(request: HttpRequest): Promise<Json | undefined> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  let bytes: Uint8Array;
  try {
    bytes = await request.body();
  } catch (error) {
    throw hasCode(error, 'BodyTooLarge') ? contentTooLarge(maxBodyBytes) : error;
  }
  if (bytes.length > maxBodyBytes) throw contentTooLarge(maxBodyBytes);
  const text = Buffer.from(bytes).toString('utf8').trim();
  if (text === '') return undefined;
  const parsed = looseJson(text);
  if (parsed === undefined) throw invalidContent('Error parsing the JSON of the request');
  return parsed.value;
}

/** The connection breaks after the head: the client learns nothing of what was done. */
function lostReply(status: number): HttpReply {
  const lost = new CodedError('ConnectionLost', 'the response was lost by request');
  const body = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(lost) }) };
  return { status, headers: { 'content-type': 'application/json' }, body };
}

function jsonReply(reply: ArmReply, common: Readonly<Record<string, string>>): HttpReply {
  const headers = { ...common, ...reply.headers };
  if (reply.body === undefined) return { status: reply.status, headers };
  return {
    status: reply.status,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(reply.body),
  };
}

function refusalReply(
  request: HttpRequest,
  error: ArmError,
  common: Readonly<Record<string, string>>,
): HttpReply {
  const headers = { ...error.headers, 'x-ms-failure-cause': 'gateway' };
  const { status } = error;
  if (request.method === 'HEAD') return jsonReply({ status, headers }, common);
  const body = error.isFlat ? error.toJson() : { error: error.toJson() };
  return jsonReply({ status, headers, body }, common);
}

function commonHeaders(
  request: HttpRequest,
  ids: { readonly requestId: string; readonly correlationId: string },
): Record<string, string> {
  const clientId = request.headers['x-ms-client-request-id'];
  return {
    'cache-control': 'no-cache',
    pragma: 'no-cache',
    'x-ms-request-id': ids.requestId,
    'x-ms-correlation-request-id': ids.correlationId,
    'x-ms-routing-request-id': `EMULATOR:${ids.requestId}`,
    'x-content-type-options': 'nosniff',
    ...(clientId === undefined ? {} : { 'x-ms-client-request-id': clientId }),
  };
}

/** Names of query parameters are not case-sensitive in Azure. */
function versionOf(query: URLSearchParams): string | null {
  for (const [name, value] of query) if (name.toLowerCase() === 'api-version') return value;
  return null;
}

function locationOf(path: ArmPath): string {
  const at = path.types.findIndex((type) => type.toLowerCase() === 'locations');
  return at === -1 ? '' : (path.names[at] ?? '');
}
