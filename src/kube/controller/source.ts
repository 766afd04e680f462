// Where a controller's keys come from. In: events of any shape from a feed. Out: keys in a queue.
// A source reports what exists when it starts as well as what changes later: a controller that starts late
// misses nothing. After its stop function has been called a source reports nothing.
import type { KubeObject } from '../../api/meta.ts';
import { keyOf } from '../client/paths.ts';

/** The part of a work queue that a source may use. */
export interface KeySink {
  add(key: string): void;
  addAfter(key: string, delayMs: number): void;
}

export interface Source {
  readonly name: string;
  /** Begins to report; the returned function ends it. */
  start(keys: KeySink): () => void;
  /** Resolves when all that existed at the start has been reported. */
  synced(signal: AbortSignal): Promise<void>;
}

/** Anything that tells of changes: an informer, a store, a list in memory. */
export interface EventFeed<Event> {
  /** Calls the handler for what exists, then for every change, until the returned function is called. */
  subscribe(handler: (event: Event) => void): () => void;
  synced(signal: AbortSignal): Promise<void>;
}

export function watch<Event>(options: {
  readonly name: string;
  readonly feed: EventFeed<Event>;
  /** The keys that an event concerns; none to ignore it. */
  readonly keys: (event: Event) => Iterable<string>;
  /** Reports each key this much later. */
  readonly delayMs?: number;
}): Source {
  const { name, feed, keys, delayMs = 0 } = options;
  return {
    name,
    start: (sink) =>
      feed.subscribe((event) => {
        for (const key of keys(event)) sink.addAfter(key, delayMs);
      }),
    synced: (signal) => feed.synced(signal),
  };
}

/** The key of the object that changed, for controllers of that very kind. */
export function ownKey(change: {
  readonly before?: KubeObject;
  readonly after?: KubeObject;
}): string[] {
  const object = change.after ?? change.before;
  return object === undefined ? [] : [keyOf(object.metadata)];
}

/** Keys that other code hands over directly. What comes before the controller starts is kept for it. */
export class Trigger implements Source {
  readonly name: string;
  readonly #early = new Set<string>();
  #sink: KeySink | undefined;

  constructor(name: string) {
    this.name = name;
  }

  fire(key: string): void {
    if (this.#sink === undefined) this.#early.add(key);
    else this.#sink.add(key);
  }

  start(keys: KeySink): () => void {
    this.#sink = keys;
    for (const key of this.#early) keys.add(key);
    this.#early.clear();
    return () => {
      this.#sink = undefined;
    };
  }

  synced(): Promise<void> {
    return Promise.resolve();
  }
}
