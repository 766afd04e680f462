// What the store has written, on disk: a snapshot of everything and a journal of the writes since.
// In: one record per write. Out: after a restart, all entries and the revision to go on from.
//
// Invariants
//  1. A record is one line with a checksum. A last line that is torn was never acknowledged and is dropped;
//     a bad line before good ones is damage, and the store refuses to start on it.
//  2. A snapshot replaces the old one in one step. Records that it already holds are skipped by revision, so
//     a crash between snapshot and the emptying of the journal loses and repeats nothing.
//  3. With sync `always` a write that was acknowledged survives a power cut, with `interval` all but the last
//     moment's do; with either all survive the end of this process.
import { crc32 } from 'node:zlib';
import type { Clock, Timer } from '../../../base/clock.ts';
import { CodedError } from '../../../base/errors.ts';
import type { ApiObject } from '../object.ts';

/** Files of one directory, by name. All calls have happened when they return. */
export interface JournalFiles {
  read(name: string): string | undefined;
  append(name: string, text: string): void;
  sync(name: string): void;
  /** Replaces the whole file in one step: afterwards it is the old or the new, never a part. */
  replace(name: string, text: Iterable<string>): void;
  close(): void;
}

export interface JournalRecord {
  readonly revision: number;
  readonly table: string;
  readonly key: string;
  /** Absent: the object was deleted. */
  readonly object?: ApiObject;
}

export interface Entry {
  readonly table: string;
  readonly key: string;
  readonly object: ApiObject;
}

export interface JournalOptions {
  readonly files: JournalFiles;
  readonly clock: Clock;
  readonly sync?: 'always' | 'interval' | 'never';
  /** A snapshot is due after this many records, but not before the journal is as long as the snapshot. */
  readonly recordsPerSnapshot?: number;
}

const snapshotFile = 'store.snapshot';
const journalFile = 'store.journal';
const syncEveryMs = 100;

export class Journal {
  readonly #options: JournalOptions;
  #records = 0;
  #entriesInSnapshot = 0;
  #syncTimer: Timer | undefined;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  get wantsSnapshot(): boolean {
    const least = this.#options.recordsPerSnapshot ?? 10_000;
    return this.#records >= Math.max(least, this.#entriesInSnapshot);
  }

  /** Everything that was kept. Throws JournalCorrupt with file and line on damage. */
  load(): { readonly revision: number; readonly entries: readonly Entry[] } {
    const { files } = this.#options;
    const entries = new Map<string, Entry>();
    const header = this.#loadSnapshot(entries);
    let revision = header;
    const { values, isTorn } = readLines(files.read(journalFile) ?? '', journalFile);
    for (const value of values as readonly JournalRecord[]) {
      if (value.revision <= header) continue;
      revision = value.revision;
      const id = `${value.table} ${value.key}`;
      if (value.object === undefined) entries.delete(id);
      else entries.set(id, { table: value.table, key: value.key, object: value.object });
    }
    this.#records = values.length;
    const kept = [...entries.values()];
    // Appending behind half a line would damage the next record too.
    if (isTorn) this.snapshot(revision, kept);
    return { revision, entries: kept };
  }

  append(record: JournalRecord): void {
    const { files, sync = 'interval', clock } = this.#options;
    files.append(journalFile, toLine(record));
    this.#records++;
    if (sync === 'always') files.sync(journalFile);
    if (sync === 'interval') {
      this.#syncTimer ??= clock.setTimer(syncEveryMs, () => this.#flush(), 'journal sync');
    }
  }

  snapshot(revision: number, entries: Iterable<Entry>): void {
    const { files } = this.#options;
    let count = 0;
    files.replace(
      snapshotFile,
      (function* () {
        yield toLine({ revision });
        for (const entry of entries) {
          count++;
          yield toLine(entry);
        }
      })(),
    );
    files.replace(journalFile, []);
    this.#records = 0;
    this.#entriesInSnapshot = count;
  }

  close(): void {
    this.#flush();
    this.#options.files.close();
  }

  #flush(): void {
    this.#syncTimer?.cancel();
    this.#syncTimer = undefined;
    if (this.#records > 0) this.#options.files.sync(journalFile);
  }

  #loadSnapshot(entries: Map<string, Entry>): number {
    const { values, isTorn } = readLines(
      this.#options.files.read(snapshotFile) ?? '',
      snapshotFile,
    );
    if (isTorn) throw corrupt(snapshotFile, values.length + 1);
    const [header, ...rest] = values as readonly [{ revision: number }?, ...Entry[]];
    for (const entry of rest) entries.set(`${entry.table} ${entry.key}`, entry);
    this.#entriesInSnapshot = rest.length;
    return header?.revision ?? 0;
  }
}

function toLine(value: object): string {
  const text = JSON.stringify(value);
  return `${crc32(text).toString(16).padStart(8, '0')} ${text}\n`;
}

function readLines(text: string, file: string): { values: unknown[]; isTorn: boolean } {
  const lines = text.split('\n');
  // What follows the last newline is empty, or the beginning of a line that was never finished.
  const rest = lines.pop() ?? '';
  const values: unknown[] = [];
  for (const [index, line] of lines.entries()) {
    const body = line.slice(9);
    if (crc32(body).toString(16).padStart(8, '0') === line.slice(0, 8)) {
      values.push(JSON.parse(body));
    } else if (index === lines.length - 1 && rest === '') {
      return { values, isTorn: true };
    } else {
      throw corrupt(file, index + 1);
    }
  }
  return { values, isTorn: rest !== '' };
}

function corrupt(file: string, line: number): CodedError {
  return new CodedError('JournalCorrupt', 'a kept file is damaged: restore it or start empty', {
    fields: { file, line },
  });
}
