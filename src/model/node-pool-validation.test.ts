import { describe, expect, test } from 'vitest';
import type { NodeClaimTemplate } from '../api/node-pool.ts';
import { coreLabelRules } from './label-rules.ts';
import { type TemplateVerdict, validateTemplate } from './node-pool-validation.ts';

type Spec = NodeClaimTemplate['spec'];

function verdict(spec: Partial<Spec> = {}, labels?: Record<string, string>): TemplateVerdict {
  return validateTemplate(coreLabelRules, {
    ...(labels && { metadata: { labels } }),
    spec: {
      nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' },
      requirements: [],
      expireAfter: '720h',
      ...spec,
    },
  });
}

test('a good template has no faults', () => {
  const { faults, unknownValues } = verdict(
    {
      taints: [{ key: 'a.b/c', value: 'x', effect: 'NoSchedule' }],
      startupTaints: [{ key: 'a.b/c', effect: 'NoExecute' }],
      requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }],
    },
    { team: 'a', 'kubernetes.io/role': '' },
  );
  expect([faults, unknownValues.size]).toEqual([[], 0]);
});

describe('a fault names field, value and rule', () => {
  test.each<[string, TemplateVerdict, string]>([
    [
      'pool label',
      verdict({}, { 'karpenter.sh/nodepool': 'x' }),
      'labels: key karpenter.sh/nodepool is set by the pool itself',
    ],
    ['bad key', verdict({}, { 'a b': 'x' }), 'labels: key "a b" name part must consist'],
    ['bad value', verdict({}, { a: '-' }), 'labels: value "-" of a a valid label must be'],
    [
      'restricted',
      verdict({}, { 'kubernetes.io/hostname': 'x' }),
      'labels: label kubernetes.io/hostname may not be used',
    ],
    [
      'taint key',
      verdict({ taints: [{ key: '-a', effect: 'NoSchedule' }] }),
      'taints: key "-a" name part must consist',
    ],
    [
      'taint value',
      verdict({ startupTaints: [{ key: 'a', value: 'b c', effect: 'NoSchedule' }] }),
      'startupTaints: value "b c" of a name part must consist',
    ],
    [
      'effect',
      verdict({ taints: [{ key: 'a', effect: 'Never' as 'NoSchedule' }] }),
      'taints: effect "Never" of a is not one of the three',
    ],
    [
      'duplicate',
      verdict({
        taints: [{ key: 'a', value: 'x', effect: 'NoSchedule' }],
        startupTaints: [{ key: 'a', value: 'y', effect: 'NoSchedule' }],
      }),
      'taints: a:NoSchedule is stated more than once',
    ],
    [
      'requirement',
      verdict({ requirements: [{ key: 'a', operator: 'In' }] }),
      'requirements: key a with operator In needs at least one value',
    ],
    [
      'pool requirement',
      verdict({ requirements: [{ key: 'karpenter.sh/nodepool', operator: 'Exists' }] }),
      'requirements: key karpenter.sh/nodepool is set by the pool itself',
    ],
  ])('%s', (_, { faults }, expected) => {
    expect(faults.join('; ')).toContain(expected);
    expect(faults).toHaveLength(1);
  });
});

test('a taint may come without an effect', () => {
  expect(verdict({ taints: [{ key: 'a', effect: '' as 'NoSchedule' }] }).faults).toEqual([]);
});

test('unknown values beside known ones are only reported', () => {
  const key = 'karpenter.sh/capacity-type';
  const { faults, unknownValues } = verdict({
    requirements: [{ key, operator: 'In', values: ['spot', 'cheap'] }],
  });
  expect([faults, [...unknownValues]]).toEqual([[], [[key, ['cheap']]]]);
});
