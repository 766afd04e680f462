import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../json.ts';
import { decodeBuiltIn } from './decode-built-in.ts';
import { TypeSchemas } from './type-schemas.ts';

const types = new TypeSchemas();

function decoded(name: string, object: JsonObject): JsonObject {
  return decodeBuiltIn(types.byName(`io.k8s.api.${name}`), object);
}

describe('what a built-in type cannot tell from nothing', () => {
  test.each<[string, string, JsonObject, JsonObject]>([
    ['a list of nothing', 'core.v1.Container', { name: 'a', args: [] }, { name: 'a' }],
    [
      'a map of nothing',
      'core.v1.PodSpec',
      { nodeSelector: {}, containers: [] },
      { containers: [] },
    ],
    ['an empty text', 'core.v1.EnvVar', { name: 'A', value: '' }, { name: 'A' }],
    ['a false', 'core.v1.PodSpec', { containers: [], hostNetwork: false }, { containers: [] }],
    ['a zero', 'apps.v1.DeploymentSpec', { minReadySeconds: 0 }, {}],
    ['a zero in a struct that JSON does not show', 'core.v1.Probe', { periodSeconds: 0 }, {}],
  ])('is left out: %s', (_, type, written, kept) => {
    expect(decoded(type, written)).toEqual(kept);
  });

  test.each<[string, string, JsonObject]>([
    ['a zero of a field that may also be absent', 'apps.v1.DeploymentSpec', { replicas: 0 }],
    ['a false of such a field', 'core.v1.PodSpec', { containers: [], enableServiceLinks: false }],
    [
      'an empty text of such a field',
      'core.v1.PersistentVolumeClaimSpec',
      { storageClassName: '' },
    ],
    ['an object with nothing set', 'core.v1.Volume', { name: 'a', emptyDir: {} }],
    ['a list that every object has', 'core.v1.PodSpec', { containers: [] }],
    [
      'a zero that is always written',
      'apps.v1.StatefulSetStatus',
      { availableReplicas: 0, replicas: 0 },
    ],
  ])('is kept where it can be told: %s', (_, type, written) => {
    expect(decoded(type, written)).toEqual(written);
  });
});
