// Types, bounds, patterns and lists on small schemas of our own. The words in `errors` are those of a
// kube-apiserver 1.35 for the same schema and object; where it answers in random order, ours is fixed.
import { expect, test } from 'vitest';
import type { Json } from '../../meta.ts';
import { errorLines } from './field-error.ts';
import type { OpenApiSchema } from '../open-api.ts';
import { compileSchema } from './validate.ts';

interface Row {
  readonly title: string;
  readonly schema: OpenApiSchema;
  readonly spec: Json;
  readonly errors: readonly string[];
}

function around(schema: OpenApiSchema): OpenApiSchema {
  return { type: 'object', properties: { spec: schema } };
}

function field(schema: OpenApiSchema): OpenApiSchema {
  return { type: 'object', properties: { f: schema } };
}

const rows: readonly Row[] = [
  {
    title: 'a text where a number belongs',
    schema: field({ type: 'integer' }),
    spec: { f: '1' },
    errors: ['spec.f: Invalid value: "string": spec.f in body must be of type integer: "string"'],
  },
  {
    title: 'a fraction where a whole number belongs',
    schema: field({ type: 'integer' }),
    spec: { f: 1.5 },
    errors: ['spec.f: Invalid value: "number": spec.f in body must be of type integer: "number"'],
  },
  {
    title: 'a whole number where any number belongs',
    schema: field({ type: 'number' }),
    spec: { f: 3 },
    errors: [],
  },
  {
    title: 'a number far beyond int32 in an int32 field, which no server minds',
    schema: field({ type: 'integer', format: 'int32' }),
    spec: { f: 3_000_000_000 },
    errors: [],
  },
  {
    title: 'a list where an object belongs',
    schema: { type: 'object', properties: { f: { type: 'object', properties: {} } } },
    spec: { f: [] },
    errors: ['spec.f: Invalid value: "array": spec.f in body must be of type object: "array"'],
  },
  {
    title: 'null in a list',
    schema: field({ type: 'array', items: { type: 'string' } }),
    spec: { f: ['a', null] },
    errors: ['spec.f[1]: Invalid value: "null": spec.f[1] in body must be of type string: "null"'],
  },
  {
    title: 'null in a nullable field',
    schema: field({ type: 'string', nullable: true }),
    spec: { f: null },
    errors: [],
  },
  {
    title: 'a text that is too long, counted in characters',
    schema: field({ type: 'string', maxLength: 3 }),
    spec: { f: '😀😀😀😀' },
    errors: ['spec.f: Too long: may not be more than 3 bytes'],
  },
  {
    title: 'a text that is just long enough, counted in characters',
    schema: field({ type: 'string', minLength: 3, maxLength: 3 }),
    spec: { f: '😀😀😀' },
    errors: [],
  },
  {
    title: 'a text that is too long by one, for a limit of one',
    schema: field({ type: 'string', maxLength: 1 }),
    spec: { f: 'ab' },
    errors: ['spec.f: Too long: may not be more than 1 byte'],
  },
  {
    title: 'a text that is too short, counted in characters',
    schema: field({ type: 'string', minLength: 3 }),
    spec: { f: '😀😀' },
    errors: ['spec.f: Invalid value: "😀😀": spec.f in body should be at least 3 chars long'],
  },
  {
    title: 'a text that does not match, quoted with its control characters',
    schema: field({ type: 'string', pattern: '^a$' }),
    spec: { f: 'a"\\\n\t\u0001\u007fé\u200b' },
    errors: [
      'spec.f: Invalid value: "a\\"\\\\\\n\\t\\x01\\x7fé\\u200b": spec.f in body should match \'^a$\'',
    ],
  },
  {
    title: 'a text that matches only without regard to case',
    schema: field({ type: 'string', pattern: '(?i)^abc$' }),
    spec: { f: 'aBC' },
    errors: [],
  },
  {
    title: 'a line break, which the dot of RE2 does not take',
    schema: field({ type: 'string', pattern: '^a.b$' }),
    spec: { f: 'a\nb' },
    errors: ['spec.f: Invalid value: "a\\nb": spec.f in body should match \'^a.b$\''],
  },
  {
    title: 'a carriage return, which the dot of RE2 takes',
    schema: field({ type: 'string', pattern: '^a.b$' }),
    spec: { f: 'a\rb' },
    errors: [],
  },
  {
    title: 'a no-break space, which is no space to RE2',
    schema: field({ type: 'string', pattern: '^a\\sb$' }),
    spec: { f: 'a\u00a0b' },
    errors: ['spec.f: Invalid value: "a\\u00a0b": spec.f in body should match \'^a\\sb$\''],
  },
  {
    title: 'whole numbers out of bounds',
    schema: {
      type: 'object',
      properties: {
        low: { type: 'integer', minimum: 5 },
        high: { type: 'integer', maximum: 1_000_000 },
        above: { type: 'integer', minimum: 5, exclusiveMinimum: true },
        below: { type: 'integer', maximum: 5, exclusiveMaximum: true },
      },
    },
    spec: { low: 4, high: 1_000_001, above: 5, below: 5 },
    errors: [
      'spec.low: Invalid value: 4: spec.low in body should be greater than or equal to 5',
      'spec.high: Invalid value: 1000001: spec.high in body should be less than or equal to 1000000',
      'spec.above: Invalid value: 5: spec.above in body should be greater than 5',
      'spec.below: Invalid value: 5: spec.below in body should be less than 5',
    ],
  },
  {
    title: 'fractions out of bounds, printed with exponents',
    schema: {
      type: 'object',
      properties: {
        high: { type: 'number', maximum: 1_000_000 },
        low: { type: 'number', minimum: 0.00002 },
      },
    },
    spec: { high: 1_000_000.5, low: 0.00001 },
    errors: [
      'spec.high: Invalid value: 1.0000005e+06: spec.high in body should be less than or equal to 1e+06',
      'spec.low: Invalid value: 1e-05: spec.low in body should be greater than or equal to 2e-05',
    ],
  },
  {
    title: 'numbers that are no multiples',
    schema: {
      type: 'object',
      properties: {
        whole: { type: 'integer', multipleOf: 3 },
        part: { type: 'number', multipleOf: 0.5 },
        fine: { type: 'number', multipleOf: 0.5 },
      },
    },
    spec: { whole: 7, part: 0.7, fine: 1.5 },
    errors: [
      'spec.whole: Invalid value: 7: spec.whole in body should be a multiple of 3',
      'spec.part: Invalid value: 0.7: spec.part in body should be a multiple of 0.5',
    ],
  },
  {
    title: 'a value outside an enum',
    schema: field({ type: 'string', enum: ['A', 'B'] }),
    spec: { f: 'c' },
    errors: ['spec.f: Unsupported value: "c": supported values: "A", "B"'],
  },
  {
    title: 'a number outside an enum',
    schema: field({ type: 'integer', enum: [1, 2] }),
    spec: { f: 3 },
    errors: ['spec.f: Unsupported value: 3: supported values: "1", "2"'],
  },
  {
    title: 'objects inside and outside an enum',
    schema: {
      type: 'object',
      properties: {
        f: {
          type: 'array',
          items: { type: 'object', enum: [{ a: 'x' }], properties: { a: { type: 'string' } } },
        },
      },
    },
    spec: { f: [{ a: 'x' }, { a: 'y' }] },
    errors: ['spec.f[1]: Unsupported value: {"a":"y"}: supported values: "{\\"a\\":\\"x\\"}"'],
  },
  {
    title: 'lists of the wrong length',
    schema: {
      type: 'object',
      properties: {
        few: { type: 'array', items: { type: 'string' }, minItems: 2 },
        many: { type: 'array', items: { type: 'string' }, maxItems: 1 },
      },
    },
    spec: { few: ['a'], many: ['a', 'b'] },
    errors: [
      'spec.few: Invalid value: 1: spec.few in body should have at least 2 items',
      'spec.many: Too many: 2: must have at most 1 item',
    ],
  },
  {
    title: 'maps of the wrong size',
    schema: {
      type: 'object',
      properties: {
        few: { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1 },
        many: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 1 },
      },
    },
    spec: { few: {}, many: { a: '1', b: '2' } },
    errors: [
      'spec.few: Invalid value: 0: spec.few in body should have at least 1 properties',
      'spec.many: Too many: 2: must have at most 1 item',
    ],
  },
  {
    title: 'a bad value in a map',
    schema: field({ type: 'object', additionalProperties: { type: 'string', maxLength: 1 } }),
    spec: { f: { 'a.b/c': 'xy' } },
    errors: ['spec.f.a.b/c: Too long: may not be more than 1 byte'],
  },
  {
    title: 'required fields that are missing, also inside lists',
    schema: {
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'string' },
        l: {
          type: 'array',
          items: { type: 'object', required: ['k'], properties: { k: { type: 'string' } } },
        },
      },
    },
    spec: { l: [{}] },
    errors: ['spec.l[0].k: Required value', 'spec.a: Required value'],
  },
  {
    title: 'a required field that is null, which counts as missing',
    schema: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
    spec: { a: null },
    errors: ['spec.a: Required value'],
  },
  {
    title: 'a moment in time that is none',
    schema: field({ type: 'string', format: 'date-time' }),
    spec: { f: '2024-02-30T00:00:00Z' },
    errors: [
      'spec.f: Invalid value: "2024-02-30T00:00:00Z": spec.f in body must be of type date-time: "2024-02-30T00:00:00Z"',
    ],
  },
  {
    title: 'a number where a moment in time belongs',
    schema: field({ type: 'string', format: 'date-time' }),
    spec: { f: 5 },
    errors: ['spec.f: Invalid value: "int64": spec.f in body must be of type date-time: "int64"'],
  },
  {
    title: 'a truth value where a moment in time belongs',
    schema: field({ type: 'string', format: 'date-time' }),
    spec: { f: true },
    errors: ['spec.f: Invalid value: "": spec.f in body must be of type date-time: ""'],
  },
  {
    title: 'texts of known formats, good',
    schema: {
      type: 'object',
      properties: {
        moment: { type: 'string', format: 'date-time' },
        day: { type: 'string', format: 'date' },
        period: { type: 'string', format: 'duration' },
        long: { type: 'string', format: 'duration' },
        bytes: { type: 'string', format: 'byte' },
        id: { type: 'string', format: 'uuid' },
        ipv4: { type: 'string', format: 'ipv4' },
        ipv6: { type: 'string', format: 'ipv6' },
        cidr: { type: 'string', format: 'cidr' },
        mac: { type: 'string', format: 'mac' },
        host: { type: 'string', format: 'hostname' },
        uri: { type: 'string', format: 'uri' },
        email: { type: 'string', format: 'email' },
        short: { type: 'string', format: 'k8s-short-name' },
        unknown: { type: 'string', format: 'horoscope' },
      },
    },
    spec: {
      moment: '2024-02-29T23:59:59.123+02:00',
      day: '2024-02-29',
      period: '1h30m',
      long: '2 days',
      bytes: 'aGk=',
      id: '123e4567-e89b-12d3-a456-426614174000',
      ipv4: '10.0.0.1',
      ipv6: 'fe80::1',
      cidr: '10.0.0.0/8',
      mac: '01:23:45:67:89:ab',
      host: 'a.example.com',
      uri: 'https://example.com/a',
      email: 'a@example.com',
      short: 'a-b',
      unknown: 'aries',
    },
    errors: [],
  },
  {
    title: 'texts of known formats, bad',
    schema: {
      type: 'object',
      properties: {
        day: { type: 'string', format: 'date' },
        period: { type: 'string', format: 'duration' },
        bytes: { type: 'string', format: 'byte' },
        id: { type: 'string', format: 'uuid' },
        ipv4: { type: 'string', format: 'ipv4' },
        ipv6: { type: 'string', format: 'ipv6' },
        cidr: { type: 'string', format: 'cidr' },
        mac: { type: 'string', format: 'mac' },
        host: { type: 'string', format: 'hostname' },
        uri: { type: 'string', format: 'uri' },
        email: { type: 'string', format: 'email' },
        short: { type: 'string', format: 'k8s-short-name' },
        long: { type: 'string', format: 'k8s-long-name' },
      },
    },
    spec: {
      day: '2024-13-01',
      period: 'soon',
      bytes: 'a',
      id: '123',
      ipv4: '10.0.0.256',
      ipv6: '10.0.0.1',
      cidr: '10.0.0.0/33',
      mac: '01:23',
      host: '-a',
      uri: 'nowhere',
      email: 'nobody',
      short: 'A',
      long: 'a..b',
    },
    errors: [
      'spec.day: Invalid value: "2024-13-01": spec.day in body must be of type date: "2024-13-01"',
      'spec.period: Invalid value: "soon": spec.period in body must be of type duration: "soon"',
      'spec.bytes: Invalid value: "a": spec.bytes in body must be of type byte: "a"',
      'spec.id: Invalid value: "123": spec.id in body must be of type uuid: "123"',
      'spec.ipv4: Invalid value: "10.0.0.256": spec.ipv4 in body must be of type ipv4: "10.0.0.256"',
      'spec.ipv6: Invalid value: "10.0.0.1": spec.ipv6 in body must be of type ipv6: "10.0.0.1"',
      'spec.cidr: Invalid value: "10.0.0.0/33": spec.cidr in body must be of type cidr: "10.0.0.0/33"',
      'spec.mac: Invalid value: "01:23": spec.mac in body must be of type mac: "01:23"',
      'spec.host: Invalid value: "-a": spec.host in body must be of type hostname: "-a"',
      'spec.uri: Invalid value: "nowhere": spec.uri in body must be of type uri: "nowhere"',
      'spec.email: Invalid value: "nobody": spec.email in body must be of type email: "nobody"',
      'spec.short: Invalid value: "A": spec.short in body must be of type k8s-short-name: "A"',
      'spec.long: Invalid value: "a..b": spec.long in body must be of type k8s-long-name: "a..b"',
    ],
  },
  {
    title: 'a truth value where a number or a text belongs',
    schema: field({
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      pattern: '^[0-9]+$',
    }),
    spec: { f: true },
    errors: [
      'spec.f: Invalid value: "boolean": spec.f in body must be of type integer,string: "boolean"',
      '<nil>: Invalid value: "": "spec.f" must validate at least one schema (anyOf)',
      'spec.f: Invalid value: "boolean": spec.f in body must be of type integer: "boolean"',
    ],
  },
  {
    title: 'a number and a text where either belongs',
    schema: {
      type: 'object',
      properties: {
        n: { 'x-kubernetes-int-or-string': true, pattern: '^x$' },
        t: { 'x-kubernetes-int-or-string': true, pattern: '^x$' },
      },
    },
    spec: { n: 5, t: 'y' },
    errors: ['spec.t: Invalid value: "y": spec.t in body should match \'^x$\''],
  },
  {
    title: 'alternatives of which none fits: the one that came closest is reported',
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } },
      anyOf: [{ required: ['c'] }, { required: ['a', 'b'], properties: { a: { minLength: 1 } } }],
    },
    spec: { a: 'x' },
    errors: [
      '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
      'spec.b: Required value',
    ],
  },
  {
    title: 'alternatives of which two fit',
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    spec: { a: 'x', b: 'y' },
    errors: [
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
  },
  {
    title: 'alternatives of which exactly one had to fit and none does',
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    spec: {},
    errors: [
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
      'spec.a: Required value',
    ],
  },
  {
    title: 'conditions of which some are not met',
    schema: {
      type: 'object',
      properties: { a: { type: 'string' } },
      allOf: [{ required: ['a'] }, { properties: { a: { maxLength: 1 } } }],
    },
    spec: { a: 'xx' },
    errors: [
      'spec.a: Too long: may not be more than 1 byte',
      '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf)',
    ],
  },
  {
    title: 'what must not be',
    schema: {
      type: 'object',
      properties: { a: { type: 'string' } },
      not: { required: ['a'] },
    },
    spec: { a: 'x' },
    errors: ['<nil>: Invalid value: "": "spec" must not validate the schema (not)'],
  },
  {
    title: 'an element of a set, three times',
    schema: field({
      type: 'array',
      items: { type: 'string' },
      'x-kubernetes-list-type': 'set',
    }),
    spec: { f: ['a', 'b', 'a', 'a'] },
    errors: ['spec.f[2]: Duplicate value: "a"'],
  },
  {
    title: 'keys of a map list, twice, with one and with two keys',
    schema: {
      type: 'object',
      properties: {
        one: {
          type: 'array',
          items: { type: 'object', required: ['k'], properties: { k: { type: 'string' } } },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
        },
        two: {
          type: 'array',
          items: {
            type: 'object',
            required: ['b', 'a'],
            properties: { a: { type: 'string' }, b: { type: 'integer' } },
          },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['b', 'a'],
        },
      },
    },
    spec: {
      one: [{ k: 'x' }, { k: 'x' }],
      two: [
        { a: 'x', b: 1 },
        { a: 'x', b: 2 },
        { a: 'x', b: 1 },
      ],
    },
    errors: [
      'spec.one[1]: Duplicate value: {"k":"x"}',
      'spec.two[2]: Duplicate value: {"a":"x","b":1}',
    ],
  },
  {
    title: 'an embedded object that does not say what it is',
    schema: field({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    }),
    spec: { f: { spec: 1 } },
    errors: ['spec.f.apiVersion: Required value', 'spec.f.kind: Required value'],
  },
  {
    title: 'an embedded object that says it badly',
    schema: field({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    }),
    spec: { f: { apiVersion: 'a/b/c', kind: '' } },
    errors: [
      'spec.f.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      'spec.f.kind: Invalid value: "": must not be empty',
    ],
  },
];

test.each(rows)('$title', ({ schema, spec, errors }) => {
  expect(errorLines(compileSchema(around(schema)).admit({ spec }).errors)).toEqual(errors);
});
