// The roles and bindings of a new cluster. In: the role tables. Out: objects ready to be created, in the order in
// which they refer to each other. The same as those of the real server of this version, which a test holds.
import type { JsonObject } from '../../json.ts';
import { withMeta, type ApiObject } from '../../object.ts';
import { rulesOf, type PolicyRule } from '../authorization/policy-rule.ts';
import { wellKnownGroups } from '../user.ts';
import { aggregatedRules } from './aggregation.ts';
import { componentRoles } from './component-roles.ts';
import { controllerRoles } from './controller-roles.ts';
import { parseRule, type RoleTable } from './rule-text.ts';
import { userRoles } from './user-roles.ts';

const group = 'rbac.authorization.k8s.io';
const apiVersion = `${group}/v1`;
const controllerPrefix = 'system:controller:';

/** Gathered roles, and the role that each is gathered into in turn. */
const gathered: readonly { readonly name: string; readonly into?: string }[] = [
  { name: 'view', into: 'edit' },
  { name: 'edit', into: 'admin' },
  { name: 'admin' },
];

const namespacedRoles: Readonly<Record<string, RoleTable>> = {
  'kube-system': {
    'extension-apiserver-authentication-reader': [
      'read core: configmaps [extension-apiserver-authentication]',
    ],
    'system:controller:bootstrap-signer': ['read core: secrets'],
    'system:controller:cloud-provider': ['create read core: configmaps'],
    'system:controller:token-cleaner': ['delete read core: secrets', 'record events'],
    'system::leader-locking-kube-controller-manager': [
      'create read update coordination.k8s.io: leases',
      'create read update coordination.k8s.io: leasecandidates',
    ],
    'system::leader-locking-kube-scheduler': [
      'create read update coordination.k8s.io: leases',
      'create read update coordination.k8s.io: leasecandidates',
    ],
  },
  'kube-public': {
    'system:controller:bootstrap-signer': [
      'read core: configmaps',
      'update core: configmaps [cluster-info]',
      'record events',
    ],
  },
};

interface BindingRow {
  readonly name: string;
  readonly role?: string;
  readonly namespace?: string;
  /** `Group a`, `User b`, or `ServiceAccount c` of kube-system. */
  readonly subjects: readonly string[];
}

const bindings: readonly BindingRow[] = [
  { name: 'cluster-admin', subjects: ['Group system:masters'] },
  { name: 'system:basic-user', subjects: ['Group system:authenticated'] },
  { name: 'system:discovery', subjects: ['Group system:authenticated'] },
  { name: 'system:kube-controller-manager', subjects: ['User system:kube-controller-manager'] },
  { name: 'system:kube-dns', subjects: ['ServiceAccount kube-dns'] },
  { name: 'system:kube-scheduler', subjects: ['User system:kube-scheduler'] },
  { name: 'system:monitoring', subjects: ['Group system:monitoring'] },
  // Nobody: kubelets are the node authorizer's. It stays for clusters that bind it by hand.
  { name: 'system:node', subjects: [] },
  { name: 'system:node-proxier', subjects: ['User system:kube-proxy'] },
  {
    name: 'system:public-info-viewer',
    subjects: ['Group system:authenticated', 'Group system:unauthenticated'],
  },
  { name: 'system:service-account-issuer-discovery', subjects: ['Group system:serviceaccounts'] },
  { name: 'system:volume-scheduler', subjects: ['User system:kube-scheduler'] },
  {
    namespace: 'kube-system',
    name: 'system::extension-apiserver-authentication-reader',
    role: 'extension-apiserver-authentication-reader',
    subjects: ['User system:kube-controller-manager', 'User system:kube-scheduler'],
  },
  {
    namespace: 'kube-system',
    name: 'system::leader-locking-kube-controller-manager',
    subjects: [
      'User system:kube-controller-manager',
      'ServiceAccount kube-controller-manager',
      'ServiceAccount leader-election-controller',
    ],
  },
  {
    namespace: 'kube-system',
    name: 'system::leader-locking-kube-scheduler',
    subjects: ['User system:kube-scheduler', 'ServiceAccount kube-scheduler'],
  },
  ...['kube-system', 'kube-public'].map((namespace) => ({
    namespace,
    name: 'system:controller:bootstrap-signer',
    subjects: ['ServiceAccount bootstrap-signer'],
  })),
  {
    namespace: 'kube-system',
    name: 'system:controller:cloud-provider',
    subjects: ['ServiceAccount cloud-provider'],
  },
  {
    namespace: 'kube-system',
    name: 'system:controller:token-cleaner',
    subjects: ['ServiceAccount token-cleaner'],
  },
];

/** How nodes join with a bootstrap token and renew their certificates; a managed cluster sets this up. */
const nodeBootstrapBindings: readonly BindingRow[] = [
  {
    name: 'kubelet-bootstrap',
    role: 'system:node-bootstrapper',
    subjects: [`Group ${wellKnownGroups.bootstrappers}`],
  },
  {
    name: 'node-autoapprove-bootstrap',
    role: 'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
    subjects: [`Group ${wellKnownGroups.bootstrappers}`],
  },
  {
    name: 'node-autoapprove-certificate-rotation',
    role: 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    subjects: [`Group ${wellKnownGroups.nodes}`],
  },
];

/** What the real server makes of itself. */
export function defaultPolicy(): readonly ApiObject[] {
  const clusterRoles = [
    ...rolesOf(userRoles),
    ...rolesOf(componentRoles),
    ...rolesOf(controllerRoles, controllerPrefix),
  ];
  for (const { name, into } of gathered) clusterRoles.push(gather(name, into, clusterRoles));
  const roles = Object.entries(namespacedRoles).flatMap(([namespace, table]) =>
    Object.entries(table).map(([name, rules]) =>
      object('Role', { name, namespace }, { rules: rules.map((rule) => parseRule(rule)) }),
    ),
  );
  const controllerBindings = Object.keys(controllerRoles).map((name) => ({
    name: `${controllerPrefix}${name}`,
    subjects: [`ServiceAccount ${name}`],
  }));
  const rows = [...bindings, ...controllerBindings];
  const objects = [...clusterRoles, ...roles, ...rows.map((row) => toBinding(row))];
  return objects.map((made) => asDefault(made));
}

/** What lets machines with a bootstrap token become nodes. */
export function nodeBootstrapPolicy(): readonly ApiObject[] {
  return nodeBootstrapBindings.map((row) => toBinding(row));
}

/** What all kubelets may do alike, for the node authorizer. */
export function nodeRules(): readonly PolicyRule[] {
  const node = rolesOf(componentRoles).find((role) => role.metadata.name === 'system:node');
  return node === undefined ? [] : rulesOf(node);
}

function rolesOf(table: RoleTable, prefix = ''): ApiObject[] {
  return Object.entries(table).map(([name, rules]) => {
    const label = /^system:(aggregate-to-\w+)$/.exec(name)?.[1];
    const labels = label === undefined ? {} : { [`${group}/${label}`]: 'true' };
    const meta = { name: `${prefix}${name}`, labels };
    return object('ClusterRole', meta, { rules: rules.map((rule) => parseRule(rule)) });
  });
}

function gather(name: string, into: string | undefined, from: readonly ApiObject[]): ApiObject {
  const labels = into === undefined ? {} : { [`${group}/aggregate-to-${into}`]: 'true' };
  const matchLabels = { [`${group}/aggregate-to-${name}`]: 'true' };
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels }] };
  const empty = object('ClusterRole', { name, labels }, { aggregationRule, rules: [] });
  return { ...empty, rules: aggregatedRules(empty, from) ?? [] };
}

function toBinding(row: BindingRow): ApiObject {
  const { namespace, name, role = name } = row;
  const roleKind = namespace === undefined ? 'ClusterRole' : 'Role';
  const subjects = row.subjects.map((text) => {
    const [kind = '', subject = ''] = text.split(' ');
    return kind === 'ServiceAccount'
      ? { kind, name: subject, namespace: 'kube-system' }
      : { kind, apiGroup: group, name: subject };
  });
  return object(`${roleKind}Binding`, namespace === undefined ? { name } : { name, namespace }, {
    roleRef: { apiGroup: group, kind: roleKind, name: role },
    ...(subjects.length === 0 ? {} : { subjects }),
  });
}

function object(
  kind: string,
  metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  },
  body: JsonObject,
): ApiObject {
  return { apiVersion, kind, metadata, ...body };
}

/** By these marks the real server knows its own, and puts them right again at every start. */
function asDefault(made: ApiObject): ApiObject {
  return withMeta(made, {
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...made.metadata.labels },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  });
}
