// What the API server takes and refuses of a CapacityBuffer. The words in `errors` are those of a kube-apiserver
// 1.35 that was given the same objects and our manifest.
import { expect, test } from 'vitest';
import type { Json } from '../meta.ts';
import { capacityBufferDefinition } from './capacity-buffer.ts';
import { storageVersion } from './definition.ts';
import { errorLines } from './validation/field-error.ts';
import { compileVersion } from './validation/validate.ts';

const compiled = compileVersion(storageVersion(capacityBufferDefinition));

const skipped =
  '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

function buffer(spec: object): Json {
  return {
    apiVersion: 'autoscaling.x-k8s.io/v1beta1',
    kind: 'CapacityBuffer',
    metadata: { name: 'spare', namespace: 'default' },
    spec: JSON.parse(JSON.stringify(spec)) as Json,
  };
}

const podTemplateRef = { name: 'shape' };
const scalableRef = { apiGroup: 'apps', kind: 'Deployment', name: 'web' };

const rows = [
  {
    title: 'a template with replicas',
    object: buffer({ podTemplateRef, replicas: 0 }),
    errors: [],
  },
  {
    title: 'a template with limits',
    object: buffer({ podTemplateRef, limits: { cpu: '10', memory: '1Gi' } }),
    errors: [],
  },
  {
    title: 'a template alone',
    object: buffer({ podTemplateRef }),
    errors: ['spec: Invalid value: If podTemplateRef is set, replicas or limits must also be set'],
  },
  {
    title: 'a template with a percentage',
    object: buffer({ podTemplateRef, percentage: 10 }),
    errors: ['spec: Invalid value: If podTemplateRef is set, replicas or limits must also be set'],
  },
  {
    title: 'a workload with a percentage',
    object: buffer({ scalableRef, percentage: 20 }),
    errors: [],
  },
  {
    title: 'a workload of the core group with replicas',
    object: buffer({ scalableRef: { kind: 'ReplicationController', name: 'web' }, replicas: 1 }),
    errors: [],
  },
  {
    title: 'a template and a workload',
    object: buffer({ podTemplateRef, scalableRef, replicas: 1 }),
    errors: [
      'spec: Invalid value: You must define either PodTemplateRef or ScalableRef, but not both',
    ],
  },
  { title: 'neither', object: buffer({}), errors: [] },
  {
    title: 'empty names',
    object: buffer({ podTemplateRef: { name: '' }, replicas: 1 }),
    errors: [
      'spec.podTemplateRef.name: Invalid value: "": spec.podTemplateRef.name in body should be at least 1 chars long',
    ],
  },
  {
    title: 'a workload without kind and name',
    object: buffer({ scalableRef: {} }),
    errors: [
      'spec.scalableRef.kind: Required value',
      'spec.scalableRef.name: Required value',
      skipped,
    ],
  },
  {
    title: 'a workload with empty kind and name',
    object: buffer({ scalableRef: { kind: '', name: '' } }),
    errors: [
      'spec.scalableRef.kind: Invalid value: "": spec.scalableRef.kind in body should be at least 1 chars long',
      'spec.scalableRef.name: Invalid value: "": spec.scalableRef.name in body should be at least 1 chars long',
    ],
  },
  ...(['replicas', 'percentage'] as const).map((field) => ({
    title: `a negative number of ${field}`,
    object: buffer({ scalableRef, [field]: -1 }),
    errors: [
      `spec.${field}: Invalid value: -1: spec.${field} in body should be greater than or equal to 0`,
    ],
  })),
];

test.each(rows)('$title', ({ object, errors }) => {
  expect(errorLines(compiled.admit(object).errors)).toEqual(errors);
});

test('a buffer keeps active capacity unless it says otherwise', () => {
  expect(compiled.admit(buffer({})).object).toMatchObject({
    spec: { provisioningStrategy: 'buffer.x-k8s.io/active-capacity' },
  });
  expect(compiled.admit(buffer({ provisioningStrategy: 'mine' })).object).toMatchObject({
    spec: { provisioningStrategy: 'mine' },
  });
});
