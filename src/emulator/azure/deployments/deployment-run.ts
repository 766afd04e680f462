// Carrying out a deployment: one resource after another as their dependencies allow. In: planned resources and who
// asks. Out: each is written through its own type, with the caller's rights; the end is told once, with outputs or
// with what failed.
// 1. A resource is begun only after all it depends on have succeeded.
// 2. After a failure nothing new is begun; what is under way is waited for.
import { ArmError, internalError } from '../errors.ts';
import type { AzureEnvironment } from '../environment.ts';
import { checkedApiVersion } from '../arm/api-versions.ts';
import type { ArmCall, ArmReply } from '../arm/arm-call.ts';
import type { Route, TypeRegistry } from '../arm/registry.ts';
import { parsePath, toKey, type ArmPath } from '../arm/resource-id.ts';
import { invalidTemplate } from './template-error.ts';
import { finalBody, type PlannedResource } from './template.ts';

export interface RunOptions {
  readonly env: AzureEnvironment;
  readonly registry: TypeRegistry;
  readonly call: ArmCall;
  readonly resources: readonly PlannedResource[];
  readonly ended: (failures: readonly ArmError[]) => void;
}

export class DeploymentRun {
  readonly #options: RunOptions;
  readonly #waiting: Set<PlannedResource>;
  readonly #done = new Set<string>();
  readonly #failures: ArmError[] = [];
  #underWay = 0;
  #isOver = false;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#waiting = new Set(options.resources);
  }

  start(): void {
    this.#advance();
  }

  cancel(): void {
    this.#waiting.clear();
    this.#failures.push(
      new ArmError(409, 'DeploymentCanceled', 'The deployment was canceled by request.'),
    );
    this.#advance();
  }

  #advance(): void {
    for (const resource of this.#ready()) this.#begin(resource);
    const isDone = this.#waiting.size === 0 || this.#failures.length > 0;
    if (this.#underWay > 0 || !isDone || this.#isOver) return;
    this.#isOver = true;
    this.#options.ended(this.#failures);
  }

  #ready(): PlannedResource[] {
    if (this.#failures.length > 0) return [];
    return this.#waiting
      .values()
      .filter(({ dependsOn }) => dependsOn.values().every((key) => this.#done.has(key)))
      .toArray();
  }

  #begin(resource: PlannedResource): void {
    this.#waiting.delete(resource);
    const { env } = this.#options;
    let reply: ArmReply;
    try {
      reply = write(this.#options, resource);
    } catch (error) {
      if (!(error instanceof ArmError)) env.log.error('deployment failed unexpectedly', { error });
      this.#failures.push(error instanceof ArmError ? error : internalError());
      return;
    }
    const operationId = operationOf(reply);
    if (operationId === undefined) {
      this.#done.add(toKey(resource.id));
      // What was done at once may be all that others wait for.
      if (this.#underWay === 0) this.#advance();
      return;
    }
    this.#underWay++;
    env.operations.whenEnded(operationId, ({ error }) => {
      this.#underWay--;
      if (error === undefined) this.#done.add(toKey(resource.id));
      else this.#failures.push(error);
      this.#advance();
    });
  }
}

function operationOf(reply: ArmReply): string | undefined {
  const url = reply.headers?.['azure-asyncoperation'];
  return url === undefined ? undefined : new URL(url).pathname.split('/').at(-1);
}

/** Where a resource of a template is written; checked before anything is. */
export function routeOf(
  { env, registry }: Pick<RunOptions, 'env' | 'registry'>,
  { id, apiVersion }: Pick<PlannedResource, 'id' | 'apiVersion'>,
): { readonly route: Route; readonly path: ArmPath } {
  const path = parsePath(id);
  if (path === undefined) throw invalidTemplate(`The resource id '${id}' is not valid`);
  const namespace = registry.namespaceOf(path);
  checkedApiVersion({
    version: apiVersion,
    namespace,
    type: path.types.join('/'),
    location: '',
    locations: env.regions.names,
  });
  return { route: registry.route('PUT', { ...path, namespace }, apiVersion), path };
}

function write(options: RunOptions, resource: PlannedResource): ArmReply {
  const { call, env } = options;
  const { route, path } = routeOf(options, resource);
  env.access.require(call.caller, route.operation, route.id);
  const fault = env.faults.strike(route.operation, route.id);
  if (fault?.kind === 'refuse') {
    throw new ArmError(fault.status, fault.code, fault.message ?? fault.code);
  }
  return route.handler({
    ...call,
    method: 'PUT',
    path: { ...path, namespace: route.type.type.split('/')[0] ?? path.namespace },
    id: route.id,
    operation: route.operation,
    apiVersion: resource.apiVersion,
    query: new URLSearchParams(),
    headers: {},
    body: finalBody(resource),
    fault,
  });
}
