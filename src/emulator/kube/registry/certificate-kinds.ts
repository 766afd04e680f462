// certificates.k8s.io: signing requests.
import { numberAt, objectsAt, textAt } from '../json.ts';
import type { ApiObject } from '../object.ts';
import {
  approvalSubresource,
  signingRequestStrategy,
} from '../security/signing/signing-request-strategy.ts';
import { builtIn } from './built-in-kind.ts';
import { age, column, nameColumn, shortDuration, text } from './columns.ts';
import type { ResourceKind } from './resource-kind.ts';

function requestCondition(request: ApiObject): string {
  const types = new Set(
    objectsAt(request, 'status', 'conditions').map((condition) => textAt(condition, 'type')),
  );
  const states = ['Approved', 'Denied', 'Failed'].filter((type) => types.has(type));
  const issued = textAt(request, 'status', 'certificate') !== '';
  if (states.length === 0) return 'Pending';
  return [...states, ...(issued ? ['Issued'] : [])].join(',');
}

export const certificateKinds: readonly ResourceKind[] = [
  builtIn({
    group: 'certificates.k8s.io',
    kind: 'CertificateSigningRequest',
    plural: 'certificatesigningrequests',
    shortNames: ['csr'],
    namespaced: false,
    subresources: [approvalSubresource, 'status'],
    allColumns: [
      nameColumn,
      column('Age', (object, nowMs) => age(object.metadata.creationTimestamp, nowMs)),
      column('SignerName', text('spec', 'signerName')),
      column('Requestor', text('spec', 'username')),
      column('RequestedDuration', (object) => {
        const seconds = numberAt(object, 'spec', 'expirationSeconds');
        return seconds === undefined ? '<none>' : shortDuration(seconds * 1000);
      }),
      column('Condition', requestCondition),
    ],
    fieldSelectors: { 'spec.signerName': (object) => textAt(object, 'spec', 'signerName') },
    strategy: signingRequestStrategy,
  }),
];
