import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../base/virtual-clock.ts';
import type { ApiObject } from '../object.ts';
import { diskFiles } from './disk-files.ts';
import { Journal, type JournalFiles } from './journal.ts';
import { Store } from './store.ts';

const table = '/things';

function thing(name: string, value: number): ApiObject {
  return { apiVersion: 'v1', kind: 'Thing', metadata: { name }, value };
}

/** Files in memory that count syncs. */
class MemoryFiles implements JournalFiles {
  readonly contents = new Map<string, string>();
  syncs = 0;

  read(name: string): string | undefined {
    return this.contents.get(name);
  }

  append(name: string, text: string): void {
    this.contents.set(name, (this.contents.get(name) ?? '') + text);
  }

  sync(): void {
    this.syncs++;
  }

  replace(name: string, text: Iterable<string>): void {
    this.contents.set(name, [...text].join(''));
  }

  close(): void {}
}

function open(
  files: JournalFiles,
  recordsPerSnapshot = 10_000,
  sync: 'always' | 'interval' = 'always',
) {
  const clock = new VirtualClock();
  const journal = new Journal({ files, clock, recordsPerSnapshot, sync });
  return { clock, store: new Store({ clock, journal }) };
}

test('a store that is opened again goes on where it stopped', () => {
  const files = new MemoryFiles();
  const first = open(files).store;
  first.put(table, 'a', thing('a', 1));
  first.put(table, 'b', thing('b', 1));
  first.put(table, 'a', thing('a', 2));
  first.delete(table, 'b');
  const second = open(files).store;
  expect([second.revision, second.all(table)]).toEqual([first.revision, first.all(table)]);
  expect(second.put(table, 'c', thing('c', 1)).metadata.resourceVersion).toBe('6');
});

test('watches from before the restart are refused as expired', () => {
  const files = new MemoryFiles();
  const first = open(files).store;
  first.put(table, 'a', thing('a', 1));
  const second = open(files).store;
  expect(() => second.watch({ table, prefix: '', from: 1 })).toThrow('too old resource version');
  expect(second.watch({ table, prefix: '', from: second.revision }).closed).toBe(false);
});

test('after enough records a snapshot takes the place of the journal', () => {
  const files = new MemoryFiles();
  const { store } = open(files, 3);
  for (let i = 0; i < 7; i++) store.put(table, 'a', thing('a', i));
  expect(files.contents.get('store.journal')!.split('\n')).toHaveLength(2);
  expect(open(files, 3).store.all(table)).toEqual(store.all(table));
});

test('a journal that outlived its snapshot is not applied twice', () => {
  const files = new MemoryFiles();
  const { store } = open(files, 3);
  store.put(table, 'a', thing('a', 1));
  store.put(table, 'b', thing('b', 1));
  const before = files.contents.get('store.journal')!;
  store.delete(table, 'a');
  // As if the machine stopped after the snapshot was renamed and before the journal was emptied.
  files.contents.set('store.journal', before);
  const again = open(files, 3).store;
  expect([again.revision, again.all(table).map((object) => object.metadata.name)]).toEqual([
    4,
    ['b'],
  ]);
});

test('damage before the end is refused with file and line', () => {
  const files = new MemoryFiles();
  const { store } = open(files);
  for (let i = 0; i < 3; i++) store.put(table, 'a', thing('a', i));
  const lines = files.contents.get('store.journal')!.split('\n');
  lines[1] = lines[1]!.replace('"value":1', '"value":7');
  files.contents.set('store.journal', lines.join('\n'));
  expect(() => open(files)).toThrow(
    expect.objectContaining({ code: 'JournalCorrupt', fields: { file: 'store.journal', line: 2 } }),
  );
});

test('with sync by interval one sync covers all writes of the moment', async () => {
  const files = new MemoryFiles();
  const { store, clock } = open(files, 10_000, 'interval');
  for (let i = 0; i < 50; i++) store.put(table, 'a', thing('a', i));
  expect(files.syncs).toBe(0);
  await clock.advance(100);
  expect([files.syncs, clock.pending().timers]).toEqual([1, []]);
});

describe('however the last write was cut off', () => {
  test('all writes before it are there, and further ones are kept', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 2, max: 8 }), (cut, writes) => {
        const files = new MemoryFiles();
        const { store } = open(files);
        for (let i = 0; i < writes; i++) store.put(table, `k${i}`, thing(`k${i}`, i));
        const text = files.contents.get('store.journal')!;
        const lastStart = text.lastIndexOf('\n', text.length - 2) + 1;
        files.contents.set(
          'store.journal',
          text.slice(0, lastStart + (cut % (text.length - lastStart))),
        );
        const again = open(files).store;
        expect(again.all(table)).toEqual(store.all(table).slice(0, -1));
        again.put(table, 'z', thing('z', 1));
        expect(open(files).store.all(table)).toEqual(again.all(table));
      }),
    );
  });
});

test('files on disk hold what was written, also after a replacement', () => {
  const directory = mkdtempSync(join(tmpdir(), 'journal-'));
  try {
    const files = diskFiles(directory);
    files.append('a', 'one\n');
    files.append('a', 'two\n');
    files.sync('a');
    expect(files.read('a')).toBe('one\ntwo\n');
    files.replace('a', ['three\n', 'four\n']);
    files.append('a', 'five\n');
    files.close();
    expect(readFileSync(join(directory, 'a'), 'utf8')).toBe('three\nfour\nfive\n');
    expect(files.read('b')).toBeUndefined();
  } finally {
    rmSync(directory, { recursive: true });
  }
});
