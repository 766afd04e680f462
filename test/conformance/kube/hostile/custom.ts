// Custom resources that break the kinds they are of.
import type { Json } from '../../../../src/api/meta.ts';
import type { Fields, Request } from '../session.ts';
import { core, type Row } from './row.ts';

const widgets = '/apis/{group}/v1/namespaces/{ns}/widgets';
const make = `POST ${widgets}?dryRun=All`;
const widget = (spec: Json, more: Fields = {}): Request => ({
  body: { apiVersion: '{group}/v1', kind: 'Widget', metadata: { name: 'x' }, spec, ...more },
});

export const customRows: readonly Row[] = [
  [
    'a version of a custom resource that is none',
    'GET /apis/{group}/v9/namespaces/{ns}/widgets',
    {},
    '404 404 page not found',
  ],
  [
    'a version of a custom resource that is not served',
    'GET /apis/{group}/v0/namespaces/{ns}/widgets',
    {},
    '404 404 page not found',
  ],
  [
    'a custom resource that is none',
    'GET /apis/{group}/v1/namespaces/{ns}/gadgets',
    {},
    '404 404 page not found',
  ],
  [
    'a subresource of a custom resource that is none',
    `GET ${widgets}/widget/nope`,
    {},
    '404 NotFound: widgets.{group} "widget" not found',
  ],
  [
    'a custom resource without its namespace',
    'GET /apis/{group}/v1/widgets/widget',
    {},
    '404 404 page not found',
  ],
  [
    'a custom resource without a kind',
    make,
    { body: { metadata: { name: 'x' }, spec: { size: 1 } } },
    '400 BadRequest: the object provided is unrecognized (must be of type Widget): Object \'Kind\' is missing in \'{"metadata":{"name":"x"},"spec":{"size":1}}\' ({"metadata":{"name":"x"},"spec ...)',
  ],
  [
    'a custom resource without a version',
    make,
    { body: { kind: 'Widget', metadata: { name: 'x' }, spec: { size: 1 } } },
    '400 BadRequest: the API version in the data () does not match the expected API version ({group}/v1)',
  ],
  [
    'a custom resource of another kind',
    make,
    widget({ size: 1 }, { kind: 'Gadget' }),
    '422 Invalid: Gadget.{group} "x" is invalid: kind: Invalid value: "Gadget": must be Widget',
  ],
  [
    'a custom resource of another version',
    make,
    widget({ size: 1 }, { apiVersion: '{group}/v0' }),
    '400 BadRequest: the API version in the data ({group}/v0) does not match the expected API version ({group}/v1)',
  ],
  [
    'a custom resource of another group',
    make,
    widget({ size: 1 }, { apiVersion: 'example.org/v1' }),
    '400 BadRequest: the API version in the data (example.org/v1) does not match the expected API version ({group}/v1)',
  ],
  [
    'a custom resource without a name',
    make,
    widget({ size: 1 }, { metadata: {} }),
    '422 Invalid: Widget.{group} "" is invalid: …metadata.name: Required value: name or generateName is required…',
  ],
  [
    'a custom resource whose metadata is a string',
    make,
    widget({ size: 1 }, { metadata: 'x' }),
    '400 BadRequest: Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal string into Go value of type v1.ObjectMeta',
  ],
  [
    'a custom resource whose labels are numbers',
    make,
    widget({ size: 1 }, { metadata: { name: 'x', labels: { a: 1 } } }),
    '400 BadRequest: Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
  ],
  [
    'a custom resource without what it needs',
    make,
    widget({}),
    '422 Invalid: Widget.{group} "x" is invalid: [spec.size: Required value, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  ],
  [
    'a custom resource whose number is a string',
    make,
    widget({ size: '1' }),
    '422 Invalid: Widget.{group} "x" is invalid: [spec.size: Invalid value: "string": spec.size in body must be of type integer: "string", .spec.size: Invalid value: 0: .spec.size accessor error: 1 is of the type string, expected int64, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  ],
  [
    'a custom resource whose number is a fraction',
    make,
    widget({ size: 1.5 }),
    '422 Invalid: Widget.{group} "x" is invalid: [spec.size: Invalid value: "number": spec.size in body must be of type integer: "number", .spec.size: Invalid value: 0: .spec.size accessor error: 1.5 is of the type float64, expected int64, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  ],
  [
    'a custom resource whose number is too small',
    make,
    widget({ size: -1 }),
    '422 Invalid: Widget.{group} "x" is invalid: [spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0, .spec.size: Invalid value: -1: should be a non-negative integer]',
  ],
  [
    'a custom resource whose number is too large',
    make,
    widget({ size: 10 }),
    '422 Invalid: Widget.{group} "x" is invalid: spec.size: Invalid value: 10: spec.size in body should be less than or equal to 9',
  ],
  [
    'a custom resource whose word is not offered',
    make,
    widget({ size: 1, color: 'blue' }),
    '422 Invalid: Widget.{group} "x" is invalid: [spec.color: Unsupported value: "blue": supported values: "red", "green", <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  ],
  [
    'a custom resource whose word is too long',
    make,
    widget({ size: 1, label: 'abcdef' }),
    '422 Invalid: Widget.{group} "x" is invalid: [spec.label: Too long: may not be more than 5 bytes, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  ],
  [
    'a custom resource whose word has the wrong letters',
    make,
    widget({ size: 1, label: 'A' }),
    '422 Invalid: Widget.{group} "x" is invalid: spec.label: Invalid value: "A": spec.label in body should match \'^[a-z]*$\'',
  ],
  [
    'a custom resource whose time is none',
    make,
    widget({ size: 1, when: 'now' }),
    '422 Invalid: Widget.{group} "x" is invalid: [spec.when: Invalid value: "now": spec.when in body must be of type date-time: "now", <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  ],
  [
    'a custom resource with too many items',
    make,
    widget({ size: 1, tags: ['a', 'b', 'c'] }),
    '422 Invalid: Widget.{group} "x" is invalid: [spec.tags: Too many: 3: must have at most 2 items, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  ],
  [
    'a custom resource whose item is a number',
    make,
    widget({ size: 1, tags: [1] }),
    '422 Invalid: Widget.{group} "x" is invalid: [spec.tags[0]: Invalid value: "integer": spec.tags[0] in body must be of type string: "integer", <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  ],
  [
    'a custom resource with a part twice',
    make,
    widget({ size: 1, parts: [{ name: 'a' }, { name: 'a' }] }),
    '422 Invalid: Widget.{group} "x" is invalid: spec.parts[1]: Duplicate value: {"name":"a"}',
  ],
  [
    'a custom resource with a part without its key',
    make,
    widget({ size: 1, parts: [{ count: 1 }] }),
    '422 Invalid: Widget.{group} "x" is invalid: [spec.parts[0].name: Required value, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  ],
  ['a custom resource whose spec is null', make, widget(null), '201'],
  [
    'a custom resource whose spec is a list',
    make,
    widget([]),
    '422 Invalid: Widget.{group} "x" is invalid: [spec: Invalid value: "array": spec in body must be of type object: "array", .spec.size: Invalid value: 0: .spec.size accessor error: [] is of the type []interface {}, expected map[string]interface{}, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  ],
  [
    'a custom resource that breaks a rule',
    make,
    widget({ size: 7 }),
    '422 Invalid: Widget.{group} "x" is invalid: spec: Invalid value: seven is taken',
  ],
  [
    'a custom resource that breaks everything',
    make,
    widget({ size: 'x', color: 1, tags: 'a', parts: {} }),
    '422 Invalid: Widget.{group} "x" is invalid: […spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"…]',
  ],
  [
    'a custom resource with unknown fields, strictly',
    `${make}&fieldValidation=Strict`,
    widget({ size: 1, nope: 1, parts: [{ name: 'a', nope: 1 }] }, { more: 1 }),
    '400 BadRequest: Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "more", unknown field "spec.nope", unknown field "spec.parts[0].nope"',
  ],
  [
    'a custom resource with a field twice, strictly',
    `${make}&fieldValidation=Strict`,
    {
      text: '{"apiVersion":"{group}/v1","kind":"Widget","metadata":{"name":"x"},"spec":{"size":1,"size":2}}',
    },
    '400 BadRequest: Widget in version "v1" cannot be handled as a Widget: strict decoding error: duplicate field "spec.size"',
  ],
  [
    'a custom resource with unknown metadata, strictly',
    `${make}&fieldValidation=Strict`,
    widget({ size: 1 }, { metadata: { name: 'x', nope: 1 } }),
    '400 BadRequest: Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "metadata.nope"',
  ],
  [
    'a custom resource that ends in the middle',
    make,
    { text: '{"apiVersion":"{group}/v1","kind":"Wid' },
    '400 BadRequest: the object provided is unrecognized (must be of type Widget): couldn\'t get version/kind; json parse error: unexpected end of JSON input ({"apiVersion":"… ...)',
  ],
  [
    'a custom resource that is a list',
    make,
    { text: '[]' },
    '400 BadRequest: the object provided is unrecognized (must be of type Widget): couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b5d)',
  ],
  [
    'an update of a custom resource without its version',
    `PUT ${widgets}/widget`,
    widget({ size: 2 }, { metadata: { name: 'widget' } }),
    '422 Invalid: widgets.{group} "widget" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
  ],
  [
    'an update of a custom resource of an old version',
    `PUT ${widgets}/widget`,
    widget({ size: 2 }, { metadata: { name: 'widget', resourceVersion: '1' } }),
    '409 Conflict: Operation cannot be fulfilled on widgets.{group} "widget": the object has been modified; please apply your changes to the latest version and try again',
  ],
  [
    'an update of a custom resource under another name',
    `PUT ${widgets}/widget`,
    widget({ size: 2 }, { metadata: { name: 'other' } }),
    '400 BadRequest: the name of the object (other) does not match the name on the URL (widget)',
  ],
  [
    'an update of a custom resource that is not there',
    `PUT ${widgets}/nope`,
    widget({ size: 2 }, { metadata: { name: 'nope' } }),
    '404 NotFound: widgets.{group} "nope" not found',
  ],
  [
    'a custom resource in a namespace that is not there',
    'POST /apis/{group}/v1/namespaces/nope/widgets',
    widget({ size: 1 }),
    '404 NotFound: namespaces "nope" not found',
  ],
  [
    'a custom resource that is taken',
    `POST ${core.replace('/api/v1', '/apis/{group}/v1')}/widgets`,
    widget({ size: 1 }, { metadata: { name: 'widget' } }),
    '409 AlreadyExists: widgets.{group} "widget" already exists',
  ],
];
