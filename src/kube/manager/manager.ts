// Starts everything in order, keeps it running, and takes it down in order. In: runnables, an election, a
// signal. Out: a promise that settles when everything is down.
//
//   up:   services ─▶ caches filled ─▶ standalone ─▶ (warmup) ─▶ leadership ─▶ leader's work
//   down: all work ─▶ caches ─▶ lease released ─▶ services
//
// Invariants
//  1. Work that needs leadership runs only while this process has it; losing it ends all work at once.
//  2. The lease is released only after all work has stopped. If some did not stop in time, the lease is left
//     to expire, and the caller is told who it was.
//  3. A runnable that fails takes everything down: half an operator is worse than a restart.
//  4. `run` settles within the grace period and a few seconds after the stop, whatever the runnables do.
import { abortReason, type Clock } from '../../base/clock.ts';
import { asError, CodedError, hasCode, isAbort } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { RunnableGroup } from './runnable-group.ts';
import { aborted, type Runnable, type Stage } from './runnable.ts';

/** The part of a LeaderElector that the manager needs. */
export interface Election {
  /** How long after the end of a leadership nobody else can be the leader. */
  readonly guardMs: number;
  lead(signal: AbortSignal): Promise<AbortSignal>;
  stop(options: { readonly release: boolean }): Promise<void>;
}

export interface ManagerOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Started in this order within their stage. */
  readonly runnables: readonly Runnable[];
  /** Without one this process is the leader. */
  readonly election?: Election | undefined;
  /** Let the leader's runnables prepare while another process is still the leader. Not done unless given. */
  readonly warmup?: boolean;
  /** How long work may take to stop. 30 seconds unless given. */
  readonly gracePeriodMs?: number;
}

/** For caches, lease and services, which have nothing left to wait for once the work is down. */
const closingMs = 5_000;

export class Manager {
  readonly #options: ManagerOptions;
  readonly #log: Logger;
  /** Aborts when everything is to stop. */
  readonly #halt = new AbortController();
  readonly #services = new RunnableGroup((error) => this.#fail(error));
  readonly #caches = new RunnableGroup((error) => this.#fail(error));
  readonly #work = new RunnableGroup((error) => this.#fail(error));
  #failure: Error | undefined;

  constructor(options: ManagerOptions) {
    this.#options = options;
    this.#log = options.log;
  }

  /**
   * Runs until the signal aborts, then resolves when everything is down. Rejects, after taking everything
   * down, with the error of the runnable that failed, with LeaderLost, or with StopTimedOut.
   */
  async run(signal: AbortSignal): Promise<void> {
    const onStop = (): void => this.#halt.abort();
    signal.addEventListener('abort', onStop, { once: true });
    if (signal.aborted) onStop();
    try {
      // What is being started may not listen; the stop does not wait for it.
      await Promise.race([this.#start(), aborted(this.#halt.signal)]);
      await aborted(this.#halt.signal);
    } catch (thrown) {
      if (!this.#halt.signal.aborted) this.#fail(asError(thrown));
    }
    signal.removeEventListener('abort', onStop);
    await this.#stop();
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #start(): Promise<void> {
    await this.#startStage('service', this.#services);
    await this.#startStage('cache', this.#caches);
    await this.#startStage('standalone', this.#work);
    if (this.#options.warmup === true) await this.#warmUp();
    await this.#becomeLeader();
    await this.#startStage('leader', this.#work);
  }

  async #startStage(stage: Stage, group: RunnableGroup): Promise<void> {
    this.#halt.signal.throwIfAborted();
    const runnables = this.#options.runnables.filter((runnable) => runnable.stage === stage);
    for (const runnable of runnables) group.start(runnable);
    await Promise.all(runnables.map(async (runnable) => runnable.ready?.(group.signal)));
  }

  async #warmUp(): Promise<void> {
    const leaders = this.#options.runnables.filter(({ stage }) => stage === 'leader');
    await Promise.all(leaders.map(async (runnable) => runnable.warmup?.(this.#work.signal)));
  }

  async #becomeLeader(): Promise<void> {
    const { election } = this.#options;
    if (election === undefined) return;
    const leadership = await election.lead(this.#halt.signal);
    const onEnd = (): void => {
      // At once and before anything else: from here on the lease is running out.
      this.#work.stop();
      if (!this.#halt.signal.aborted) this.#fail(abortReason(leadership));
    };
    if (leadership.aborted) onEnd();
    else leadership.addEventListener('abort', onEnd, { once: true });
  }

  async #stop(): Promise<void> {
    const { workMs, restMs } = this.#gracePeriods();
    this.#log.info('Stopping and waiting for controllers');
    this.#work.stop();
    await this.#within(workMs, this.#work.ended());
    await this.#within(restMs, this.#stopRest());
    this.#report(workMs);
  }

  async #stopRest(): Promise<void> {
    this.#log.info('Stopping and waiting for caches');
    this.#caches.stop();
    await this.#caches.ended();
    await this.#options.election?.stop({ release: this.#work.running.length === 0 });
    this.#log.info('Stopping and waiting for services');
    this.#services.stop();
    await this.#services.ended();
  }

  #gracePeriods(): { readonly workMs: number; readonly restMs: number } {
    const { election, gracePeriodMs = 30_000 } = this.#options;
    const guardMs = election?.guardMs ?? 0;
    // After a lost leadership the process should be gone before another can be the leader.
    return hasCode(this.#failure, 'LeaderLost')
      ? { workMs: Math.min(gracePeriodMs, guardMs / 2), restMs: guardMs / 4 }
      : { workMs: gracePeriodMs, restMs: closingMs };
  }

  async #within(ms: number, promise: Promise<void>): Promise<void> {
    const { promise: timeUp, resolve } = Promise.withResolvers<void>();
    const timer = this.#options.clock.setTimer(ms, resolve, 'grace period');
    await Promise.race([promise, timeUp]);
    timer.cancel();
  }

  #report(gracePeriodMs: number): void {
    const running = [this.#work, this.#caches, this.#services].flatMap((group) => group.running);
    if (running.length === 0) return;
    const error = new CodedError('StopTimedOut', 'some runnables did not stop in time', {
      fields: { running, gracePeriodMs },
    });
    this.#log.error('failed waiting for all runnables to end', { error });
    this.#failure ??= error;
  }

  #fail(error: Error): void {
    if (this.#halt.signal.aborted) {
      if (!isAbort(error)) this.#log.error('error received after the stop began', { error });
      return;
    }
    this.#log.error('stopping because of a failure', { error });
    this.#failure = error;
    this.#halt.abort(error);
  }
}
