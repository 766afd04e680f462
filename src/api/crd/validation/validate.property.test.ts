// Properties that hold for any JSON, however strange.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../meta.ts';
import { storageVersion } from '../definition.ts';
import { definitions } from '../definitions.ts';
import { errorLines } from './field-error.ts';
import type { OpenApiSchema } from '../open-api.ts';
import { compileVersion } from './validate.ts';

const json = fc.jsonValue() as fc.Arbitrary<Json>;

/** Values that mostly fit a schema, with a stray one now and then. */
function near(schema: OpenApiSchema): fc.Arbitrary<Json> {
  return fc.oneof({ weight: 12, arbitrary: fitting(schema) }, { weight: 1, arbitrary: json });
}

function fittingObject(schema: OpenApiSchema): fc.Arbitrary<Json> {
  const values = schema.additionalProperties;
  if (typeof values === 'object') return fc.dictionary(fc.string(), near(values), { maxKeys: 3 });
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, near(field)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...(schema.required ?? [])] });
}

function fitting(schema: OpenApiSchema): fc.Arbitrary<Json> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object':
      return fittingObject(schema);
    case 'array':
      return fc.array(near(schema.items ?? {}), { maxLength: 3 });
    case 'string':
      return fc.oneof(fc.constantFrom('a', '1h', '10%', '5', 'example.com/a', '.'), fc.string());
    case 'integer':
      return fc.integer({ min: -1, max: 300 });
    case 'boolean':
      return fc.boolean();
    default:
      return fc.oneof(fc.integer(), fc.constantFrom('1', '100m', '2Gi'));
  }
}

describe.each(definitions)('$kind', (definition) => {
  const version = storageVersion(definition);
  const compiled = compileVersion(version);
  const objects = fc.record({
    metadata: json,
    spec: near(version.openApi.properties?.['spec'] ?? {}),
    status: near(version.openApi.properties?.['status'] ?? {}),
  }) as fc.Arbitrary<Json>;
  const any = fc.oneof({ weight: 4, arbitrary: objects }, { weight: 1, arbitrary: json });

  test('pruning twice is pruning once', () => {
    fc.assert(
      fc.property(any, (object) => {
        const once = compiled.prune(object);
        expect(compiled.prune(once)).toBe(once);
      }),
    );
  });

  test('filling in twice is filling in once', () => {
    fc.assert(
      fc.property(any, (object) => {
        const once = compiled.applyDefaults(object);
        expect(compiled.applyDefaults(once)).toBe(once);
      }),
    );
  });

  test('any object gets an answer, the same each time, and stays as it was', () => {
    fc.assert(
      fc.property(any, any, (object, old) => {
        const before = JSON.stringify([object, old]);
        const first = compiled.admit(object, old);
        expect(compiled.admit(object, old)).toEqual(first);
        expect(JSON.stringify([object, old])).toBe(before);
      }),
    );
  });

  test('an update that changes nothing breaks no rule about change', () => {
    fc.assert(
      fc.property(any, (object) => {
        const { object: stored, errors } = compiled.admit(object);
        const known = errorLines(errors);
        const found = errorLines(compiled.validate(stored, stored));
        expect(found.filter((line) => !known.includes(line))).toEqual([]);
      }),
    );
  });
});
