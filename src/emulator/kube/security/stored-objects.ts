// What decisions about security rest on: the stored objects as they are now, and word of every change to them.
// In: the store. Out: reads by table and key, and followers that have seen a write before it returns.
import type { Watch, WatchEvent } from '../api.ts';
import type { ApiObject } from '../object.ts';

/** The part of the store that security reads. Tables are named `group/plural`. */
export interface StoredObjects {
  get(table: string, key: string): ApiObject | undefined;
  all(table: string, prefix?: string): readonly ApiObject[];
  watch(request: {
    readonly table: string;
    readonly prefix: string;
    readonly from: 'current';
  }): Watch;
}

export const tables = {
  pods: '/pods',
  nodes: '/nodes',
  secrets: '/secrets',
  serviceAccounts: '/serviceaccounts',
  persistentVolumes: '/persistentvolumes',
  persistentVolumeClaims: '/persistentvolumeclaims',
  csiDrivers: 'storage.k8s.io/csidrivers',
  volumeAttachments: 'storage.k8s.io/volumeattachments',
  resourceSlices: 'resource.k8s.io/resourceslices',
  roles: 'rbac.authorization.k8s.io/roles',
  roleBindings: 'rbac.authorization.k8s.io/rolebindings',
  clusterRoles: 'rbac.authorization.k8s.io/clusterroles',
  clusterRoleBindings: 'rbac.authorization.k8s.io/clusterrolebindings',
} as const;

/** Where the store keeps an object; the namespace of cluster-scoped kinds is empty. */
export function keyOf(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/**
 * Hands over everything in a table, then every change, within the write that makes it: what is derived here is
 * never older than what a reader of the store sees. `apply` must not write.
 */
export function follow(
  objects: StoredObjects,
  table: string,
  apply: (event: WatchEvent) => void,
): Disposable {
  const watch = objects.watch({ table, prefix: '', from: 'current' });
  const drain = (): void => {
    for (const event of watch.take()) {
      if (event.type !== 'BOOKMARK' && event.type !== 'ERROR') apply(event);
    }
    if (!watch.closed) watch.wake(drain);
  };
  drain();
  return { [Symbol.dispose]: () => watch.stop() };
}
