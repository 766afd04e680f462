// resource.k8s.io: devices and claims to them.
import { at, listAt, textAt } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { claimDefaults, claimErrors } from '../validation/device-claim.ts';
import { builtIn } from './built-in-kind.ts';
import { column, text, textOr } from './columns.ts';
import type { ResourceKind } from './resource-kind.ts';
import { ownStatus } from './status-rules.ts';

const deviceGroup = 'resource.k8s.io';

function claimState(claim: ApiObject): string {
  if (claim.metadata.deletionTimestamp !== undefined) return 'deleted';
  const states = [
    ...(at(claim, 'status', 'allocation') === undefined ? [] : ['allocated']),
    ...(listAt(claim, 'status', 'reservedFor').length === 0 ? [] : ['reserved']),
  ];
  return states.length === 0 ? 'pending' : states.join(',');
}

export const deviceKinds: readonly ResourceKind[] = [
  builtIn({
    group: deviceGroup,
    kind: 'DeviceClass',
    plural: 'deviceclasses',
    singular: 'deviceclass',
    namespaced: false,
    strategy: { generation: 'spec', returnsDeleted: true },
  }),
  builtIn({
    group: deviceGroup,
    kind: 'ResourceClaim',
    plural: 'resourceclaims',
    subresources: ['status'],
    columns: [column('State', claimState)],
    strategy: {
      ...ownStatus(),
      returnsDeleted: true,
      defaults: (claim) => claimDefaults(claim, ['spec']),
      validate: (claim) => claimErrors(claim, ['spec']),
    },
  }),
  builtIn({
    group: deviceGroup,
    kind: 'ResourceClaimTemplate',
    plural: 'resourceclaimtemplates',
    strategy: {
      returnsDeleted: true,
      defaults: (template) => claimDefaults(template, ['spec', 'spec']),
      validate: (template) => claimErrors(template, ['spec', 'spec']),
    },
  }),
  builtIn({
    group: deviceGroup,
    kind: 'ResourceSlice',
    plural: 'resourceslices',
    namespaced: false,
    columns: [
      column('Node', textOr('<unset>', 'spec', 'nodeName')),
      column('Driver', text('spec', 'driver')),
      column('Pool', text('spec', 'pool', 'name')),
    ],
    fieldSelectors: {
      'spec.nodeName': (slice) => textAt(slice, 'spec', 'nodeName'),
      'spec.driver': (slice) => textAt(slice, 'spec', 'driver'),
    },
    strategy: { generation: 'spec', returnsDeleted: true },
  }),
];
