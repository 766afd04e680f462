// A session with a real API server over one kept connection. In: its address and an administrator's token. Out: requests
// as they are written, without any cleaning of paths, and whatever comes back.
import type { IncomingMessage } from 'node:http';
import { Agent, request as open } from 'node:https';
import type { Json } from '../../../src/api/meta.ts';
import { sleep, systemClock } from '../../../src/base/clock.ts';
import { incoming, outgoing, type KubeSession, type Request } from './session.ts';

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly request: Request;
  readonly signal?: AbortSignal;
}

export class RealSession implements KubeSession {
  readonly #server: { readonly url: string; readonly token: string };
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

  constructor(server: { readonly url: string; readonly token: string }) {
    this.#server = server;
  }

  async send(method: string, path: string, request: Request = {}) {
    const reply = await this.#exchange({ method, path, request });
    const chunks: Buffer[] = [];
    for await (const chunk of reply as AsyncIterable<Buffer>) chunks.push(chunk);
    return incoming(
      reply.statusCode ?? 0,
      headersOf(reply),
      Buffer.concat(chunks).toString('utf8'),
    );
  }

  async *watch(path: string, signal: AbortSignal): AsyncGenerator<Json> {
    const reply = await this.#exchange({ method: 'GET', path, request: {}, signal });
    let rest = '';
    for await (const chunk of untilAborted(reply, signal)) {
      const lines = `${rest}${chunk.toString('utf8')}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield JSON.parse(line) as Json;
    }
  }

  pause(ms: number): Promise<void> {
    return sleep(systemClock, ms);
  }

  close(): void {
    this.#agent.destroy();
  }

  #exchange({ method, path, request, signal }: Exchange): Promise<IncomingMessage> {
    const { bytes, headers } = outgoing(request, this.#server.token);
    const { hostname, port } = new URL(this.#server.url);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const sent = open(
      {
        hostname,
        port,
        path,
        method,
        // Node sends the body of a DELETE without its length unless told.
        headers: { ...headers, 'content-length': bytes.length },
        agent: this.#agent,
        ...(signal === undefined ? {} : { signal }),
      },
      resolve,
    );
    sent.on('error', reject);
    sent.end(bytes);
    return promise;
  }
}

/** The reader who goes is how a watch ends, not an error of it. */
async function* untilAborted(reply: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of reply as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function headersOf(reply: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(reply.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}
