// What is filled in. `stored` is what a kube-apiserver 1.35 made of the same schema and object.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../meta.ts';
import type { OpenApiSchema } from '../open-api.ts';
import { compileSchema } from './validate.ts';

interface Row {
  readonly title: string;
  readonly schema: OpenApiSchema;
  readonly spec: Json;
  readonly stored: Json;
}

const one: OpenApiSchema = { type: 'integer', default: 1 };

const rows: readonly Row[] = [
  {
    title: 'a field that is missing, and not one that is there',
    schema: { type: 'object', properties: { a: one, b: one } },
    spec: { b: 0 },
    stored: { a: 1, b: 0 },
  },
  {
    title: 'fields of an object only where the object is there',
    schema: {
      type: 'object',
      properties: {
        there: { type: 'object', properties: { a: one } },
        absent: { type: 'object', properties: { a: one } },
      },
    },
    spec: { there: {} },
    stored: { there: { a: 1 } },
  },
  {
    title: 'fields of a default',
    schema: {
      type: 'object',
      properties: { o: { type: 'object', default: { b: 2 }, properties: { a: one, b: one } } },
    },
    spec: {},
    stored: { o: { a: 1, b: 2 } },
  },
  {
    title: 'fields of list items and map values',
    schema: {
      type: 'object',
      properties: {
        l: { type: 'array', items: { type: 'object', properties: { a: one } } },
        m: {
          type: 'object',
          additionalProperties: { type: 'object', properties: { a: one } },
        },
      },
    },
    spec: { l: [{}, { a: 2 }], m: { x: {} } },
    stored: { l: [{ a: 1 }, { a: 2 }], m: { x: { a: 1 } } },
  },
  {
    title: 'a null that may not be one, or drops it',
    schema: {
      type: 'object',
      properties: { a: one, b: { type: 'integer' }, c: { type: 'integer', nullable: true } },
    },
    spec: { a: null, b: null, c: null },
    stored: { a: 1, c: null },
  },
  {
    title: 'not a null that may be one',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer', nullable: true, default: 1 } },
    },
    spec: { a: null },
    stored: { a: null },
  },
  {
    title: 'null values of a map',
    schema: {
      type: 'object',
      properties: {
        plain: { type: 'object', additionalProperties: { type: 'integer' } },
        filled: { type: 'object', additionalProperties: one },
        nullable: { type: 'object', additionalProperties: { type: 'integer', nullable: true } },
      },
    },
    spec: { plain: { x: null, y: 2 }, filled: { x: null }, nullable: { x: null } },
    stored: { plain: { y: 2 }, filled: { x: 1 }, nullable: { x: null } },
  },
  {
    title: 'null items of a list that have a default',
    schema: { type: 'object', properties: { l: { type: 'array', items: one } } },
    spec: { l: [null, 2] },
    stored: { l: [1, 2] },
  },
];

describe('fills in', () => {
  test.each(rows)('$title', ({ schema, spec, stored }) => {
    const compiled = compileSchema({ type: 'object', properties: { spec: schema } });
    expect(compiled.applyDefaults({ spec })).toEqual({ spec: stored });
  });
});

test('an object with nothing missing is handed back itself', () => {
  const compiled = compileSchema({
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: one } } },
  });
  const object = { spec: { a: 5 } };
  expect(compiled.applyDefaults(object)).toBe(object);
});
