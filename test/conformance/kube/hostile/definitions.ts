// Definitions of kinds that cannot be.
import type { Json } from '../../../../src/api/meta.ts';
import type { Fields, Request } from '../session.ts';
import { merge, type Row } from './row.ts';

const place = 'POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All';
const existing = 'PATCH /apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.{group}';
const plain: Fields = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const version = (more: Fields = {}): Fields => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: plain },
  ...more,
});
const definition = (spec: Fields, name = 'things.example.org'): Request => ({
  body: {
    metadata: { name },
    spec: {
      group: 'example.org',
      names: { kind: 'Thing', plural: 'things' },
      scope: 'Namespaced',
      versions: [version()],
      ...spec,
    },
  },
});
const schema = (openAPIV3Schema: Json): Request =>
  definition({ versions: [version({ schema: { openAPIV3Schema } })] });
const field = (value: Json): Request => schema({ type: 'object', properties: { spec: value } });
const rule = (more: Fields): Request =>
  field({
    type: 'object',
    properties: { a: { type: 'integer' } },
    'x-kubernetes-validations': [more],
  });

export const definitionRows: readonly Row[] = [
  [
    'a definition under another name',
    place,
    definition({}, 'others.example.org'),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "others.example.org" is invalid: metadata.name: Invalid value: "others.example.org": must be spec.names.plural+"."+spec.group',
  ],
  [
    'a definition without a group',
    place,
    definition({ group: '' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: [metadata.name: Invalid value: "things.example.org": must be spec.names.plural+"."+spec.group, spec.group: Required value]',
  ],
  [
    'a definition of a group without a dot',
    place,
    definition({ group: 'org' }, 'things.org'),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.org" is invalid: spec.group: Invalid value: "org": should be a domain with at least one dot',
  ],
  [
    'a definition of a protected group',
    place,
    definition({ group: 'x.k8s.io' }, 'things.x.k8s.io'),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.x.k8s.io" is invalid: metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
  ],
  [
    'a definition without versions',
    place,
    definition({ versions: [] }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: [spec.versions: Invalid value: []: must have exactly one version marked as storage version, status.storedVersions: Invalid value: null: must have at least one stored version]',
  ],
  [
    'a definition without a stored version',
    place,
    definition({ versions: [version({ storage: false })] }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: [spec.versions: Invalid value: …: must have exactly one version marked as storage version, status.storedVersions: Invalid value: null: must have at least one stored version]',
  ],
  [
    'a definition with two stored versions',
    place,
    definition({ versions: [version(), version({ name: 'v2' })] }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: [spec.versions: Invalid value: …: must have exactly one version marked as storage version, status.storedVersions: Invalid value: ["v1"]: must have the storage version v2]',
  ],
  [
    'a definition with a version twice',
    place,
    definition({ versions: [version(), version({ storage: false })] }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.versions: Invalid value: …: must contain unique version names',
  ],
  [
    'a definition with a version name that is none',
    place,
    definition({ versions: [version({ name: 'V.1' })] }),
    "422 Invalid: CustomResourceDefinition.apiextensions.k8s.io \"things.example.org\" is invalid: [spec.versions[0].name: Invalid value: \"V.1\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?'), spec.version: Invalid value: \"V.1\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')]",
  ],
  [
    'a definition without a schema',
    place,
    definition({ versions: [{ name: 'v1', served: true, storage: true }] }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.versions[0].schema.openAPIV3Schema: Required value',
  ],
  [
    'a definition of a scope that is none',
    place,
    definition({ scope: 'Nope' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.scope: Unsupported value: "Nope": supported values: "Cluster", "Namespaced"',
  ],
  [
    'a definition without a kind',
    place,
    definition({ names: { plural: 'things' } }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: [spec.names.singular: Required value, spec.names.kind: Required value, spec.names.listKind: Required value]',
  ],
  [
    'a definition whose plural has capitals',
    place,
    definition({ names: { plural: 'Things', kind: 'Thing' } }, 'Things.example.org'),
    "422 Invalid: CustomResourceDefinition.apiextensions.k8s.io \"Things.example.org\" is invalid: [metadata.name: Invalid value: \"Things.example.org\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), spec.names.plural: Invalid value: \"Things\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')]",
  ],
  [
    'a definition whose list is of its own kind',
    place,
    definition({ names: { plural: 'things', kind: 'Thing', listKind: 'Thing' } }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.names.listKind: Invalid value: "Thing": kind and listKind may not be the same',
  ],
  [
    'a definition with a short name that is none',
    place,
    definition({ names: { plural: 'things', kind: 'Thing', shortNames: ['A B'] } }),
    "422 Invalid: CustomResourceDefinition.apiextensions.k8s.io \"things.example.org\" is invalid: spec.names.shortNames[0]: Invalid value: \"A B\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  ],
  [
    'a definition that is converted by nothing',
    place,
    definition({ conversion: { strategy: 'Webhook' } }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: [spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook, spec.conversion.conversionReviewVersions: Required value]',
  ],
  [
    'a definition that is converted in no known way',
    place,
    definition({ conversion: { strategy: 'Nope' } }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.conversion.strategy: Unsupported value: "Nope": supported values: "None", "Webhook"',
  ],
  [
    'a schema without a type',
    place,
    schema({ properties: { spec: { type: 'string' } } }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root',
  ],
  [
    'a schema of a string',
    place,
    schema({ type: 'string' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.type: Invalid value: "string": must be object at the root',
  ],
  [
    'a schema with a field without a type',
    place,
    field({}),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields',
  ],
  [
    'a schema with a type that is none',
    place,
    field({ type: 'nope' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].type: Unsupported value: "nope": supported values: "array", "boolean", "integer", "number", "object", "string"',
  ],
  [
    'a schema with a list without items',
    place,
    field({ type: 'array' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].items: Required value: must be specified',
  ],
  [
    'a schema with a type inside a choice',
    place,
    field({ type: 'string', anyOf: [{ type: 'string' }] }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].anyOf[0].type: Forbidden: must be empty to be structural',
  ],
  [
    'a schema with a reference',
    place,
    field({ $ref: '#/a' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].$ref: Forbidden: $ref is not supported',
  ],
  [
    'a schema with uniqueItems',
    place,
    field({ type: 'array', uniqueItems: true, items: { type: 'string' } }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
  ],
  [
    'a schema with fields and further fields',
    place,
    field({
      type: 'object',
      properties: { a: { type: 'string' } },
      additionalProperties: { type: 'string' },
    }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
  ],
  [
    'a schema with further fields forbidden',
    place,
    field({ type: 'object', additionalProperties: false }),
    '201',
  ],
  [
    'a schema with a pattern that is none',
    place,
    field({ type: 'string', pattern: '[' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].pattern: Invalid value: …: must be a valid regular expression, but isn\'t: error parsing regexp: …',
  ],
  [
    'a schema with a default of the wrong type',
    place,
    field({ type: 'integer', default: 'x' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].default: Invalid value: "string":  in body must be of type integer: "string"',
  ],
  [
    'a schema with a default that would be pruned',
    place,
    field({ type: 'object', default: { a: 1 }, properties: { b: { type: 'string' } } }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].default: Invalid value: {"a":1}: must not have unknown fields',
  ],
  [
    'a schema with a list of maps without keys',
    place,
    field({ type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
  ],
  [
    'a schema with a list key that is none',
    place,
    field({
      type: 'array',
      items: { type: 'object', properties: {} },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
    }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-list-map-keys: Invalid value: ["a"]: entries must all be names of item properties',
  ],
  [
    'a schema with a list of a sort that is none',
    place,
    field({ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'heap' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-list-type: Unsupported value: "heap": supported values: "atomic", "set", "map"',
  ],
  [
    'a schema that says more of metadata',
    place,
    schema({
      type: 'object',
      properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
    }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
  ],
  [
    'a schema that keeps unknown fields of a string',
    place,
    field({ type: 'string', 'x-kubernetes-preserve-unknown-fields': true }),
    '201',
  ],
  [
    'a schema with a number or string of a type',
    place,
    field({ type: 'string', 'x-kubernetes-int-or-string': true }),
    '201',
  ],
  [
    'a schema whose items are a number',
    place,
    field({ type: 'array', items: 5 }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].items: Required value: must be specified',
  ],
  [
    'a schema whose items are a list',
    place,
    field({ type: 'array', items: [{ type: 'string' }] }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].items: Forbidden: items must be a schema object and not an array',
  ],
  [
    'a schema whose items have fields that are none',
    place,
    field({ type: 'array', items: { properties: -1 } }),
    '400 BadRequest: CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: json: cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.items.properties of type map[string]v1.JSONSchemaProps',
  ],
  [
    'a schema whose items offer nothing',
    place,
    field({ type: 'array', items: { type: 'string', enum: true } }),
    '400 BadRequest: CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: json: cannot unmarshal bool into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.items.enum of type []v1.JSON',
  ],
  [
    'a schema whose items need a flag',
    place,
    field({ type: 'array', items: { type: 'string', required: true } }),
    '400 BadRequest: CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: json: cannot unmarshal bool into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.items.required of type []string',
  ],
  [
    'a schema whose items have no type',
    place,
    field({ type: 'array', items: {} }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].items.type: Required value: must not be empty for specified array items',
  ],
  [
    'a schema whose further fields are a string',
    place,
    field({ type: 'object', additionalProperties: 'x' }),
    '400 BadRequest: CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: boolean or JSON schema expected',
  ],
  [
    'a schema whose further fields have a type that is a number',
    place,
    field({ type: 'object', additionalProperties: { type: 1 } }),
    '400 BadRequest: CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: json: cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.additionalProperties.type of type string',
  ],
  [
    'a schema whose fields are a list',
    place,
    field({ type: 'object', properties: [null] }),
    '400 BadRequest: CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: json: cannot unmarshal array into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.properties of type map[string]v1.JSONSchemaProps',
  ],
  [
    'a schema whose field is null',
    place,
    field({ type: 'object', properties: { a: null } }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Required value: must not be empty for specified object fields',
  ],
  [
    'a rule that does not parse',
    place,
    rule({ rule: 'self.a >' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: Invalid value: …: compilation failed: ERROR: …',
  ],
  [
    'a rule of a field that is none',
    place,
    rule({ rule: 'self.b > 1' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: Invalid value: …: compilation failed: ERROR: …',
  ],
  [
    'a rule that is no condition',
    place,
    rule({ rule: 'self.a + 1' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: Invalid value: …: cel expression must evaluate to a bool',
  ],
  [
    'a rule that compares unlike things',
    place,
    rule({ rule: 'self.a == "x"' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: Invalid value: …: compilation failed: ERROR: …',
  ],
  [
    'a rule with a function that is none',
    place,
    rule({ rule: 'nope(self.a)' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: Invalid value: …: compilation failed: ERROR: …',
  ],
  [
    'a rule that is empty',
    place,
    rule({ rule: '' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: Required value: rule is not specified',
  ],
  [
    'a rule with a message of two lines',
    place,
    rule({ rule: 'true', message: 'a\nb' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].message: Invalid value: "a\\nb": must not contain line breaks',
  ],
  [
    'a rule with a reason that is none',
    place,
    rule({ rule: 'true', reason: 'Nope' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].reason: Unsupported value: "Nope": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
  ],
  [
    'a rule with a message that is no string',
    place,
    rule({ rule: 'true', messageExpression: '1 + 1' }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].messageExpression: Invalid value: …: messageExpression must evaluate to a string',
  ],
  [
    'a column without a path',
    place,
    definition({
      versions: [
        version({ additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '' }] }),
      ],
    }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.additionalPrinterColumns[0].JSONPath: Required value',
  ],
  [
    'a column of a type that is none',
    place,
    definition({
      versions: [
        version({ additionalPrinterColumns: [{ name: 'A', type: 'nope', jsonPath: '.a' }] }),
      ],
    }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.additionalPrinterColumns[0].type: Invalid value: "nope": must be one of boolean,date,integer,number,string',
  ],
  [
    'a scale without a path',
    place,
    definition({
      versions: [
        version({
          subresources: { scale: { specReplicasPath: '', statusReplicasPath: '.status.a' } },
        }),
      ],
    }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.subresources.scale.specReplicasPath: Required value',
  ],
  [
    'a scale with a path outside the spec',
    place,
    definition({
      versions: [
        version({
          subresources: { scale: { specReplicasPath: '.a', statusReplicasPath: '.status.a' } },
        }),
      ],
    }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.subresources.scale.specReplicasPath: Invalid value: ".a": should be a json path under .spec',
  ],
  [
    'a selectable field that is none',
    place,
    definition({ versions: [version({ selectableFields: [{ jsonPath: '.spec.a' }] })] }),
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "things.example.org" is invalid: spec.selectableFields[0].jsonPath: Invalid value: ".spec.a": is an invalid path: does not refer to a valid field',
  ],
  [
    'a definition that changes its scope',
    existing,
    { body: { spec: { scope: 'Cluster' } }, type: merge },
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "widgets.{group}" is invalid: spec.scope: Invalid value: "Cluster": field is immutable',
  ],
  [
    'a definition that changes its kind',
    existing,
    {
      body: { spec: { names: { kind: 'Gadget', listKind: 'GadgetList', singular: 'gadget' } } },
      type: merge,
    },
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "widgets.{group}" is invalid: spec.names.kind: Invalid value: "Gadget": field is immutable',
  ],
  [
    'a definition that changes its plural',
    existing,
    { body: { spec: { names: { plural: 'gadgets' } } }, type: merge },
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "widgets.{group}" is invalid: spec.names.plural: Invalid value: "gadgets": field is immutable',
  ],
  [
    'a definition that changes its group',
    existing,
    { body: { spec: { group: 'other.example.com' } }, type: merge },
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "widgets.{group}" is invalid: spec.group: Invalid value: "other.example.com": field is immutable',
  ],
  [
    'a definition that drops its stored version',
    existing,
    { body: { spec: { versions: [version({ name: 'v2' })] } }, type: merge },
    '422 Invalid: CustomResourceDefinition.apiextensions.k8s.io "widgets.{group}" is invalid: status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
  ],
];
