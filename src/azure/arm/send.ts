// The one way to ask Azure Resource Manager. In: a call. Out: its answer, or an ArmError with Azure's own words.
// 1. A token goes to the endpoint of the cloud and nowhere else, whatever address an answer names.
// 2. Every wait is on the clock handed in and ends with the signal; a try that hangs is given up.
// 3. What may have worked is repeated only if the caller allows it; all calls but one kind are safe to repeat.
// 4. A refused token is thrown away and the call made once more with a fresh one.
import { type Backoff, backoffDelay, withDeadline } from '../../base/async.ts';
import { type Clock, sleep } from '../../base/clock.ts';
import { asError, CodedError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { Random } from '../../base/random.ts';
import { randomUuid } from '../../base/uuid.ts';
import { ArmError, readArmError } from './arm-error.ts';
import type { ArmMetrics } from './arm-metrics.ts';
import { CallBudgets } from './call-budgets.ts';
import type { Method, Transport, WireAnswer } from './transport.ts';

export interface ArmCall {
  readonly method: Method;
  /** Below the endpoint; or a whole address that Azure gave. */
  readonly path: string;
  /** Absent only for an address that Azure gave. */
  readonly apiVersion?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** `refused`: only what was certainly not done; for calls that cannot be told apart when made twice. */
  readonly repeat?: 'refused';
}

export interface ArmAnswer<T> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined when there was none. */
  readonly body: T | undefined;
}

/** Tokens for the endpoint. */
export interface TokenSource {
  token(): Promise<string>;
  /** The token was refused: never hand it out again. */
  forget(token: string): void;
}

export interface ArmOptions {
  /** `https://management.azure.com` */
  readonly endpoint: string;
  readonly transport: Transport;
  readonly tokens: TokenSource;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: ArmMetrics;
  /** `karpenter-aks/v1.2.3`: Azure knows the product by it. */
  readonly userAgent: string;
}

const attempts = 4;
/** Being told to wait is no failure; it only must not last for ever. */
const attemptsWhenRefused = 12;
const backoff: Backoff = { baseMs: 800, maxMs: 60_000, jitter: 0.3 };
const tryTimeoutMs = 60_000;
const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

export class Arm {
  readonly clock: Clock;
  readonly #options: ArmOptions;
  readonly #origin: string;
  readonly #budgets: CallBudgets;
  /** Of everything this process does, so that Azure's support finds it all by one id. */
  readonly #correlationId: string;

  constructor(options: ArmOptions) {
    this.clock = options.clock;
    this.#options = options;
    this.#origin = new URL(options.endpoint).origin;
    this.#budgets = new CallBudgets({ clock: options.clock });
    this.#correlationId = randomUuid(options.random);
  }

  async send<T>(call: ArmCall): Promise<ArmAnswer<T>> {
    const url = this.#urlOf(call);
    for (let attempt = 0; ; attempt++) {
      await this.#budgets.admit(call, call.signal);
      const outcome = await this.#attempt(call, url);
      if (!(outcome instanceof Error)) return outcome as ArmAnswer<T>;
      if (attempt + 1 >= attemptsFor(outcome) || !mayRepeat(call, outcome)) throw outcome;
      const delayMs = this.#delayMs(outcome, attempt);
      this.#options.log.debug('repeating azure call', {
        url: url.pathname,
        delayMs,
        error: outcome,
      });
      await sleep(this.clock, delayMs, { signal: call.signal, label: 'azure retry' });
    }
  }

  #urlOf({ path, apiVersion, query = {} }: ArmCall): URL {
    const url = new URL(path, this.#options.endpoint);
    if (url.origin !== this.#origin) {
      throw new CodedError('ForeignAddress', 'azure named an address outside its own endpoint', {
        fields: { address: url.origin, endpoint: this.#origin },
      });
    }
    if (apiVersion !== undefined) url.searchParams.set('api-version', apiVersion);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  async #attempt(call: ArmCall, url: URL): Promise<ArmAnswer<unknown> | Error> {
    const { metrics } = this.#options;
    const startMs = this.clock.monotonic();
    let answer: WireAnswer;
    try {
      answer = await this.#exchange(call, url);
    } catch (thrown) {
      call.signal.throwIfAborted();
      metrics.observe({ ...call, status: 'error', durationMs: this.clock.monotonic() - startMs });
      return new CodedError('AzureUnreachable', 'no answer from azure', {
        fields: { call: `${call.method} ${url.pathname}` },
        cause: asError(thrown),
      });
    }
    const { status, headers, text } = answer;
    metrics.observe({
      ...call,
      status: String(status),
      durationMs: this.clock.monotonic() - startMs,
    });
    this.#budgets.note(call, headers);
    if (status < 400) return readAnswer(answer, call);
    const error = readArmError({ status, headers, text, call: `${call.method} ${url.pathname}` });
    if (isBudgetSpent(error)) {
      this.#budgets.close(call, { code: error.code, forMs: error.retryAfterMs ?? backoff.baseMs });
    }
    return error;
  }

  /** With a fresh token if the one at hand is refused. */
  async #exchange(call: ArmCall, url: URL): Promise<WireAnswer> {
    const { tokens } = this.#options;
    const token = await tokens.token();
    const answer = await this.#wire(call, url, token);
    if (answer.status !== 401) return answer;
    tokens.forget(token);
    return await this.#wire(call, url, await tokens.token());
  }

  #wire(call: ArmCall, url: URL, token: string): Promise<WireAnswer> {
    const { method, body, signal } = call;
    const { transport, userAgent, random, clock } = this.#options;
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'user-agent': userAgent,
      'x-ms-client-request-id': randomUuid(random),
      'x-ms-correlation-request-id': this.#correlationId,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...call.headers,
    };
    return withDeadline(
      { clock, timeoutMs: tryTimeoutMs, signal, what: `${method} ${url.pathname}` },
      (signal) =>
        transport({
          method,
          url: url.href,
          headers,
          signal,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
    );
  }

  #delayMs(error: Error, attempt: number): number {
    const asked = error instanceof ArmError ? error.retryAfterMs : undefined;
    return asked ?? backoffDelay(backoff, attempt, this.#options.random);
  }
}

/** A proxy on the way may answer with something else than Azure would. */
function readAnswer(
  { status, headers, text }: WireAnswer,
  call: ArmCall,
): ArmAnswer<unknown> | Error {
  try {
    return { status, headers, body: text === '' ? undefined : JSON.parse(text) };
  } catch (cause) {
    const fields = { call: `${call.method} ${call.path}`, status };
    return new CodedError('AnswerUnreadable', 'the answer is no JSON', { fields, cause });
  }
}

function mayRepeat({ repeat }: ArmCall, error: Error): boolean {
  if (!(error instanceof ArmError)) return repeat === undefined;
  if (error.status === 429) return true;
  return repeat === undefined && passing.has(error.status);
}

function attemptsFor(error: Error): number {
  return error instanceof ArmError && error.status === 429 ? attemptsWhenRefused : attempts;
}

/** Azure also says 429 when one resource is busy; that is nobody else's concern. */
function isBudgetSpent({ status, code, retryAfterMs }: ArmError): boolean {
  return status === 429 && code !== 'AnotherOperationInProgress' && retryAfterMs !== undefined;
}
