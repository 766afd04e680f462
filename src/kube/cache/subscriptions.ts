// Who hears of the changes to a store. In: changes, in order. Out: calls to every subscriber, in the same
// order for all, even when a subscriber causes further changes: those wait until everybody heard the first.
import { asError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';

export type Change<T> =
  | { readonly type: 'added'; readonly after: T }
  | { readonly type: 'updated'; readonly before: T; readonly after: T }
  /** `before` is the last state that is known. */
  | { readonly type: 'deleted'; readonly before: T };

export type ChangeHandler<T> = (change: Change<T>) => void;

interface Subscription<T> {
  readonly handler: ChangeHandler<T>;
  /** Changes numbered below were in the store already when this subscriber came. */
  readonly since: number;
}

export class Subscriptions<T> {
  readonly #log: Logger;
  readonly #subscriptions = new Set<Subscription<T>>();
  #queue: Change<T>[] = [];
  /** Number of the first change in the queue. */
  #first = 0;
  #delivering = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** The newcomer first hears of all there is, as additions; what that causes, it hears after. */
  add(handler: ChangeHandler<T>, present: readonly T[]): () => void {
    const subscription = { handler, since: this.#first + this.#queue.length };
    this.#subscriptions.add(subscription);
    this.#exclusively(() => {
      for (const after of present) this.#tell(subscription, { type: 'added', after });
    });
    return () => void this.#subscriptions.delete(subscription);
  }

  publish(change: Change<T>): void {
    this.#queue.push(change);
    this.#exclusively(() => undefined);
  }

  /** Runs `first`, then tells what is queued, unless somebody further up is at it already. */
  #exclusively(first: () => void): void {
    if (this.#delivering) {
      first();
      return;
    }
    this.#delivering = true;
    first();
    // Grows while it is walked: what a subscriber causes is told after what it heard.
    for (let index = 0; index < this.#queue.length; index++) {
      const next = this.#queue[index] as Change<T>;
      for (const subscription of this.#subscriptions) {
        if (this.#first + index >= subscription.since) this.#tell(subscription, next);
      }
    }
    this.#first += this.#queue.length;
    this.#queue = [];
    this.#delivering = false;
  }

  #tell({ handler }: Subscription<T>, change: Change<T>): void {
    try {
      handler(change);
    } catch (thrown) {
      this.#log.error('cache subscriber failed', { error: asError(thrown) });
    }
  }
}
