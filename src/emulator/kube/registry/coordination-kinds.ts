// coordination.k8s.io: leases.
import { leaseStrategy } from '../validation/lease.ts';
import { builtIn } from './built-in-kind.ts';
import { column, text } from './columns.ts';
import type { ResourceKind } from './resource-kind.ts';

export const coordinationKinds: readonly ResourceKind[] = [
  builtIn({
    group: 'coordination.k8s.io',
    kind: 'Lease',
    plural: 'leases',
    columns: [column('Holder', text('spec', 'holderIdentity'))],
    strategy: leaseStrategy,
  }),
];
