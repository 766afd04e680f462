// Who sends a request. In: the request's certificate and headers. Out: a user, or undefined, which is answered 401.
// 1. A good certificate wins over any token. A bad credential is never overlooked in favour of anonymity.
// 2. Without credentials only the paths of health and version are open; all else is refused as unauthorized.
// 3. Impersonation is part of who sends: a StatusError is thrown where it is not allowed.
import type { HttpRequest } from '../../../../base/http-server.ts';
import type { UserInfo } from '../../api.ts';
import type { Authenticator, Authorizer } from '../../ports.ts';
import { anonymousUser, authenticated } from '../user.ts';
import type { ClientCertificates } from './client-certificates.ts';
import { unknownCredential, type Credential, type TokenAuthenticator } from './credential.ts';
import { impersonate } from './impersonation.ts';

const anonymousPaths = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/']);

export class RequestAuthenticator implements Authenticator {
  readonly #certificates: ClientCertificates;
  readonly #tokens: readonly TokenAuthenticator[];
  readonly #audiences: readonly string[];
  readonly #authorizer: Authorizer;

  constructor(options: {
    readonly certificates: ClientCertificates;
    /** Asked in this order. */
    readonly tokens: readonly TokenAuthenticator[];
    readonly audiences: readonly string[];
    readonly authorizer: Authorizer;
  }) {
    this.#certificates = options.certificates;
    this.#tokens = options.tokens;
    this.#audiences = options.audiences;
    this.#authorizer = options.authorizer;
  }

  authenticate(request: HttpRequest): UserInfo | undefined {
    const user = this.#requester(request);
    return user === undefined
      ? undefined
      : impersonate({ headers: request.headers, user, authorizer: this.#authorizer });
  }

  /** Whom a token belongs to, for the API server or for others who ask on behalf of their audience. */
  authenticateToken(token: string, audiences: readonly string[]): Credential {
    let refused: Credential = unknownCredential;
    for (const authenticator of this.#tokens) {
      const credential = authenticator.authenticate(token, audiences);
      if (credential.outcome === 'valid') {
        return { ...credential, user: authenticated(credential.user) };
      }
      if (credential.outcome === 'invalid') refused = credential;
    }
    return refused;
  }

  #requester(request: HttpRequest): UserInfo | undefined {
    const { clientCertificate } = request;
    const holder =
      clientCertificate === undefined
        ? undefined
        : this.#certificates.authenticate(clientCertificate);
    if (holder !== undefined) return authenticated(holder);
    const token = bearerToken(request.headers['authorization']);
    if (token === undefined) {
      const isOpen = clientCertificate === undefined && anonymousPaths.has(request.path);
      return isOpen ? anonymousUser : undefined;
    }
    const credential = this.authenticateToken(token, this.#audiences);
    return credential.outcome === 'valid' ? credential.user : undefined;
  }
}

/** Undefined when no bearer token was sent. */
function bearerToken(header: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (header ?? '').trim().split(' ');
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}
