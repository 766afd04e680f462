import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/requirement.json' with { type: 'json' };
import { coreLabelRules } from './label-rules.ts';
import { describeRequirement } from './requirement-form.ts';
import {
  allows,
  exists,
  hasIntersection,
  intersect,
  isContradiction,
  oneOf,
  operatorOf,
  parseInteger,
  type Requirement,
  createRequirement,
  type RequirementEntry,
  sizeOf,
  withMinValues,
} from './requirement.ts';

const shapes = (vectors.shapes as RequirementEntry[][]).map((entries) =>
  entries.map(of).reduce(intersect),
);

function of(entry: Omit<RequirementEntry, 'key'>): Requirement {
  return createRequirement(coreLabelRules, { key: 'k', ...entry });
}

/** Everything observable, so that two equal sets compare equal whatever order they were built in. */
function seen(value: Requirement): unknown {
  return { ...value, values: [...value.values].toSorted() };
}

describe('against recorded answers of the original', () => {
  test.each(vectors.printed.map((row, index) => [index, ...row] as const))(
    'shape %i is %s',
    (...row) => {
      const [index, text, operator, has] = row;
      const shape = shapes[index]!;
      expect({
        text: describeRequirement(shape),
        operator: operatorOf(shape),
        has: vectors.probes.filter((probe) => allows(shape, probe)),
      }).toEqual({ text, operator, has });
    },
  );

  test('every pair intersects to the same set', () => {
    const ours = vectors.pairs.map(([left, right]) => {
      const [a, b] = [shapes[left as number]!, shapes[right as number]!];
      return [left, right, describeRequirement(intersect(a, b)), hasIntersection(a, b)];
    });
    expect(ours).toEqual(vectors.pairs.map((row) => row.slice(0, 4)));
  });
});

describe('building', () => {
  test('brings old keys to their present spelling', () => {
    const arch = createRequirement(coreLabelRules, {
      key: 'beta.kubernetes.io/arch',
      operator: 'In',
      values: ['arm64'],
    });
    expect(arch.key).toBe('kubernetes.io/arch');
  });

  test('brings values of a key to the spelling the provider uses', () => {
    const rules = {
      ...coreLabelRules,
      valueAliases: new Map([['k', new Map([['', '0']])]]),
    };
    const zone = createRequirement(rules, { key: 'k', operator: 'NotIn', values: ['', '1'] });
    expect([...zone.values]).toEqual(['0', '1']);
  });

  test.each<[string, Omit<RequirementEntry, 'key'>]>([
    ['no integer is larger than the largest', { operator: 'Gt', values: ['9223372036854775807'] }],
    ['a bound that is no integer', { operator: 'Gte', values: ['abc'] }],
    ['a bound beyond 64 bits', { operator: 'Lte', values: ['9223372036854775808'] }],
    ['a bound without a value', { operator: 'Lt' }],
  ])('%s: matches nothing', (_, entry) => {
    expect(isContradiction(of(entry))).toBe(true);
  });

  test('Gt n and Gte n+1 are one requirement, so are Lt n and Lte n-1', () => {
    expect(of({ operator: 'Gt', values: ['4'] })).toEqual(of({ operator: 'Gte', values: ['5'] }));
    expect(of({ operator: 'Lt', values: ['4'] })).toEqual(of({ operator: 'Lte', values: ['3'] }));
  });

  test('In without values is nothing, NotIn without values is anything and absence too', () => {
    expect(isContradiction(of({ operator: 'In' }))).toBe(true);
    const anything = of({ operator: 'NotIn' });
    expect([operatorOf(anything), anything.mayBeAbsent, allows(anything, 'a')]).toEqual([
      'NotIn',
      true,
      true,
    ]);
  });

  test.each([
    ['7', 7n],
    ['+7', 7n],
    ['-7', -7n],
    ['007', 7n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['9223372036854775808', undefined],
    ['', undefined],
    ['1.0', undefined],
    ['0x1', undefined],
    ['1_0', undefined],
    [' 1', undefined],
  ])('reads %j as %s', (text, value) => {
    expect(parseInteger(text)).toBe(value);
  });
});

test.each([
  [of({ operator: 'In', values: ['a', 'b'] }), 2, false],
  [of({ operator: 'DoesNotExist' }), 0, true],
  [of({ operator: 'Exists' }), Number.MAX_SAFE_INTEGER, false],
  [of({ operator: 'NotIn', values: ['a'] }), Number.MAX_SAFE_INTEGER - 1, true],
  [of({ operator: 'Gt', values: ['1'] }), Number.MAX_SAFE_INTEGER, false],
])('size and tolerance of an absent label: %#', (shape, size, absent) => {
  expect([sizeOf(shape), shape.mayBeAbsent]).toEqual([size, absent]);
});

describe('intersection', () => {
  test('a finite range of which every integer is excluded holds nothing', () => {
    const range = intersect(
      of({ operator: 'Gte', values: ['1'] }),
      of({ operator: 'Lte', values: ['3'] }),
    );
    const some = of({ operator: 'NotIn', values: ['1', '2', 'x', '9'] });
    const all = of({ operator: 'NotIn', values: ['1', '2', '3', 'x'], minValues: 2 });
    expect(hasIntersection(range, some)).toBe(true);
    expect(hasIntersection(range, all)).toBe(false);
    expect(describeRequirement(intersect(range, all))).toBe('k DoesNotExist minValues 2');
    expect(describeRequirement(intersect(range, some))).toBe('k NotIn [1 2] >=1 <=3');
  });

  test('thins an excluded set to the bounds', () => {
    const both = intersect(
      of({ operator: 'NotIn', values: ['1', '2'] }),
      of({ operator: 'Gt', values: ['1'] }),
    );
    expect(describeRequirement(both)).toBe('k NotIn [2] >=2');
  });

  test('of Exists and NotIn wants a value still', () => {
    const both = intersect(exists('k'), of({ operator: 'NotIn', values: ['a'] }));
    expect([both.mayBeAbsent, allows(both, 'a'), allows(both, 'b')]).toEqual([false, false, true]);
  });

  test.each<[string, Requirement, Requirement]>([
    ['two values', oneOf('k', ['a']), oneOf('k', ['b'])],
    ['some value and none', exists('k'), of({ operator: 'DoesNotExist' })],
    ['a value and its exclusion', oneOf('k', ['a']), of({ operator: 'NotIn', values: ['a'] })],
    [
      'crossed bounds',
      of({ operator: 'Gt', values: ['4'] }),
      of({ operator: 'Lt', values: ['4'] }),
    ],
  ])('of %s is a contradiction, which is not the same as DoesNotExist', (_, a, b) => {
    const none = of({ operator: 'DoesNotExist' });
    expect(isContradiction(intersect(a, b))).toBe(true);
    expect(isContradiction(none)).toBe(false);
    expect(isContradiction(intersect(none, of({ operator: 'NotIn', values: ['a'] })))).toBe(false);
  });

  test('asks for the larger number of values', () => {
    const two = withMinValues(oneOf('k', ['a', 'b', 'c']), 2);
    const three = of({ operator: 'Exists', minValues: 3 });
    expect(intersect(two, three).minValues).toBe(3);
    expect(intersect(two, exists('k')).minValues).toBe(2);
  });
});

// Plain spellings only: see the third rule of the header.
const universe = ['a', 'b', 'c', ...Array.from({ length: 8 }, (_, i) => String(i)), '12'];
const absent = 'no label';
const everything = [absent, ...universe, '-3', '8', '9', '99', 'zz'];
const texts = fc.uniqueArray(fc.constantFrom(...universe), { maxLength: 12 });
const bound = fc.integer({ min: 0, max: 8 }).map(String);
const minValues = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined });
const entries: fc.Arbitrary<Omit<RequirementEntry, 'key'>> = fc.oneof(
  fc.record({ operator: fc.constantFrom('In', 'NotIn'), values: texts }),
  fc.record({ operator: fc.constantFrom('Exists', 'DoesNotExist') }),
  fc.record({
    operator: fc.constantFrom('Gt', 'Lt', 'Gte', 'Lte'),
    values: bound.map((text) => [text]),
  }),
);
const requirements = fc
  .tuple(fc.array(entries, { minLength: 1, maxLength: 4 }), minValues)
  .map(([list, min]) => withMinValues(list.map(of).reduce(intersect), min));

/** What the label can be, of everything that these requirements can tell apart. */
function possibilities(requirement: Requirement): Set<string> {
  const isPossible = (label: string): boolean =>
    label === absent ? requirement.mayBeAbsent : allows(requirement, label);
  return new Set(everything.filter(isPossible));
}

/** The rule of Kubernetes for one expression and one node. */
function matches(entry: Omit<RequirementEntry, 'key'>, label: string): boolean {
  const { operator, values = [] } = entry;
  const isThere = label !== absent;
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    return isThere === (operator === 'Exists');
  }
  if (operator === 'NotIn') return !values.includes(label);
  if (operator === 'In') return values.includes(label);
  const [value, limit] = [Number(label), Number(values[0])];
  if (operator === 'Gt') return value > limit;
  if (operator === 'Gte') return value >= limit;
  return operator === 'Lt' ? value < limit : value <= limit;
}

describe('the algebra is a lattice', () => {
  test('intersection commutes', () => {
    fc.assert(
      fc.property(requirements, requirements, (a, b) => {
        expect(seen(intersect(a, b))).toEqual(seen(intersect(b, a)));
      }),
    );
  });

  test('intersection associates', () => {
    fc.assert(
      fc.property(requirements, requirements, requirements, (a, b, c) => {
        expect(seen(intersect(intersect(a, b), c))).toEqual(seen(intersect(a, intersect(b, c))));
      }),
      { numRuns: 1000 },
    );
  });

  test('intersection is idempotent, NotIn nothing is its identity, a contradiction absorbs', () => {
    const anything = of({ operator: 'NotIn' });
    const impossible = oneOf('k', []);
    fc.assert(
      fc.property(requirements, (a) => {
        expect(seen(intersect(a, a))).toEqual(seen(a));
        expect(seen(intersect(a, anything))).toEqual(seen(a));
        expect(seen(intersect(a, impossible))).toEqual(
          seen(withMinValues(impossible, a.minValues)),
        );
      }),
    );
  });

  test('Exists takes away absence and nothing else, DoesNotExist leaves nothing else', () => {
    const none = of({ operator: 'DoesNotExist' });
    fc.assert(
      fc.property(requirements, (a) => {
        const before = possibilities(a);
        const onlyAbsent = new Set([absent]);
        expect(possibilities(intersect(a, exists('k')))).toEqual(before.difference(onlyAbsent));
        expect(possibilities(intersect(a, none))).toEqual(before.intersection(onlyAbsent));
      }),
    );
  });

  test('a possibility is in the intersection when it is in both', () => {
    fc.assert(
      fc.property(requirements, requirements, (a, b) => {
        const expected = possibilities(a).intersection(possibilities(b));
        expect(possibilities(intersect(a, b))).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });

  test('each entry has the possibilities that kube-scheduler gives it, and so have several', () => {
    fc.assert(
      fc.property(fc.array(entries, { minLength: 1, maxLength: 4 }), (list) => {
        const expected = everything.filter((label) => list.every((one) => matches(one, label)));
        expect(possibilities(list.map(of).reduce(intersect))).toEqual(new Set(expected));
      }),
      { numRuns: 1000 },
    );
  });

  test('only a contradiction is without any possibility', () => {
    fc.assert(
      fc.property(requirements, (a) => {
        expect(isContradiction(a)).toBe(possibilities(a).size === 0);
      }),
      { numRuns: 1000 },
    );
  });

  test('hasIntersection agrees with the built intersection', () => {
    fc.assert(
      fc.property(requirements, requirements, (a, b) => {
        expect(hasIntersection(a, b)).toBe(operatorOf(intersect(a, b)) !== 'DoesNotExist');
      }),
      { numRuns: 1000 },
    );
  });
});
