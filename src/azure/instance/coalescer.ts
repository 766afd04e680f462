// Requests that can go together do. In: requests with a key. Out: each one's answer, from a call made for all of a key at once.
// 1. The window is one for all keys: it closes when nothing new has come for a while, after its longest time, or when one
//    group is full. Then every group goes, each in a call of its own; what comes later waits for the next window.
// 2. A call that fails as a whole fails each of its requests.
import type { Clock, Timer } from '../../base/clock.ts';
import { asError, CodedError } from '../../base/errors.ts';

export interface CoalescerOptions<T, R> {
  readonly clock: Clock;
  readonly idleMs: number;
  readonly maxMs: number;
  readonly maxSize: number;
  /** One outcome a request, in their order. */
  execute(requests: readonly T[]): Promise<readonly (R | Error)[]>;
}

interface Waiting<T, R> {
  readonly request: T;
  readonly resolve: (answer: R) => void;
  readonly reject: (error: Error) => void;
}

export class Coalescer<T, R> {
  readonly #options: CoalescerOptions<T, R>;
  #groups = new Map<string, Waiting<T, R>[]>();
  #idle: Timer | undefined;
  #longest: Timer | undefined;

  constructor(options: CoalescerOptions<T, R>) {
    this.#options = options;
  }

  run(key: string, request: T): Promise<R> {
    const { clock, idleMs, maxMs, maxSize } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    const group = this.#groups.get(key) ?? [];
    group.push({ request, resolve, reject });
    this.#groups.set(key, group);
    this.#idle?.cancel();
    if (group.length >= maxSize) {
      this.#close();
      return promise;
    }
    this.#idle = clock.setTimer(idleMs, () => this.#close(), 'machine batch idle');
    this.#longest ??= clock.setTimer(maxMs, () => this.#close(), 'machine batch');
    return promise;
  }

  #close(): void {
    this.#idle?.cancel();
    this.#longest?.cancel();
    this.#longest = undefined;
    const groups = this.#groups;
    this.#groups = new Map();
    for (const group of groups.values()) void this.#execute(group);
  }

  async #execute(group: readonly Waiting<T, R>[]): Promise<void> {
    let outcomes: readonly (R | Error)[];
    try {
      outcomes = await this.#options.execute(group.map(({ request }) => request));
    } catch (error) {
      outcomes = group.map(() => asError(error));
    }
    for (const [i, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[i];
      if (outcome instanceof Error) reject(outcome);
      else if (i < outcomes.length) resolve(outcome as R);
      else reject(new CodedError('OutcomeMissing', 'a batch gave no outcome for a request'));
    }
  }
}
