// Objects that contradict their address or their past, and metadata that cannot be.
import type { Json } from '../../../../src/api/meta.ts';
import type { Fields, Request } from '../session.ts';
import { apps, core, merge, type Row } from './row.ts';
import { podSpec } from './staged-objects.ts';

const maps = `POST ${core}/configmaps?dryRun=All`;
const named = (metadata: Fields, more: Fields = {}): Request => ({
  body: { metadata: { name: 'x', ...metadata }, ...more },
});
const settings = (metadata: Fields, more: Fields = {}): Request => ({
  body: { metadata: { name: 'settings', ...metadata }, ...more },
});
const patch = (body: Json): Request => ({ body, type: merge });

export const identityRows: readonly Row[] = [
  [
    'a create of the wrong group',
    `POST ${apps}/deployments?dryRun=All`,
    { body: { apiVersion: 'batch/v1', kind: 'Deployment', metadata: { name: 'x' } } },
    '400 BadRequest: Deployment in version "v1" cannot be handled as a Deployment: no kind "Deployment" is registered for version "batch/v1" in scheme "pkg/runtime/scheme.go:111"',
  ],
  [
    'a create of the wrong version',
    `POST ${apps}/deployments?dryRun=All`,
    { body: { apiVersion: 'apps/v1beta1', kind: 'Deployment', metadata: { name: 'x' } } },
    '400 BadRequest: the API version in the data (apps/v1beta1) does not match the expected API version (apps/v1)',
  ],
  [
    'a create with a version of too many parts',
    maps,
    { body: { apiVersion: 'a/b/c', kind: 'ConfigMap', metadata: { name: 'x' } } },
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c","kind":" ...)',
  ],
  [
    'a create of a list',
    maps,
    { body: { apiVersion: 'v1', kind: 'ConfigMapList', items: [] } },
    '400 BadRequest: ConfigMapList in version "v1" cannot be handled as a ConfigMap: converting (v1.ConfigMapList) to (core.ConfigMap): unknown conversion',
  ],
  [
    'a create of a kind in small letters',
    maps,
    { body: { apiVersion: 'v1', kind: 'configmap', metadata: { name: 'x' } } },
    '400 BadRequest: configmap in version "v1" cannot be handled as a ConfigMap: no kind "configmap" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
  ],
  [
    'a create of options',
    maps,
    { body: { apiVersion: 'v1', kind: 'DeleteOptions' } },
    '400 BadRequest: DeleteOptions in version "v1" cannot be handled as a ConfigMap: converting (v1.DeleteOptions) to (core.ConfigMap): unknown conversion',
  ],
  [
    'an update of another kind',
    `PUT ${core}/configmaps/settings`,
    { body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'settings' } } },
    '400 BadRequest: Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
  ],
  [
    'an update without a name',
    `PUT ${core}/configmaps/settings`,
    { body: { metadata: {} } },
    '400 BadRequest: the name of the object (settings based on URL) was undeterminable: name must be provided',
  ],
  [
    'an update in another namespace',
    `PUT ${core}/configmaps/settings`,
    settings({ namespace: 'default' }),
    '400 BadRequest: the namespace of the provided object does not match the namespace sent on the request',
  ],
  [
    'an update of another uid',
    `PUT ${core}/configmaps/settings`,
    settings({ uid: 'other' }),
    '409 Conflict: Operation cannot be fulfilled on configmaps "settings": StorageError: invalid object, Code: 4, Key: /registry/configmaps/{ns}/settings, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: {uid}',
  ],
  [
    'an update of a version that is no number',
    `PUT ${core}/configmaps/settings`,
    settings({ resourceVersion: 'abc' }),
    '500 Failure: strconv.ParseUint: parsing "abc": invalid syntax',
  ],
  [
    'an update of an old version',
    `PUT ${core}/configmaps/settings`,
    settings({ resourceVersion: '1' }),
    '409 Conflict: Operation cannot be fulfilled on configmaps "settings": the object has been modified; please apply your changes to the latest version and try again',
  ],
  [
    'an update of a pod without its version',
    `PUT ${core}/pods/pending?dryRun=All`,
    { body: { metadata: { name: 'pending' }, spec: podSpec } },
    '422 Invalid: Pod "pending" is invalid: spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n…',
  ],
  [
    'an update that changes the uid',
    `PATCH ${core}/configmaps/settings`,
    patch({ metadata: { uid: 'other' } }),
    '422 Invalid: ConfigMap "settings" is invalid: metadata.uid: Invalid value: "other": field is immutable',
  ],
  [
    'an update that changes the name',
    `PATCH ${core}/configmaps/settings`,
    patch({ metadata: { name: 'other' } }),
    '400 BadRequest: the name of the object (other) does not match the name on the URL (settings)',
  ],
  [
    'an update that changes the namespace',
    `PATCH ${core}/configmaps/settings`,
    patch({ metadata: { namespace: 'default' } }),
    '400 BadRequest: the namespace of the provided object does not match the namespace sent on the request',
  ],
  [
    'an update that changes the time of creation',
    `PATCH ${core}/configmaps/settings?dryRun=All`,
    patch({ metadata: { creationTimestamp: '2001-01-01T00:00:00Z' } }),
    '200',
  ],
  [
    'a patch of an old version',
    `PATCH ${core}/configmaps/settings`,
    patch({ metadata: { resourceVersion: '1' } }),
    '409 Conflict: Operation cannot be fulfilled on configmaps "settings": the object has been modified; please apply your changes to the latest version and try again',
  ],
  ['a create with a uid', maps, named({ uid: 'x' }), '201'],
  [
    'a create with a version that is set',
    `POST ${core}/configmaps`,
    named({ resourceVersion: '1' }),
    '500 Failure: resourceVersion should not be set on objects to be created',
  ],
  [
    'a create with a time of deletion',
    `${maps}&fieldValidation=Strict`,
    named({ deletionTimestamp: '2001-01-01T00:00:00Z', deletionGracePeriodSeconds: -5 }),
    '201',
  ],
  [
    'a create with a prefix that makes no name',
    maps,
    { body: { metadata: { generateName: 'A_' } } },
    "422 Invalid: ConfigMap \"…\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')]",
  ],
  [
    'a create with a prefix and a name that is none',
    maps,
    named({ name: 'A_', generateName: 'a-' }),
    "422 Invalid: ConfigMap \"A_\" is invalid: metadata.name: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'a create with a name too long',
    maps,
    named({ name: 'a'.repeat(254) }),
    '422 Invalid: ConfigMap "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" is invalid: metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 253 characters',
  ],
  [
    'a create with a name that climbs',
    maps,
    named({ name: '..' }),
    "422 Invalid: ConfigMap \"..\" is invalid: metadata.name: Invalid value: \"..\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'a create with a name with a slash',
    maps,
    named({ name: 'a/b' }),
    "422 Invalid: ConfigMap \"a/b\" is invalid: metadata.name: Invalid value: \"a/b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'a service whose name starts with a digit',
    `POST ${core}/services?dryRun=All`,
    named({ name: '1a' }, { spec: { ports: [{ port: 80 }] } }),
    "422 Invalid: Service \"1a\" is invalid: metadata.name: Invalid value: \"1a\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  ],
  [
    'a service whose name is too long',
    `POST ${core}/services?dryRun=All`,
    named({ name: 'a'.repeat(64) }, { spec: { ports: [{ port: 80 }] } }),
    '422 Invalid: Service "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" is invalid: metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 characters',
  ],
  [
    'a namespace with a dot in its name',
    'POST /api/v1/namespaces?dryRun=All',
    named({ name: 'a.b' }),
    '422 Invalid: Namespace "a.b" is invalid: metadata.name: Invalid value: "a.b": must not contain dots',
  ],
  [
    'a label with a key that is none',
    maps,
    named({ labels: { 'a b': 'c' } }),
    "422 Invalid: ConfigMap \"x\" is invalid: metadata.labels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  ],
  [
    'a label with a prefix that is none',
    maps,
    named({ labels: { 'A_B/c': 'd' } }),
    "422 Invalid: ConfigMap \"x\" is invalid: metadata.labels: Invalid value: \"A_B/c\": prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'a label with an empty name',
    maps,
    named({ labels: { 'a.b/': 'c' } }),
    "422 Invalid: ConfigMap \"x\" is invalid: [metadata.labels: Invalid value: \"a.b/\": name part must be non-empty, metadata.labels: Invalid value: \"a.b/\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')]",
  ],
  [
    'a label with a value too long',
    maps,
    named({ labels: { a: 'b'.repeat(64) } }),
    '422 Invalid: ConfigMap "x" is invalid: metadata.labels: Invalid value: "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb": must be no more than 63 bytes',
  ],
  [
    'a label with a value that is none',
    maps,
    named({ labels: { a: '-b' } }),
    "422 Invalid: ConfigMap \"x\" is invalid: metadata.labels: Invalid value: \"-b\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  ],
  [
    'an annotation with a key that is none',
    maps,
    named({ annotations: { 'a b': 'c' } }),
    "422 Invalid: ConfigMap \"x\" is invalid: metadata.annotations: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  ],
  [
    'annotations past their limit',
    maps,
    named({ annotations: { a: 'b'.repeat(256 * 1024) } }),
    '422 Invalid: ConfigMap "x" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes',
  ],
  [
    'a finalizer without a domain',
    maps,
    named({ finalizers: ['nope'] }),
    '422 Invalid: ConfigMap "x" is invalid: metadata.finalizers[0]: Invalid value: "nope": name is neither a standard finalizer name nor is it fully qualified',
  ],
  [
    'a finalizer that is none',
    maps,
    named({ finalizers: ['a b'] }),
    "422 Invalid: ConfigMap \"x\" is invalid: [metadata.finalizers: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), metadata.finalizers[0]: Invalid value: \"a b\": name is neither a standard finalizer name nor is it fully qualified]",
  ],
  [
    'finalizers that contradict each other',
    maps,
    named({ finalizers: ['orphan', 'foregroundDeletion'] }),
    '422 Invalid: ConfigMap "x" is invalid: metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
  ],
  [
    'an owner with nothing said of it',
    maps,
    named({ ownerReferences: [{}] }),
    '422 Invalid: ConfigMap "x" is invalid: [metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty, metadata.ownerReferences.kind: Invalid value: "": must not be empty, metadata.ownerReferences.name: Invalid value: "": must not be empty, metadata.ownerReferences.uid: Invalid value: "": must not be empty]',
  ],
  [
    'an owner without a uid',
    maps,
    named({ ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'a' }] }),
    '422 Invalid: ConfigMap "x" is invalid: metadata.ownerReferences.uid: Invalid value: "": must not be empty',
  ],
  [
    'an owner that cannot own',
    maps,
    named({ ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'a', uid: 'u' }] }),
    '422 Invalid: ConfigMap "x" is invalid: metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"a","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
  ],
  [
    'two owners that control',
    maps,
    named({
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u', controller: true },
        { apiVersion: 'v1', kind: 'Pod', name: 'b', uid: 'v', controller: true },
      ],
    }),
    '422 Invalid: ConfigMap "x" is invalid: metadata.ownerReferences: Invalid value: …: Only one reference can have Controller set to true. Found "true" in references for Pod/a and Pod/b',
  ],
  [
    'an owner with a version of too many parts',
    maps,
    named({ ownerReferences: [{ apiVersion: 'a/b/c', kind: 'Pod', name: 'a', uid: 'u' }] }),
    '422 Invalid: ConfigMap "x" is invalid: metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
  ],
  [
    'managed fields that are none',
    maps,
    named({ managedFields: [{ operation: 'Nope', manager: 'x' }] }),
    '201',
  ],
];
