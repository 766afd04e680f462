// The signers that the control plane runs, and what each will sign. In: a parsed request and the usages asked for.
// Out: why it will not be signed; undefined when it will. Requests for other signers are not ours.
import type { CertificateRequest } from '../../../certificates.ts';

export const signers = {
  client: 'kubernetes.io/kube-apiserver-client',
  kubeletClient: 'kubernetes.io/kube-apiserver-client-kubelet',
  kubeletServing: 'kubernetes.io/kubelet-serving',
} as const;

/** Older clients had no choice of a signer; nobody may ask for this one any more. */
export const legacySigner = 'kubernetes.io/legacy-unknown';

const nodePrefix = 'system:node:';

type Rule = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

const rules: ReadonlyMap<string, Rule> = new Map([
  [signers.client, clientError],
  [signers.kubeletClient, kubeletClientError],
  [signers.kubeletServing, kubeletServingError],
]);

export function isOurSigner(name: string): boolean {
  return rules.has(name);
}

export function signingError(
  signer: string,
  request: CertificateRequest,
  usages: readonly string[],
): string | undefined {
  return rules.get(signer)?.(request, usages);
}

function clientError(_: CertificateRequest, usages: readonly string[]): string | undefined {
  const optional = new Set(['digital signature', 'key encipherment', 'client auth']);
  const other = usages.find((usage) => !optional.has(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes('client auth')
    ? undefined
    : 'missing required usage for client certificate: client auth';
}

function kubeletClientError(
  { subject, alternativeNames: names }: CertificateRequest,
  usages: readonly string[],
): string | undefined {
  if (!isNodesOnly(subject.organizations)) return 'subject organization is not system:nodes';
  if (names.dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (names.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (names.ipAddresses.length > 0) return 'IP subjectAltNames are not allowed';
  if (names.uris.length > 0) return 'URI subjectAltNames are not allowed';
  return nodeNameError(subject.commonName) ?? usageError(usages, 'client auth');
}

function kubeletServingError(
  { subject, alternativeNames: names }: CertificateRequest,
  usages: readonly string[],
): string | undefined {
  if (!isNodesOnly(subject.organizations)) return 'subject organization is not system:nodes';
  if (names.dnsNames.length === 0 && names.ipAddresses.length === 0) {
    return 'DNS or IP subjectAltName is required';
  }
  if (names.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (names.uris.length > 0) return 'URI subjectAltNames are not allowed';
  return usageError(usages, 'server auth') ?? nodeNameError(subject.commonName);
}

function isNodesOnly(organizations: readonly string[]): boolean {
  return organizations.length === 1 && organizations[0] === 'system:nodes';
}

function nodeNameError(commonName: string): string | undefined {
  return commonName.startsWith(nodePrefix)
    ? undefined
    : `subject common name does not begin with ${nodePrefix}`;
}

/** Keys that are not RSA have no use for key encipherment. */
function usageError(usages: readonly string[], purpose: string): string | undefined {
  const wanted = [purpose, 'digital signature', 'key encipherment'];
  const asked = new Set(usages);
  const isExact =
    asked.has(purpose) &&
    asked.has('digital signature') &&
    [...asked].every((usage) => wanted.includes(usage));
  return isExact ? undefined : `usages did not match [${wanted.toSorted().join(' ')}]`;
}
