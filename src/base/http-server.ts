// The one small HTTP server of the product: metrics, probes, dashboard and the emulators stand on it.
// In: a handler from request to reply. Out: an address and a way to stop.
//  1. A handler is a plain function; it can be called without a socket just as well.
//  2. A handler that throws answers 500 and is logged; the connection survives.
//  3. A reply that streams is pulled only as fast as the client reads, and its iterator is told when it goes.
//  4. After `close` resolves no socket, timer or handler of this server is left.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { CodedError } from './errors.ts';
import type { Logger } from './log.ts';

export interface HttpRequest {
  readonly method: string;
  /** The path as sent: still percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** DER of a client certificate that the server's CA has signed. */
  readonly clientCertificate?: Uint8Array;
  /** Aborts when the client goes away or the server stops. */
  readonly signal: AbortSignal;
  /** The whole body; throws BodyTooLarge beyond the server's limit. */
  body(): Promise<Uint8Array>;
}

export interface HttpReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | AsyncIterable<string | Uint8Array>;
}

export type HttpHandler = (request: HttpRequest) => HttpReply | Promise<HttpReply>;

export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
  /** With a CA, client certificates are asked for; those it did not sign are ignored. */
  readonly clientCa?: string;
}

export interface HttpServerOptions {
  readonly handler: HttpHandler;
  readonly log: Logger;
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port?: number;
  readonly tls?: TlsIdentity;
  readonly maxBodyBytes?: number;
}

export class HttpServer {
  readonly #server: Server;
  readonly #options: HttpServerOptions;
  readonly #sockets = new Set<Socket>();
  readonly #stopping = new AbortController();
  readonly #active = new Set<Promise<void>>();

  private constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#server =
      options.tls === undefined ? createServer() : createTlsServer(tlsOptions(options.tls));
    this.#server.on('connection', (socket: Socket) => this.#remember(socket));
    this.#server.on('secureConnection', (socket: Socket) => this.#remember(socket));
    this.#server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const done = this.#answer(incoming, outgoing).finally(() => this.#active.delete(done));
      this.#active.add(done);
    });
  }

  /** Resolves when the port is open; throws ListenFailed with the address when it cannot be had. */
  static async listen(options: HttpServerOptions): Promise<HttpServer> {
    const server = new HttpServer(options);
    const host = options.host ?? '127.0.0.1';
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.#server.once('error', (cause) =>
      reject(
        new CodedError('ListenFailed', 'cannot listen', {
          fields: { host, port: options.port ?? 0 },
          cause,
        }),
      ),
    );
    server.#server.listen(options.port ?? 0, host, resolve);
    await promise;
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    const scheme = this.#options.tls === undefined ? 'http' : 'https';
    return `${scheme}://${this.#options.host ?? '127.0.0.1'}:${this.port}`;
  }

  /** Stops taking requests, aborts those under way, and waits for their handlers. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#stopping.abort();
    for (const socket of this.#sockets) socket.destroy();
    await Promise.allSettled(this.#active);
    await closed;
  }

  #remember(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, this.#stopping.signal]);
    try {
      const request = toRequest(incoming, signal, this.#options.maxBodyBytes ?? 3 * 1024 * 1024);
      await send(outgoing, await this.#options.handler(request), signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#options.log.error('http handler failed', {
        error,
        method: incoming.method,
        path: incoming.url,
      });
      if (outgoing.headersSent) outgoing.destroy();
      else await send(outgoing, { status: 500, body: 'internal error\n' }, signal);
    }
  }
}

function tlsOptions(tls: TlsIdentity): object {
  const client =
    tls.clientCa === undefined
      ? {}
      : { ca: tls.clientCa, requestCert: true, rejectUnauthorized: false };
  return { cert: tls.cert, key: tls.key, ...client };
}

function toRequest(
  incoming: IncomingMessage,
  signal: AbortSignal,
  maxBodyBytes: number,
): HttpRequest {
  const target = incoming.url ?? '/';
  const mark = target.indexOf('?');
  const certificate = clientCertificateOf(incoming);
  return {
    method: incoming.method ?? 'GET',
    path: mark === -1 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark === -1 ? '' : target.slice(mark + 1)),
    headers: flatHeaders(incoming.headers),
    ...(certificate === undefined ? {} : { clientCertificate: certificate }),
    signal,
    body: () => readBody(incoming, maxBodyBytes),
  };
}

function clientCertificateOf(incoming: IncomingMessage): Uint8Array | undefined {
  if (!('encrypted' in incoming.socket)) return undefined;
  const socket = incoming.socket as TLSSocket;
  return socket.authorized ? socket.getPeerX509Certificate()?.raw : undefined;
}

function flatHeaders(headers: IncomingMessage['headers']): Record<string, string | undefined> {
  const flat: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers)) {
    flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new CodedError('BodyTooLarge', 'request body is too large', { fields: { maxBytes } });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

async function send(
  outgoing: ServerResponse,
  reply: HttpReply,
  signal: AbortSignal,
): Promise<void> {
  const { body } = reply;
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    outgoing.writeHead(reply.status, {
      'content-length': String(body === undefined ? 0 : Buffer.byteLength(body)),
      ...reply.headers,
    });
    outgoing.end(body);
    return;
  }
  outgoing.writeHead(reply.status, reply.headers);
  // A watch may stay silent for minutes; its client must see the answer's head at once.
  outgoing.flushHeaders();
  for await (const chunk of body) {
    if (signal.aborted) return;
    if (!outgoing.write(chunk)) await drained(outgoing, signal);
  }
  outgoing.end();
}

function drained(outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    outgoing.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });
}
