// From what is special about one type of resource to all that can be asked of it. In: how a write is checked and
// planned, what hinders a removal, how it is shown. Out: the handlers for GET, PUT, PATCH, DELETE, list and actions.
// 1. Nothing is stored unless the plan was made: a refused write leaves no trace.
// 2. Conditions (If-Match, If-None-Match) are judged before anything else about the resource.
import type { Json } from '../../../api/meta.ts';
import { stringAt, withValue, type JsonObject } from '../../kube/json.ts';
import type { LinkedAccess } from '../authorization/access.ts';
import type { AzureEnvironment } from '../environment.ts';
import {
  anotherOperationInProgress,
  conflictingRequest,
  invalidContent,
  invalidName,
  parentNotFound,
  preconditionFailed,
  resourceNotFound,
  type ArmError,
} from '../errors.ts';
import type { Resource } from '../store.ts';
import { noContent, ok, type ArmCall, type ArmReply, type ResourceType } from './arm-call.ts';
import { pageReply } from './paging.ts';
import { nameOf, parentOf } from './resource-id.ts';
import { checkedLocation, checkedTags, objectBody } from './validation.ts';

export interface Write {
  readonly call: ArmCall;
  readonly id: string;
  readonly name: string;
  readonly body: JsonObject;
  readonly existing: Resource | undefined;
  /** Its own, or that of the resource above it. */
  readonly location: string;
}

/** What a checked write comes to. */
export interface WritePlan {
  /** All that is to be shown; `provisioningState`, location and tags are added. */
  readonly body: JsonObject;
  readonly hidden?: JsonObject;
  /** True: done when answered, without an operation. */
  readonly isImmediate?: boolean;
  /** Right after it was stored. */
  accepted?(resource: Resource): void;
  /** When time is up. The body it gives is stored; an ArmError makes the operation and the resource fail. */
  finish?(current: Resource): JsonObject | undefined;
  /** After it failed or was cancelled. */
  failed?(current: Resource, error: ArmError): void;
}

export interface NameRule {
  readonly pattern: RegExp;
  readonly rule: string;
}

export interface ManagedType {
  readonly type: string;
  /** Has a location and tags of its own; by default what has no parent. */
  readonly isTracked?: boolean;
  readonly name?: NameRule;
  /** PUT, of what is there already too. */
  plan(write: Write): WritePlan;
  /** PATCH; `tags`: replaces them at once and takes nothing else. */
  readonly patch?: 'tags' | ((write: Write & { readonly existing: Resource }) => WritePlan);
  /** Throws when it must stay. */
  checkRemoval?(resource: Resource, call: ArmCall): void;
  /** Says how long a removal takes, where the request decides that. */
  removalLatencyMs?(call: ArmCall): number | undefined;
  /** It has left the store, for whatever reason. */
  removed?(resource: Resource): void;
  /** What a GET shows; the stored body unless given. */
  show?(resource: Resource, call: ArmCall): JsonObject;
  /** Rights that a write needs on other resources. */
  links?(write: Write): readonly LinkedAccess[];
  readonly actions?: Readonly<Record<string, (resource: Resource, call: ArmCall) => ArmReply>>;
  /** A write or removal while another is under way: refused as Network does, or, for a removal, let through. */
  readonly whenBusy?: 'refuse' | 'preempt';
  /** What a write is told while the resource is going, where that is not the same as being busy. */
  whenGoing?(name: string): ArmError;
  /** Removed when answered, without an operation. */
  readonly removesAtOnce?: boolean;
  /** Shows its etag under this name. */
  readonly etagField?: 'etag' | 'eTag';
  notFound?(call: ArmCall): ArmError;
  /** What a failed If-Match is called; PreconditionFailed unless given. */
  conditionFailed?(): ArmError;
}

export function managedType(env: AzureEnvironment, spec: ManagedType): ResourceType {
  const { actions, patch } = spec;
  env.lifecycle.onRemoved(spec.type, (gone) => spec.removed?.(gone));
  const existing = (call: ArmCall): Resource => {
    const found = env.store.get(call.id);
    if (found === undefined) throw notFoundError(spec, call);
    return found;
  };
  return {
    type: spec.type,
    get: (call) => ok(shown(spec, existing(call), call)),
    head: (call) => (env.store.get(call.id) === undefined ? { status: 404 } : noContent),
    list: (call) => listReply(env, spec, call),
    put: (call) => put(env, spec, call),
    delete: (call) => remove(env, spec, call),
    ...(patch === undefined
      ? {}
      : { patch: (call) => patchReply(env, spec, call, existing(call)) }),
    ...(actions === undefined
      ? {}
      : {
          actions: Object.fromEntries(
            Object.entries(actions).map(([name, act]) => [
              name,
              (call: ArmCall) => act(existing(call), call),
            ]),
          ),
        }),
  };
}

/** The resource as clients see it. */
export function shown(spec: ManagedType, resource: Resource, call: ArmCall): JsonObject {
  const body = spec.show?.(resource, call) ?? resource.body;
  const { id, name, type, etag } = resource;
  return {
    name,
    id,
    ...(spec.etagField === undefined ? {} : { [spec.etagField]: `W/"${etag}"` }),
    type,
    ...body,
  };
}

function listReply(env: AzureEnvironment, spec: ManagedType, call: ArmCall): ArmReply {
  const isBelowResource = call.path.names.length > 0;
  if (isBelowResource && env.store.get(call.id) === undefined) throw missing(call);
  const items = env.store
    .list(spec.type, call.id)
    .map((resource) => ({ key: resource.key, json: shown(spec, resource, call) as Json }));
  return pageReply(call, items, env.pageSize);
}

function put(env: AzureEnvironment, spec: ManagedType, call: ArmCall): ArmReply {
  const existing = env.store.get(call.id);
  checkConditions(spec, call, existing);
  checkName(spec, call, existing);
  const parent = checkParent(env, spec, call);
  checkIdle(env, call, spec);
  const body = objectBody(call.body);
  const location = isTracked(spec, call)
    ? checkedLocation({
        regions: env.regions,
        type: spec.type,
        body,
        existing,
        name: nameOf(call.path),
        group: call.path.resourceGroup,
      })
    : (stringAt(parent?.body, 'location') ?? 'global');
  const tags = checkedTags(body['tags']);
  const write: Write = { call, id: call.id, name: nameOf(call.path), body, existing, location };
  env.access.requireLinked(call, spec.links?.(write) ?? []);
  const plan = spec.plan(write);
  const own = isTracked(spec, call) ? { location, ...(tags === undefined ? {} : { tags }) } : {};
  return carryOut(env, spec, { write, plan: { ...plan, body: { ...own, ...plan.body } } });
}

function patchReply(
  env: AzureEnvironment,
  spec: ManagedType,
  call: ArmCall,
  existing: Resource,
): ArmReply {
  checkConditions(spec, call, existing);
  checkIdle(env, call, spec);
  const body = objectBody(call.body);
  const tags = checkedTags(body['tags']);
  const location = stringAt(existing.body, 'location') ?? 'global';
  const write = { call, id: existing.id, name: existing.name, body, existing, location };
  if (spec.patch === 'tags' || spec.patch === undefined) {
    checkOnlyTags(body);
    const changed = tags === undefined ? existing.body : { ...existing.body, tags };
    return carryOut(env, spec, { write, plan: { body: changed, isImmediate: true } });
  }
  env.access.requireLinked(call, spec.links?.(write) ?? []);
  return carryOut(env, spec, { write, plan: spec.patch(write) });
}

function checkOnlyTags(body: JsonObject): void {
  const other = Object.keys(body).find((field) => field !== 'tags');
  if (other === undefined) return;
  throw invalidContent(`Could not find member '${other}' on object of type 'TagsObject'`);
}

function carryOut(
  env: AzureEnvironment,
  spec: ManagedType,
  { write, plan }: { readonly write: Write; readonly plan: WritePlan },
): ArmReply {
  const { call, existing, location } = write;
  const running = existing === undefined ? 'Creating' : 'Updating';
  const isImmediate = plan.isImmediate === true;
  const state = isImmediate ? 'Succeeded' : running;
  const resource = env.lifecycle.save(write.id, spec.type, {
    body: withValue(plan.body, ['properties', 'provisioningState'], state),
    ...(plan.hidden === undefined ? {} : { hidden: plan.hidden }),
  });
  plan.accepted?.(resource);
  const status = existing === undefined ? 201 : 200;
  const body = shown(spec, env.store.get(resource.id) ?? resource, call);
  if (isImmediate) return { status, body };
  const started = env.lifecycle.begin(call, resource, {
    location,
    run: (current) => plan.finish?.(current),
    failed: (current, error) => plan.failed?.(current, error),
  });
  return { status, body, headers: started.headers };
}

function remove(env: AzureEnvironment, spec: ManagedType, call: ArmCall): ArmReply {
  const resource = env.store.get(call.id);
  if (resource === undefined) return noContent;
  checkConditions(spec, call, resource);
  checkRemovable(env, spec, call, resource);
  if (spec.removesAtOnce === true) {
    env.lifecycle.remove(resource.id);
    return { status: 200 };
  }
  const latencyMs = spec.removalLatencyMs?.(call);
  const location = stringAt(resource.body, 'location') ?? 'global';
  const started = env.lifecycle.beginRemoval(call, resource, {
    location,
    ...(latencyMs === undefined ? {} : { latencyMs }),
  });
  return { status: 202, headers: started.headers };
}

/** What is going already may be asked to go again. */
function checkRemovable(
  env: AzureEnvironment,
  spec: ManagedType,
  call: ArmCall,
  resource: Resource,
): void {
  const current = env.lifecycle.underWay(resource.id);
  if (current?.isRemoval === true) return;
  if (current !== undefined && spec.whenBusy !== 'preempt') {
    throw anotherOperationInProgress(env.operations.url(call, current.operationId));
  }
  spec.checkRemoval?.(resource, call);
}

function checkConditions(spec: ManagedType, call: ArmCall, existing: Resource | undefined): void {
  const ifMatch = call.headers['if-match'];
  const ifNoneMatch = call.headers['if-none-match'];
  const isBroken =
    (ifMatch !== undefined && !matches(ifMatch, existing)) ||
    (ifNoneMatch !== undefined && matches(ifNoneMatch, existing));
  if (isBroken) throw spec.conditionFailed?.() ?? preconditionFailed();
}

function matches(condition: string, existing: Resource | undefined): boolean {
  if (existing === undefined) return false;
  const etag = condition.replace(/^W\//, '').replaceAll('"', '');
  return etag === '*' || etag === existing.etag;
}

function checkName(spec: ManagedType, call: ArmCall, existing: Resource | undefined): void {
  if (spec.name === undefined || existing !== undefined) return;
  const name = nameOf(call.path);
  if (!spec.name.pattern.test(name)) throw invalidName(name, spec.name.rule);
}

function checkParent(
  env: AzureEnvironment,
  spec: ManagedType,
  call: ArmCall,
): Resource | undefined {
  const parentId = parentOf(call.path);
  if (parentId === undefined) return undefined;
  const parent = env.store.get(parentId);
  if (parent !== undefined) return parent;
  throw parentNotFound(spec.type.split('/').slice(1).join('/'), parentId);
}

function checkIdle(env: AzureEnvironment, call: ArmCall, spec: ManagedType): void {
  const current = env.lifecycle.underWay(call.id);
  if (current === undefined) return;
  if (current.isRemoval && spec.whenGoing !== undefined) throw spec.whenGoing(nameOf(call.path));
  throw spec.whenBusy === 'preempt'
    ? conflictingRequest()
    : anotherOperationInProgress(env.operations.url(call, current.operationId));
}

function isTracked(spec: ManagedType, call: ArmCall): boolean {
  return spec.isTracked ?? call.path.names.length === 1;
}

function notFoundError(spec: ManagedType, call: ArmCall): ArmError {
  return spec.notFound?.(call) ?? missing(call);
}

function missing(call: ArmCall): ArmError {
  const place = call.id.lastIndexOf('/providers/') + '/providers/'.length;
  return resourceNotFound(call.id.slice(place), call.path.resourceGroup);
}
