// The garbage collector: dependents follow their owners. In: every object of every kind. Out: deletions, dropped
// owner references, and the end of the two finalizers `orphan` and `foregroundDeletion`.
//
//   background   owner gone ──▶ dependents deleted
//   foreground   owner waits ──▶ blocking dependents deleted ──▶ finalizer removed ──▶ owner gone
//   orphan       owner waits ──▶ references dropped ──▶ finalizer removed ──▶ owner gone
//
// 1. What has a living owner stays. 2. A namespaced owner is looked for in the dependent's own namespace only.
import { withMeta, type ApiObject, type OwnerReference } from '../../object.ts';
import { parseApiVersion } from '../../object.ts';
import { address } from '../runtime/addresses.ts';
import type {
  Again,
  Controller,
  ControllerContext,
  ControllerFactory,
} from '../runtime/controller.ts';
import { objectKey, type Change, type Informer } from '../runtime/informer.ts';
import {
  addressOf,
  collectableKinds,
  type KindCatalog,
  type KindInfo,
} from '../runtime/kind-catalog.ts';
import { judge, type OwnerState } from './verdict.ts';

interface Tracked {
  readonly kind: KindInfo;
  readonly informer: Informer;
}

const byOwner = 'owner';

export function garbageCollector(catalog: KindCatalog): ControllerFactory {
  return (context) => new GarbageCollector(context, catalog);
}

class GarbageCollector implements Controller {
  readonly name = 'garbage-collector-controller';
  readonly #context: ControllerContext;
  readonly #catalog: KindCatalog;
  /** By storage. */
  readonly #tracked = new Map<string, Tracked>();

  constructor(context: ControllerContext, catalog: KindCatalog) {
    this.#context = context;
    this.#catalog = catalog;
    this.#track();
    context.informers.of(address.definitions).onChange(() => this.#track());
  }

  /** Keys are `storage|namespace/name`. */
  reconcile(key: string): Again {
    const bar = key.indexOf('|');
    const tracked = this.#tracked.get(key.slice(0, bar));
    const object = tracked?.informer.get(key.slice(bar + 1));
    if (tracked === undefined || object === undefined) return undefined;
    const { finalizers = [], deletionTimestamp } = object.metadata;
    if (deletionTimestamp !== undefined) {
      if (finalizers.includes('orphan')) this.#orphanDependents(tracked, object);
      else if (finalizers.includes('foregroundDeletion')) this.#deleteDependents(tracked, object);
      return undefined;
    }
    this.#judge(tracked, object);
    return undefined;
  }

  #track(): void {
    const kinds = collectableKinds(this.#catalog);
    const present = new Set(kinds.map(({ storage }) => storage));
    for (const [storage, { informer }] of this.#tracked) {
      if (present.has(storage)) continue;
      informer.stop();
      this.#tracked.delete(storage);
    }
    for (const kind of kinds) {
      // Events are many, short-lived, and own nothing.
      if (this.#tracked.has(kind.storage) || kind.plural === 'events') continue;
      const informer = this.#context.informers.of(addressOf(kind));
      informer.addIndex(byOwner, (object) =>
        (object.metadata.ownerReferences ?? []).map(({ uid }) => uid),
      );
      informer.onChange((change) => this.#concern(kind, change));
      this.#tracked.set(kind.storage, { kind, informer });
      for (const object of informer.values())
        this.#concern(kind, { before: undefined, after: object });
    }
  }

  #concern(kind: KindInfo, { before, after }: Change): void {
    if (after === undefined) {
      if (before !== undefined) this.#enqueueRelated(before);
      return;
    }
    const { ownerReferences = [], deletionTimestamp } = after.metadata;
    if (ownerReferences.length > 0 || deletionTimestamp !== undefined) {
      this.#context.enqueue(`${kind.storage}|${objectKey(after)}`);
    }
    const owners = (object: ApiObject): string =>
      JSON.stringify(object.metadata.ownerReferences ?? []);
    if (before !== undefined && owners(before) !== owners(after)) this.#enqueueOwners(before);
  }

  /** After an object is gone its dependents may have to follow, and its owners may have waited for it. */
  #enqueueRelated(gone: ApiObject): void {
    for (const { tracked, object } of this.#dependentsOf(gone)) {
      this.#context.enqueue(`${tracked.kind.storage}|${objectKey(object)}`);
    }
    this.#enqueueOwners(gone);
  }

  #enqueueOwners(object: ApiObject): void {
    for (const reference of object.metadata.ownerReferences ?? []) {
      const found = this.#ownerOf(object, reference);
      if (found?.owner === undefined) continue;
      this.#context.enqueue(`${found.tracked.kind.storage}|${objectKey(found.owner)}`);
    }
  }

  #dependentsOf(owner: ApiObject): readonly { tracked: Tracked; object: ApiObject }[] {
    const uid = owner.metadata.uid ?? '';
    return [...this.#tracked.values()].flatMap((tracked) =>
      tracked.informer.indexed(byOwner, uid).map((object) => ({ tracked, object })),
    );
  }

  #judge(tracked: Tracked, object: ApiObject): void {
    const { ownerReferences = [], finalizers = [] } = object.metadata;
    const owners = ownerReferences.map((reference) => ({
      reference,
      state: this.#stateOf(tracked.kind, object, reference),
    }));
    const hasBlockingDependents = this.#dependentsOf(object).length > 0;
    const verdict = judge(owners, { finalizers, hasBlockingDependents });
    const resource = addressOf(tracked.kind);
    if (verdict.kind === 'delete') {
      this.#context.client.delete(resource, object, { propagationPolicy: verdict.policy });
    } else if (verdict.kind === 'drop-references') {
      this.#context.client.update(resource, withMeta(object, { ownerReferences: verdict.kept }));
    }
  }

  #stateOf(kind: KindInfo, object: ApiObject, reference: OwnerReference): OwnerState {
    const found = this.#ownerOf(object, reference);
    if (found === undefined) return 'unknown';
    if (found.tracked.kind.namespaced && !kind.namespaced) {
      const message = `ownerRef [${reference.apiVersion}/${reference.kind}, namespace: , name: ${reference.name}, uid: ${reference.uid}] does not exist in namespace ""`;
      const about = { about: object, type: 'Warning' as const, reason: 'OwnerRefInvalidNamespace' };
      this.#context.events.say({ ...about, message });
      return 'unknown';
    }
    const { owner } = found;
    if (owner === undefined || owner.metadata.uid !== reference.uid) return 'gone';
    const { deletionTimestamp, finalizers = [] } = owner.metadata;
    const waits = deletionTimestamp !== undefined && finalizers.includes('foregroundDeletion');
    return waits ? 'waiting' : 'solid';
  }

  /** Undefined when the owner's kind is not served. */
  #ownerOf(
    object: ApiObject,
    reference: OwnerReference,
  ): { readonly tracked: Tracked; readonly owner: ApiObject | undefined } | undefined {
    const parsed = parseApiVersion(reference.apiVersion);
    const tracked = [...this.#tracked.values()].find(
      ({ kind }) => kind.group === parsed?.group && kind.kind === reference.kind,
    );
    if (tracked === undefined) return undefined;
    const { namespace } = object.metadata;
    const key =
      tracked.kind.namespaced && namespace !== undefined
        ? `${namespace}/${reference.name}`
        : reference.name;
    return { tracked, owner: tracked.informer.get(key) };
  }

  #deleteDependents(tracked: Tracked, owner: ApiObject): void {
    const blocking = this.#dependentsOf(owner).filter(({ object }) =>
      object.metadata.ownerReferences?.some(
        ({ uid, blockOwnerDeletion }) => uid === owner.metadata.uid && blockOwnerDeletion === true,
      ),
    );
    for (const dependent of this.#dependentsOf(owner)) {
      this.#context.enqueue(`${dependent.tracked.kind.storage}|${objectKey(dependent.object)}`);
    }
    if (blocking.length === 0) this.#release(tracked, owner, 'foregroundDeletion');
  }

  #orphanDependents(tracked: Tracked, owner: ApiObject): void {
    for (const { tracked: where, object } of this.#dependentsOf(owner)) {
      const kept = (object.metadata.ownerReferences ?? []).filter(
        ({ uid }) => uid !== owner.metadata.uid,
      );
      const changed = withMeta(object, { ownerReferences: kept.length === 0 ? undefined : kept });
      this.#context.client.update(addressOf(where.kind), changed);
    }
    this.#release(tracked, owner, 'orphan');
  }

  #release({ kind }: Tracked, owner: ApiObject, finalizer: string): void {
    const kept = (owner.metadata.finalizers ?? []).filter((other) => other !== finalizer);
    const changed = withMeta(owner, { finalizers: kept.length === 0 ? undefined : kept });
    this.#context.client.update(addressOf(kind), changed);
  }
}
