import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coreLabelRules } from './label-rules.ts';
import { describeRequirement } from './requirement-form.ts';
import type { RequirementEntry } from './requirement.ts';
import {
  describeRequirements,
  hasMinValues,
  mergeRequirements,
  noRequirements,
  replaceRequirement,
  requirementOn,
  type Requirements,
  requirementsFromEntries,
  requirementsFromLabels,
  toRequirementEntries,
  withoutKeys,
} from './requirements.ts';
import { oneOf } from './requirement.ts';

const of = (...entries: readonly RequirementEntry[]): Requirements =>
  requirementsFromEntries(coreLabelRules, entries);

describe('building', () => {
  test('a key added twice is intersected', () => {
    const set = of(
      { key: 'a', operator: 'In', values: ['1', '5', 'x'] },
      { key: 'a', operator: 'Gt', values: ['2'] },
      { key: 'b', operator: 'Exists', minValues: 2 },
    );
    expect(describeRequirements(coreLabelRules, set)).toBe('a In [5], b Exists minValues 2');
  });

  test('the order of adding does not matter', () => {
    const entries: RequirementEntry[] = [
      { key: 'a', operator: 'NotIn', values: ['1', '2'] },
      { key: 'a', operator: 'Gte', values: ['1'] },
      { key: 'a', operator: 'Lte', values: ['2'] },
      { key: 'a', operator: 'In', values: ['1'], minValues: 1 },
      { key: 'b', operator: 'Exists' },
    ];
    const printed = (list: readonly RequirementEntry[]): string =>
      describeRequirements(coreLabelRules, of(...list));
    fc.assert(
      fc.property(fc.shuffledSubarray(entries, { minLength: entries.length }), (shuffled) => {
        expect(printed(shuffled)).toBe(printed(entries));
      }),
    );
  });

  test('labels become one value each, under their present key', () => {
    const labels = { 'beta.kubernetes.io/os': 'linux', team: 'a' };
    expect(
      describeRequirements(coreLabelRules, requirementsFromLabels(coreLabelRules, labels)),
    ).toBe('kubernetes.io/os In [linux], team In [a]');
    expect(requirementsFromLabels(coreLabelRules, undefined).size).toBe(0);
  });
});

describe('collections', () => {
  const zone = of({ key: 'zone', operator: 'In', values: ['z1', 'z2'] });

  test('merging leaves the operands alone and skips those that say nothing', () => {
    const merged = mergeRequirements(zone, of({ key: 'zone', operator: 'NotIn', values: ['z1'] }));
    expect(describeRequirements(coreLabelRules, merged)).toBe('zone In [z2]');
    expect(describeRequirements(coreLabelRules, zone)).toBe('zone In [z1 z2]');
    expect(mergeRequirements(noRequirements, zone, new Map())).toBe(zone);
    expect(mergeRequirements()).toBe(noRequirements);
  });

  test('a key nobody mentioned may be anything', () => {
    expect(describeRequirement(requirementOn(zone, 'zone'))).toBe('zone In [z1 z2]');
    expect(describeRequirement(requirementOn(zone, 'arch'))).toBe('arch Exists');
  });

  test('an alias finds nothing, its present key does', () => {
    const aliased = of({ key: 'failure-domain.beta.kubernetes.io/zone', operator: 'Exists' });
    expect([...aliased.keys()]).toEqual(['topology.kubernetes.io/zone']);
  });

  test('replacing and removing keys answers new maps', () => {
    expect(
      describeRequirements(coreLabelRules, replaceRequirement(zone, oneOf('zone', ['z9']))),
    ).toBe('zone In [z9]');
    expect(withoutKeys(zone, 'zone', 'other').size).toBe(0);
    expect(zone.size).toBe(1);
  });

  test('knows whether any key asks for several values', () => {
    expect(hasMinValues(zone)).toBe(false);
    expect(hasMinValues(of({ key: 'a', operator: 'Exists', minValues: 1 }))).toBe(true);
  });
});

describe('leaving again', () => {
  test('entries are sorted by key', () => {
    const set = of(
      { key: 'b', operator: 'Exists' },
      { key: 'a', operator: 'Gte', values: ['1'] },
      { key: 'a', operator: 'Lt', values: ['9'] },
    );
    expect(toRequirementEntries(set)).toEqual([
      { key: 'a', operator: 'Gte', values: ['1'] },
      { key: 'a', operator: 'Lte', values: ['8'] },
      { key: 'b', operator: 'Exists' },
    ]);
  });

  test('the placeholder hostname is not printed', () => {
    const set = of(
      { key: 'kubernetes.io/hostname', operator: 'In', values: ['hostname-placeholder-0001'] },
      { key: 'a', operator: 'DoesNotExist' },
    );
    expect(describeRequirements(coreLabelRules, set)).toBe('a DoesNotExist');
  });
});
