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
import { isContradiction, type RequirementEntry } from './requirement.ts';
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

  const impossible = shapes.findIndex((shape) => isContradiction(shape.get('k')!));
  const printed = vectors.printed.map(([text]) => text);
  // The original lets the label be absent although a bound demands it, or although nothing can satisfy it.
  const isMistaken = ([a, b]: readonly unknown[]): boolean =>
    [a, b].includes(impossible) ||
    [a, b].every((shape) =>
      ['k DoesNotExist', 'k NotIn [3] >=2 <=5'].includes(printed[shape as number] as string),
    );

  test('the same pairs clash, with the same words', () => {
    const rows = vectors.pairs.filter((row) => !isMistaken(row));
    const ours = rows.map(([left, right]) => {
      const reason = mismatch(shapes[left as number]!, shapes[right as number]!);
      return [left, right, reason === undefined ? '' : describeIncompatibility(reason)];
    });
    expect(ours).toEqual(rows.map((row) => [row[0], row[1], row[4]]));
    expect(rows.length).toBeGreaterThan(1000);
  });

  test('what no label can be clashes with every shape, and absence with bounds', () => {
    const nothing = shapes[impossible]!;
    expect(shapes.filter((shape) => doIntersect(shape, nothing))).toEqual([]);
    expect(shapes.filter((shape) => doIntersect(nothing, shape))).toEqual([]);
    const bounded = shapes[printed.indexOf('k NotIn [3] >=2 <=5')]!;
    expect(doIntersect(bounded, on('k', 'DoesNotExist'))).toBe(false);
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

describe('presence', () => {
  const present = of(
    { key: 'k', operator: 'Exists' },
    { key: 'k', operator: 'NotIn', values: ['1'] },
  );

  test('is still demanded after something was excluded', () => {
    expect(isCompatible(noRequirements, present)).toBe(false);
    expect(isCompatible(on('k', 'DoesNotExist'), present)).toBe(false);
    expect(isCompatible(present, on('k', 'DoesNotExist'))).toBe(false);
    expect(isCompatible(on('k', 'NotIn', '2'), present)).toBe(true);
  });

  test('is not demanded by exclusions alone', () => {
    expect(isCompatible(noRequirements, on('k', 'NotIn', '1'))).toBe(true);
    expect(isCompatible(on('k', 'DoesNotExist'), on('k', 'NotIn', '1'))).toBe(true);
  });
});

describe('a contradiction', () => {
  const impossible = of(
    { key: 'k', operator: 'In', values: ['1'] },
    { key: 'k', operator: 'In', values: ['2'] },
  );
  const open = new Set(['k']);

  test.each([...Object.entries(columns), ['nothing said', noRequirements] as const])(
    'as a demand fails on a node with %s',
    (_, node) => {
      expect(isCompatible(node, impossible)).toBe(false);
      expect(isCompatible(node, impossible, open)).toBe(false);
      expect(doIntersect(node, impossible)).toBe(false);
      expect(doIntersect(impossible, node)).toBe(false);
    },
  );

  test('is noticed among keys that the other side does not name, in the larger set as well', () => {
    const more = of({ key: 'a', operator: 'Exists' }, { key: 'b', operator: 'Exists' });
    const larger = new Map([...more, ...impossible]);
    expect(doIntersect(on('a', 'Exists'), larger)).toBe(false);
    expect(doIntersect(larger, on('a', 'Exists'))).toBe(false);
  });

  test('in the labels of a node matters only to those who ask for the key', () => {
    const node = new Map([...impossible, ...on('a', 'Exists')]);
    expect(isCompatible(node, on('a', 'Exists'))).toBe(true);
    expect(isCompatible(node, on('k', 'NotIn', '3'))).toBe(false);
  });

  test('is named when nothing else is wrong', () => {
    const text = 'key k, its requirements exclude each other';
    expect(describeIncompatibility(incompatibility(noRequirements, impossible)!)).toBe(text);
    expect(describeIncompatibility(incompatibility(noRequirements, impossible, open)!)).toBe(text);
    expect(describeIncompatibility(mismatch(impossible, noRequirements)!)).toBe(text);
    expect(describeIncompatibility(incompatibility(on('k', 'Exists'), impossible)!)).toBe(
      'key k, k DoesNotExist not in k Exists',
    );
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
