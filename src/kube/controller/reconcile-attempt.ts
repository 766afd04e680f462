// One call of a reconciler and what follows from how it ended. In: a reconciler and a key. Out: the key queued
// again (or not), its backoff counted or ended, one log line at most, and the metrics of the outcome.
// An attempt ends when the reconciler has returned, never before: see invariant 1 of controller.ts.
import type { Clock } from '../../base/clock.ts';
import { asError, CodedError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { ControllerMeter } from './controller-metrics.ts';
import { errorsIn, isTerminal, type Reconcile, type ReconcileResult } from './reconcile.ts';

interface AttemptOptions {
  readonly key: string;
  readonly reconcile: Reconcile;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeoutMs: number | undefined;
  readonly meter: ControllerMeter | undefined;
  readonly log: () => Logger;
}

type Attempt =
  | { readonly ok: true; readonly result: ReconcileResult }
  | { readonly ok: false; readonly error: Error };

/** The part of a work queue that the end of an attempt needs. */
interface RetryQueue {
  addAfter(key: string, delayMs: number): void;
  addRateLimited(key: string): void;
  forget(key: string): void;
}

/** Calls the reconciler; never rejects. */
export async function attempt(options: AttemptOptions): Promise<Attempt> {
  const { key, reconcile, meter, log } = options;
  using limit = limitSignal(options);
  const request = {
    key,
    signal: limit.signal,
    // Made when first used: most reconciles have nothing to say, and a logger costs more than a small reconcile.
    get log() {
      return log();
    },
  };
  try {
    return { ok: true, result: await reconcile(request) };
  } catch (thrown) {
    if (!(thrown instanceof Error)) meter?.panic();
    return { ok: false, error: asError(thrown) };
  }
}

interface SettleOptions extends AttemptOptions {
  readonly queue: RetryQueue;
  readonly isConflict: (error: unknown) => boolean;
}

/** Decides when the key is looked at again. */
export function settle(attempt: Attempt, options: SettleOptions): void {
  const { key, queue, meter, signal } = options;
  if (attempt.ok) {
    const { requeueAfterMs } = attempt.result;
    queue.forget(key);
    if (requeueAfterMs !== undefined) queue.addAfter(key, requeueAfterMs);
    meter?.outcome(requeueAfterMs === undefined ? 'success' : 'requeue_after');
  } else if (!signal.aborted) {
    // What fails because everything stops is no failure of the reconciler.
    settleFailure(attempt.error, options);
  }
}

function settleFailure(error: Error, options: SettleOptions): void {
  const { key, queue, meter, isConflict, log } = options;
  if (errorsIn(error).every(isConflict)) {
    queue.addRateLimited(key);
    meter?.outcome('requeue');
    return;
  }
  meter?.outcome('error');
  if (isTerminal(error)) {
    meter?.terminalError();
    queue.forget(key);
  } else {
    queue.addRateLimited(key);
  }
  log().error('Reconciler error', { error });
}

/** A signal that aborts with the outer one or when the time is up. */
function limitSignal(options: AttemptOptions): { signal: AbortSignal } & Disposable {
  const { clock, key, meter, signal, timeoutMs } = options;
  if (timeoutMs === undefined) return { signal, [Symbol.dispose]: () => undefined };
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = clock.setTimer(
    timeoutMs,
    () => {
      meter?.timeout();
      controller.abort(
        new CodedError('ReconcileTimeout', 'reconcile took too long', { fields: { timeoutMs } }),
      );
    },
    `reconcile ${key}`,
  );
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      timer.cancel();
      signal.removeEventListener('abort', onAbort);
    },
  };
}
