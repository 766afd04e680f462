// Time as something handed in. In: nothing but the machine's own clock. Out: wall time, monotonic
// time and timers, the only three things about time that the product may ask for.
// Wall time may jump (NTP, a suspended laptop); monotonic time never goes back. Anything that measures
// a duration or holds a lease uses monotonic time.

export interface Timer {
  /** Idempotent. After it returns the callback will not run. */
  cancel(): void;
}

export interface Clock {
  /** Milliseconds since the epoch. May jump in either direction. */
  now(): number;
  /** Milliseconds from an arbitrary start. Never decreases. */
  monotonic(): number;
  /** Runs `run` once, `delayMs` of monotonic time from now. `label` is what `pending` shows. */
  setTimer(delayMs: number, run: () => void, label?: string): Timer;
}

/** Node keeps a delay in a signed 32-bit integer and fires at once beyond it. */
const longestDelayMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(delayMs, run) {
    let handle: NodeJS.Timeout;
    const arm = (remainingMs: number): void => {
      const step = Math.min(remainingMs, longestDelayMs);
      handle = setTimeout(() => {
        if (remainingMs > step) arm(remainingMs - step);
        else run();
      }, step);
    };
    arm(Math.max(0, delayMs));
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Resolves after `delayMs`; rejects with the signal's reason as soon as it is aborted. */
export function sleep(
  clock: Clock,
  delayMs: number,
  options: { readonly signal?: AbortSignal | undefined; readonly label?: string } = {},
): Promise<void> {
  const { signal, label = 'sleep' } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortReason(signal));
      return;
    }
    const abort = (): void => {
      timer.cancel();
      reject(abortReason(signal as AbortSignal));
    };
    const timer = clock.setTimer(
      delayMs,
      () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      },
      label,
    );
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** What an aborted signal was aborted with, always as an Error. */
export function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error
    ? signal.reason
    : new DOMException('This operation was aborted', 'AbortError');
}

/** RFC 3339 with seconds, as Kubernetes writes metav1.Time. */
export function toTimestamp(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** RFC 3339 with microseconds, as Kubernetes writes metav1.MicroTime. */
export function toMicroTimestamp(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 23)}000Z`;
}
