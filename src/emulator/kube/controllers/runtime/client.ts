// The server as one controller uses it: its own identity, short calls. In: addresses and objects. Out: what the
// server says. Absent objects and lost races are ordinary here, so the calls that meet them return undefined.
import type { Json } from '../../../../api/meta.ts';
import type { DeleteOptions, KubeApi, RequestContext, ResourceAddress } from '../../api.ts';
import type { JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { isReason } from '../../status-error.ts';

interface Target {
  readonly namespace?: string | undefined;
  readonly name: string;
}

export class Client {
  readonly api: KubeApi;
  readonly context: RequestContext;

  constructor(api: KubeApi, context: RequestContext) {
    this.api = api;
    this.context = context;
  }

  get(resource: ResourceAddress, target: Target): ApiObject | undefined {
    return this.#orAbsent(() =>
      this.api.get({ ...this.#call(resource, target), name: target.name }),
    );
  }

  create(resource: ResourceAddress, object: JsonObject, namespace?: string): ApiObject {
    return this.api.create({ ...this.#call(resource, { namespace, name: '' }), object });
  }

  /** Undefined when it exists already. */
  createIfAbsent(
    resource: ResourceAddress,
    object: JsonObject,
    namespace?: string,
  ): ApiObject | undefined {
    try {
      return this.create(resource, object, namespace);
    } catch (error) {
      if (isReason(error, 'AlreadyExists')) return undefined;
      throw error;
    }
  }

  /** Replaces the object; fails when it has changed since it was read. */
  update(resource: ResourceAddress, object: ApiObject, subresource?: string): ApiObject {
    const { namespace, name } = object.metadata;
    return this.api.update({
      ...this.#call(resource, { namespace, name }),
      name,
      object,
      ...(subresource === undefined ? {} : { subresource }),
    });
  }

  /** Undefined when the object is gone. */
  merge(
    resource: ResourceAddress,
    target: Target,
    patch: Json,
    subresource?: string,
  ): ApiObject | undefined {
    return this.#orAbsent(() =>
      this.api.patch({
        ...this.#call(resource, target),
        name: target.name,
        patchType: 'application/merge-patch+json',
        patch,
        ...(subresource === undefined ? {} : { subresource }),
      }),
    );
  }

  /** Does nothing when the object is gone, or is another of the same name. */
  delete(resource: ResourceAddress, object: ApiObject, options: DeleteOptions = {}): void {
    const { namespace, name, uid } = object.metadata;
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    this.#orAbsent(() =>
      this.api.delete({
        ...this.#call(resource, { namespace, name }),
        name,
        options: { ...preconditions, ...options },
      }),
    );
  }

  #call(resource: ResourceAddress, target: Target) {
    const { namespace } = target;
    return { context: this.context, resource, ...(namespace === undefined ? {} : { namespace }) };
  }

  #orAbsent<T>(call: () => T): T | undefined {
    try {
      return call();
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined;
      if (isReason(error, 'Conflict') && /UID in the precondition/.test(error.message))
        return undefined;
      throw error;
    }
  }
}
