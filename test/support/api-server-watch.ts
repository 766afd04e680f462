// One open watch of the scripted API server, in the hands of a test: it can be fed raw bytes, cut in the
// middle of an event, ended, or left silent.
export type EncodeEvent = (type: string, object: unknown) => string | Uint8Array;

export const jsonLine: EncodeEvent = (type, object) => `${JSON.stringify({ type, object })}\n`;

export class ServerWatch {
  readonly query: URLSearchParams;
  readonly resource: string;
  readonly #encode: EncodeEvent;
  #held: (string | Uint8Array)[] | undefined;
  /** Events of the server no longer reach this watch; the connection stays. */
  muted = false;
  readonly #chunks: (string | Uint8Array)[] = [];
  #wake: () => void = () => undefined;
  #end: 'open' | 'closed' | 'cut' = 'open';

  constructor(resource: string, query: URLSearchParams, encode: EncodeEvent = jsonLine) {
    this.resource = resource;
    this.query = query;
    this.#encode = encode;
  }

  get open(): boolean {
    return this.#end === 'open';
  }

  event(type: string, object: unknown): void {
    const line = this.#encode(type, object);
    if (this.#held !== undefined) this.#held.push(line);
    else if (!this.muted) this.raw(line);
  }

  raw(chunk: string | Uint8Array): void {
    if (!this.open) return;
    this.#chunks.push(chunk);
    this.#wake();
  }

  /** Keeps events on the way until `release`, which may bring them out of order. */
  hold(): void {
    this.#held ??= [];
  }

  release(order: 'in order' | 'reversed' = 'in order'): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const line of order === 'reversed' ? held.toReversed() : held) this.raw(line);
  }

  /** The server ends the watch in good order. */
  close(): void {
    this.#finish('closed');
  }

  /** The connection breaks after what was sent. */
  cut(): void {
    this.#finish('cut');
  }

  async *body(signal: AbortSignal): AsyncGenerator<string | Uint8Array> {
    const leave = (): void => {
      this.#finish('closed');
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      for (;;) {
        yield* this.#chunks.splice(0);
        if (this.#chunks.length > 0) continue;
        if (this.#end === 'cut') throw new Error('connection reset');
        if (this.#end === 'closed') return;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      signal.removeEventListener('abort', leave);
      this.#finish('closed');
    }
  }

  #finish(end: 'closed' | 'cut'): void {
    if (!this.open) return;
    this.#end = end;
    this.#wake();
  }
}
