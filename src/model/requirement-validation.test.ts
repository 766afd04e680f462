import { describe, expect, test } from 'vitest';
import { coreLabelRules } from './label-rules.ts';
import { validateRequirement, type WrittenRequirement } from './requirement-validation.ts';

const faults = (written: WrittenRequirement): readonly string[] =>
  validateRequirement(coreLabelRules, written).faults;

describe('accepts', () => {
  test.each<WrittenRequirement>([
    { key: 'example.com/team', operator: 'In', values: ['a'] },
    { key: 'example.com/team', operator: 'NotIn' },
    { key: 'example.com/team', operator: 'Exists' },
    { key: 'example.com/team', operator: 'DoesNotExist' },
    { key: 'cpu', operator: 'Gt', values: ['0'] },
    { key: 'cpu', operator: 'Lte', values: ['64'] },
    { key: 'kubernetes.io/custom', operator: 'Exists' },
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
    { key: 'karpenter.sh/capacity-type', operator: 'NotIn', values: ['nonsense'] },
    { key: 'beta.kubernetes.io/instance-type', operator: 'In', values: ['x'], minValues: 1 },
    { key: 'mykarpenter.sh/x', operator: 'Exists' },
  ])('%j', (written) => {
    expect(faults(written)).toEqual([]);
  });
});

describe('refuses', () => {
  test.each<[WrittenRequirement, string]>([
    [{ key: 'a', operator: 'Near' }, 'unsupported operator Near, use one of In, NotIn'],
    [{ key: 'a', operator: 'In' }, 'needs at least one value'],
    [{ key: 'a', operator: 'In', values: ['1'], minValues: 2 }, 'needs at least that many values'],
    [{ key: 'a', operator: 'Gt', values: ['1', '2'] }, 'needs exactly one value'],
    [{ key: 'a', operator: 'Lt' }, 'needs exactly one value'],
    [{ key: 'a', operator: 'Gte', values: ['1.5'] }, 'an integer of at least 0'],
    [{ key: 'a', operator: 'Lte', values: ['-0-'] }, 'value -0- of key a is invalid'],
    [{ key: 'a b', operator: 'Exists' }, 'key a b is not a qualified name'],
    [{ key: 'karpenter.sh/custom', operator: 'Exists' }, 'the domain karpenter.sh is reserved'],
    [{ key: 'a.karpenter.sh/custom', operator: 'Exists' }, 'the domain karpenter.sh is reserved'],
    [{ key: 'kubernetes.io/hostname', operator: 'Exists' }, 'it is set by the node itself'],
    [
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['cheap'] },
      'no valid value in [cheap], use one of on-demand, reserved, spot',
    ],
    [
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'x'], minValues: 2 },
      'has 1 valid values, minValues asks for 2',
    ],
  ])('%j', (written, reason) => {
    expect(faults(written).join('; ')).toContain(reason);
  });

  test('with every fault at once', () => {
    const all = faults({ key: 'karpenter.sh/x!', operator: 'Gt', values: ['-'] });
    expect(all).toHaveLength(4);
  });
});

test('unknown values beside known ones are reported, not refused', () => {
  const verdict = validateRequirement(coreLabelRules, {
    key: 'karpenter.sh/capacity-type',
    operator: 'In',
    values: ['spot', 'preemptible'],
  });
  expect(verdict).toEqual({ faults: [], unknownValues: ['preemptible'] });
});
