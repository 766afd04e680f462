// Callers that are nobody, pretend to be somebody, or reach for more than they have.
import type { Fields, Request } from '../session.ts';
import { core, merge, type Row } from './row.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const inside = `${rbac}/namespaces/{ns}`;
const limited = 'Bearer {token}';
const none: Request = { authorization: '' };
const as = (headers: Readonly<Record<string, string>>): Request => ({ headers });
const by = (body: Fields): Request => ({ body, authorization: limited });
const role = (rule: Fields, more: Fields = {}): Fields => ({
  metadata: { name: 'x' },
  rules: [rule],
  ...more,
});
const binding = (roleRef: Fields, subjects: readonly Fields[] = []): Fields => ({
  metadata: { name: 'x' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', ...roleRef },
  subjects,
});
const secrets = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] };
const tampered = (token: string): string => `Bearer ${token}x`;

export const accessRows: readonly Row[] = [
  ['a read by nobody', `GET ${core}/configmaps/settings`, none, '401 Unauthorized: Unauthorized'],
  ['a list by nobody', 'GET /api/v1/nodes', none, '401 Unauthorized: Unauthorized'],
  [
    'a create by nobody',
    `POST ${core}/configmaps`,
    { ...none, body: { metadata: { name: 'x' } } },
    '401 Unauthorized: Unauthorized',
  ],
  [
    'a delete by nobody',
    `DELETE ${core}/configmaps/settings`,
    none,
    '401 Unauthorized: Unauthorized',
  ],
  ['discovery by nobody', 'GET /apis', none, '401 Unauthorized: Unauthorized'],
  [
    'a resource that is none by nobody',
    `GET ${core}/nopes`,
    none,
    '401 Unauthorized: Unauthorized',
  ],
  ['a path that is none by nobody', 'GET /nope', none, '401 Unauthorized: Unauthorized'],
  [
    'a token that is none',
    `GET ${core}/configmaps/settings`,
    { authorization: 'Bearer nope' },
    '401 Unauthorized: Unauthorized',
  ],
  [
    'a token that is empty',
    `GET ${core}/configmaps/settings`,
    { authorization: 'Bearer ' },
    '401 Unauthorized: Unauthorized',
  ],
  [
    'a token of three parts that are none',
    `GET ${core}/configmaps/settings`,
    { authorization: 'Bearer a.b.c' },
    '401 Unauthorized: Unauthorized',
  ],
  [
    'a token with a letter more',
    `GET ${core}/configmaps/settings`,
    { authorization: tampered('{token}') },
    '401 Unauthorized: Unauthorized',
  ],
  [
    'a token without a signature',
    `GET ${core}/configmaps/settings`,
    {
      authorization: `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"system:admin"}').toString('base64url')}.`,
    },
    '401 Unauthorized: Unauthorized',
  ],
  [
    'a name and a password',
    `GET ${core}/configmaps/settings`,
    { authorization: 'Basic YWRtaW46YWRtaW4=' },
    '401 Unauthorized: Unauthorized',
  ],
  [
    'a way of authentication that is none',
    `GET ${core}/configmaps/settings`,
    { authorization: 'Magic x' },
    '401 Unauthorized: Unauthorized',
  ],
  [
    'a wrong token for the health of the server',
    'GET /healthz',
    { authorization: 'Bearer nope' },
    '401 Unauthorized: Unauthorized',
  ],
  [
    'another user by nobody',
    `GET ${core}/configmaps/settings`,
    { authorization: '', headers: { 'impersonate-user': 'administrator' } },
    '401 Unauthorized: Unauthorized',
  ],
  [
    'another user by who may not',
    `GET ${core}/configmaps/settings`,
    { authorization: limited, headers: { 'impersonate-user': 'administrator' } },
    '403 Forbidden: users "administrator" is forbidden: User "system:serviceaccount:{ns}:limited" cannot impersonate resource "users" in API group "" at the cluster scope',
  ],
  [
    'a group without a user',
    `GET ${core}/configmaps/settings`,
    as({ 'impersonate-group': 'system:masters' }),
    '400 BadRequest: requested [{Group  system:masters    }] without impersonating a user',
  ],
  [
    'a user who may not',
    `GET ${core}/secrets/secret`,
    as({ 'impersonate-user': 'somebody' }),
    '403 Forbidden: secrets "secret" is forbidden: User "somebody" cannot get resource "secrets" in API group "" in the namespace "{ns}"',
  ],
  [
    'a service account that may not',
    `GET ${core}/secrets/secret`,
    { authorization: limited },
    '403 Forbidden: secrets "secret" is forbidden: User "system:serviceaccount:{ns}:limited" cannot get resource "secrets" in API group "" in the namespace "{ns}"',
  ],
  [
    'a list that may not be',
    `GET ${core}/secrets`,
    { authorization: limited },
    '403 Forbidden: secrets is forbidden: User "system:serviceaccount:{ns}:limited" cannot list resource "secrets" in API group "" in the namespace "{ns}"',
  ],
  [
    'a list of all namespaces that may not be',
    'GET /api/v1/configmaps',
    { authorization: limited },
    '403 Forbidden: configmaps is forbidden: User "system:serviceaccount:{ns}:limited" cannot list resource "configmaps" in API group "" at the cluster scope',
  ],
  [
    'a watch that may not be',
    `GET ${core}/configmaps?watch=1`,
    { authorization: limited },
    '403 Forbidden: configmaps is forbidden: User "system:serviceaccount:{ns}:limited" cannot watch resource "configmaps" in API group "" in the namespace "{ns}"',
  ],
  [
    'a subresource that may not be',
    `GET ${core}/pods/pending/log`,
    { authorization: limited },
    '403 Forbidden: pods "pending" is forbidden: User "system:serviceaccount:{ns}:limited" cannot get resource "pods/log" in API group "" in the namespace "{ns}"',
  ],
  [
    'a delete of many that may not be',
    `DELETE ${core}/configmaps`,
    { authorization: limited },
    '403 Forbidden: configmaps is forbidden: User "system:serviceaccount:{ns}:limited" cannot deletecollection resource "configmaps" in API group "" in the namespace "{ns}"',
  ],
  [
    'a patch that may not be',
    `PATCH ${core}/configmaps/settings`,
    { body: {}, type: merge, authorization: limited },
    '403 Forbidden: configmaps "settings" is forbidden: User "system:serviceaccount:{ns}:limited" cannot patch resource "configmaps" in API group "" in the namespace "{ns}"',
  ],
  [
    'a delete of what is not there that may not be',
    `DELETE ${core}/configmaps/nope`,
    { authorization: limited },
    '403 Forbidden: configmaps "nope" is forbidden: User "system:serviceaccount:{ns}:limited" cannot delete resource "configmaps" in API group "" in the namespace "{ns}"',
  ],
  [
    'a broken body that may not be',
    `POST ${core}/secrets`,
    { text: '{bad', authorization: limited },
    '403 Forbidden: secrets is forbidden: User "system:serviceaccount:{ns}:limited" cannot create resource "secrets" in API group "" in the namespace "{ns}"',
  ],
  [
    'an apply that may not create',
    `PATCH ${core}/configmaps/nope?fieldManager=m`,
    { text: '{}', type: 'application/apply-patch+yaml', authorization: limited },
    '403 Forbidden: configmaps "nope" is forbidden: User "system:serviceaccount:{ns}:limited" cannot patch resource "configmaps" in API group "" in the namespace "{ns}"',
  ],
  [
    'an unknown method that may not be',
    `BREW ${core}/configmaps`,
    { authorization: limited },
    '403 Forbidden: configmaps is forbidden: User "system:serviceaccount:{ns}:limited" cannot  resource "configmaps" in API group "" in the namespace "{ns}"',
  ],
  [
    'the metrics that may not be read',
    'GET /metrics',
    { authorization: limited },
    '403 Forbidden: forbidden: User "system:serviceaccount:{ns}:limited" cannot get path "/metrics"',
  ],
  [
    'a role of more than the maker has',
    `POST ${inside}/roles`,
    by(role(secrets)),
    '403 Forbidden: roles.rbac.authorization.k8s.io "x" is forbidden: user "system:serviceaccount:{ns}:limited" (groups=["system:serviceaccounts" "system:serviceaccounts:{ns}" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
  ],
  [
    'a role of everything',
    `POST ${inside}/roles`,
    by(role({ apiGroups: ['*'], resources: ['*'], verbs: ['*'] })),
    '403 Forbidden: roles.rbac.authorization.k8s.io "x" is forbidden: user "system:serviceaccount:{ns}:limited" (groups=["system:serviceaccounts" "system:serviceaccounts:{ns}" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:["*"], Resources:["*"], Verbs:["*"]}',
  ],
  [
    'a role that grows',
    `PUT ${inside}/roles/limited`,
    by(role(secrets, { metadata: { name: 'limited' } })),
    '403 Forbidden: roles.rbac.authorization.k8s.io "limited" is forbidden: user "system:serviceaccount:{ns}:limited" (groups=["system:serviceaccounts" "system:serviceaccounts:{ns}" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
  ],
  [
    'a binding of a role of more than the maker has',
    `POST ${inside}/rolebindings`,
    by(binding({ kind: 'ClusterRole', name: 'cluster-admin' })),
    '403 Forbidden: rolebindings.rbac.authorization.k8s.io "x" is forbidden: user "system:serviceaccount:{ns}:limited" (groups=["system:serviceaccounts" "system:serviceaccounts:{ns}" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}',
  ],
  [
    'a binding of a role that is not there',
    `POST ${inside}/rolebindings`,
    by(binding({ kind: 'Role', name: 'nope' })),
    '404 NotFound: rolebindings.rbac.authorization.k8s.io "nope" not found',
  ],
  [
    'a role without verbs',
    `POST ${inside}/roles?dryRun=All`,
    { body: role({ apiGroups: [''], resources: ['pods'] }) },
    '422 Invalid: Role.rbac.authorization.k8s.io "x" is invalid: rules[0].verbs: Required value: verbs must contain at least one value',
  ],
  [
    'a role without resources',
    `POST ${inside}/roles?dryRun=All`,
    { body: role({ apiGroups: [''], verbs: ['get'] }) },
    '422 Invalid: Role.rbac.authorization.k8s.io "x" is invalid: rules[0].resources: Required value: resource rules must supply at least one resource',
  ],
  [
    'a role of paths in a namespace',
    `POST ${inside}/roles?dryRun=All`,
    { body: role({ nonResourceURLs: ['/x'], verbs: ['get'] }) },
    '422 Invalid: Role.rbac.authorization.k8s.io "x" is invalid: rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
  ],
  [
    'a role of paths and resources',
    `POST ${rbac}/clusterroles?dryRun=All`,
    { body: role({ ...secrets, nonResourceURLs: ['/x'] }) },
    '422 Invalid: ClusterRole.rbac.authorization.k8s.io "x" is invalid: rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
  ],
  [
    'a binding without a role',
    `POST ${inside}/rolebindings?dryRun=All`,
    { body: { metadata: { name: 'x' } } },
    '422 Invalid: RoleBinding.rbac.authorization.k8s.io "x" is invalid: [roleRef.kind: Unsupported value: "": supported values: "Role", "ClusterRole", roleRef.name: Required value]',
  ],
  [
    'a binding of a kind that is no role',
    `POST ${inside}/rolebindings?dryRun=All`,
    { body: binding({ kind: 'Pod', name: 'x' }) },
    '422 Invalid: RoleBinding.rbac.authorization.k8s.io "x" is invalid: roleRef.kind: Unsupported value: "Pod": supported values: "Role", "ClusterRole"',
  ],
  [
    'a binding of another group',
    `POST ${inside}/rolebindings?dryRun=All`,
    { body: binding({ kind: 'Role', name: 'x', apiGroup: 'apps' }) },
    '422 Invalid: RoleBinding.rbac.authorization.k8s.io "x" is invalid: roleRef.apiGroup: Unsupported value: "apps": supported values: "rbac.authorization.k8s.io"',
  ],
  [
    'a binding of a role of a namespace to the cluster',
    `POST ${rbac}/clusterrolebindings?dryRun=All`,
    { body: binding({ kind: 'Role', name: 'limited' }) },
    '422 Invalid: ClusterRoleBinding.rbac.authorization.k8s.io "x" is invalid: roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
  ],
  [
    'a binding to a kind that is nobody',
    `POST ${inside}/rolebindings?dryRun=All`,
    { body: binding({ kind: 'Role', name: 'limited' }, [{ kind: 'Pod', name: 'x' }]) },
    '422 Invalid: RoleBinding.rbac.authorization.k8s.io "x" is invalid: subjects[0].kind: Unsupported value: "Pod": supported values: "ServiceAccount", "User", "Group"',
  ],
  [
    'a binding to an account without a name',
    `POST ${inside}/rolebindings?dryRun=All`,
    {
      body: binding({ kind: 'Role', name: 'limited' }, [
        { kind: 'ServiceAccount', name: '', namespace: '{ns}' },
      ]),
    },
    '422 Invalid: RoleBinding.rbac.authorization.k8s.io "x" is invalid: subjects[0].name: Required value',
  ],
  [
    'a binding to an account of no namespace',
    `POST ${rbac}/clusterrolebindings?dryRun=All`,
    {
      body: binding({ kind: 'ClusterRole', name: 'view' }, [{ kind: 'ServiceAccount', name: 'a' }]),
    },
    '422 Invalid: ClusterRoleBinding.rbac.authorization.k8s.io "x" is invalid: subjects[0].namespace: Required value',
  ],
  [
    'a binding that changes its role',
    `PATCH ${inside}/rolebindings/limited`,
    { body: { roleRef: { name: 'other' } }, type: merge },
    '422 Invalid: RoleBinding.rbac.authorization.k8s.io "limited" is invalid: roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"other"}: cannot change roleRef',
  ],
  [
    'a review of access to nothing',
    'POST /apis/authorization.k8s.io/v1/subjectaccessreviews',
    { body: { spec: { user: 'x' } } },
    '422 Invalid: .authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
  ],
  [
    'a review of access of nobody',
    'POST /apis/authorization.k8s.io/v1/subjectaccessreviews',
    { body: { spec: { resourceAttributes: { verb: 'get' } } } },
    '422 Invalid: .authorization.k8s.io "" is invalid: spec.user: Invalid value: "": at least one of user or group must be specified',
  ],
  [
    'a review of access to two things',
    'POST /apis/authorization.k8s.io/v1/subjectaccessreviews',
    {
      body: {
        spec: {
          user: 'x',
          resourceAttributes: { verb: 'get' },
          nonResourceAttributes: { verb: 'get', path: '/' },
        },
      },
    },
    '422 Invalid: .authorization.k8s.io "" is invalid: spec.nonResourceAttributes: Invalid value: {"Path":"/","Verb":"get"}: cannot be specified in combination with resourceAttributes',
  ],
  [
    'a review of access in another namespace',
    'POST /apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews',
    { body: { spec: { user: 'x', resourceAttributes: { verb: 'get', namespace: 'default' } } } },
    '422 Invalid: .authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "default": must match metadata.namespace',
  ],
  [
    'a review of a token that is empty',
    'POST /apis/authentication.k8s.io/v1/tokenreviews',
    { body: { spec: {} } },
    '400 BadRequest: token is required for TokenReview in authentication',
  ],
];
