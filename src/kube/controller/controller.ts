// One control loop. In: keys from its sources. Out: reconciles, at most `concurrency` at a time, each key as
// often as its reconciler asks and its failures allow.
//
// Invariants
//  1. A key is never reconciled twice at the same time, also not after its deadline: a reconcile that takes
//     too long is interrupted, and its key stays taken until it has really returned.
//  2. After the signal aborts no reconcile starts; `run` resolves when the last one has returned.
//  3. A reconcile that throws is tried again, whatever it threw, unless it says that this is of no use.
//  4. A conflict with another writer is no error: the key is tried again without a word.
import { withDeadline } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Random } from '../../base/random.ts';
import type { ControllerMeter, ControllerMetrics } from './controller-metrics.ts';
import { isConflict } from '../client/errors.ts';
import { refOf } from '../client/paths.ts';
import { defaultRateLimits, RateLimiter, type RateLimits } from './rate-limiter.ts';
import { attempt, settle } from './reconcile-attempt.ts';
import type { Reconcile } from './reconcile.ts';
import type { Runnable } from '../manager/runnable.ts';
import type { Source } from './source.ts';
import { randomUuid } from '../../base/uuid.ts';
import type { WorkQueueMetrics } from './work-queue-metrics.ts';
import { WorkQueue } from './work-queue.ts';

export interface ControllerSpec {
  /** As in metrics and logs: `nodeclaim.lifecycle`. */
  readonly name: string;
  /** The kind that the keys name, for the log. Without one the keys name no object. */
  readonly type?: { readonly group: string; readonly kind: string };
  readonly sources: readonly Source[];
  readonly reconcile: Reconcile;
  /** 1 unless given. */
  readonly concurrency?: number;
  /** `defaultRateLimits` unless given. */
  readonly limits?: RateLimits;
  /** The signal of a reconcile aborts after this time. Never unless given. */
  readonly timeoutMs?: number;
  /** True unless given. */
  readonly needsLeadership?: boolean;
}

/** What all controllers of a process share. */
export interface ControllerRuntime {
  readonly clock: Clock;
  readonly log: Logger;
  readonly random: Random;
  readonly metrics?: ControllerMetrics;
  readonly queueMetrics?: WorkQueueMetrics;
  /** Errors that only say that somebody else wrote first. */
  readonly isConflict?: (error: unknown) => boolean;
  /** Asked before each reconcile that needs leadership: a process that was stalled may have lost it unawares. */
  readonly isLeader?: () => boolean;
  /** How long a source may take to report what exists before the process gives up. Two minutes unless given. */
  readonly syncTimeoutMs?: number;
}

export class Controller implements Runnable {
  readonly name: string;
  readonly stage: 'standalone' | 'leader';
  readonly #spec: ControllerSpec;
  readonly #runtime: ControllerRuntime;
  readonly #concurrency: number;
  readonly #queue: WorkQueue;
  readonly #meter: ControllerMeter | undefined;
  readonly #log: Logger;
  readonly #stops: (() => void)[] = [];
  #warm: Promise<void> | undefined;
  #active = 0;
  #onSlot: (() => void) | undefined;

  constructor(spec: ControllerSpec, runtime: ControllerRuntime) {
    const { name, type, concurrency = 1, limits = defaultRateLimits } = spec;
    const { clock } = runtime;
    this.name = name;
    this.stage = spec.needsLeadership === false ? 'standalone' : 'leader';
    this.#spec = spec;
    this.#runtime = runtime;
    this.#concurrency = concurrency;
    this.#queue = new WorkQueue({
      name,
      clock,
      limiter: new RateLimiter({ clock, limits }),
      metrics: runtime.queueMetrics,
    });
    this.#meter = runtime.metrics?.register(name, concurrency);
    this.#log = runtime.log.with({
      controller: name,
      ...(type === undefined ? {} : { controllerGroup: type.group, controllerKind: type.kind }),
    });
  }

  /** Starts the sources and waits until they have reported what exists. `run` does it if nobody has. */
  warmup(signal: AbortSignal): Promise<void> {
    this.#warm ??= this.#startSources(signal);
    return this.#warm;
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.warmup(signal);
      this.#log.info('Starting Controller');
      this.#log.info('Starting workers', { 'worker count': this.#concurrency });
      await this.#dispatch(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await this.#close();
    }
    this.#log.info('All workers finished');
  }

  async #startSources(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => void this.#close(), { once: true });
    for (const source of this.#spec.sources) {
      this.#log.info('Starting EventSource', { source: source.name });
      this.#stops.push(source.start(this.#queue));
    }
    const { clock, syncTimeoutMs: timeoutMs = 120_000 } = this.#runtime;
    await Promise.all(
      this.#spec.sources.map((source) =>
        withDeadline({ clock, timeoutMs, signal, what: `sync of ${source.name}` }, (signal) =>
          source.synced(signal),
        ),
      ),
    );
  }

  /** Idempotent. Resolves when no reconcile is under way. */
  #close(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
    return this.#queue.shutDown({ drain: false });
  }

  async #dispatch(signal: AbortSignal): Promise<void> {
    for (;;) {
      if (this.#active >= this.#concurrency) await this.#slot();
      const key = await this.#queue.get();
      if (key === undefined) return;
      // The key may have been handed out in the very moment of the stop.
      if (this.#mayStart() && !signal.aborted) void this.#work(key, signal);
      else this.#queue.done(key);
    }
  }

  #mayStart(): boolean {
    return this.stage !== 'leader' || this.#runtime.isLeader?.() !== false;
  }

  #slot(): Promise<void> {
    return new Promise((resolve) => {
      this.#onSlot = resolve;
    });
  }

  async #work(key: string, signal: AbortSignal): Promise<void> {
    const { clock } = this.#runtime;
    const startedMs = clock.monotonic();
    this.#active++;
    this.#meter?.started();
    let log: Logger | undefined;
    const options = {
      key,
      reconcile: this.#spec.reconcile,
      clock,
      signal,
      timeoutMs: this.#spec.timeoutMs,
      meter: this.#meter,
      log: () => (log ??= this.#logFor(key)),
      queue: this.#queue,
      isConflict: this.#runtime.isConflict ?? isConflict,
    };
    try {
      settle(await attempt(options), options);
    } finally {
      this.#queue.done(key);
      this.#meter?.finished((clock.monotonic() - startedMs) / 1000);
      this.#active--;
      this.#onSlot?.();
    }
  }

  #logFor(key: string): Logger {
    const { type } = this.#spec;
    const ref = refOf(key);
    const object =
      type === undefined
        ? {}
        : { [type.kind]: ref, namespace: ref.namespace ?? '', name: ref.name };
    return this.#log.with({ ...object, reconcileID: randomUuid(this.#runtime.random) });
  }
}
