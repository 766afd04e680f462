// A kubelet's first certificate, and each one after it. In: a connection with the bootstrap token, or with the certificate that
// runs out. Out: a certificate for `system:node:<name>`, or why there is none yet.
import { X509Certificate } from 'node:crypto';
import { sleep, type Clock } from '../../../base/clock.ts';
import { createCertificateRequest } from '../../certificates.ts';
import { objectsAt, textAt } from '../../kube/json.ts';
import { isDone, refusalOf, type KubeConnection } from '../kube-connection.ts';

export type CertificateOutcome =
  | { readonly ok: true; readonly certificate: NodeCertificate }
  | { readonly ok: false; readonly reason: string };

export interface NodeCertificate {
  /** DER. */
  readonly certificate: Uint8Array;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const pollMs = 1000;
const patienceMs = 15 * 60_000;

export async function requestCertificate(options: {
  readonly connection: KubeConnection;
  readonly nodeName: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<CertificateOutcome> {
  const { connection, nodeName, clock, signal } = options;
  const { requestPem } = await createCertificateRequest({
    subject: { commonName: `system:node:${nodeName}`, organizations: ['system:nodes'] },
  });
  const body = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { generateName: 'node-csr-' },
    spec: {
      request: Buffer.from(requestPem).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['digital signature', 'client auth'],
    },
  };
  const made = await connection.send({ method: 'POST', target: requests, body }, signal);
  if (!isDone(made)) return { ok: false, reason: `cannot create: ${refusalOf(made)}` };
  const target = `${requests}/${textAt(made.body, 'metadata', 'name')}`;
  const untilMs = clock.monotonic() + patienceMs;
  while (clock.monotonic() < untilMs) {
    const current = await connection.send({ method: 'GET', target }, signal);
    const refusal = objectsAt(current.body, 'status', 'conditions').find(
      ({ type }) => type === 'Denied' || type === 'Failed',
    );
    if (refusal !== undefined) return { ok: false, reason: textAt(refusal, 'message') };
    const pem = Buffer.from(textAt(current.body, 'status', 'certificate'), 'base64').toString();
    if (pem !== '') return { ok: true, certificate: toCertificate(pem) };
    await sleep(clock, pollMs, { signal, label: 'kubelet certificate' });
  }
  return { ok: false, reason: 'nobody signed it within 15 minutes' };
}

function toCertificate(pem: string): NodeCertificate {
  const parsed = new X509Certificate(pem);
  return {
    certificate: parsed.raw,
    notBeforeMs: parsed.validFromDate.getTime(),
    notAfterMs: parsed.validToDate.getTime(),
  };
}
