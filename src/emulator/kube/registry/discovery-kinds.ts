// discovery.k8s.io: endpoint slices.
import { listAt, numberAt, objectsAt, scalarText } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { sliceDefaults } from '../validation/plain-defaults.ts';
import { builtIn } from './built-in-kind.ts';
import { column, text } from './columns.ts';
import type { ResourceKind } from './resource-kind.ts';
import { shortened } from './service-cells.ts';

function slicePorts(slice: ApiObject): string {
  const ports = objectsAt(slice, 'ports');
  if (ports.length === 0) return '<unset>';
  return shortened(ports.map((port) => String(numberAt(port, 'port') ?? '*')));
}

function sliceEndpoints(slice: ApiObject): string {
  const addresses = objectsAt(slice, 'endpoints').flatMap((endpoint) => [
    ...listAt(endpoint, 'addresses'),
  ]);
  return addresses.length === 0
    ? '<unset>'
    : shortened(addresses.map((address) => scalarText(address)));
}

export const discoveryKinds: readonly ResourceKind[] = [
  builtIn({
    group: 'discovery.k8s.io',
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    columns: [
      column('AddressType', text('addressType')),
      column('Ports', slicePorts),
      column('Endpoints', sliceEndpoints),
    ],
    strategy: { generation: 'all-but-status', defaults: sliceDefaults },
  }),
];
