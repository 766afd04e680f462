// Requests over sockets, the only file of this folder that knows undici. In: how to reach the server.
// Out: answers. Short requests share a small pool; every long-running one has a connection of its own, so
// that a watch never waits for, nor holds up, anything else.
//  1. HTTP/1.1 only: one lost HTTP/2 connection would be every watch lost at once.
//  2. Credentials are asked for anew with each request; a 401 renews them and tries once more.
//  3. A new client certificate means new connections; requests under way end on the old ones.
//  4. After `close` resolves no socket is left.
import { Pool, ProxyAgent, type Dispatcher } from 'undici';
import type { KubeAccess } from '../config/access.ts';
import type { ClientCertificate, Credential } from '../config/credentials.ts';
import { ResponseStream } from './response-stream.ts';
import type { KubeTransport, TransportRequest, TransportResponse } from './transport.ts';

export interface UndiciTransportOptions {
  readonly access: Omit<KubeAccess, 'namespace'>;
  /** Of the pool for short requests. */
  readonly connections?: number;
}

/** The server keeps idle connections for 90 seconds; ours must be the shorter time. */
const keepAliveTimeout = 60_000;
const connectTimeout = 15_000;
/** A safety net: calls have deadlines of their own, which the clock in use decides. */
const headersTimeout = 120_000;
const bodyTimeout = 120_000;
/** The kernel then asks every second, ten times: a peer that is gone is noticed within 40 seconds. */
const keepAliveInitialDelay = 30_000;

interface Connections {
  readonly certificate: ClientCertificate | undefined;
  readonly short: Dispatcher;
  readonly long: Dispatcher;
}

export class UndiciTransport implements KubeTransport {
  readonly #access: UndiciTransportOptions['access'];
  readonly #poolSize: number;
  readonly #prefix: string;
  #connections: Connections | undefined;
  /** With requests still under way on a certificate that has been replaced. */
  readonly #retiring = new Set<Dispatcher>();
  #closed = false;

  constructor(options: UndiciTransportOptions) {
    this.#access = options.access;
    this.#poolSize = options.connections ?? 32;
    this.#prefix = options.access.server.pathname.replace(/\/$/, '');
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const { credentials } = this.#access;
    const credential = await credentials.current();
    const response = await this.#dispatch(request, credential);
    if (response.status !== 401) return response;
    // Whatever goes wrong with renewing, the refusal that we have is the better answer.
    const renewed = await credentials.refused(credential).catch(() => false);
    if (!renewed) return response;
    response.cancel();
    return this.#dispatch(request, await credentials.current());
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#retire();
    await Promise.all(Array.from(this.#retiring, (dispatcher) => dispatcher.destroy()));
  }

  /** Lets the present connections finish what they are at. */
  #retire(): void {
    for (const dispatcher of [this.#connections?.short, this.#connections?.long]) {
      if (dispatcher === undefined) continue;
      this.#retiring.add(dispatcher);
      void dispatcher.close().finally(() => this.#retiring.delete(dispatcher));
    }
    this.#connections = undefined;
  }

  #dispatch(request: TransportRequest, credential: Credential): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    const { server, headers } = this.#access;
    const { short, long } = this.#connectionsFor(credential.certificate);
    const stream = new ResponseStream(request.signal);
    const dispatcher = request.longRunning === true ? long : short;
    dispatcher.dispatch(
      {
        origin: server.origin,
        path: this.#prefix + request.path,
        method: request.method,
        headers: { ...request.headers, ...mutable(headers), ...credential.headers },
        body: request.body ?? null,
      },
      stream,
    );
    return stream.head;
  }

  #connectionsFor(certificate: ClientCertificate | undefined): Connections {
    if (this.#closed) throw new Error('the transport is closed');
    const known = this.#connections;
    if (known !== undefined && sameCertificate(known.certificate, certificate)) return known;
    this.#retire();
    this.#connections = {
      certificate,
      short: this.#dispatcher(certificate, { connections: this.#poolSize, bodyTimeout }),
      long: this.#dispatcher(certificate, { connections: null, bodyTimeout: 0 }),
    };
    return this.#connections;
  }

  #dispatcher(
    certificate: ClientCertificate | undefined,
    limits: { readonly connections: number | null; readonly bodyTimeout: number },
  ): Dispatcher {
    const { server, tls, proxy } = this.#access;
    const options = {
      ...limits,
      allowH2: false,
      pipelining: 1,
      headersTimeout,
      keepAliveTimeout,
      connectTimeout,
    };
    const secure = {
      ...(tls.ca === undefined ? {} : { ca: tls.ca }),
      ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
      ...certificate,
      rejectUnauthorized: tls.insecure !== true,
      timeout: connectTimeout,
      keepAlive: true,
      keepAliveInitialDelay,
    };
    return proxy === undefined
      ? new Pool(server.origin, { ...options, connect: secure })
      : new ProxyAgent({ ...options, uri: proxy, requestTls: secure });
  }
}

function mutable(headers: KubeAccess['headers']): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : [...value],
    ]),
  );
}

function sameCertificate(
  a: ClientCertificate | undefined,
  b: ClientCertificate | undefined,
): boolean {
  return a?.cert === b?.cert && a?.key === b?.key;
}
