// The wire to an Azure in this process. In: its handler. Out: a transport without sockets, for virtual time. A response that is
// cut off is an error here as it is on a socket; so is a request whose caller has gone.
import type { HttpHandler, HttpReply } from '../../../src/base/http-server.ts';
import type { Transport, WireRequest } from '../../../src/azure/arm/transport.ts';

export interface SeenCall {
  readonly method: string;
  readonly path: string;
}

export function inProcessTransport(handler: HttpHandler, seen: SeenCall[] = []): Transport {
  return async ({ method, url, headers, body, signal }: WireRequest) => {
    signal.throwIfAborted();
    const { pathname, searchParams, host } = new URL(url);
    seen.push({ method, path: pathname });
    const reply = await handler({
      method,
      path: pathname,
      query: searchParams,
      headers: { host, ...lowered(headers) },
      signal,
      body: () => Promise.resolve(Buffer.from(body ?? '')),
    });
    // What the server did it did, but who has gone does not hear of it.
    signal.throwIfAborted();
    return {
      status: reply.status,
      headers: lowered(reply.headers ?? {}),
      text: await textOf(reply),
    };
  };
}

function lowered(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

async function textOf({ body = '' }: HttpReply): Promise<string> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  let text = '';
  for await (const chunk of body) text += Buffer.from(chunk).toString();
  return text;
}
