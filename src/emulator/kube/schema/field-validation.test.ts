import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { nodePoolDefinition } from '../../../api/crd/node-pool.ts';
import type { Json } from '../../../api/meta.ts';
import type { DecodeCase } from '../../../../test/support/decode-cases.ts';
import type { JsonObject } from '../json.ts';
import { customResourceSchema } from './custom-resource-schema.ts';
import { checkObject, decodeObject, decodePatched } from './field-validation.ts';
import type { ExpectedType } from './object-type.ts';
import type { GroupVersionKind } from './type-schema.ts';
import { TypeSchemas } from './type-schemas.ts';

interface Recorded extends DecodeCase {
  readonly answer: {
    readonly code: number;
    readonly message?: string;
    readonly reason?: string;
    readonly causes?: readonly Json[];
    readonly warnings?: readonly string[];
    readonly data?: Json;
  };
}

const file = JSON.parse(
  readFileSync(new URL('../../../../test/vectors/decode.json', import.meta.url), 'utf8'),
) as { readonly source: string; readonly posted: readonly Recorded[] };

const schemas = new TypeSchemas();
const groups: Readonly<Record<string, string>> = {
  Deployment: 'apps',
  Lease: 'coordination.k8s.io',
  NodePool: 'karpenter.sh',
};

function typeOf(name: DecodeCase['kind']): ExpectedType {
  const kind: GroupVersionKind = { group: groups[name] ?? '', version: 'v1', kind: name };
  const custom = name === 'NodePool';
  const openApi = nodePoolDefinition.versions[0]!.openApi;
  const schema = custom
    ? customResourceSchema({ openApi, kind, builtIn: schemas })
    : schemas.lookup(kind)!;
  return { schema, kind, custom };
}

describe(`a request body, as ${file.source}`, () => {
  const titled = file.posted.map(
    (one) =>
      [`${one.kind} ${one.validation} ${JSON.stringify(one.body).slice(0, 90)}`, one] as const,
  );

  test.each(titled)('%s', (_, one) => {
    expect(outcomeOf(one)).toEqual(recordedOutcome(one));
  });
});

/** What a client would see, as far as decoding goes: a body that is decoded may still be no valid object. */
function outcomeOf({ kind, body, contentType, validation }: Recorded): object {
  const mediaType = contentType as 'application/json' | 'application/yaml';
  const ours = decodeObject({ ...typeOf(kind), text: body, mediaType });
  if (!ours.ok) {
    const { code, message, reason } = ours.refusal;
    return { code, message, reason };
  }
  const { object, strictErrors, warnings } = ours.value;
  if (validation === 'Strict' && strictErrors.length > 0) {
    const title = `${kind} in version "v1" cannot be handled as a ${kind}`;
    const message = `${title}: strict decoding error: ${strictErrors.join(', ')}`;
    return { code: 400, message, reason: 'BadRequest' };
  }
  return {
    warnings: validation === 'Warn' ? warnings : [],
    data: kind === 'ConfigMap' ? object['data'] : undefined,
  };
}

function recordedOutcome(one: Recorded): object {
  const { code, message, reason, warnings = [], data } = one.answer;
  // Rules of the kind have the word after the decoder.
  const isRuled = code === 422 && message?.includes(': kind: ') !== true;
  if (isRuled) return { warnings: [], data: one.kind === 'ConfigMap' ? data : undefined };
  if (code >= 400) return { code, message, reason };
  return { warnings, data: one.kind === 'ConfigMap' ? data : undefined };
}

describe('an object that is no longer text', () => {
  const pod = typeOf('Pod');

  test('loses its unknown fields and has them named in order', () => {
    const object = { spec: { zoo: 1, containers: [{ name: 'a', bar: 1 }] }, foo: 1 };
    const outcome = checkObject({ ...pod, object });
    expect(outcome).toMatchObject({
      ok: true,
      value: {
        object: { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'a' }] } },
        strictErrors: [
          'unknown field "foo"',
          'unknown field "spec.containers[0].bar"',
          'unknown field "spec.zoo"',
        ],
      },
    });
  });

  test('is handed back as it is when there is nothing to change', () => {
    const object: JsonObject = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { containers: [{ name: 'a', resources: { limits: { cpu: '1' } } }] },
    };
    const outcome = checkObject({ ...pod, object });
    expect(outcome.ok && outcome.value.object).toBe(object);
  });

  test.each([
    [
      'quantities take their one form',
      { cpu: '1000m', memory: 1024 },
      { cpu: '1', memory: '1024' },
    ],
    ['a null in a map is the zero of its type', { cpu: null }, { cpu: '0' }],
  ])('%s', (_, limits: JsonObject, expected) => {
    const object = { spec: { containers: [{ name: 'a', resources: { limits } }] } };
    const outcome = checkObject({ ...pod, object });
    expect(outcome).toMatchObject({
      ok: true,
      value: { object: { spec: { containers: [{ resources: { limits: expected } }] } } },
    });
  });

  test.each([
    ['a null field is no field', { name: 'a', labels: null }, { name: 'a' }],
    [
      'times are in UTC and whole seconds',
      { creationTimestamp: '2026-01-01T01:00:00.9+01:00' },
      { creationTimestamp: '2026-01-01T00:00:00Z' },
    ],
  ])('%s', (_, metadata: JsonObject, expected) => {
    const outcome = checkObject({ ...pod, object: { metadata } });
    expect(outcome.ok && outcome.value.object['metadata']).toEqual(expected);
  });
});

test('a patch whose result has the wrong type is blamed, not the object', () => {
  const outcome = decodePatched({
    ...typeOf('ConfigMap'),
    object: { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 3 } },
    validation: 'Warn',
    shown: () => 'the patch',
    problems: [],
    as: 'text',
  });
  expect(outcome).toEqual({
    ok: false,
    refusal: {
      code: 422,
      reason: 'Invalid',
      message:
        ' "" is invalid: patch: Invalid value: "the patch": json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
      causes: [
        {
          reason: 'FieldValueInvalid',
          message:
            'Invalid value: "the patch": json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
          field: 'patch',
        },
      ],
    },
  });
});
