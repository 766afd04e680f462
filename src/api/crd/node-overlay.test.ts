// What the API server takes and refuses of a NodeOverlay. The words in `errors` are those of a kube-apiserver
// 1.35 that was given the same objects and our manifest.
import { expect, test } from 'vitest';
import type { Json } from '../meta.ts';
import { storageVersion } from './definition.ts';
import { errorLines } from './validation/field-error.ts';
import { nodeOverlayDefinition } from './node-overlay.ts';
import { compileVersion } from './validation/validate.ts';

const compiled = compileVersion(storageVersion(nodeOverlayDefinition));

const skipped =
  '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

function overlay(spec: object = {}): Json {
  const whole = {
    apiVersion: 'karpenter.sh/v1alpha1',
    kind: 'NodeOverlay',
    metadata: { name: 'gpu-discount' },
    spec: { requirements: [], ...spec },
  };
  return JSON.parse(JSON.stringify(whole)) as Json;
}

const pricePattern = '^\\d+(\\.\\d+)?$';
const adjustmentPattern =
  '^(([+-]{1}(\\d*\\.?\\d+))|(\\+{1}\\d*\\.?\\d+%)|(^(-\\d{1,2}(\\.\\d+)?%)$)|(-100%))$';

function mismatch(field: 'price' | 'priceAdjustment', value: string): readonly string[] {
  const pattern = field === 'price' ? pricePattern : adjustmentPattern;
  return [
    `spec.${field}: Invalid value: ${JSON.stringify(value)}: spec.${field} in body should match '${pattern}'`,
  ];
}

const rows = [
  ...['0', '1', '0.5', '10.25', '007'].map((price) => ({
    title: `price ${price}`,
    object: overlay({ price }),
    errors: [] as readonly string[],
  })),
  ...['', '-1', '+1', '.5', '1.', '1,5', '1e3', '0x1', ' 1', '1 ', '10%'].map((price) => ({
    title: `price ${JSON.stringify(price)}`,
    object: overlay({ price }),
    errors: mismatch('price', price),
  })),
  ...[
    '+1',
    '-1',
    '+0.5',
    '-.5',
    '+.5',
    '-200',
    '+10%',
    '+.5%',
    '+150%',
    '-10%',
    '-99.9%',
    '-100%',
  ].map((priceAdjustment) => ({
    title: `priceAdjustment ${priceAdjustment}`,
    object: overlay({ priceAdjustment }),
    errors: [] as readonly string[],
  })),
  ...[
    '',
    '1',
    '10%',
    '--1',
    '+-1',
    '+1.',
    '-1.',
    '+1,5',
    '+1e3',
    '+0x1',
    '+ 1',
    '-101%',
    '-100.0%',
    '-.5%',
    '%',
  ].map((priceAdjustment) => ({
    title: `priceAdjustment ${JSON.stringify(priceAdjustment)}`,
    object: overlay({ priceAdjustment }),
    errors: mismatch('priceAdjustment', priceAdjustment),
  })),
  {
    title: 'price and priceAdjustment together',
    object: overlay({ price: '1', priceAdjustment: '+1' }),
    errors: ["spec: Invalid value: cannot set both 'price' and 'priceAdjustment'"],
  },
  {
    title: 'extended resources',
    object: overlay({ capacity: { 'smarter-devices/fuse': 1, 'hugepages-2Mi': '100Mi' } }),
    errors: [],
  },
  ...['cpu', 'memory', 'ephemeral-storage', 'pods'].map((resource) => ({
    title: `the standard resource ${resource}`,
    object: overlay({ capacity: { [resource]: 1, 'example.com/a': 1 } }),
    errors: ['spec.capacity: Invalid value: invalid resource restricted'],
  })),
  ...[1, 10_000].map((weight) => ({
    title: `weight ${weight}`,
    object: overlay({ weight }),
    errors: [] as readonly string[],
  })),
  ...[0, 10_001].map((weight) => ({
    title: `weight ${weight}`,
    object: overlay({ weight }),
    errors: [
      `spec.weight: Invalid value: ${weight}: spec.weight in body should be ${weight < 1 ? 'greater than or equal to 1' : 'less than or equal to 10000'}`,
    ],
  })),
  {
    title: 'no requirements at all',
    object: overlay({ requirements: undefined }),
    errors: ['spec.requirements: Required value', skipped],
  },
  {
    title: 'all operators',
    object: overlay({
      requirements: [
        { key: 'karpenter.sh/nodepool', operator: 'In', values: ['a'] },
        { key: 'a', operator: 'NotIn', values: ['x'] },
        { key: 'a', operator: 'Exists' },
        { key: 'a', operator: 'DoesNotExist' },
        ...['Gt', 'Lt', 'Gte', 'Lte'].map((operator) => ({ key: 'a', operator, values: ['1'] })),
      ],
    }),
    errors: [],
  },
  ...(['In', 'NotIn'] as const).map((operator) => ({
    title: `${operator} with no values`,
    object: overlay({ requirements: [{ key: 'a', operator, values: [] }] }),
    errors: [
      `spec.requirements: Invalid value: requirements with operator '${operator}' must have a value defined`,
    ],
  })),
  ...(['Gt', 'Lt', 'Gte', 'Lte'] as const).map((operator) => ({
    title: `${operator} with a negative value`,
    object: overlay({ requirements: [{ key: 'a', operator, values: ['-1'] }] }),
    errors: [
      "spec.requirements: Invalid value: requirements operator 'Gt', 'Lt', 'Gte' or 'Lte' must have a single positive integer value",
    ],
  })),
  {
    title: 'a hundred and one requirements',
    object: overlay({
      requirements: Array.from({ length: 101 }, () => ({ key: 'a', operator: 'Exists' })),
    }),
    errors: ['spec.requirements: Too many: 101: must have at most 100 items', skipped],
  },
];

test.each(rows)('$title', ({ object, errors }) => {
  expect(errorLines(compiled.admit(object).errors)).toEqual(errors);
});

test('minValues is no field of an overlay and is dropped', () => {
  const { object, dropped } = compiled.admit(
    overlay({ requirements: [{ key: 'a', operator: 'Exists', minValues: 1 }] }),
  );
  expect(dropped).toEqual(['spec.requirements[0].minValues']);
  expect(object).toEqual(overlay({ requirements: [{ key: 'a', operator: 'Exists' }] }));
});
