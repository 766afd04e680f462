// What a manager starts and stops. In: a signal. Out: a promise that settles when nothing of it is left.
// The stage decides when it starts and, in reverse, when it stops:
//
//   service     first up, last down: servers, the event recorder
//   cache       up and filled before anything that reads it
//   standalone  needs caches but not leadership
//   leader      only while this process is the leader

export type Stage = 'service' | 'cache' | 'standalone' | 'leader';

export interface Runnable {
  readonly name: string;
  readonly stage: Stage;
  /**
   * Runs until the signal aborts, then resolves when all work has stopped. Rejects only if it cannot go on,
   * which stops the whole process.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when what comes after may start: a port is open, a cache is filled. */
  ready?(signal: AbortSignal): Promise<void>;
  /** What may be done before leadership so that work starts sooner once it comes. */
  warmup?(signal: AbortSignal): Promise<void>;
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (signal.aborted) resolve();
  return promise;
}

/** Informers as a runnable that others wait for. */
export function cacheRunnable(
  name: string,
  caches: {
    start(): void;
    stop(): Promise<void>;
    synced(signal: AbortSignal): Promise<void>;
  },
): Runnable {
  return {
    name,
    stage: 'cache',
    ready: (signal) => caches.synced(signal),
    async run(signal) {
      caches.start();
      await aborted(signal);
      await caches.stop();
    },
  };
}
