import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/requirement.json' with { type: 'json' };
import {
  describeIncompatibility,
  doIntersect,
  incompatibility,
  isCompatible,
  mismatch,
} from './compatibility.ts';
import { coreLabelRules } from './label-rules.ts';
import type { RequirementEntry } from './requirement.ts';
import { noRequirements, type Requirements, requirementsFromEntries } from './requirements.ts';

const wellKnown = coreLabelRules.wellKnown;
const of = (...entries: readonly RequirementEntry[]): Requirements =>
  requirementsFromEntries(coreLabelRules, entries);
const on = (
  key: string,
  operator: RequirementEntry['operator'],
  ...values: string[]
): Requirements => of({ key, operator, values });

describe('against recorded answers of the original', () => {
  const shapes = (vectors.shapes as RequirementEntry[][]).map((entries) => of(...entries));

  test('the same pairs clash, with the same words', () => {
    const ours = vectors.pairs.map(([left, right]) => {
      const reason = mismatch(shapes[left as number]!, shapes[right as number]!);
      return [left, right, reason === undefined ? '' : describeIncompatibility(reason)];
    });
    expect(ours).toEqual(vectors.pairs.map((row) => [row[0], row[1], row[4]]));
  });

  test('yes and no agree with whether there is a reason', () => {
    for (const a of shapes) {
      for (const b of shapes) {
        expect(doIntersect(a, b)).toBe(mismatch(a, b) === undefined);
        expect(isCompatible(a, b)).toBe(incompatibility(a, b) === undefined);
      }
    }
  });
});

// Rows: what the node has. Columns: what is demanded. Both of one key.
const columns: Record<string, Requirements> = {
  Exists: on('k', 'Exists'),
  DoesNotExist: on('k', 'DoesNotExist'),
  'In 1 5': on('k', 'In', '1', '5'),
  'In 9': on('k', 'In', '9'),
  'NotIn 1 5': on('k', 'NotIn', '1', '5'),
  'NotIn 9': on('k', 'NotIn', '9'),
  'Gt 4': on('k', 'Gt', '4'),
  'Lt 4': on('k', 'Lt', '4'),
};
const table: Record<string, string> = {
  Exists: 'YNYYYYYY',
  DoesNotExist: 'NYNNYYNN',
  'In 1 5': 'YNYNNYYY',
  'In 9': 'YNNYYNYN',
  'NotIn 1 5': 'YYNYYYYY',
  'NotIn 9': 'YYYNYYYY',
  'Gt 4': 'YNYYYYYN',
  'Lt 4': 'YNYNYYNY',
};

describe('the truth table', () => {
  test.each(Object.entries(table))('a node with %s: %s', (existing, expected) => {
    const row = Object.values(columns).map((incoming) =>
      isCompatible(columns[existing]!, incoming) ? 'Y' : 'N',
    );
    expect(row.join('')).toBe(expected);
  });

  test('a key the node does not have: only its absence may be demanded', () => {
    const row = Object.values(columns).map((incoming) => isCompatible(noRequirements, incoming));
    expect(row).toEqual([false, true, false, false, true, true, false, false]);
  });

  test('a key that may stay open is never undefined', () => {
    for (const incoming of Object.values(columns)) {
      expect(isCompatible(noRequirements, incoming, new Set(['k']))).toBe(true);
      expect(doIntersect(noRequirements, incoming)).toBe(true);
    }
  });

  test('two exclusions that leave no integer of a range are content, a range is not', () => {
    const range = of(
      { key: 'k', operator: 'Gte', values: ['1'] },
      { key: 'k', operator: 'Lte', values: ['2'] },
    );
    const excluded = on('k', 'NotIn', '1', '2');
    expect(isCompatible(range, excluded)).toBe(false);
    expect(isCompatible(on('k', 'NotIn', '3'), excluded)).toBe(true);
  });
});

describe('reasons', () => {
  test.each([
    ['zone', 'topology.kubernetes.io/zone'],
    ['region', 'topology.kubernetes.io/region'],
    ['nodepool', 'karpenter.sh/nodepool'],
    ['instance-type', 'node.kubernetes.io/instance-type'],
    ['arch', 'kubernetes.io/arch'],
    ['capacity-type', 'karpenter.sh/capacity-type'],
    ['karpenter.shh/capacity-type', 'karpenter.sh/capacity-type'],
    ['topologykubernetes.io/zone', 'topology.kubernetes.io/zone'],
    ['karpenter.sh/nodepoo', 'karpenter.sh/nodepool'],
    ['node.io/zone', 'topology.kubernetes.io/zone'],
  ])('%s was probably meant to be %s', (typed, meant) => {
    const reason = incompatibility(noRequirements, on(typed, 'Exists'), wellKnown)!;
    expect(describeIncompatibility(reason)).toBe(
      `label "${typed}" does not have known values (typo of "${meant}"?)`,
    );
  });

  test('a label of the node is suggested after the well-known ones', () => {
    const node = on('example.com/team', 'Exists');
    const reason = incompatibility(node, on('example.org/team', 'In', 'a'), wellKnown)!;
    expect(describeIncompatibility(reason)).toContain('(typo of "example.com/team"?)');
  });

  test('an unknown label has no hint, and only the first undefined one is named', () => {
    const demand = of(
      { key: 'zz', operator: 'Exists' },
      { key: 'deployment', operator: 'Exists' },
      { key: 'absent', operator: 'DoesNotExist' },
    );
    expect(describeIncompatibility(incompatibility(noRequirements, demand, wellKnown)!)).toBe(
      'label "deployment" does not have known values',
    );
  });

  test('all clashing keys are named, by key', () => {
    const node = of(
      { key: 'b', operator: 'In', values: ['1'] },
      { key: 'a', operator: 'In', values: ['1'] },
      { key: 'c', operator: 'Exists' },
    );
    const demand = of(
      { key: 'b', operator: 'In', values: ['2'] },
      { key: 'a', operator: 'Gt', values: ['1'] },
      { key: 'c', operator: 'Exists' },
    );
    expect(describeIncompatibility(incompatibility(node, demand)!)).toBe(
      'key a, a Exists >=2 not in a In [1]; key b, b In [2] not in b In [1]',
    );
    expect(doIntersect(node, demand)).toBe(false);
  });

  test('there is none for compatible sets', () => {
    expect(incompatibility(on('a', 'Exists'), on('a', 'In', '1'))).toBeUndefined();
  });
});
