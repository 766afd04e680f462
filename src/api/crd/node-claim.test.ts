// What the API server takes and refuses of a NodeClaim. The words in `errors` are those of a kube-apiserver 1.35
// that was given the same objects and our manifest.
import { expect, test } from 'vitest';
import type { Json } from '../meta.ts';
import { storageVersion } from './definition.ts';
import { errorLines } from './validation/field-error.ts';
import { nodeClaimDefinition } from './node-claim.ts';
import { compileVersion } from './validation/validate.ts';

const compiled = compileVersion(storageVersion(nodeClaimDefinition));

const skipped =
  '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

const nodeClassRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };

function claim(spec: object = {}, rest: object = {}): Json {
  const whole = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name: 'default-abcde' },
    spec: { nodeClassRef, requirements: [], ...spec },
    ...rest,
  };
  return JSON.parse(JSON.stringify(whole)) as Json;
}

const taints = [
  { key: 'b', effect: 'NoSchedule' },
  { key: 'a', effect: 'NoExecute', value: 'x', timeAdded: '2024-01-01T00:00:00Z' },
];

const rows = [
  {
    title: 'a claim with everything in it',
    object: claim({
      requirements: [
        { key: 'karpenter.sh/nodepool', operator: 'In', values: ['default'] },
        { key: 'example.com/a', operator: 'In', values: ['x', 'y'], minValues: 2 },
      ],
      taints,
      startupTaints: taints,
      resources: { requests: { cpu: '1500m', memory: 1024 } },
      expireAfter: 'Never',
      terminationGracePeriod: '30m',
    }),
    errors: [],
  },
  {
    title: 'a claim without nodeClassRef and requirements',
    object: claim({ nodeClassRef: undefined, requirements: undefined }),
    errors: ['spec.nodeClassRef: Required value', 'spec.requirements: Required value', skipped],
  },
  {
    title: 'requests that are no quantities',
    object: claim({ resources: { requests: { cpu: 'much', memory: 1.5 } } }),
    errors: [
      'spec.resources.requests.cpu: Invalid value: "much": spec.resources.requests.cpu in body should match \'^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$\'',
      'spec.resources.requests.memory: Invalid value: "number": spec.resources.requests.memory in body must be of type integer,string: "number"',
      '<nil>: Invalid value: "": "spec.resources.requests.memory" must validate at least one schema (anyOf)',
      'spec.resources.requests.memory: Invalid value: "number": spec.resources.requests.memory in body must be of type integer: "number"',
      skipped,
    ],
  },
  ...(['Gt', 'Lt', 'Gte', 'Lte'] as const).map((operator) => ({
    title: `${operator} with two values`,
    object: claim({ requirements: [{ key: 'a', operator, values: ['1', '2'] }] }),
    errors: [
      "spec.requirements: Invalid value: requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a single positive integer value",
    ],
  })),
  {
    title: 'In with no values, and with fewer than minValues',
    object: claim({ requirements: [{ key: 'a', operator: 'In', values: [], minValues: 1 }] }),
    errors: [
      "spec.requirements: Invalid value: requirements with operator 'In' must have a value defined",
      "spec.requirements: Invalid value: requirements with 'minValues' must have at least that many values specified in the 'values' field",
    ],
  },
  {
    title: 'empty names in nodeClassRef',
    object: claim({ nodeClassRef: { group: '', kind: '', name: '' } }),
    errors: [
      'spec.nodeClassRef.group: Invalid value: "": group may not be empty',
      'spec.nodeClassRef.kind: Invalid value: "": kind may not be empty',
      'spec.nodeClassRef.name: Invalid value: "": name may not be empty',
    ],
  },
  {
    title: 'durations that are none',
    object: claim({ expireAfter: '1d', terminationGracePeriod: 'Never' }),
    errors: [
      'spec.expireAfter: Invalid value: "1d": spec.expireAfter in body should match \'^(([0-9]+(s|m|h))+|Never)$\'',
      'spec.terminationGracePeriod: Invalid value: "Never": spec.terminationGracePeriod in body should match \'^([0-9]+(s|m|h))+$\'',
    ],
  },
  {
    title: 'the same spec again, with default and moments in other words',
    object: claim({ taints: [taints[0], { ...taints[1], timeAdded: '2024-01-01T00:00:00.000Z' }] }),
    old: claim({ taints, expireAfter: '720h' }),
    errors: [],
  },
  {
    title: 'taints in another order',
    object: claim({ taints: taints.toReversed() }),
    old: claim({ taints }),
    errors: ['spec: Invalid value: spec is immutable'],
  },
  {
    title: 'another NodeClass',
    object: claim({ nodeClassRef: { ...nodeClassRef, name: 'other' } }),
    old: claim(),
    errors: ['spec: Invalid value: spec is immutable'],
  },
  {
    title: 'a new field',
    object: claim({ resources: { requests: { cpu: '1' } } }),
    old: claim(),
    errors: ['spec: Invalid value: spec is immutable'],
  },
];

test.each(rows)('$title', ({ object, errors, ...row }) => {
  const before = 'old' in row ? compiled.admit(row.old).object : undefined;
  expect(errorLines(compiled.admit(object, before).errors)).toEqual(errors);
});

test('a claim expires after thirty days unless it says otherwise', () => {
  expect(compiled.admit(claim()).object).toMatchObject({ spec: { expireAfter: '720h' } });
});

test('conditions of old versions, without reason and message, can still be written', () => {
  const condition = {
    type: 'Launched',
    status: 'True',
    lastTransitionTime: '2024-01-01T00:00:00Z',
  };
  const withConditions = (...conditions: readonly object[]) =>
    claim({}, { status: { conditions } });
  const check = (...conditions: readonly object[]) =>
    errorLines(compiled.validateStatus(withConditions(...conditions), claim()));
  expect(check(condition, { ...condition, type: 'Ready', reason: '', message: '' })).toEqual([]);
  expect(check(condition, condition)).toEqual([
    'status.conditions[1]: Duplicate value: {"type":"Launched"}',
  ]);
  expect(check({ type: 'Launched', status: 'Maybe' })).toEqual([
    'status.conditions[0].status: Unsupported value: "Maybe": supported values: "True", "False", "Unknown"',
    'status.conditions[0].lastTransitionTime: Required value',
    skipped,
  ]);
});
