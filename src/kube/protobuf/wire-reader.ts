// Protobuf's wire format, read from front to end. In: bytes. Out: numbers, texts, and where messages end. Bytes that are
// not what they should be are a NotProtobuf error: nothing is guessed, and nothing outside the bytes is read.
import { CodedError } from '../../base/errors.ts';
import { PartTable } from './part-table.ts';
import { StringTable } from './string-table.ts';
import { TimeTable } from './time-table.ts';

export const varintWire = 0;
export const bytesWire = 2;

export class WireReader {
  readonly times = new TimeTable();
  readonly #parts = new PartTable();
  readonly #texts = new StringTable(4096);
  readonly #keys = new StringTable(1024, true);
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  /** Goes on in other bytes, from `start`. */
  open(bytes: Buffer, start = 0): void {
    this.#bytes = bytes;
    this.#at = start;
  }

  get at(): number {
    return this.#at;
  }

  set at(position: number) {
    this.#at = position;
  }

  /** True when these bytes stand here, which are then passed over. */
  takes(expected: Uint8Array): boolean {
    for (let i = 0; i < expected.length; i++) {
      if (this.#bytes[this.#at + i] !== expected[i]) return false;
    }
    this.#at += expected.length;
    return true;
  }

  /** A number; negative ones are written as if they were huge. */
  varint(): number {
    const bytes = this.#bytes;
    const at = this.#at;
    const first = bytes[at] as number;
    if (first < 0x80) {
      this.#at = at + 1;
      return first;
    }
    // Whole numbers throughout: with fractions possible, the engine would box every position.
    const second = bytes[at + 1] as number;
    if (second < 0x80) {
      this.#at = at + 2;
      return (first & 0x7f) | (second << 7);
    }
    return this.#fiveBytes(at) ?? this.#longVarint();
  }

  /** Up to 35 bits without a loop: every time is such a number, and every object has several. */
  #fiveBytes(at: number): number | undefined {
    const bytes = this.#bytes;
    const third = bytes[at + 2] as number;
    const low = ((bytes[at] as number) & 0x7f) | (((bytes[at + 1] as number) & 0x7f) << 7);
    if (third < 0x80) {
      this.#at = at + 3;
      return low | (third << 14);
    }
    const fourth = bytes[at + 3] as number;
    const fifth = bytes[at + 4] as number;
    if (!(fourth >= 0x80 && fifth < 0x80)) return undefined;
    this.#at = at + 5;
    return fifth * 0x10000000 + (low | ((third & 0x7f) << 14) | ((fourth & 0x7f) << 21));
  }

  #longVarint(): number {
    let value = 0;
    let factor = 1;
    for (let i = 0; i < 9; i++) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw notProtobuf('a number is cut off');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    // The tenth byte has only the sign to add.
    return this.#negative(this.#bytes[this.#at++] ?? 0xff);
  }

  #negative(last: number): number {
    if (last > 1) throw notProtobuf('a number is too long');
    let value = BigInt(last);
    for (let at = this.#at - 2; at > this.#at - 11; at--) {
      value = (value << 7n) | BigInt((this.#bytes[at] as number) & 0x7f);
    }
    return Number(BigInt.asIntN(64, value));
  }

  /** Where the text or message ends that begins here with its length. */
  end(): number {
    const length = this.varint();
    const end = this.#at + length;
    if (!(end <= this.#bytes.length && end >= this.#at)) throw notProtobuf('a part is cut off');
    return end;
  }

  /** True when a field with this tag comes next, before `end`; its tag is then passed over. */
  follows(tag: number, end: number): boolean {
    if (this.#at >= end) return false;
    const before = this.#at;
    if (this.varint() === tag) return true;
    this.#at = before;
    return false;
  }

  /** What the bytes from here to `end` were made into before, for the same owner; the reader is then behind them. */
  known(owner: number, end: number): object | undefined {
    const part = this.#parts.find(owner, this.#bytes, this.#at, end);
    if (part !== undefined) this.#at = end;
    return part;
  }

  /** Remembers what was made of the bytes from `start` to here. */
  keep(owner: number, start: number, value: object): void {
    this.#parts.keep(owner, this.#bytes.subarray(start, this.#at), value);
  }

  text(): string {
    const end = this.end();
    const start = this.#at;
    this.#at = end;
    return end === start ? '' : this.#texts.text(this.#bytes, start, end);
  }

  /** A text that becomes the name of a property. */
  key(): string {
    const end = this.end();
    const start = this.#at;
    this.#at = end;
    return this.#keys.text(this.#bytes, start, end);
  }

  distinctText(): string {
    const end = this.end();
    const start = this.#at;
    this.#at = end;
    return end === start ? '' : this.#bytes.toString('utf8', start, end);
  }

  /** Passes over the value of a field that nobody reads. */
  skip(wire: number): void {
    if (wire === bytesWire) this.#at = this.end();
    else if (wire === varintWire) this.varint();
    else if (wire === 1) this.#at += 8;
    else if (wire === 5) this.#at += 4;
    else throw notProtobuf('a field is of no kind that there is');
    if (this.#at > this.#bytes.length) throw notProtobuf('a field is cut off');
  }
}

export function notProtobuf(message: string): CodedError {
  return new CodedError('NotProtobuf', message);
}
