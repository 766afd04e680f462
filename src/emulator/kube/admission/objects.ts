// Small habits of the cluster with other kinds: a new node is not trusted before it is ready, volumes in use are not
// lost, and a claim without a class gets the default one.
import { at, objectsAt, stringAt, withValue } from '../json.ts';
import { withMeta, type ApiObject } from '../object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../ports.ts';
import type { Store } from '../store/store.ts';

function isNew(request: AdmissionRequest, resource: string): boolean {
  return (
    request.operation === 'CREATE' &&
    request.group === '' &&
    request.resource === resource &&
    request.subresource === ''
  );
}

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

export const taintNodes: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  mutate: (node, request) => {
    if (!isNew(request, 'nodes')) return node;
    const taints = objectsAt(node, 'spec', 'taints');
    const isThere = taints.some(
      (taint) =>
        stringAt(taint, 'key') === notReady.key && stringAt(taint, 'effect') === notReady.effect,
    );
    return isThere ? node : withValue(node, ['spec', 'taints'], [...taints, notReady]);
  },
};

const protectedBy: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
};

export const protectVolumes: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  mutate: (object, request) => {
    const finalizer = protectedBy[request.resource];
    if (finalizer === undefined || !isNew(request, request.resource)) return object;
    const { finalizers = [] } = object.metadata;
    if (finalizers.includes(finalizer)) return object;
    return withMeta(object, { finalizers: [...finalizers, finalizer] });
  },
};

const defaultAnnotation = 'storageclass.kubernetes.io/is-default-class';

function newest(classes: readonly ApiObject[]): ApiObject | undefined {
  return classes.toSorted((a, b) => {
    const first = a.metadata.creationTimestamp ?? '';
    const second = b.metadata.creationTimestamp ?? '';
    if (first !== second) return first < second ? 1 : -1;
    return a.metadata.name < b.metadata.name ? -1 : 1;
  })[0];
}

export function defaultStorageClass(store: Store): AdmissionPlugin {
  return {
    name: 'DefaultStorageClass',
    mutate: (claim, request) => {
      if (!isNew(request, 'persistentvolumeclaims')) return claim;
      if (at(claim, 'spec', 'storageClassName') !== undefined) return claim;
      const defaults = store
        .all('storage.k8s.io/storageclasses')
        .filter((item) => item.metadata.annotations?.[defaultAnnotation] === 'true');
      const found = newest(defaults);
      return found === undefined
        ? claim
        : withValue(claim, ['spec', 'storageClassName'], found.metadata.name);
    },
  };
}
