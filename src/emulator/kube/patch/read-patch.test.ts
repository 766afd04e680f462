import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../api/meta.ts';
import type { DecodeCase } from '../../../../test/support/decode-cases.ts';
import type { PatchType } from '../api.ts';
import type { JsonObject } from '../json.ts';
import type { Decoded } from '../schema/field-validation.ts';
import { TypeSchemas } from '../schema/type-schemas.ts';
import { applyConfiguration } from './apply.ts';
import { applyJsonPatch } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';
import { decodePatchedObject, readPatch, type ReadPatch } from './read-patch.ts';
import type { Outcome } from './refusal.ts';
import { applyStrategicMergePatch } from './strategic-merge.ts';

interface Recorded extends DecodeCase {
  readonly answer: {
    readonly code: number;
    readonly message?: string;
    readonly reason?: string;
    readonly causes?: readonly Json[];
    readonly warnings?: readonly string[];
    readonly data?: Json;
    readonly labels?: Json;
    readonly finalizers?: Json;
  };
}

const file = JSON.parse(
  readFileSync(new URL('../../../../test/vectors/decode.json', import.meta.url), 'utf8'),
) as { readonly source: string; readonly live: JsonObject; readonly patched: readonly Recorded[] };

const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
const schema = new TypeSchemas().lookup(kind)!;

function patched(type: PatchType, { patch }: ReadPatch): Outcome<JsonObject> {
  const { live } = file;
  switch (type) {
    case 'application/json-patch+json':
      return applyJsonPatch(live, patch);
    case 'application/merge-patch+json':
      return { ok: true, value: applyMergePatch(live, patch as JsonObject) };
    case 'application/strategic-merge-patch+json':
      return applyStrategicMergePatch({ object: live, patch: patch as JsonObject, schema });
    default:
      return applyConfiguration({
        schema,
        apiVersion: 'v1',
        kind: 'ConfigMap',
        manager: 'tester',
        subresource: '',
        time: '2026-01-01T00:00:00Z',
        live,
        applied: patch as JsonObject,
        force: false,
      });
  }
}

function answerTo(one: Recorded): Outcome<Decoded> {
  const patchType = one.contentType as PatchType;
  const read = readPatch(patchType, one.body);
  if (!read.ok) return read;
  const object = patched(patchType, read.value);
  if (!object.ok) return object;
  const { validation } = one;
  return decodePatchedObject({
    schema,
    kind,
    custom: false,
    patchType,
    read: read.value,
    object: object.value,
    validation,
  });
}

describe(`a patch, as ${file.source}`, () => {
  const titled = file.patched.map(
    (one) => [`${one.contentType} ${one.validation} ${one.body.slice(0, 120)}`, one] as const,
  );

  test.each(titled)('%s', (_, one) => {
    const ours = answerTo(one);
    // Of a name that the address does not have, and of rules of the kind, the patch knows nothing.
    const isRuled = /is invalid: \[?(metadata|data)|does not match the name|undeterminable/.test(
      one.answer.message ?? '',
    );
    expect(isRuled && ours.ok ? 'ruled' : outcomeOf(ours, one)).toEqual(
      isRuled ? 'ruled' : recordedOutcome(one),
    );
  });
});

function outcomeOf(ours: Outcome<Decoded>, one: Recorded): object {
  if (!ours.ok) {
    const { code, message, reason, causes } = ours.refusal;
    return { code, message: stable(message), reason, causes: stable(causes) };
  }
  const { object, warnings } = ours.value;
  const { labels, finalizers } = object['metadata'] as JsonObject;
  const { data } = object;
  return { warnings: one.validation === 'Warn' ? warnings : [], data, labels, finalizers };
}

function recordedOutcome({ answer }: Recorded): object {
  const { code, message, reason = '', causes, warnings = [], data, labels, finalizers } = answer;
  if (code >= 400) return { code, message: stable(message), reason, causes: stable(causes) };
  return { warnings, data, labels, finalizers };
}

/** The whole object is quoted in some refusals; the order of its inner fields is not a promise. */
function stable<T>(value: T): T {
  const text = JSON.stringify(value ?? null);
  return JSON.parse(text.replaceAll(/Invalid value: \\"\{.*?\}\\": /g, 'Invalid value: … ')) as T;
}
