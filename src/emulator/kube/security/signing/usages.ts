// The words of the certificates API for what a key may be used for. In: words. Out: what stands in a certificate.
import type { KeyPurpose, KeyUsage } from '../../../certificates.ts';

const keyUsages: Readonly<Record<string, KeyUsage>> = {
  signing: 'digitalSignature',
  'digital signature': 'digitalSignature',
  'content commitment': 'contentCommitment',
  'key encipherment': 'keyEncipherment',
  'key agreement': 'keyAgreement',
  'data encipherment': 'dataEncipherment',
  'cert sign': 'certificateSign',
  'crl sign': 'revocationListSign',
  'encipher only': 'encipherOnly',
  'decipher only': 'decipherOnly',
};

const keyPurposes: Readonly<Record<string, KeyPurpose>> = {
  any: 'any',
  'server auth': 'serverAuth',
  'client auth': 'clientAuth',
  'code signing': 'codeSigning',
  'email protection': 'emailProtection',
  's/mime': 'emailProtection',
  'ipsec end system': 'ipsecEndSystem',
  'ipsec tunnel': 'ipsecTunnel',
  'ipsec user': 'ipsecUser',
  timestamping: 'timestamping',
  'ocsp signing': 'ocspSigning',
  'microsoft sgc': 'microsoftServerGated',
  'netscape sgc': 'netscapeServerGated',
};

/** All words, in the order in which refusals list them. */
export const usageWords: readonly string[] = [
  ...Object.keys(keyUsages),
  ...Object.keys(keyPurposes),
].toSorted();

export function toKeyUsages(words: readonly string[]): {
  readonly usages: readonly KeyUsage[];
  readonly purposes: readonly KeyPurpose[];
} {
  return {
    usages: [...new Set(words.flatMap((word) => keyUsages[word] ?? []))],
    purposes: [...new Set(words.flatMap((word) => keyPurposes[word] ?? []))],
  };
}
