// What a client certificate says about its holder. In: the certificate from the TLS handshake. Out: its subject,
// validity and fingerprint; undefined for bytes that are no certificate. Nothing is verified here.
import { X509Certificate } from 'node:crypto';
// Node's toLegacyObject loads half of node:tls when it is first, and createSecureContext is missing from then on.
import 'node:tls';
import type { CertificateSubject } from '../../certificates.ts';

export interface ClientCertificate {
  readonly subject: Required<CertificateSubject>;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly allowsClients: boolean;
  readonly fingerprint: string;
}

const clientPurposes = new Set(['1.3.6.1.5.5.7.3.2', '2.5.29.37.0']);

/** DER or PEM; undefined when it is neither. */
export function parseClientCertificate(
  certificate: Uint8Array | string,
): ClientCertificate | undefined {
  let parsed: X509Certificate;
  try {
    parsed = new X509Certificate(certificate);
  } catch {
    return undefined;
  }
  const subject = parsed.toLegacyObject().subject as Partial<Record<string, string | string[]>>;
  // Absent at run time when the certificate names no purpose, which means that it serves any.
  const purposes = parsed.keyUsage as readonly string[] | undefined;
  return {
    subject: {
      commonName: listOf(subject['CN']).at(-1) ?? '',
      organizations: listOf(subject['O']),
    },
    notBeforeMs: parsed.validFromDate.getTime(),
    notAfterMs: parsed.validToDate.getTime(),
    allowsClients:
      purposes === undefined || purposes.some((purpose) => clientPurposes.has(purpose)),
    fingerprint: parsed.fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}
