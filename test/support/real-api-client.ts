// Plain JSON calls to a real API server started by real-api-server.ts. In: method, path, body. Out: status, headers and
// the parsed answer, whatever the status. One connection is kept and reused: some tools make thousands of calls.
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import type { RealApiServer } from './real-api-server.ts';

export interface RealAnswer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export class RealApiClient {
  readonly #server: RealApiServer;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });

  constructor(server: RealApiServer) {
    this.#server = server;
  }

  send(call: {
    readonly method: string;
    readonly path: string;
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }): Promise<RealAnswer> {
    const { method, path, body } = call;
    const headers = {
      authorization: `Bearer ${this.#server.token}`,
      'content-type': 'application/json',
      ...call.headers,
    };
    return new Promise((resolve, reject) => {
      const options = { method, headers, agent: this.#agent };
      const sent = request(`${this.#server.url}${path}`, options, (reply) => {
        let text = '';
        reply.setEncoding('utf8');
        reply.on('data', (chunk: string) => (text += chunk));
        reply.on('end', () =>
          resolve({ code: reply.statusCode ?? 0, headers: reply.headers, text }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    return JSON.parse((await this.send({ method, path, ...text })).text) as T;
  }

  close(): void {
    this.#agent.destroy();
  }
}
