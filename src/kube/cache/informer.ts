// One kind, cached and kept current: a store and the reflector that feeds it, with a start and an end.
// After `stop` resolves nothing of it runs; what the store holds stays readable, and stands still.
import { abortReason, type Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Random } from '../../base/random.ts';
import type { KubeObject } from '../../api/meta.ts';
import type { ResourceType } from '../../api/resource-type.ts';
import type { SelectorOptions } from '../client/call-options.ts';
import type { WatchMetrics } from '../client/client-metrics.ts';
import type { KubeClient } from '../client/client.ts';
import { ObjectCodec } from './object-codec.ts';
import { Reflector, type ReflectorStatus } from './reflector.ts';
import { Store, type StoreOptions } from './store.ts';
import type { ChangeHandler } from './subscriptions.ts';

/** What to cache of a kind, and how. */
export interface InformerScope<T extends KubeObject, Index extends string = never> extends Omit<
  StoreOptions<T, Index>,
  'log' | 'partial' | 'lean'
> {
  readonly selector?: SelectorOptions | undefined;
  /** A kind whose CRD may be absent: nobody waits for it while it is. */
  readonly optional?: boolean | undefined;
}

export interface InformerOptions<
  T extends KubeObject,
  Index extends string = never,
> extends InformerScope<T, Index> {
  readonly client: KubeClient;
  readonly type: ResourceType<T>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics?: WatchMetrics | undefined;
}

export type InformerStatus = ReflectorStatus | { readonly phase: 'stopped' };

export class Informer<T extends KubeObject, Index extends string = never> {
  readonly type: ResourceType<T>;
  readonly store: Store<T, Index>;
  readonly #optional: boolean;
  readonly #reflector: Reflector<T>;
  readonly #waiting = new Set<() => void>();
  #status: InformerStatus = { phase: 'stopped' };
  #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: InformerOptions<T, Index>) {
    const { selector } = options;
    const partial = selector?.labelSelector !== undefined || selector?.fieldSelector !== undefined;
    this.type = options.type;
    this.#optional = options.optional ?? false;
    const codec = new ObjectCodec(options.type);
    const lean = (object: T): T => codec.lean(object);
    this.store = new Store({ ...options, partial, lean });
    this.#reflector = new Reflector({
      ...options,
      codec,
      store: this.store,
      onStatus: (status) => this.#setStatus(status),
    });
  }

  get status(): InformerStatus {
    return this.#status;
  }

  /** True when reads are complete. An optional kind that the server does not have is complete too. */
  get ready(): boolean {
    return this.store.synced || (this.#optional && this.#status.phase === 'missing');
  }

  /** Resolves when ready; rejects with the signal's reason. */
  synced(signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => {
      this.#waiting.delete(done);
      reject(abortReason(signal as AbortSignal));
    };
    const done = (): void => {
      signal?.removeEventListener('abort', abort);
      resolve();
    };
    if (this.ready) done();
    else if (signal?.aborted === true) abort();
    else {
      this.#waiting.add(done);
      signal?.addEventListener('abort', abort, { once: true });
    }
    return promise;
  }

  /** Hears of all there is, as additions, then of every change. Returns how to stop that. */
  subscribe(handler: ChangeHandler<T>): () => void {
    return this.store.subscribe(handler);
  }

  start(): void {
    if (this.#running !== undefined) return;
    this.#stopping = new AbortController();
    this.#status = { phase: 'listing' };
    this.#running = this.#reflector.run(this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#running = undefined;
    this.#status = { phase: 'stopped' };
  }

  #setStatus(status: InformerStatus): void {
    this.#status = status;
    if (!this.ready) return;
    for (const done of this.#waiting) done();
    this.#waiting.clear();
  }
}
