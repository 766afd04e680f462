import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createInstanceType, noOverhead } from '../model/instance-type.ts';
import { coreLabelRules as rules } from '../model/label-rules.ts';
import { doIntersect, isCompatible } from '../model/compatibility.ts';
import { cheapestPrice, createOffering, hasSuitableOffering } from '../model/offering.ts';
import { createRequirement, type RequirementEntry } from '../model/requirement.ts';
import {
  mergeRequirements,
  requirementsFromEntries,
  requirementsOf,
} from '../model/requirements.ts';
import { fromResourceList } from '../model/resources.ts';
import { Catalog } from './catalog.ts';
import { incompatible, RequirementStates } from './requirement-states.ts';
import { compileColumns } from './resource-columns.ts';

const zoneKey = 'topology.kubernetes.io/zone';
const archKey = 'kubernetes.io/arch';
const capacityKey = 'karpenter.sh/capacity-type';
const ownKey = 'example.com/disk';

const types = Array.from({ length: 40 }, (_, i) =>
  createInstanceType({
    name: `type-${String(i).padStart(2, '0')}`,
    requirements: requirementsOf([
      createRequirement(rules, {
        key: archKey,
        operator: 'In',
        values: [i % 3 ? 'amd64' : 'arm64'],
      }),
      createRequirement(rules, {
        key: zoneKey,
        operator: 'In',
        values: ['a', 'b'].slice(0, 1 + (i % 2)),
      }),
      ...(i % 5 === 0
        ? [createRequirement(rules, { key: ownKey, operator: 'In', values: ['ssd'] })]
        : []),
    ]),
    offerings: ['a', 'b'].slice(0, 1 + (i % 2)).flatMap((zone) =>
      ['on-demand', 'spot'].map((capacityType, n) =>
        createOffering({
          zone,
          capacityType,
          price: 1 + ((i * 7) % 13) - n / 2,
          available: (i + n) % 4 !== 0,
        }),
      ),
    ),
    capacity: fromResourceList({ cpu: String(1 + i), memory: `${4 * (1 + i)}Gi` }),
    overhead: noOverhead,
  }),
);

const entry = fc.oneof(
  fc.record({
    key: fc.constantFrom(zoneKey, archKey, capacityKey, ownKey),
    operator: fc.constantFrom('In' as const, 'NotIn' as const),
    values: fc.subarray(['a', 'b', 'amd64', 'arm64', 'spot', 'on-demand', 'ssd'], { minLength: 1 }),
  }),
  fc.record({
    key: fc.constantFrom(zoneKey, ownKey),
    operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const),
  }),
);

function build(): { states: RequirementStates; catalog: Catalog } {
  const states = new RequirementStates(rules);
  const columns = compileColumns(types.map((type) => type.allocatable));
  return { states, catalog: new Catalog({ types, columns, states, rules }) };
}

describe('the compiled catalogue', () => {
  test('opens exactly the types, at exactly the prices, that the model would', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), (entries: RequirementEntry[]) => {
        const { states, catalog } = build();
        const requirements = requirementsFromEntries(rules, entries);
        const open = catalog.open(states.intern(requirements));
        const expected = types
          .filter(
            (type) =>
              doIntersect(type.requirements, requirements) &&
              hasSuitableOffering(rules, type.offerings, requirements),
          )
          .map((type): [string, number] => [
            type.name,
            cheapestPrice(rules, type.offerings, requirements),
          ])
          .toSorted((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1));
        const found = [...open.byPrice].map((variant): [string, number] => [
          types[catalog.typeOf[variant]!]!.name,
          open.price[variant]!,
        ]);
        expect(found).toEqual(expected);
        expect(open.variants.count()).toBe(expected.length);
      }),
    );
  });

  test('opens nothing to a contradiction, also about a label that no type names', () => {
    const { states, catalog } = build();
    const key = 'example.com/unheard-of';
    const contradiction = requirementsFromEntries(rules, [
      { key, operator: 'Exists' },
      { key, operator: 'DoesNotExist' },
    ]);
    expect(catalog.open(states.intern(contradiction)).variants.count()).toBe(0);
  });

  test('names the offerings that a state accepts, cheapest first', () => {
    const { states, catalog } = build();
    const state = states.intern(
      requirementsFromEntries(rules, [{ key: capacityKey, operator: 'In', values: ['spot'] }]),
    );
    const [cheapest] = catalog.open(state).byPrice;
    const offerings = catalog.offeringsOf(cheapest!, state);
    expect(offerings.every(({ capacityType }) => capacityType === 'spot')).toBe(true);
    expect(offerings[0]!.price).toBe(catalog.open(state).price[cheapest!]);
  });
});

describe('requirement states', () => {
  test('equal sets are one state, in whatever order they came to be', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 5 }), (entries: RequirementEntry[]) => {
        const states = new RequirementStates(rules);
        const one = states.intern(requirementsFromEntries(rules, entries));
        expect(states.intern(requirementsFromEntries(rules, entries.toReversed()))).toBe(one);
      }),
    );
  });

  test('wanting some value but one is another state than only excluding that one', () => {
    const states = new RequirementStates(rules);
    const excluding: RequirementEntry = { key: ownKey, operator: 'NotIn', values: ['ssd'] };
    const wanting: RequirementEntry[] = [{ key: ownKey, operator: 'Exists' }, excluding];
    const [some, any] = [wanting, [excluding]].map((list) =>
      states.intern(requirementsFromEntries(rules, list)),
    );
    expect(some).not.toBe(any);
    expect(states.join(any!, states.intern(requirementsFromEntries(rules, wanting)))).toBe(some);
  });

  test('joining agrees with the model, and a second time is looked up', () => {
    fc.assert(
      fc.property(
        fc.array(entry),
        fc.array(entry),
        (a: RequirementEntry[], b: RequirementEntry[]) => {
          const states = new RequirementStates(rules);
          const [left, right] = [a, b].map((entries) => requirementsFromEntries(rules, entries));
          const [state, demand] = [states.intern(left!), states.intern(right!)];
          const joined = states.join(state, demand);
          const size = states.size;
          const expected = isCompatible(left!, right!, rules.wellKnown)
            ? states.intern(mergeRequirements(left!, right!))
            : incompatible;
          expect([joined, states.join(state, demand), states.size]).toEqual([
            expected,
            expected,
            size,
          ]);
        },
      ),
    );
  });
});
