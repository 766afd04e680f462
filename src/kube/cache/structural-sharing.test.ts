import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deepFreeze } from './prepare-object.ts';
import { share } from './structural-sharing.ts';

describe('sharing between versions', () => {
  test('keeps what did not change, and only that', () => {
    const before = {
      metadata: { name: 'a', labels: { x: 'y' } },
      spec: { list: [1], size: 1 },
      status: {},
    };
    const after = {
      metadata: { name: 'b', labels: { x: 'y' } },
      spec: { list: [1], size: 1 },
      status: { a: 1 },
    };
    const shared = share<typeof after>(before as typeof after, after);
    expect(shared).toEqual(after);
    expect([
      shared.spec === before.spec,
      shared.metadata.labels === before.metadata.labels,
      shared.status === after.status,
    ]).toEqual([true, true, true]);
  });

  test.each<[string, object, object]>([
    ['a member less', { p: { a: 1, b: 2 } }, { p: { a: 1 } }],
    ['a member more', { p: { a: 1 } }, { p: { a: 1, b: 2 } }],
    ['a member of another name', { p: { a: 1 } }, { p: { b: 1 } }],
    ['a shorter list', { p: [1, 2] }, { p: [1] }],
    ['a list for an object', { p: {} }, { p: [] }],
    ['an object for a list', { p: [] }, { p: {} }],
    ['something for null', { p: null }, { p: {} }],
    ['null for something', { p: {} }, { p: null }],
  ])('%s is a change', (_, before, after) => {
    expect(share<object>(before, after)).toBe(after);
  });

  test('what is inherited is no part of the old version', () => {
    const odd = JSON.parse('{"__proto__":{},"constructor":{}}') as object;
    expect(share({}, odd)).toBe(odd);
  });

  test('gives the new version for any two, and changes neither', () => {
    const object = fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue());
    fc.assert(
      fc.property(object, object, (before, after) => {
        const expected = structuredClone(after);
        expect(share<unknown>(deepFreeze(before), deepFreeze(after))).toEqual(expected);
        expect(share<unknown>(before, structuredClone(before))).toEqual(before);
      }),
    );
  });
});
