import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergePatch, patchBody } from './patch.ts';

const metadata = { name: 'a', resourceVersion: '7' };

function patched(before: object, after: object, lock = false): unknown {
  const patch = mergePatch({ metadata, ...before }, { metadata, ...after }, { lock });
  return patch === undefined ? undefined : patchBody(patch);
}

describe('merge patch', () => {
  test.each<[string, object, object, unknown]>([
    ['nothing for equal objects', { spec: { a: [1] } }, { spec: { a: [1] } }, undefined],
    ['only what changed', { spec: { a: 1, b: 2 } }, { spec: { a: 1, b: 3 } }, { spec: { b: 3 } }],
    ['null for what is gone', { spec: { a: 1, b: 2 } }, { spec: { a: 1 } }, { spec: { b: null } }],
    ['a list whole', { l: [1, 2] }, { l: [1, 2, 3] }, { l: [1, 2, 3] }],
    ['an object for a scalar', { a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
    ['an empty object that is new', {}, { status: {} }, { status: {} }],
    ['nothing for undefined members', { a: undefined }, { b: undefined }, undefined],
    ['no null inside what is new', {}, { a: { b: undefined, c: 1 } }, { a: { c: 1 } }],
  ])('holds %s', (_, before, after, expected) => {
    expect(patched(before, after)).toEqual(expected);
  });

  test('names the version it was made from only when locked, and only when there is something to write', () => {
    const change = [{ spec: { a: 1 } }, { spec: { a: 2 } }] as const;
    expect(patched(...change)).toEqual({ spec: { a: 2 } });
    expect(patched(...change, true)).toEqual({
      metadata: { resourceVersion: '7' },
      spec: { a: 2 },
    });
    expect(patched({}, {}, true)).toBeUndefined();
  });

  test('keeps changes of metadata beside the lock', () => {
    const after = { metadata: { ...metadata, finalizers: ['x'] } };
    expect(patched({}, after, true)).toEqual({
      metadata: { finalizers: ['x'], resourceVersion: '7' },
    });
  });

  test('does not write a version that the server changed meanwhile', () => {
    expect(patched({}, { metadata: { ...metadata, resourceVersion: '9' } })).toBeUndefined();
  });

  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('a', 1, true),
      fc.array(tie('node'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('node'), { maxKeys: 3 }),
    ),
  })).node;
  const document = fc.dictionary(fc.constantFrom('spec', 'status', 'x'), value);

  test('applied to the one object gives the other', () => {
    fc.assert(
      fc.property(document, document, (before, after) => {
        const body = patched(before, after);
        expect(applyMerge({ metadata, ...before }, body ?? {})).toEqual({ metadata, ...after });
      }),
    );
  });
});

/** RFC 7386, section 2, written down once more to check against. */
function applyMerge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target);
  const result = new Map(Object.entries(isObject ? target : {}));
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) result.delete(key);
    else result.set(key, applyMerge(result.get(key), change));
  }
  return Object.fromEntries(result);
}
