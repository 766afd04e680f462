// The database of the emulated server: every object of every resource under one counter of revisions.
// In: reads and writes by table and key. Out: objects stamped with their revision, lists at a revision, watches.
//
// Invariants
//  1. Each write is one step: it takes the next revision, and readers see it whole or not at all.
//  2. An object's resourceVersion is the revision of its last write; a deleted one carries that of its deletion.
//  3. A list at a revision shows exactly the writes up to it, or is refused as expired.
//  4. A watch from a revision delivers every later write that concerns it, in order, or is refused as expired.
//  5. What is stored is never mutated; whoever wants a change commits a new object.
import type { Clock, Timer } from '../../../base/clock.ts';
import type { WatchEvent } from '../api.ts';
import { withMeta, type ApiObject } from '../object.ts';
import { expired, StatusError, tooLargeResourceVersion } from '../status-error.ts';
import { encodeContinue, decodeContinue, type ContinueToken } from './continue-token.ts';
import type { Retention, StoredEvent } from './history.ts';
import type { Journal } from './journal.ts';
import { Table } from './table.ts';
import { Watcher, type Matches } from './watcher.ts';

export interface StoreOptions {
  readonly clock: Clock;
  readonly retention?: Retention;
  readonly maxBufferedEvents?: number;
  /** Where writes are kept across restarts; without it they are gone with the process. */
  readonly journal?: Journal;
}

export interface PageRequest {
  readonly table: string;
  readonly prefix: string;
  readonly matches?: Matches;
  readonly limit?: number;
  readonly continue?: string;
  /** `exact` wants the state at that very revision, otherwise any state not older will do. */
  readonly revision?: { readonly at: number; readonly exact: boolean };
}

export interface Page {
  readonly revision: number;
  readonly objects: readonly ApiObject[];
  readonly continue?: string;
  readonly remaining?: number;
}

export interface WatchRequest {
  readonly table: string;
  readonly prefix: string;
  readonly matches?: Matches;
  /** Events after this revision; `current` first shows what is there now. */
  readonly from: number | 'current';
  /** Makes the object of a BOOKMARK event; without it there are none. */
  readonly bookmark?: (revision: string, initialEventsEnd: boolean) => ApiObject;
  /** After the present state a bookmark that says so. */
  readonly initialEventsEnd?: boolean;
  readonly timeoutMs?: number;
}

const defaultRetention: Retention = { maxEvents: 100_000, maxAgeMs: 5 * 60_000 };
const bookmarkEveryMs = 60_000;
const inconsistentContinue =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

const everything: Matches = () => true;

export class Store {
  readonly #clock: Clock;
  readonly #retention: Retention;
  readonly #maxBuffered: number;
  readonly #journal: Journal | undefined;
  readonly #tables = new Map<string, Table>();
  readonly #bookmarks = new Map<Watcher, (initialEventsEnd: boolean) => WatchEvent>();
  #bookmarkTimer: Timer | undefined;
  #revision = 1;

  constructor(options: StoreOptions) {
    this.#clock = options.clock;
    this.#retention = options.retention ?? defaultRetention;
    this.#maxBuffered = options.maxBufferedEvents ?? 32_768;
    this.#journal = options.journal;
    const kept = options.journal?.load();
    if (kept === undefined) return;
    // Set first: the tables made below remember nothing before it.
    this.#revision = Math.max(this.#revision, kept.revision);
    for (const { table, key, object } of kept.entries) this.#table(table).restore(key, object);
  }

  get revision(): number {
    return this.#revision;
  }

  get(table: string, key: string): ApiObject | undefined {
    return this.#tables.get(table)?.get(key);
  }

  count(table: string): number {
    return this.#tables.get(table)?.size ?? 0;
  }

  /** All objects below a prefix in key order, as they are now. */
  all(table: string, prefix = ''): readonly ApiObject[] {
    const rows = this.#tables.get(table)?.range({ prefix }) ?? [];
    return rows.map(([, object]) => object);
  }

  /** Stores the object under the next revision and gives it back stamped. */
  put(table: string, key: string, object: ApiObject): ApiObject {
    const revision = ++this.#revision;
    const stamped = withMeta(object, { resourceVersion: String(revision) });
    const rows = this.#table(table);
    const previous = rows.get(key);
    const type = previous === undefined ? 'ADDED' : 'MODIFIED';
    this.#commit(table, {
      type,
      revision,
      atMs: this.#clock.now(),
      key,
      object: stamped,
      previous,
    });
    return stamped;
  }

  /** Removes the object; gives back its last state under the revision of the deletion. */
  delete(table: string, key: string): ApiObject | undefined {
    const previous = this.#tables.get(table)?.get(key);
    if (previous === undefined) return undefined;
    const revision = ++this.#revision;
    const object = withMeta(previous, { resourceVersion: String(revision) });
    this.#commit(table, {
      type: 'DELETED',
      revision,
      atMs: this.#clock.now(),
      key,
      object,
      previous,
    });
    return object;
  }

  list(request: PageRequest): Page {
    const token = request.continue === undefined ? undefined : decodeContinue(request.continue);
    const at = this.#revisionToRead(request, token);
    const start = token?.start;
    const rows = this.#table(request.table).range({
      prefix: request.prefix,
      ...(start === undefined ? {} : { start }),
      ...(at === this.#revision ? {} : { revision: at }),
    });
    if (rows === undefined) throw this.#expiredList(token);
    return page(rows, request, at);
  }

  watch(request: WatchRequest): Watcher {
    const table = this.#table(request.table);
    const matches = request.matches ?? everything;
    table.history.trim(this.#clock.now());
    const missed = request.from === 'current' ? [] : table.history.after(request.from);
    if (missed === undefined) {
      throw expired(`too old resource version: ${request.from} (${table.history.compactedTo + 1})`);
    }
    const timer =
      request.timeoutMs === undefined
        ? undefined
        : this.#clock.setTimer(request.timeoutMs, () => watcher.stop(), 'watch timeout');
    const watcher: Watcher = new Watcher({
      keyPrefix: request.prefix,
      matches,
      // What is there already does not count against a reader that has not had a chance to read.
      maxBuffered: this.#maxBuffered + table.size + missed.length,
      onStop: () => {
        timer?.cancel();
        table.watchers.delete(watcher);
        this.#dropBookmarks(watcher);
      },
    });
    if (request.from === 'current') this.#showPresent(watcher, table, request);
    for (const event of missed) watcher.offer(event);
    this.#startBookmarks(watcher, request);
    table.watchers.add(watcher);
    return watcher;
  }

  /** Ends all watches and flushes what is to be kept. */
  close(): void {
    for (const table of this.#tables.values()) {
      for (const watcher of table.watchers) watcher.stop();
    }
    this.#journal?.close();
  }

  #commit(name: string, event: StoredEvent): void {
    // First to disk: a write that could not be kept has not happened.
    this.#journal?.append({
      revision: event.revision,
      table: name,
      key: event.key,
      ...(event.type === 'DELETED' ? {} : { object: event.object }),
    });
    this.#table(name).record(event);
    if (this.#journal?.wantsSnapshot === true) {
      this.#journal.snapshot(this.#revision, this.#entries());
    }
  }

  *#entries(): Iterable<{ table: string; key: string; object: ApiObject }> {
    for (const [table, rows] of this.#tables) {
      for (const [key, object] of rows.range({ prefix: '' }) ?? []) yield { table, key, object };
    }
  }

  #table(name: string): Table {
    let table = this.#tables.get(name);
    if (table === undefined) {
      // A table that nobody has written to has lost nothing, except what was there before a restart.
      const start = this.#journal === undefined ? 0 : this.#revision;
      table = new Table(this.#retention, start);
      this.#tables.set(name, table);
    }
    return table;
  }

  #revisionToRead(request: PageRequest, token: ContinueToken | undefined): number {
    const wanted = token === undefined ? request.revision : { at: token.revision, exact: true };
    if (wanted === undefined || wanted.at === -1) return this.#revision;
    if (wanted.at > this.#revision) throw tooLargeResourceVersion(wanted.at, this.#revision);
    return wanted.exact ? wanted.at : this.#revision;
  }

  #expiredList(token: ContinueToken | undefined): Error {
    if (token === undefined)
      return expired('The resourceVersion for the provided list is too old.');
    const error = expired(inconsistentContinue);
    const metadata = { continue: encodeContinue({ revision: -1, start: token.start }) };
    return new StatusError({ ...error.status, metadata });
  }

  #showPresent(watcher: Watcher, table: Table, request: WatchRequest): void {
    const matches = request.matches ?? everything;
    for (const [, object] of table.range({ prefix: request.prefix }) ?? []) {
      if (matches(object)) watcher.push({ type: 'ADDED', object });
    }
  }

  #startBookmarks(watcher: Watcher, request: WatchRequest): void {
    const { bookmark } = request;
    if (bookmark === undefined) return;
    const make = (initialEventsEnd: boolean): WatchEvent => ({
      type: 'BOOKMARK',
      object: bookmark(String(this.#revision), initialEventsEnd),
    });
    if (request.initialEventsEnd === true) watcher.push(make(true));
    this.#bookmarks.set(watcher, make);
    this.#bookmarkTimer ??= this.#scheduleBookmarks();
  }

  #dropBookmarks(watcher: Watcher): void {
    if (!this.#bookmarks.delete(watcher) || this.#bookmarks.size > 0) return;
    this.#bookmarkTimer?.cancel();
    this.#bookmarkTimer = undefined;
  }

  /** One timer for all watches: a large cluster has thousands of them. */
  #scheduleBookmarks(): Timer {
    return this.#clock.setTimer(
      bookmarkEveryMs,
      () => {
        for (const [watcher, make] of this.#bookmarks) watcher.push(make(false));
        this.#bookmarkTimer = this.#bookmarks.size > 0 ? this.#scheduleBookmarks() : undefined;
      },
      'watch bookmarks',
    );
  }
}

function page(
  rows: readonly (readonly [key: string, object: ApiObject])[],
  request: PageRequest,
  revision: number,
): Page {
  const matches = request.matches ?? everything;
  const limit = request.limit ?? 0;
  if (limit <= 0) {
    const objects = rows.filter(([, object]) => matches(object)).map(([, object]) => object);
    return { revision, objects };
  }
  const objects: ApiObject[] = [];
  for (const [index, [key, object]] of rows.entries()) {
    if (!matches(object)) continue;
    objects.push(object);
    if (objects.length < limit) continue;
    if (index === rows.length - 1) break;
    const rest = rows.length - index - 1;
    // With a selector nobody has counted what matches in the rest.
    const remaining = request.matches === undefined ? { remaining: rest } : {};
    return {
      revision,
      objects,
      continue: encodeContinue({ revision, start: `${key}\u0000` }),
      ...remaining,
    };
  }
  return { revision, objects };
}
