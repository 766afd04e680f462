// Protobuf's wire format, as much of it as Kubernetes uses. In: bytes. Out: fields with their number and raw value, in
// order. A message that ends too early is a RangeError.

export type WireValue =
  | { readonly type: 'varint'; readonly value: bigint }
  | { readonly type: 'bytes'; readonly value: Uint8Array }
  | { readonly type: 'fixed'; readonly value: number };

export interface WireField {
  readonly number: number;
  readonly value: WireValue;
}

export function* wireFields(bytes: Uint8Array): Generator<WireField> {
  const reader = new WireReader(bytes);
  while (!reader.isDone) {
    const key = Number(reader.varint());
    yield { number: key >>> 3, value: reader.value(key & 7) };
  }
}

class WireReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isDone(): boolean {
    return this.#position >= this.#bytes.length;
  }

  varint(): bigint {
    let result = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#position++];
      if (byte === undefined) throw new RangeError('unexpected EOF');
      result |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return result;
    }
    throw new RangeError('proto: integer overflow');
  }

  value(type: number): WireValue {
    switch (type) {
      case 0:
        return { type: 'varint', value: this.varint() };
      case 1:
        return { type: 'fixed', value: this.#view.getFloat64(this.#take(8), true) };
      case 2: {
        const length = Number(this.varint());
        const start = this.#take(length);
        return { type: 'bytes', value: this.#bytes.subarray(start, start + length) };
      }
      case 5:
        return { type: 'fixed', value: this.#view.getFloat32(this.#take(4), true) };
      default:
        throw new RangeError(`proto: illegal wireType ${type}`);
    }
  }

  #take(length: number): number {
    const start = this.#position;
    this.#position += length;
    if (this.#position > this.#bytes.length) throw new RangeError('unexpected EOF');
    return start;
  }
}
