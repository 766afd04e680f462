// Certificates of a world that vouches for itself: an authority, what it signs, and what others ask it to sign.
// In: names, usages, a clock and randomness. Out: PEM text and parsed fields.
// 1. Keys come from the machine's own randomness; serial numbers and validity from what is handed in.
// 2. No promise here waits for a thread or a socket: a virtual clock that lets microtasks settle sees it done.
// 3. Parsing and verifying never throw for what a client sent: the answer says what is wrong.
import 'reflect-metadata/lite';
import {
  X509Certificate,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  KeyObject,
  type webcrypto,
} from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  Pkcs10CertificateRequest,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate as ParsedCertificate,
  X509CertificateGenerator,
  type Extension,
  type JsonGeneralName,
} from '@peculiar/x509';
import type { Clock } from '../base/clock.ts';
import { CodedError } from '../base/errors.ts';
import type { Random } from '../base/random.ts';

export interface CertificateSubject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

export interface AlternativeNames {
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly emailAddresses?: readonly string[];
  readonly uris?: readonly string[];
}

const usageFlags = {
  digitalSignature: KeyUsageFlags.digitalSignature,
  contentCommitment: KeyUsageFlags.nonRepudiation,
  keyEncipherment: KeyUsageFlags.keyEncipherment,
  dataEncipherment: KeyUsageFlags.dataEncipherment,
  keyAgreement: KeyUsageFlags.keyAgreement,
  certificateSign: KeyUsageFlags.keyCertSign,
  revocationListSign: KeyUsageFlags.cRLSign,
  encipherOnly: KeyUsageFlags.encipherOnly,
  decipherOnly: KeyUsageFlags.decipherOnly,
} as const;

const purposeIds = {
  any: '2.5.29.37.0',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  codeSigning: '1.3.6.1.5.5.7.3.3',
  emailProtection: '1.3.6.1.5.5.7.3.4',
  ipsecEndSystem: '1.3.6.1.5.5.7.3.5',
  ipsecTunnel: '1.3.6.1.5.5.7.3.6',
  ipsecUser: '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
  microsoftServerGated: '1.3.6.1.4.1.311.10.3.3',
  netscapeServerGated: '2.16.840.1.113730.4.1',
} as const;

export type KeyUsage = keyof typeof usageFlags;
export type KeyPurpose = keyof typeof purposeIds;

/** What a certificate says, besides who signed it. */
export interface CertificateTemplate {
  readonly subject: CertificateSubject;
  readonly alternativeNames?: AlternativeNames;
  readonly usages: readonly KeyUsage[];
  readonly purposes: readonly KeyPurpose[];
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

export interface IssuedCertificate {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

export interface CertificateRequest {
  readonly subject: Required<CertificateSubject>;
  readonly alternativeNames: Required<AlternativeNames>;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  readonly hasValidSignature: boolean;
}

/** What it takes to sign in an authority's name. */
interface Issuer {
  readonly name: Name;
  readonly key: webcrypto.CryptoKey;
  readonly keyIdentifier: string;
  readonly random: Random;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const yearMs = 365 * 24 * 3600_000;
/** Clocks of clients lag; kubeadm and the real signers look back as far. */
const backdateMs = 5 * 60_000;

export class CertificateAuthority {
  readonly certificatePem: string;
  readonly notAfterMs: number;
  readonly #certificate: X509Certificate;
  readonly #issuer: Issuer;
  readonly #clock: Clock;

  private constructor(parts: {
    readonly certificatePem: string;
    readonly issuer: Issuer;
    readonly clock: Clock;
  }) {
    this.certificatePem = parts.certificatePem;
    this.#certificate = new X509Certificate(parts.certificatePem);
    this.notAfterMs = this.#certificate.validToDate.getTime();
    this.#issuer = parts.issuer;
    this.#clock = parts.clock;
  }

  static async create(options: {
    readonly commonName: string;
    readonly clock: Clock;
    readonly random: Random;
    readonly lifetimeMs?: number;
  }): Promise<CertificateAuthority> {
    const { clock, random } = options;
    const subject = { commonName: options.commonName };
    const keys = newKeys();
    const publicKey = publicKeyDer(keys.publicKey);
    const issuer: Issuer = {
      name: toName(subject),
      key: keys.privateKey.toCryptoKey(algorithm, true, ['sign']),
      keyIdentifier: keyIdentifier(publicKey),
      random,
    };
    const certificatePem = await write(issuer, publicKey, {
      subject,
      usages: ['digitalSignature', 'keyEncipherment', 'certificateSign', 'revocationListSign'],
      purposes: [],
      notBeforeMs: clock.now() - backdateMs,
      notAfterMs: clock.now() + (options.lifetimeMs ?? 10 * yearMs),
    });
    return new CertificateAuthority({ certificatePem, issuer, clock });
  }

  /** The authority that `toPem` was asked of: what it has signed stays signed. */
  static restore(
    options: IssuedCertificate & { readonly clock: Clock; readonly random: Random },
  ): CertificateAuthority {
    const { certificatePem, clock, random } = options;
    const key = createPrivateKey(options.privateKeyPem);
    if (!new X509Certificate(certificatePem).checkPrivateKey(key)) {
      throw new CodedError('KeyMismatch', 'the key of an authority is not that of its certificate');
    }
    const issuer: Issuer = {
      name: new ParsedCertificate(certificatePem).subjectName,
      key: key.toCryptoKey(algorithm, true, ['sign']),
      keyIdentifier: keyIdentifier(publicKeyDer(createPublicKey(key))),
      random,
    };
    return new CertificateAuthority({ certificatePem, issuer, clock });
  }

  /** Whoever has this can sign in its name. */
  toPem(): IssuedCertificate {
    const { key } = this.#issuer;
    return {
      certificatePem: this.certificatePem,
      privateKeyPem: privateKeyPem(KeyObject.from(key)),
    };
  }

  /** A new key and a certificate for it, valid from now; by default for a year. */
  async issue(
    template: Omit<CertificateTemplate, 'notBeforeMs' | 'notAfterMs'> & {
      readonly lifetimeMs?: number;
    },
  ): Promise<IssuedCertificate> {
    const { privateKey, publicKey } = newKeys();
    const nowMs = this.#clock.now();
    const certificatePem = await this.sign(publicKeyDer(publicKey), {
      ...template,
      notBeforeMs: nowMs - backdateMs,
      notAfterMs: nowMs + (template.lifetimeMs ?? yearMs),
    });
    return { certificatePem, privateKeyPem: privateKeyPem(privateKey) };
  }

  /** A certificate for somebody else's key. It never outlives the authority's own. */
  async sign(publicKey: Uint8Array, template: CertificateTemplate): Promise<string> {
    const notAfterMs = Math.min(template.notAfterMs, this.notAfterMs);
    return await write(this.#issuer, publicKey, { ...template, notAfterMs });
  }

  /** True if this authority's key made the signature. Says nothing about validity in time. */
  hasSigned(certificate: Uint8Array | string): boolean {
    try {
      const parsed = new X509Certificate(certificate);
      return parsed.checkIssued(this.#certificate) && parsed.verify(this.#certificate.publicKey);
    } catch {
      return false;
    }
  }
}

/** A PKCS #10 request in PEM; a sentence when it cannot be read. */
export function parseCertificateRequest(pem: string): CertificateRequest | string {
  const body = /-----BEGIN ([^-]+)-----([^-]*)-----END \1-----/.exec(pem);
  if (body?.[1] !== 'CERTIFICATE REQUEST') return 'PEM block type must be CERTIFICATE REQUEST';
  try {
    const request = new Pkcs10CertificateRequest(Buffer.from(body[2] ?? '', 'base64'));
    return {
      subject: {
        commonName: request.subjectName.getField('CN').at(-1) ?? '',
        organizations: request.subjectName.getField('O'),
      },
      alternativeNames: alternativeNamesOf(request),
      publicKey: new Uint8Array(request.publicKey.rawData),
      hasValidSignature: isSignedByItsKey(request),
    };
  } catch {
    // The library's own words are about its arguments, not about the request.
    return 'asn1: structure error: not a certificate request';
  }
}

/** A new key and a request for a certificate for it, both PEM. */
export async function createCertificateRequest(options: {
  readonly subject: CertificateSubject;
  readonly alternativeNames?: AlternativeNames;
}): Promise<{ readonly requestPem: string; readonly privateKeyPem: string }> {
  const { privateKey, publicKey } = newKeys();
  const request = await Pkcs10CertificateRequestGenerator.create(
    {
      name: toName(options.subject),
      keys: {
        privateKey: privateKey.toCryptoKey(algorithm, true, ['sign']),
        publicKey: publicKey.toCryptoKey(algorithm, true, ['verify']),
      },
      extensions: alternativeNameExtensions(options.alternativeNames),
      signingAlgorithm: algorithm,
    },
    synchronousCrypto,
  );
  return { requestPem: `${request.toString('pem')}\n`, privateKeyPem: privateKeyPem(privateKey) };
}

/**
 * WebCrypto signs in a thread, and a virtual clock would have moved on before it is done. These two
 * operations are all that the library asks for, and take well under a millisecond here.
 */
const synchronousCrypto = {
  subtle: {
    sign: (_: unknown, key: webcrypto.CryptoKey, content: ArrayBuffer) =>
      Promise.resolve(
        toArrayBuffer(
          sign('sha256', new Uint8Array(content), {
            key: KeyObject.from(key),
            dsaEncoding: 'ieee-p1363',
          }),
        ),
      ),
    exportKey: (_: unknown, key: webcrypto.CryptoKey) =>
      Promise.resolve(toArrayBuffer(publicKeyDer(KeyObject.from(key)))),
  },
} as unknown as webcrypto.Crypto;

async function write(
  issuer: Issuer,
  publicKey: Uint8Array,
  template: CertificateTemplate,
): Promise<string> {
  const certificate = await X509CertificateGenerator.create(
    {
      serialNumber: newSerialNumber(issuer.random),
      subject: toName(template.subject),
      issuer: issuer.name,
      notBefore: new Date(template.notBeforeMs),
      notAfter: new Date(template.notAfterMs),
      publicKey: toArrayBuffer(publicKey),
      signingKey: issuer.key,
      signingAlgorithm: algorithm,
      extensions: [
        ...usageExtensions(template),
        // Strict verifiers (Python's from 3.13 on) refuse certificates without both identifiers.
        new SubjectKeyIdentifierExtension(keyIdentifier(publicKey)),
        new AuthorityKeyIdentifierExtension(issuer.keyIdentifier),
        ...alternativeNameExtensions(template.alternativeNames),
      ],
    },
    synchronousCrypto,
  );
  return `${certificate.toString('pem')}\n`;
}

function usageExtensions(template: CertificateTemplate): Extension[] {
  const [first, ...rest] = template.usages.map((usage) => usageFlags[usage]);
  const isAuthority = template.usages.includes('certificateSign');
  return [
    new BasicConstraintsExtension(isAuthority, undefined, true),
    ...(first === undefined ? [] : [new KeyUsagesExtension(unionOf(first, rest), true)]),
    ...(template.purposes.length === 0
      ? []
      : [new ExtendedKeyUsageExtension(template.purposes.map((purpose) => purposeIds[purpose]))]),
  ];
}

function unionOf(first: KeyUsageFlags, rest: readonly KeyUsageFlags[]): KeyUsageFlags {
  let union = first;
  for (const flag of rest) union |= flag;
  return union;
}

function alternativeNameExtensions(names: AlternativeNames = {}): Extension[] {
  const all: JsonGeneralName[] = [
    ...(names.dnsNames ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(names.emailAddresses ?? []).map((value) => ({ type: 'email' as const, value })),
    ...(names.ipAddresses ?? []).map((value) => ({ type: 'ip' as const, value })),
    ...(names.uris ?? []).map((value) => ({ type: 'url' as const, value })),
  ];
  return all.length === 0 ? [] : [new SubjectAlternativeNameExtension(all)];
}

function alternativeNamesOf(request: Pkcs10CertificateRequest): Required<AlternativeNames> {
  const items = request.extensions
    .filter((extension) => extension instanceof SubjectAlternativeNameExtension)
    .flatMap((extension) => extension.names.items);
  const values = (type: string): string[] =>
    Array.from(items).flatMap((item) => (item.type === type ? [item.value] : []));
  return {
    dnsNames: values('dns'),
    ipAddresses: values('ip'),
    emailAddresses: values('email'),
    uris: values('url'),
  };
}

function isSignedByItsKey(request: Pkcs10CertificateRequest): boolean {
  const key = createPublicKey({
    key: Buffer.from(request.publicKey.rawData),
    format: 'der',
    type: 'spki',
  });
  const { hash } = request.signatureAlgorithm as { readonly hash?: { readonly name: string } };
  // Edwards curves have no hash of their own to choose.
  const digest = hash?.name.replace('-', '').toLowerCase() ?? null;
  try {
    // The library's own check waits for a thread; the signed bytes are all that it would add.
    const signed = new Uint8Array(request['tbs']);
    return verify(digest, signed, key, new Uint8Array(request.signature));
  } catch {
    return false;
  }
}

function newKeys(): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
}

/** As an object per value, because the text form would read quotes and backslashes as its own. */
function toName(subject: CertificateSubject): Name {
  const organizations = (subject.organizations ?? []).map((name) => ({ O: [toText(name)] }));
  const commonName = subject.commonName === '' ? [] : [{ CN: [toText(subject.commonName)] }];
  return new Name([...organizations, ...commonName]);
}

function toText(value: string): { printableString: string } | { utf8String: string } {
  return /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value)
    ? { printableString: value }
    : { utf8String: value };
}

/** 16 bytes with the top bit clear and the next set: positive, and always of one length. */
function newSerialNumber(random: Random): string {
  const bytes = Uint8Array.from({ length: 16 }, () => random.integer(256));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return Buffer.from(bytes).toString('hex');
}

function keyIdentifier(publicKey: Uint8Array): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 40);
}

function publicKeyDer(key: KeyObject): Uint8Array {
  return key.export({ format: 'der', type: 'spki' });
}

function privateKeyPem(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'sec1' }) as string;
}

function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
