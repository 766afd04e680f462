// What the API server takes and refuses of a NodePool. The words in `errors` are those of a kube-apiserver 1.35
// that was given the same objects and our manifest.
import { describe, expect, test } from 'vitest';
import type { Json } from '../meta.ts';
import { storageVersion } from './definition.ts';
import { errorLines } from './validation/field-error.ts';
import { nodePoolDefinition, type nodePoolSpec } from './node-pool.ts';
import type { Written } from './schema.ts';
import { compileVersion } from './validation/validate.ts';

type Spec = Written<typeof nodePoolSpec>;
type TemplateSpec = Spec['template']['spec'];
type Requirement = TemplateSpec['requirements'][number];

interface Row {
  readonly title: string;
  readonly object: Json;
  readonly old?: Json;
  readonly errors: readonly string[];
}

const compiled = compileVersion(storageVersion(nodePoolDefinition));

const skipped =
  '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

const nodeClassRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };

/** Loose on purpose: most of these objects are wrong. */
function pool(spec: object = {}, template: object = {}, metadata?: object): Json {
  const whole = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'default' },
    spec: {
      template: {
        ...(metadata && { metadata }),
        spec: { nodeClassRef, requirements: [], ...template },
      },
      ...spec,
    },
  };
  return JSON.parse(JSON.stringify(whole)) as Json;
}

const path = 'spec.template.spec';

function invalid(field: string, value: string, rule: string): string {
  return `${field}: Invalid value: ${JSON.stringify(value)}: ${field} in body should match '${rule}'`;
}

const durationOrNever = '^(([0-9]+(s|m|h))+|Never)$';
const durationOnly = '^([0-9]+(s|m|h))+$';
const qualifiedName =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$';

const durations: readonly Row[] = [
  ...['30s', '10m', '720h', '1h30m5s', 'Never'].map((value) => ({
    title: `expireAfter and consolidateAfter ${value}`,
    object: pool({ disruption: { consolidateAfter: value } }, { expireAfter: value }),
    errors: [],
  })),
  ...['-1s', '1hr', 'FooNever', '10ms', '', '1d'].map((value) => ({
    title: `expireAfter and consolidateAfter ${value || '(empty)'}`,
    object: pool({ disruption: { consolidateAfter: value } }, { expireAfter: value }),
    errors: [
      invalid(`${path}.expireAfter`, value, durationOrNever),
      invalid('spec.disruption.consolidateAfter', value, durationOrNever),
    ],
  })),
  {
    title: 'a terminationGracePeriod',
    object: pool({}, { terminationGracePeriod: '1h30m' }),
    errors: [],
  },
  ...['Never', '-5m', '100ms'].map((value) => ({
    title: `terminationGracePeriod ${value}`,
    object: pool({}, { terminationGracePeriod: value }),
    errors: [invalid(`${path}.terminationGracePeriod`, value, durationOnly)],
  })),
];

const policyError = (value: unknown) =>
  `spec.disruption.consolidationPolicy: Unsupported value: ${JSON.stringify(value)}: supported values: "WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced"`;

function budget(...budgets: readonly object[]): Json {
  return pool({ disruption: { consolidateAfter: '0s', budgets } });
}

const nodesPattern = '^((100|[0-9]{1,2})%|[0-9]+)$';
const schedulePattern =
  '^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|((.+)\\s(.+)\\s(.+)\\s(.+)\\s(.+))$';
const budgetDuration = '^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$';
const pair = "spec.disruption.budgets: Invalid value: 'schedule' must be set with 'duration'";

const disruption: readonly Row[] = [
  ...['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'].map((consolidationPolicy) => ({
    title: `consolidationPolicy ${consolidationPolicy}`,
    object: pool({ disruption: { consolidateAfter: '0s', consolidationPolicy } }),
    errors: [],
  })),
  ...['whenEmpty', 'WhenUnderutilized', ''].map((consolidationPolicy) => ({
    title: `consolidationPolicy ${consolidationPolicy || '(empty)'}`,
    object: pool({ disruption: { consolidateAfter: '0s', consolidationPolicy } }),
    errors: [policyError(consolidationPolicy), skipped],
  })),
  {
    title: 'a number as consolidationPolicy',
    object: pool({ disruption: { consolidateAfter: '0s', consolidationPolicy: 5 } }),
    errors: [
      'spec.disruption.consolidationPolicy: Invalid value: "integer": spec.disruption.consolidationPolicy in body must be of type string: "integer"',
      policyError(5),
      skipped,
    ],
  },
  {
    title: 'a disruption stanza without consolidateAfter',
    object: pool({ disruption: { budgets: [] } }),
    errors: ['spec.disruption.consolidateAfter: Required value', skipped],
  },
  ...['0', '10', '0%', '99%', '100%'].map((nodes) => ({
    title: `a budget of ${nodes}`,
    object: budget({ nodes }),
    errors: [],
  })),
  ...['-1', '-10%', '101%', '1000%', '10.5%', 'all', ''].map((nodes) => ({
    title: `a budget of ${nodes || '(empty)'}`,
    object: budget({ nodes }),
    errors: [invalid('spec.disruption.budgets[0].nodes', nodes, nodesPattern)],
  })),
  ...['@daily', '@hourly', '0 9 * * mon-fri', '*/5 * * * *', '0 0 1 1 *'].map((schedule) => ({
    title: `a budget on ${schedule}`,
    object: budget({ nodes: '1', schedule, duration: '8h' }),
    errors: [],
  })),
  ...['* * * *', 'daily', '@every', ''].map((schedule) => ({
    title: `a budget on ${schedule || '(empty)'}`,
    object: budget({ nodes: '1', schedule, duration: '8h' }),
    errors: [invalid('spec.disruption.budgets[0].schedule', schedule, schedulePattern)],
  })),
  ...['8h', '30m', '8h30m', '8h0m0s', '30m0s'].map((duration) => ({
    title: `a budget for ${duration}`,
    object: budget({ nodes: '1', schedule: '@daily', duration }),
    errors: [],
  })),
  ...['-8h', '30s', '8h30', '1d', 'Never'].map((duration) => ({
    title: `a budget for ${duration}`,
    object: budget({ nodes: '1', schedule: '@daily', duration }),
    errors: [invalid('spec.disruption.budgets[0].duration', duration, budgetDuration)],
  })),
  {
    title: 'a schedule without a duration',
    object: budget({ nodes: '1', schedule: '@daily' }),
    errors: [pair],
  },
  {
    title: 'a duration without a schedule, beside a good budget',
    object: budget({ nodes: '10%' }, { nodes: '1', duration: '1h' }),
    errors: [pair],
  },
  {
    title: 'all reasons',
    object: budget({ nodes: '1', reasons: ['Underutilized', 'Empty', 'Drifted'] }),
    errors: [],
  },
  {
    title: 'a reason twice',
    object: budget({ nodes: '1', reasons: ['Empty', 'Empty'] }),
    errors: ['spec.disruption.budgets[0].reasons[1]: Duplicate value: "Empty"'],
  },
  ...['expired', ''].map((reason) => ({
    title: `the reason ${reason || '(empty)'}`,
    object: budget({ nodes: '1', reasons: [reason] }),
    errors: [
      `spec.disruption.budgets[0].reasons[0]: Unsupported value: ${JSON.stringify(reason)}: supported values: "Underutilized", "Empty", "Drifted"`,
      skipped,
    ],
  })),
  {
    title: 'fifty budgets',
    object: budget(...Array.from({ length: 50 }, () => ({ nodes: '1' }))),
    errors: [],
  },
  {
    title: 'fifty-one budgets',
    object: budget(...Array.from({ length: 51 }, () => ({ nodes: '1' }))),
    errors: ['spec.disruption.budgets: Too many: 51: must have at most 50 items', skipped],
  },
];

const effectError = (field: string, value: string) =>
  `${field}: Unsupported value: ${JSON.stringify(value)}: supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"`;

const taints: readonly Row[] = (['taints', 'startupTaints'] as const).flatMap((list) => [
  {
    title: `${list} of all effects under one key`,
    object: pool(
      {},
      {
        [list]: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'].map((effect) => ({
          key: 'example.com/special',
          value: 'a',
          effect,
        })),
      },
    ),
    errors: [],
  },
  {
    title: `${list} with a key that is too long for a label, which only the controller minds`,
    object: pool({}, { [list]: [{ key: 'k'.repeat(64), effect: 'NoSchedule' }] }),
    errors: [],
  },
  {
    title: `${list} with a bad key`,
    object: pool({}, { [list]: [{ key: '???', effect: 'NoSchedule' }] }),
    errors: [invalid(`${path}.${list}[0].key`, '???', qualifiedName)],
  },
  {
    title: `${list} with an empty key`,
    object: pool({}, { [list]: [{ key: '', effect: 'NoSchedule' }] }),
    errors: [
      `${path}.${list}[0].key: Invalid value: "": ${path}.${list}[0].key in body should be at least 1 chars long`,
    ],
  },
  {
    title: `${list} without a key`,
    object: pool({}, { [list]: [{ effect: 'NoSchedule' }] }),
    errors: [`${path}.${list}[0].key: Required value`, skipped],
  },
  {
    title: `${list} with a bad value`,
    object: pool({}, { [list]: [{ key: 'a', value: '???', effect: 'NoSchedule' }] }),
    errors: [invalid(`${path}.${list}[0].value`, '???', qualifiedName)],
  },
  {
    title: `${list} with a bad effect`,
    object: pool({}, { [list]: [{ key: 'a', effect: 'Never' }] }),
    errors: [effectError(`${path}.${list}[0].effect`, 'Never'), skipped],
  },
  {
    title: `${list} without an effect`,
    object: pool({}, { [list]: [{ key: 'a' }] }),
    errors: [`${path}.${list}[0].effect: Required value`, skipped],
  },
]);

function requirements(...list: readonly object[]): Json {
  return pool({}, { requirements: list });
}

const needsValue = `${path}.requirements: Invalid value: requirements with operator 'In' must have a value defined`;
const needsNumber = `${path}.requirements: Invalid value: requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a single positive integer value`;
const numberFailure = (cause: string) =>
  `${path}.requirements: Invalid value: "array": ${cause} evaluating rule: requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a single positive integer value`;

const goodRequirements: readonly Requirement[] = [
  { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['a'], minValues: 1 },
  { key: 'topology.kubernetes.io/zone', operator: 'NotIn', values: ['a'] },
  { key: 'example.com/any', operator: 'Exists' },
  { key: 'example.com/none', operator: 'DoesNotExist' },
  { key: 'karpenter.azure.com/sku-cpu', operator: 'Gt', values: ['0'] },
  { key: 'karpenter.azure.com/sku-cpu', operator: 'Lt', values: ['65'] },
  { key: 'karpenter.azure.com/sku-memory', operator: 'Gte', values: ['1024'] },
  { key: 'karpenter.azure.com/sku-memory', operator: 'Lte', values: ['1048576'] },
];

const requirementRows: readonly Row[] = [
  { title: 'all eight operators', object: requirements(...goodRequirements), errors: [] },
  { title: 'no requirements', object: requirements(), errors: [] },
  {
    title: 'requirements left out',
    object: pool({}, { requirements: undefined }),
    errors: [`${path}.requirements: Required value`, skipped],
  },
  {
    title: 'an unknown operator',
    object: requirements({ key: 'a', operator: 'unknown', values: ['x'] }),
    errors: [
      `${path}.requirements[0].operator: Unsupported value: "unknown": supported values: "Gte", "Lte", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"`,
      skipped,
    ],
  },
  {
    title: 'In with no values',
    object: requirements({ key: 'a', operator: 'In', values: [] }),
    errors: [needsValue],
  },
  {
    title: 'In without values',
    object: requirements({ key: 'a', operator: 'In' }),
    errors: [
      `${path}.requirements: Invalid value: "array": no such key: values evaluating rule: requirements with operator 'In' must have a value defined`,
    ],
  },
  ...['Gt', 'Lt', 'Gte', 'Lte'].flatMap((operator) => [
    {
      title: `${operator} with no values`,
      object: requirements({ key: 'a', operator, values: [] }),
      errors: [needsNumber],
    },
    {
      title: `${operator} with two values`,
      object: requirements({ key: 'a', operator, values: ['1', '2'] }),
      errors: [needsNumber],
    },
    {
      title: `${operator} with a negative value`,
      object: requirements({ key: 'a', operator, values: ['-1'] }),
      errors: [needsNumber],
    },
    {
      title: `${operator} with a word`,
      object: requirements({ key: 'a', operator, values: ['many'] }),
      errors: [numberFailure("type conversion error from 'string' to 'int'")],
    },
    {
      title: `${operator} with nothing in the value`,
      object: requirements({ key: 'a', operator, values: [''] }),
      errors: [numberFailure("type conversion error from 'string' to 'int'")],
    },
  ]),
  ...[0, -1, 51].map((minValues) => ({
    title: `minValues ${minValues}`,
    object: requirements({ key: 'a', operator: 'Exists', minValues }),
    errors: [
      `${path}.requirements[0].minValues: Invalid value: ${minValues}: ${path}.requirements[0].minValues in body should be ${minValues < 1 ? 'greater than or equal to 1' : 'less than or equal to 50'}`,
    ],
  })),
  {
    title: 'minValues with as many values',
    object: requirements({ key: 'a', operator: 'In', values: ['x', 'y'], minValues: 2 }),
    errors: [],
  },
  {
    title: 'minValues with fewer values',
    object: requirements({ key: 'a', operator: 'In', values: ['x'], minValues: 2 }),
    errors: [
      `${path}.requirements: Invalid value: requirements with 'minValues' must have at least that many values specified in the 'values' field`,
    ],
  },
  {
    title: 'sixty values without minValues',
    object: requirements({
      key: 'a',
      operator: 'In',
      values: Array.from({ length: 60 }, (_, index) => `v${index}`),
    }),
    errors: [],
  },
  {
    title: 'values that are no label values, which only the controller minds',
    object: requirements({ key: 'a', operator: 'In', values: ['???', 'v'.repeat(64)] }),
    errors: [],
  },
  {
    title: 'a hundred requirements',
    object: requirements(...Array.from({ length: 100 }, () => ({ key: 'a', operator: 'Exists' }))),
    errors: [],
  },
  {
    title: 'a hundred and one requirements',
    object: requirements(...Array.from({ length: 101 }, () => ({ key: 'a', operator: 'Exists' }))),
    errors: [`${path}.requirements: Too many: 101: must have at most 100 items`, skipped],
  },
  {
    title: 'a key that is too long',
    object: requirements({ key: 'k'.repeat(317), operator: 'Exists' }),
    errors: [`${path}.requirements[0].key: Too long: may not be more than 316 bytes`, skipped],
  },
  {
    title: 'a key that is none',
    object: requirements({ key: 'test.com.com}', operator: 'Exists' }),
    errors: [invalid(`${path}.requirements[0].key`, 'test.com.com}', qualifiedName)],
  },
];

const references: readonly Row[] = [
  ...(['group', 'kind', 'name'] as const).flatMap((part) => [
    {
      title: `nodeClassRef without ${part}`,
      object: pool({}, { nodeClassRef: { ...nodeClassRef, [part]: undefined } }),
      errors: [`${path}.nodeClassRef.${part}: Required value`, skipped],
    },
    {
      title: `nodeClassRef with an empty ${part}`,
      object: pool({}, { nodeClassRef: { ...nodeClassRef, [part]: '' } }),
      errors: [`${path}.nodeClassRef.${part}: Invalid value: "": ${part} may not be empty`],
    },
  ]),
  {
    title: 'nodeClassRef with a version in its group',
    object: pool({}, { nodeClassRef: { ...nodeClassRef, group: 'a.com/v1' } }),
    errors: [invalid(`${path}.nodeClassRef.group`, 'a.com/v1', '^[^/]*$')],
  },
  {
    title: 'no nodeClassRef',
    object: pool({}, { nodeClassRef: undefined }),
    errors: [`${path}.nodeClassRef: Required value`, skipped],
  },
  {
    title: 'another NodeClass of the same kind',
    object: pool({}, { nodeClassRef: { ...nodeClassRef, name: 'other' } }),
    old: pool(),
    errors: [],
  },
  {
    title: 'a NodeClass of another kind and group',
    object: pool({}, { nodeClassRef: { group: 'b.com', kind: 'Other', name: 'default' } }),
    old: pool(),
    errors: [
      `${path}.nodeClassRef: Invalid value: nodeClassRef.group is immutable`,
      `${path}.nodeClassRef: Invalid value: nodeClassRef.kind is immutable`,
    ],
  },
];

const onlyNodes = "spec: Invalid value: only 'limits.nodes' is supported on static NodePools";
const noSwitch =
  'spec: Invalid value: Cannot transition NodePool between static (replicas set) and dynamic (replicas unset) provisioning modes';

const sizes: readonly Row[] = [
  ...[1, 100].map((weight) => ({
    title: `weight ${weight}`,
    object: pool({ weight }),
    errors: [],
  })),
  ...[0, 101].map((weight) => ({
    title: `weight ${weight}`,
    object: pool({ weight }),
    errors: [
      `spec.weight: Invalid value: ${weight}: spec.weight in body should be ${weight < 1 ? 'greater than or equal to 1' : 'less than or equal to 100'}`,
    ],
  })),
  {
    title: 'limits in all spellings',
    object: pool({
      limits: { cpu: 100, memory: '1.5Ti', nodes: '10', 'nvidia.com/gpu': '1e3', pods: '100m' },
    }),
    errors: [],
  },
  {
    title: 'a limit that is no quantity',
    object: pool({ limits: { cpu: '1 core' } }),
    errors: [
      invalid(
        'spec.limits.cpu',
        '1 core',
        '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
      ),
    ],
  },
  ...[0, 1, 2_147_483_647].map((replicas) => ({
    title: `replicas ${replicas}`,
    object: pool({ replicas }),
    errors: [],
  })),
  {
    title: 'replicas -1',
    object: pool({ replicas: -1 }),
    errors: [
      'spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0',
      '.spec.replicas: Invalid value: -1: should be a non-negative integer',
    ],
  },
  {
    title: 'more replicas than a scale can hold',
    object: pool({ replicas: 2_147_483_648 }),
    errors: [
      '.spec.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647',
    ],
  },
  ...['cpu', 'memory', 'pods', 'ephemeral-storage'].map((resource) => ({
    title: `replicas with a limit of ${resource}`,
    object: pool({ replicas: 1, limits: { nodes: 10, [resource]: 1 } }),
    errors: [onlyNodes],
  })),
  {
    title: 'replicas with all that goes with them',
    object: pool(
      {
        replicas: 1,
        limits: { nodes: 10 },
        disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '1' }] },
      },
      {
        expireAfter: '24h',
        terminationGracePeriod: '1h',
        taints: [{ key: 'a', effect: 'NoSchedule' }],
      },
      { labels: { team: 'a' } },
    ),
    errors: [],
  },
  { title: 'replicas with no limits', object: pool({ replicas: 1, limits: {} }), errors: [] },
  {
    title: 'replicas with a weight',
    object: pool({ replicas: 1, weight: 1 }),
    errors: ["spec: Invalid value: 'weight' is not supported on static NodePools"],
  },
  {
    title: 'other replicas and another limit of nodes',
    object: pool({ replicas: 2, limits: { nodes: 5 } }),
    old: pool({ replicas: 1, limits: { nodes: 10 } }),
    errors: [],
  },
  {
    title: 'replicas on a pool that had none',
    object: pool({ replicas: 1 }),
    old: pool(),
    errors: [noSwitch],
  },
  {
    title: 'no replicas on a pool that had some',
    object: pool(),
    old: pool({ replicas: 0 }),
    errors: [noSwitch],
  },
  {
    title: 'no spec',
    object: { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'default' } },
    errors: ['spec: Required value', skipped],
  },
  {
    title: 'no template',
    object: pool({ template: undefined }),
    errors: ['spec.template: Required value', skipped],
  },
];

describe.each([
  ['durations', durations],
  ['disruption', disruption],
  ['taints', taints],
  ['requirements', requirementRows],
  ['node class reference', references],
  ['size', sizes],
])('%s', (_, rows) => {
  test.each(rows)('$title', ({ object, old, errors }) => {
    const before = old === undefined ? undefined : compiled.admit(old).object;
    expect(errorLines(compiled.admit(object, before).errors)).toEqual(errors);
  });
});

test('a short NodePool is filled in with the defaults', () => {
  const { object } = compiled.admit(pool());
  expect(object).toEqual(
    pool(
      {
        disruption: {
          consolidateAfter: '0s',
          consolidationPolicy: 'WhenEmptyOrUnderutilized',
          budgets: [{ nodes: '10%' }],
        },
      },
      { expireAfter: '720h' },
    ),
  );
});

test('a static NodePool is filled in alike, and an empty budget gets its share', () => {
  const { object } = compiled.admit(
    pool({ replicas: 1, disruption: { consolidateAfter: '1m', budgets: [{}] } }),
  );
  expect(object).toMatchObject({
    spec: {
      disruption: {
        consolidateAfter: '1m',
        consolidationPolicy: 'WhenEmptyOrUnderutilized',
        budgets: [{ nodes: '10%' }],
      },
    },
  });
});
