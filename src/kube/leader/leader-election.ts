// Who of several processes may work. In: a Lease that all of them can read and write. Out: a signal that is
// alive exactly while this process is the leader.
//
//   candidate ──lead()──▶ leader ──stop(), or no renewal in time, or somebody else holds the lease──▶ over
//
// Invariants
//  1. Leadership ends `renewDeadlineMs` after the START of the last renewal that succeeded, by monotonic time.
//     The server cannot have seen that renewal earlier, and nobody takes the lease over before having seen it
//     unchanged for `leaseDurationMs`, which is longer: the old leader has stopped before a new one starts.
//  2. Candidates measure how long the Lease has not changed by their own monotonic time. No timestamp in the
//     Lease is ever compared with a clock, so clocks may be wrong and may jump.
//  3. A process may be stalled and its timers may fire late: `isLeader` looks at the clock itself, and
//     whoever finds that the time is up ends the leadership on the spot.
//  4. Leadership is over for good once it has ended. The process is expected to exit.
// One gap is left: if somebody deletes the Lease of a living leader, a candidate that never saw it cannot know.
import { withDeadline } from '../../base/async.ts';
import { sleep, type Clock, type Timer } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { Gauge, MetricsRegistry } from '../../base/metrics.ts';
import type { Random } from '../../base/random.ts';
import { leases } from '../../api/resource-type.ts';
import {
  checkElectionTimings,
  defaultElectionTimings,
  retryJitter,
  type ElectionTimings,
} from './election-timings.ts';
import { referenceTo, type Recorder } from '../events/event-recorder.ts';
import { LeaseLock, type LeaseClient, type LeaseRecord } from './lease-lock.ts';
import { randomUuid } from '../../base/uuid.ts';

export interface LeaderElectorOptions {
  /** Should have a rate limit of its own: a busy process must not lose its lease by holding itself back. */
  readonly client: LeaseClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly timings?: ElectionTimings;
  readonly recorder?: Recorder;
  readonly metrics?: MetricsRegistry;
}

/** A name for this process that no other process has. */
export function electionIdentity(hostname: string, random: Random): string {
  return `${hostname}_${randomUuid(random)}`;
}

export class LeaderElector {
  /** The time between the end of a leadership and the moment when another may begin, at least. */
  readonly guardMs: number;
  readonly #options: LeaderElectorOptions;
  readonly #timings: ElectionTimings;
  readonly #lock: LeaseLock;
  readonly #log: Logger;
  readonly #status: Gauge | undefined;
  readonly #leadership = new AbortController();
  /** What keeps this candidate away: the Lease as seen last, since when, and for how long it counts. */
  #seen:
    | { readonly version: string; readonly sinceMs: number; readonly protectsMs: number }
    | undefined;
  /** Leader until this monotonic time. */
  #deadlineMs: number | undefined;
  #timer: Timer | undefined;
  #renewing: Promise<void> | undefined;

  constructor(options: LeaderElectorOptions) {
    const timings = options.timings ?? defaultElectionTimings;
    checkElectionTimings(timings);
    this.guardMs = timings.leaseDurationMs - timings.renewDeadlineMs;
    this.#options = options;
    this.#timings = timings;
    this.#lock = new LeaseLock({ ...options, leaseDurationMs: timings.leaseDurationMs });
    this.#log = options.log.with({ lock: `${options.namespace}/${options.name}` });
    this.#status = options.metrics?.gauge({
      name: 'leader_election_master_status',
      help: 'Whether this process is the leader of the lease: 1, or 0 while it only stands by',
      labels: ['name'],
    });
    this.#status?.set(0, { name: options.name });
  }

  /** Waits to become the leader. The signal it resolves to aborts when leadership ends. */
  async lead(signal: AbortSignal): Promise<AbortSignal> {
    const { clock, random } = this.#options;
    const { retryPeriodMs } = this.#timings;
    this.#log.info('Attempting to acquire leader lease...');
    while (!(await this.#tryToAcquire(signal))) {
      this.#leadership.signal.throwIfAborted();
      const delayMs = retryPeriodMs * (1 + retryJitter * random.next());
      await sleep(clock, delayMs, { signal, label: 'leader election' });
    }
    this.#log.info('Successfully acquired lease');
    this.#status?.set(1, { name: this.#options.name });
    this.#publish('became leader');
    this.#renewing = this.#keepRenewing();
    return this.#leadership.signal;
  }

  /** Looks at the clock: true means that nobody else can be the leader at this moment. */
  isLeader(): boolean {
    if (this.#deadlineMs === undefined || this.#leadership.signal.aborted) return false;
    if (this.#options.clock.monotonic() < this.#deadlineMs) return true;
    this.#lose('the lease could not be renewed in time');
    return false;
  }

  /**
   * Ends leadership, or the attempt at it. With `release` the next candidate need not wait: only for when all
   * work has stopped. Without, the lease is left to expire.
   */
  async stop(options: { readonly release: boolean }): Promise<void> {
    const held = this.isLeader();
    this.#end(new CodedError('LeadershipReleased', 'leadership was given up'));
    await this.#renewing;
    if (held && options.release) await this.#release();
  }

  async #tryToAcquire(signal: AbortSignal): Promise<boolean> {
    try {
      const record = await this.#read(signal);
      if (!this.#isFree(record)) return false;
      const startedMs = this.#options.clock.monotonic();
      // The record names this process when an earlier write took effect but its answer was lost.
      const write = record?.holder === this.#options.identity ? 'renew' : 'acquire';
      return (
        (await this.#call(signal, (call) => this.#lock[write](call))) && this.#begin(startedMs)
      );
    } catch (error) {
      signal.throwIfAborted();
      this.#log.error('Failed to acquire lease', { error });
      return false;
    }
  }

  async #read(signal: AbortSignal): Promise<LeaseRecord | undefined> {
    const record = await this.#call(signal, (call) => this.#lock.read(call));
    // A Lease that is gone leaves what was seen of it: its holder may not know yet.
    if (record === undefined || record.version === this.#seen?.version) return record;
    const { leaseDurationMs } = this.#timings;
    const protectsMs = record.holder === '' ? 0 : (record.durationMs ?? leaseDurationMs);
    const { version } = record;
    this.#seen = { version, sinceMs: this.#options.clock.monotonic(), protectsMs };
    return record;
  }

  #isFree(record: LeaseRecord | undefined): boolean {
    if (this.#seen === undefined || record?.holder === this.#options.identity) return true;
    return this.#options.clock.monotonic() - this.#seen.sinceMs >= this.#seen.protectsMs;
  }

  /** False when the answer took so long that leadership would be over already. */
  #begin(startedMs: number): boolean {
    const deadlineMs = startedMs + this.#timings.renewDeadlineMs;
    const isLate = this.#options.clock.monotonic() >= deadlineMs;
    if (isLate || this.#leadership.signal.aborted) return false;
    this.#deadlineMs = deadlineMs;
    this.#arm();
    return true;
  }

  async #keepRenewing(): Promise<void> {
    const { signal } = this.#leadership;
    const { retryPeriodMs } = this.#timings;
    for (;;) {
      try {
        await sleep(this.#options.clock, retryPeriodMs, { signal, label: 'lease renewal' });
        await this.#renew(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#log.error('Failed to update lease', { error });
      }
    }
  }

  async #renew(signal: AbortSignal): Promise<void> {
    if (await this.#renewOnce(signal)) return;
    const record = await this.#read(signal);
    if (record !== undefined && record.holder !== this.#options.identity) {
      this.#lose('another process holds the lease', { holder: record.holder });
      return;
    }
    await this.#renewOnce(signal);
  }

  async #renewOnce(signal: AbortSignal): Promise<boolean> {
    const startedMs = this.#options.clock.monotonic();
    const renewed = await this.#call(signal, (call) => this.#lock.renew(call));
    if (renewed && this.isLeader()) this.#deadlineMs = startedMs + this.#timings.renewDeadlineMs;
    return renewed;
  }

  /** Renewals move the deadline, not the timer: one that fires too early is set again. */
  #arm(): void {
    const { clock } = this.#options;
    const delayMs = (this.#deadlineMs ?? 0) - clock.monotonic();
    this.#timer = clock.setTimer(
      delayMs,
      () => {
        if (this.isLeader()) this.#arm();
      },
      'end of leadership',
    );
  }

  #lose(why: string, fields: Readonly<Record<string, unknown>> = {}): void {
    const { name, namespace } = this.#options;
    const error = new CodedError('LeaderLost', 'leader election lost', {
      fields: { lock: `${namespace}/${name}`, why, ...fields },
    });
    this.#end(error);
    this.#log.error('Failed to renew lease', { error });
  }

  #end(reason: Error): void {
    if (this.#leadership.signal.aborted) return;
    this.#timer?.cancel();
    // First of all: what follows must not delay the end of the work.
    this.#leadership.abort(reason);
    if (this.#deadlineMs === undefined) return;
    this.#status?.set(0, { name: this.#options.name });
    this.#publish('stopped leading');
  }

  async #release(): Promise<void> {
    const { clock, identity } = this.#options;
    const timeoutMs = this.#timings.renewDeadlineMs;
    try {
      await withDeadline({ clock, timeoutMs, what: 'release of the lease' }, async (signal) => {
        if (await this.#lock.release({ signal })) return;
        // An earlier renewal whose answer was lost may have moved the version.
        const record = await this.#lock.read({ signal });
        if (record?.holder === identity) await this.#lock.release({ signal });
      });
    } catch (error) {
      this.#log.error('Failed to release lease', { error });
    }
  }

  /** One slow answer must leave time for another try before the renewal deadline. */
  #call<T>(
    signal: AbortSignal,
    operation: (call: { signal: AbortSignal; timeoutMs: number }) => Promise<T>,
  ): Promise<T> {
    const { clock } = this.#options;
    const timeoutMs = Math.max(1000, this.#timings.renewDeadlineMs / 2);
    return withDeadline({ clock, timeoutMs, signal, what: 'lease request' }, (signal) =>
      operation({ signal, timeoutMs }),
    );
  }

  #publish(what: string): void {
    const { identity, recorder } = this.#options;
    const lease = this.#lock.lease;
    if (lease === undefined || recorder === undefined) return;
    recorder.publish({
      object: referenceTo(leases, lease),
      type: 'Normal',
      reason: 'LeaderElection',
      message: `${identity} ${what}`,
      component: identity,
    });
  }
}
