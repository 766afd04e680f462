// A store with a virtual clock for the tests of this folder: objects go in as short literals, the rest is filled in.
import { VirtualClock } from '../../../base/virtual-clock.ts';
import { seededRandom, type Random } from '../../../base/random.ts';
import type { UserInfo } from '../api.ts';
import type { JsonObject } from '../json.ts';
import { withMeta, type ApiObject } from '../object.ts';
import { Store } from '../store/store.ts';
import { keyOf } from './stored-objects.ts';

export class Fixture {
  readonly clock = new VirtualClock();
  readonly random: Random = seededRandom(1);
  readonly store = new Store({ clock: this.clock });
  #uids = 0;

  readonly newUid = (): string => `uid-${++this.#uids}`;

  /** Stores the object in its table; a uid is given unless the object has one or is there already. */
  put(table: string, object: ApiObject): ApiObject {
    const { name, namespace = '', uid } = object.metadata;
    const key = keyOf(namespace, name);
    const known = this.store.get(table, key)?.metadata.uid;
    return this.store.put(table, key, withMeta(object, { uid: uid ?? known ?? this.newUid() }));
  }

  /** Roles and bindings, each in the table of its kind. */
  putPolicy(objects: readonly ApiObject[]): void {
    for (const object of objects) {
      this.put(`rbac.authorization.k8s.io/${object.kind.toLowerCase()}s`, object);
    }
  }

  remove(table: string, name: string, namespace = ''): void {
    this.store.delete(table, keyOf(namespace, name));
  }
}

/** `named('Pod', 'shop/web', { spec: … })`; without a slash it is cluster-scoped. */
export function named(kind: string, place: string, body: JsonObject = {}): ApiObject {
  const slash = place.indexOf('/');
  const metadata =
    slash === -1
      ? { name: place }
      : { name: place.slice(slash + 1), namespace: place.slice(0, slash) };
  return { apiVersion: 'v1', kind, metadata, ...body };
}

export function user(username: string, ...groups: readonly string[]): UserInfo {
  return { username, groups };
}

export function kubelet(node: string): UserInfo {
  return user(`system:node:${node}`, 'system:nodes', 'system:authenticated');
}
