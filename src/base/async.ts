// Waiting done right: every wait takes a clock and a signal, so that it can be driven by virtual time
// and is over as soon as its owner stops. Nothing here swallows an error or outlives its signal.
import { abortReason, sleep, type Clock } from './clock.ts';
import { CodedError } from './errors.ts';
import type { Random } from './random.ts';

export interface Backoff {
  readonly baseMs: number;
  readonly maxMs: number;
  readonly factor?: number;
  /** Share of each delay that is drawn at random: 0 none, 1 the whole delay. */
  readonly jitter?: number;
}

/** The delay before try number `attempt` (0 = the first retry). */
export function backoffDelay(backoff: Backoff, attempt: number, random?: Random): number {
  const { baseMs, maxMs, factor = 2, jitter = 0 } = backoff;
  // The exponent is bounded: 2^1100 is Infinity, and Infinity × 0 would be no number at all.
  const full = Math.min(maxMs, baseMs * factor ** Math.min(attempt, 64));
  if (jitter === 0 || random === undefined) return full;
  return full * (1 - jitter) + full * jitter * random.next();
}

/** Runs `operation` until it succeeds, `shouldRetry` says no, the attempts are spent, or the signal aborts. */
export async function retry<T>(
  options: {
    readonly clock: Clock;
    readonly backoff: Backoff;
    readonly attempts: number;
    readonly signal?: AbortSignal | undefined;
    readonly random?: Random;
    readonly shouldRetry?: (error: unknown) => boolean;
  },
  operation: (attempt: number) => Promise<T>,
): Promise<T> {
  const { clock, backoff, attempts, signal, random, shouldRetry = () => true } = options;
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await operation(attempt);
    } catch (error) {
      if (attempt + 1 >= attempts || !shouldRetry(error)) throw error;
      await sleep(clock, backoffDelay(backoff, attempt, random), { signal, label: 'retry' });
    }
  }
}

/**
 * Maps with at most `limit` calls under way; results keep the order of the items. The first failure stops
 * new calls, waits for those under way, and is thrown: nothing runs on behind the caller's back.
 */
export async function mapLimit<T, R>(
  items: readonly T[],
  options: { readonly limit: number; readonly signal?: AbortSignal | undefined },
  map: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const { limit, signal } = options;
  const results = Array.from<R>({ length: items.length });
  let next = 0;
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        signal?.throwIfAborted();
        results[index] = await map(items[index] as T, index);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}

/** Callers that ask for the same key while a call is under way share its outcome. */
export class SingleFlight<T> {
  readonly #underWay = new Map<string, Promise<T>>();

  run(key: string, operation: () => Promise<T>): Promise<T> {
    const running = this.#underWay.get(key);
    if (running !== undefined) return running;
    const started = operation().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, started);
    return started;
  }
}

/**
 * Runs `operation` with a signal that aborts after `timeoutMs` or with the outer signal. Throws
 * DeadlineExceeded when time was up, even if the operation ignores its signal.
 */
export async function withDeadline<T>(
  options: {
    readonly clock: Clock;
    readonly timeoutMs: number;
    readonly signal?: AbortSignal | undefined;
    readonly what: string;
  },
  operation: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { clock, timeoutMs, signal, what } = options;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  const stop = (reason: Error): void => {
    controller.abort(reason);
    reject(reason);
  };
  const onAbort = (): void => stop(abortReason(signal as AbortSignal));
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer = clock.setTimer(
    timeoutMs,
    () =>
      stop(
        new CodedError('DeadlineExceeded', 'operation took too long', {
          fields: { what, timeoutMs },
        }),
      ),
    `deadline: ${what}`,
  );
  try {
    return await Promise.race([operation(controller.signal), interrupted]);
  } finally {
    timer.cancel();
    signal?.removeEventListener('abort', onAbort);
    interrupted.catch(() => undefined);
  }
}
