// A byte stream as lines. In: chunks cut anywhere, also inside a character. Out: the bytes of each line
// without its end, to be used at once. A line in many pieces is joined once, not per piece.
import { CodedError } from '../../base/errors.ts';

const lineFeed = 0x0a;
/** Far above any object (etcd takes 1.5 MB), far below what would hurt. */
const defaultMaxBytes = 32 * 1024 * 1024;

export class LineSplitter {
  readonly #onLine: (line: Buffer) => void;
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(onLine: (line: Buffer) => void, maxBytes = defaultMaxBytes) {
    this.#onLine = onLine;
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): void {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    let end = buffer.indexOf(lineFeed);
    if (end !== -1 && this.#bytes > 0) {
      this.#keep(buffer.subarray(0, end));
      this.#emit(Buffer.concat(this.#take()));
      start = end + 1;
      end = buffer.indexOf(lineFeed, start);
    }
    while (end !== -1) {
      this.#emit(buffer.subarray(start, end));
      start = end + 1;
      end = buffer.indexOf(lineFeed, start);
    }
    if (start < buffer.length) this.#keep(buffer.subarray(start));
  }

  /** True when the stream stopped inside a line. */
  get unfinished(): boolean {
    return this.#bytes > 0;
  }

  #emit(line: Buffer): void {
    if (line.length > 0) this.#onLine(line);
  }

  #keep(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxBytes) {
      throw new CodedError('LineTooLong', 'a line of the stream is longer than any object', {
        fields: { maxBytes: this.#maxBytes },
      });
    }
    this.#pieces.push(piece);
  }

  #take(): Uint8Array[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#bytes = 0;
    return pieces;
  }
}
