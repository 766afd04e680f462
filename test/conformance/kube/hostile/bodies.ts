// Bodies that are not what they should be: broken text, wrong types, garbage in every form that is spoken.
import { apps, core, json, merge, protobuf, yaml, type Row } from './row.ts';
import { deploymentSpec, podSpec } from './staged-objects.ts';

const maps = `POST ${core}/configmaps?dryRun=All`;
const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const wrapped = (before: string, values: readonly number[], after: string): Uint8Array =>
  Buffer.concat([Buffer.from(before), bytes(...values), Buffer.from(after)]);
const sized = (size: number): Uint8Array =>
  Buffer.from(`{"metadata":{"name":"x"},"data":{"a":"${'a'.repeat(size)}"}}`);
const text = (value: string, type = json) => ({ text: value, type });
const nested = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

/** Ten lines that stand for a billion. */
const laughs = Array.from({ length: 10 }, (_, line) =>
  line === 0
    ? 'l0: &l0 [a]'
    : `l${line}: &l${line} [${Array(10)
        .fill(`*l${line - 1}`)
        .join(',')}]`,
).join('\n');

export const bodyRows: readonly Row[] = [
  [
    'a create with text that ends in the middle',
    maps,
    text('{"metadata":{"name":"x"'),
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: unexpected end of JSON input ({"metadata":{"name":"x")',
  ],
  [
    'a create with text that ends in a string',
    maps,
    text('{"metadata":{"name":"x'),
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: unexpected end of JSON input ({"metadata":{"name":"x)',
  ],
  [
    'a create with something after the object',
    maps,
    text('{"metadata":{"name":"x"}} {}'),
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: invalid character \'{\' after top-level value ({"metadata":{"name":"x"}} {})',
  ],
  [
    'a create with a comma too many',
    maps,
    text('{"metadata":{"name":"x",}}'),
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: invalid character \'}\' looking for beginning of object key string ({"metadata":{"name":"x",}})',
  ],
  [
    'a create with a comment',
    maps,
    text('{"metadata":{"name":"x"}} // x'),
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: invalid character \'/\' after top-level value ({"metadata":{"name":"x"}} // x)',
  ],
  [
    'a create with single quotes',
    maps,
    text("{'metadata':{}}"),
    "400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: invalid character '\\'' looking for beginning of object key string ({'metadata':{}})",
  ],
  [
    'a create with NaN',
    maps,
    text('{"metadata":{"name":"x","generation":NaN}}'),
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: invalid character \'N\' looking for beginning of value ({"metadata":{"name":"x","gener ...)',
  ],
  [
    'a create with Infinity',
    maps,
    text('{"metadata":{"generation":Infinity}}'),
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: invalid character \'I\' looking for beginning of value ({"metadata":{"generation":Infi ...)',
  ],
  [
    'a create with a number too large for its field',
    maps,
    text('{"metadata":{"name":"x","generation":1e30}}'),
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number … into Go struct field ObjectMeta.metadata.generation of type int64',
  ],
  [
    'a create with a number past 64 bits',
    maps,
    text('{"metadata":{"name":"x","generation":99999999999999999999}}'),
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number … into Go struct field ObjectMeta.metadata.generation of type int64',
  ],
  [
    'a create with a fraction for a whole number',
    `POST ${apps}/deployments?dryRun=All`,
    { body: { metadata: { name: 'x' }, spec: { ...deploymentSpec, replicas: 1.5 } } },
    '400 BadRequest: Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [
    'a create with a number past 32 bits',
    `POST ${apps}/deployments?dryRun=All`,
    { body: { metadata: { name: 'x' }, spec: { ...deploymentSpec, replicas: 3_000_000_000 } } },
    '400 BadRequest: Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal number 3000000000 into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [
    'a create with a leading zero',
    maps,
    text('{"metadata":{"generation":01}}'),
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: invalid character \'1\' after object key:value pair ({"metadata":{"generation":01}})',
  ],
  [
    'a create with a bare word',
    maps,
    text('hello'),
    "400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: invalid character 'h' looking for beginning of value (68656c6c6f)",
  ],
  [
    'a create with a string',
    maps,
    text('"hello"'),
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (2268656c6c6f22)',
  ],
  [
    'a create with a number',
    maps,
    text('1'),
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal number into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (31)',
  ],
  [
    'a create with a list',
    maps,
    text('[{"metadata":{"name":"x"}}]'),
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b7b226d65746164617461223a7b226e616d65223a2278227d7d5d)',
  ],
  [
    'a create with null',
    maps,
    text('null'),
    '422 Invalid: ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
  ],
  [
    'a create with nothing but space',
    maps,
    text('   '),
    "400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (202020)",
  ],
  [
    'a create with a broken escape',
    maps,
    text('{"metadata":{"name":"\\x"}}'),
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: invalid character \'x\' in string escape code ({"metadata":{"name":"\\x"}})',
  ],
  [
    'a create with a raw line break in a string',
    maps,
    text('{"metadata":{"name":"a\nb"}}'),
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: invalid character \'\\n\' in string literal ({"metadata":{"name":"a\nb"}})',
  ],
  [
    'a create with a NUL in its text',
    maps,
    { text: wrapped('{"metadata":{"name":"x"}}', [0], ''), type: json },
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: invalid character \'\\x00\' after top-level value ({"metadata":{"name":"x"}}\u0000)',
  ],
  [
    'a create with a NUL inside a string',
    maps,
    { text: wrapped('{"metadata":{"name":"x', [0], '"}}'), type: json },
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: invalid character \'\\x00\' in string literal ({"metadata":{"name":"x\u0000"}})',
  ],
  [
    'a create with an escaped NUL in its data',
    maps,
    text('{"metadata":{"name":"x"},"data":{"a":"\\u0000"}}'),
    '201',
  ],
  [
    'a create with an escaped NUL in its name',
    maps,
    text('{"metadata":{"name":"x\\u0000"}}'),
    "422 Invalid: ConfigMap \"x\\x00\" is invalid: metadata.name: Invalid value: \"x\\x00\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'a create whose name is no UTF-8',
    maps,
    { text: wrapped('{"metadata":{"name":"', [0xff, 0xfe], '"}}'), type: json },
    "422 Invalid: ConfigMap \"��\" is invalid: metadata.name: Invalid value: \"��\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'a create whose name is half a surrogate pair',
    maps,
    text('{"metadata":{"name":"\\ud800"}}'),
    "422 Invalid: ConfigMap \"�\" is invalid: metadata.name: Invalid value: \"�\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    'a create with a byte order mark',
    maps,
    { text: wrapped('', [0xef, 0xbb, 0xbf], '{"metadata":{"name":"x"}}'), type: json },
    "400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: invalid character 'ï' looking for beginning of value (efbbbf7b226d65746164617461223a7b226e616d65223a2278227d7d)",
  ],
  [
    'a create nested far too deep',
    maps,
    text(nested(10_001)),
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: invalid character \'{\' exceeded max depth ({"a":{"a":{"a":{"a":{"a":{"a": ...)',
  ],
  [
    'a create nested deep in a field nobody knows',
    `${maps}&fieldValidation=Strict`,
    text(`{"metadata":{"name":"x"},"foo":${nested(200)}}`),
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "foo"',
  ],
  [
    'a create with a field twice, strictly',
    `${maps}&fieldValidation=Strict`,
    text('{"metadata":{"name":"x","name":"y"}}'),
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "metadata.name"',
  ],
  [
    'a create with metadata twice, strictly',
    `${maps}&fieldValidation=Strict`,
    text('{"metadata":{"name":"x"},"metadata":{"name":"y"}}'),
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "metadata"',
  ],
  [
    'a create with a field in the wrong case, strictly',
    `${maps}&fieldValidation=Strict`,
    text('{"Metadata":{"name":"x"}}'),
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "Metadata"',
  ],
  [
    'a create with __proto__, strictly',
    `${maps}&fieldValidation=Strict`,
    text('{"metadata":{"name":"x"},"__proto__":{"polluted":true}}'),
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "__proto__"',
  ],
  [
    'a create with unknown fields at every level, strictly',
    `POST ${core}/pods?dryRun=All&fieldValidation=Strict`,
    {
      body: {
        a: 1,
        metadata: { name: 'x', b: 1 },
        spec: {
          c: 1,
          containers: [{ name: 'main', image: 'i', d: 1, env: [{ name: 'E', e: 1 }] }],
        },
      },
    },
    '400 BadRequest: Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "a", unknown field "metadata.b", unknown field "spec.c", unknown field "spec.containers[0].d", unknown field "spec.containers[0].env[0].e"',
  ],
  [
    'a create larger than three mebibytes',
    maps,
    { text: sized(3 * 1024 * 1024), type: json },
    '413 RequestEntityTooLarge: Request entity too large: limit is 3145728',
  ],
  [
    'a create with more data than an object may have',
    maps,
    {
      text: sized(1024 * 1024 + 1),
      type: json,
    },
    '422 Invalid: ConfigMap "x" is invalid: []: Too long: may not be more than 1048576 bytes',
  ],
  [
    'a create of type text',
    maps,
    text('{"metadata":{"name":"x"}}', 'text/plain'),
    '415 UnsupportedMediaType: the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  ],
  [
    'a create of type form',
    maps,
    text('a=b', 'application/x-www-form-urlencoded'),
    '415 UnsupportedMediaType: the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  ],
  [
    'a create of a type that is none',
    maps,
    text('{"metadata":{"name":"x"}}', 'rubbish'),
    '415 UnsupportedMediaType: the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  ],
  [
    'a create of type merge patch',
    maps,
    text('{"metadata":{"name":"x"}}', merge),
    '415 UnsupportedMediaType: the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  ],
  [
    'a create of a type with a broken parameter',
    maps,
    text('{"metadata":{"name":"x"}}', 'application/json; charset'),
    '415 UnsupportedMediaType: the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  ],
  [
    'a create of type CBOR',
    maps,
    text('x', 'application/cbor'),
    '415 UnsupportedMediaType: the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  ],
  [
    'a create in binary that is empty',
    maps,
    { text: bytes(), type: protobuf },
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): empty data (<empty>)',
  ],
  [
    'a create in binary without the magic',
    maps,
    { text: bytes(1, 2, 3, 4, 5, 6), type: protobuf },
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (010203040506)',
  ],
  [
    'a create in binary with the magic and nothing else',
    maps,
    { text: bytes(0x6b, 0x38, 0x73, 0), type: protobuf },
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): empty body (6b387300)',
  ],
  [
    'a create in binary with the magic and garbage',
    maps,
    { text: bytes(0x6b, 0x38, 0x73, 0, 0xff, 0xff, 0xff, 0xff), type: protobuf },
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): unexpected EOF (6b387300ffffffff)',
  ],
  [
    'a create in binary that ends in the middle',
    maps,
    { text: bytes(0x6b, 0x38, 0x73, 0, 0x0a, 0x20, 0x0a, 0x02, 0x76, 0x31), type: protobuf },
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): unexpected EOF (6b3873000a200a027631)',
  ],
  [
    'a create in binary with JSON in it',
    maps,
    text('{"metadata":{"name":"x"}}', protobuf),
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({"metadata":{"name":"x"}})',
  ],
  [
    'a create in YAML that is none',
    maps,
    text('a: [1', yaml),
    "400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): yaml: line 1: did not find expected ',' or ']' (613a205b31)",
  ],
  [
    'a create in YAML with a tab for an indent',
    maps,
    text('metadata:\n\tname: x', yaml),
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): yaml: line 2: found character that cannot start any token (6d657461646174613a0a096e616d653a2078)',
  ],
  [
    'a create in YAML with an alias to nothing',
    maps,
    text('metadata: *nowhere', yaml),
    "400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): yaml: unknown anchor 'nowhere' referenced (6d657461646174613a202a6e6f7768657265)",
  ],
  [
    'a create in YAML with aliases without end',
    maps,
    text(laughs, yaml),
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): yaml: document contains excessive aliasing (6c303a20266c30205b615d0a6c313a20266c31205b2a6c302c2a6c302c2a ...)',
  ],
  [
    'a create in YAML with a key that is no string',
    `${maps}&fieldValidation=Strict`,
    text('metadata: {name: x}\ndata: {1: "a"}', yaml),
    '201',
  ],
  [
    'a create in YAML with a key twice, strictly',
    `${maps}&fieldValidation=Strict`,
    text('metadata: {name: x}\ndata: {a: "1", a: "2"}', yaml),
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: yaml: unmarshal errors:\n  line 2: key "a" already set in map',
  ],
  [
    'a create in YAML with a number for a string',
    maps,
    text('metadata: {name: x}\ndata: {a: 1}', yaml),
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
  ],
  [
    'a create in YAML that is a scalar',
    maps,
    text('hello', yaml),
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (68656c6c6f)',
  ],
  [
    'a create in YAML that is empty',
    maps,
    text('', yaml),
    '422 Invalid: ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
  ],
  [
    'an update with text that is no JSON',
    `PUT ${core}/configmaps/settings`,
    text('{bad'),
    "400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: invalid character 'b' looking for beginning of object key string ({bad)",
  ],
  [
    'an update of a type that is not spoken',
    `PUT ${core}/configmaps/settings`,
    text('{}', 'text/plain'),
    '415 UnsupportedMediaType: the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  ],
  [
    'a delete with text that is no JSON',
    `DELETE ${core}/configmaps/settings`,
    text('{bad'),
    "400 BadRequest: couldn't get version/kind; json parse error: invalid character 'b' looking for beginning of object key string",
  ],
  [
    'a delete with a body of a type that is not spoken',
    `DELETE ${core}/configmaps/settings`,
    text('{}', 'text/plain'),
    '415 UnsupportedMediaType: the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  ],
  [
    'a delete with options of another kind',
    `DELETE ${core}/configmaps/settings`,
    { body: { kind: 'Pod', apiVersion: 'v1' } },
    '400 BadRequest: no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
  ],
  [
    'a delete with options of the wrong type',
    `DELETE ${core}/configmaps/settings`,
    { body: { gracePeriodSeconds: 'soon' } },
    '400 BadRequest: json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
  ],
  [
    'a delete with preconditions that are no object',
    `DELETE ${core}/configmaps/settings`,
    { body: { preconditions: 'x' } },
    '400 BadRequest: json: cannot unmarshal string into Go struct field DeleteOptions.preconditions of type v1.Preconditions',
  ],
  [
    'a pod whose containers are an object',
    `POST ${core}/pods?dryRun=All`,
    { body: { metadata: { name: 'x' }, spec: { containers: {} } } },
    '400 BadRequest: Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container',
  ],
  [
    'a pod whose container is a string',
    `POST ${core}/pods?dryRun=All`,
    { body: { metadata: { name: 'x' }, spec: { containers: ['main'] } } },
    '400 BadRequest: Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type v1.Container',
  ],
  [
    'a pod whose spec is a list',
    `POST ${core}/pods?dryRun=All`,
    { body: { metadata: { name: 'x' }, spec: [] } },
    '400 BadRequest: Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal array into Go struct field Pod.spec of type v1.PodSpec',
  ],
  [
    'a pod whose port is a string',
    `POST ${core}/pods?dryRun=All`,
    {
      body: {
        metadata: { name: 'x' },
        spec: { containers: [{ name: 'main', ports: [{ containerPort: '80' }] }] },
      },
    },
    '400 BadRequest: Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal string into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32',
  ],
  [
    'a pod whose flag is a string',
    `POST ${core}/pods?dryRun=All`,
    { body: { metadata: { name: 'x' }, spec: { ...podSpec, hostNetwork: 'yes' } } },
    '400 BadRequest: Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool',
  ],
  [
    'an object whose metadata is a string',
    maps,
    { body: { metadata: 'x' } },
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal string into Go struct field ConfigMap.metadata of type v1.ObjectMeta',
  ],
  [
    'an object whose name is a number',
    maps,
    { body: { metadata: { name: 1 } } },
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string',
  ],
  [
    'an object whose labels are a list',
    maps,
    { body: { metadata: { name: 'x', labels: ['a'] } } },
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string',
  ],
  [
    'an object whose label is a number',
    maps,
    { body: { metadata: { name: 'x', labels: { a: 1 } } } },
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
  ],
  [
    'an object whose time is none',
    maps,
    { body: { metadata: { name: 'x', creationTimestamp: 'yesterday' } } },
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
  ],
  [
    'an object whose owners are an object',
    maps,
    { body: { metadata: { name: 'x', ownerReferences: {} } } },
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal object into Go struct field ObjectMeta.metadata.ownerReferences of type []v1.OwnerReference',
  ],
  [
    'an object whose kind is a number',
    maps,
    { body: { kind: 1, metadata: { name: 'x' } } },
    '400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"kind":1,"metadata":{"name":" ...)',
  ],
  [
    'a secret whose data is no base64',
    `POST ${core}/secrets?dryRun=All`,
    { body: { metadata: { name: 'x' }, data: { a: '!!!' } } },
    '400 BadRequest: Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 0',
  ],
  [
    'a map whose binary data is no base64',
    maps,
    { body: { metadata: { name: 'x' }, binaryData: { a: 'a' } } },
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: illegal base64 data at input byte 0',
  ],
];
