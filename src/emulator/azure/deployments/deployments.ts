// Deployments of templates to a resource group or a subscription. In: a template with parameters and a mode. Out: an
// operation that writes its resources, and the record of it with outputs. Linked templates, stacks and what-if are
// refused, not ignored.
import type { Json } from '../../../api/meta.ts';
import { randomUuid } from '../../../base/uuid.ts';
import {
  at,
  isObject,
  objectAt,
  stringAt,
  textAt,
  withValue,
  type JsonObject,
} from '../../kube/json.ts';
import { noContent, ok, type ArmCall, type ArmReply, type ResourceType } from '../arm/arm-call.ts';
import { pageReply } from '../arm/paging.ts';
import type { TypeRegistry } from '../arm/registry.ts';
import { nameOf, toKey } from '../arm/resource-id.ts';
import { objectBody } from '../arm/validation.ts';
import type { AzureEnvironment } from '../environment.ts';
import { ArmError, resourceNotFound } from '../errors.ts';
import type { Resource } from '../store.ts';
import { newRecord } from './deployment-record.ts';
import { DeploymentRun, routeOf } from './deployment-run.ts';
import { evaluate, type Scope } from './evaluate.ts';
import { cannotEvaluate, deploymentFailed, invalidTemplate } from './template-error.ts';
import { parameterValues, plannedResources, type PlannedResource } from './template.ts';

const type = 'Microsoft.Resources/deployments';

export function deploymentTypes(
  env: AzureEnvironment,
  registry: () => TypeRegistry,
): ResourceType[] {
  const context: Context = { env, registry, random: () => randomUuid(env.random), runs: new Map() };
  const existing = (call: ArmCall): Resource => {
    const found = env.store.get(call.id);
    if (found !== undefined) return found;
    throw new ArmError(
      404,
      'DeploymentNotFound',
      `Deployment '${nameOf(call.path)}' could not be found.`,
    );
  };
  return [
    {
      type,
      get: (call) => ok(shown(existing(call))),
      head: (call) => (env.store.get(call.id) === undefined ? { status: 404 } : noContent),
      list: (call) =>
        pageReply(
          call,
          env.store
            .list(type, call.id)
            .filter(({ id }) => id.slice(call.id.length).startsWith('/providers/'))
            .map((one) => ({ key: one.key, json: shown(one) as Json })),
          env.pageSize,
        ),
      put: (call) => deploy(context, call),
      delete: (call) => {
        env.lifecycle.remove(existing(call).id);
        return noContent;
      },
      actions: {
        validate: (call) => validate(context, call),
        cancel: (call) => {
          context.runs.get(toKey(existing(call).id))?.cancel();
          return noContent;
        },
        whatIf: () => {
          throw new ArmError(
            400,
            'NotSupported',
            'This emulator does not predict the outcome of deployments: deploy, or validate.',
          );
        },
      },
    },
    {
      type: `${type}/operationStatuses`,
      get: (call) => {
        const [name = ''] = call.path.names;
        const found = env.store.get(`${call.path.scope}/providers/${type}/${name}`);
        if (found === undefined) throw resourceNotFound(`${type}/${name}`, call.path.resourceGroup);
        return statusReply(env, found);
      },
    },
  ];
}

interface Context {
  readonly env: AzureEnvironment;
  readonly registry: () => TypeRegistry;
  readonly random: () => string;
  readonly runs: Map<string, DeploymentRun>;
}

interface Prepared {
  readonly properties: JsonObject;
  readonly template: JsonObject;
  readonly scope: Scope;
  readonly resources: readonly PlannedResource[];
}

/** Everything that can be known before the first resource is written. */
function prepare(context: Context, call: ArmCall): Prepared {
  const properties = objectAt(objectBody(call.body), 'properties') ?? {};
  const template = objectAt(properties, 'template');
  if (template === undefined) {
    throw at(properties, 'templateLink') === undefined
      ? invalidTemplate('The template is missing')
      : new ArmError(
          400,
          'NotSupported',
          'This emulator takes templates in the request, not by link.',
        );
  }
  const mode = textAt(properties, 'mode');
  if (!/^(incremental|complete)$/i.test(mode)) {
    throw invalidTemplate(`The deployment mode '${mode}' is not valid`);
  }
  const open = scopeOf(context, call, template);
  const given = objectAt(properties, 'parameters') ?? {};
  const scope = { ...open, parameters: parameterValues(template, given, open) };
  const resources = plannedResources(template, scope, call.path.scope);
  const { env } = context;
  for (const resource of resources) routeOf({ env, registry: context.registry() }, resource);
  return { properties, template, scope, resources };
}

function scopeOf({ env, random }: Context, call: ArmCall, template: JsonObject): Scope {
  const { subscriptionId, scope } = call.path;
  const group = env.store.get(scope);
  const subscription = {
    id: `/subscriptions/${subscriptionId}`,
    subscriptionId,
    tenantId: env.tenantId,
    displayName: env.subscriptions.find(({ id }) => id === subscriptionId)?.name ?? '',
  };
  return {
    subscription,
    ...(group === undefined
      ? {}
      : {
          resourceGroup: {
            ...group.body,
            id: group.id,
            name: group.name,
            type: 'Microsoft.Resources/resourceGroups',
          },
        }),
    tenantId: env.tenantId,
    deployment: { name: nameOf(call.path), properties: { template } },
    parameters: {},
    variables: objectAt(template, 'variables') ?? {},
    reference: (id, isFull) => reference(env, id, { scope, isFull }),
    loops: [],
    now: () => env.clock.now(),
    newGuid: random,
  };
}

function reference(
  env: AzureEnvironment,
  id: string,
  { scope, isFull }: { readonly scope: string; readonly isFull: boolean },
): Json {
  const found =
    env.store.get(id) ??
    env.store.below(scope).find(({ name }) => name.toLowerCase() === id.toLowerCase());
  if (found === undefined) throw resourceNotFound(id, scope.split('/').at(-1) ?? '');
  if (!isFull) return objectAt(found.body, 'properties') ?? {};
  return { ...found.body, id: found.id, resourceId: found.id, name: found.name, type: found.type };
}

function validate(context: Context, call: ArmCall): ArmReply {
  const { properties, resources } = prepare(context, call);
  const body = newRecord(context.env, call, { properties, resources });
  return ok({ id: call.id, name: nameOf(call.path), type, ...withState(body, 'Succeeded') });
}

function deploy(context: Context, call: ArmCall): ArmReply {
  const { env } = context;
  const current = env.store.get(call.id);
  if (current !== undefined && stateOf(current) === 'Running') {
    throw new ArmError(
      409,
      'DeploymentActive',
      `Unable to edit or replace deployment '${current.name}': previous deployment from '${new Date(current.changedMs).toISOString()}' is still active (expiration time is '${new Date(current.changedMs + 7 * 24 * 3_600_000).toISOString()}').`,
    );
  }
  const prepared = prepare(context, call);
  const body = withState(newRecord(env, call, prepared), 'Running');
  const saved = env.lifecycle.save(call.id, type, { body });
  const operationId = env.operations.open(call, 'global').id;
  const run = new DeploymentRun({
    env,
    registry: context.registry(),
    call,
    resources: prepared.resources,
    ended: (failures) => end(context, { saved, prepared, operationId }, failures),
  });
  context.runs.set(saved.key, run);
  // Azure answers first; a resource that is written at once must not change that.
  env.operations.start(call, {
    location: 'global',
    latencyMs: 0,
    run: () => {
      run.start();
      return undefined;
    },
    failed: (error) => end(context, { saved, prepared, operationId }, [error]),
  });
  return {
    status: current === undefined ? 201 : 200,
    body: shown(saved),
    headers: {
      'azure-asyncoperation': `${call.baseUrl}${saved.id}/operationStatuses/${operationId}?api-version=${call.apiVersion}`,
      'retry-after': env.operations.retryAfter,
    },
  };
}

interface Running {
  readonly saved: Resource;
  readonly prepared: Prepared;
  readonly operationId: string;
}

function end(context: Context, running: Running, failures: readonly ArmError[]): void {
  const { env } = context;
  const { saved, prepared, operationId } = running;
  context.runs.delete(saved.key);
  const outcome =
    failures.length === 0 ? finished(context, saved, prepared) : deploymentFailed(failures);
  const isCanceled = failures.some(({ code }) => code === 'DeploymentCanceled');
  const seconds = (env.clock.now() - saved.changedMs) / 1000;
  env.lifecycle.update(saved.id, (body) => {
    const timed = withValue(body, ['properties', 'duration'], `PT${seconds}S`);
    if (outcome instanceof ArmError) {
      const failed = withValue(timed, ['properties', 'error'], outcome.toJson());
      return withState(failed, isCanceled ? 'Canceled' : 'Failed');
    }
    const outputResources = prepared.resources.map(({ id }) => ({ id }));
    const properties = { ...objectAt(timed, 'properties'), outputs: outcome, outputResources };
    return withState({ ...timed, properties }, 'Succeeded');
  });
  env.operations.close(operationId, outcome instanceof ArmError ? outcome : undefined);
}

/** Outputs, after a complete deployment has cleared away what the template does not name. */
function finished(context: Context, saved: Resource, prepared: Prepared): JsonObject | ArmError {
  try {
    const outputs = Object.entries(objectAt(prepared.template, 'outputs') ?? {}).flatMap(
      ([name, output]) => {
        if (!isObject(output) || evaluate(output['condition'] ?? true, prepared.scope) === false) {
          return [];
        }
        const value = evaluate(output['value'] ?? null, prepared.scope);
        return [[name, { type: outputType(textAt(output, 'type')), value }] as const];
      },
    );
    if (/^complete$/i.test(textAt(prepared.properties, 'mode'))) clear(context, saved, prepared);
    return Object.fromEntries(outputs);
  } catch (error) {
    return error instanceof ArmError ? error : cannotEvaluate('An output failed.');
  }
}

function clear({ env }: Context, saved: Resource, { resources }: Prepared): void {
  const named = new Set(resources.map(({ id }) => toKey(id)));
  const groupKey = saved.key.slice(0, saved.key.lastIndexOf('/providers/'));
  for (const resource of env.store.below(groupKey)) {
    const isTracked = stringAt(resource.body, 'location') !== undefined && resource.type !== type;
    if (isTracked && !named.has(resource.key)) env.lifecycle.remove(resource.id);
  }
}

/** Azure writes `String` where a template says `string`. */
function outputType(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function statusReply(env: AzureEnvironment, deployment: Resource): ArmReply {
  const status = stateOf(deployment);
  const error = at(deployment.body, 'properties', 'error');
  const body = { status, ...(error === undefined ? {} : { error }) };
  if (status !== 'Running') return ok(body);
  return { status: 200, body, headers: { 'retry-after': env.operations.retryAfter } };
}

function stateOf({ body }: Resource): string {
  return textAt(body, 'properties', 'provisioningState');
}

function withState(body: JsonObject, state: string): JsonObject {
  return withValue(body, ['properties', 'provisioningState'], state);
}

function shown({ id, name, body }: Resource): JsonObject {
  return { id, name, type, ...body };
}
