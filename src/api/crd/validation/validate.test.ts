import { describe, expect, test } from 'vitest';
import { errorLines, type FieldError, invalidMessage, toCauses } from './field-error.ts';
import type { OpenApiSchema } from '../open-api.ts';
import { compileSchema } from './validate.ts';

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

test('a refused object reads like the message of an API server', () => {
  const compiled = compileSchema(
    around({ type: 'object', required: ['a', 'b'], properties: { a: text, b: text } }),
  );
  const errors = compiled.validate({ spec: {} });
  const message = (shown: readonly FieldError[]) =>
    invalidMessage({ kind: 'Widget', group: 'example.com', name: 'w', errors: shown });
  expect(message(errors)).toBe(
    'Widget.example.com "w" is invalid: [spec.a: Required value, spec.b: Required value]',
  );
  expect(message(errors.slice(0, 1))).toBe(
    'Widget.example.com "w" is invalid: spec.a: Required value',
  );
  expect(toCauses(errors)[0]).toEqual({
    reason: 'FieldValueRequired',
    message: 'Required value',
    field: 'spec.a',
  });
});

test('a rule that does not parse is named at once and refuses every object', () => {
  const compiled = compileSchema(around(ruled({ type: 'object' }, { rule: 'self ==' })));
  expect(compiled.problems).toHaveLength(1);
  expect(errorLines(compiled.validate({ spec: {} }))).toEqual([
    expect.stringMatching(/^spec: Invalid value: "object": rule compile error: /),
  ]);
});

test('duplicates that were there before an update do not stand in its way', () => {
  const compiled = compileSchema(
    around(field({ type: 'array', items: text, 'x-kubernetes-list-type': 'set' })),
  );
  const twice = { spec: { f: ['a', 'a'] } };
  expect(errorLines(compiled.validate(twice, twice))).toEqual([]);
  expect(errorLines(compiled.validate(twice, { spec: { f: [] } }))).toHaveLength(1);
});

describe('an update of the status', () => {
  const compiled = compileSchema({
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { a: { type: 'integer', minimum: 1 } } },
      status: {
        type: 'object',
        required: ['phase'],
        properties: { phase: { type: 'string', maxLength: 3 } },
      },
    },
  });

  test('looks at the status alone', () => {
    const object = { spec: { a: 0 }, status: { phase: 'ok' } };
    expect(errorLines(compiled.validateStatus(object, object))).toEqual([]);
  });

  test('names fields with their path, and the words without it', () => {
    expect(errorLines(compiled.validateStatus({ status: { phase: 'done' } }, {}))).toEqual([
      'status.phase: Too long: may not be more than 3 bytes',
    ]);
    expect(errorLines(compiled.validateStatus({ status: { phase: 1 } }, {}))).toEqual([
      'status.phase: Invalid value: "integer": phase in body must be of type string: "integer"',
    ]);
    expect(errorLines(compiled.validateStatus({ status: {} }, {}))).toEqual([
      'status.phase: Required value',
    ]);
  });
});
