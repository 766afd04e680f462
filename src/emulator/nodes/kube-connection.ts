// How a program on a node talks to the Kubernetes API: requests with a credential of its own, nothing else. In: the API's
// handler and the credential. Out: answers as they came, and watches as streams of events.
// A request that cannot be sent at all counts as status 0: programs on a node retry, they do not die.
import type { Json } from '../../api/meta.ts';
import type { HttpHandler, HttpReply } from '../../base/http-server.ts';
import { isObject, textAt, type JsonObject } from '../kube/json.ts';

export type NodeCredential =
  | { readonly token: string }
  /** DER. */
  | { readonly certificate: Uint8Array };

export interface ApiAnswer {
  readonly status: number;
  /** Read when it is asked for: most answers say no more than that it is done. */
  readonly body: JsonObject;
}

export interface WatchedChange {
  readonly type: string;
  readonly object: JsonObject;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query. */
  readonly target: string;
  readonly body?: JsonObject;
  /** Of a PATCH: strategic unless told. */
  readonly patch?: 'strategic-merge' | 'merge';
}

export class KubeConnection {
  readonly #handler: HttpHandler;
  #credential: NodeCredential;
  readonly #agent: string;

  constructor(options: {
    readonly handler: HttpHandler;
    readonly credential: NodeCredential;
    readonly agent: string;
  }) {
    this.#handler = options.handler;
    this.#credential = options.credential;
    this.#agent = options.agent;
  }

  /** From the next request on. */
  use(credential: NodeCredential): void {
    this.#credential = credential;
  }

  async send(request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer> {
    const reply = await this.#ask(request, signal);
    if (reply === undefined) return { status: 0, body: {} };
    const text = await textOf(reply);
    return {
      status: reply.status,
      get body() {
        return jsonOf(text) ?? {};
      },
    };
  }

  /** Ends when the server ends it; undefined when the server will not watch. */
  async watch(
    target: string,
    signal: AbortSignal,
  ): Promise<AsyncIterable<WatchedChange> | undefined> {
    const reply = await this.#ask({ method: 'GET', target }, signal);
    const body = reply?.body;
    if (reply?.status !== 200 || body === undefined || typeof body === 'string') return undefined;
    return body instanceof Uint8Array ? undefined : changesOf(body);
  }

  async #ask(request: ApiRequest, signal: AbortSignal): Promise<HttpReply | undefined> {
    signal.throwIfAborted();
    const { pathname, searchParams } = new URL(request.target, 'https://kubernetes');
    const content = request.body === undefined ? '' : JSON.stringify(request.body);
    const credential = this.#credential;
    const authorization =
      'token' in credential ? { authorization: `Bearer ${credential.token}` } : {};
    try {
      return await this.#handler({
        method: request.method,
        path: pathname,
        query: searchParams,
        headers: {
          accept: 'application/json',
          'content-type': contentType(request),
          'user-agent': this.#agent,
          ...authorization,
        },
        ...('certificate' in credential ? { clientCertificate: credential.certificate } : {}),
        signal,
        body: () => Promise.resolve(Buffer.from(content)),
      });
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }
}

/** What the API says was wrong, for a log. */
export function refusalOf({ status, body }: ApiAnswer): string {
  return status === 0 ? 'no connection' : `${status} ${textAt(body, 'message')}`.trim();
}

export function isDone({ status }: ApiAnswer): boolean {
  return status >= 200 && status < 300;
}

function contentType({ method, patch = 'strategic-merge' }: ApiRequest): string {
  return method === 'PATCH' ? `application/${patch}-patch+json` : 'application/json';
}

async function textOf({ body = '' }: HttpReply): Promise<string> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8');
  let text = '';
  for await (const chunk of body) text += Buffer.from(chunk).toString('utf8');
  return text;
}

async function* changesOf(body: AsyncIterable<string | Uint8Array>): AsyncGenerator<WatchedChange> {
  let rest = '';
  for await (const chunk of body) {
    rest += Buffer.from(chunk).toString('utf8');
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = jsonOf(line);
      const object = event?.['object'];
      if (isObject(object)) yield { type: textAt(event, 'type'), object };
    }
  }
}

function jsonOf(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
