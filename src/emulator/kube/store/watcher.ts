// One open watch. In: every event of a table. Out: those that concern this watcher, as it must see them.
// 1. An object that stops matching is DELETED for this watcher, one that begins to match is ADDED.
// 2. Events come in the order of their revisions, none twice, none at or before the start.
// 3. Beyond `maxBuffered` untaken events the watch closes: one slow reader costs nobody else memory.
import type { Watch, WatchEvent } from '../api.ts';
import { withMeta, type ApiObject } from '../object.ts';
import type { StoredEvent } from './history.ts';

export type Matches = (object: ApiObject) => boolean;

export interface WatcherOptions {
  readonly keyPrefix: string;
  readonly matches: Matches;
  readonly maxBuffered: number;
  readonly onStop: (watcher: Watcher) => void;
}

/** The last state that matched, under the revision at which it stopped: made once for all watchers. */
const departures = new WeakMap<StoredEvent, ApiObject>();

function departureOf(event: StoredEvent, previous: ApiObject): ApiObject {
  let view = departures.get(event);
  if (view === undefined) {
    view = withMeta(previous, { resourceVersion: String(event.revision) });
    departures.set(event, view);
  }
  return view;
}

export class Watcher implements Watch {
  readonly #options: WatcherOptions;
  #events: WatchEvent[] = [];
  #wake: (() => void) | undefined;
  #closed = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  get closed(): boolean {
    return this.#closed;
  }

  take(): readonly WatchEvent[] {
    if (this.#events.length === 0) return [];
    const events = this.#events;
    this.#events = [];
    return events;
  }

  wake(run: () => void): void {
    if (this.#events.length > 0 || this.#closed) run();
    else this.#wake = run;
  }

  /** Ends the watch; what was delivered before can still be taken. */
  stop(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#options.onStop(this);
    this.#notify();
  }

  offer(event: StoredEvent): void {
    const { keyPrefix, matches } = this.#options;
    if (!event.key.startsWith(keyPrefix)) return;
    const { previous, object } = event;
    const isNow = event.type !== 'DELETED' && matches(object);
    const wasBefore = previous !== undefined && matches(previous);
    if (isNow) this.push({ type: wasBefore ? 'MODIFIED' : 'ADDED', object });
    else if (wasBefore) {
      const gone = event.type === 'DELETED' ? object : departureOf(event, previous);
      this.push({ type: 'DELETED', object: gone });
    }
  }

  push(event: WatchEvent): void {
    if (this.#closed) return;
    if (this.#events.length >= this.#options.maxBuffered) {
      this.stop();
      return;
    }
    this.#events.push(event);
    this.#notify();
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
