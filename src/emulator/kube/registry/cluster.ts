// The other built-in groups: storage, scheduling, leases, access, extension, discovery, devices, network, certificates,
// and the reviews that are answered without being stored.
import {
  at,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  scalarText,
  stringAt,
  textAt,
} from '../json.ts';
import type { ApiObject } from '../object.ts';
import {
  approvalSubresource,
  signingRequestStrategy,
} from '../security/signing/signing-request-strategy.ts';
import { definitionStrategy } from '../validation/definition.ts';
import { leaseStrategy } from '../validation/lease.ts';
import { pathSegmentName } from '../validation/names.ts';
import { priorityClassStrategy } from '../validation/priority-class.ts';
import { bindingStrategy, roleStrategy } from '../validation/access.ts';
import {
  csiNodeDefaults,
  driverDefaults,
  mutatingWebhookDefaults,
  networkPolicyDefaults,
  sliceDefaults,
  webhookDefaults,
} from '../validation/plain-defaults.ts';
import { storageClassStrategy, volumeAttachmentStrategy } from '../validation/storage.ts';
import { builtIn } from './built-in-kind.ts';
import {
  age,
  ageColumn,
  column,
  count,
  createdAtColumn,
  flag,
  lengthOf,
  nameColumn,
  orNone,
  selectorText,
  shortDuration,
  text,
  textOr,
  wide,
} from './columns.ts';
import type { Column, ResourceKind } from './resource-kind.ts';
import { loadBalancerAddresses, shortened } from './service-cells.ts';
import { ownStatus } from './status-rules.ts';

const defaultClassAnnotation = 'storageclass.kubernetes.io/is-default-class';

const storageGroup = 'storage.k8s.io';

export const storageKinds: readonly ResourceKind[] = [
  builtIn({
    group: storageGroup,
    kind: 'CSIDriver',
    plural: 'csidrivers',
    namespaced: false,
    columns: [
      column(
        'AttachRequired',
        (object) => at(object, 'spec', 'attachRequired') !== false,
        'boolean',
      ),
      column('PodInfoOnMount', flag('spec', 'podInfoOnMount'), 'boolean'),
      column('StorageCapacity', flag('spec', 'storageCapacity'), 'boolean'),
      column('TokenRequests', (object) => {
        const audiences = objectsAt(object, 'spec', 'tokenRequests').map((item) =>
          textAt(item, 'audience'),
        );
        return audiences.length === 0 ? '<unset>' : audiences.join(',');
      }),
      column('RequiresRepublish', flag('spec', 'requiresRepublish'), 'boolean'),
      column('Modes', (object) =>
        listAt(object, 'spec', 'volumeLifecycleModes')
          .map((mode) => scalarText(mode))
          .join(','),
      ),
    ],
    strategy: { returnsDeleted: true, allowUnconditionalUpdate: false, defaults: driverDefaults },
  }),
  builtIn({
    group: storageGroup,
    kind: 'CSINode',
    plural: 'csinodes',
    namespaced: false,
    columns: [column('Drivers', lengthOf('spec', 'drivers'), 'integer')],
    strategy: { returnsDeleted: true, allowUnconditionalUpdate: false, defaults: csiNodeDefaults },
  }),
  builtIn({
    group: storageGroup,
    kind: 'CSIStorageCapacity',
    plural: 'csistoragecapacities',
    allColumns: [nameColumn, createdAtColumn],
    strategy: { allowUnconditionalUpdate: false },
  }),
  builtIn({
    group: storageGroup,
    kind: 'StorageClass',
    plural: 'storageclasses',
    shortNames: ['sc'],
    namespaced: false,
    allColumns: [
      {
        ...nameColumn,
        cell: (object) =>
          object.metadata.annotations?.[defaultClassAnnotation] === 'true'
            ? `${object.metadata.name} (default)`
            : object.metadata.name,
      },
      column('Provisioner', text('provisioner')),
      column('ReclaimPolicy', textOr('Delete', 'reclaimPolicy')),
      column('VolumeBindingMode', textOr('<unset>', 'volumeBindingMode')),
      column('AllowVolumeExpansion', flag('allowVolumeExpansion')),
      ageColumn,
    ],
    strategy: storageClassStrategy,
  }),
  builtIn({
    group: storageGroup,
    kind: 'VolumeAttachment',
    plural: 'volumeattachments',
    namespaced: false,
    subresources: ['status'],
    columns: [
      { ...column('Attacher', text('spec', 'attacher')), format: 'name' },
      column('PV', text('spec', 'source', 'persistentVolumeName')),
      column('Node', text('spec', 'nodeName')),
      column('Attached', flag('status', 'attached'), 'boolean'),
    ],
    strategy: volumeAttachmentStrategy,
  }),
];

export const schedulingKinds: readonly ResourceKind[] = [
  builtIn({
    group: 'scheduling.k8s.io',
    kind: 'PriorityClass',
    plural: 'priorityclasses',
    singular: 'priorityclass',
    shortNames: ['pc'],
    namespaced: false,
    allColumns: [
      nameColumn,
      column('Value', count('value'), 'integer'),
      column('Global-Default', flag('globalDefault'), 'boolean'),
      ageColumn,
      column('PreemptionPolicy', text('preemptionPolicy')),
    ],
    strategy: priorityClassStrategy,
  }),
];

export const coordinationKinds: readonly ResourceKind[] = [
  builtIn({
    group: 'coordination.k8s.io',
    kind: 'Lease',
    plural: 'leases',
    columns: [column('Holder', text('spec', 'holderIdentity'))],
    strategy: leaseStrategy,
  }),
];

function subjects(kind: string): Column['cell'] {
  return (object) =>
    objectsAt(object, 'subjects')
      .filter((subject) => stringAt(subject, 'kind') === kind)
      .map((subject) => {
        const name = textAt(subject, 'name');
        return kind === 'ServiceAccount' ? `${textAt(subject, 'namespace')}/${name}` : name;
      })
      .join(', ');
}

const bindingColumns: readonly Column[] = [
  nameColumn,
  column(
    'Role',
    (object) => `${textAt(object, 'roleRef', 'kind')}/${textAt(object, 'roleRef', 'name')}`,
  ),
  ageColumn,
  wide('Users', subjects('User')),
  wide('Groups', subjects('Group')),
  wide('ServiceAccounts', subjects('ServiceAccount')),
];

const accessGroup = 'rbac.authorization.k8s.io';
const roleColumns = [nameColumn, createdAtColumn];

export const accessKinds: readonly ResourceKind[] = [
  builtIn({
    group: accessGroup,
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    namespaced: false,
    allColumns: bindingColumns,
    strategy: bindingStrategy,
  }),
  builtIn({
    group: accessGroup,
    kind: 'ClusterRole',
    plural: 'clusterroles',
    namespaced: false,
    allColumns: roleColumns,
    strategy: roleStrategy,
  }),
  builtIn({
    group: accessGroup,
    kind: 'RoleBinding',
    plural: 'rolebindings',
    allColumns: bindingColumns,
    strategy: bindingStrategy,
  }),
  builtIn({
    group: accessGroup,
    kind: 'Role',
    plural: 'roles',
    allColumns: roleColumns,
    strategy: roleStrategy,
  }),
];

export const extensionKinds: readonly ResourceKind[] = [
  builtIn({
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    namespaced: false,
    subresources: ['status'],
    allColumns: [nameColumn, createdAtColumn],
    strategy: definitionStrategy,
  }),
];

const admissionGroup = 'admissionregistration.k8s.io';
const extensions = ['api-extensions'];
const webhookColumns = [column('Webhooks', lengthOf('webhooks'), 'integer')];
const generational = { generation: 'all-but-status', allowUnconditionalUpdate: false } as const;

export const admissionKinds: readonly ResourceKind[] = [
  builtIn({
    group: admissionGroup,
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    namespaced: false,
    categories: extensions,
    columns: webhookColumns,
    strategy: { ...generational, defaults: mutatingWebhookDefaults },
  }),
  builtIn({
    group: admissionGroup,
    kind: 'ValidatingAdmissionPolicy',
    plural: 'validatingadmissionpolicies',
    namespaced: false,
    categories: extensions,
    subresources: ['status'],
    columns: [
      column('Validations', lengthOf('spec', 'validations'), 'integer'),
      column('ParamKind', (object) => {
        const kind = objectAt(object, 'spec', 'paramKind');
        return kind === undefined
          ? '<unset>'
          : `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}`;
      }),
    ],
    strategy: { ...ownStatus(), ...generational },
  }),
  builtIn({
    group: admissionGroup,
    kind: 'ValidatingAdmissionPolicyBinding',
    plural: 'validatingadmissionpolicybindings',
    namespaced: false,
    categories: extensions,
    columns: [
      column('PolicyName', text('spec', 'policyName')),
      column('ParamRef', textOr('<unset>', 'spec', 'paramRef', 'name')),
    ],
    strategy: generational,
  }),
  builtIn({
    group: admissionGroup,
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    namespaced: false,
    categories: extensions,
    columns: webhookColumns,
    strategy: { ...generational, defaults: webhookDefaults },
  }),
];

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
    strategy: { ...ownStatus(), returnsDeleted: true },
  }),
  builtIn({
    group: deviceGroup,
    kind: 'ResourceClaimTemplate',
    plural: 'resourceclaimtemplates',
    strategy: { returnsDeleted: true },
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

const networkGroup = 'networking.k8s.io';

export const networkKinds: readonly ResourceKind[] = [
  builtIn({
    group: networkGroup,
    kind: 'IngressClass',
    plural: 'ingressclasses',
    singular: 'ingressclass',
    namespaced: false,
    columns: [
      column('Controller', text('spec', 'controller')),
      column('Parameters', (object) => {
        const parameters = objectAt(object, 'spec', 'parameters');
        if (parameters === undefined) return '<none>';
        const group = stringAt(parameters, 'apiGroup');
        const kind = textAt(parameters, 'kind');
        return `${kind}${group === undefined ? '' : `.${group}`}/${textAt(parameters, 'name')}`;
      }),
    ],
    strategy: { generation: 'spec' },
  }),
  builtIn({
    group: networkGroup,
    kind: 'Ingress',
    plural: 'ingresses',
    shortNames: ['ing'],
    subresources: ['status'],
    columns: [
      column('Class', textOr('<none>', 'spec', 'ingressClassName')),
      column('Hosts', (object) => {
        const hosts = objectsAt(object, 'spec', 'rules').map((rule) => textAt(rule, 'host'));
        const named = hosts.filter((host) => host !== '');
        return named.length === 0 ? '*' : shortened(named);
      }),
      column('Address', (object) => loadBalancerAddresses(object).join(',')),
      column('Ports', (object) => (listAt(object, 'spec', 'tls').length === 0 ? '80' : '80, 443')),
    ],
    strategy: { ...ownStatus({ loadBalancer: {} }), generation: 'spec' },
  }),
  builtIn({
    group: networkGroup,
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    singular: 'networkpolicy',
    shortNames: ['netpol'],
    columns: [
      column('Pod-Selector', (object) => orNone(selectorText(at(object, 'spec', 'podSelector')))),
    ],
    strategy: { generation: 'spec', defaults: networkPolicyDefaults },
  }),
];

export const nodeKinds: readonly ResourceKind[] = [
  builtIn({
    group: 'node.k8s.io',
    kind: 'RuntimeClass',
    plural: 'runtimeclasses',
    singular: 'runtimeclass',
    namespaced: false,
    columns: [column('Handler', text('handler'))],
    strategy: { allowCreateOnUpdate: true, allowUnconditionalUpdate: false },
  }),
];

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

const review = (group: string, kind: string, plural: string, namespaced = false): ResourceKind =>
  builtIn({
    group,
    kind,
    plural,
    namespaced,
    isVirtual: true,
    strategy: { nameErrors: pathSegmentName },
  });

export const reviewKinds: readonly ResourceKind[] = [
  review('authentication.k8s.io', 'SelfSubjectReview', 'selfsubjectreviews'),
  review('authentication.k8s.io', 'TokenReview', 'tokenreviews'),
  review('authorization.k8s.io', 'LocalSubjectAccessReview', 'localsubjectaccessreviews', true),
  review('authorization.k8s.io', 'SelfSubjectAccessReview', 'selfsubjectaccessreviews'),
  review('authorization.k8s.io', 'SelfSubjectRulesReview', 'selfsubjectrulesreviews'),
  review('authorization.k8s.io', 'SubjectAccessReview', 'subjectaccessreviews'),
];
