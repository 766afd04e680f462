// Long-running operations: what was accepted and is not done yet. In: work with its name and resource. Out: headers to
// poll by, and, when its time is up, the work's outcome.
// 1. Work runs exactly once, or never: an operation that was cancelled or is stuck does not run it.
// 2. A finished operation can be polled as long as it is remembered; it never changes again.
// 3. A fault strikes here: a late failure takes the place of the work's outcome, a stuck operation never ends.
import type { Json } from '../../../api/meta.ts';
import type { Clock, Timer } from '../../../base/clock.ts';
import { LruMap } from '../../../base/lru-map.ts';
import type { Logger } from '../../../base/log.ts';
import type { Random } from '../../../base/random.ts';
import { randomUuid } from '../../../base/uuid.ts';
import type { ArmCall } from '../arm/arm-call.ts';
import { ArmError, internalError } from '../errors.ts';
import type { LatencySource } from './latency.ts';

export type OperationStatus = 'InProgress' | 'Succeeded' | 'Failed' | 'Canceled';

export interface OperationState {
  readonly id: string;
  readonly subscriptionId: string;
  readonly namespace: string;
  readonly location: string;
  readonly startMs: number;
  readonly status: OperationStatus;
  readonly endMs?: number;
  readonly error?: ArmError;
  /** What the operation gives back, where it gives anything. */
  readonly result?: Json;
}

export interface Work {
  /** As in latencies; the call's own unless given. */
  readonly operation?: string;
  readonly location: string;
  /** Does what was asked for when time is up; an ArmError makes the operation fail. */
  run(): Json | undefined;
  /** Told once when it failed or was cancelled. */
  failed?(error: ArmError): void;
  readonly latencyMs?: number;
}

export interface Started {
  readonly id: string;
  /** Azure-AsyncOperation, and Location where the method has it. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Running {
  readonly work: Work;
  readonly timer: Timer | undefined;
}

/** Azure forgets an operation after a day; memory is bounded by number instead. */
const remembered = 20_000;

export class Operations {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #latency: LatencySource;
  readonly #log: Logger;
  readonly #retryAfterSeconds: number;
  readonly #states = new LruMap<string, OperationState>(remembered);
  readonly #running = new Map<string, Running>();
  readonly #waiting = new Map<string, (state: OperationState) => void>();

  constructor(options: {
    readonly clock: Clock;
    readonly random: Random;
    readonly latency: LatencySource;
    readonly log: Logger;
    readonly retryAfterSeconds: number;
  }) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#latency = options.latency;
    this.#log = options.log;
    this.#retryAfterSeconds = options.retryAfterSeconds;
  }

  get retryAfter(): string {
    return String(this.#retryAfterSeconds);
  }

  get(id: string): OperationState | undefined {
    return this.#states.get(id);
  }

  start(call: ArmCall, work: Work): Started {
    const started = this.open(call, work.location);
    this.#running.set(started.id, { work, timer: this.#schedule(started.id, call, work) });
    return started;
  }

  /** An operation whose end somebody else tells, by `close`. */
  open(call: ArmCall, location: string): Started {
    const state: OperationState = {
      id: randomUuid(this.#random),
      subscriptionId: call.path.subscriptionId,
      namespace: call.path.namespace,
      location,
      startMs: this.#clock.now(),
      status: 'InProgress',
    };
    this.#states.set(state.id, state);
    return { id: state.id, headers: this.#headers(call, state) };
  }

  /** Ends it as done, or as failed, without doing what it was started for. */
  close(id: string, error?: ArmError): void {
    this.#running.get(id)?.timer?.cancel();
    this.#end(id, error === undefined ? { status: 'Succeeded' } : { status: 'Failed', error });
    this.#tell(id);
  }

  /** What polls an operation that is under way already. */
  resume(call: ArmCall, id: string): Started {
    const state = this.#states.get(id);
    return { id, headers: state === undefined ? {} : this.#headers(call, state) };
  }

  /** Calls back once when the operation has ended, after all it does has been done; at once if it has already. */
  whenEnded(id: string, ended: (state: OperationState) => void): void {
    const state = this.#states.get(id);
    if (state !== undefined && state.status !== 'InProgress') ended(state);
    else this.#waiting.set(id, ended);
  }

  /** Ends what is under way without doing it. */
  cancel(id: string, reason: ArmError): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    running.timer?.cancel();
    this.#end(id, { status: 'Canceled', error: reason });
    running.work.failed?.(reason);
    this.#tell(id);
  }

  /** Cancels every timer; nothing ends any more. */
  stop(): void {
    for (const { timer } of this.#running.values()) timer?.cancel();
    this.#running.clear();
  }

  /** Where the operation of this id is polled. */
  url(call: ArmCall, id: string, kind: 'operations' | 'operationResults' = 'operations'): string {
    const state = this.#states.get(id);
    const place = `${call.baseUrl}/subscriptions/${call.path.subscriptionId}`;
    const query = `api-version=${call.apiVersion}`;
    if (call.path.namespace === 'Microsoft.Resources') {
      return `${place}/operationresults/${id}?${query}`;
    }
    const location = state?.location ?? 'global';
    return `${place}/providers/${call.path.namespace}/locations/${location}/${kind}/${id}?${query}`;
  }

  #headers(call: ArmCall, state: OperationState): Record<string, string> {
    const headers: Record<string, string> = { 'retry-after': this.retryAfter };
    const isResources = state.namespace === 'Microsoft.Resources';
    if (!isResources) headers['azure-asyncoperation'] = this.url(call, state.id);
    if (call.method !== 'PUT' && call.method !== 'PATCH') {
      headers['location'] = this.url(call, state.id, 'operationResults');
    }
    return headers;
  }

  #schedule(id: string, call: ArmCall, work: Work): Timer | undefined {
    const { fault } = call;
    if (fault?.kind === 'stuck') return undefined;
    const operation = work.operation ?? call.operation;
    const latencyMs = work.latencyMs ?? this.#latency.draw(operation);
    const run = (): void => {
      if (fault?.kind === 'fail-late') {
        const message =
          fault.message ?? 'An internal execution error occurred. Please retry later.';
        this.#fail(id, work, new ArmError(500, fault.code, message));
      } else {
        this.#run(id, work);
      }
    };
    return this.#clock.setTimer(latencyMs, run, `azure ${operation}`);
  }

  #run(id: string, work: Work): void {
    let result: Json | undefined;
    try {
      result = work.run();
    } catch (error) {
      if (!(error instanceof ArmError)) {
        this.#log.error('operation failed unexpectedly', { error, operation: work.operation });
      }
      this.#fail(id, work, error instanceof ArmError ? error : internalError());
      return;
    }
    this.#end(id, { status: 'Succeeded', ...(result === undefined ? {} : { result }) });
    this.#tell(id);
  }

  #fail(id: string, work: Work, error: ArmError): void {
    this.#end(id, { status: 'Failed', error });
    work.failed?.(error);
    this.#tell(id);
  }

  #tell(id: string): void {
    const waiting = this.#waiting.get(id);
    const state = this.#states.get(id);
    this.#waiting.delete(id);
    if (state !== undefined) waiting?.(state);
  }

  #end(id: string, outcome: Pick<OperationState, 'status' | 'error' | 'result'>): void {
    this.#running.delete(id);
    const state = this.#states.get(id);
    if (state === undefined) return;
    this.#states.set(id, { ...state, ...outcome, endMs: this.#clock.now() });
  }
}
