// One watch, from its opening to its end. In: a kind and the version to go on from. Out: every event, in
// order, to a callback; then why it ended, as a value.
//  1. A line or frame that is not an event ends the watch: skipping it would lose a change for good.
//  2. A watch that falls silent ends too. The server closes each after `timeoutSeconds`, so one that is
//     quiet for longer than that is a connection with nobody at its other end.
//  3. After the end no event, timer or connection of this watch is left.
import type { Clock, Timer } from '../../base/clock.ts';
import { asError } from '../../base/errors.ts';
import type { KubeObject } from '../../api/meta.ts';
import type { ResourceType } from '../../api/resource-type.ts';
import type { WatchOptions } from '../client/call-options.ts';
import type { KubeClient } from '../client/client.ts';
import { findKubeError, KubeError } from '../client/errors.ts';
import type { TransportResponse } from '../client/transport.ts';
import { ObjectCodec } from './object-codec.ts';
import type { WatchEvent } from './watch-event.ts';

export type WatchEnd =
  /** The server ended it in good order. */
  | { readonly reason: 'closed' }
  /** The version to go on from is too old: only a list can help. */
  | { readonly reason: 'expired' }
  | { readonly reason: 'silent' | 'malformed' | 'failed'; readonly error: Error };

export interface WatchRequest<T> {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly type: ResourceType<T & KubeObject>;
  readonly options: WatchOptions;
  /** Shared with the lists of the same kind, so that both remember the same texts. */
  readonly codec?: ObjectCodec<T & KubeObject>;
  /** The server has agreed to send events. */
  readonly onOpen?: () => void;
  readonly onEvent: (event: Exclude<WatchEvent<T>, { readonly type: 'ERROR' }>) => void;
  /** How long no byte may come. Asked anew after each. */
  readonly silenceMs: () => number;
}

/** Never rejects: whatever happens is the reason of the end. */
export async function watch<T extends KubeObject>(request: WatchRequest<T>): Promise<WatchEnd> {
  const codec = request.codec ?? new ObjectCodec(request.type);
  let response: TransportResponse;
  try {
    response = await request.client.openWatch(request.type, {
      ...request.options,
      accept: codec.accept,
    });
  } catch (error) {
    return endOf(error);
  }
  const guard = new SilenceGuard(request, response);
  request.onOpen?.();
  try {
    const events = codec.events(response.headers['content-type'], (event) =>
      deliver(event, request),
    );
    for await (const chunk of response.body) {
      guard.heard();
      events.push(chunk);
    }
    if (guard.fired) return silent();
    return events.unfinished
      ? endOf(new Error('the watch was cut off in an event'))
      : { reason: 'closed' };
  } catch (error) {
    return guard.fired ? silent() : endOf(error);
  } finally {
    guard.stop();
    response.cancel();
  }
}

function deliver<T extends KubeObject>(event: WatchEvent<T>, request: WatchRequest<T>): void {
  if (event.type === 'ERROR') throw event.error;
  request.onEvent(event);
}

function endOf(error: unknown): WatchEnd {
  const code = findKubeError(error)?.code;
  if (code === 'Expired') return { reason: 'expired' };
  return { reason: code === 'Malformed' ? 'malformed' : 'failed', error: asError(error) };
}

function silent(): WatchEnd {
  return {
    reason: 'silent',
    error: new KubeError('Timeout', 'the watch fell silent for longer than the server keeps one'),
  };
}

/** Cancels the response when nothing comes for too long. Re-armed when it fires, not for every chunk. */
class SilenceGuard {
  readonly #clock: Clock;
  readonly #silenceMs: () => number;
  readonly #response: TransportResponse;
  #heardMs: number;
  #timer: Timer;
  fired = false;

  constructor(
    request: { readonly clock: Clock; readonly silenceMs: () => number },
    response: TransportResponse,
  ) {
    this.#clock = request.clock;
    this.#silenceMs = request.silenceMs;
    this.#response = response;
    this.#heardMs = this.#clock.monotonic();
    this.#timer = this.#arm(this.#silenceMs());
  }

  heard(): void {
    this.#heardMs = this.#clock.monotonic();
  }

  stop(): void {
    this.#timer.cancel();
  }

  #arm(delayMs: number): Timer {
    return this.#clock.setTimer(delayMs, () => this.#check(), 'watch silence');
  }

  #check(): void {
    const remainingMs = this.#heardMs + this.#silenceMs() - this.#clock.monotonic();
    if (remainingMs > 0) {
      this.#timer = this.#arm(remainingMs);
      return;
    }
    this.fired = true;
    this.#response.cancel();
  }
}
