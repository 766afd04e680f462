// One call to the API server, seen through to its end. In: method, path, body. Out: the body of a good
// answer, or a KubeError.
//  1. A call takes a token of the rate limit for every attempt; a stream (watch) takes none.
//  2. 429 and 5xx are tried again only when the server says when (Retry-After), at most 10 times.
//  3. A call that got no answer is tried again only if it is a GET: a lost POST may have been done.
//  4. All attempts together stay within one deadline; waiting for our own rate limit does not count.
//  5. Aborting the signal ends a call at once, whatever it is waiting for.
import { withDeadline } from '../../base/async.ts';
import { sleep, type Clock } from '../../base/clock.ts';
import { hasCode } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { TokenBucket } from '../../base/token-bucket.ts';
import type { Status } from '../../api/meta.ts';
import { isProtobuf, readStatus } from '../protobuf/kube-messages.ts';
import type { CallLabels, ClientMetrics } from './client-metrics.ts';
import { errorFromStatus, KubeError } from './errors.ts';
import type { KubeTransport, TransportRequest, TransportResponse } from './transport.ts';

export interface Call {
  readonly method: TransportRequest['method'];
  /** With query. */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Encodings of the answer, the preferred first; without, JSON. */
  readonly accept?: string | undefined;
  /** What the call counts as; calls without are not timed. */
  readonly labels?: CallLabels;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** A 429 that carries a Status is what the caller asked for, not a plea to wait (evictions). */
  readonly refusalIsAnswer?: boolean;
}

export interface Answer {
  readonly contentType: string | undefined;
  readonly bytes: Buffer;
}

export interface RequestSenderOptions {
  readonly transport: KubeTransport;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: ClientMetrics;
  readonly limiter?: TokenBucket | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

const maxRetries = 10;
/** Before tries 2, 3 and 4 of a GET that got no answer. */
const networkDelaysMs: readonly number[] = [100, 400, 1600];

export class RequestSender {
  readonly #options: RequestSenderOptions;

  constructor(options: RequestSenderOptions) {
    this.#options = options;
  }

  /** The body of a 2xx answer. */
  async send(call: Call): Promise<Answer> {
    const { clock, limiter, log } = this.#options;
    const timeoutMs = call.timeoutMs ?? this.#options.timeoutMs;
    let spentMs = 0;
    for (let attempt = 0; ; attempt++) {
      await limiter?.take(call.signal);
      const startedMs = clock.monotonic();
      try {
        return await this.#attempt(call, timeoutMs - spentMs);
      } catch (error) {
        spentMs += clock.monotonic() - startedMs;
        const delayMs = retryDelayMs(call, error, attempt);
        // Waiting past the deadline would only replace the server's reason by a worse one.
        if (delayMs === undefined || spentMs + delayMs >= timeoutMs) throw error;
        spentMs += delayMs;
        log.debug('retrying request', { error, attempt: attempt + 1, delayMs });
        await sleep(clock, delayMs, { signal: call.signal, label: 'request retry' });
      }
    }
  }

  /** The head of a 2xx answer with its body still to come, for a watch. The deadline is for the head. */
  async open(call: Call): Promise<TransportResponse> {
    const { clock } = this.#options;
    const timeoutMs = call.timeoutMs ?? this.#options.timeoutMs;
    return this.#guarded(call, () =>
      withDeadline({ clock, timeoutMs, signal: call.signal, what: call.path }, (head) =>
        // `head` falls silent with the deadline; the body then lives until the caller's own signal.
        this.#exchange(call, {
          signal: call.signal === undefined ? head : AbortSignal.any([head, call.signal]),
          longRunning: true,
        }),
      ),
    );
  }

  async #attempt(call: Call, timeoutMs: number): Promise<Answer> {
    const { clock, metrics } = this.#options;
    const startedMs = clock.monotonic();
    try {
      return await this.#guarded(call, () =>
        withDeadline(
          { clock, timeoutMs, signal: call.signal, what: `${call.method} ${call.path}` },
          async (signal) => whole(await this.#exchange(call, { signal, longRunning: false })),
        ),
      );
    } finally {
      if (call.labels !== undefined) {
        metrics.timed(call.labels, (clock.monotonic() - startedMs) / 1000);
      }
    }
  }

  #headers({ accept, body, contentType = 'application/json' }: Call): Record<string, string> {
    const { headers } = this.#options;
    return {
      ...headers,
      ...(accept === undefined ? {} : { accept }),
      ...(body === undefined ? {} : { 'content-type': contentType }),
    };
  }

  /** Failures that are not the server's become KubeErrors; an abort stays what it is. */
  async #guarded<T>(call: Call, exchange: () => Promise<T>): Promise<T> {
    try {
      return await exchange();
    } catch (error) {
      if (error instanceof KubeError || call.signal?.aborted === true) throw error;
      throw noAnswer(call, error);
    }
  }

  async #exchange(
    call: Call,
    stream: { readonly signal: AbortSignal; readonly longRunning: boolean },
  ): Promise<TransportResponse> {
    const { transport, metrics } = this.#options;
    const response = await transport
      .send({
        method: call.method,
        path: call.path,
        headers: this.#headers(call),
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        ...stream,
      })
      .catch((error: unknown) => {
        metrics.failed(call.method);
        throw error;
      });
    metrics.answered(call.method, response.status);
    if (response.status >= 200 && response.status < 300) return response;
    throw await refusal(call, response);
  }
}

async function whole(response: TransportResponse): Promise<Answer> {
  return { contentType: response.headers['content-type'], bytes: await response.bytes() };
}

function noAnswer(call: Call, cause: unknown): KubeError {
  const options = { request: call, cause };
  if (hasCode(cause, 'DeadlineExceeded')) {
    return new KubeError('Timeout', 'the API server did not answer in time', options);
  }
  if (hasCode(cause, 'CredentialsUnavailable')) {
    return new KubeError('Unauthorized', 'no credentials for the API server', options);
  }
  return new KubeError('Network', 'the API server cannot be reached', options);
}

async function refusal(call: Call, response: TransportResponse): Promise<KubeError> {
  const answer = await whole(response);
  const header = Number(response.headers['retry-after'] ?? Number.NaN);
  return errorFromStatus(parseStatus(answer), {
    httpStatus: response.status,
    request: call,
    retryAfterSeconds: Number.isFinite(header) ? header : undefined,
  });
}

/** Proxies, and the server's own overload guards, answer in plain text. */
function parseStatus({ contentType, bytes }: Answer): Status {
  const text = bytes.toString('utf8');
  try {
    if (isProtobuf(contentType)) return readStatus(bytes);
    const body = JSON.parse(text) as Status;
    if (body.kind === 'Status') return body;
  } catch {
    // Not what it should be: the text itself is the message.
  }
  const message = text.trim().slice(0, 500);
  return message === '' ? {} : { message };
}

function retryDelayMs(call: Call, error: unknown, attempt: number): number | undefined {
  if (!(error instanceof KubeError) || attempt >= maxRetries) return undefined;
  if (error.code === 'Network') return call.method === 'GET' ? networkDelaysMs[attempt] : undefined;
  if (error.status !== 429 && error.status < 500) return undefined;
  // Overload guards answer in plain text; a reason means that the resource itself has spoken.
  if (call.refusalIsAnswer === true && error.reason !== undefined) return undefined;
  return error.retryAfterSeconds === undefined ? undefined : error.retryAfterSeconds * 1000;
}
