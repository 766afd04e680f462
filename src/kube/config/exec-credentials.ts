// Credentials from a program (client.authentication.k8s.io): kubelogin, cloud CLIs. In: how to start it.
// Out: a token or certificate, kept until it expires or is refused.
//  1. The program runs once at a time, however many requests wait for it: it may be asking a person.
//  2. What it says on standard output is trusted only in the version that was asked for.
import { SingleFlight } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import type { ConfigHost, HostOutcome } from './host.ts';
import { bearer, type Credential, type Credentials } from './credentials.ts';

export const execApiVersions: readonly string[] = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
];

export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  readonly installHint?: string | undefined;
  /** Told to the program when its configuration asks for that. */
  readonly cluster?: object | undefined;
}

interface ExecCredential {
  readonly apiVersion?: string;
  readonly status?: {
    readonly token?: string;
    readonly clientCertificateData?: string;
    readonly clientKeyData?: string;
    readonly expirationTimestamp?: string;
  };
}

interface Known {
  readonly credential: Credential;
  readonly expiresMs: number;
  readonly askedMs: number;
}

const shortestLifeMs = 10_000;

export class ExecCredentials implements Credentials {
  readonly #host: ConfigHost;
  readonly #clock: Clock;
  readonly #plugin: ExecPlugin;
  readonly #flight = new SingleFlight<Credential>();
  #known: Known | undefined;

  constructor(options: {
    readonly host: ConfigHost;
    readonly clock: Clock;
    readonly plugin: ExecPlugin;
  }) {
    this.#host = options.host;
    this.#clock = options.clock;
    this.#plugin = options.plugin;
  }

  current(): Promise<Credential> {
    // Wall time, because that is what the program's expiry is written in.
    if (this.#known !== undefined && this.#clock.now() < this.#known.expiresMs) {
      return Promise.resolve(this.#known.credential);
    }
    return this.#flight.run('', () => this.#ask());
  }

  async refused(credential: Credential): Promise<boolean> {
    const known = this.#known;
    // Somebody else's refusal may have renewed it meanwhile.
    if (known?.credential !== credential) return true;
    // A server that refuses what is brand new refuses us, not the token: no storm of processes.
    if (this.#clock.monotonic() - known.askedMs < shortestLifeMs) return false;
    this.#known = undefined;
    await this.current();
    return true;
  }

  async #ask(): Promise<Credential> {
    const { apiVersion, command, args, env, cluster } = this.#plugin;
    const interactive = this.#isInteractive();
    const request = { kind: 'ExecCredential', apiVersion, spec: { interactive, cluster } };
    const environment = { ...env, KUBERNETES_EXEC_INFO: JSON.stringify(request) };
    const outcome = await this.#host
      .run({ command, args, env: environment, interactive })
      .catch((cause: unknown) => {
        throw this.#fault('it cannot be started', {}, cause);
      });
    const status = this.#statusOf(this.#outputOf(outcome));
    const expiry = status.expirationTimestamp;
    const expiresMs = expiry === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiry);
    if (Number.isNaN(expiresMs))
      throw this.#fault('its expirationTimestamp is not a time', { expiry });
    const credential = this.#credentialOf(status);
    this.#known = { credential, expiresMs, askedMs: this.#clock.monotonic() };
    return credential;
  }

  #isInteractive(): boolean {
    const { interactiveMode } = this.#plugin;
    if (interactiveMode === 'Always' && !this.#host.stdinIsTerminal) {
      throw this.#fault('it needs a terminal (interactiveMode Always) and there is none');
    }
    return interactiveMode !== 'Never' && this.#host.stdinIsTerminal;
  }

  #outputOf(outcome: HostOutcome): string {
    if (!outcome.found) {
      const { installHint } = this.#plugin;
      throw this.#fault('it is not installed, or not in PATH', { installHint });
    }
    const { exitCode, stdout } = outcome;
    if (exitCode !== 0) throw this.#fault('it failed', { exitCode });
    return stdout;
  }

  #statusOf(stdout: string): NonNullable<ExecCredential['status']> {
    let answer: ExecCredential;
    try {
      answer = JSON.parse(stdout) as ExecCredential;
    } catch (cause) {
      // The output may hold a secret, so it is not shown.
      throw this.#fault('its output is not JSON', { bytes: stdout.length }, cause);
    }
    const { apiVersion, status } = answer;
    if (apiVersion !== this.#plugin.apiVersion) {
      const wanted = this.#plugin.apiVersion;
      throw this.#fault('it answered in another version', { answered: apiVersion, wanted });
    }
    if (status === undefined) throw this.#fault('its answer has no status');
    return status;
  }

  #credentialOf(status: NonNullable<ExecCredential['status']>): Credential {
    const { token = '', clientCertificateData: cert = '', clientKeyData: key = '' } = status;
    if ((cert === '') !== (key === '')) {
      throw this.#fault('it gave only one of certificate and key');
    }
    if (token === '' && cert === '') throw this.#fault('it gave neither token nor certificate');
    return {
      headers: token === '' ? {} : bearer(token),
      ...(cert === '' ? {} : { certificate: { cert, key } }),
    };
  }

  #fault(rule: string, fields: object = {}, cause?: unknown): CodedError {
    return new CodedError('CredentialsUnavailable', 'the credential program gave no credential', {
      fields: { command: this.#plugin.command, rule, ...fields },
      cause,
    });
  }
}
