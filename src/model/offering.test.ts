import { describe, expect, test } from 'vitest';
import { coreLabelRules, extendLabelRules } from './label-rules.ts';
import {
  cheapestPrice,
  createOffering,
  hasSuitableOffering,
  type Offering,
  offeringPrice,
  suitableOfferings,
  worstLaunchPrice,
} from './offering.ts';
import { oneOf, createRequirement, type RequirementEntry } from './requirement.ts';
import {
  describeRequirements,
  type Requirements,
  requirementsFromEntries,
} from './requirements.ts';

const rules = extendLabelRules(coreLabelRules, { wellKnown: new Set(['reservation']) });
const of = (...entries: RequirementEntry[]): Requirements =>
  requirementsFromEntries(rules, entries);
const anything = of();
const zone = (...values: string[]): RequirementEntry => ({
  key: 'topology.kubernetes.io/zone',
  operator: 'In',
  values,
});
const type = (...values: string[]): RequirementEntry => ({
  key: 'karpenter.sh/capacity-type',
  operator: 'In',
  values,
});

const offerings: readonly Offering[] = [
  createOffering({ zone: 'z1', capacityType: 'spot', price: 0.4, available: true }),
  createOffering({ zone: 'z2', capacityType: 'spot', price: 0.3, available: true }),
  createOffering({ zone: 'z3', capacityType: 'spot', price: 0.1, available: false }),
  createOffering({ zone: 'z1', capacityType: 'on-demand', price: 1, available: true }),
  createOffering({ zone: 'z2', capacityType: 'on-demand', price: 1.2, available: true }),
];

test('an offering speaks of its zone, its capacity type and what else is said of it', () => {
  const reserved = createOffering({
    zone: 'z1',
    capacityType: 'reserved',
    price: 0.001,
    available: true,
    reservation: { id: 'r1', capacity: 3 },
    others: [oneOf('reservation', ['r1'])],
  });
  expect(describeRequirements(rules, reserved.requirements)).toBe(
    'karpenter.sh/capacity-type In [reserved], reservation In [r1], topology.kubernetes.io/zone In [z1]',
  );
  expect(reserved).not.toHaveProperty('others');
});

describe('suitable offerings', () => {
  test.each<[string, Requirements, number]>([
    ['all that are available', anything, 4],
    ['in a zone', of(zone('z2')), 2],
    ['of a type', of(type('spot')), 2],
    ['both', of(zone('z1'), type('on-demand')), 1],
    ['none that is not available', of(zone('z3')), 0],
    ['whatever other labels are demanded', of({ key: 'team', operator: 'In', values: ['a'] }), 4],
  ])('%s', (_, requirements, count) => {
    expect(suitableOfferings(rules, offerings, requirements)).toHaveLength(count);
    expect(hasSuitableOffering(rules, offerings, requirements)).toBe(count > 0);
  });

  test('exclude those that speak of a custom label nobody defined', () => {
    const odd = createOffering({
      zone: 'z1',
      capacityType: 'spot',
      price: 1,
      available: true,
      others: [createRequirement(rules, { key: 'odd', operator: 'Exists' })],
    });
    expect(hasSuitableOffering(rules, [odd], anything)).toBe(false);
    expect(hasSuitableOffering(rules, [odd], of({ key: 'odd', operator: 'Exists' }))).toBe(true);
  });
});

describe('prices', () => {
  test.each<[string, Requirements, number, number]>([
    ['of anything: spot is launched', anything, 0.3, 0.4],
    ['on demand', of(type('on-demand')), 1, 1.2],
    ['in one zone', of(zone('z1')), 0.4, 0.4],
    ['of what is not available', of(zone('z3')), Infinity, Infinity],
  ])('%s', (_, requirements, cheapest, worst) => {
    expect([
      cheapestPrice(rules, offerings, requirements),
      worstLaunchPrice(rules, offerings, requirements),
    ]).toEqual([cheapest, worst]);
  });

  test('a reservation is launched before anything else', () => {
    const reserved = createOffering({
      zone: 'z1',
      capacityType: 'reserved',
      price: 0.01,
      available: true,
    });
    expect(worstLaunchPrice(rules, [...offerings, reserved], anything)).toBe(0.01);
  });

  test.each<[string, string, number | undefined]>([
    ['z1', 'spot', 0.4],
    ['z3', 'spot', 0.1],
    ['z9', 'spot', undefined],
    ['z1', 'reserved', undefined],
  ])('of a node in %s of type %s: %s', (inZone, capacityType, expected) => {
    expect(offeringPrice(offerings, { zone: inZone, capacityType })).toBe(expected);
  });

  test('a price that is no number is no price', () => {
    const broken = createOffering({
      zone: 'z1',
      capacityType: 'spot',
      price: Number.NaN,
      available: true,
    });
    expect(offeringPrice([broken], broken)).toBeUndefined();
    expect(cheapestPrice(rules, [broken], anything)).toBe(Infinity);
  });
});
