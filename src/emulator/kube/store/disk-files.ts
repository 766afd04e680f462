// The journal's files in a directory of this machine. In: names and text. Out: synchronous, durable writes.
// 1. A replaced file is written beside, synced, renamed, and the directory synced: a crash leaves old or new.
// 2. Nobody else on this machine reads them: there are secrets among the objects.
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { JournalFiles } from './journal.ts';

/** Text is collected into writes of this size: one system call per object would dominate a snapshot. */
const chunkLength = 1 << 20;
const privateMode = 0o600;

export function diskFiles(directory: string): JournalFiles {
  mkdirSync(directory, { recursive: true });
  const open = new Map<string, number>();
  const appending = (name: string): number => {
    let file = open.get(name);
    if (file === undefined) {
      file = openPrivate(join(directory, name), 'a');
      open.set(name, file);
    }
    return file;
  };
  const forget = (name: string): void => {
    const file = open.get(name);
    if (file !== undefined) closeSync(file);
    open.delete(name);
  };
  return {
    read(name) {
      const path = join(directory, name);
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    },
    append: (name, text) => writeAll(appending(name), text),
    sync: (name) => fsyncSync(appending(name)),
    replace(name, text) {
      forget(name);
      const path = join(directory, name);
      const file = openPrivate(`${path}.new`, 'w');
      let chunk = '';
      for (const part of text) {
        chunk += part;
        if (chunk.length < chunkLength) continue;
        writeAll(file, chunk);
        chunk = '';
      }
      writeAll(file, chunk);
      fsyncSync(file);
      closeSync(file);
      renameSync(`${path}.new`, path);
      syncDirectory(directory);
    },
    close() {
      for (const name of open.keys()) forget(name);
    },
  };
}

/** Also when the file is there already, with other rights. */
function openPrivate(path: string, flags: 'a' | 'w'): number {
  const file = openSync(path, flags, privateMode);
  fchmodSync(file, privateMode);
  return file;
}

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) written += writeSync(file, bytes, written);
}

function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
