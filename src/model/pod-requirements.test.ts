import { describe, expect, test } from 'vitest';
import type { NodeSelectorTerm, Pod, PodSpec } from '../api/core.ts';
import { coreLabelRules } from './label-rules.ts';
import { fullPodRequirements, heaviest, strictPodRequirements } from './pod-requirements.ts';
import { describeRequirements, type Requirements } from './requirements.ts';

const term = (key: string, ...values: string[]): NodeSelectorTerm => ({
  matchExpressions: [{ key, operator: 'In', values }],
});

function pod(spec: Partial<PodSpec>): Pod {
  return { metadata: { name: 'p' }, spec: { containers: [], ...spec } };
}

const printed = (set: Requirements): string => describeRequirements(coreLabelRules, set);

const wishful = pod({
  nodeSelector: { 'beta.kubernetes.io/arch': 'arm64' },
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          {
            ...term('team', 'a', 'b'),
            matchFields: [{ key: 'metadata.name', operator: 'Exists' }],
          },
          term('team', 'c'),
        ],
      },
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: term('disk', 'slow') },
        { weight: 9, preference: term('disk', 'fast') },
        { weight: 9, preference: term('disk', 'other') },
      ],
    },
  },
});

describe('a pod demands', () => {
  test('strictly: its selector and its first required term', () => {
    expect(printed(strictPodRequirements(coreLabelRules, wishful))).toBe(
      'kubernetes.io/arch In [arm64], team In [a b]',
    );
  });

  test('fully: also its heaviest wish, the first of equals', () => {
    expect(printed(fullPodRequirements(coreLabelRules, wishful))).toBe(
      'disk In [fast], kubernetes.io/arch In [arm64], team In [a b]',
    );
  });

  test('nothing more than the strict set without wishes, and then it is the same set', () => {
    const plain = pod({ nodeSelector: { a: 'b' } });
    const strict = strictPodRequirements(coreLabelRules, plain);
    expect(fullPodRequirements(coreLabelRules, plain, strict)).toBe(strict);
    expect(strictPodRequirements(coreLabelRules, pod({})).size).toBe(0);
  });

  test('an empty term is no constraint', () => {
    const empty = pod({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{}] },
        },
      },
    });
    expect(strictPodRequirements(coreLabelRules, empty).size).toBe(0);
  });
});

test('the heaviest of nothing is nothing', () => {
  expect(heaviest([])).toBeUndefined();
});
