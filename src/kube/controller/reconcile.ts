// The contract of a reconciler: one key in, the world moved towards what is wanted, one of three answers out.
//  - It returns: done, or `requeueAfterMs` to look again. Either ends the key's backoff.
//  - It throws: tried again with backoff. It throws TerminalError: not tried again until something changes.
// A reconciler is told which object changed, never what changed: it looks at the present and acts on that.
import { CodedError, describeError, hasCode, type ErrorFields } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';

export interface ReconcileRequest {
  readonly key: string;
  /** Aborts when the controller stops or the reconcile has taken too long. */
  readonly signal: AbortSignal;
  /** Carries the controller, the object and an id of this reconcile. */
  readonly log: Logger;
}

export interface ReconcileResult {
  /** Look again after this time, whatever happens until then. */
  readonly requeueAfterMs?: number;
}

export type Reconcile = (request: ReconcileRequest) => Promise<ReconcileResult>;

/** A person must change something first: no use in trying again. */
export class TerminalError extends CodedError<'TerminalError'> {
  constructor(
    message: string,
    options: { readonly fields?: ErrorFields; readonly cause?: unknown } = {},
  ) {
    super('TerminalError', message, options);
  }
}

/** Several steps of one reconcile failed. */
export class CombinedError extends CodedError<'CombinedError'> {
  readonly errors: readonly unknown[];

  constructor(errors: readonly unknown[]) {
    super('CombinedError', 'several steps failed', {
      fields: { errors: errors.map(describeError) },
    });
    this.errors = errors;
  }
}

/** The errors that a combined one stands for, or the error itself. */
export function errorsIn(error: unknown): readonly unknown[] {
  return error instanceof CombinedError ? error.errors.flatMap(errorsIn) : [error];
}

/** Whether nothing in the error is worth another try. */
export function isTerminal(error: unknown): boolean {
  return errorsIn(error).every((one) => hasCode(one, 'TerminalError'));
}

/** The result that wants to look again the soonest. */
export function earliest(results: readonly ReconcileResult[]): ReconcileResult {
  const delays = results.flatMap(({ requeueAfterMs }) => requeueAfterMs ?? []);
  return delays.length === 0 ? {} : { requeueAfterMs: Math.min(...delays) };
}

/** One outcome of many steps: any failure discards the results, several failures become one error. */
export function mergeOutcomes(
  outcomes: readonly PromiseSettledResult<ReconcileResult>[],
): ReconcileResult {
  const errors: unknown[] = [];
  const results: ReconcileResult[] = [];
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') errors.push(outcome.reason);
    else results.push(outcome.value);
  }
  if (errors.length === 0) return earliest(results);
  throw errors.length === 1 ? errors[0] : new CombinedError(errors);
}

/** Runs the steps in order, each whether or not those before it failed, and merges their outcomes. */
export async function reconcileInOrder(
  steps: readonly (() => Promise<ReconcileResult>)[],
): Promise<ReconcileResult> {
  const outcomes: PromiseSettledResult<ReconcileResult>[] = [];
  for (const step of steps) outcomes.push(...(await Promise.allSettled([step()])));
  return mergeOutcomes(outcomes);
}
