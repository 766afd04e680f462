// One answer off a socket, as it arrives. In: undici's callbacks. Out: the head as soon as it is there, and a
// body that is read chunk by chunk. A Node stream could do this too; it copies every chunk once more, and a
// watch is nothing but chunks.
//  1. The server is told to wait when the reader is behind, so a slow reader costs no memory.
//  2. Cancelling, or aborting the signal, frees the connection at once; a reader then gets the reason.
//  3. The listener on the signal is gone when the answer is.
import type { Dispatcher } from 'undici';
import { abortReason } from '../../base/clock.ts';
import type { TransportResponse } from './transport.ts';

const highWaterBytes = 512 * 1024;

export class ResponseStream implements Dispatcher.DispatchHandler {
  readonly #head = Promise.withResolvers<TransportResponse>();
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = (): void => this.#abort(abortReason(this.#signal as AbortSignal));
  #controller: Dispatcher.DispatchController | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #ended = false;
  #failure: Error | undefined;
  #wake: () => void = () => undefined;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get head(): Promise<TransportResponse> {
    return this.#head.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure !== undefined) controller.abort(this.#failure);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // Interim answers say nothing.
    if (status < 200) return;
    this.#head.resolve({
      status,
      headers: flat(headers),
      body: this.#read(),
      bytes: () => this.#all(),
      cancel: () =>
        this.#abort(new DOMException('The answer is not wanted any more', 'AbortError')),
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > highWaterBytes) controller.pause();
    this.#wake();
  }

  onResponseEnd(): void {
    this.#finish(undefined);
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#finish(error);
  }

  #abort(reason: Error): void {
    if (this.#ended) return;
    this.#finish(reason);
    this.#controller?.abort(reason);
  }

  #finish(failure: Error | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    if (failure !== undefined) this.#head.reject(failure);
    this.#wake();
  }

  async *#read(): AsyncGenerator<Buffer> {
    for (;;) {
      const chunks = this.#chunks;
      this.#chunks = [];
      this.#bytes = 0;
      this.#controller?.resume();
      yield* chunks;
      if (this.#chunks.length > 0) continue;
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#ended) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async #all(): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.#read()) parts.push(part);
    return Buffer.concat(parts);
  }
}

function flat(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}
