// One line or frame of a watch, understood. In: its bytes. Out: the event, or a Malformed error. Nothing is guessed:
// what is not exactly an event is never taken for one.
import { CodedError } from '../../base/errors.ts';
import type { KubeObject, ObjectMeta, Status } from '../../api/meta.ts';
import { errorFromStatus, KubeError } from '../client/errors.ts';
import type { ObjectReader } from '../protobuf/kube-messages.ts';
import { withoutManagedFieldsText } from './managed-fields.ts';

export interface ChangeEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: T;
}

export type WatchEvent<T> =
  | ChangeEvent<T>
  /** Everything up to `version` has been sent; `initial` marks the end of a streaming list. */
  | { readonly type: 'BOOKMARK'; readonly version: string; readonly initial: boolean }
  /** The server gives up on this watch. */
  | { readonly type: 'ERROR'; readonly error: KubeError };

interface RawEvent {
  readonly type?: string;
  readonly object?: Omit<Status, 'metadata'> & { readonly metadata?: Partial<ObjectMeta> };
}

const changes: ReadonlySet<string | undefined> = new Set(['ADDED', 'MODIFIED', 'DELETED']);

export function parseWatchEvent<T extends KubeObject>(line: Buffer): WatchEvent<T> {
  return understood(parseLine(line), line);
}

export function readWatchEvent<T extends KubeObject>(
  frame: Buffer,
  reader: ObjectReader<T>,
): WatchEvent<T> {
  let raw: RawEvent;
  try {
    raw = reader.event(frame) as RawEvent;
  } catch (cause) {
    throw new KubeError('Malformed', 'the watch cannot be understood', { cause });
  }
  return understood(raw, frame);
}

function understood<T extends KubeObject>(raw: RawEvent, bytes: Buffer): WatchEvent<T> {
  const { type, object = {} } = raw;
  const { name, resourceVersion: version, annotations } = object.metadata ?? {};
  if (changes.has(type) && name !== undefined) return raw as ChangeEvent<T>;
  if (type === 'BOOKMARK' && version !== undefined) {
    return { type, version, initial: annotations?.['k8s.io/initial-events-end'] === 'true' };
  }
  if (type === 'ERROR') return { type, error: errorFromStatus(object) };
  throw malformed(bytes);
}

function parseLine(line: Buffer): RawEvent {
  let raw: RawEvent | null;
  try {
    raw = JSON.parse(withoutManagedFieldsText(line.toString('utf8'))) as RawEvent | null;
  } catch {
    // The parser's own message quotes what it stumbled on, which may be part of a Secret.
    throw malformed(line);
  }
  if (raw === null) throw malformed(line);
  return raw;
}

function malformed(line: Buffer): KubeError {
  const fields = { bytes: line.length, starts: line.toString('utf8', 0, 60) };
  return new KubeError('Malformed', 'the watch cannot be understood', {
    cause: new CodedError('NotAnEvent', 'a line is not an event', { fields }),
  });
}
