// Deletes one object, or a whole list of them. In: name and options. Out: the object, and whether it is gone.
//
//   live ──delete──▶ gone                     nothing holds it
//   live ──delete──▶ deleting ──▶ gone        finalizers or a grace period hold it; the last to let go removes it
import { toTimestamp } from '../../../base/clock.ts';
import type { DeleteCollectionCall, Deletion, DeleteOptions, RequestContext } from '../api.ts';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid, notSupported } from '../field-error.ts';
import { withMeta, type ApiList, type ApiMeta, type ApiObject } from '../object.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import { conflict, invalidObject, isReason } from '../status-error.ts';
import { admissionRequest, mutate, validate } from './admit.ts';
import { keyOf, toServed, toStored, type Environment } from './environment.ts';
import { existing, listObjects } from './read.ts';

export interface Deleting {
  readonly kind: ResourceKind;
  readonly context: RequestContext;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly options?: DeleteOptions | undefined;
}

export function deleteObject(env: Environment, deleting: Deleting): Deletion {
  const { kind, context, namespace, name, options = {} } = deleting;
  checkOptions(options);
  const before = existing(env, kind, { namespace, name });
  checkPreconditions(kind, before, options);
  const request = admissionRequest({ operation: 'DELETE', kind, context, namespace, name, before });
  mutate(env, before, request);
  validate(env, before, request);
  for (const text of kind.strategy.deleteWarnings(options)) context.warn?.(text);
  return proceed(env, deleting, before);
}

function proceed(env: Environment, deleting: Deleting, before: ApiObject): Deletion {
  const { kind, context, namespace, name } = deleting;
  const next = marked(env, deleting, before);
  if (next === 'gone') return remove(env, deleting, before);
  const isOver = isAtOnce(kind, next);
  if (next === before || context.dryRun === true) return { object: next, gone: isOver };
  const written = env.store.put(kind.storage, keyOf(kind, namespace, name), toStored(kind, next));
  env.written?.(kind, written, false);
  if (isOver) return remove(env, deleting, toServed(kind, written));
  return { object: toServed(kind, written), gone: false };
}

/** A grace period of nothing is noted on the object, and over as soon as it has begun. */
function isAtOnce({ strategy }: ResourceKind, { metadata }: ApiObject): boolean {
  return (
    strategy.graceSeconds !== undefined &&
    metadata.deletionGracePeriodSeconds === 0 &&
    (metadata.finalizers ?? []).length === 0
  );
}

function remove(
  env: Environment,
  { kind, context, namespace, name }: Deleting,
  before: ApiObject,
): Deletion {
  if (context.dryRun === true) return { object: before, gone: true };
  const gone = env.store.delete(kind.storage, keyOf(kind, namespace, name));
  if (gone === undefined) return { object: before, gone: true };
  env.written?.(kind, gone, true);
  return { object: toServed(kind, gone), gone: true };
}

function checkOptions(options: DeleteOptions): void {
  const { propagationPolicy: policy, orphanDependents } = options;
  const errors: FieldError[] = [];
  if (policy !== undefined && orphanDependents !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(invalid('propagationPolicy', policy, detail));
  }
  const policies: readonly string[] = ['Foreground', 'Background', 'Orphan'];
  if (policy !== undefined && !policies.includes(policy)) {
    errors.push(notSupported('propagationPolicy', policy, [...policies, 'nil']));
  }
  if (errors.length > 0) {
    throw invalidObject({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  }
}

function checkPreconditions(kind: ResourceKind, object: ApiObject, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const subject = { group: kind.group, resource: kind.kind };
  const { name } = object.metadata;
  if (uid !== undefined && uid !== object.metadata.uid) {
    throw conflict(
      subject,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${object.metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion) {
    throw conflict(
      subject,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${object.metadata.resourceVersion}). The object might have been modified`,
    );
  }
}

/** The object as it stands after the delete; the same object when an earlier delete already says it all. */
function marked(env: Environment, deleting: Deleting, before: ApiObject): ApiObject | 'gone' {
  const { kind, options = {} } = deleting;
  const { strategy } = kind;
  if (strategy.isHeld(before)) return held(env, strategy.markHeld(before));
  const graceful = inGrace(env, deleting, before);
  if (graceful === 'pending') return before;
  const finalizers = collectionFinalizers(before.metadata, kind, options);
  const kept = withMeta(graceful ?? before, {
    finalizers: finalizers.length === 0 ? undefined : finalizers,
  });
  if (graceful !== undefined) return kept;
  return finalizers.length === 0 ? 'gone' : markedAsDeleting(env, kept, before);
}

/** Kept by what it holds: only the time of its deletion is noted, once. */
function held(env: Environment, object: ApiObject): ApiObject {
  if (object.metadata.deletionTimestamp !== undefined) return object;
  return withMeta(object, { deletionTimestamp: toTimestamp(env.clock.now()) });
}

/** Undefined: this kind, or this object, has no grace period. */
function inGrace(
  env: Environment,
  { kind, options = {} }: Deleting,
  before: ApiObject,
): ApiObject | 'pending' | undefined {
  const { graceSeconds } = kind.strategy;
  if (graceSeconds === undefined) return undefined;
  const { deletionTimestamp, deletionGracePeriodSeconds: running = 0 } = before.metadata;
  const wanted = (options.gracePeriodSeconds ?? 0) < 0 ? 1 : options.gracePeriodSeconds;
  const nowMs = env.clock.now();
  if (deletionTimestamp !== undefined) {
    if (running === 0) return undefined;
    if (wanted === undefined || wanted >= running) return 'pending';
    return shortened(before, { wanted, running, nowMs });
  }
  const seconds = graceSeconds(before, wanted);
  return withMeta(before, {
    deletionTimestamp: toTimestamp(nowMs + seconds * 1000),
    deletionGracePeriodSeconds: seconds,
    ...grown(before.metadata),
  });
}

function shortened(
  object: ApiObject,
  {
    wanted,
    running,
    nowMs,
  }: { readonly wanted: number; readonly running: number; readonly nowMs: number },
): ApiObject {
  const begunMs = Date.parse(object.metadata.deletionTimestamp ?? '') - running * 1000;
  const isPast = begunMs + wanted * 1000 < nowMs;
  return withMeta(object, {
    deletionTimestamp: toTimestamp(isPast ? nowMs : begunMs + wanted * 1000),
    deletionGracePeriodSeconds: isPast && wanted !== 0 ? 1 : wanted,
  });
}

function markedAsDeleting(env: Environment, held: ApiObject, before: ApiObject): ApiObject {
  const now = toTimestamp(env.clock.now());
  const { deletionTimestamp: existing, deletionGracePeriodSeconds: grace } = before.metadata;
  const isKept = existing !== undefined && existing <= now;
  const isUnchanged = isKept && grace === 0 && sameFinalizers(held.metadata, before.metadata);
  if (isUnchanged) return before;
  return withMeta(held, {
    deletionTimestamp: isKept ? existing : now,
    deletionGracePeriodSeconds: 0,
    ...(existing === undefined ? grown(before.metadata) : {}),
  });
}

function grown(meta: ApiMeta): { generation?: number } {
  return (meta.generation ?? 0) > 0 ? { generation: (meta.generation ?? 0) + 1 } : {};
}

function sameFinalizers(a: ApiMeta, b: ApiMeta): boolean {
  const first = a.finalizers ?? [];
  const second = b.finalizers ?? [];
  return first.length === second.length && first.every((name, index) => name === second[index]);
}

/** The finalizers with the one that tells the garbage collector what becomes of dependents. */
function collectionFinalizers(
  meta: ApiMeta,
  kind: ResourceKind,
  options: DeleteOptions,
): readonly string[] {
  const present = meta.finalizers ?? [];
  const rest = present.filter((name) => name !== 'orphan' && name !== 'foregroundDeletion');
  switch (propagation(present, kind, options)) {
    case 'Orphan':
      return [...rest, 'orphan'];
    case 'Foreground':
      return [...rest, 'foregroundDeletion'];
    default:
      return rest;
  }
}

function propagation(
  present: readonly string[],
  kind: ResourceKind,
  options: DeleteOptions,
): DeleteOptions['propagationPolicy'] {
  if (options.orphanDependents !== undefined)
    return options.orphanDependents ? 'Orphan' : 'Background';
  if (options.propagationPolicy !== undefined) return options.propagationPolicy;
  if (present.includes('orphan')) return 'Orphan';
  if (present.includes('foregroundDeletion')) return 'Foreground';
  return kind.strategy.orphansByDefault ? 'Orphan' : 'Background';
}

/** Deletes what a list shows; what another has deleted in the meantime is no error. */
export function deleteCollection(
  env: Environment,
  kind: ResourceKind,
  call: DeleteCollectionCall,
): ApiList {
  const list = listObjects(env, kind, call);
  for (const object of list.items) {
    try {
      const { name, namespace } = object.metadata;
      deleteObject(env, { kind, context: call.context, namespace, name, options: call.options });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
  return list;
}
