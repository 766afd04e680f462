// Tokens for one audience, kept as long as they are good. In: a credential. Out: a token for each call.
// 1. At most one token is asked for at a time, however many callers wait, and one who stops waiting stops no other.
// 2. A token is renewed well before it ends: an operation that is polled for long must not outlive it. One that is good for
//    longer than two hours is not kept that long, so that a change of rights takes effect.
// 3. When renewing fails, a token that is still good goes on being used.
import { SingleFlight, withDeadline } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import type { TokenSource } from '../arm/send.ts';

export interface AccessToken {
  readonly token: string;
  readonly expiresOnTimestamp: number;
  readonly refreshAfterTimestamp?: number;
}

/** What Azure's credentials are. */
export interface Credential {
  getToken(
    scope: string,
    options: { readonly abortSignal: AbortSignal },
  ): Promise<AccessToken | null>;
}

const longestUseMs = 2 * 60 * 60 * 1000;
const askTimeoutMs = 30_000;
const renewBeforeMs = 5 * 60 * 1000;

interface Kept {
  readonly token: string;
  readonly renewMs: number;
  readonly endMs: number;
}

export class TokenCache implements TokenSource {
  readonly #credential: Credential;
  readonly #scope: string;
  readonly #clock: Clock;
  readonly #asking = new SingleFlight<Kept>();
  #kept: Kept | undefined;

  constructor(options: {
    readonly credential: Credential;
    readonly scope: string;
    readonly clock: Clock;
  }) {
    this.#credential = options.credential;
    this.#scope = options.scope;
    this.#clock = options.clock;
  }

  async token(): Promise<string> {
    const kept = this.#kept;
    const nowMs = this.#clock.now();
    if (kept !== undefined && nowMs < kept.renewMs) return kept.token;
    try {
      return (await this.#asking.run('token', () => this.#ask())).token;
    } catch (error) {
      if (kept !== undefined && nowMs < kept.endMs) return kept.token;
      throw error;
    }
  }

  forget(token: string): void {
    if (this.#kept?.token === token) this.#kept = undefined;
  }

  async #ask(): Promise<Kept> {
    const answer = await withDeadline(
      { clock: this.#clock, timeoutMs: askTimeoutMs, what: 'azure token' },
      (abortSignal) => this.#credential.getToken(this.#scope, { abortSignal }),
    );
    if (answer === null) {
      throw new CodedError('NoToken', 'the credential gave no token', {
        fields: { scope: this.#scope },
      });
    }
    const { token, expiresOnTimestamp, refreshAfterTimestamp = Infinity } = answer;
    const endMs = Math.min(expiresOnTimestamp, this.#clock.now() + longestUseMs);
    this.#kept = { token, endMs, renewMs: Math.min(endMs - renewBeforeMs, refreshAfterTimestamp) };
    return this.#kept;
  }
}
