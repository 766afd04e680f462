// Changes one object. In: how the new state follows from the present one. Out: the object as stored.
// An update that changes nothing writes nothing. One that takes the last finalizer from an object that is being
// deleted removes it.
import type { RequestContext } from '../api.ts';
import { sameJson, without, type JsonObject } from '../json.ts';
import { withMeta, type ApiObject } from '../object.ts';
import { differsOnlyInManagerTimes } from '../patch/track-update.ts';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid } from '../field-error.ts';
import {
  groupResourceOf,
  wantsQualifiedFinalizers,
  type ResourceKind,
  type RuleContext,
} from '../registry/resource-kind.ts';
import {
  badRequest,
  conflict,
  invalidObject,
  notFound,
  staleObject,
  unknownFailure,
} from '../status-error.ts';
import { metaErrors, metaUpdateErrors } from '../validation/object-meta.ts';
import { admissionRequest, mutate, validate } from './admit.ts';
import { createDecoded, inNamespace } from './create.ts';
import { keyOf, toServed, toStored, type Environment } from './environment.ts';
import { trackOwnership } from './ownership.ts';
import { revisionProblem } from './read.ts';

export interface Updating {
  readonly kind: ResourceKind;
  readonly context: RequestContext;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly subresource?: string;
  /** Set for PUT: the object's own uid and version are conditions then. */
  readonly isReplacement?: boolean;
  /** Set when the produced object already carries its managedFields, as apply makes them. */
  readonly tracksItself?: boolean;
  /** Makes the object when it is not there; without it that is NotFound, unless the kind allows PUT to create. */
  readonly mayCreate?: boolean;
}

export function updateObject(
  env: Environment,
  updating: Updating,
  produce: (current: ApiObject | undefined) => ApiObject,
): ApiObject {
  const { kind, namespace, name } = updating;
  const stored = env.store.get(kind.storage, keyOf(kind, namespace, name));
  if (stored === undefined) return createInstead(env, updating, produce);
  const before = toServed(kind, stored);
  const produced = inNamespace(produce(before), updating);
  checkName(produced, name);
  checkPreconditions(produced, before, updating);
  const next = prepare(env, updating, { before, produced });
  if (isUnchanged(before, next)) return before;
  return commit(env, updating, { before, next });
}

function createInstead(
  env: Environment,
  updating: Updating,
  produce: (current: ApiObject | undefined) => ApiObject,
): ApiObject {
  const { kind, name, context, namespace } = updating;
  const isAllowed =
    updating.mayCreate === true ||
    (updating.isReplacement === true && kind.strategy.allowCreateOnUpdate);
  if (!isAllowed || (updating.subresource ?? '') !== '')
    throw notFound(groupResourceOf(kind), name);
  const object = inNamespace(produce(undefined), updating);
  checkName(object, name);
  const { uid = '' } = object.metadata;
  if (uid !== '') {
    const why =
      updating.tracksItself === true
        ? `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
        : uidComplaint(kind, updating, { wanted: uid, found: '' });
    throw conflict(groupResourceOf(kind), name, why);
  }
  const tracksItself = updating.tracksItself === true;
  return createDecoded(env, { kind, context, namespace, tracksItself }, object);
}

/** The object must carry the name under which it is written. */
export function checkName(object: ApiObject, name: string): void {
  const own = object.metadata.name;
  if (own === name) return;
  throw badRequest(
    own === ''
      ? `the name of the object (${name} based on URL) was undeterminable: name must be provided`
      : `the name of the object (${own}) does not match the name on the URL (${name})`,
  );
}

/** The server's words for an object that is another than the writer takes it for. */
export function uidComplaint(
  kind: ResourceKind,
  at: { readonly namespace?: string | undefined; readonly name: string },
  { wanted, found }: { readonly wanted: string; readonly found: string },
): string {
  const place = kind.namespaced ? `${at.namespace ?? ''}/${at.name}` : at.name;
  const group = kind.custom === undefined ? '' : `${kind.group}/`;
  return `StorageError: invalid object, Code: 4, Key: /registry/${group}${kind.plural}/${place}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`;
}

function checkPreconditions(object: ApiObject, before: ApiObject, updating: Updating): void {
  const { kind, name } = updating;
  const { uid = '', resourceVersion = '' } = object.metadata;
  const old = before.metadata.uid ?? '';
  if (updating.isReplacement === true && uid !== '' && uid !== old) {
    const complaint = uidComplaint(kind, updating, { wanted: uid, found: old });
    throw conflict(groupResourceOf(kind), name, complaint);
  }
  checkRevision(resourceVersion);
  if (resourceVersion === '' || resourceVersion === '0') checkUnconditional(kind, name);
  else if (resourceVersion !== before.metadata.resourceVersion) {
    throw staleObject(groupResourceOf(kind), name);
  }
}

function checkRevision(text: string): void {
  const problem = revisionProblem(text);
  if (problem === undefined) return;
  throw unknownFailure(500, `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${problem}`);
}

function checkUnconditional(kind: ResourceKind, name: string): void {
  if (kind.strategy.allowUnconditionalUpdate) return;
  // Named by its resource where any other complaint names the kind, as the real server does.
  throw invalidObject({ group: kind.group, kind: kind.plural }, name, [
    invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
  ]);
}

interface Change {
  readonly before: ApiObject;
  readonly produced: ApiObject;
}

function prepare(env: Environment, updating: Updating, { before, produced }: Change): ApiObject {
  const { kind, context, subresource = '', namespace, name } = updating;
  const rules = { context, nowMs: env.clock.now() };
  const request = admissionRequest({
    operation: 'UPDATE',
    kind,
    context,
    subresource,
    namespace,
    name,
    before,
  });
  const admitted = mutate(env, tracked(env, updating, { before, produced }), request);
  const rule = rulesOf(kind, subresource);
  const prepared = rule.prepare(keepSystemFields(admitted, before), before, rules);
  // Where a pod runs is no change of what it is.
  const next = subresource === 'binding' ? prepared : withGeneration(prepared, before, kind);
  const errors = [...commonErrors(kind, next, before), ...rule.validate(next, before, rules)];
  if (errors.length > 0) throw invalidObject(kind, name, errors);
  const warnings = subresource === '' ? kind.strategy.warnings(next, before) : [];
  for (const text of warnings) context.warn?.(text);
  validate(env, next, request);
  return next;
}

function tracked(env: Environment, updating: Updating, { before, produced }: Change): ApiObject {
  const { kind, context, subresource = '', tracksItself } = updating;
  const after = withMeta(kind.strategy.defaults(produced), {
    resourceVersion: before.metadata.resourceVersion,
  });
  if (tracksItself === true) return after;
  return trackOwnership(env, { kind, subresource, context }, { before, after });
}

function commonErrors(
  kind: ResourceKind,
  next: ApiObject,
  before: ApiObject,
): readonly FieldError[] {
  const changes = metaUpdateErrors(next.metadata, before.metadata);
  const meta = metaErrors(next.metadata, {
    namespaced: kind.namespaced,
    nameRule: noNameRule,
    wantsQualifiedFinalizers: wantsQualifiedFinalizers(kind),
  });
  // Twice, as the real server says it: once for all kinds and once by the kind's own rules.
  return [...meta, ...changes, ...changes];
}

interface UpdateRule {
  readonly prepare: (object: ApiObject, before: ApiObject, rules: RuleContext) => ApiObject;
  readonly validate: (
    object: ApiObject,
    before: ApiObject,
    rules: RuleContext,
  ) => readonly FieldError[];
}

/** What a write through this endpoint may change, and what it must keep to. */
function rulesOf({ strategy, subresources }: ResourceKind, subresource: string): UpdateRule {
  if (subresource === 'status') {
    return { prepare: strategy.prepareForStatusUpdate, validate: strategy.validateStatusUpdate };
  }
  const view = subresources.find(({ name }) => name === subresource);
  if (view?.prepareForUpdate !== undefined) {
    return { prepare: view.prepareForUpdate, validate: view.validateUpdate ?? (() => []) };
  }
  return { prepare: strategy.prepareForUpdate, validate: strategy.validateUpdate };
}

/** The name is that of an object which exists: whatever it is, it was once allowed. */
const noNameRule = (): readonly string[] => [];

/** What only the server sets is taken from the present state where the caller left it out. */
function keepSystemFields(object: ApiObject, before: ApiObject): ApiObject {
  const old = before.metadata;
  const meta = object.metadata;
  return withMeta(object, {
    uid: meta.uid === undefined || meta.uid === '' ? old.uid : meta.uid,
    creationTimestamp: old.creationTimestamp,
    deletionTimestamp: old.deletionTimestamp ?? meta.deletionTimestamp,
    deletionGracePeriodSeconds: meta.deletionGracePeriodSeconds ?? old.deletionGracePeriodSeconds,
    generation: old.generation,
    selfLink: undefined,
  });
}

function withGeneration(object: ApiObject, before: ApiObject, kind: ResourceKind): ApiObject {
  const rule = kind.strategy.generation;
  if (rule === 'none') return object;
  const isSame =
    rule === 'spec'
      ? sameJson(object['spec'], before['spec'])
      : sameBody(object, before, rule === 'all-but-status');
  if (isSame) return object;
  return withMeta(object, { generation: (before.metadata.generation ?? 0) + 1 });
}

function sameBody(a: ApiObject, b: ApiObject, ignoresStatus: boolean): boolean {
  const bodyOf = (object: ApiObject): JsonObject => {
    const body = without(object, 'metadata');
    return ignoresStatus ? without(body, 'status') : body;
  };
  return sameJson(bodyOf(a), bodyOf(b));
}

function isUnchanged(before: ApiObject, next: ApiObject): boolean {
  return sameJson(before, next) || differsOnlyInManagerTimes(before, next);
}

function commit(
  env: Environment,
  updating: Updating,
  { before, next }: { readonly before: ApiObject; readonly next: ApiObject },
): ApiObject {
  const { kind, namespace, name, context } = updating;
  const key = keyOf(kind, namespace, name);
  if (isReleased(kind, before, next)) {
    if (context.dryRun !== true) {
      const gone = env.store.delete(kind.storage, key);
      if (gone !== undefined) env.written?.(kind, gone, true);
    }
    return next;
  }
  if (context.dryRun === true) return next;
  const stored = env.store.put(kind.storage, key, toStored(kind, next));
  env.written?.(kind, stored, false);
  return toServed(kind, stored);
}

/** Being deleted, the last that held it gone, and no grace period to wait for. */
function isReleased({ strategy }: ResourceKind, before: ApiObject, next: ApiObject): boolean {
  const isHeld = (object: ApiObject): boolean =>
    (object.metadata.finalizers ?? []).length > 0 || strategy.isHeld(object);
  return (
    next.metadata.deletionTimestamp !== undefined &&
    !isHeld(next) &&
    isHeld(before) &&
    (next.metadata.deletionGracePeriodSeconds ?? 0) === 0
  );
}
