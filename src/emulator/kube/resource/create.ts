// Makes one object. In: a body of the kind. Out: the object as stored.
// Order as in the real server: decode, default, own, admit, prepare, stamp, validate, admit again, store; nothing is
// stored unless all of it went well.
import { toTimestamp } from '../../../base/clock.ts';
import { randomSuffix } from '../../../base/random.ts';
import type { RequestContext } from '../api.ts';
import { withMeta, type ApiObject } from '../object.ts';
import {
  groupResourceOf,
  wantsQualifiedFinalizers,
  type ResourceKind,
} from '../registry/resource-kind.ts';
import {
  alreadyExists,
  badRequest,
  forbidden,
  generateNameConflict,
  invalidObject,
  unknownFailure,
} from '../status-error.ts';
import { metaErrors } from '../validation/object-meta.ts';
import { admissionRequest, mutate, validate } from './admit.ts';
import { decode, expectedKind } from './decode.ts';
import { keyOf, toServed, toStored, type Body, type Environment } from './environment.ts';
import { trackOwnership } from './ownership.ts';
import { newUid } from './uid.ts';

export interface Creation {
  readonly kind: ResourceKind;
  readonly context: RequestContext;
  readonly namespace?: string | undefined;
  /** Set when the object already carries its managedFields, as apply makes them. */
  readonly tracksItself?: boolean;
}

/** The longest base that leaves room for the suffix in a name of 63 characters. */
const longestGenerateName = 58;
const generateAttempts = 8;

export function createObject(env: Environment, creation: Creation, body: Body): ApiObject {
  const { kind, context } = creation;
  const decoded = decode(body, expectedKind(env, kind), context);
  if (kind.isTerminating === true) {
    const why = 'create not allowed while custom resource definition is terminating';
    throw forbidden(groupResourceOf(kind), decoded.metadata.name, why);
  }
  return createDecoded(env, creation, inNamespace(decoded, creation));
}

/** The same for an object that is decoded already, as an update of an unknown name brings it. */
export function createDecoded(env: Environment, creation: Creation, object: ApiObject): ApiObject {
  const { kind } = creation;
  const defaulted = kind.strategy.defaults(object);
  const generateName = defaulted.metadata.generateName ?? '';
  if (defaulted.metadata.name !== '' || generateName === '')
    return attempt(env, creation, defaulted);
  for (let tries = 1; ; tries++) {
    const name = generateName.slice(0, longestGenerateName) + randomSuffix(env.random);
    const isTaken =
      env.store.get(kind.storage, keyOf(kind, creation.namespace, name)) !== undefined;
    if (!isTaken) return attempt(env, creation, withMeta(defaulted, { name }));
    if (tries === generateAttempts) throw generateNameConflict(groupResourceOf(kind), name);
  }
}

/** The namespace of the request, which the object must not contradict. */
export function inNamespace(
  object: ApiObject,
  { kind, namespace }: { readonly kind: ResourceKind; readonly namespace?: string | undefined },
): ApiObject {
  const own = object.metadata.namespace ?? '';
  if (!kind.namespaced || namespace === undefined || own === namespace) return object;
  if (own !== '') {
    throw badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
  return withMeta(object, { namespace });
}

function attempt(env: Environment, creation: Creation, object: ApiObject): ApiObject {
  const { kind, context } = creation;
  const { strategy } = kind;
  const nowMs = env.clock.now();
  const rules = { context, nowMs };
  const request = admissionRequest({
    operation: 'CREATE',
    kind,
    context,
    namespace: creation.namespace,
    name: object.metadata.name,
  });
  const admitted = mutate(env, owned(env, creation, object), request);
  const prepared = strategy.prepareForCreate(admitted, rules);
  const stamped = strategy.prepareForStamped(
    stamp(prepared, { uid: newUid(env.random), nowMs, kind }),
  );
  const errors = [
    ...metaErrors(stamped.metadata, {
      namespaced: kind.namespaced,
      nameRule: strategy.nameErrors,
      wantsQualifiedFinalizers: wantsQualifiedFinalizers(kind),
    }),
    ...strategy.validate(stamped, rules),
  ];
  if (errors.length > 0) throw invalidObject(kind, stamped.metadata.name, errors);
  for (const text of strategy.warnings(stamped, undefined)) context.warn?.(text);
  validate(env, stamped, request);
  return store(env, creation, stamped);
}

function owned(
  env: Environment,
  { kind, context, tracksItself }: Creation,
  object: ApiObject,
): ApiObject {
  if (tracksItself === true) return object;
  const after = withMeta(object, { managedFields: undefined });
  return trackOwnership(env, { kind, subresource: '', context }, { before: undefined, after });
}

function stamp(
  object: ApiObject,
  options: { readonly uid: string; readonly nowMs: number; readonly kind: ResourceKind },
): ApiObject {
  const hasGeneration = options.kind.strategy.generation !== 'none';
  return withMeta(object, {
    uid: options.uid,
    creationTimestamp: toTimestamp(options.nowMs),
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
    generation: hasGeneration ? 1 : undefined,
  });
}

function store(env: Environment, { kind, context }: Creation, object: ApiObject): ApiObject {
  const { name, namespace, resourceVersion } = object.metadata;
  const key = keyOf(kind, namespace, name);
  const isDryRun = context.dryRun === true;
  if ((resourceVersion ?? '') !== '' && !isDryRun) {
    throw unknownFailure(500, 'resourceVersion should not be set on objects to be created');
  }
  if (env.store.get(kind.storage, key) !== undefined)
    throw alreadyExists(groupResourceOf(kind), name);
  if (isDryRun) return object;
  const stored = env.store.put(kind.storage, key, toStored(kind, object));
  env.written?.(kind, stored, false);
  return toServed(kind, stored);
}
