// AKS calling the rest of Azure: through the same doors as everybody, with the identity of the cluster. In: a request on a
// resource. Out: the provider's answer, and a word when its operation has ended. So quotas, capacity, faults and missing rights
// strike what AKS makes exactly as they strike what others make.
import type { Json } from '../../../api/meta.ts';
import type { ArmCall, ArmReply, Caller } from '../arm/arm-call.ts';
import { supportedVersions } from '../arm/api-versions.ts';
import { groupId, parsePath, type ArmPath } from '../arm/resource-id.ts';
import type { AzureEnvironment } from '../environment.ts';
import { ArmError, groupNotFound, internalError } from '../errors.ts';
import type { ContainerService } from './container-service.ts';
import type { Done } from './undertakings.ts';

export interface ServiceRequest {
  readonly method: 'PUT' | 'PATCH' | 'DELETE';
  readonly id: string;
  readonly body?: Json;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ServiceCaller {
  readonly service: ContainerService;
  /** The request that all this is done for. */
  readonly call: ArmCall;
  readonly caller: Caller;
}

export function callAzure(from: ServiceCaller, request: ServiceRequest): ArmReply {
  const { service, call, caller } = from;
  const { env } = service;
  const path = pathOf(env, request.id);
  const registry = service.registry();
  const namespace = registry.namespaceOf(path);
  const [apiVersion = ''] = supportedVersions(namespace);
  const route = registry.route(request.method, { ...path, namespace }, apiVersion);
  const fault = env.faults.strike(route.operation, route.id);
  if (fault?.kind === 'refuse') {
    throw new ArmError(fault.status, fault.code, fault.message ?? fault.code);
  }
  return route.handler({
    ...call,
    method: request.method,
    path: { ...path, namespace },
    id: route.id,
    operation: route.operation,
    apiVersion,
    query: new URLSearchParams(request.query),
    headers: request.headers ?? {},
    body: request.body,
    caller,
    // A machine that is never to boot is one thing, wherever it was asked for.
    fault: fault ?? (call.fault?.kind === 'never-boots' ? call.fault : undefined),
  });
}

/** A group that went meanwhile takes nothing new, whoever asks. */
function pathOf(env: AzureEnvironment, id: string): ArmPath {
  const path = parsePath(id);
  if (path === undefined) throw internalError();
  const group = env.store.get(groupId(path.subscriptionId, path.resourceGroup));
  if (group === undefined) throw groupNotFound(path.resourceGroup);
  return path;
}

/** AKS may use the galleries of its own images, whatever subscription they are in. */
export function galleryHeaders({ service, caller }: ServiceCaller): Record<string, string> {
  const { env } = service;
  const principal = env.directory.byObjectId(caller.objectId);
  if (principal === undefined) return {};
  const { token } = env.tokens.issue(principal, 'https://management.azure.com');
  return { 'x-ms-authorization-auxiliary': `Bearer ${token}` };
}

/** One after another, each only when the one before has succeeded. */
export function inSequence(
  env: AzureEnvironment,
  steps: readonly (() => ArmReply | undefined)[],
  done: Done,
): void {
  const [step, ...rest] = steps;
  if (step === undefined) {
    done();
    return;
  }
  let reply: ArmReply | undefined;
  try {
    reply = step();
  } catch (error) {
    if (!(error instanceof ArmError)) env.log.error('container service failed', { error });
    done(error instanceof ArmError ? error : internalError());
    return;
  }
  const next = (error?: ArmError): void => {
    if (error === undefined) inSequence(env, rest, done);
    else done(error);
  };
  const operationId = reply === undefined ? undefined : operationOf(reply);
  if (operationId === undefined) next();
  else env.operations.whenEnded(operationId, ({ error }) => next(error));
}

function operationOf({ headers }: ArmReply): string | undefined {
  const url = headers?.['azure-asyncoperation'];
  return url === undefined ? undefined : new URL(url).pathname.split('/').at(-1);
}
