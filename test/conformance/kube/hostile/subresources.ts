// Evictions, bindings, scales, statuses, tokens, approvals and doors into pods, all used wrongly.
import type { Fields, Request } from '../session.ts';
import { apps, core, merge, type Row } from './row.ts';

const pods = `${core}/pods`;
const csr = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const eviction = (body: Fields): Request => ({ body });
const binding = (target: Fields, name = 'pending'): Request => ({
  body: { metadata: { name }, target },
});
const scale = (spec: Fields, metadata: Fields = {}): Request => ({
  body: {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'web', namespace: '{ns}', ...metadata },
    spec,
  },
});
const token = (spec: Fields, more: Fields = {}): Request => ({ body: { spec, ...more } });
const approval = (type: string, status = 'True'): Request => ({
  body: { status: { conditions: [{ type, status, reason: 'r', message: 'm' }] } },
  type: merge,
});

export const subresourceRows: readonly Row[] = [
  [
    'an eviction of nothing',
    `POST ${pods}/nope/eviction`,
    eviction({ metadata: { name: 'nope' } }),
    '404 NotFound: pods "nope" not found',
  ],
  [
    'an eviction under another name',
    `POST ${pods}/running/eviction`,
    eviction({ metadata: { name: 'other' } }),
    '400 BadRequest: name in URL does not match name in Eviction object',
  ],
  [
    'an eviction without a body',
    `POST ${pods}/running/eviction`,
    { text: '', type: 'application/json' },
    "400 BadRequest: the object provided is unrecognized (must be of type Eviction): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
  ],
  [
    'an eviction of another kind',
    `POST ${pods}/running/eviction`,
    eviction({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'running' } }),
    '400 BadRequest: Pod in version "v1" cannot be handled as a Eviction: converting (v1.Pod) to (policy.Eviction): unknown conversion',
  ],
  [
    'an eviction of an old version',
    `POST ${pods}/running/eviction`,
    eviction({ apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name: 'running' } }),
    "429 TooManyRequests: Cannot evict pod as it would violate the pod's disruption budget.",
  ],
  [
    'an eviction with options of the wrong type',
    `POST ${pods}/running/eviction`,
    eviction({ metadata: { name: 'running' }, deleteOptions: { gracePeriodSeconds: 'soon' } }),
    '400 BadRequest: Eviction in version "v1" cannot be handled as a Eviction: json: cannot unmarshal string into Go struct field DeleteOptions.deleteOptions.gracePeriodSeconds of type int64',
  ],
  [
    'an eviction with a policy that is none',
    `POST ${pods}/pending/eviction?dryRun=All`,
    eviction({ metadata: { name: 'pending' }, deleteOptions: { propagationPolicy: 'Nope' } }),
    '422 Invalid: DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Nope": supported values: "Foreground", "Background", "Orphan", "nil"',
  ],
  [
    'an eviction with a dry run of another sort',
    `POST ${pods}/pending/eviction?dryRun=Some`,
    eviction({ metadata: { name: 'pending' } }),
    '422 Invalid: CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
  ],
  [
    'an eviction against a budget nobody keeps',
    `POST ${pods}/running/eviction`,
    eviction({ metadata: { name: 'running' } }),
    "429 TooManyRequests: Cannot evict pod as it would violate the pod's disruption budget.",
  ],
  [
    'an eviction in another namespace',
    `POST ${pods}/running/eviction`,
    eviction({ metadata: { name: 'running', namespace: 'default' } }),
    '400 BadRequest: the namespace of the provided object does not match the namespace sent on the request',
  ],
  [
    'a binding of nothing',
    `POST ${pods}/nope/binding`,
    binding({ kind: 'Node', name: 'n' }, 'nope'),
    '404 NotFound: pods "nope" not found',
  ],
  [
    'a binding of a pod that is bound',
    `POST ${pods}/running/binding`,
    binding({ kind: 'Node', name: 'n' }, 'running'),
    '409 Conflict: Operation cannot be fulfilled on pods/binding "running": pod running is already assigned to node "absent"',
  ],
  [
    'a binding to a pod',
    `POST ${pods}/pending/binding`,
    binding({ kind: 'Pod', name: 'n' }),
    '500 Failure: target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
  ],
  [
    'a binding to no name',
    `POST ${pods}/pending/binding`,
    binding({ kind: 'Node', name: '' }),
    '500 Failure: target.name: Required value',
  ],
  [
    'a binding without a target',
    `POST ${pods}/pending/binding`,
    { body: { metadata: { name: 'pending' } } },
    '500 Failure: target.name: Required value',
  ],
  [
    'a binding under another name',
    `POST ${pods}/pending/binding`,
    binding({ kind: 'Node', name: 'n' }, 'other'),
    '400 BadRequest: name in URL does not match name in Binding object',
  ],
  [
    'a binding of another uid',
    `POST ${pods}/pending/binding`,
    { body: { metadata: { name: 'pending', uid: 'other' }, target: { kind: 'Node', name: 'n' } } },
    '409 Conflict: Operation cannot be fulfilled on pods "pending": StorageError: invalid object, Code: 4, Key: /registry/pods/{ns}/pending, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: …',
  ],
  [
    'a binding whose target is a string',
    `POST ${pods}/pending/binding`,
    { body: { metadata: { name: 'pending' }, target: 'n' } },
    '400 BadRequest: Binding in version "v1" cannot be handled as a Binding: json: cannot unmarshal string into Go struct field Binding.target of type v1.ObjectReference',
  ],
  [
    'a binding beside its pod of nothing',
    `POST ${core}/bindings`,
    binding({ kind: 'Node', name: 'n' }, 'nope'),
    '404 NotFound: pods "nope" not found',
  ],
  [
    'a scale below zero',
    `PUT ${apps}/deployments/web/scale`,
    scale({ replicas: -1 }),
    '422 Invalid: Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'a scale of the wrong type',
    `PUT ${apps}/deployments/web/scale`,
    scale({ replicas: 'many' }),
    '400 BadRequest: Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas of type int32',
  ],
  [
    'a scale of an old version',
    `PUT ${apps}/deployments/web/scale`,
    scale({ replicas: 2 }, { resourceVersion: '1' }),
    '409 Conflict: Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
  ],
  [
    'a scale of another uid',
    `PUT ${apps}/deployments/web/scale`,
    scale({ replicas: 2 }, { uid: 'other' }),
    '409 Conflict: Operation cannot be fulfilled on deployments.apps "web": StorageError: invalid object, Code: 4, Key: /registry/deployments/{ns}/web, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: …',
  ],
  [
    'a scale under another name',
    `PUT ${apps}/deployments/web/scale`,
    scale({ replicas: 2 }, { name: 'other' }),
    '400 BadRequest: the name of the object (other) does not match the name on the URL (web)',
  ],
  [
    'a scale of nothing',
    `PUT ${apps}/deployments/nope/scale`,
    scale({ replicas: 2 }, { name: 'nope' }),
    '404 NotFound: deployments.apps "nope" not found',
  ],
  [
    'a scale of another kind',
    `PUT ${apps}/deployments/web/scale`,
    { body: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } } },
    '400 BadRequest: Deployment in version "v1" cannot be handled as a Scale: converting (v1.Deployment) to (autoscaling.Scale): unknown conversion',
  ],
  [
    'a scale patched below zero',
    `PATCH ${apps}/deployments/web/scale`,
    { body: { spec: { replicas: -1 } }, type: merge },
    '422 Invalid: Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'a scale patched to a string',
    `PATCH ${apps}/deployments/web/scale`,
    { body: { spec: { replicas: 'x' } }, type: merge },
    '422 Invalid:  "" is invalid: patch: Invalid value: …: json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas of type int32',
  ],
  [
    'a scale of a kind that has none',
    `PUT ${core}/configmaps/settings/scale`,
    scale({ replicas: 2 }),
    '404 NotFound: the server could not find the requested resource',
  ],
  [
    'a scale of a custom resource below zero',
    'PATCH /apis/{group}/v1/namespaces/{ns}/widgets/widget/scale',
    { body: { spec: { replicas: -1 } }, type: merge },
    '422 Invalid: Widget.{group} "widget" is invalid: [spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0, .spec.size: Invalid value: -1: should be a non-negative integer]',
  ],
  [
    'a scale of a custom resource past its schema',
    'PATCH /apis/{group}/v1/namespaces/{ns}/widgets/widget/scale',
    { body: { spec: { replicas: 12 } }, type: merge },
    '422 Invalid: Widget.{group} "widget" is invalid: spec.size: Invalid value: 12: spec.size in body should be less than or equal to 9',
  ],
  [
    'a status that changes the spec changes nothing',
    `PATCH ${apps}/deployments/web/status?dryRun=All`,
    { body: { spec: { replicas: 7 }, metadata: { labels: { 'a b': 'c' } } }, type: merge },
    '200',
  ],
  [
    'a status with a negative number',
    `PATCH ${apps}/deployments/web/status`,
    { body: { status: { replicas: -1 } }, type: merge },
    '422 Invalid: Deployment.apps "web" is invalid: [status.replicas: Invalid value: -1: must be greater than or equal to 0, status.updatedReplicas: Invalid value: 0: cannot be greater than status.replicas, status.readyReplicas: Invalid value: 0: cannot be greater than status.replicas, status.availableReplicas: Invalid value: 0: cannot be greater than status.replicas]',
  ],
  [
    'a status of the wrong type',
    `PATCH ${pods}/pending/status`,
    { body: { status: { phase: 1 } }, type: merge },
    '422 Invalid:  "" is invalid: patch: Invalid value: …: json: cannot unmarshal number into Go struct field PodStatus.status.phase of type v1.PodPhase',
  ],
  [
    'a status of a custom resource of the wrong type',
    'PATCH /apis/{group}/v1/namespaces/{ns}/widgets/widget/status',
    { body: { status: { ready: 'yes' } }, type: merge },
    '422 Invalid: Widget.{group} "widget" is invalid: [status.ready: Invalid value: "string": ready in body must be of type boolean: "string", <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  ],
  [
    'a status of a pod with a condition that is none',
    `PATCH ${pods}/running/status`,
    { body: { status: { conditions: [{ type: 'a b', status: 'True' }] } }, type: merge },
    "422 Invalid: Pod \"running\" is invalid: status.conditions[0].Type: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  ],
  [
    'a status of a node with an address twice',
    'PATCH /api/v1/nodes/{node}/status',
    {
      body: {
        status: {
          addresses: [
            { type: 'InternalIP', address: '10.0.0.1' },
            { type: 'InternalIP', address: '10.0.0.1' },
          ],
        },
      },
      type: merge,
    },
    '422 Invalid: Node "{node}" is invalid: status.addresses[1]: Duplicate value: …',
  ],
  [
    'a status under another name',
    `PUT ${pods}/pending/status`,
    { body: { metadata: { name: 'other' }, status: {} } },
    '400 BadRequest: the name of the object (other) does not match the name on the URL (pending)',
  ],
  [
    'an end of a namespace under another name',
    'PUT /api/v1/namespaces/{ns}/finalize',
    { body: { metadata: { name: 'other' } } },
    '400 BadRequest: the name of the object (other) does not match the name on the URL ({ns})',
  ],
  [
    'an end of a namespace with a finalizer that is none',
    'PUT /api/v1/namespaces/{ns}/finalize',
    { body: { metadata: { name: '{ns}' }, spec: { finalizers: ['a b'] } } },
    "422 Invalid: Namespace \"{ns}\" is invalid: [spec.finalizers[0]: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), spec.finalizers[0]: Invalid value: \"a b\": name is neither a standard finalizer name nor is it fully qualified]",
  ],
  [
    'a token of nobody',
    `POST ${core}/serviceaccounts/nobody/token`,
    token({}),
    '404 NotFound: serviceaccounts "nobody" not found',
  ],
  [
    'a token that ends too soon',
    `POST ${core}/serviceaccounts/limited/token`,
    token({ expirationSeconds: 1 }),
    '422 Invalid: TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes',
  ],
  [
    'a token that never ends',
    `POST ${core}/serviceaccounts/limited/token`,
    token({ expirationSeconds: 4_294_967_297 }),
    '422 Invalid: TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
  ],
  [
    'a token with audiences of the wrong type',
    `POST ${core}/serviceaccounts/limited/token`,
    token({ audiences: 'all' }),
    '400 BadRequest: TokenRequest in version "v1" cannot be handled as a TokenRequest: json: cannot unmarshal string into Go struct field TokenRequestSpec.spec.audiences of type []string',
  ],
  [
    'a token bound to a kind that is none',
    `POST ${core}/serviceaccounts/limited/token`,
    token({ boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'settings' } }),
    '400 BadRequest: cannot bind token to object of type /v1, Kind=ConfigMap',
  ],
  [
    'a token bound to a pod of another account',
    `POST ${core}/serviceaccounts/limited/token`,
    token({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'pending' } }),
    '400 BadRequest: cannot bind token for serviceaccount "limited" to pod running with different serviceaccount name.',
  ],
  [
    'a token bound to nothing',
    `POST ${core}/serviceaccounts/limited/token`,
    token({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'nope' } }),
    '404 NotFound: pods "nope" not found',
  ],
  [
    'a token bound to another uid',
    `POST ${core}/serviceaccounts/limited/token`,
    token({ boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'secret', uid: 'other' } }),
    '409 Conflict: Operation cannot be fulfilled on Secret "secret": the UID in the bound object reference (other) does not match the UID in record. The object might have been deleted and then recreated',
  ],
  [
    'a token under another name',
    `POST ${core}/serviceaccounts/limited/token`,
    token({}, { metadata: { name: 'other' } }),
    '422 Invalid: TokenRequest.authentication.k8s.io "limited" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
  ],
  [
    'a token of another namespace',
    `POST ${core}/serviceaccounts/limited/token`,
    token({}, { metadata: { namespace: 'default' } }),
    '400 BadRequest: the namespace of the provided object does not match the namespace sent on the request',
  ],
  [
    'a signing request that is none',
    `POST ${csr}?dryRun=All`,
    {
      body: {
        metadata: { name: 'x' },
        spec: { request: 'eA==', signerName: 'a.b/c', usages: ['client auth'] },
      },
    },
    '422 Invalid: CertificateSigningRequest.certificates.k8s.io "x" is invalid: spec.request: Invalid value: "eA==": PEM block type must be CERTIFICATE REQUEST',
  ],
  [
    'a signing request without a signer',
    `POST ${csr}?dryRun=All`,
    { body: { metadata: { name: 'x' }, spec: { request: 'eA==', usages: ['client auth'] } } },
    '422 Invalid: CertificateSigningRequest.certificates.k8s.io "x" is invalid: [spec.request: Invalid value: "eA==": PEM block type must be CERTIFICATE REQUEST, spec.signerName: Required value]',
  ],
  [
    'a signing request for a use that is none',
    `POST ${csr}?dryRun=All`,
    {
      body: {
        metadata: { name: 'x' },
        spec: { request: 'eA==', signerName: 'a.b/c', usages: ['everything'] },
      },
    },
    '422 Invalid: CertificateSigningRequest.certificates.k8s.io "x" is invalid: [spec.request: Invalid value: "eA==": PEM block type must be CERTIFICATE REQUEST, spec.usages[0]: Unsupported value: "everything": supported values: "any", "cert sign", "client auth", "code signing", "content commitment", "crl sign", "data encipherment", "decipher only", "digital signature", "email protection", "encipher only", "ipsec end system", "ipsec tunnel", "ipsec user", "key agreement", "key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime", "server auth", "signing", "timestamping"]',
  ],
  [
    'a signing request for too short a time',
    `POST ${csr}?dryRun=All`,
    {
      body: {
        metadata: { name: 'x' },
        spec: {
          request: 'eA==',
          signerName: 'a.b/c',
          usages: ['client auth'],
          expirationSeconds: 1,
        },
      },
    },
    '422 Invalid: CertificateSigningRequest.certificates.k8s.io "x" is invalid: [spec.request: Invalid value: "eA==": PEM block type must be CERTIFICATE REQUEST, spec.expirationSeconds: Invalid value: 1: may not specify a duration less than 600 seconds (10 minutes)]',
  ],
  [
    'a signing request that changes',
    `PATCH ${csr}/{csr}`,
    { body: { spec: { signerName: 'a.b/other' } }, type: merge },
    '200',
  ],
  [
    'an approval that is none',
    `PATCH ${csr}/{csr}/approval`,
    approval('Approved', 'False'),
    '422 Invalid: CertificateSigningRequest.certificates.k8s.io "{csr}" is invalid: status.conditions[0].status: Unsupported value: "False": supported values: "True"',
  ],
  [
    'an approval without a type',
    `PATCH ${csr}/{csr}/approval?dryRun=All`,
    approval('', 'True'),
    '422 Invalid: CertificateSigningRequest.certificates.k8s.io "{csr}" is invalid: status.conditions[0].type: Required value',
  ],
  [
    'an approval of nothing',
    `PATCH ${csr}/nope/approval`,
    approval('Approved'),
    '404 NotFound: certificatesigningrequests.certificates.k8s.io "nope" not found',
  ],
  [
    'an approval and a denial at once',
    `PATCH ${csr}/{csr}/approval`,
    {
      body: {
        status: {
          conditions: [
            { type: 'Approved', status: 'True' },
            { type: 'Denied', status: 'True' },
          ],
        },
      },
      type: merge,
    },
    '422 Invalid: CertificateSigningRequest.certificates.k8s.io "{csr}" is invalid: status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
  ],
  [
    'an approval where the status belongs',
    `PATCH ${csr}/{csr}/status`,
    approval('Approved'),
    '422 Invalid: CertificateSigningRequest.certificates.k8s.io "{csr}" is invalid: status.conditions: Forbidden: updates may not add a condition of type "Approved"',
  ],
  [
    'a certificate that is none',
    `PATCH ${csr}/{csr}/status`,
    { body: { status: { certificate: 'eA==' } }, type: merge },
    '422 Invalid: CertificateSigningRequest.certificates.k8s.io "{csr}" is invalid: status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
  ],
  ['the log of nothing', `GET ${pods}/nope/log`, {}, '404 NotFound: pods "nope" not found'],
  [
    'the log of a container that is none',
    `GET ${pods}/pending/log?container=nope`,
    {},
    '400 BadRequest: container nope is not valid for pod pending',
  ],
  [
    'the log of one of two containers',
    `GET ${pods}/pair/log`,
    {},
    '400 BadRequest: a container name must be specified for pod pair, choose one of: [one two]',
  ],
  [
    'the log with a negative tail',
    `GET ${pods}/pending/log?tailLines=-1`,
    {},
    '422 Invalid: PodLogOptions "pending" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'the log with a limit of nothing',
    `GET ${pods}/pending/log?limitBytes=0`,
    {},
    '422 Invalid: PodLogOptions "pending" is invalid: limitBytes: Invalid value: 0: must be greater than 0',
  ],
  [
    'the log since two moments',
    `GET ${pods}/pending/log?sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z`,
    {},
    '422 Invalid: PodLogOptions "pending" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
  ],
  [
    'the log since a moment that is none',
    `GET ${pods}/pending/log?sinceTime=yesterday`,
    {},
    '400 BadRequest: parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
  ],
  [
    'the log with a tail that is no number',
    `GET ${pods}/pending/log?tailLines=x`,
    {},
    '400 BadRequest: strconv.ParseInt: parsing "x": invalid syntax',
  ],
  [
    'the log of a stream that is none',
    `GET ${pods}/pending/log?stream=Nope`,
    {},
    '422 Invalid: PodLogOptions "pending" is invalid: stream: Forbidden: may not be specified',
  ],
  [
    'a command in nothing',
    `POST ${pods}/nope/exec?command=ls&stdout=true`,
    {},
    '404 NotFound: pods "nope" not found',
  ],
  [
    'a command in a pod that is nowhere',
    `POST ${pods}/pending/exec?command=ls&stdout=true`,
    {},
    '400 BadRequest: pod pending does not have a host assigned',
  ],
  [
    'a command in a pod that has ended',
    `POST ${pods}/done/exec?command=ls&stdout=true`,
    {},
    '404 NotFound: pods "absent" not found',
  ],
  [
    'a command in a container that is none',
    `POST ${pods}/running/exec?command=ls&stdout=true&container=nope`,
    {},
    '400 BadRequest: container nope is not valid for pod running',
  ],
  [
    'a command that is none',
    `POST ${pods}/running/exec?stdout=true`,
    {},
    '404 NotFound: pods "absent" not found',
  ],
  [
    'a command in one of two containers',
    `POST ${pods}/pair/exec?command=ls&stdout=true`,
    {},
    '400 BadRequest: a container name must be specified for pod pair, choose one of: [one two]',
  ],
  [
    'a command on a node that is not there',
    `POST ${pods}/running/exec?command=ls&stdout=true`,
    {},
    '404 NotFound: pods "absent" not found',
  ],
  [
    'an attachment to a pod that is nowhere',
    `POST ${pods}/pending/attach?stdout=true`,
    {},
    '400 BadRequest: pod pending does not have a host assigned',
  ],
  [
    'a forwarded port of a pod that is nowhere',
    `POST ${pods}/pending/portforward`,
    {},
    '400 BadRequest: pod pending does not have a host assigned',
  ],
  [
    'a proxy to a pod that is nowhere',
    `GET ${pods}/pending/proxy/`,
    {},
    '400 BadRequest: address not allowed',
  ],
  [
    'a proxy to a pod that is not there',
    `GET ${pods}/nope/proxy/`,
    {},
    '404 NotFound: pods "nope" not found',
  ],
  [
    'a proxy to a service that is not there',
    `GET ${core}/services/nope/proxy/`,
    {},
    '404 NotFound: services "nope" not found',
  ],
  [
    'a proxy to a service without pods',
    `GET ${core}/services/web/proxy/`,
    {},
    '404 NotFound: services "web" not found',
  ],
  [
    'a proxy to a port that a service has not',
    `GET ${core}/services/web:99/proxy/`,
    {},
    '503 ServiceUnavailable: no service port 99 found for service "web"',
  ],
  [
    'a proxy to a node that is not there',
    'GET /api/v1/nodes/nope/proxy/',
    {},
    '404 NotFound: nodes "nope" not found',
  ],
  [
    'a container that joins a pod which is not there',
    `PATCH ${pods}/nope/ephemeralcontainers`,
    { body: { spec: {} }, type: merge },
    '404 NotFound: pods "nope" not found',
  ],
  [
    'a container that joins under a name that is taken',
    `PATCH ${pods}/running/ephemeralcontainers`,
    { body: { spec: { ephemeralContainers: [{ name: 'main', image: 'i' }] } }, type: merge },
    '422 Invalid: Pod "running" is invalid: spec.ephemeralContainers[0].name: Duplicate value: "main"',
  ],
  [
    'a resize of what cannot be resized',
    `PATCH ${pods}/running/resize?dryRun=All`,
    { body: { spec: { hostname: 'x' } }, type: merge },
    '200',
  ],
];
