// An API server in the same process, reached without a socket. In: the handler that an HTTP server would
// run. Out: a transport whose every step is a promise, so virtual time sees all of it.
// What sockets do is kept: an aborted request ends at once, a cancelled body tells the handler, and a body
// that throws is a connection lost in the middle.
import { abortReason } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import type { HttpHandler, HttpReply } from '../../base/http-server.ts';
import type { KubeTransport, TransportRequest, TransportResponse } from './transport.ts';

export class InProcessTransport implements KubeTransport {
  readonly #handler: HttpHandler;
  readonly #headers: Readonly<Record<string, string>>;
  /** One controller for each request whose body is neither read to its end nor cancelled. */
  readonly #active = new Set<AbortController>();
  #closed: Error | undefined;

  constructor(
    handler: HttpHandler,
    options: { readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    this.#handler = handler;
    this.#headers = options.headers ?? {};
  }

  get open(): number {
    return this.#active.size;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    if (this.#closed !== undefined) throw this.#closed;
    const life = new AbortController();
    const onAbort = (): void => life.abort(request.signal?.reason);
    const end = (): void => {
      request.signal?.removeEventListener('abort', onAbort);
      if (this.#active.delete(life)) life.abort();
    };
    this.#active.add(life);
    request.signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const reply = await raceAbort(life.signal, this.#answer(request, life.signal));
      return respond(reply, life.signal, end);
    } catch (error) {
      end();
      throw error;
    }
  }

  close(): Promise<void> {
    this.#closed ??= new CodedError('TransportClosed', 'the transport is closed');
    for (const life of this.#active) life.abort(this.#closed);
    return Promise.resolve();
  }

  async #answer(request: TransportRequest, signal: AbortSignal): Promise<HttpReply> {
    const [path = '', query = ''] = request.path.split('?', 2);
    return this.#handler({
      method: request.method,
      path,
      query: new URLSearchParams(query),
      headers: { ...request.headers, ...this.#headers },
      signal,
      body: () => Promise.resolve(Buffer.from(request.body ?? '')),
    });
  }
}

function respond(reply: HttpReply, signal: AbortSignal, end: () => void): TransportResponse {
  const body = chunks(reply.body, signal, end);
  return {
    status: reply.status,
    headers: lowerCase(reply.headers),
    body,
    async bytes() {
      const parts: Uint8Array[] = [];
      for await (const part of body) parts.push(part);
      return Buffer.concat(parts);
    },
    cancel: end,
  };
}

async function* chunks(
  body: HttpReply['body'],
  signal: AbortSignal,
  end: () => void,
): AsyncGenerator<Uint8Array> {
  const iterator = pieces(body);
  try {
    for (;;) {
      const next = await raceAbort(signal, iterator.next());
      if (next.done === true) return;
      yield typeof next.value === 'string' ? Buffer.from(next.value) : next.value;
    }
  } finally {
    end();
    // Not awaited: a generator that waits for something else would hold up who has left already.
    void iterator.return(undefined).catch(() => undefined);
  }
}

async function* pieces(body: HttpReply['body']): AsyncGenerator<string | Uint8Array> {
  if (body === undefined) return;
  if (typeof body === 'string' || body instanceof Uint8Array) yield body;
  else yield* body;
}

function lowerCase(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

async function raceAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(abortReason(signal));
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
    aborted.catch(() => undefined);
    work.catch(() => undefined);
  }
}
