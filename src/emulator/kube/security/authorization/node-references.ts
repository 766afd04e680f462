// Which objects a node may read because a pod on it needs them. In: every change to pods. Out: yes or no, at once.
// 1. A reference counts from the write that binds the pod until the write that removes it.
// 2. Mirror pods are written by nodes themselves and so refer to nothing.
import type { WatchEvent } from '../../api.ts';
import { at, stringAt } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { isMirrorPod, podReferences, type ReferencedKind } from '../pod-references.ts';
import { follow, keyOf, tables, type StoredObjects } from '../stored-objects.ts';

interface PodEntry {
  readonly node: string;
  readonly spec: unknown;
  readonly status: unknown;
  readonly references: readonly string[];
}

export class NodeReferences {
  readonly #objects: StoredObjects;
  readonly #pods = new Map<string, PodEntry>();
  /** How many pods of a node need an object. */
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #follower: Disposable;

  constructor(objects: StoredObjects) {
    this.#objects = objects;
    this.#follower = follow(objects, tables.pods, (event) => this.#apply(event));
  }

  /** True if a pod on the node refers to the object, directly or through the volume of its claim. */
  has(node: string, kind: ReferencedKind, namespace: string, name: string): boolean {
    if (this.#counts.get(id(kind, namespace, name))?.has(node) === true) return true;
    return kind === 'secrets' && this.#hasThroughVolume(node, namespace, name);
  }

  hasPod(node: string, namespace: string, name: string): boolean {
    return this.#pods.get(keyOf(namespace, name))?.node === node;
  }

  hasVolume(node: string, name: string): boolean {
    const volume = this.#objects.get(tables.persistentVolumes, name);
    return volume !== undefined && this.#hasClaimOf(node, volume);
  }

  close(): void {
    this.#follower[Symbol.dispose]();
  }

  #apply(event: WatchEvent): void {
    const pod = event.object;
    const { name, namespace = '' } = pod.metadata;
    const key = keyOf(namespace, name);
    const known = this.#pods.get(key);
    const isGone = event.type === 'DELETED' || !isBound(pod);
    // Most changes are to metadata; what did not change is shared with the object before.
    if (known !== undefined && !isGone && isUnchanged(known, pod)) return;
    if (known !== undefined) this.#count(known, -1);
    this.#pods.delete(key);
    if (isGone) return;
    const entry = toEntry(pod);
    this.#pods.set(key, entry);
    this.#count(entry, 1);
  }

  #count(entry: PodEntry, change: 1 | -1): void {
    for (const reference of entry.references) {
      const counts = this.#counts.get(reference) ?? new Map<string, number>();
      const count = (counts.get(entry.node) ?? 0) + change;
      if (count > 0) counts.set(entry.node, count);
      else counts.delete(entry.node);
      if (counts.size > 0) this.#counts.set(reference, counts);
      else this.#counts.delete(reference);
    }
  }

  /** Volumes with secrets are rare, and so is this question: it is asked of all of them. */
  #hasThroughVolume(node: string, namespace: string, name: string): boolean {
    return this.#objects
      .all(tables.persistentVolumes)
      .some(
        (volume) => volumeNamesSecret(volume, namespace, name) && this.#hasClaimOf(node, volume),
      );
  }

  #hasClaimOf(node: string, volume: ApiObject): boolean {
    const name = stringAt(volume, 'spec', 'claimRef', 'name');
    const namespace = stringAt(volume, 'spec', 'claimRef', 'namespace') ?? '';
    return name !== undefined && this.has(node, 'persistentvolumeclaims', namespace, name);
  }
}

function isBound(pod: ApiObject): boolean {
  return (stringAt(pod, 'spec', 'nodeName') ?? '') !== '';
}

function isUnchanged(entry: PodEntry, pod: ApiObject): boolean {
  return entry.spec === pod['spec'] && entry.status === pod['status'];
}

function toEntry(pod: ApiObject): PodEntry {
  const { namespace = '' } = pod.metadata;
  const references = isMirrorPod(pod) ? [] : podReferences(pod);
  return {
    node: stringAt(pod, 'spec', 'nodeName') ?? '',
    spec: pod['spec'],
    status: pod['status'],
    references: references.map((reference) => id(reference.kind, namespace, reference.name)),
  };
}

function id(kind: ReferencedKind, namespace: string, name: string): string {
  return `${kind} ${namespace}/${name}`;
}

/** Only the secrets that a kubelet mounts with; those of the controller's side are none of its business. */
function volumeNamesSecret(volume: ApiObject, namespace: string, name: string): boolean {
  const references = ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'];
  const isOfDriver = references.some(
    (field) =>
      at(volume, 'spec', 'csi', field, 'name') === name &&
      at(volume, 'spec', 'csi', field, 'namespace') === namespace,
  );
  const share = at(volume, 'spec', 'azureFile');
  const shareNamespace =
    stringAt(share, 'secretNamespace') ?? stringAt(volume, 'spec', 'claimRef', 'namespace');
  return isOfDriver || (stringAt(share, 'secretName') === name && shareNamespace === namespace);
}
