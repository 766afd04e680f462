// What surrounds objects in Kubernetes' binary encoding. In: the bytes of an answer, or of one frame of a watch. Out: the
// list, the event or the Status in them, as JSON would give them, without what the tables do not name.
//
//   answer: k8s␀ Unknown { typeMeta { apiVersion, kind }, raw: list or Status }
//   frame:  WatchEvent { type, object { raw: k8s␀ Unknown { typeMeta, raw: object or Status } } }
//
// A reader is for one kind and remembers texts that come again; bytes that are something else are a NotProtobuf error.
import type { KubeList, KubeObject, ListMeta, Status } from '../../api/meta.ts';
import { listMeta, status } from '../../api/protobuf/meta.ts';
import { text, type WireMessage } from '../../api/protobuf/wire-field.ts';
import { apiVersionOf, type ResourceType } from '../../api/resource-type.ts';
import { memberReader, messageReader, shape } from './message-reader.ts';
import { notProtobuf, WireReader } from './wire-reader.ts';

export const protobufMediaType = 'application/vnd.kubernetes.protobuf';

export function isProtobuf(contentType: string | undefined): boolean {
  return contentType?.startsWith(protobufMediaType) ?? false;
}

/** Bytes without this are no object of Kubernetes. */
const magic = Buffer.from('k8s\0');
/** Field 1 and field 2, both of bytes. */
const first = 0x0a;
const second = 0x12;

const readTypeMeta = messageReader({ apiVersion: text(1), kind: text(2) });
const readListMeta = messageReader(listMeta);
const readStatusMembers = memberReader(status);

export class ObjectReader<T extends KubeObject> {
  readonly #wire = new WireReader();
  readonly #type: ResourceType<T>;
  readonly #apiVersion: string;
  readonly #Shape = shape();
  /** How almost every object of a watch begins. */
  readonly #usual: { readonly head: Uint8Array; readonly kind: string };
  readonly #readMembers: ReturnType<typeof memberReader>;

  constructor(type: ResourceType<T>, table: WireMessage) {
    this.#type = type;
    this.#apiVersion = apiVersionOf(type);
    this.#readMembers = memberReader(table);
    this.#usual = { head: headOf(this.#apiVersion, type.kind), kind: type.kind };
  }

  list(bytes: Buffer): KubeList<T> {
    const wire = this.#wire;
    wire.open(bytes);
    const { kind, end } = openEnvelope(wire, bytes.length);
    if (kind !== `${this.#type.kind}List`) throw notProtobuf('the answer is no list of this kind');
    let metadata: ListMeta = {};
    const items: T[] = [];
    while (wire.at < end) {
      const tag = wire.varint();
      if (tag === first) metadata = readListMeta(wire);
      else if (tag === second) items.push(this.#object(wire.end()));
      else wire.skip(tag & 7);
    }
    if (wire.at !== end) throw notProtobuf('a list does not end where it should');
    return { metadata, items };
  }

  /** The type of an event and its object: a Status when the server gives up. */
  event(frame: Buffer): { readonly type: string; readonly object: T | Status } {
    const wire = this.#wire;
    wire.open(frame);
    let type = '';
    let object: T | Status | undefined;
    while (wire.at < frame.length) {
      const tag = wire.varint();
      if (tag === first) type = wire.text();
      else if (tag === second) object = this.#embedded();
      else wire.skip(tag & 7);
    }
    if (object === undefined) throw notProtobuf('an event has no object');
    return { type, object };
  }

  #embedded(): T | Status {
    const wire = this.#wire;
    const end = wire.end();
    if (wire.varint() !== first) throw notProtobuf('an event has no object');
    const envelopeEnd = wire.end();
    const { kind, end: rawEnd } = openEnvelope(wire, envelopeEnd, this.#usual);
    const object = this.#ofKind(kind, rawEnd);
    wire.at = end;
    return object;
  }

  #ofKind(kind: string, end: number): T | Status {
    if (kind === this.#type.kind) return this.#object(end);
    if (kind === 'Status') return statusOf(this.#wire, end);
    throw notProtobuf('an event has an object of another kind');
  }

  #object(end: number): T {
    const object = new this.#Shape();
    object['apiVersion'] = this.#apiVersion;
    object['kind'] = this.#type.kind;
    this.#readMembers(this.#wire, end, object);
    return object as unknown as T;
  }
}

/** The first bytes of an envelope: names are shorter than the 128 from which lengths take two bytes. */
function headOf(apiVersion: string, kind: string): Uint8Array {
  const part = (tag: number, bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from([tag, bytes.length]), bytes]);
  const names = [part(first, Buffer.from(apiVersion)), part(second, Buffer.from(kind))];
  return Buffer.concat([magic, part(first, Buffer.concat(names))]);
}

/** The Status in the body of a refusal. */
export function readStatus(bytes: Buffer): Status {
  const wire = new WireReader();
  wire.open(bytes);
  const { kind, end } = openEnvelope(wire, bytes.length);
  if (kind !== 'Status') throw notProtobuf('the answer is no Status');
  return statusOf(wire, end);
}

function statusOf(wire: WireReader, end: number): Status {
  const object = { apiVersion: 'v1', kind: 'Status' };
  readStatusMembers(wire, end, object);
  return object as Status;
}

/** Leaves the reader at the beginning of what is inside, and tells its kind and its end. */
function openEnvelope(
  wire: WireReader,
  end: number,
  usual?: { readonly head: Uint8Array; readonly kind: string },
): { kind: string; end: number } {
  let kind: unknown;
  if (usual !== undefined && wire.takes(usual.head)) ({ kind } = usual);
  else if (!wire.takes(magic)) throw notProtobuf('the first bytes are not those of an object');
  let start = end;
  let rawEnd = end;
  while (wire.at < end) {
    const tag = wire.varint();
    if (tag === first) ({ kind } = readTypeMeta(wire));
    else if (tag === second) {
      rawEnd = wire.end();
      start = wire.at;
      wire.at = rawEnd;
    } else wire.skip(tag & 7);
  }
  if (wire.at !== end || typeof kind !== 'string') throw notProtobuf('an envelope is damaged');
  wire.at = start;
  return { kind, end: rawEnd };
}
