// Who we are to the API server. In: what the configuration says. Out: headers and a client certificate for
// the next request. Files and plugins are asked again when what they gave is old or was refused, so a
// rotated token is used without a restart.
import type { Clock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import type { ConfigHost } from './host.ts';

export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface Credential {
  readonly headers: Readonly<Record<string, string>>;
  readonly certificate?: ClientCertificate | undefined;
}

export interface Credentials {
  /** Throws CredentialsUnavailable when there is none to be had. */
  current(): Promise<Credential>;
  /** The server answered 401. True when asking `current` again gives something else. */
  refused(credential: Credential): Promise<boolean>;
}

export function staticCredentials(credential: Credential): Credentials {
  return { current: () => Promise.resolve(credential), refused: () => Promise.resolve(false) };
}

export function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

export function basic(username: string, password: string): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

/** Kubelets replace a token well before its end; the original, too, looks once a minute. */
const rereadMs = 60_000;

interface FileSource {
  readonly tokenFile?: string | undefined;
  readonly certificateFiles?: { readonly cert: string; readonly key: string } | undefined;
  /** What else belongs to the credential, and stands in while the token file cannot be read. */
  readonly fixed: Credential;
}

/** Credentials in files that somebody else replaces from time to time. */
export class FileCredentials implements Credentials {
  readonly #host: ConfigHost;
  readonly #clock: Clock;
  readonly #source: FileSource;
  #known: { readonly credential: Credential; readonly readMs: number } | undefined;

  constructor(options: {
    readonly host: ConfigHost;
    readonly clock: Clock;
    readonly source: FileSource;
  }) {
    this.#host = options.host;
    this.#clock = options.clock;
    this.#source = options.source;
  }

  async current(): Promise<Credential> {
    const known = this.#known;
    if (known !== undefined && this.#clock.monotonic() - known.readMs < rereadMs) {
      return known.credential;
    }
    return this.#read(known?.credential);
  }

  async refused(credential: Credential): Promise<boolean> {
    const fresh = await this.#read(this.#known?.credential);
    return JSON.stringify(fresh) !== JSON.stringify(credential);
  }

  async #read(last: Credential | undefined): Promise<Credential> {
    try {
      const credential = await this.#readFiles();
      this.#known = { credential, readMs: this.#clock.monotonic() };
      return credential;
    } catch (cause) {
      // A file in the middle of being replaced must not stop us while the last token may still be good.
      if (last !== undefined) return last;
      const { tokenFile, certificateFiles } = this.#source;
      throw new CodedError('CredentialsUnavailable', 'a credential file cannot be read', {
        fields: { tokenFile, certificateFiles },
        cause,
      });
    }
  }

  async #readFiles(): Promise<Credential> {
    const { tokenFile, certificateFiles, fixed } = this.#source;
    const credential: { -readonly [K in keyof Credential]: Credential[K] } = { ...fixed };
    if (tokenFile !== undefined) {
      const token = (await this.#host.readFile(tokenFile)).trim();
      if (token === '') throw new CodedError('EmptyFile', 'the file is empty');
      credential.headers = { ...fixed.headers, ...bearer(token) };
    }
    if (certificateFiles !== undefined) {
      const [cert, key] = await Promise.all([
        this.#host.readFile(certificateFiles.cert),
        this.#host.readFile(certificateFiles.key),
      ]);
      credential.certificate = { cert, key };
    }
    return credential;
  }
}
