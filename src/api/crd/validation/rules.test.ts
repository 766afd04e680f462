// CEL rules on small schemas of our own. The words in `errors` are those of a kube-apiserver 1.35 for the same
// schema and objects.
import { expect, test } from 'vitest';
import type { Json } from '../../meta.ts';
import { errorLines } from './field-error.ts';
import type { OpenApiSchema } from '../open-api.ts';
import { compileSchema } from './validate.ts';

interface Row {
  readonly title: string;
  readonly schema: OpenApiSchema;
  readonly spec: Json;
  readonly old?: Json;
  readonly errors: readonly string[];
}

const skipped =
  '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

function around(schema: OpenApiSchema): OpenApiSchema {
  return { type: 'object', properties: { spec: schema } };
}

function field(schema: OpenApiSchema): OpenApiSchema {
  return { type: 'object', properties: { f: schema } };
}

function ruled(
  schema: OpenApiSchema,
  ...rules: OpenApiSchema['x-kubernetes-validations'] & object
): OpenApiSchema {
  return { ...schema, 'x-kubernetes-validations': rules };
}

const text = { type: 'string' } as const;
const whole = { type: 'integer' } as const;

const keyed: OpenApiSchema = {
  type: 'array',
  items: ruled(
    { type: 'object', required: ['k'], properties: { k: text, v: whole } },
    { rule: 'self.v >= oldSelf.v', message: 'v may not fall' },
  ),
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
};

const rows: readonly Row[] = [
  {
    title: 'a rule on an object, which shows no value',
    schema: ruled(
      { type: 'object', properties: { a: whole, b: whole } },
      { rule: 'self.a < self.b' },
    ),
    spec: { a: 2, b: 1 },
    errors: ['spec: Invalid value: failed rule: self.a < self.b'],
  },
  {
    title: 'a rule on a text, which shows it',
    schema: field(ruled(text, { rule: "self.startsWith('a')", message: ' must start with a ' })),
    spec: { f: 'b' },
    errors: ['spec.f: Invalid value: "b": must start with a'],
  },
  {
    title: 'a rule on a field that is not there',
    schema: ruled({ type: 'object', properties: { a: whole } }, { rule: 'self.a > 1' }),
    spec: {},
    errors: ['spec: Invalid value: "object": no such key: a evaluating rule: self.a > 1'],
  },
  {
    title: 'a rule on an item that is not there',
    schema: field(
      ruled({ type: 'array', items: text }, { rule: "self[2] == 'a'", message: 'third' }),
    ),
    spec: { f: ['a'] },
    errors: ['spec.f: Invalid value: "array": index out of bounds: 2 evaluating rule: third'],
  },
  {
    title: 'a rule that reads a number out of a text that has none',
    schema: field(ruled(text, { rule: 'int(self) > 0', message: 'positive' })),
    spec: { f: '' },
    errors: [
      "spec.f: Invalid value: \"string\": type conversion error from 'string' to 'int' evaluating rule: positive",
    ],
  },
  {
    title: 'a rule that compares a text with a number',
    schema: field(
      ruled({ 'x-kubernetes-int-or-string': true }, { rule: 'self < 5', message: 'under five' }),
    ),
    spec: { f: 'x' },
    errors: [
      'spec.f: Invalid value: "": \'no such overload\': call arguments did not match a supported operator, function or macro signature for rule: under five',
    ],
  },
  {
    title: 'a rule that divides by zero',
    schema: field(ruled(whole, { rule: '10 / self > 1', message: 'divides ten' })),
    spec: { f: 0 },
    errors: ['spec.f: Invalid value: "integer": division by zero evaluating rule: divides ten'],
  },
  {
    title: 'an error on one side of an or, when the other side decides',
    schema: ruled(
      { type: 'object', properties: { a: whole, b: whole } },
      { rule: 'self.a > 1 || self.b > 1', message: 'either' },
    ),
    spec: { b: 2 },
    errors: [],
  },
  {
    title: 'rules on map values, named by key',
    schema: field({
      type: 'object',
      additionalProperties: ruled(whole, { rule: 'self > 0', message: 'positive' }),
    }),
    spec: { f: { 'a/b': 1, c: 0 } },
    errors: ['spec.f[c]: Invalid value: 0: positive'],
  },
  {
    title: 'rules next to errors that do not block them',
    schema: ruled(
      { type: 'object', properties: { a: { type: 'integer', minimum: 5 } } },
      { rule: 'self.a > 5', message: 'more than five' },
    ),
    spec: { a: 4 },
    errors: [
      'spec.a: Invalid value: 4: spec.a in body should be greater than or equal to 5',
      'spec: Invalid value: more than five',
    ],
  },
  {
    title: 'rules next to errors that block them',
    schema: ruled(
      { type: 'object', properties: { a: { type: 'string', enum: ['x'] } } },
      { rule: "self.a == 'x'", message: 'x' },
    ),
    spec: { a: 'y' },
    errors: ['spec.a: Unsupported value: "y": supported values: "x"', skipped],
  },
  {
    title: 'a duplicate, which does not block rules',
    schema: ruled(
      {
        type: 'object',
        properties: { l: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' } },
      },
      { rule: 'self.l.size() < 2', message: 'one at most' },
    ),
    spec: { l: ['a', 'a'] },
    errors: ['spec.l[1]: Duplicate value: "a"', 'spec: Invalid value: one at most'],
  },
  {
    title: 'a transition rule on creation',
    schema: field(ruled(whole, { rule: 'self >= oldSelf', message: 'may not fall' })),
    spec: { f: 1 },
    errors: [],
  },
  {
    title: 'a transition rule on update',
    schema: field(ruled(whole, { rule: 'self >= oldSelf', message: 'may not fall' })),
    spec: { f: 1 },
    old: { f: 2 },
    errors: ['spec.f: Invalid value: 1: may not fall'],
  },
  {
    title: 'a transition rule on a field that is new',
    schema: field(ruled(whole, { rule: 'self >= oldSelf', message: 'may not fall' })),
    spec: { f: 1 },
    old: {},
    errors: [],
  },
  {
    title: 'a transition rule on items with keys, in another order',
    schema: field(keyed),
    spec: {
      f: [
        { k: 'b', v: 2 },
        { k: 'a', v: 0 },
        { k: 'c', v: 0 },
      ],
    },
    old: {
      f: [
        { k: 'a', v: 1 },
        { k: 'b', v: 2 },
      ],
    },
    errors: ['spec.f[1]: Invalid value: v may not fall'],
  },
  {
    title: 'an optional old value that is absent',
    schema: ruled(
      { type: 'object', properties: { a: whole } },
      {
        rule: 'oldSelf.hasValue() || self.a == 1',
        message: 'starts at one',
        optionalOldSelf: true,
      },
    ),
    spec: { a: 2 },
    errors: ['spec: Invalid value: starts at one'],
  },
  {
    title: 'an optional old value that is there',
    schema: ruled(
      { type: 'object', properties: { a: whole } },
      {
        rule: 'self.a >= oldSelf.orValue(self).a',
        message: 'may not fall',
        optionalOldSelf: true,
      },
    ),
    spec: { a: 2 },
    old: { a: 3 },
    errors: ['spec: Invalid value: may not fall'],
  },
  {
    title: 'lists that are sets, equal in another order',
    schema: field(
      ruled(
        { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
        { rule: 'self == oldSelf', message: 'immutable' },
      ),
    ),
    spec: { f: ['a', 'b'] },
    old: { f: ['b', 'a'] },
    errors: [],
  },
  {
    title: 'lists that are maps, equal in another order',
    schema: ruled(
      {
        type: 'object',
        properties: {
          f: {
            type: 'array',
            items: { type: 'object', required: ['k'], properties: { k: text, v: whole } },
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['k'],
          },
        },
      },
      { rule: 'self == oldSelf', message: 'immutable' },
    ),
    spec: {
      f: [
        { k: 'a', v: 1 },
        { k: 'b', v: 2 },
      ],
    },
    old: {
      f: [
        { k: 'b', v: 2 },
        { k: 'a', v: 1 },
      ],
    },
    errors: [],
  },
  {
    title: 'plain lists, unequal in another order',
    schema: field(
      ruled({ type: 'array', items: text }, { rule: 'self == oldSelf', message: 'immutable' }),
    ),
    spec: { f: ['a', 'b'] },
    old: { f: ['b', 'a'] },
    errors: ['spec.f: Invalid value: immutable'],
  },
  {
    title: 'a computed message',
    schema: ruled(
      { type: 'object', properties: { a: whole } },
      { rule: 'self.a < 5', messageExpression: "self.a > 6 ? 'far too much' : 'too much'" },
    ),
    spec: { a: 7 },
    errors: ['spec: Invalid value: far too much'],
  },
  {
    title: 'a computed message that cannot be computed',
    schema: ruled(
      { type: 'object', properties: { a: whole, b: text } },
      { rule: 'self.a < 5', messageExpression: 'self.b', message: 'less than five' },
    ),
    spec: { a: 7 },
    errors: ['spec: Invalid value: less than five'],
  },
  {
    title: 'reasons and paths that a rule chooses',
    schema: ruled(
      { type: 'object', properties: { a: whole, b: { type: 'object', properties: { c: text } } } },
      { rule: 'self.a < 1', message: 'no', reason: 'FieldValueForbidden', fieldPath: '.a' },
      { rule: 'self.a < 2', message: 'need c', reason: 'FieldValueRequired', fieldPath: '.b.c' },
      { rule: 'self.a < 3', message: 'again', reason: 'FieldValueDuplicate', fieldPath: '.a' },
    ),
    spec: { a: 7 },
    errors: [
      'spec.a: Forbidden: no',
      'spec.b.c: Required value: need c',
      'spec.a: Duplicate value',
    ],
  },
  {
    title: 'fields whose names CEL reserves or cannot write',
    schema: ruled(
      {
        type: 'object',
        properties: { namespace: text, 'x-y': text, 'a.b': text, a__b: text, kind: text },
      },
      { rule: "self.__namespace__ == 'n'", message: 'namespace' },
      { rule: "self.x__dash__y == 'n'", message: 'dash' },
      { rule: "self.a__dot__b == 'n'", message: 'dot' },
      { rule: "self.a__underscores__b == 'n'", message: 'underscores' },
      { rule: "self.kind == 'n'", message: 'kind' },
    ),
    spec: { namespace: 'm', 'x-y': 'm', 'a.b': 'm', a__b: 'm', kind: 'm' },
    errors: [
      'spec: Invalid value: namespace',
      'spec: Invalid value: dash',
      'spec: Invalid value: dot',
      'spec: Invalid value: underscores',
      'spec: Invalid value: kind',
    ],
  },
  {
    title: 'null in a nullable field, which counts as absent',
    schema: ruled(
      { type: 'object', properties: { a: { type: 'string', nullable: true } } },
      { rule: 'has(self.a)', message: 'a must be there' },
    ),
    spec: { a: null },
    errors: ['spec: Invalid value: a must be there'],
  },
  {
    title: 'functions on texts',
    schema: ruled(
      { type: 'object', properties: { a: text } },
      { rule: "self.a.find('[0-9]+') == '12'", message: 'find' },
      { rule: "self.a.findAll('[0-9]+') == ['12', '34']", message: 'findAll' },
      { rule: "self.a.findAll('[0-9]+', 1) == ['12']", message: 'findAll limited' },
      { rule: "self.a.matches('^a12b')", message: 'matches' },
      { rule: "self.a.split('b') == ['a12', '34']", message: 'split' },
      { rule: "self.a.replace('1', 'x') == 'ax2b34'", message: 'replace' },
      { rule: "self.a.replace('a', 'x', 0) == self.a", message: 'replace none' },
      { rule: "self.a.charAt(1) == '1'", message: 'charAt' },
      { rule: "self.a.indexOf('b') == 3", message: 'indexOf' },
      { rule: "self.a.substring(1, 3) == '12'", message: 'substring' },
      { rule: "self.a.upperAscii() == 'A12B34'", message: 'upperAscii' },
      { rule: 'size(self.a) == 6 && self.a.size() == 6', message: 'size' },
      { rule: "'%s:%d'.format([self.a, 5]) == 'a12b34:5'", message: 'format' },
      { rule: "self.a.endsWith('4') && self.a.contains('2b')", message: 'endsWith' },
    ),
    spec: { a: 'a12b34' },
    errors: [],
  },
  {
    title: 'functions on lists',
    schema: ruled(
      { type: 'object', properties: { l: { type: 'array', items: whole, maxItems: 9 } } },
      { rule: 'self.l.isSorted()', message: 'isSorted' },
      { rule: 'self.l.sum() == 6', message: 'sum' },
      { rule: 'self.l.min() == 1 && self.l.max() == 3', message: 'min and max' },
      { rule: 'self.l.indexOf(2) == 1 && self.l.lastIndexOf(9) == -1', message: 'indexOf' },
      { rule: 'self.l.map(x, x * 2) == [2, 4, 6]', message: 'map' },
      { rule: 'self.l.filter(x, x > 1) == [2, 3]', message: 'filter' },
      { rule: 'self.l.exists_one(x, x == 2)', message: 'exists_one' },
      { rule: 'sets.contains(self.l, [1, 3])', message: 'sets.contains' },
      { rule: 'sets.equivalent(self.l, [3, 2, 1])', message: 'sets.equivalent' },
      { rule: '!sets.intersects(self.l, [7])', message: 'sets.intersects' },
    ),
    spec: { l: [1, 2, 3] },
    errors: [],
  },
  {
    title: 'quantities',
    schema: ruled(
      { type: 'object', properties: { q: text } },
      { rule: "isQuantity(self.q) && !isQuantity('1x')", message: 'isQuantity' },
      { rule: "quantity(self.q).isGreaterThan(quantity('1G'))", message: 'greater' },
      { rule: "quantity(self.q).isLessThan(quantity('1.1Gi'))", message: 'less' },
      { rule: "quantity(self.q).compareTo(quantity('1024Mi')) == 0", message: 'compare' },
      { rule: "quantity(self.q) == quantity('1024Mi')", message: 'equal' },
      { rule: 'quantity(self.q).asInteger() == 1073741824', message: 'integer' },
      { rule: "!quantity('100m').isInteger()", message: 'not an integer' },
      { rule: "quantity('100m').asApproximateFloat() == 0.1", message: 'float' },
      { rule: "quantity('1').add(quantity('500m')).sub(1) == quantity('0.5')", message: 'add' },
      { rule: "sign(quantity('-1')) == -1", message: 'sign' },
      { rule: "quantity('1x').isInteger()", message: 'no quantity' },
    ),
    spec: { q: '1Gi' },
    errors: [
      'spec: Invalid value: "object": quantities must match the regular expression \'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$\' evaluating rule: no quantity',
    ],
  },
  {
    title: 'moments and periods',
    schema: ruled(
      {
        type: 'object',
        properties: {
          from: { type: 'string', format: 'date-time' },
          to: { type: 'string', format: 'date-time' },
          period: { type: 'string', format: 'duration' },
        },
      },
      { rule: 'self.from < self.to', message: 'order' },
      { rule: 'self.to - self.from == self.period', message: 'difference' },
      { rule: "self.period > duration('1h')", message: 'period' },
    ),
    spec: { from: '2024-01-01T00:00:00Z', to: '2024-01-01T01:30:00Z', period: '1h30m' },
    errors: [],
  },
  {
    title: 'the type of a value that may be a number or a text',
    schema: field(
      ruled(
        { 'x-kubernetes-int-or-string': true },
        { rule: "type(self) == string ? self.matches('^[0-9]+%$') : self < 100", message: 'share' },
      ),
    ),
    spec: { f: 100 },
    errors: ['spec.f: Invalid value: 100: share'],
  },
];

test.each(rows)('$title', ({ schema, spec, old, errors }) => {
  const compiled = compileSchema(around(schema));
  const before = old === undefined ? undefined : compiled.admit({ spec: old }).object;
  expect(errorLines(compiled.admit({ spec }, before).errors)).toEqual(errors);
});
