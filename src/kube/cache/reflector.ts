// Keeps a store equal to the API server. In: a kind. Out: changes to its store, until the signal aborts.
//
//   list ──▶ watch ──closed, lost, silent, malformed──▶ watch again at the last version
//    ▲         └────expired, or a version the server never had────┐
//    └────────────────────────────────────────────────────────────┘
//
//  1. A list is one consistent read, never one from a server's stale cache, so versions do not go back.
//  2. Nothing is lost between a list and its watch, nor between two watches: each goes on at a version.
//  3. Failures wait with growing, jittered delays; a watch that has brought something starts them over.
//  4. A kind that the server does not have (yet) is a state to report, and is asked for again.
//  5. When binary answers make no sense twice on end, it asks for JSON from then on.
//  6. After `run` resolves no timer, request or connection of this reflector is left.
import { backoffDelay } from '../../base/async.ts';
import { sleep, type Clock } from '../../base/clock.ts';
import { asError, CodedError, hasCode } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { Random } from '../../base/random.ts';
import type { KubeObject } from '../../api/meta.ts';
import type { ResourceType } from '../../api/resource-type.ts';
import type { SelectorOptions } from '../client/call-options.ts';
import { noWatchMetrics, type WatchMetrics } from '../client/client-metrics.ts';
import type { KubeClient } from '../client/client.ts';
import { findKubeError, isKubeError, isNotFound } from '../client/errors.ts';
import { listPages } from './list-pages.ts';
import { ObjectCodec } from './object-codec.ts';
import { keyOf } from '../client/paths.ts';
import type { Store } from './store.ts';
import type { ChangeEvent } from './watch-event.ts';
import { watch, type WatchEnd } from './watch.ts';

export interface ReflectorOptions<T extends KubeObject> {
  readonly client: KubeClient;
  readonly type: ResourceType<T>;
  readonly codec?: ObjectCodec<T> | undefined;
  readonly store: Pick<
    Store<T>,
    'prepare' | 'upsert' | 'remove' | 'replaceByKey' | 'advance' | 'version'
  >;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics?: WatchMetrics | undefined;
  readonly selector?: SelectorOptions | undefined;
  readonly onStatus?: ((status: ReflectorStatus) => void) | undefined;
}

export type ReflectorStatus =
  | { readonly phase: 'listing' }
  | { readonly phase: 'watching' }
  /** The server does not know the kind: its CRD is not installed. */
  | { readonly phase: 'missing'; readonly error: Error }
  | { readonly phase: 'failing'; readonly error: Error };

const backoff = { baseMs: 800, maxMs: 30_000, jitter: 0.5 };
/** As the original: a random time from this to twice this, so that watches do not all end at once. */
const minTimeoutSeconds = 300;
const silenceGraceMs = 30_000;
/** While a list streams the server always has something to send. */
const listSilenceMs = 60_000;
/** A watch that ends sooner, with nothing told, counts as a failure: it must not become a tight loop. */
const shortestWatchMs = 1000;
/** A line that is still malformed after so many fresh starts is there for good: a list goes around it. */
const patience = 3;

/** What one watch has brought so far. */
interface Session<T> {
  readonly startedMs: number;
  readonly timeoutSeconds: number;
  /** The objects of a streaming list, until its end. */
  initial: Map<string, T> | undefined;
  progressed: boolean;
}

export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #metrics: WatchMetrics;
  readonly #codec: ObjectCodec<T>;
  #phase: ReflectorStatus['phase'] = 'listing';
  #mustList = true;
  /** Off for the next list when the server did not bring a streaming one to its end. */
  #mayStream = true;
  #failures = 0;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#metrics = options.metrics ?? noWatchMetrics;
    this.#codec = options.codec ?? new ObjectCodec(options.type);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      const delayMs = await this.#round(signal);
      if (delayMs === 0) continue;
      // Cut short only by the signal, which the loop asks next.
      await sleep(clock, delayMs, { signal, label: 'reflector backoff' }).catch(() => undefined);
    }
  }

  /** One watch, after a list if one is due. Answers how long to wait before the next. */
  async #round(signal: AbortSignal): Promise<number> {
    const { client, clock, random, store, type, selector } = this.#options;
    const streams = this.#mustList && this.#mayStream && client.offersStreamingLists;
    if (this.#mustList && !streams) {
      const failure = await this.#list(signal);
      if (failure !== undefined) return signal.aborted ? 0 : this.#fail(failure);
    }
    const session: Session<T> = {
      startedMs: clock.monotonic(),
      timeoutSeconds: Math.round(minTimeoutSeconds * (1 + random.next())),
      initial: streams ? new Map() : undefined,
      progressed: false,
    };
    const end = await watch<T>({
      client,
      clock,
      type,
      codec: this.#codec,
      options: {
        ...selector,
        signal,
        timeoutSeconds: session.timeoutSeconds,
        ...(streams ? { sendInitialEvents: true } : { resourceVersion: store.version }),
      },
      onOpen: () => {
        if (session.initial === undefined) this.#report({ phase: 'watching' });
      },
      onEvent: (event) => {
        if (event.type === 'BOOKMARK') this.#bookmark(session, event);
        else this.#change(session, event);
      },
      silenceMs: () =>
        session.initial === undefined
          ? session.timeoutSeconds * 1000 + silenceGraceMs
          : listSilenceMs,
    });
    return signal.aborted ? 0 : this.#ended(session, end);
  }

  async #list(signal: AbortSignal): Promise<Error | undefined> {
    const { client, type, selector, store } = this.#options;
    try {
      const listing = await listPages({
        client,
        type,
        codec: this.#codec,
        options: { ...selector, signal },
        prepare: (object) => store.prepare(object),
      });
      const objects = new Map(listing.objects.map((object) => [keyOf(object.metadata), object]));
      this.#listed(objects, listing.version, 'paged');
      return undefined;
    } catch (error) {
      return asError(error);
    }
  }

  #listed(objects: ReadonlyMap<string, T>, version: string, method: 'paged' | 'streamed'): void {
    const { store, type } = this.#options;
    store.replaceByKey(objects, version);
    this.#mustList = false;
    this.#mayStream = true;
    this.#metrics.listed(type, method);
    this.#report({ phase: 'watching' });
  }

  #change(session: Session<T>, event: ChangeEvent<T>): void {
    const { store } = this.#options;
    const object = store.prepare(event.object);
    if (session.initial !== undefined) {
      const key = keyOf(object.metadata);
      if (event.type === 'DELETED') session.initial.delete(key);
      else session.initial.set(key, object);
      return;
    }
    if (event.type === 'DELETED') store.remove(object);
    else store.upsert(object);
    if (object.metadata.resourceVersion !== undefined) {
      store.advance(object.metadata.resourceVersion);
    }
    session.progressed = true;
  }

  #bookmark(
    session: Session<T>,
    bookmark: { readonly version: string; readonly initial: boolean },
  ): void {
    session.progressed = true;
    if (session.initial === undefined) {
      this.#options.store.advance(bookmark.version);
      return;
    }
    if (!bookmark.initial) {
      throw new CodedError('StreamingListIgnored', 'the server does not mark the end of the list');
    }
    this.#listed(session.initial, bookmark.version, 'streamed');
    session.initial = undefined;
  }

  #ended(session: Session<T>, end: WatchEnd): number {
    const { clock, log, type } = this.#options;
    this.#metrics.ended(type, end.reason);
    const lastedMs = clock.monotonic() - session.startedMs;
    if (session.progressed || lastedMs >= shortestWatchMs) this.#failures = 0;
    if (session.initial !== undefined && this.#stopsStreaming(end)) return 0;
    // Servers send bookmarks every minute. Minutes of nothing at all is what a server does that has never
    // had our version, being restored from a backup: it waits for that version to come, without a word.
    const deaf = !session.progressed && lastedMs >= minTimeoutSeconds * 1000;
    if (deaf || needsList(end, this.#failures)) this.#mustList = true;
    if ('error' in end) return this.#fail(end.error);
    log.debug('watch ended', { resource: type.plural, reason: end.reason });
    // The first quick end is free, so an expired version is answered by a list at once.
    return this.#failures++ === 0 ? 0 : this.#delayMs(this.#failures - 2);
  }

  /** A streaming list did not come to its end. True when another way should be tried at once. */
  #stopsStreaming(end: WatchEnd): boolean {
    const { client, log, type } = this.#options;
    if (!refusesStreaming(end)) {
      this.#mayStream = end.reason === 'failed';
      return false;
    }
    client.rememberNoStreamingLists();
    log.debug('server offers no streaming lists', { resource: type.plural });
    return true;
  }

  #fail(error: Error): number {
    const { log, type } = this.#options;
    const resource = type.plural;
    const missing = isNotFound(error);
    if (!missing) log.error('watch failed', { resource, error });
    else if (this.#phase !== 'missing') log.error('resource is not served', { resource, error });
    this.#mustList ||= missing;
    // Once may be a broken proxy.
    if (this.#failures > 0 && isKubeError(error, 'Malformed') && this.#codec.giveUpBinary()) {
      log.info('binary encoding not understood, asking for JSON', { resource });
    }
    this.#report({ phase: missing ? 'missing' : 'failing', error });
    const askedMs = (findKubeError(error)?.retryAfterSeconds ?? 0) * 1000;
    return Math.max(askedMs, this.#delayMs(this.#failures++));
  }

  #report(status: ReflectorStatus): void {
    if (status.phase === 'watching' && this.#phase === 'watching') return;
    this.#phase = status.phase;
    this.#options.onStatus?.(status);
  }

  #delayMs(attempt: number): number {
    return backoffDelay(backoff, attempt, this.#options.random);
  }
}

function refusesStreaming(end: WatchEnd): boolean {
  if (!('error' in end)) return false;
  if (hasCode(end.error, 'StreamingListIgnored')) return true;
  const code = findKubeError(end.error)?.code;
  return code === 'BadRequest' || code === 'Invalid' || code === 'MethodNotAllowed';
}

function needsList(end: WatchEnd, failures: number): boolean {
  if (end.reason === 'expired') return true;
  if (end.reason === 'malformed') return failures >= patience;
  // Another way of not having our version.
  const causes = 'error' in end ? findKubeError(end.error)?.causes : undefined;
  return causes?.some((cause) => cause.reason === 'ResourceVersionTooLarge') ?? false;
}
