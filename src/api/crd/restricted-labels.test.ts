// Which label keys may be asked for, and where. The words in `errors` are those of a kube-apiserver 1.35 that was
// given the same objects and our manifests.
import { describe, expect, test } from 'vitest';
import type { Json } from '../meta.ts';
import { type Definition, storageVersion } from './definition.ts';
import { errorLines } from './validation/field-error.ts';
import { nodeClaimDefinition } from './node-claim.ts';
import { nodeOverlayDefinition } from './node-overlay.ts';
import { nodePoolDefinition } from './node-pool.ts';
import { compileVersion } from './validation/validate.ts';

interface Place {
  readonly name: string;
  readonly definition: Definition;
  readonly spec: (key: string) => Json;
  /** The field that errors name, and whether they show the key. */
  readonly field: string;
  readonly showsKey: boolean;
  readonly mayNamePool: boolean;
}

const nodeClassRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };
const asking = (key: string): Json => [{ key, operator: 'Exists' }];

const places: readonly Place[] = [
  {
    name: 'the labels of a NodePool',
    definition: nodePoolDefinition,
    spec: (key) => ({
      template: { metadata: { labels: { [key]: 'x' } }, spec: { nodeClassRef, requirements: [] } },
    }),
    field: 'spec.template.metadata.labels',
    showsKey: false,
    mayNamePool: false,
  },
  {
    name: 'the requirements of a NodePool',
    definition: nodePoolDefinition,
    spec: (key) => ({ template: { spec: { nodeClassRef, requirements: asking(key) } } }),
    field: 'spec.template.spec.requirements[0].key',
    showsKey: true,
    mayNamePool: false,
  },
  {
    name: 'the requirements of a NodeClaim',
    definition: nodeClaimDefinition,
    spec: (key) => ({ nodeClassRef, requirements: asking(key) }),
    field: 'spec.requirements[0].key',
    showsKey: true,
    mayNamePool: true,
  },
  {
    name: 'the requirements of a NodeOverlay',
    definition: nodeOverlayDefinition,
    spec: (key) => ({ requirements: asking(key) }),
    field: 'spec.requirements[0].key',
    showsKey: true,
    mayNamePool: true,
  },
];

const allowed = [
  'team',
  'example.com/anything',
  'kops.k8s.io/instancegroup',
  'node-restriction.kubernetes.io/team',
  'subdomain.kubernetes.io/a',
  'kubernetes.io/arch',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/zone',
  'karpenter.sh/capacity-type',
  'karpenter.azure.com/aksnodeclass',
  'karpenter.azure.com/sku-name',
  'karpenter.azure.com/sku-family',
  'karpenter.azure.com/sku-series',
  'karpenter.azure.com/sku-version',
  'karpenter.azure.com/sku-cpu',
  'karpenter.azure.com/sku-memory',
  'karpenter.azure.com/sku-networking-accelerated',
  'karpenter.azure.com/sku-storage-premium-capable',
  'karpenter.azure.com/sku-storage-ultra-ssd',
  'karpenter.azure.com/sku-storage-ephemeralos-maxsize',
  'karpenter.azure.com/sku-gpu-name',
  'karpenter.azure.com/sku-gpu-manufacturer',
  'karpenter.azure.com/sku-gpu-count',
  'karpenter.azure.com/placement-scope',
  'kubernetes.azure.com/mode',
  'kubernetes.azure.com/scalesetpriority',
  'kubernetes.azure.com/priority',
  'kubernetes.azure.com/fips_enabled',
  'kubernetes.azure.com/os-sku',
  'kubernetes.azure.com/cluster',
  'kubernetes.azure.com/sku-cpu',
  'kubernetes.azure.com/sku-memory',
  'kubernetes.azure.com/ebpf-dataplane',
  'kubernetes.azure.com/ebpf-host-routing',
  'kubernetes.azure.com/network-policy',
  'kubernetes.azure.com/hostedvm',
];

const refused = [
  ['karpenter.sh/custom', 'label domain "karpenter.sh" is restricted'],
  ['sub.karpenter.sh/custom', 'label domain "karpenter.sh" is restricted'],
  ['mykarpenter.sh/custom', 'label domain "karpenter.sh" is restricted'],
  ['kubernetes.io/hostname', 'label "kubernetes.io/hostname" is restricted'],
  ['karpenter.azure.com/sku-hyperv-generation', 'label domain "karpenter.azure.com" is restricted'],
  ['sub.karpenter.azure.com/custom', 'label domain "karpenter.azure.com" is restricted'],
  ['kubernetes.azure.com/agentpool', 'label domain "kubernetes.azure.com" is restricted'],
  ['agentpool', 'label "agentpool" is restricted'],
  ['storageprofile', 'label "storageprofile" is restricted'],
  ['storagetier', 'label "storagetier" is restricted'],
  ['accelerator', 'label "accelerator" is restricted'],
] as const;

function object({ definition, spec }: Place, key: string): Json {
  return {
    apiVersion: `${definition.group}/${storageVersion(definition).name}`,
    kind: definition.kind,
    metadata: { name: 'x' },
    spec: spec(key),
  };
}

function complaint(place: Place, key: string, words: string): string {
  const shown = place.showsKey ? `${JSON.stringify(key)}: ` : '';
  return `${place.field}: Invalid value: ${shown}${words}`;
}

describe.each(places)('$name', (place) => {
  const compiled = compileVersion(storageVersion(place.definition));
  const poolWords = 'label "karpenter.sh/nodepool" is restricted';
  const rows = [
    ...allowed.map((key) => ({ title: key, object: object(place, key), errors: [] })),
    ...refused.map(([key, words]) => ({
      title: `not ${key}`,
      object: object(place, key),
      errors: [complaint(place, key, words)],
    })),
    {
      title: `${place.mayNamePool ? '' : 'not '}karpenter.sh/nodepool`,
      object: object(place, 'karpenter.sh/nodepool'),
      errors: place.mayNamePool ? [] : [complaint(place, 'karpenter.sh/nodepool', poolWords)],
    },
  ];

  test.each(rows)('$title', ({ object, errors }) => {
    expect(errorLines(compiled.admit(object).errors)).toEqual(errors);
  });
});

describe('the labels of a NodePool', () => {
  const compiled = compileVersion(storageVersion(nodePoolDefinition));
  const labelled = (labels: Readonly<Record<string, string>>): Json => ({
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'x' },
    spec: { template: { metadata: { labels }, spec: { nodeClassRef, requirements: [] } } },
  });
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, '']));
  const rows = [
    { title: 'a hundred', object: labelled(many(100)), errors: [] },
    {
      title: 'not a hundred and one',
      object: labelled(many(101)),
      errors: [
        'spec.template.metadata.labels: Too many: 101: must have at most 100 items',
        '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
      ],
    },
    {
      title: 'not a value that is too long',
      object: labelled({ team: 'v'.repeat(64) }),
      errors: [
        'spec.template.metadata.labels.team: Too long: may not be more than 63 bytes',
        '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
      ],
    },
    {
      title: 'not a value that is none',
      object: labelled({ team: '/ a /' }),
      errors: [
        'spec.template.metadata.labels.team: Invalid value: "/ a /": spec.template.metadata.labels.team in body should match \'^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$\'',
      ],
    },
    {
      title: 'a key that is too long, which only the controller minds',
      object: labelled({ ['k'.repeat(400)]: 'x' }),
      errors: [],
    },
  ];

  test.each(rows)('$title', ({ object, errors }) => {
    expect(errorLines(compiled.admit(object).errors)).toEqual(errors);
  });
});
