import { describe, expect, test } from 'vitest';
import type { ResourceList } from '../api/core.ts';
import {
  createInstanceType,
  type InstanceType,
  type InstanceTypeParts,
  noOverhead,
  orderByPrice,
} from './instance-type.ts';
import { coreLabelRules } from './label-rules.ts';
import { checkMinValues, describeUnmetMinValues } from './min-values.ts';
import { createOffering, type Offering, type OfferingParts } from './offering.ts';
import type { RequirementEntry } from './requirement.ts';
import { noRequirements, type Requirements, requirementsFromEntries } from './requirements.ts';
import { fromResourceList, toResourceList } from './resources.ts';

const of = (...entries: RequirementEntry[]): Requirements =>
  requirementsFromEntries(coreLabelRules, entries);

function machine(name: string, parts: Partial<InstanceTypeParts> = {}): InstanceType {
  return createInstanceType({
    name,
    requirements: noRequirements,
    offerings: [],
    capacity: fromResourceList({ cpu: '4', memory: '8Gi', pods: '110' }),
    overhead: noOverhead,
    ...parts,
  });
}

const offer = (parts: Partial<OfferingParts> = {}): Offering =>
  createOffering({ zone: 'z1', capacityType: 'spot', price: 1, available: true, ...parts });

describe('allocatable', () => {
  test('is the capacity less everything the system keeps', () => {
    const type = machine('m', {
      overhead: {
        kubeReserved: fromResourceList({ cpu: '100m', memory: '1Gi' }),
        systemReserved: fromResourceList({ cpu: '100m' }),
        evictionThreshold: fromResourceList({ memory: '100Mi', 'not-there': '1' }),
      },
    });
    expect(toResourceList(type.allocatable)).toEqual({
      cpu: '3800m',
      memory: '7068Mi',
      pods: '110',
    });
  });

  test.each<[ResourceList, string | undefined]>([
    [{ memory: '8Gi', 'hugepages-2Mi': '1Gi' }, '7Gi'],
    [{ memory: '8Gi', 'hugepages-2Mi': '1Gi', 'hugepages-1Gi': '4Gi' }, '3Gi'],
    [{ memory: '1Gi', 'hugepages-1Gi': '4Gi' }, '0'],
    [{ 'hugepages-1Gi': '4Gi' }, '0'],
    [{ memory: '8Gi' }, '8Gi'],
  ])('of %j has %s of memory', (capacity, memory) => {
    const type = machine('m', { capacity: fromResourceList(capacity) });
    expect(toResourceList(type.allocatable)['memory']).toBe(memory);
  });
});

describe('groups of offerings', () => {
  test('without own amounts are one, with only what is available', () => {
    const [a, b] = [offer(), offer({ available: false })];
    const type = machine('m', { offerings: [a, b] });
    expect(type.allocatableGroups).toEqual([{ allocatable: type.allocatable, offerings: [a] }]);
  });

  test('with own amounts have their own allocatable, which replaces or extends the base', () => {
    const gpu = fromResourceList({ 'nvidia.com/gpu': '2', memory: '16Gi' });
    const offerings = [
      offer({ zone: 'z2', capacityOverride: gpu }),
      offer(),
      offer({ zone: 'z3', capacityOverride: new Map(gpu) }),
      offer({ zone: 'z4', overheadOverride: fromResourceList({ cpu: '1' }) }),
      offer({ zone: 'z5', capacityOverride: gpu, available: false }),
    ];
    const type = machine('m', {
      offerings,
      overhead: { ...noOverhead, kubeReserved: fromResourceList({ cpu: '500m' }) },
    });
    expect(
      type.allocatableGroups.map((group) => [
        group.offerings.map(({ zone }) => zone).join(),
        toResourceList(group.allocatable),
      ]),
    ).toEqual([
      ['z1', { cpu: '3500m', memory: '8Gi', pods: '110' }],
      ['z2,z3', { cpu: '3500m', memory: '16Gi', 'nvidia.com/gpu': '2', pods: '110' }],
      ['z4', { cpu: '3', memory: '8Gi', pods: '110' }],
    ]);
  });

  test('the base group comes first even when it is empty', () => {
    const type = machine('m', { offerings: [offer({ overheadOverride: new Map() })] });
    expect(type.allocatableGroups.map(({ offerings }) => offerings.length)).toEqual([0, 1]);
  });
});

test('types are ordered by their cheapest suitable offering, then by name', () => {
  const types = [
    machine('none'),
    machine('dear', { offerings: [offer({ price: 2 }), offer({ price: 0.1, zone: 'z9' })] }),
    machine('b', { offerings: [offer({ price: 1 })] }),
    machine('a', { offerings: [offer({ price: 1 }), offer({ price: 0.5, available: false })] }),
    machine('gone'),
  ];
  const inZone = of({ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['z1'] });
  const names = (requirements: Requirements): string[] =>
    orderByPrice(coreLabelRules, types, requirements).map(({ name }) => name);
  expect(names(inZone)).toEqual(['a', 'b', 'dear', 'gone', 'none']);
  expect(names(noRequirements)).toEqual(['dear', 'a', 'b', 'gone', 'none']);
});

describe('minValues', () => {
  const typed = (name: string, family: string): InstanceType =>
    machine(name, {
      requirements: of(
        { key: 'node.kubernetes.io/instance-type', operator: 'In', values: [name] },
        { key: 'family', operator: 'In', values: [family] },
        { key: 'odd', operator: 'NotIn', values: ['x', 'y', 'z'] },
      ),
    });
  const wanted = (types: number, families: number): Requirements =>
    of(
      { key: 'node.kubernetes.io/instance-type', operator: 'Exists', minValues: types },
      { key: 'family', operator: 'Exists', minValues: families },
      { key: 'team', operator: 'Exists' },
    );
  const list = [typed('c4', 'c'), typed('c5', 'c'), typed('m4', 'm'), typed('r4', 'r')];

  test.each<[number, number, number, [string, number][]]>([
    [2, 1, 2, []],
    [1, 2, 3, []],
    [4, 3, 4, []],
    [1, 4, 4, [['family', 3]]],
    [
      5,
      4,
      4,
      [
        ['family', 3],
        ['node.kubernetes.io/instance-type', 4],
      ],
    ],
  ])('%i types and %i families: %i are needed', (...row) => {
    const [types, families, needed, unmet] = row;
    expect(checkMinValues(list, wanted(types, families))).toEqual({
      needed,
      unmet: new Map(unmet),
    });
  });

  test('nothing asked and nothing to judge are fine', () => {
    expect(checkMinValues(list, of({ key: 'family', operator: 'Exists' })).needed).toBe(0);
    expect(checkMinValues([], wanted(2, 2)).unmet.size).toBe(0);
  });

  test('excluded values are no variety, and neither is a key nobody speaks of', () => {
    const demand = of(
      { key: 'odd', operator: 'Exists', minValues: 1 },
      { key: 'unheard', operator: 'Exists', minValues: 1 },
    );
    const { unmet } = checkMinValues(list, demand);
    expect(describeUnmetMinValues(unmet)).toBe(
      'minValues requirement is not met for label(s) (label(s)=[odd unheard])',
    );
  });
});
