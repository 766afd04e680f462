// The core group: pods, nodes, namespaces and what they are made of.
import { at, countAt, listAt, objectAt, objectsAt, scalarText, stringAt, textAt } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { configMapStrategy, secretStrategy } from '../validation/config-data.ts';
import { limitRangeStrategy, resourceQuotaStrategy } from '../validation/limits.ts';
import { namespaceFinalize, namespaceStrategy } from '../validation/namespace.ts';
import { nodeStrategy } from '../validation/node.ts';
import { ephemeralContainers, podStrategy, resize } from '../validation/pod-strategy.ts';
import { endpointsDefaults } from '../validation/plain-defaults.ts';
import { podTemplateStrategy } from '../validation/pod-template.ts';
import { serviceStrategy } from '../validation/service.ts';
import { volumeClaimStrategy, volumeStrategy } from '../validation/volume.ts';
import { replicationControllerStrategy } from '../validation/workload.ts';
import { builtIn } from './built-in-kind.ts';
import {
  accessModes,
  ageColumn,
  column,
  count,
  createdAtColumn,
  labelText,
  nameColumn,
  orNone,
  templateColumns,
  text,
  textOr,
  wide,
} from './columns.ts';
import { eventColumns, eventSelectors, eventStrategy } from './event-kinds.ts';
import { nodeColumns } from './node-columns.ts';
import { podColumns } from './pod-columns.ts';
import type { ResourceKind, Subresource } from './resource-kind.ts';
import { replicaScaling } from './scaling.ts';
import { endpointsText, externalAddress, portsText } from './service-cells.ts';

const connect = (name: string, kind: string, verbs: Subresource['verbs']): Subresource => ({
  name,
  verbs,
  kind: { group: '', version: 'v1', kind },
});

const proxyVerbs = ['create', 'delete', 'get', 'patch', 'update'] as const;

const phase = (object: ApiObject): string =>
  object.metadata.deletionTimestamp === undefined
    ? textAt(object, 'status', 'phase')
    : 'Terminating';

const pods = builtIn({
  kind: 'Pod',
  plural: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  subresources: [
    connect('attach', 'PodAttachOptions', ['create', 'get']),
    { ...connect('binding', 'Binding', ['create']), prepareForUpdate: (pod) => pod },
    ephemeralContainers,
    {
      name: 'eviction',
      verbs: ['create'],
      kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
    },
    connect('exec', 'PodExecOptions', ['create', 'get']),
    { name: 'log', verbs: ['get'] },
    connect('portforward', 'PodPortForwardOptions', ['create', 'get']),
    connect('proxy', 'PodProxyOptions', proxyVerbs),
    resize,
    'status',
  ],
  allColumns: podColumns,
  fieldSelectors: {
    'spec.nodeName': (pod) => textAt(pod, 'spec', 'nodeName'),
    'spec.restartPolicy': (pod) => textAt(pod, 'spec', 'restartPolicy'),
    'spec.schedulerName': (pod) => textAt(pod, 'spec', 'schedulerName'),
    'spec.serviceAccountName': (pod) => textAt(pod, 'spec', 'serviceAccountName'),
    'spec.hostNetwork': (pod) => String(at(pod, 'spec', 'hostNetwork') === true),
    'status.phase': (pod) => textAt(pod, 'status', 'phase'),
    'status.podIP': (pod) => textAt(pod, 'status', 'podIP'),
    'status.podIPs': (pod) => textAt(pod, 'status', 'podIP'),
    'status.nominatedNodeName': (pod) => textAt(pod, 'status', 'nominatedNodeName'),
  },
  strategy: podStrategy,
});

const nodes = builtIn({
  kind: 'Node',
  plural: 'nodes',
  shortNames: ['no'],
  namespaced: false,
  subresources: [connect('proxy', 'NodeProxyOptions', proxyVerbs), 'status'],
  allColumns: nodeColumns,
  fieldSelectors: {
    'spec.unschedulable': (node) => String(at(node, 'spec', 'unschedulable') === true),
  },
  strategy: nodeStrategy,
});

const namespaces = builtIn({
  kind: 'Namespace',
  plural: 'namespaces',
  shortNames: ['ns'],
  namespaced: false,
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [namespaceFinalize, 'status'],
  columns: [column('Status', text('status', 'phase'))],
  fieldSelectors: { 'status.phase': (object) => textAt(object, 'status', 'phase') },
  strategy: namespaceStrategy,
});

const services = builtIn({
  kind: 'Service',
  plural: 'services',
  shortNames: ['svc'],
  categories: ['all'],
  subresources: [connect('proxy', 'ServiceProxyOptions', proxyVerbs), 'status'],
  allColumns: [
    nameColumn,
    column('Type', text('spec', 'type')),
    column('Cluster-IP', (service) => {
      const [first] = listAt(service, 'spec', 'clusterIPs');
      return typeof first === 'string' ? first : '<none>';
    }),
    column('External-IP', externalAddress),
    column('Port(s)', portsText),
    ageColumn,
    wide('Selector', (service) => orNone(labelText(at(service, 'spec', 'selector')))),
  ],
  fieldSelectors: {
    'spec.clusterIP': (service) => textAt(service, 'spec', 'clusterIP'),
    'spec.type': (service) => textAt(service, 'spec', 'type'),
  },
  strategy: serviceStrategy,
});

const volumes = builtIn({
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  shortNames: ['pv'],
  namespaced: false,
  subresources: ['status'],
  allColumns: [
    nameColumn,
    column('Capacity', text('spec', 'capacity', 'storage')),
    column('Access Modes', accessModes('spec', 'accessModes')),
    column('Reclaim Policy', text('spec', 'persistentVolumeReclaimPolicy')),
    column('Status', phase),
    column('Claim', (volume) => {
      const claim = objectAt(volume, 'spec', 'claimRef');
      if (claim === undefined) return '';
      return `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}`;
    }),
    column('StorageClass', text('spec', 'storageClassName')),
    column('VolumeAttributesClass', textOr('<unset>', 'spec', 'volumeAttributesClassName')),
    column('Reason', text('status', 'reason')),
    ageColumn,
    wide('VolumeMode', textOr('<unset>', 'spec', 'volumeMode')),
  ],
  strategy: volumeStrategy,
});

const isBound = (claim: ApiObject): boolean => textAt(claim, 'spec', 'volumeName') !== '';

const volumeClaims = builtIn({
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  shortNames: ['pvc'],
  subresources: ['status'],
  allColumns: [
    nameColumn,
    column('Status', phase),
    column('Volume', text('spec', 'volumeName')),
    column('Capacity', (claim) =>
      isBound(claim) ? (stringAt(claim, 'status', 'capacity', 'storage') ?? '0') : '',
    ),
    column('Access Modes', (claim, nowMs) =>
      isBound(claim) ? accessModes('status', 'accessModes')(claim, nowMs) : '',
    ),
    column('StorageClass', text('spec', 'storageClassName')),
    column('VolumeAttributesClass', textOr('<unset>', 'spec', 'volumeAttributesClassName')),
    ageColumn,
    wide('VolumeMode', textOr('<unset>', 'spec', 'volumeMode')),
  ],
  strategy: volumeClaimStrategy,
});

function quotaText(isLimit: boolean) {
  return (quota: ApiObject): string => {
    const hard = Object.entries(objectAt(quota, 'status', 'hard') ?? {}).toSorted(([a], [b]) =>
      a < b ? -1 : 1,
    );
    const used = objectAt(quota, 'status', 'used') ?? {};
    return hard
      .filter(([name]) => name.startsWith('limits.') === isLimit)
      .map(([name, amount]) => `${name}: ${stringAt(used, name) ?? '0'}/${scalarText(amount)}`)
      .join(', ');
  };
}

const dataCount = (object: ApiObject): number =>
  Object.keys(objectAt(object, 'data') ?? {}).length +
  Object.keys(objectAt(object, 'binaryData') ?? {}).length;

const templateContainers = (field: string) => (object: ApiObject) =>
  objectsAt(object, 'template', 'spec', 'containers')
    .map((container) => textAt(container, field))
    .join(',');

export const coreKinds: readonly ResourceKind[] = [
  builtIn({ kind: 'Binding', plural: 'bindings', isVirtual: true }),
  pods,
  nodes,
  namespaces,
  services,
  volumes,
  volumeClaims,
  builtIn({
    kind: 'Endpoints',
    plural: 'endpoints',
    shortNames: ['ep'],
    columns: [column('Endpoints', endpointsText)],
    strategy: { allowCreateOnUpdate: true, defaults: endpointsDefaults },
    deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  }),
  builtIn({
    kind: 'ConfigMap',
    plural: 'configmaps',
    shortNames: ['cm'],
    columns: [column('Data', dataCount)],
    strategy: configMapStrategy,
  }),
  builtIn({
    kind: 'Secret',
    plural: 'secrets',
    columns: [column('Type', text('type')), column('Data', dataCount)],
    fieldSelectors: { type: (secret) => textAt(secret, 'type') },
    strategy: secretStrategy,
  }),
  builtIn({
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    subresources: [
      {
        name: 'token',
        verbs: ['create'],
        kind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
      },
    ],
    strategy: { returnsDeleted: true },
  }),
  builtIn({
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    allColumns: eventColumns,
    fieldSelectors: eventSelectors,
    strategy: eventStrategy,
  }),
  builtIn({
    kind: 'ResourceQuota',
    plural: 'resourcequotas',
    shortNames: ['quota'],
    subresources: ['status'],
    columns: [column('Request', quotaText(false)), column('Limit', quotaText(true))],
    strategy: resourceQuotaStrategy,
  }),
  builtIn({
    kind: 'LimitRange',
    plural: 'limitranges',
    shortNames: ['limits'],
    allColumns: [nameColumn, createdAtColumn],
    strategy: limitRangeStrategy,
  }),
  builtIn({
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    shortNames: ['rc'],
    categories: ['all'],
    subresources: ['scale', 'status'],
    allColumns: [
      nameColumn,
      column('Desired', count('spec', 'replicas'), 'integer'),
      column('Current', count('status', 'replicas'), 'integer'),
      column('Ready', count('status', 'readyReplicas'), 'integer'),
      ageColumn,
      ...templateColumns().slice(0, 2),
      wide('Selector', (object) => orNone(labelText(at(object, 'spec', 'selector')))),
    ],
    fieldSelectors: {
      'status.replicas': (object) => String(countAt(object, 'status', 'replicas')),
    },
    strategy: replicationControllerStrategy,
    scaling: replicaScaling((object) => labelText(at(object, 'spec', 'selector'))),
  }),
  builtIn({
    kind: 'PodTemplate',
    plural: 'podtemplates',
    allColumns: [
      nameColumn,
      column('Containers', templateContainers('name')),
      column('Images', templateContainers('image')),
      column('Pod Labels', (object) =>
        orNone(labelText(at(object, 'template', 'metadata', 'labels'))),
      ),
    ],
    strategy: podTemplateStrategy,
  }),
];
