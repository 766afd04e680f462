import { describe, expect, test } from 'vitest';
import type { NodeSelectorRequirement, Taint, Toleration } from '../../../api/core.ts';
import { compileSelector } from './label-selector.ts';
import { matchesTerms } from './node-selector.ts';
import { podRequests } from './pod-requests.ts';
import { untoleratedTaint } from './toleration.ts';

describe('a toleration', () => {
  const taint: Taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' };
  test.each<[string, Toleration, boolean]>([
    ['the same key and value', { key: 'gpu', value: 'yes' }, true],
    ['another value', { key: 'gpu', value: 'no' }, false],
    ['any value', { key: 'gpu', operator: 'Exists' }, true],
    ['any key', { operator: 'Exists' }, true],
    ['no key, equal value', { value: 'yes' }, false],
    ['another effect', { key: 'gpu', operator: 'Exists', effect: 'NoExecute' }, false],
    ['the same effect', { key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }, true],
    [
      'a number comparison, which is not switched on',
      { key: 'gpu', operator: 'Gt', value: '1' },
      false,
    ],
  ])('with %s', (_, toleration, isTolerated) => {
    const found = untoleratedTaint([taint], [toleration], ['NoSchedule']);
    expect(found === undefined).toBe(isTolerated);
  });
});

describe('a node selector term', () => {
  const node = { name: 'a', labels: { zone: '1', cores: '8', empty: '' } };
  test.each<[NodeSelectorRequirement, boolean]>([
    [{ key: 'zone', operator: 'In', values: ['1', '2'] }, true],
    [{ key: 'none', operator: 'In', values: [''] }, false],
    [{ key: 'zone', operator: 'NotIn', values: ['1'] }, false],
    [{ key: 'none', operator: 'NotIn', values: ['1'] }, true],
    [{ key: 'empty', operator: 'Exists' }, true],
    [{ key: 'none', operator: 'Exists' }, false],
    [{ key: 'none', operator: 'DoesNotExist' }, true],
    [{ key: 'cores', operator: 'Gt', values: ['7'] }, true],
    [{ key: 'cores', operator: 'Gt', values: ['8'] }, false],
    [{ key: 'cores', operator: 'Lt', values: ['9'] }, true],
    [{ key: 'none', operator: 'Lt', values: ['9'] }, false],
    [{ key: 'empty', operator: 'Gt', values: ['0'] }, false],
  ])('%j', (requirement, isMatch) => {
    expect(matchesTerms([{ matchExpressions: [requirement] }], node)).toBe(isMatch);
  });

  test('without any condition matches nothing, and so does no term at all', () => {
    expect(matchesTerms([{}], node)).toBe(false);
    expect(matchesTerms([], node)).toBe(false);
  });

  test('knows no field but the name', () => {
    const field = (key: string) => ({ key, operator: 'In' as const, values: ['a'] });
    expect(matchesTerms([{ matchFields: [field('metadata.name')] }], node)).toBe(true);
    expect(matchesTerms([{ matchFields: [field('metadata.uid')] }], node)).toBe(false);
  });
});

describe('a label selector', () => {
  test('matches nothing when there is none, everything when it is empty', () => {
    expect(compileSelector(undefined)({ a: 'b' })).toBe(false);
    expect(compileSelector({})({ a: 'b' })).toBe(true);
  });

  test('wants all of its parts', () => {
    const matches = compileSelector({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'NotIn', values: ['db'] },
        { key: 'canary', operator: 'DoesNotExist' },
      ],
    });
    expect([
      matches({ app: 'web' }),
      matches({ app: 'web', tier: 'db' }),
      matches({ app: 'web', canary: '' }),
      matches({ app: 'api' }),
    ]).toEqual([true, false, false, false]);
  });
});

describe('what a pod asks for', () => {
  const container = (cpu: string, more: object = {}) => ({
    name: cpu,
    resources: { requests: { cpu } },
    ...more,
  });

  test('is the sum of its containers, or its largest init container with the sidecars before it', () => {
    const spec = {
      containers: [container('100m'), container('200m')],
      initContainers: [
        container('50m', { restartPolicy: 'Always' }),
        container('400m'),
        container('60m', { restartPolicy: 'Always' }),
      ],
    };
    expect(podRequests(spec)).toEqual({ cpu: 450 });
  });

  test('comes with the overhead on top, also of an amount for the whole pod', () => {
    const spec = {
      containers: [container('100m')],
      resources: { requests: { cpu: '1', memory: '1Gi', 'example.com/x': '5' } },
      overhead: { cpu: '10m', memory: '1Mi' },
    };
    expect(podRequests(spec)).toEqual({ cpu: 1010, memory: 2 ** 30 + 2 ** 20 });
  });
});
