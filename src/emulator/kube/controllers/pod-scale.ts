// How many pods the owners of some pods ask for. In: pods. Out: the sum over their controllers, or why it cannot be told.
// Built-in owners are looked up in the copies at hand, a ReplicaSet's Deployment before the set; any other owner
// is asked through its scale subresource, which custom resources may have too.
import type { ResourceAddress } from '../api.ts';
import { numberAt } from '../json.ts';
import { parseApiVersion, type ApiObject, type OwnerReference } from '../object.ts';
import { isReason } from '../status-error.ts';
import { controllerOf } from './pods.ts';
import type { Client } from './runtime/client.ts';
import type { Informer } from './runtime/informer.ts';
import { addressOf, type KindCatalog, type KindInfo } from './runtime/kind-catalog.ts';

export type PodScale =
  | {
      readonly ok: true;
      readonly expected: number;
      /** Pods that nobody controls, which are in no sum. */
      readonly unmanaged: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

interface Scaled {
  readonly uid: string;
  readonly replicas: number;
}

export class PodScales {
  readonly #client: Client;
  readonly #catalog: KindCatalog;
  /** By kind, in the groups of this server. */
  readonly #owners: Readonly<Record<string, Informer>>;

  constructor(parts: {
    readonly client: Client;
    readonly catalog: KindCatalog;
    readonly owners: Readonly<Record<string, Informer>>;
  }) {
    this.#client = parts.client;
    this.#catalog = parts.catalog;
    this.#owners = parts.owners;
  }

  of(pods: readonly ApiObject[]): PodScale {
    const sizes = new Map<string, number>();
    const unmanaged: string[] = [];
    for (const pod of pods) {
      const controller = controllerOf(pod);
      if (controller === undefined) {
        unmanaged.push(pod.metadata.name);
        continue;
      }
      const scaled = this.#scaledBy(controller, pod.metadata.namespace ?? '');
      if (typeof scaled === 'string') return { ok: false, problem: scaled };
      if (scaled === undefined) {
        return { ok: false, problem: `found no controllers for pod "${pod.metadata.name}"` };
      }
      sizes.set(scaled.uid, scaled.replicas);
    }
    const expected = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    return { ok: true, expected, unmanaged };
  }

  #scaledBy(controller: OwnerReference, namespace: string): Scaled | string | undefined {
    const owner = this.#topOwner(controller, namespace);
    if (owner === undefined) return this.#throughScale(controller, namespace);
    return { uid: owner.metadata.uid ?? '', replicas: sizeOf(owner) };
  }

  /** The object that says how many pods there should be: a set's Deployment before the set. */
  #topOwner(controller: OwnerReference, namespace: string): ApiObject | undefined {
    const owner = this.#owners[controller.kind]?.get(`${namespace}/${controller.name}`);
    if (owner === undefined || owner.metadata.uid !== controller.uid) return undefined;
    const above = controllerOf(owner);
    return (above === undefined ? undefined : this.#topOwner(above, namespace)) ?? owner;
  }

  #throughScale(controller: OwnerReference, namespace: string): Scaled | string | undefined {
    const kind = this.#kindOf(controller);
    if (kind === undefined) {
      return `no matches for kind "${controller.kind}" in version "${controller.apiVersion}"`;
    }
    if (!kind.subresources.some(({ name }) => name === 'scale')) {
      const resource = kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
      return `${resource} does not implement the scale subresource`;
    }
    const scale = this.#scale(addressOf(kind), namespace, controller.name);
    if (scale === undefined || scale.metadata.uid !== controller.uid) return undefined;
    return { uid: controller.uid, replicas: numberAt(scale, 'spec', 'replicas') ?? 0 };
  }

  #kindOf({ apiVersion, kind }: OwnerReference): KindInfo | undefined {
    const wanted = parseApiVersion(apiVersion);
    return [...this.#catalog()].find(
      (known) =>
        known.kind === kind && known.group === wanted?.group && known.version === wanted.version,
    );
  }

  #scale(resource: ResourceAddress, namespace: string, name: string): ApiObject | undefined {
    const { api, context } = this.#client;
    try {
      return api.get({ context, resource, namespace, name, subresource: 'scale' });
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }
}

export function sizeOf(owner: ApiObject): number {
  return numberAt(owner, 'spec', 'replicas') ?? 1;
}
