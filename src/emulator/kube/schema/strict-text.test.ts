import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from './strict-json.ts';
import { readYaml } from './strict-yaml.ts';
import { TypeSchemas } from './type-schemas.ts';

function throwsSyntaxError(run: () => unknown): boolean {
  try {
    run();
    return false;
  } catch (error) {
    return error instanceof SyntaxError;
  }
}

describe('strict JSON', () => {
  test('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(readJson(text)).toEqual({ value: JSON.parse(text) as unknown, problems: [] });
      }),
    );
  });

  test('refuses what JSON.parse refuses', () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', '\\', '-', 'x', ':'))
      .map(
        ([text, at, piece]) =>
          text.slice(0, at % text.length) + piece + text.slice((at % text.length) + 1),
      );
    fc.assert(
      fc.property(broken, (text) => {
        expect(throwsSyntaxError(() => readJson(text))).toBe(
          throwsSyntaxError(() => JSON.parse(text)),
        );
      }),
    );
  });

  test('keeps the last of equal fields, and names every repetition', () => {
    expect(readJson('{"a":1,"b":{"c":1,"c":2},"a":[{"d":1,"d":2}]}')).toEqual({
      value: { a: [{ d: 2 }], b: { c: 2 } },
      problems: ['duplicate field "b.c"', 'duplicate field "a"', 'duplicate field "a[0].d"'],
    });
  });

  test('says nothing about what stands below an unknown field', () => {
    const pod = new TypeSchemas().lookup({ group: '', version: 'v1', kind: 'Pod' })!;
    expect(readJson('{"odd":{"a":1,"a":2},"spec":{"nodeName":"n"}}', pod)).toEqual({
      value: { spec: { nodeName: 'n' } },
      problems: ['unknown field "odd"'],
    });
  });

  test('stops counting at a hundred problems', () => {
    const text = `{${Array.from({ length: 200 }, () => '"a":1').join(',')}}`;
    expect(readJson(text).problems).toHaveLength(100);
  });

  test('takes a field named __proto__ for a field', () => {
    const { value } = readJson('{"__proto__":{"a":1}}');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect((value as { a?: number }).a).toBeUndefined();
  });
});

describe('YAML of the server', () => {
  test.each([
    ['a: yes', { a: true }],
    ['a: "yes"', { a: 'yes' }],
    ['a: off', { a: false }],
    ['a: 010', { a: 8 }],
    ['a: 1:30', { a: '1:30' }],
    ['a: 2001-01-01', { a: '2001-01-01' }],
    ['a: ~', { a: null }],
    ['1: a\ntrue: b', { '1': 'a', true: 'b' }],
    ['a: &x {b: 1}\nc: *x', { a: { b: 1 }, c: { b: 1 } }],
    ['a: &x {b: 1}\nc: {<<: *x, d: 2}', { a: { b: 1 }, c: { b: 1, d: 2 } }],
    ['--- \na: b\n---\nc: d', { a: 'b' }],
    ['', null],
    ['# nothing', null],
  ])('%j', (text, value) => {
    expect(readYaml(text)).toEqual({ value, duplicates: [] });
  });

  test('names the lines of keys that come twice, and keeps the last', () => {
    expect(readYaml('a: 1\nb:\n  c: 1\n  c: 2\na: 3')).toEqual({
      value: { a: 3, b: { c: 2 } },
      duplicates: ['line 4: key "c" already set in map', 'line 5: key "a" already set in map'],
    });
  });

  test('says in which line it went wrong', () => {
    expect(() => readYaml('a: b\nc: [d')).toThrow(/^yaml: line \d: /);
  });
});
