// Objects in Kubernetes' binary encoding, byte for byte as the API server writes them. In: JSON. Out: bytes. For scripted
// servers and benchmarks. Reads the emulator's tables (messages.json), of which the client knows nothing, so the two check
// each other; recorded answers of a real server check both.
import { readFileSync } from 'node:fs';

type Json = Readonly<Record<string, unknown>>;

interface Tables {
  readonly packages: Readonly<Record<string, string>>;
  readonly messages: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const file = new URL('../../src/emulator/kube/protobuf/messages.json', import.meta.url);
const { packages, messages } = JSON.parse(readFileSync(file, 'utf8')) as Tables;

const listMeta = {
  1: 'selfLink string',
  2: 'resourceVersion string',
  3: 'continue string',
  4: 'remainingItemCount int *',
};
const more: Tables['messages'] = {
  'meta/v1.ListMeta': listMeta,
  'meta/v1.Status': {
    1: 'metadata meta/v1.ListMeta',
    2: 'status string',
    3: 'message string',
    4: 'reason string',
    5: 'details meta/v1.StatusDetails *',
    6: 'code int',
  },
  'meta/v1.StatusDetails': {
    1: 'name string',
    2: 'group string',
    3: 'kind string',
    4: 'causes []meta/v1.StatusCause',
    5: 'retryAfterSeconds int',
    6: 'uid string',
  },
  'meta/v1.StatusCause': { 1: 'reason string', 2: 'message string', 3: 'field string' },
};

interface Row {
  readonly number: number;
  readonly field: string;
  readonly type: string;
  readonly shape: 'one' | 'list' | 'map' | 'inline';
  readonly pointer: boolean;
}

const compiled = new Map<string, readonly Row[]>();

/** An object in its envelope: the body of an answer, or what an event carries. */
export function encodeObject(object: Json): Buffer {
  return written((writer) => writer.envelope(object, () => writer.object(object)));
}

/** Without its envelope, as an object stands in a list. */
export function encodeItem(object: Json): Buffer {
  return written((writer) => writer.object(object));
}

/** Items are encoded objects, so that one may stand in many answers. */
export function encodeList(list: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Json;
  readonly items: readonly Uint8Array[];
}): Buffer {
  return written((writer) =>
    writer.envelope(list, () => {
      for (const item of list.items.toReversed()) writer.bytes(2, item);
      writer.delimited(1, () => writer.message('meta/v1.ListMeta', list.metadata));
    }),
  );
}

/** One event of a watch with the length before it; the object is in its envelope. */
export function encodeFrame(type: string, object: Uint8Array): Buffer {
  return written((writer) => {
    writer.delimited(2, () => writer.bytes(1, object));
    writer.text(1, type);
    writer.length32();
  });
}

function written(write: (writer: Writer) => void): Buffer {
  const writer = new Writer();
  write(writer);
  return writer.result();
}

function rowsOf(name: string): readonly Row[] {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const table = messages[name] ?? more[name];
  if (table === undefined) throw new Error(`no table for ${name}`);
  const rows = Object.entries(table).map(([number, text]) => rowOf(Number(number), text));
  compiled.set(name, rows.toReversed());
  return rows.toReversed();
}

function rowOf(number: number, text: string): Row {
  const [field = '', type = '', flag] = text.split(' ');
  const pointer = flag === '*';
  if (flag === 'inline') return { number, field, type, shape: 'inline', pointer };
  if (type.startsWith('[]')) return { number, field, type: type.slice(2), shape: 'list', pointer };
  if (type.startsWith('{}')) return { number, field, type: type.slice(2), shape: 'map', pointer };
  return { number, field, type, shape: 'one', pointer };
}

/** Quantities may be numbers. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Writes from the end to the front, so that every length is known when its turn comes. */
class Writer {
  #buffer = Buffer.allocUnsafe(4096);
  #at = 4096;

  result(): Buffer {
    return Buffer.from(this.#buffer.subarray(this.#at));
  }

  envelope(type: Json, raw: () => void): void {
    this.text(4, '');
    this.text(3, '');
    this.delimited(2, raw);
    this.delimited(1, () => {
      this.text(2, textOf(type['kind']));
      this.text(1, textOf(type['apiVersion']));
    });
    this.#put(Buffer.from('k8s\0'));
  }

  object({ apiVersion, kind, ...rest }: Json): void {
    const type = `${packages[textOf(apiVersion)] ?? ''}.${textOf(kind)}`;
    this.message(kind === 'Status' ? 'meta/v1.Status' : type, rest);
  }

  message(name: string, object: Json): void {
    for (const row of rowsOf(name)) this.#member(row, object);
  }

  bytes(number: number, bytes: Uint8Array): void {
    this.delimited(number, () => this.#put(bytes));
  }

  text(number: number, text: string): void {
    this.bytes(number, Buffer.from(text));
  }

  delimited(number: number, content: () => void): void {
    const before = this.#buffer.length - this.#at;
    content();
    this.#varint(this.#buffer.length - this.#at - before);
    this.#varint(number * 8 + 2);
  }

  length32(): void {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(this.#buffer.length - this.#at);
    this.#put(length);
  }

  #member({ number, field, type, shape, pointer }: Row, object: Json): void {
    const value = object[field];
    if (shape === 'inline') this.delimited(number, () => this.message(type, object));
    else if (shape === 'list') {
      for (const item of ((value ?? []) as readonly unknown[]).toReversed())
        this.#one(number, type, item);
    } else if (shape === 'map') this.#entries(number, type, (value ?? {}) as Json);
    // Go writes what is no pointer, set or not.
    else if (!pointer || (value !== undefined && value !== null)) this.#one(number, type, value);
  }

  #entries(number: number, type: string, map: Json): void {
    for (const key of Object.keys(map).toSorted().toReversed()) {
      this.delimited(number, () => {
        this.#one(2, type, map[key]);
        this.text(1, key);
      });
    }
  }

  #one(number: number, type: string, value: unknown): void {
    if (type === 'string') this.text(number, textOf(value));
    else if (type === 'int') this.#numeric(number, Number(value ?? 0));
    else if (type === 'bool') this.#numeric(number, value === true ? 1 : 0);
    else if (type === 'bytes') this.bytes(number, Buffer.from(textOf(value), 'base64'));
    else this.delimited(number, () => this.#structured(type, value));
  }

  #structured(type: string, value: unknown): void {
    if (type === 'quantity') this.text(1, textOf(value ?? '0'));
    else if (type === 'fields') this.text(1, JSON.stringify(value));
    else if (type === 'time' || type === 'microTime') this.#time(value);
    else if (type === 'intOrString') this.#intOrString(value);
    else this.message(type, (value ?? {}) as Json);
  }

  #intOrString(value: unknown): void {
    this.text(3, typeof value === 'string' ? value : '');
    this.#numeric(2, typeof value === 'number' ? value : 0);
    this.#numeric(1, typeof value === 'string' ? 1 : 0);
  }

  #time(value: unknown): void {
    if (value === undefined || value === null) return;
    const [, fraction = ''] = /\.(\d+)Z$/.exec(textOf(value)) ?? [];
    this.#numeric(2, Number(fraction.padEnd(9, '0')));
    this.#numeric(1, Math.floor(Date.parse(textOf(value)) / 1000));
  }

  #numeric(number: number, value: number): void {
    this.#varint(value);
    this.#varint(number * 8);
  }

  #varint(value: number): void {
    if (value >= 0 && value < 0x80) {
      this.#put([value]);
      return;
    }
    let rest = BigInt.asUintN(64, BigInt(value));
    const bytes: number[] = [];
    do {
      bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
      rest >>= 7n;
    } while (rest > 0n);
    this.#put(bytes);
  }

  #put(bytes: ArrayLike<number>): void {
    const used = this.#buffer.length - this.#at;
    if (bytes.length > this.#at) {
      const larger = Buffer.allocUnsafe((this.#buffer.length + bytes.length) * 2);
      this.#buffer.copy(larger, larger.length - used, this.#at);
      this.#buffer = larger;
      this.#at = larger.length - used;
    }
    this.#at -= bytes.length;
    this.#buffer.set(bytes, this.#at);
  }
}
