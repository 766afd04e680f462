// A Kubernetes API server as the suites in this folder see it: requests and answers, nothing else. In: how to reach one.
// Out: parsed answers and lines of a watch, so that the same suite holds the emulated server and a real one to the same.
import type { Json } from '../../../src/api/meta.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or the text where it is none. */
  readonly body: Json;
}

export interface Request {
  readonly body?: Json;
  /** Sent as it is, instead of `body`. */
  readonly text?: string | Uint8Array;
  readonly type?: string;
  readonly accept?: string;
  /** Instead of the administrator's; empty for none at all. */
  readonly authorization?: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface KubeSession {
  send(method: string, path: string, request?: Request): Promise<Answer>;
  /** The events of a watch, as they come. */
  watch(path: string, signal: AbortSignal): AsyncIterable<Json>;
  /** Lets that much time of the server pass, where it passes at all. */
  pause(ms: number): Promise<void>;
}

/** A request as it goes out: bytes, and headers under names in lower case. */
export function outgoing(
  request: Request,
  administrator: string,
): { readonly bytes: Buffer; readonly headers: Readonly<Record<string, string>> } {
  const { text = request.body === undefined ? '' : JSON.stringify(request.body) } = request;
  const bytes = Buffer.from(text);
  const type = request.type ?? (bytes.length === 0 ? '' : 'application/json');
  const known = {
    'user-agent': 'conformance',
    accept: request.accept ?? '',
    'content-type': type,
    authorization: request.authorization ?? `Bearer ${administrator}`,
    ...request.headers,
  };
  const headers = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== ''));
  return { bytes, headers };
}

/** What came back: parsed where it says that it is JSON. */
export function incoming(
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): Answer {
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  return { status, headers, body: isJson ? (JSON.parse(text) as Json) : text };
}

export type Fields = { readonly [key: string]: Json };

export function fieldsOf(value: Json | undefined): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

export function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((current, step) => fieldsOf(current)[step], value);
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** What an answer says, in one line: `404 NotFound: pods "x" not found`. */
export function verdict({ status, body }: Answer): string {
  const fields = fieldsOf(body);
  if (fields['kind'] !== 'Status')
    return typeof body === 'string' ? `${status} ${body.trim()}` : String(status);
  const reason = textOf(fields['reason']) || textOf(fields['status']);
  const message = textOf(fields['message']);
  return `${status} ${reason}${message === '' ? '' : `: ${message}`}`;
}

let counter = 0;

/** A name that no other test of this run has. */
export function freshName(prefix: string): string {
  counter += 1;
  return `${prefix}-${counter}`;
}

/** A namespace of its own, with the account that pods need. */
export async function freshNamespace(session: KubeSession): Promise<string> {
  const name = freshName('conformance');
  await session.send('POST', '/api/v1/namespaces', { body: { metadata: { name } } });
  const path = `/api/v1/namespaces/${name}/serviceaccounts`;
  await session.send('POST', path, { body: { metadata: { name: 'default' } } });
  return name;
}

/** Asks until the answer has this status: what follows from a write may take a real server a moment. */
export async function until(session: KubeSession, path: string, status: number): Promise<Answer> {
  let answer = await session.send('GET', path);
  for (let tries = 0; tries < 350 && answer.status !== status; tries++) {
    await session.pause(50);
    answer = await session.send('GET', path);
  }
  return answer;
}
