import { X509Certificate, createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { request } from 'node:https';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { HttpServer } from '../base/http-server.ts';
import { silentLogger } from '../base/log.ts';
import { seededRandom } from '../base/random.ts';
import { VirtualClock } from '../base/virtual-clock.ts';
import {
  CertificateAuthority,
  createCertificateRequest,
  parseCertificateRequest,
  type IssuedCertificate,
} from './certificates.ts';

const minuteMs = 60_000;
const yearMs = 365 * 24 * 60 * minuteMs;
const client = { usages: ['digitalSignature'], purposes: ['clientAuth'] } as const;
const server = { usages: ['digitalSignature'], purposes: ['serverAuth'] } as const;

async function authority(
  options: { clock?: VirtualClock; seed?: number; lifetimeMs?: number } = {},
) {
  const { clock = new VirtualClock(), seed = 1, lifetimeMs } = options;
  return await CertificateAuthority.create({
    commonName: 'kubernetes',
    clock,
    random: seededRandom(seed),
    ...(lifetimeMs === undefined ? {} : { lifetimeMs }),
  });
}

describe('an authority', () => {
  test('is a certificate that may sign others, valid for ten years of its own clock', async () => {
    const clock = new VirtualClock();
    const certificate = new X509Certificate((await authority({ clock })).certificatePem);
    expect({
      ca: certificate.ca,
      subject: certificate.subject,
      issuer: certificate.issuer,
      verifies: certificate.verify(certificate.publicKey),
      from: certificate.validFromDate.getTime() - clock.now(),
      to: certificate.validToDate.getTime() - clock.now(),
    }).toEqual({
      ca: true,
      subject: 'CN=kubernetes',
      issuer: 'CN=kubernetes',
      verifies: true,
      from: -5 * minuteMs,
      to: 10 * yearMs,
    });
  });

  test('numbers its certificates by the randomness it was given', async () => {
    const serials = async (seed: number) => {
      const ca = await authority({ seed });
      const leaf = await ca.issue({ subject: { commonName: 'a' }, ...client });
      return [ca.certificatePem, leaf.certificatePem].map(
        (pem) => new X509Certificate(pem).serialNumber,
      );
    };
    const [first, again, other] = [await serials(1), await serials(1), await serials(2)];
    expect(first).toEqual(again);
    expect(new Set([...first, ...other]).size).toBe(4);
  });

  test('issues a leaf with its names and purposes, and the key that belongs to it', async () => {
    const ca = await authority();
    const leaf = await ca.issue({
      subject: { commonName: 'kube-apiserver', organizations: ['one', 'two "2" é', 'a=b,c\\d'] },
      alternativeNames: {
        dnsNames: ['localhost', '*.example.com'],
        ipAddresses: ['127.0.0.1', '::1'],
      },
      ...server,
    });
    const certificate = new X509Certificate(leaf.certificatePem);
    const { subject } = certificate.toLegacyObject();
    expect({
      subject: { ...subject },
      names: certificate.subjectAltName,
      purposes: certificate.keyUsage,
      ca: certificate.ca,
      ownKey: certificate.checkPrivateKey(createPrivateKey(leaf.privateKeyPem)),
      signed: ca.hasSigned(leaf.certificatePem),
    }).toEqual({
      subject: { CN: 'kube-apiserver', O: ['one', 'two "2" é', 'a=b,c\\d'] },
      names: 'DNS:localhost, DNS:*.example.com, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
      purposes: ['1.3.6.1.5.5.7.3.1'],
      ca: false,
      ownKey: true,
      signed: true,
    });
  });

  test('never signs for longer than it lives itself', async () => {
    const ca = await authority({ lifetimeMs: 60 * minuteMs });
    const { certificatePem } = await ca.issue({ subject: { commonName: 'a' }, ...client });
    expect(new X509Certificate(certificatePem).validToDate.getTime()).toBe(ca.notAfterMs);
  });

  test('knows its own certificates from those of another of the same name', async () => {
    const [ours, theirs] = [await authority(), await authority()];
    const leaf = await theirs.issue({ subject: { commonName: 'a' }, ...client });
    expect([
      ours.hasSigned(leaf.certificatePem),
      ours.hasSigned('nothing'),
      ours.hasSigned(new Uint8Array(9)),
    ]).toEqual([false, false, false]);
  });

  test('has signed before the event loop turns, so that a virtual clock does not run ahead of it', async () => {
    const ca = await authority();
    let isDone = false;
    const signing = ca
      .issue({ subject: { commonName: 'a' }, ...client })
      .then(() => (isDone = true));
    await new VirtualClock().settle();
    expect(isDone).toBe(true);
    await signing;
  });
});

describe('a certificate request', () => {
  test('comes back as it was made', async () => {
    const { requestPem } = await createCertificateRequest({
      subject: { commonName: 'system:node:a', organizations: ['system:nodes'] },
      alternativeNames: {
        dnsNames: ['a.example.com'],
        ipAddresses: ['10.0.0.4', 'fd00::1'],
        emailAddresses: ['a@example.com'],
        uris: ['spiffe://a/b'],
      },
    });
    const parsed = parseCertificateRequest(requestPem);
    expect(parsed).toMatchObject({
      subject: { commonName: 'system:node:a', organizations: ['system:nodes'] },
      alternativeNames: {
        dnsNames: ['a.example.com'],
        ipAddresses: ['10.0.0.4', 'fd00::1'],
        emailAddresses: ['a@example.com'],
        uris: ['spiffe://a/b'],
      },
      hasValidSignature: true,
    });
  });

  test('is signed into a certificate for its own key', async () => {
    const ca = await authority();
    const { requestPem, privateKeyPem } = await createCertificateRequest({
      subject: { commonName: 'a' },
    });
    const parsed = parseCertificateRequest(requestPem);
    if (typeof parsed === 'string') throw new Error(parsed);
    const pem = await ca.sign(parsed.publicKey, {
      subject: parsed.subject,
      alternativeNames: parsed.alternativeNames,
      ...client,
      notBeforeMs: Date.UTC(2026, 0, 1),
      notAfterMs: Date.UTC(2026, 0, 2),
    });
    const certificate = new X509Certificate(pem);
    expect(certificate.checkPrivateKey(createPrivateKey(privateKeyPem))).toBe(true);
    expect(certificate.validTo).toBe('Jan  2 00:00:00 2026 GMT');
  });

  test('that was changed after signing is noticed', async () => {
    const { requestPem } = await createCertificateRequest({ subject: { commonName: 'aaaaaaaa' } });
    const der = Buffer.from(requestPem.replaceAll(/-----[^-]+-----/g, ''), 'base64');
    der.write('bbbbbbbb', der.indexOf('aaaaaaaa'));
    const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    expect(parseCertificateRequest(pem)).toMatchObject({
      subject: { commonName: 'bbbbbbbb' },
      hasValidSignature: false,
    });
  });

  test.each([
    ['hello', /^PEM block type must be CERTIFICATE REQUEST$/],
    ['', /^PEM block type must be CERTIFICATE REQUEST$/],
    ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', /^PEM block type must be/],
    [
      '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----',
      /^asn1: structure error: /,
    ],
  ])('%j is none', (text, complaint) => {
    expect(parseCertificateRequest(text)).toMatch(complaint);
  });

  test('made by other tools is read too', () => {
    // openssl req -new -newkey rsa:1024 -subj /O=dev/O=ops/CN=carol -addext subjectAltName=DNS:x -addext keyUsage=digitalSignature
    const pem = readRsaRequest();
    expect(parseCertificateRequest(pem)).toMatchObject({
      subject: { commonName: 'carol', organizations: ['dev', 'ops'] },
      alternativeNames: { dnsNames: ['x'] },
      hasValidSignature: true,
    });
  });
});

describe('a TLS handshake', () => {
  async function serve(clientCa: CertificateAuthority) {
    const ca = await CertificateAuthority.create({
      commonName: 'kubernetes',
      clock: systemClock,
      random: seededRandom(1),
    });
    const identity = await ca.issue({
      subject: { commonName: 'kube-apiserver' },
      alternativeNames: { ipAddresses: ['127.0.0.1'] },
      ...server,
    });
    const http = await HttpServer.listen({
      handler: ({ clientCertificate }) => ({
        status: 200,
        body:
          clientCertificate === undefined
            ? 'nobody'
            : new X509Certificate(clientCertificate).subject,
      }),
      log: silentLogger,
      tls: {
        cert: identity.certificatePem,
        key: identity.privateKeyPem,
        clientCa: clientCa.certificatePem,
      },
    });
    return { http, ca: ca.certificatePem };
  }

  function get(url: string, ca: string, identity?: IssuedCertificate): Promise<string> {
    return new Promise((resolve, reject) => {
      const options = {
        ca,
        agent: false as const,
        ...(identity === undefined
          ? {}
          : { cert: identity.certificatePem, key: identity.privateKeyPem }),
      };
      const sent = request(url, options, (reply) => {
        reply.setEncoding('utf8');
        let text = '';
        reply.on('data', (chunk: string) => (text += chunk));
        reply.on('end', () => resolve(text));
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  async function clientAuthority(lifetimeMs = yearMs) {
    return await CertificateAuthority.create({
      commonName: 'clients',
      clock: systemClock,
      random: seededRandom(2),
      lifetimeMs,
    });
  }

  test('shows the server who its own clients are, and hides those of others', async () => {
    const ours = await clientAuthority();
    const theirs = await clientAuthority();
    const { http, ca } = await serve(ours);
    try {
      const subject = { commonName: 'ann', organizations: ['dev'] };
      expect([
        await get(http.url, ca, await ours.issue({ subject, ...client })),
        await get(http.url, ca, await theirs.issue({ subject, ...client })),
        await get(http.url, ca),
      ]).toEqual(['O=dev\nCN=ann', 'nobody', 'nobody']);
    } finally {
      await http.close();
    }
  });

  test('fails for a client that trusts another authority', async () => {
    const { http } = await serve(await clientAuthority());
    const stranger = await clientAuthority();
    try {
      await expect(get(http.url, stranger.certificatePem)).rejects.toThrow(/unable to/);
    } finally {
      await http.close();
    }
  });
});

function readRsaRequest(): string {
  return `-----BEGIN CERTIFICATE REQUEST-----
MIIBmDCCAQECAQAwLDEMMAoGA1UECgwDZGV2MQwwCgYDVQQKDANvcHMxDjAMBgNV
BAMMBWNhcm9sMIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCqABofY02sd49b
gcDqnKN0Tyh664IPoTFrW0ybJoa2/tLf9wHbTmrweTBLvIwkPjGWxKVNIgbJLQq1
lkRE3cq99AO67sT0w3jD0wWjQoMm5PZYjpAwa1XSxVC3z7RNoI6qrhmZQa5U2isr
QgM08DzsSt2RfiC0eoCyOo9cMDbYpQIDAQABoCwwKgYJKoZIhvcNAQkOMR0wGzAM
BgNVHREEBTADggF4MAsGA1UdDwQEAwIHgDANBgkqhkiG9w0BAQsFAAOBgQCpgCrc
QOcSHROozw7ftHe6qhRT2LgtP8rA8PFjXwEWIISuLQTtve4Rm0A42Bwou98M3bZg
0FWpWZmoKAEXKUb9SClSdQ1q/D4pi1Hbpx4S3INmCH2c/JA8PEDoc2H2PBYHPhrn
rU248ZNxv4ROwrfNfCEv0iW3vyf6+zzkBkbIDA==
-----END CERTIFICATE REQUEST-----`;
}

test('keys of other kinds than P-256 are signed for as well', async () => {
  const ca = await authority();
  const { publicKey } = generateKeyPairSync('ed25519');
  const pem = await ca.sign(publicKey.export({ format: 'der', type: 'spki' }), {
    subject: { commonName: 'a' },
    ...client,
    notBeforeMs: Date.UTC(2026, 0, 1),
    notAfterMs: Date.UTC(2026, 0, 2),
  });
  expect(new X509Certificate(pem).publicKey.asymmetricKeyType).toBe('ed25519');
});
