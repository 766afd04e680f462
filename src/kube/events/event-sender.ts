// Events on their way to the API server. In: events, from callers who do not wait. Out: writes, one after
// another, each tried up to twelve times while no answer comes.
//  1. Offering never blocks and never fails; when the buffer is full the oldest event goes, and is counted.
//  2. An event that the server refuses is dropped: it would be refused again.
//  3. After the stop every event in the buffer gets one try, all within `flushMs`; then nothing is left.
import { withDeadline } from '../../base/async.ts';
import { sleep, type Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Counter } from '../../base/metrics.ts';
import type { Random } from '../../base/random.ts';
import type { KubeEvent } from '../../api/core.ts';
import { events, type ResourceType } from '../../api/resource-type.ts';
import { findKubeError, isAlreadyExists, isNotFound } from '../client/errors.ts';
import { EventAggregation, type CorrelatedEvent, type CountedEvent } from './event-aggregation.ts';
import { Fifo } from '../../base/fifo.ts';
import type { ObjectRef } from '../client/paths.ts';

/** The part of a Kubernetes client that the sender needs. */
export interface EventSink {
  create(
    type: ResourceType<KubeEvent>,
    event: KubeEvent,
    options: { readonly signal: AbortSignal },
  ): Promise<KubeEvent>;
  patch(
    type: ResourceType<KubeEvent>,
    ref: ObjectRef,
    patch: { readonly type: 'strategic'; readonly body: object },
    options: { readonly signal: AbortSignal },
  ): Promise<KubeEvent>;
}

interface EventSenderOptions {
  readonly sink: EventSink;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly dropped?: Counter | undefined;
  readonly bufferSize?: number | undefined;
  readonly flushMs?: number | undefined;
}

const maxTries = 12;
const retryDelayMs = 10_000;
const writeTimeoutMs = 30_000;

export class EventSender {
  readonly #options: EventSenderOptions;
  readonly #aggregation: EventAggregation;
  readonly #buffer = new Fifo<CountedEvent>();
  #wake: (() => void) | undefined;
  #closed = false;

  constructor(options: EventSenderOptions) {
    this.#options = options;
    this.#aggregation = new EventAggregation(options.clock);
  }

  offer(event: CountedEvent): void {
    if (this.#closed) return;
    this.#buffer.push(event);
    if (this.#buffer.size > (this.#options.bufferSize ?? 1000)) {
      this.#drop(this.#buffer.shift(), 'too many queued events, dropped the oldest');
    }
    this.#wake?.();
  }

  /** Sends until the signal aborts, then flushes. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, flushMs = 5_000 } = this.#options;
    const flushed = new AbortController();
    const onAbort = (): void => {
      this.#closed = true;
      this.#wake?.();
      timer = clock.setTimer(flushMs, () => flushed.abort(), 'flush of events');
    };
    let timer = { cancel: (): void => undefined };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    while (!flushed.signal.aborted) {
      const event = this.#buffer.shift();
      if (event !== undefined) await this.#send(event, signal, flushed.signal);
      else if (this.#closed) break;
      else await this.#more();
    }
    timer.cancel();
    while (this.#buffer.size > 0) this.#drop(this.#buffer.shift(), 'stopped before it was sent');
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #send(event: CountedEvent, signal: AbortSignal, flushed: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const correlated = this.#aggregation.correlate(event);
    if (correlated === undefined) return;
    for (let tries = 1; ; tries++) {
      try {
        const limit = { clock, timeoutMs: writeTimeoutMs, signal: flushed, what: 'event write' };
        await withDeadline(limit, (signal) => this.#write(correlated, signal));
        return;
      } catch (error) {
        if (isRefusal(error)) {
          this.#drop(event, 'the server refused it', error);
          return;
        }
        if (tries >= maxTries || signal.aborted) {
          this.#drop(event, 'the server could not be reached', error);
          return;
        }
      }
      await this.#pause(tries, signal);
    }
  }

  async #write(correlated: CorrelatedEvent, signal: AbortSignal): Promise<void> {
    const { sink } = this.#options;
    const { event, patch } = correlated;
    if (patch !== undefined) {
      try {
        await sink.patch(events, event.metadata, { type: 'strategic', body: patch }, { signal });
        return;
      } catch (error) {
        // Events live for an hour: the first of its kind may be gone.
        if (!isNotFound(error)) throw error;
      }
    }
    await sink.create(events, event, { signal }).catch((error: unknown) => {
      // Names are never used twice: it is there because the answer to an earlier try was lost.
      if (!isAlreadyExists(error)) throw error;
    });
  }

  /** The first pause is drawn at random, so that all clients of a server that comes back do not meet there. */
  async #pause(tries: number, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    const delayMs = tries === 1 ? retryDelayMs * random.next() : retryDelayMs;
    // A stop cuts the pause short: what follows is the last try.
    await sleep(clock, delayMs, { signal, label: 'event retry' }).catch(() => undefined);
  }

  #drop(event: CountedEvent | undefined, why: string, error?: unknown): void {
    this.#options.dropped?.add();
    this.#options.log.error('Unable to record event', {
      why,
      reason: event?.reason,
      object: event?.involvedObject.name,
      error,
    });
  }
}

/** Whether the server has answered and would answer the same again. */
function isRefusal(error: unknown): boolean {
  const status = findKubeError(error)?.status ?? 0;
  return status >= 400 && status < 500 && status !== 429;
}
