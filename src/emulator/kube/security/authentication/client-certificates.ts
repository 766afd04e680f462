// Clients that show a certificate of the cluster's authority. In: the certificate of the connection. Out: common name
// as user, organizations as groups; undefined for one that is foreign, not for clients, or outside its time.
import { createHash } from 'node:crypto';
import type { Clock } from '../../../../base/clock.ts';
import type { CertificateAuthority } from '../../../certificates.ts';
import type { UserInfo } from '../../api.ts';
import { parseClientCertificate, type ClientCertificate } from '../client-certificate.ts';

/** A connection shows the same certificate with every request, and reading one takes most of a millisecond. */
const rememberedCertificates = 4096;

export class ClientCertificates {
  readonly #authority: CertificateAuthority;
  readonly #clock: Clock;
  readonly #known = new Map<string, ClientCertificate | undefined>();

  constructor(options: { readonly authority: CertificateAuthority; readonly clock: Clock }) {
    this.#authority = options.authority;
    this.#clock = options.clock;
  }

  authenticate(certificate: Uint8Array): UserInfo | undefined {
    const holder = this.#read(certificate);
    const nowMs = this.#clock.now();
    if (holder === undefined || nowMs < holder.notBeforeMs || nowMs > holder.notAfterMs) {
      return undefined;
    }
    return {
      username: holder.subject.commonName,
      groups: holder.subject.organizations,
      extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${holder.fingerprint}`] },
    };
  }

  /** Undefined for a certificate that can never be good. */
  #read(certificate: Uint8Array): ClientCertificate | undefined {
    const fingerprint = createHash('sha256').update(certificate).digest('hex');
    if (this.#known.has(fingerprint)) return this.#known.get(fingerprint);
    const parsed = parseClientCertificate(certificate);
    const isGood =
      parsed !== undefined &&
      parsed.allowsClients &&
      parsed.subject.commonName !== '' &&
      this.#authority.hasSigned(certificate);
    const holder = isGood ? parsed : undefined;
    if (this.#known.size >= rememberedCertificates) this.#known.clear();
    this.#known.set(fingerprint, holder);
    return holder;
  }
}
