import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ResourceList } from '../api/core.ts';
import {
  atLeastZero,
  describeLimitBreach,
  describeResources,
  exceededLimit,
  fits,
  fromResourceList,
  maxResources,
  mergeResources,
  minResources,
  noResources,
  type Resources,
  subtractResources,
  toResourceList,
  units,
} from './resources.ts';

const of = (list: ResourceList): Resources => fromResourceList(list);

const resources: fc.Arbitrary<Resources> = fc
  .dictionary(
    fc.constantFrom('cpu', 'memory', 'pods', 'nvidia.com/gpu'),
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
    { noNullPrototype: true },
  )
  .map((record) => new Map(Object.entries(record)));

describe('the wire form', () => {
  test('is sorted by name and canonical, bytes in binary suffixes', () => {
    const list = toResourceList(
      of({ pods: '110', memory: '4096Mi', cpu: 2.5, 'hugepages-2Mi': '1024Ki', 'a.b/c': '1000' }),
    );
    expect(Object.entries(list)).toEqual([
      ['a.b/c', '1k'],
      ['cpu', '2500m'],
      ['hugepages-2Mi', '1Mi'],
      ['memory', '4Gi'],
      ['pods', '110'],
    ]);
  });

  test('shows a fraction of a byte rather than losing it', () => {
    expect(describeResources(of({ memory: '1234567m' }))).toBe('{"memory":"1234567m"}');
    expect(describeResources(noResources)).toBe('{}');
  });

  test('names the resource, the text and the rule of a bad amount', () => {
    expect(() => of({ cpu: '1', memory: '1GB' })).toThrow(
      expect.objectContaining({
        code: 'InvalidQuantity',
        fields: { resource: 'memory', text: '1GB', rule: expect.stringContaining('quantities') },
      }),
    );
  });

  test('treats an absent list as empty', () => {
    expect(fromResourceList(undefined).size).toBe(0);
  });
});

describe('arithmetic', () => {
  test('a difference keeps the names of what it is taken from', () => {
    const rest = subtractResources(of({ cpu: '2', memory: '1Gi' }), of({ cpu: '3', gpu: '1' }));
    expect(toResourceList(rest)).toEqual({ cpu: '-1', memory: '1Gi' });
    expect(toResourceList(atLeastZero(rest))).toEqual({ cpu: '0', memory: '1Gi' });
  });

  test.each([
    [[], {}],
    [[{ cpu: '1' }], { cpu: '1' }],
    [[{ cpu: '1' }, { cpu: '2', gpu: '1' }], { cpu: '2', gpu: '1' }],
    [[{ cpu: '-1' }, { memory: '1Gi' }, {}], { cpu: '-1', memory: '1Gi' }],
  ])('the largest of %j is %j', (lists, expected) => {
    expect(toResourceList(maxResources(...lists.map(of)))).toEqual(expected);
  });

  test.each([
    [[], {}],
    [[{ cpu: '1' }], { cpu: '1' }],
    [[{ cpu: '1' }, { cpu: '2', gpu: '1' }], { cpu: '1' }],
    [[{ cpu: '3', memory: '2Gi' }, { memory: '1Gi', cpu: '2' }, { cpu: '5' }], { cpu: '2' }],
    [[{ cpu: '1' }, {}], {}],
  ])('the smallest of %j is %j', (lists, expected) => {
    expect(toResourceList(minResources(...lists.map(of)))).toEqual(expected);
  });

  test('merging commutes and subtraction undoes it', () => {
    fc.assert(
      fc.property(resources, resources, (a, b) => {
        expect(toResourceList(mergeResources(a, b))).toEqual(toResourceList(mergeResources(b, a)));
        const back = subtractResources(mergeResources(a, b), b);
        for (const [name, nano] of back) expect(nano).toBe(a.get(name) ?? 0n);
      }),
    );
  });

  test('the largest is never below any operand, the smallest never above', () => {
    fc.assert(
      fc.property(resources, resources, (a, b) => {
        const [largest, smallest] = [maxResources(a, b), minResources(a, b)];
        for (const list of [a, b]) {
          for (const [name, nano] of list) expect(largest.get(name)! >= nano).toBe(true);
          for (const [name, nano] of smallest) expect(list.get(name)! >= nano).toBe(true);
        }
      }),
    );
  });
});

describe('fitting', () => {
  test.each([
    [{ cpu: '1' }, { cpu: '1' }, true],
    [{ cpu: '1001m' }, { cpu: '1' }, false],
    [{ gpu: '1' }, { cpu: '1' }, false],
    [{ gpu: '0' }, { cpu: '1' }, true],
    [{}, { cpu: '0' }, true],
    [{ cpu: '1' }, { cpu: '4', memory: '-1' }, false],
    [{}, { memory: '-1' }, false],
  ])('%j into %j: %s', (request, total, expected) => {
    expect(fits(of(request), of(total))).toBe(expected);
  });
});

describe('limits', () => {
  test.each([
    [{ cpu: '10' }, { cpu: '10' }, undefined],
    [{ cpu: '10' }, { cpu: '10001m' }, 'cpu'],
    [{ cpu: '10' }, { memory: '1Ti' }, undefined],
    [{ nodes: '0', cpu: '1' }, { nodes: '1', cpu: '2' }, 'cpu'],
    [{}, { cpu: '1' }, undefined],
  ])('of %j against %j: %s', (limits, usage, resource) => {
    expect(exceededLimit(of(limits), of(usage))?.resource).toBe(resource);
  });

  test('the breach says what, how much and how much was allowed', () => {
    const breach = exceededLimit(of({ memory: '1Gi', nodes: '2' }), of({ memory: '2Gi' }));
    expect(breach && describeLimitBreach(breach)).toBe(
      'resource usage exceeds limit (limit=1Gi, resource-name=memory, usage=2Gi)',
    );
  });
});

test('counts are whole units', () => {
  expect(describeResources(new Map([['pods', units(110)]]))).toBe('{"pods":"110"}');
});
