// All operations by their address: finds the kind, says no to what it does not offer, and sends the rest to the
// operation or subresource that does it. HTTP and the parts inside the process come through here alike.
import type {
  CreateCall,
  DeleteCall,
  DeleteCollectionCall,
  Deletion,
  GetCall,
  KubeApi,
  ListCall,
  ObjectCall,
  PatchCall,
  RequestContext,
  ResourceAddress,
  UpdateCall,
  Watch,
  WatchCall,
} from '../api.ts';
import type { JsonObject } from '../json.ts';
import type { ApiList, ApiObject } from '../object.ts';
import type { ResourceKind, Scaling, Subresource, Verb } from '../registry/resource-kind.ts';
import { scaleOf, rescaled } from '../subresource/scale.ts';
import { methodNotAllowedHere, noSuchResource } from '../status-error.ts';
import { createObject } from './create.ts';
import { decode, decodeDeleteOptions, expectedKind, type ExpectedKind } from './decode.ts';
import { deleteCollection, deleteObject } from './delete.ts';
import { keyOf, type Body, type Environment } from './environment.ts';
import { patchedObject, patchObject, type SentPatch } from './patch.ts';
import { existing, getObject, listObjects, watchObjects } from './read.ts';
import { checkName, updateObject } from './update.ts';

/** A call that makes something: a body to be stored, or a subresource to act. */
export interface CreateRequest {
  readonly kind: ResourceKind;
  readonly context: RequestContext;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly body: Body;
}

export type CreateHandler = (env: Environment, request: CreateRequest) => ApiObject;

/** Keyed by `group/plural` for kinds that are not stored, `group/plural/subresource` for acts on objects. */
export type CreateHandlers = ReadonlyMap<string, CreateHandler>;

type WithBody<T> = Omit<T, 'object'> & { readonly body: Body };

export class Operations implements KubeApi {
  readonly #env: Environment;
  readonly #creates: CreateHandlers;

  constructor(env: Environment, creates: CreateHandlers) {
    this.#env = env;
    this.#creates = creates;
  }

  get(call: GetCall): ApiObject {
    const { kind, view } = this.#find(call.resource, call.subresource, 'get');
    const object = getObject(this.#env, kind, call);
    return view?.name === 'scale' ? scaleOf(scalingOf(kind), object) : object;
  }

  list(call: ListCall): ApiList {
    return listObjects(this.#env, this.#find(call.resource, undefined, 'list').kind, call);
  }

  watch(call: WatchCall): Watch {
    return watchObjects(this.#env, this.#find(call.resource, undefined, 'watch').kind, call);
  }

  create(call: CreateCall): ApiObject {
    return this.createFrom({ ...call, body: { object: call.object } });
  }

  createFrom(call: WithBody<CreateCall>): ApiObject {
    const { kind, view } = this.#find(call.resource, call.subresource, 'create');
    const { context, namespace, name = '', body } = call;
    const place = `${kind.group}/${kind.plural}`;
    const handler = this.#creates.get(view === undefined ? place : `${place}/${view.name}`);
    if (handler !== undefined) return handler(this.#env, { kind, context, namespace, name, body });
    // A subresource that is listed but has nobody to serve it is not there.
    if (view !== undefined || kind.isVirtual === true) throw noSuchResource();
    return createObject(this.#env, { kind, context, namespace }, body);
  }

  update(call: UpdateCall): ApiObject {
    return this.updateFrom({ ...call, body: { object: call.object } });
  }

  updateFrom(call: WithBody<UpdateCall>): ApiObject {
    const { kind, view } = this.#find(call.resource, call.subresource, 'update');
    const { context, body } = call;
    if (view?.name === 'scale') {
      const scale = decode(body, scaleKind(this.#env), context);
      checkName(scale, call.name);
      return this.#rescale(kind, call, () => scale);
    }
    const decoded = decode(body, expectedKind(this.#env, kind), context);
    // Before it is looked up: a wrong name is the caller's fault even where nothing is.
    checkName(decoded, call.name);
    return updateObject(
      this.#env,
      { ...updatingOf(kind, call), isReplacement: true },
      () => decoded,
    );
  }

  patch(call: PatchCall): ApiObject {
    return this.patchFrom({ ...call, read: { patch: call.patch, problems: [] } });
  }

  patchFrom(call: Omit<PatchCall, 'patch'> & SentPatch): ApiObject {
    const { kind, view } = this.#find(call.resource, call.subresource, 'patch');
    if (view?.name !== 'scale') {
      return patchObject(this.#env, { ...call, ...updatingOf(kind, call) });
    }
    const expected = scaleKind(this.#env);
    return this.#rescale(kind, call, (scale) => patchedObject(call, scale, expected));
  }

  delete(call: DeleteCall): Deletion {
    const { kind } = this.#find(call.resource, call.subresource, 'delete');
    return deleteObject(this.#env, { ...call, kind });
  }

  deleteCollection(call: DeleteCollectionCall): ApiList {
    const { kind } = this.#find(call.resource, undefined, 'deletecollection');
    return deleteCollection(this.#env, kind, call);
  }

  /** The options of a deletion, as they are sent: of their own kind, and of the right types. */
  deleteOptionsOf(body: JsonObject | undefined): JsonObject | undefined {
    return body === undefined ? undefined : decodeDeleteOptions(this.#env, body);
  }

  /** Whether the object is there at this moment. */
  exists(call: Omit<ObjectCall, 'context'>): boolean {
    const { group, version, resource } = call.resource;
    const kind = this.#env.registry.find(group, version, resource);
    if (kind === undefined) return false;
    return this.#env.store.get(kind.storage, keyOf(kind, call.namespace, call.name)) !== undefined;
  }

  /** The kind at an address; NotFound when there is none, MethodNotAllowed when it does not do that. */
  #find(
    { group, version, resource }: ResourceAddress,
    subresource: string | undefined,
    verb: Verb,
  ): { readonly kind: ResourceKind; readonly view: Subresource | undefined } {
    const kind = this.#env.registry.find(group, version, resource);
    if (kind === undefined) throw noSuchResource();
    if (subresource === undefined || subresource === '') {
      if (!kind.verbs.includes(verb)) throw methodNotAllowedHere();
      return { kind, view: undefined };
    }
    const view = kind.subresources.find(({ name }) => name === subresource);
    if (view === undefined) throw noSuchResource();
    if (!view.verbs.includes(verb)) throw methodNotAllowedHere();
    return { kind, view };
  }

  #rescale(
    kind: ResourceKind,
    call: ObjectCall,
    change: (scale: ApiObject) => ApiObject,
  ): ApiObject {
    const scaling = scalingOf(kind);
    const current = existing(this.#env, kind, call);
    const scale = change(scaleOf(scaling, current));
    const isCustom = kind.custom !== undefined;
    const updating = { ...updatingOf(kind, call), isReplacement: true };
    const updated = updateObject(this.#env, updating, (parent) =>
      rescaled(scaling, { parent: parent ?? current, scale, isCustom }),
    );
    return scaleOf(scaling, updated);
  }
}

function updatingOf(kind: ResourceKind, call: ObjectCall) {
  const { context, namespace, name, subresource = '' } = call;
  return { kind, context, namespace, name, subresource };
}

function scalingOf(kind: ResourceKind): Scaling {
  if (kind.scaling === undefined) throw noSuchResource();
  return kind.scaling;
}

function scaleKind(env: Environment): ExpectedKind {
  const gvk = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  return { ...gvk, isCustom: false, schema: env.typeOf(gvk) };
}
