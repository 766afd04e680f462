// The recent writes to one table, oldest first: what watches resume from and what old revisions are rebuilt
// from. In: one event per write. Out: the events after a revision, as long as they are remembered.
// 1. Revisions grow strictly.
// 2. `compactedTo` is the highest revision whose event may have been dropped: from there on all is complete.
import type { ApiObject } from '../object.ts';

export interface StoredEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly atMs: number;
  readonly key: string;
  /** For DELETED the last state, under the revision of the deletion. */
  readonly object: ApiObject;
  /** The state before; undefined when there was none. */
  readonly previous: ApiObject | undefined;
}

export interface Retention {
  readonly maxEvents: number;
  readonly maxAgeMs: number;
}

export class History {
  readonly #retention: Retention;
  #events: StoredEvent[] = [];
  /** Events before this index are dropped; they are cut off in bulk. */
  #head = 0;
  #compactedTo: number;

  constructor(retention: Retention, startRevision: number) {
    this.#retention = retention;
    this.#compactedTo = startRevision;
  }

  get compactedTo(): number {
    return this.#compactedTo;
  }

  append(event: StoredEvent): void {
    this.#events.push(event);
    this.trim(event.atMs);
  }

  /** Drops what is too old or too much. */
  trim(nowMs: number): void {
    const { maxEvents, maxAgeMs } = this.#retention;
    const events = this.#events;
    for (let first = events[this.#head]; first !== undefined; first = events[this.#head]) {
      const isKept = events.length - this.#head <= maxEvents && nowMs - first.atMs <= maxAgeMs;
      if (isKept) break;
      this.#compactedTo = first.revision;
      this.#head++;
    }
    if (this.#head > 1024 && this.#head * 2 > events.length) {
      this.#events = events.slice(this.#head);
      this.#head = 0;
    }
  }

  /** The events after `revision`, or undefined when some of them are forgotten. */
  after(revision: number): readonly StoredEvent[] | undefined {
    if (revision < this.#compactedTo) return undefined;
    return this.#events.slice(this.#indexAfter(revision));
  }

  #indexAfter(revision: number): number {
    let low = this.#head;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle] as StoredEvent).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
