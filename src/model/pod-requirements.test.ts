import { describe, expect, test } from 'vitest';
import type { NodeSelectorTerm, Pod, PodSpec } from '../api/core.ts';
import { doIntersect, isCompatible } from './compatibility.ts';
import { coreLabelRules } from './label-rules.ts';
import {
  fullPodRequirements,
  heaviest,
  requiredTerms,
  requirementsFromTerm,
  strictPodRequirements,
} from './pod-requirements.ts';
import {
  describeRequirements,
  noNode,
  noRequirements,
  type Requirements,
  requirementsFromLabels,
} from './requirements.ts';

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
        nodeSelectorTerms: [term('team', 'a', 'b'), term('team', 'c')],
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
    expect(requiredTerms(pod({}))).toEqual([]);
  });
});

const requiring = (...nodeSelectorTerms: NodeSelectorTerm[]): Pod =>
  pod({
    nodeSelector: { arch: 'arm64' },
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
    },
  });
const onNode = (name: string): NodeSelectorTerm => ({
  matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }],
});
const node = requirementsFromLabels(coreLabelRules, {
  'kubernetes.io/hostname': 'n1',
  arch: 'arm64',
  team: 'a',
});

describe('a required term that no new node can match', () => {
  test.each([
    ['no term at all', requiring()],
    ['an empty term', requiring({})],
    ['a term with empty lists', requiring({ matchExpressions: [], matchFields: [] })],
    ['a term for a node by its name', requiring(onNode('n1'))],
    [
      'a term for a node by its name and labels',
      requiring({ ...onNode('n1'), ...term('team', 'a') }),
    ],
  ])('alone keeps the pod from every node: %s', (_, impossible) => {
    const strict = strictPodRequirements(coreLabelRules, impossible);
    expect(isCompatible(node, strict)).toBe(false);
    expect(isCompatible(noRequirements, strict, new Set(strict.keys()))).toBe(false);
    expect(doIntersect(noRequirements, strict)).toBe(false);
    const alternatives = requiredTerms(impossible);
    expect(alternatives.map((one) => requirementsFromTerm(coreLabelRules, one))).toEqual([noNode]);
  });

  test('is passed over when there are others', () => {
    const mixed = requiring({}, onNode('n1'), term('team', 'a'), term('team', 'b'));
    expect(requiredTerms(mixed)).toEqual([term('team', 'a'), term('team', 'b')]);
    expect(printed(strictPodRequirements(coreLabelRules, mixed))).toBe(
      'arch In [arm64], team In [a]',
    );
  });
});

test('a wish without expressions, or for a node by its name, is none', () => {
  const terms = [
    { weight: 9, preference: {} },
    { weight: 8, preference: { ...onNode('n1'), ...term('disk', 'slow') } },
    { weight: 1, preference: term('disk', 'fast') },
  ];
  const wishing = (list: typeof terms): Pod =>
    pod({
      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: list } },
    });
  expect(printed(fullPodRequirements(coreLabelRules, wishing(terms)))).toBe('disk In [fast]');
  expect(fullPodRequirements(coreLabelRules, wishing(terms.slice(0, 2))).size).toBe(0);
});

test('the heaviest of nothing is nothing', () => {
  expect(heaviest([])).toBeUndefined();
});
