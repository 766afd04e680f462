// What is dropped. `stored` is what a kube-apiserver 1.35 made of the same schema and object.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../meta.ts';
import type { OpenApiSchema } from '../open-api.ts';
import { compileSchema } from './validate.ts';

interface Row {
  readonly title: string;
  readonly schema: OpenApiSchema;
  readonly spec: Json;
  readonly stored: Json;
  readonly dropped: readonly string[];
}

const text = { type: 'string' } as const;
const known: OpenApiSchema = { type: 'object', properties: { a: text } };

const rows: readonly Row[] = [
  {
    title: 'fields that the schema does not know, at any depth',
    schema: {
      type: 'object',
      properties: { o: known, l: { type: 'array', items: known } },
    },
    spec: { o: { a: '1', b: '2' }, l: [{ a: '1' }, { c: { d: 1 } }], x: [1] },
    stored: { o: { a: '1' }, l: [{ a: '1' }, {}] },
    dropped: ['spec.o.b', 'spec.l[1].c', 'spec.x'],
  },
  {
    title: 'nothing where unknown fields are preserved, but inside known ones',
    schema: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { o: known },
    },
    spec: { o: { a: '1', b: '2' }, x: { y: 1 } },
    stored: { o: { a: '1' }, x: { y: 1 } },
    dropped: ['spec.o.b'],
  },
  {
    title: 'unknown fields of map values',
    schema: { type: 'object', additionalProperties: known },
    spec: { one: { a: '1' }, two: { a: '1', b: '2' } },
    stored: { one: { a: '1' }, two: { a: '1' } },
    dropped: ['spec.two.b'],
  },
  {
    title: 'unknown fields of embedded objects, but never their metadata',
    schema: {
      type: 'object',
      properties: {
        e: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: known } },
      },
    },
    spec: {
      e: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p', labels: { x: 'y' } },
        spec: { a: '1', b: '2' },
        status: {},
      },
    },
    stored: {
      e: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p', labels: { x: 'y' } },
        spec: { a: '1' },
      },
    },
    dropped: ['spec.e.spec.b', 'spec.e.status'],
  },
  {
    title: 'apiVersion, kind and metadata anywhere else',
    schema: { type: 'object', properties: { o: known } },
    spec: { o: { a: '1', kind: 'x', metadata: {} } },
    stored: { o: { a: '1' } },
    dropped: ['spec.o.kind', 'spec.o.metadata'],
  },
  {
    title: 'fields inside values that are freely named and of no type',
    schema: {
      type: 'object',
      properties: { m: { type: 'object', additionalProperties: true } },
    },
    spec: { m: { a: 1, b: { c: 2 } } },
    stored: { m: { a: 1, b: {} } },
    dropped: ['spec.m.b.c'],
  },
];

describe('drops', () => {
  test.each(rows)('$title', ({ schema, spec, stored, dropped }) => {
    const compiled = compileSchema({ type: 'object', properties: { spec: schema } });
    const heard: string[] = [];
    expect(compiled.prune({ spec }, (path) => heard.push(path))).toEqual({ spec: stored });
    expect(heard).toEqual(dropped);
  });
});

test('an object with nothing to drop is handed back itself', () => {
  const compiled = compileSchema({ type: 'object', properties: { spec: known } });
  const object = { kind: 'Widget', metadata: { name: 'w' }, spec: { a: '1' } };
  expect(compiled.prune(object)).toBe(object);
});

test('what is kept is shared, and what was handed in is not changed', () => {
  const compiled = compileSchema({
    type: 'object',
    properties: { spec: { type: 'object', properties: { o: known, p: known } } },
  });
  const object = { spec: { o: { a: '1' }, p: { b: '2' } } };
  const copy = structuredClone(object);
  const pruned = compiled.prune(object) as { spec: { o: object } };
  expect(pruned).toEqual({ spec: { o: { a: '1' }, p: {} } });
  expect(pruned.spec.o).toBe(object.spec.o);
  expect(object).toEqual(copy);
});

test('a field called __proto__ is a field like any other', () => {
  const compiled = compileSchema({
    type: 'object',
    properties: { spec: { type: 'object', additionalProperties: known } },
  });
  const object = JSON.parse('{"spec":{"__proto__":{"a":"1","b":"2"}}}') as Json;
  expect(JSON.stringify(compiled.prune(object))).toBe('{"spec":{"__proto__":{"a":"1"}}}');
});
