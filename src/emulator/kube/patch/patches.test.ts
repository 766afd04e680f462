import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../api/meta.ts';
import type { JsonObject } from '../json.ts';
import { checkObject } from '../schema/field-validation.ts';
import { TypeSchemas } from '../schema/type-schemas.ts';
import { applyJsonPatch } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';
import type { Outcome } from './refusal.ts';
import { applyStrategicMergePatch } from './strategic-merge.ts';

const name = fc.constantFrom('a', 'b', 'c', 'a/b', 'm~n');
const scalar = fc.oneof(fc.string({ maxLength: 3 }), fc.integer(), fc.boolean());
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const object = fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true });

function got<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  return outcome.value;
}

describe('a merge patch', () => {
  test('changes nothing the second time', () => {
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const once = applyMergePatch(target, patch);
        expect(applyMergePatch(once, patch)).toEqual(once);
      }),
    );
  });

  test('leaves alone what it does not name, and what it was handed', () => {
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const before = structuredClone(target);
        const patched = applyMergePatch(target, patch);
        expect(target).toEqual(before);
        const untouched = Object.keys(target).filter((key) => !Object.hasOwn(patch, key));
        for (const key of untouched) expect(patched[key]).toBe(target[key]);
      }),
    );
  });

  // The examples of RFC 7386.
  test.each<[JsonObject, JsonObject, JsonObject]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j with %j is %j', (target, patch, result) => {
    expect(applyMergePatch(target, patch)).toEqual(result);
  });
});

describe('a JSON patch', () => {
  test('that adds and removes leaves the object as it was', () => {
    fc.assert(
      fc.property(object, value, (target, added) => {
        const patched = applyJsonPatch(target, [
          { op: 'add', path: '/new', value: added },
          { op: 'test', path: '/new', value: added },
          { op: 'move', from: '/new', path: '/moved' },
          { op: 'copy', from: '/moved', path: '/copied' },
          { op: 'remove', path: '/moved' },
          { op: 'remove', path: '/copied' },
        ]);
        expect(got(patched)).toEqual(target);
      }),
    );
  });

  test('replaces every member by name, however it is spelled', () => {
    fc.assert(
      fc.property(object, (target) => {
        const operations = Object.keys(target).map((key) => ({
          op: 'replace',
          path: `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
          value: 'new',
        }));
        const expected = Object.fromEntries(Object.keys(target).map((key) => [key, 'new']));
        expect(got(applyJsonPatch(target, operations))).toEqual(expected);
      }),
    );
  });

  test('is done whole or not at all, and never in place', () => {
    const target = { a: [1, 2] };
    const outcome = applyJsonPatch(target, [
      { op: 'remove', path: '/a/0' },
      { op: 'test', path: '/a', value: [1] },
    ]);
    expect(outcome).toMatchObject({ ok: false, refusal: { code: 422 } });
    expect(target).toEqual({ a: [1, 2] });
  });

  test('has a largest number of operations', () => {
    const operations = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/a', value: 1 }));
    expect(applyJsonPatch({ a: 1 }, operations)).toMatchObject({
      ok: false,
      refusal: {
        code: 413,
        message:
          'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
      },
    });
    expect(applyJsonPatch({ a: 1 }, operations.slice(1))).toMatchObject({ ok: true });
  });
});

describe('a strategic merge patch', () => {
  const pod = { group: '', version: 'v1', kind: 'Pod' };
  const schema = new TypeSchemas().lookup(pod)!;
  const patch = (target: JsonObject, change: JsonObject): Outcome<JsonObject> =>
    applyStrategicMergePatch({ object: target, patch: change, schema });
  const containers = (...names: readonly string[]): JsonObject => ({
    spec: { containers: names.map((one) => ({ name: one, image: 'i' })) },
  });
  const namesOf = (outcome: Outcome<JsonObject>): Json[] =>
    (got(outcome) as { spec: { containers: { name: string }[] } }).spec.containers.map(
      (one) => one.name,
    );

  test('that is empty is no change', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom('a', 'b', 'c')), (names) => {
        const target = containers(...names);
        expect(got(patch(target, {}))).toEqual(target);
        expect(got(patch(target, { spec: {} }))).toEqual(target);
        expect(got(patch(target, { spec: { containers: [] } }))).toEqual(target);
      }),
    );
  });

  test.each<[string, JsonObject, readonly string[]]>([
    [
      'adds new items in front of those it does not name',
      { containers: [{ name: 'z' }] },
      ['z', 'a', 'b', 'c'],
    ],
    [
      'keeps the place of items it names',
      { containers: [{ name: 'b', image: 'j' }] },
      ['a', 'b', 'c'],
    ],
    ['deletes by key', { containers: [{ name: 'b', $patch: 'delete' }] }, ['a', 'c']],
    ['replaces the list', { containers: [{ $patch: 'replace' }, { name: 'z' }] }, ['z']],
    ['orders', { '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }] }, ['b', 'c', 'a']],
    [
      'orders what it adds',
      {
        '$setElementOrder/containers': [{ name: 'a' }, { name: 'z' }, { name: 'b' }, { name: 'c' }],
        containers: [{ name: 'z' }],
      },
      ['a', 'z', 'b', 'c'],
    ],
  ])('%s', (_, spec, names) => {
    expect(namesOf(patch(containers('a', 'b', 'c'), { spec }))).toEqual(names);
  });

  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'lists of texts merge by value',
      { metadata: { finalizers: ['a', 'b'] } },
      { metadata: { finalizers: ['b', 'c'] } },
      { metadata: { finalizers: ['a', 'b', 'c'] } },
    ],
    [
      'and lose what the patch deletes',
      { metadata: { finalizers: ['a', 'b'] } },
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
      { metadata: { finalizers: ['b'] } },
    ],
    [
      'lists without a key are replaced',
      { spec: { tolerations: [{ key: 'a' }] } },
      { spec: { tolerations: [{ key: 'b' }] } },
      { spec: { tolerations: [{ key: 'b' }] } },
    ],
    [
      'only the keys to retain stay',
      { spec: { volumes: [{ name: 'v', emptyDir: {} }] } },
      {
        spec: {
          volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'c' } }],
        },
      },
      { spec: { volumes: [{ name: 'v', configMap: { name: 'c' } }] } },
    ],
    [
      'a map is replaced on demand',
      { metadata: { labels: { a: '1', b: '2' } } },
      { metadata: { labels: { $patch: 'replace', c: '3' } } },
      { metadata: { labels: { c: '3' } } },
    ],
    [
      'or emptied',
      { metadata: { labels: { a: '1' } } },
      { metadata: { labels: { $patch: 'delete' } } },
      { metadata: { labels: {} } },
    ],
    [
      'null removes, also in what is new',
      { metadata: { labels: { a: '1' } } },
      { metadata: { labels: null, annotations: { x: null, y: '1' } } },
      { metadata: { annotations: { y: '1' } } },
    ],
  ])('%s', (_, target, change, result) => {
    expect(got(patch(target, change))).toEqual(result);
  });

  test.each<[JsonObject, number, string]>([
    [
      { spec: { containers: [{ image: 'x' }] } },
      500,
      'map: map[image:x] does not contain declared merge key: name',
    ],
    [
      { spec: { containers: [{ name: 'a', $patch: 'merge' }] } },
      500,
      'merging lists cannot yet be specified in the patch',
    ],
    [{ metadata: { $patch: 'foo' } }, 500, 'unknown patch type: foo in map: map[$patch:foo]'],
    [{ metadata: { $retainKeys: 'a' } }, 400, 'invalid patch format of retainKeys'],
    [{ spec: { $setElementOrder: [] } }, 400, 'invalid patch format of setElementOrder list'],
    [{ spec: { $deleteFromPrimitiveList: [] } }, 400, 'invalid patch format of primitive list'],
    [
      { spec: { '$setElementOrder/containers': 'x' } },
      500,
      'expected a []interface {}, but received a string',
    ],
    [
      { spec: { containers: ['x'] } },
      500,
      'list element types are not identical: [[map[image:i name:a]] [x]]',
    ],
  ])('is refused when it makes no sense: %j', (change, code, message) => {
    const target = { metadata: {}, ...containers('a') };
    expect(patch(target, change)).toEqual({
      ok: false,
      refusal: { code, reason: code === 400 ? 'BadRequest' : '', message },
    });
  });

  test('keeps directives of new items for the decoder to drop', () => {
    const change = {
      spec: { containers: [{ name: 'z', env: [{ name: 'A', $patch: 'delete' }] }] },
    };
    const patched = got(patch(containers('a'), change));
    const decoded = got(checkObject({ schema, kind: pod, custom: false, object: patched }));
    expect(decoded.object).toMatchObject({
      spec: { containers: [{ name: 'z', env: [{ name: 'A' }] }, { name: 'a' }] },
    });
    expect(JSON.stringify(decoded.object)).not.toContain('$patch');
  });
});
