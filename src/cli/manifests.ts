// Reads manifests for a command. In: paths, or `-` for standard input. Out: one entry per document, each with
// where it stands, so that a complaint can name file and line. Nothing is read twice, nothing is skipped
// silently: a file that cannot be read or parsed is an error that says which and why.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { LineCounter, parseAllDocuments } from 'yaml';
import type { Json } from '../api/meta.ts';
import { asError, CodedError } from '../base/errors.ts';

export interface Manifest {
  /** `file.yaml:12`. */
  readonly place: string;
  readonly value: Json;
}

export async function readManifests(paths: readonly string[]): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (const path of paths) manifests.push(...parseManifests(path, await readText(path)));
  return manifests;
}

/** A whole file, or standard input for `-`. */
export async function readText(path: string): Promise<string> {
  if (path === '-') return await text(process.stdin);
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    throw new CodedError('UnreadableFile', 'cannot read file', {
      fields: { path },
      cause: asError(thrown),
    });
  }
}

export function parseManifests(path: string, source: string): Manifest[] {
  const file = path === '-' ? 'standard input' : path;
  const lines = new LineCounter();
  const manifests: Manifest[] = [];
  for (const document of parseAllDocuments(source, { lineCounter: lines })) {
    const [fault] = document.errors;
    if (fault !== undefined) {
      const at = lines.linePos(fault.pos[0]);
      throw new CodedError('MalformedManifest', 'file is neither YAML nor JSON', {
        fields: { place: `${file}:${at.line}:${at.col}`, rule: firstLine(fault.message) },
      });
    }
    const value = document.toJS() as Json;
    if (value === null) continue;
    const line = lines.linePos(document.contents?.range[0] ?? 0).line;
    manifests.push(...itemsOf(value).map((item) => ({ place: `${file}:${line}`, value: item })));
  }
  return manifests;
}

/** `kind: List`, as `kubectl get -o yaml` prints several objects. */
function itemsOf(value: Json): readonly Json[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [value];
  const { kind, items } = value as { kind?: Json; items?: Json };
  const isList = typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items);
  return isList ? (items as readonly Json[]) : [value];
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? message;
}
