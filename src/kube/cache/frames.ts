// A byte stream as frames, each with its length in four bytes before it. In: chunks cut anywhere. Out: the bytes of each
// frame, to be used at once. A frame in many pieces is joined once, not per piece.
import { KubeError } from '../client/errors.ts';

const headBytes = 4;
/** Far above any object (etcd takes 1.5 MB), far below what would hurt. */
const defaultMaxBytes = 32 * 1024 * 1024;

export class FrameSplitter {
  readonly #onFrame: (frame: Buffer) => void;
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** How many bytes the kept pieces must be before they can be looked at again. */
  #wanted = headBytes;

  constructor(onFrame: (frame: Buffer) => void, maxBytes = defaultMaxBytes) {
    this.#onFrame = onFrame;
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): void {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    while (this.#bytes > 0 && rest.length > 0) {
      // Only what completes the frame is joined, not the many frames after it.
      const missing = this.#wanted - this.#bytes;
      this.#keep(rest.subarray(0, missing));
      rest = rest.subarray(missing);
      if (this.#bytes >= this.#wanted) this.#split(this.#take());
    }
    if (rest.length > 0) this.#split(rest);
  }

  /** True when the stream stopped inside a frame. */
  get unfinished(): boolean {
    return this.#bytes > 0;
  }

  #split(buffer: Buffer): void {
    let at = 0;
    while (buffer.length - at >= headBytes) {
      const length = buffer.readUInt32BE(at);
      if (length > this.#maxBytes) throw tooLong(length, this.#maxBytes);
      const end = at + headBytes + length;
      if (end > buffer.length) {
        this.#wanted = headBytes + length;
        break;
      }
      this.#onFrame(buffer.subarray(at + headBytes, end));
      at = end;
    }
    if (at < buffer.length) this.#keep(buffer.subarray(at));
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length;
    this.#pieces.push(piece);
  }

  #take(): Buffer {
    const joined = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    this.#wanted = headBytes;
    return joined;
  }
}

/** No server writes such a frame: the stream is something else than it says, or has lost its beat. */
function tooLong(bytes: number, maxBytes: number): KubeError {
  return new KubeError('Malformed', 'a frame of the watch is longer than any object', {
    cause: new RangeError(`${bytes} bytes, of at most ${maxBytes}`),
  });
}
