// The informers of a program: one per kind and selector, shared by all who ask. In: kinds. Out: informers,
// and whether all of them have seen everything (what /readyz asks).
// Results of the client's writes go straight into the stores, so that nobody misses a write of their own.
import type { KubeObject } from '../../api/meta.ts';
import { apiVersionOf, type ResourceType } from '../../api/resource-type.ts';
import type { DeletedRef, WriteObserver } from '../client/client.ts';
import {
  Informer,
  type InformerOptions,
  type InformerScope,
  type InformerStatus,
} from './informer.ts';
import type { IndexFunction } from './store-index.ts';

export type InformerSetOptions = Pick<
  InformerOptions<KubeObject>,
  'client' | 'clock' | 'random' | 'log' | 'metrics' | 'freeze'
>;

type AnyInformer = Informer<KubeObject, string>;

export class InformerSet implements WriteObserver {
  readonly #options: InformerSetOptions;
  readonly #byScope = new Map<string, AnyInformer>();
  #unobserve: (() => void) | undefined;

  constructor(options: InformerSetOptions) {
    this.#options = options;
  }

  /**
   * The informer of this kind and selector, made on first call. Later callers may bring further indexes;
   * transform and optional are the first caller's. One made after `start` starts at once.
   */
  for<T extends KubeObject, Index extends string = never>(
    type: ResourceType<T>,
    scope: InformerScope<T, Index> = {},
  ): Informer<T, Index> {
    const key = scopeKey(type, scope.selector);
    const known = this.#byScope.get(key) as Informer<T, Index> | undefined;
    if (known !== undefined) {
      for (const [name, valuesOf] of Object.entries(scope.indexes ?? {})) {
        known.store.addIndex(name, valuesOf as IndexFunction<T>);
      }
      return known;
    }
    const informer = new Informer<T, Index>({ ...this.#options, ...scope, type });
    this.#byScope.set(key, informer as unknown as AnyInformer);
    if (this.#unobserve !== undefined) informer.start();
    return informer;
  }

  /** True when every read is complete. */
  get ready(): boolean {
    return this.#byScope.values().every((informer) => informer.ready);
  }

  /** Resolves when every informer made so far is ready; rejects with the signal's reason. */
  async synced(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#byScope.values().map((informer) => informer.synced(signal)));
  }

  /** For people: how each kind is doing. */
  statuses(): { readonly type: ResourceType; readonly status: InformerStatus }[] {
    return Array.from(this.#byScope.values(), ({ type, status }) => ({ type, status }));
  }

  start(): void {
    this.#unobserve ??= this.#options.client.observeWrites(this);
    for (const informer of this.#byScope.values()) informer.start();
  }

  async stop(): Promise<void> {
    this.#unobserve?.();
    this.#unobserve = undefined;
    await Promise.all(this.#byScope.values().map((informer) => informer.stop()));
  }

  written<T extends KubeObject>(type: ResourceType<T>, object: T): void {
    for (const informer of this.#ofKind(type)) informer.store.assume(object);
  }

  deleted(type: ResourceType, ref: DeletedRef): void {
    for (const informer of this.#ofKind(type)) informer.store.assumeDeleted(ref);
  }

  #ofKind(type: ResourceType): Iterable<AnyInformer> {
    const group = apiVersionOf(type);
    return this.#byScope
      .values()
      .filter((known) => known.type.plural === type.plural && apiVersionOf(known.type) === group);
  }
}

function scopeKey(
  type: ResourceType,
  selector: InformerScope<KubeObject>['selector'] = {},
): string {
  const { namespace, labelSelector, fieldSelector } = selector;
  return JSON.stringify([apiVersionOf(type), type.plural, namespace, labelSelector, fieldSelector]);
}
