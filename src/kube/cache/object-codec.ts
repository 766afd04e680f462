// How the objects of one kind come off the wire. In: the bodies of lists and watches, in whichever encoding the server
// chose. Out: objects without what nobody reads, the same whatever the encoding was.
//  1. The content type of the answer decides how it is read; asking for binary only says what is preferred. Custom
//     resources, and servers that know only JSON, answer in JSON.
//  2. Cached objects are not whole: writing one back with PUT would delete what was dropped. Changes to them are patches
//     (client/patch.ts), which say nothing of what they do not change.
//  3. Parts of objects may be shared between objects.
//  4. What cannot be understood is a Malformed error, never a guess.
import type { KubeList, KubeObject } from '../../api/meta.ts';
import { wireTableOf } from '../../api/protobuf/kinds.ts';
import type { WireMessage } from '../../api/protobuf/wire-field.ts';
import { apiVersionOf, type ResourceType } from '../../api/resource-type.ts';
import { KubeError } from '../client/errors.ts';
import type { Answer } from '../client/requests.ts';
import { isProtobuf, ObjectReader, protobufMediaType } from '../protobuf/kube-messages.ts';
import { leanObject } from '../protobuf/lean-object.ts';
import { FrameSplitter } from './frames.ts';
import { LineSplitter } from './lines.ts';
import { parseWatchEvent, readWatchEvent, type WatchEvent } from './watch-event.ts';

export interface EventStream {
  push(chunk: Uint8Array): void;
  /** True when the stream stopped inside an event. */
  readonly unfinished: boolean;
}

export class ObjectCodec<T extends KubeObject> {
  readonly #type: ResourceType<T>;
  readonly #table: WireMessage | undefined;
  /** Made when the first binary answer comes. */
  #reader: ObjectReader<T> | undefined;
  #binary: boolean;

  constructor(type: ResourceType<T>) {
    this.#type = type;
    this.#table = wireTableOf(type);
    this.#binary = this.#table !== undefined;
  }

  /** For the Accept header: what is preferred comes first. */
  get accept(): string {
    return this.#binary ? `${protobufMediaType},application/json` : 'application/json';
  }

  /** From now on only JSON is asked for. True when that is a change. */
  giveUpBinary(): boolean {
    const was = this.#binary;
    this.#binary = false;
    return was;
  }

  /** Takes the body of a watch piece by piece and hands on its events. */
  events(contentType: string | undefined, onEvent: (event: WatchEvent<T>) => void): EventStream {
    const reader = this.#readerOf(contentType);
    if (reader !== undefined) {
      return new FrameSplitter((frame) => onEvent(readWatchEvent(frame, reader)));
    }
    return new LineSplitter((line) => {
      const event = parseWatchEvent<T>(line);
      onEvent('object' in event ? { type: event.type, object: this.lean(event.object) } : event);
    });
  }

  /** One page; its items say what they are, which those of the server do not. */
  list({ contentType, bytes }: Answer): KubeList<T> {
    try {
      const reader = this.#readerOf(contentType);
      if (reader !== undefined) return reader.list(bytes);
      const page = JSON.parse(bytes.toString('utf8')) as KubeList<T>;
      const typed = { apiVersion: apiVersionOf(this.#type), kind: this.#type.kind };
      return { ...page, items: page.items.map((item) => this.lean({ ...typed, ...item })) };
    } catch (cause) {
      throw new KubeError('Malformed', 'the list cannot be understood', { cause });
    }
  }

  #readerOf(contentType: string | undefined): ObjectReader<T> | undefined {
    if (this.#table === undefined || !isProtobuf(contentType)) return undefined;
    return (this.#reader ??= new ObjectReader(this.#type, this.#table));
  }

  /** What is kept of an object that came whole, out of JSON. */
  lean(object: T): T {
    return this.#table === undefined ? object : leanObject(object, this.#table);
  }
}
