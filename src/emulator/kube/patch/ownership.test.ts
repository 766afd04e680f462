import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../api/meta.ts';
import { type JsonObject, objectAt, withValue } from '../json.ts';
import { TypeSchemas } from '../schema/type-schemas.ts';
import { type ApplyContext, applyConfiguration } from './apply.ts';
import type { FieldFilter } from './field-manager.ts';
import { decodeManagers, type Manager, managedFieldsOf } from './managed-fields.ts';
import { pathText } from './path-element.ts';
import type { Outcome } from './refusal.ts';
import { ownableFields } from './reset-fields.ts';
import { differsOnlyInManagerTimes, trackUpdate } from './track-update.ts';

const schemas = new TypeSchemas();
const kinds: Readonly<Record<string, string>> = { Deployment: 'apps', Pod: '', ConfigMap: '' };

interface Writer {
  readonly kind?: string;
  readonly manager?: string;
  readonly second?: number;
  readonly subresource?: string;
  readonly ownable?: FieldFilter;
  readonly apiVersion?: string;
}

function contextOf({
  kind = 'ConfigMap',
  manager = 'm',
  second = 1,
  subresource = '',
  ...rest
}: Writer) {
  const group = kinds[kind] ?? '';
  return {
    schema: schemas.lookup({ group, version: 'v1', kind })!,
    apiVersion: group === '' ? 'v1' : `${group}/v1`,
    kind,
    manager,
    subresource,
    time: `2026-01-01T00:00:0${second}Z`,
    ...rest,
  };
}

/** As the store would: an object that was created has a uid. */
function stored(object: JsonObject): JsonObject {
  return withValue(object, ['metadata', 'uid'], 'u');
}

function write(writer: Writer, live: JsonObject | undefined, updated: JsonObject): JsonObject {
  return stored(trackUpdate({ ...contextOf(writer), live, updated }));
}

function tryApply(
  writer: Writer,
  live: JsonObject | undefined,
  configuration: JsonObject,
  options: Partial<ApplyContext> = {},
): Outcome<JsonObject> {
  const context = contextOf(writer);
  const applied = {
    apiVersion: context.apiVersion,
    kind: context.kind,
    metadata: { name: 'a' },
    ...configuration,
  };
  return applyConfiguration({ ...context, live, applied, force: false, ...options });
}

function apply(
  writer: Writer,
  live: JsonObject | undefined,
  configuration: JsonObject,
  options: Partial<ApplyContext> = {},
): JsonObject {
  const outcome = tryApply(writer, live, configuration, options);
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  return stored(outcome.value);
}

function managersOf(object: JsonObject): Manager[] {
  return [...decodeManagers(managedFieldsOf(object))!.values()];
}

/** `m Apply 1: .data.a` per manager. */
function owners(object: JsonObject): string[] {
  return managersOf(object).map(({ name, operation, time, fields }) => {
    const paths = [...fields.paths()].map(pathText).toSorted().join(' ');
    return `${name} ${operation} ${time?.at(-2) ?? '-'}: ${paths}`;
  });
}

const data = (values: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: 'a', ...metadata },
  data: values,
});

describe('an ordinary write', () => {
  test('makes the writer the owner of what it creates', () => {
    const created = write({ manager: 'm' }, undefined, data({ a: '1' }, { labels: { x: 'y' } }));
    expect(owners(created)).toEqual([
      'm Update 1: .data .data.a .metadata.labels .metadata.labels.x',
    ]);
  });

  test('takes what it changes from the others, and drops owners of what is gone', () => {
    const created = write({ manager: 'one' }, undefined, data({ a: '1', b: '1' }));
    const changed = write(
      { manager: 'two', second: 2 },
      created,
      withValue(created, ['data', 'a'], '2'),
    );
    expect(owners(changed)).toEqual(['one Update 1: .data .data.b', 'two Update 2: .data.a']);
    const emptied = write(
      { manager: 'three', second: 3 },
      changed,
      withValue(changed, ['data'], undefined),
    );
    expect(owners(emptied)).toEqual([]);
  });

  test('changes neither owners nor times when it changes nothing', () => {
    const created = write({ second: 1 }, undefined, data({ a: '1' }));
    const again = trackUpdate({
      ...contextOf({ second: 5 }),
      live: created,
      updated: structuredClone(created),
    });
    expect(again).toEqual(created);
    expect(managedFieldsOf(again)).toEqual(managedFieldsOf(created));
  });

  test('moves the time of its manager only when it takes a field', () => {
    const created = write({ manager: 'm', second: 1 }, undefined, data({ a: '1', b: '1' }));
    const removed = write(
      { manager: 'm', second: 2 },
      created,
      withValue(created, ['data', 'b'], undefined),
    );
    expect(owners(removed)).toEqual(['m Update 1: .data .data.a']);
    const changed = write(
      { manager: 'm', second: 3 },
      removed,
      withValue(removed, ['data', 'a'], '2'),
    );
    expect(owners(changed)).toEqual(['m Update 3: .data .data.a']);
  });

  test('has no owner of identity and bookkeeping', () => {
    const metadata = {
      namespace: 'n',
      generation: 3,
      uid: 'u',
      resourceVersion: '7',
      creationTimestamp: null,
    };
    expect(owners(write({}, undefined, data({ a: '1' }, metadata)))).toEqual([
      'm Update 1: .data .data.a',
    ]);
  });

  test('through status owns status alone, under its own entry', () => {
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    const pod = { metadata: { name: 'a' }, spec };
    const main = ownableFields({ group: '', resource: 'pods', subresource: '' });
    const created = write({ kind: 'Pod', ownable: main }, undefined, {
      ...pod,
      status: { phase: 'Pending' },
    });
    const ownable = ownableFields({ group: '', resource: 'pods', subresource: 'status' });
    const writer = { kind: 'Pod', manager: 'k', subresource: 'status', second: 2, ownable };
    const reported = write(writer, created, {
      ...created,
      spec: { ...spec, hostNetwork: true },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    });
    expect(owners(reported)).toEqual([
      'm Update 1: .spec.containers[name="c"] .spec.containers[name="c"].image .spec.containers[name="c"].name',
      'k Update 2: .status.conditions .status.conditions[type="Ready"] .status.conditions[type="Ready"].status .status.conditions[type="Ready"].type .status.phase',
    ]);
    expect(managedFieldsOf(reported)).toMatchObject([{}, { subresource: 'status' }]);
  });

  test.each<[string, Json, readonly string[]]>([
    ['an empty list', [], []],
    ['one empty entry', [{}], []],
    ['nonsense', [{ manager: 'x', operation: 'Apply' }], ['m Update 1: .data .data.a']],
    ['null', null, ['m Update 1: .data .data.a']],
    [
      'other entries',
      [
        {
          manager: 'x',
          operation: 'Update',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { 'f:a': {} } },
        },
      ],
      ['x Update -: .data.a'],
    ],
  ])('may hand managedFields in: %s', (_, managedFields, expected) => {
    const created = write({}, undefined, data({ a: '1' }));
    const updated = withValue(created, ['metadata', 'managedFields'], managedFields);
    expect(owners(write({ second: 2 }, created, updated))).toEqual(expected);
  });

  test('does not start to track an object that was reset', () => {
    const created = write({}, undefined, data({ a: '1' }));
    const reset = write({}, created, withValue(created, ['metadata', 'managedFields'], []));
    expect(owners(write({}, reset, withValue(reset, ['data', 'a'], '2')))).toEqual([]);
  });

  test('by an eleventh manager makes one of the two oldest', () => {
    let object = write({ manager: 'm0', second: 0 }, undefined, data({ m0: '1' }));
    for (let index = 1; index < 11; index++) {
      const updated = withValue(object, ['data', `m${index}`], '1');
      object = write({ manager: `m${index}`, second: index % 10 }, object, updated);
    }
    const names = managersOf(object).map((manager) => manager.name);
    expect(names).toHaveLength(10);
    expect(owners(object)[0]).toBe('ancient-changes Update 0: .data .data.m0 .data.m10');
  });

  test('takes the fields of versions that are gone', () => {
    const created = write({ manager: 'old', apiVersion: 'v0' }, undefined, data({ a: '1' }));
    const context = {
      ...contextOf({ manager: 'new' }),
      hasVersion: (version: string) => version === 'v1',
    };
    const updated = trackUpdate({
      ...context,
      live: created,
      updated: withValue(created, ['data', 'b'], '1'),
    });
    expect(owners(updated)).toEqual(['new Update 1: .data.b']);
  });

  test('that differs only in the times of managers is no write', () => {
    const created = write({ second: 1 }, undefined, data({ a: '1' }));
    const later = write({ second: 2 }, undefined, data({ a: '1' }));
    expect(differsOnlyInManagerTimes(created, later)).toBe(true);
    expect(differsOnlyInManagerTimes(created, withValue(later, ['data', 'a'], '2'))).toBe(false);
    expect(
      differsOnlyInManagerTimes(created, write({ manager: 'other' }, undefined, data({ a: '1' }))),
    ).toBe(false);
  });
});

describe('server-side apply', () => {
  test('owns exactly what it applies, and removes what it no longer applies', () => {
    const created = apply({}, undefined, { data: { a: '1', b: '1' } });
    expect(owners(created)).toEqual(['m Apply 1: .data.a .data.b']);
    const fewer = apply({ second: 2 }, created, { data: { a: '1' } });
    expect(fewer['data']).toEqual({ a: '1' });
    expect(owners(fewer)).toEqual(['m Apply 2: .data.a']);
  });

  test('keeps what another owns too', () => {
    const created = apply({ manager: 'one' }, undefined, { data: { a: '1' } });
    const shared = apply({ manager: 'two', second: 2 }, created, { data: { a: '1' } });
    // It changed nothing, so it has no time of its own.
    expect(owners(shared)).toEqual(['two Apply -: .data.a', 'one Apply 1: .data.a']);
    const left = apply({ manager: 'one', second: 3 }, shared, {});
    expect(left['data']).toEqual({ a: '1' });
    expect(owners(left)).toEqual(['two Apply -: .data.a']);
  });

  test('names one conflict in a line, and several by manager', () => {
    const created = write({ manager: 'one' }, undefined, data({ a: '1' }));
    const two = apply({ manager: 'two', second: 2 }, created, { data: { b: '1', c: '1' } });
    expect(tryApply({ manager: 'three' }, two, { data: { a: '2' } })).toEqual({
      ok: false,
      refusal: {
        code: 409,
        reason: 'Conflict',
        message: 'Apply failed with 1 conflict: conflict with "one" using v1: .data.a',
        causes: [
          {
            reason: 'FieldManagerConflict',
            message: 'conflict with "one" using v1',
            field: '.data.a',
          },
        ],
      },
    });
    expect(tryApply({ manager: 'three' }, two, { data: { a: '2', b: '2', c: '2' } })).toMatchObject(
      {
        refusal: {
          message:
            'Apply failed with 3 conflicts: conflicts with "one" using v1:\n- .data.a\nconflicts with "two":\n- .data.b\n- .data.c',
        },
      },
    );
  });

  test('by force takes the fields, and only those', () => {
    const created = write({ manager: 'one' }, undefined, data({ a: '1', b: '1' }));
    const forced = apply(
      { manager: 'two', second: 2 },
      created,
      { data: { a: '2' } },
      { force: true },
    );
    expect(forced['data']).toEqual({ a: '2', b: '1' });
    expect(owners(forced)).toEqual(['two Apply 2: .data.a', 'one Update 1: .data .data.b']);
  });

  test('says through which subresource a conflict is', () => {
    const writer = { kind: 'Pod', subresource: 'status', manager: 'k' };
    const pod = { metadata: { name: 'a' }, spec: {}, status: { phase: 'Running' } };
    const created = write(writer, undefined, pod);
    expect(
      tryApply({ kind: 'Pod', manager: 'x' }, created, { status: { phase: 'Failed' } }),
    ).toMatchObject({
      refusal: {
        message:
          'Apply failed with 1 conflict: conflict with "k" with subresource "status" using v1: .status.phase',
      },
    });
  });

  test('gives the fields of an untracked object to a manager of the past', () => {
    const untracked = stored(data({ a: '1' }));
    expect(tryApply({}, untracked, { data: { a: '2' } })).toMatchObject({
      refusal: {
        message:
          'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a',
      },
    });
    const applied = apply({ second: 2 }, untracked, { data: { b: '1' } });
    expect(owners(applied)).toEqual([
      'm Apply 2: .data.b',
      'before-first-apply Update 2: .data .data.a',
    ]);
  });

  test('merges keyed lists item by item, with the defaults of keys', () => {
    const spec = (...ports: readonly JsonObject[]): JsonObject => ({
      spec: { containers: [{ name: 'c', ports }] },
    });
    const created = apply({ kind: 'Pod', manager: 'one' }, undefined, spec({ containerPort: 80 }));
    const both = apply(
      { kind: 'Pod', manager: 'two', second: 2 },
      created,
      spec(
        { containerPort: 80, protocol: 'UDP' },
        { containerPort: 80, protocol: 'TCP', name: 'http' },
      ),
    );
    expect(both['spec']).toEqual({
      containers: [
        {
          name: 'c',
          ports: [
            { containerPort: 80, protocol: 'UDP' },
            { containerPort: 80, protocol: 'TCP', name: 'http' },
          ],
        },
      ],
    });
    const left = apply({ kind: 'Pod', manager: 'two', second: 3 }, both, {
      spec: { containers: [{ name: 'c' }] },
    });
    expect(left['spec']).toEqual({
      containers: [{ name: 'c', ports: [{ containerPort: 80 }] }],
    });
  });

  test.each<[readonly string[], readonly string[], readonly string[]]>([
    [
      ['a', 'b', 'c'],
      ['c', 'a'],
      ['b', 'c', 'a'],
    ],
    [
      ['a', 'b'],
      ['x', 'a'],
      ['x', 'a', 'b'],
    ],
    [
      ['b', 'a', 'x'],
      ['a', 'b', 'n'],
      ['a', 'x', 'b', 'n'],
    ],
    [['a', 'b'], ['x'], ['a', 'b', 'x']],
    [[], ['b', 'a'], ['b', 'a']],
  ])('of a set %j with %j leaves %j', (live, applied, result) => {
    const created = write({ manager: 'one' }, undefined, data({}, { finalizers: live }));
    const after = apply({ manager: 'two' }, created, {
      metadata: { name: 'a', finalizers: applied },
    });
    expect(objectAt(after, 'metadata')?.['finalizers']).toEqual(result);
  });

  test.each<[string, JsonObject, number, string]>([
    ['another kind', { kind: 'Secret' }, 400, 'invalid object type: /v1, Kind=Secret'],
    [
      'another version',
      { apiVersion: 'apps/v2' },
      400,
      'invalid object type: apps/v2, Kind=ConfigMap',
    ],
    [
      'managedFields',
      { metadata: { managedFields: [] } },
      400,
      'metadata.managedFields must be nil',
    ],
    [
      'unknown fields',
      { bar: 1 },
      500,
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .bar: field not declared in schema',
    ],
    [
      'several misfits',
      { immutable: 'x', data: { a: 1 } },
      500,
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): errors:\n  .data.a: expected string, got &value.valueUnstructured{Value:1}\n  .immutable: expected boolean, got &{x}',
    ],
  ])('refuses %s', (_, configuration, code, message) => {
    expect(tryApply({}, undefined, configuration)).toMatchObject({
      ok: false,
      refusal: { code, message },
    });
  });

  test('by kubectl takes over what its client-side apply had set', () => {
    const lastApplied = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {},
      data: { a: '1', b: '1' },
    });
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': lastApplied };
    const live = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      ...data({ a: '1', b: '2' }, { annotations }),
    };
    const created = write({ manager: 'kubectl-client-side-apply' }, undefined, live);
    const taken = apply({ manager: 'kubectl', second: 2 }, created, { data: { a: '3' } });
    expect(taken['data']).toEqual({ a: '3', b: '2' });
    expect(objectAt(taken, 'metadata', 'annotations')).toEqual({
      'kubectl.kubernetes.io/last-applied-configuration':
        '{"apiVersion":"v1","data":{"a":"3"},"kind":"ConfigMap","metadata":{"name":"a"}}\n',
    });
    // What was changed since is another's.
    expect(tryApply({ manager: 'kubectl' }, created, { data: { a: '3', b: '3' } })).toMatchObject({
      refusal: {
        message: expect.stringContaining(
          '1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.b',
        ),
      },
    });
    expect(tryApply({ manager: 'other' }, created, { data: { a: '3' } })).toMatchObject({
      ok: false,
    });
  });
});

const values = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2'), {
  noNullPrototype: true,
});
const configuration = fc.record({
  data: values,
  metadata: fc.record({
    name: fc.constant('a'),
    labels: values,
    finalizers: fc.uniqueArray(fc.constantFrom('x/a', 'x/b', 'x/c')),
  }),
});
const steps = fc.array(
  fc.record({
    manager: fc.constantFrom('one', 'two', 'three'),
    configuration,
    isApply: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
);

type Story = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** The object after all writers had their turn, by force. */
function told(story: Story): JsonObject {
  let live: JsonObject | undefined;
  for (const [index, step] of story.entries()) {
    const writer = { manager: step.manager, second: index };
    live = step.isApply
      ? apply(writer, live, step.configuration, { force: true })
      : write(writer, live, {
          ...live,
          ...step.configuration,
          metadata: { ...objectAt(live, 'metadata'), ...step.configuration.metadata },
        });
  }
  return live!;
}

function valueAt(object: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = object;
  for (const element of path) {
    if (element.startsWith('v:')) {
      const item = JSON.parse(element.slice(2)) as Json;
      value = (value as readonly Json[]).find((one) => one === item);
    } else {
      value = (value as JsonObject)[element.slice(2)];
    }
  }
  return value;
}

describe('whatever happened before', () => {
  test('applying the same again changes nothing', () => {
    fc.assert(
      fc.property(steps, configuration, (story, again) => {
        const once = apply({ manager: 'last', second: 7 }, told(story), again, { force: true });
        expect(apply({ manager: 'last', second: 8 }, once, again)).toEqual(once);
      }),
    );
  });

  test('an applier owns what it applied and sees it in the object', () => {
    fc.assert(
      fc.property(steps, configuration, (story, wanted) => {
        const after = apply({ manager: 'last', second: 7 }, told(story), wanted, { force: true });
        const self = managersOf(after).find(({ name }) => name === 'last');
        for (const [name, value] of Object.entries(wanted.data)) {
          expect((after['data'] as JsonObject)[name]).toBe(value);
          expect(self?.fields.has(['f:data', `f:${name}`])).toBe(true);
        }
      }),
    );
  });

  test('every owned field is there, and no updater shares one with a manager that wrote later', () => {
    fc.assert(
      fc.property(steps, (story) => {
        const object = told(story);
        const managers = managersOf(object);
        for (const { fields } of managers) {
          for (const path of fields.paths()) expect(valueAt(object, path)).not.toBeUndefined();
        }
        const updaters = managers.filter(({ operation }) => operation === 'Update');
        const owned = updaters.flatMap(({ fields }) => [...fields.paths()].map(pathText));
        expect(new Set(owned).size).toBe(owned.length);
      }),
    );
  });

  test('what is handed in is left alone', () => {
    fc.assert(
      fc.property(steps, configuration, (story, wanted) => {
        const live = told(story);
        const before = structuredClone(live);
        apply({ manager: 'last', second: 7 }, live, wanted, { force: true });
        write({ manager: 'last', second: 7 }, live, { ...live, ...wanted });
        expect(live).toEqual(before);
      }),
    );
  });
});
