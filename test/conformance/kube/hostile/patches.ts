// Patches that cannot be read, cannot be applied, or lead where no object may be.
import type { Json } from '../../../../src/api/meta.ts';
import type { Request } from '../session.ts';
import { apply, apps, core, jsonPatch, merge, strategic, type Row } from './row.ts';

const settings = `PATCH ${core}/configmaps/settings`;
const web = `PATCH ${apps}/deployments/web`;
const widget = 'PATCH /apis/{group}/v1/namespaces/{ns}/widgets/widget';
const steps = (...body: readonly Json[]): Request => ({ body, type: jsonPatch });
const applied = (body: Json): Request => ({ text: JSON.stringify(body), type: apply });
const map = { apiVersion: 'v1', kind: 'ConfigMap' };

export const patchRows: readonly Row[] = [
  [
    'a JSON patch that is no list',
    settings,
    { body: {}, type: jsonPatch },
    '400 BadRequest: error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
  ],
  [
    'a JSON patch that is no JSON',
    settings,
    { text: '[{', type: jsonPatch },
    '400 BadRequest: error decoding patch: unexpected end of JSON input',
  ],
  [
    'a JSON patch that is empty text',
    settings,
    { text: '', type: jsonPatch },
    '400 BadRequest: error decoding patch: unexpected end of JSON input',
  ],
  [
    'a JSON patch of words',
    settings,
    steps('a'),
    '400 BadRequest: error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp',
  ],
  [
    'a JSON patch without an operation',
    settings,
    steps({ path: '/data/a', value: 'c' }),
    '422 Invalid: the server rejected our request due to an error in our request',
  ],
  [
    'a JSON patch with an operation that is none',
    settings,
    steps({ op: 'nope', path: '/data/a', value: 'c' }),
    '422 Invalid: the server rejected our request due to an error in our request',
  ],
  [
    'a JSON patch without a path',
    settings,
    steps({ op: 'add', value: 'c' }),
    '422 Invalid: the server rejected our request due to an error in our request',
  ],
  [
    'a JSON patch with a path that is a number',
    settings,
    steps({ op: 'add', path: 1, value: 'c' }),
    '400 BadRequest: error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string',
  ],
  [
    'a JSON patch without a value',
    `${settings}?dryRun=All`,
    steps({ op: 'replace', path: '/data/a' }),
    '200',
  ],
  [
    'a JSON patch with a path without a slash',
    settings,
    steps({ op: 'replace', path: 'data/a', value: 'c' }),
    '200',
  ],
  [
    'a JSON patch that replaces nothing',
    `${settings}?dryRun=All`,
    steps({ op: 'replace', path: '/data/nope', value: 'c' }),
    '200',
  ],
  [
    'a JSON patch that removes nothing',
    `${settings}?dryRun=All`,
    steps({ op: 'remove', path: '/data/nope' }),
    '422 Invalid: the server rejected our request due to an error in our request',
  ],
  [
    'a JSON patch that adds below nothing',
    settings,
    steps({ op: 'add', path: '/nope/a/b', value: 'c' }),
    '422 Invalid: the server rejected our request due to an error in our request',
  ],
  [
    'a JSON patch that adds below a string',
    settings,
    steps({ op: 'add', path: '/data/a/b', value: 'c' }),
    '422 Invalid: the server rejected our request due to an error in our request',
  ],
  [
    'a JSON patch whose test fails',
    settings,
    steps({ op: 'test', path: '/data/a', value: 'x' }, { op: 'remove', path: '/data/a' }),
    '422 Invalid: the server rejected our request due to an error in our request',
  ],
  [
    'a JSON patch whose test finds nothing',
    settings,
    steps({ op: 'test', path: '/data/nope', value: 'x' }),
    '422 Invalid: the server rejected our request due to an error in our request',
  ],
  [
    'a JSON patch that moves nothing',
    settings,
    steps({ op: 'move', from: '/data/nope', path: '/data/b' }),
    '422 Invalid: the server rejected our request due to an error in our request',
  ],
  [
    'a JSON patch that copies nothing',
    `${settings}?dryRun=All`,
    steps({ op: 'copy', from: '/data/nope', path: '/data/b' }),
    '200',
  ],
  [
    'a JSON patch that moves from nowhere',
    settings,
    steps({ op: 'move', path: '/data/b' }),
    '422 Invalid: the server rejected our request due to an error in our request',
  ],
  [
    'a JSON patch past the end of a list',
    web,
    steps({ op: 'add', path: '/spec/template/spec/containers/9', value: { name: 'x' } }),
    '422 Invalid: the server rejected our request due to an error in our request',
  ],
  [
    'a JSON patch at a place in a list that is no number',
    web,
    steps({ op: 'add', path: '/spec/template/spec/containers/x', value: { name: 'x' } }),
    '422 Invalid: the server rejected our request due to an error in our request',
  ],
  [
    'a JSON patch before the start of a list',
    web,
    steps({ op: 'remove', path: '/spec/template/spec/containers/-9' }),
    '422 Invalid: the server rejected our request due to an error in our request',
  ],
  [
    'a JSON patch at a place with a leading zero',
    web,
    steps({ op: 'remove', path: '/spec/template/spec/containers/00' }),
    '422 Invalid: Deployment.apps "web" is invalid: spec.template.spec.containers: Required value',
  ],
  [
    'a JSON patch that removes the whole',
    settings,
    steps({ op: 'remove', path: '' }),
    '422 Invalid: the server rejected our request due to an error in our request',
  ],
  [
    'a JSON patch that replaces the whole by a string',
    settings,
    steps({ op: 'replace', path: '', value: 'x' }),
    '422 Invalid: the server rejected our request due to an error in our request',
  ],
  [
    'a JSON patch that makes a string a number',
    settings,
    steps({ op: 'replace', path: '/data/a', value: 1 }),
    '422 Invalid:  "" is invalid: patch: Invalid value: …: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
  ],
  [
    'a JSON patch that takes the name',
    settings,
    steps({ op: 'remove', path: '/metadata/name' }),
    '400 BadRequest: the name of the object (settings based on URL) was undeterminable: name must be provided',
  ],
  [
    'a JSON patch that changes the kind',
    settings,
    steps({ op: 'replace', path: '/kind', value: 'Secret' }),
    '422 Invalid:  "" is invalid: patch: Invalid value: …',
  ],
  [
    'a JSON patch of ten thousand steps and one',
    settings,
    {
      text: Buffer.from(
        `[${Array.from({ length: 10_001 }, () => '{"op":"test","path":"/data/a","value":"b"}').join(',')}]`,
      ),
      type: jsonPatch,
    },
    '413 RequestEntityTooLarge: Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
  ],
  [
    'a JSON patch of a custom resource that breaks its schema',
    widget,
    steps({ op: 'replace', path: '/spec/size', value: 'big' }),
    '422 Invalid: Widget.{group} "widget" is invalid: [spec.size: Invalid value: "string": spec.size in body must be of type integer: "string", .spec.size: Invalid value: 0: .spec.size accessor error: big is of the type string, expected int64, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  ],
  [
    'a merge patch that is a list',
    settings,
    { body: [], type: merge },
    '400 BadRequest: error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
  ],
  [
    'a merge patch that is a string',
    settings,
    { body: 'x', type: merge },
    '400 BadRequest: error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}',
  ],
  [
    'a merge patch that is null',
    settings,
    { text: 'null', type: merge },
    '400 BadRequest: Invalid JSON Patch',
  ],
  [
    'a merge patch that is no JSON',
    settings,
    { text: '{bad', type: merge },
    "400 BadRequest: error decoding patch: invalid character 'b' looking for beginning of object key string",
  ],
  [
    'a merge patch that is empty',
    settings,
    { text: '', type: merge },
    '400 BadRequest: error decoding patch: unexpected end of JSON input',
  ],
  [
    'a merge patch that makes a map a list',
    settings,
    { body: { data: ['a'] }, type: merge },
    '422 Invalid:  "" is invalid: patch: Invalid value: …: json: cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string',
  ],
  [
    'a merge patch that makes metadata a string',
    settings,
    { body: { metadata: 'x' }, type: merge },
    '422 Invalid:  "" is invalid: patch: Invalid value: "{\\"apiVersion\\":\\"v1\\",\\"data\\":{\\"a\\":\\"b\\"},\\"kind\\":\\"ConfigMap\\",\\"metadata\\":\\"x\\"}": json: cannot unmarshal string into Go struct field ConfigMap.metadata of type v1.ObjectMeta',
  ],
  [
    'a merge patch that takes the name',
    settings,
    { body: { metadata: { name: null } }, type: merge },
    '400 BadRequest: the name of the object (settings based on URL) was undeterminable: name must be provided',
  ],
  [
    'a merge patch that changes the kind',
    settings,
    { body: { kind: 'Secret' }, type: merge },
    '422 Invalid:  "" is invalid: patch: Invalid value: …',
  ],
  [
    'a merge patch that changes the version',
    settings,
    { body: { apiVersion: 'v2' }, type: merge },
    '422 Invalid:  "" is invalid: patch: Invalid value: …: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
  ],
  [
    'a merge patch with an unknown field, strictly',
    `${settings}?fieldValidation=Strict`,
    { body: { foo: 1 }, type: merge },
    '422 Invalid:  "" is invalid: patch: Invalid value: …: strict decoding error: unknown field "foo"',
  ],
  [
    'a merge patch with a wrong type below',
    web,
    { body: { spec: { template: { spec: { containers: { a: 1 } } } } }, type: merge },
    '422 Invalid:  "" is invalid: patch: Invalid value: …: json: cannot unmarshal object into Go struct field PodSpec.spec.template.spec.containers of type []v1.Container',
  ],
  [
    'a merge patch of a custom resource that breaks its schema',
    widget,
    { body: { spec: { size: 'big' } }, type: merge },
    '422 Invalid: Widget.{group} "widget" is invalid: [spec.size: Invalid value: "string": spec.size in body must be of type integer: "string", .spec.size: Invalid value: 0: .spec.size accessor error: big is of the type string, expected int64, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  ],
  [
    'a merge patch of a custom resource with an unknown field, strictly',
    `${widget}?fieldValidation=Strict`,
    { body: { spec: { foo: 1 } }, type: merge },
    '422 Invalid:  "" is invalid: patch: Invalid value: …: strict decoding error: unknown field "spec.foo"',
  ],
  [
    'a strategic patch that is a list',
    settings,
    { body: [], type: strategic },
    '400 BadRequest: json: cannot unmarshal array into Go value of type map[string]interface {}',
  ],
  [
    'a strategic patch that is no JSON',
    settings,
    { text: '{bad', type: strategic },
    "400 BadRequest: invalid character 'b' looking for beginning of object key string",
  ],
  [
    'a strategic patch with a directive that is none',
    web,
    {
      body: { spec: { template: { spec: { containers: [{ $patch: 'nope', name: 'main' }] } } } },
      type: strategic,
    },
    '500 Failure: unknown patch type: nope in map: map[$patch:nope name:main]',
  ],
  [
    'a strategic patch with a directive of the wrong type',
    web,
    { body: { spec: { $patch: 1 } }, type: strategic },
    '500 Failure: unknown patch type: … in map: map[$patch:1]',
  ],
  [
    'a strategic patch of a list without its key',
    web,
    { body: { spec: { template: { spec: { containers: [{ image: 'x' }] } } } }, type: strategic },
    '500 Failure: map: map[image:x] does not contain declared merge key: name',
  ],
  [
    'a strategic patch that makes a list an object',
    web,
    { body: { spec: { template: { spec: { containers: { a: 1 } } } } }, type: strategic },
    '422 Invalid:  "" is invalid: patch: Invalid value: "map[spec:map[template:map[spec:map[containers:map[a:1]]]]]": cannot restore slice from map',
  ],
  [
    'a strategic patch that makes an object a list',
    web,
    { body: { spec: [] }, type: strategic },
    '422 Invalid:  "" is invalid: patch: Invalid value: "map[spec:[]]": cannot restore struct from: slice',
  ],
  [
    'a strategic patch that makes a number a string',
    web,
    { body: { spec: { replicas: 'many' } }, type: strategic },
    '422 Invalid:  "" is invalid: patch: Invalid value: "map[spec:map[replicas:many]]": unrecognized type: int32',
  ],
  [
    'a strategic patch that deletes from a list that is none',
    settings,
    { body: { metadata: { $deleteFromPrimitiveList: 'x' } }, type: strategic },
    '400 BadRequest: invalid patch format of primitive list',
  ],
  [
    'a strategic patch that orders what is not there',
    web,
    {
      body: {
        spec: {
          template: {
            spec: {
              '$setElementOrder/containers': [{ name: 'a' }],
              containers: [{ name: 'b', image: 'x' }],
            },
          },
        },
      },
      type: strategic,
    },
    "500 Failure: The order in patch list:\n[map[image:x name:b]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
  ],
  [
    'a strategic patch that retains by a wrong type',
    web,
    { body: { spec: { strategy: { $retainKeys: 'type', type: 'Recreate' } } }, type: strategic },
    '400 BadRequest: invalid patch format of retainKeys',
  ],
  [
    'a strategic patch of a custom resource',
    widget,
    { body: {}, type: strategic },
    '415 UnsupportedMediaType: the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
  ],
  [
    'a patch of no type',
    settings,
    { text: '{}', type: 'text/plain' },
    '415 UnsupportedMediaType: 415: Unsupported Media Type',
  ],
  [
    'a patch of type YAML',
    settings,
    { text: '{}', type: 'application/yaml' },
    '415 UnsupportedMediaType: 415: Unsupported Media Type',
  ],
  [
    'an apply with text that is no YAML',
    `${settings}?fieldManager=m`,
    { text: 'a: [1', type: apply },
    "400 BadRequest: error decoding YAML: error converting YAML to JSON: yaml: line 1: did not find expected ',' or ']'",
  ],
  [
    'an apply that is a list',
    `${settings}?fieldManager=m`,
    { text: '[]', type: apply },
    '400 BadRequest: error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
  ],
  [
    'an apply that is empty',
    `${settings}?fieldManager=m`,
    { text: '', type: apply },
    '400 BadRequest: invalid object type: /, Kind=',
  ],
  [
    'an apply without a kind',
    `${settings}?fieldManager=m`,
    applied({ apiVersion: 'v1', metadata: { name: 'settings' } }),
    '400 BadRequest: invalid object type: /v1, Kind=',
  ],
  [
    'an apply without a version',
    `${settings}?fieldManager=m`,
    applied({ kind: 'ConfigMap', metadata: { name: 'settings' } }),
    '400 BadRequest: invalid object type: /, Kind=ConfigMap',
  ],
  [
    'an apply of another kind',
    `${settings}?fieldManager=m`,
    applied({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'settings' } }),
    '400 BadRequest: invalid object type: /v1, Kind=Secret',
  ],
  [
    'an apply of another version',
    `${settings}?fieldManager=m`,
    applied({ apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'settings' } }),
    '400 BadRequest: invalid object type: /v2, Kind=ConfigMap',
  ],
  [
    'an apply under another name',
    `${settings}?fieldManager=m`,
    applied({ ...map, metadata: { name: 'other' } }),
    '400 BadRequest: the name of the object (other) does not match the name on the URL (settings)',
  ],
  [
    'an apply in another namespace',
    `${settings}?fieldManager=m`,
    applied({ ...map, metadata: { name: 'settings', namespace: 'default' } }),
    '400 BadRequest: the namespace of the provided object does not match the namespace sent on the request',
  ],
  [
    'an apply with managed fields',
    `${settings}?fieldManager=m`,
    applied({
      ...map,
      metadata: { name: 'settings', managedFields: [{ manager: 'x', operation: 'Apply' }] },
    }),
    '400 BadRequest: metadata.managedFields must be nil',
  ],
  [
    'an apply with an unknown field',
    `${settings}?fieldManager=m`,
    applied({ ...map, metadata: { name: 'settings' }, foo: 1 }),
    '500 Failure: failed to create typed patch object (/settings; /v1, Kind=ConfigMap): .foo: field not declared in schema',
  ],
  [
    'an apply of what another owns',
    `${settings}?fieldManager=m`,
    applied({ ...map, metadata: { name: 'settings' }, data: { a: 'c' } }),
    '409 Conflict: Apply failed with 1 conflict: conflict with "conformance" using v1: .data.a',
  ],
  [
    'an apply of an old version',
    `${settings}?fieldManager=m`,
    applied({ ...map, metadata: { name: 'settings', resourceVersion: '1' } }),
    '409 Conflict: Operation cannot be fulfilled on configmaps "settings": the object has been modified; please apply your changes to the latest version and try again',
  ],
  [
    'an apply of another uid',
    `${settings}?fieldManager=m`,
    applied({ ...map, metadata: { name: 'settings', uid: 'other' } }),
    '422 Invalid: ConfigMap "settings" is invalid: metadata.uid: Invalid value: "other": field is immutable',
  ],
  [
    'an apply with a wrong type',
    `${settings}?fieldManager=m`,
    applied({ ...map, metadata: { name: 'settings' }, data: ['a'] }),
    '500 Failure: failed to create typed patch object (/settings; /v1, Kind=ConfigMap): .data: expected map, got &{[a]}',
  ],
  [
    'an apply with a list key twice',
    `${web}?fieldManager=m`,
    applied({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { template: { spec: { containers: [{ name: 'a' }, { name: 'a' }] } } },
    }),
    '500 Failure: failed to create typed patch object (/web; apps/v1, Kind=Deployment): .spec.template.spec.containers: duplicate entries for key [name="a"]',
  ],
  [
    'an apply with a list item without its key',
    `${web}?fieldManager=m`,
    applied({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { template: { spec: { containers: [{ image: 'x' }] } } },
    }),
    '422 Invalid: Deployment.apps "web" is invalid: spec.template.spec.containers[1].name: Required value',
  ],
  [
    'an apply that makes an object which may not be',
    `PATCH ${core}/configmaps/made?fieldManager=m`,
    applied({ ...map, metadata: { name: 'made', labels: { 'a b': 'c' } } }),
    "422 Invalid: ConfigMap \"made\" is invalid: metadata.labels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  ],
  [
    'an apply with a uid that makes an object',
    `PATCH ${core}/configmaps/made?fieldManager=m`,
    applied({ ...map, metadata: { name: 'made', uid: 'u' } }),
    '409 Conflict: Operation cannot be fulfilled on configmaps "made": uid mismatch: the provided object specified uid u, and no existing object was found',
  ],
  [
    'an apply of a custom resource with a wrong type',
    `${widget}?fieldManager=m`,
    applied({
      apiVersion: '{group}/v1',
      kind: 'Widget',
      metadata: { name: 'widget' },
      spec: { size: 'big' },
    }),
    '500 Failure: failed to create typed patch object (/widget; {group}/v1, Kind=Widget): .spec.size: expected numeric (int or float), got string',
  ],
  [
    'an apply with a key twice',
    `${settings}?fieldManager=m`,
    {
      text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: b, a: c}',
      type: apply,
    },
    '409 Conflict: Apply failed with 1 conflict: conflict with "conformance" using v1: .data.a',
  ],
  [
    'an apply of an eviction',
    `PATCH ${core}/pods/pending/eviction?fieldManager=m`,
    applied({ ...map }),
    '405 MethodNotAllowed: the server does not allow this method on the requested resource',
  ],
];
