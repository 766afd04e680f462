import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../api/meta.ts';
import { FieldSet, type Path } from './field-set.ts';
import {
  canonicalElement,
  compareElements,
  keyElement,
  pathText,
  valueElement,
} from './path-element.ts';

const element = fc.oneof(
  fc.constantFrom('f:a', 'f:b', 'f:c', 'f:x.io/a<b>'),
  fc.constantFrom<Json>('x', 'y', 1, true).map((value) => keyElement([['name', value]])),
  fc.constantFrom<Json>('x', 2, false).map(valueElement),
);
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const fieldSet = fc.array(path, { maxLength: 8 }).map((paths) => FieldSet.of(...paths));

function texts(set: FieldSet): string[] {
  return [...set.paths()].map((one) => JSON.stringify(one)).toSorted();
}

describe('a set of fields', () => {
  test('survives being written down and read again', () => {
    fc.assert(
      fc.property(fieldSet, (set) => {
        const read = FieldSet.decode(set.encode());
        expect(read.equals(set)).toBe(true);
        expect(JSON.stringify(read.encode())).toBe(JSON.stringify(set.encode()));
      }),
    );
  });

  test('behaves as a plain set of paths', () => {
    fc.assert(
      fc.property(fieldSet, fieldSet, (a, b) => {
        const left = new Set(texts(a));
        const right = new Set(texts(b));
        expect(texts(a.union(b))).toEqual([...left.union(right)].toSorted());
        expect(texts(a.intersection(b))).toEqual([...left.intersection(right)].toSorted());
        expect(texts(a.difference(b))).toEqual([...left.difference(right)].toSorted());
        expect(a.union(b).equals(b.union(a))).toBe(true);
        expect(a.difference(a).isEmpty).toBe(true);
      }),
    );
  });

  test('says of each path whether it is a member', () => {
    fc.assert(
      fc.property(fieldSet, path, (set, one) => {
        expect(set.has(one)).toBe(texts(set).includes(JSON.stringify(one)));
      }),
    );
  });

  test('gives itself back when an operation changes nothing', () => {
    const set = FieldSet.of(['f:a', 'f:b'], ['f:c']);
    expect(set.union(FieldSet.of(['f:c']))).toBe(set);
    expect(set.difference(FieldSet.of(['f:a']))).toBe(set);
    expect(set.encode()).toBe(set.encode());
  });

  test('loses whole trees, or single members', () => {
    const set = FieldSet.of(['f:a'], ['f:a', 'f:b'], ['f:c']);
    const gone = FieldSet.of(['f:a']);
    expect(texts(set.difference(gone))).toEqual(['["f:a","f:b"]', '["f:c"]']);
    expect(texts(set.differenceOfTrees(gone))).toEqual(['["f:c"]']);
  });

  test('is written in the order of the server, with a dot for members that have children', () => {
    const paths: readonly Path[] = [
      ['f:z'],
      [valueElement('b')],
      [valueElement(2)],
      [keyElement([['name', 'y']])],
      [keyElement([['name', 'x']]), 'f:q'],
      [keyElement([['name', 'x']])],
      ['f:a', 'f:b'],
    ];
    expect(JSON.stringify(FieldSet.of(...paths).encode())).toBe(
      JSON.stringify({
        'f:a': { 'f:b': {} },
        'f:z': {},
        'k:{"name":"x"}': { '.': {}, 'f:q': {} },
        'k:{"name":"y"}': {},
        'v:2': {},
        'v:"b"': {},
      }),
    );
  });

  test('ignores steps of a sort that it does not know, and refuses nonsense', () => {
    expect(texts(FieldSet.decode({ 'q:new': {}, 'f:a': {} }))).toEqual(['["f:a"]']);
    expect(() => FieldSet.decode({ nonsense: {} })).toThrow(SyntaxError);
    expect(() => FieldSet.decode({ 'k:3': {} })).toThrow(SyntaxError);
    expect(() => FieldSet.decode({ 'i:x': {} })).toThrow(SyntaxError);
  });
});

describe('a step of a path', () => {
  test.each([
    ['k:{"protocol":"TCP","port":80}', 'k:{"port":80,"protocol":"TCP"}'],
    ['v: "a"', 'v:"a"'],
    ['i:03', 'i:3'],
    ['f:a b', 'f:a b'],
  ])('%s has one form: %s', (written, canonical) => {
    expect(canonicalElement(written)).toBe(canonical);
  });

  test('is shown as messages show it', () => {
    const steps = [
      'f:spec',
      keyElement([
        ['port', 80],
        ['name', 'a"b'],
      ]),
      'f:x',
      valueElement('v'),
      'i:2',
    ];
    expect(pathText(steps)).toBe(String.raw`.spec[name="a\"b",port=80].x[="v"][2]`);
  });

  test('has characters of markup escaped, as the server writes them', () => {
    expect(valueElement('<a&b>')).toBe(String.raw`v:"\u003ca\u0026b\u003e"`);
  });

  test('is ordered totally', () => {
    fc.assert(
      fc.property(element, element, (a, b) => {
        expect(Math.sign(compareElements(a, b))).toBe(-Math.sign(compareElements(b, a)) + 0);
        expect(compareElements(a, b) === 0).toBe(a === b);
      }),
    );
  });
});
