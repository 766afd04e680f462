import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { label } from '../../api/labels.ts';
import type { NodeOverlay, NodeOverlaySpec } from '../../api/node-overlay.ts';
import type { NodePool } from '../../api/node-pool.ts';
import { createInstanceType, type InstanceType, noOverhead } from '../../model/instance-type.ts';
import { coreLabelRules } from '../../model/label-rules.ts';
import { createOffering } from '../../model/offering.ts';
import { oneOf } from '../../model/requirement.ts';
import { requirementsOf } from '../../model/requirements.ts';
import { fromResourceList, toResourceList } from '../../model/resources.ts';
import { evaluateOverlays } from './node-overlay.ts';
import { applyOverlays } from './overlay-book.ts';

const zones = ['z1', 'z2'];
const capacityTypes = ['on-demand', 'spot'];

function instanceType(name: string, price = 10): InstanceType {
  return createInstanceType({
    name,
    requirements: requirementsOf([
      oneOf(label.instanceType, [name]),
      oneOf(label.zone, zones),
      oneOf(label.capacityType, capacityTypes),
    ]),
    offerings: zones.flatMap((zone) =>
      capacityTypes.map((capacityType) =>
        createOffering({ zone, capacityType, price, available: true }),
      ),
    ),
    capacity: fromResourceList({ cpu: '4', memory: '16Gi' }),
    overhead: noOverhead,
  });
}

function nodePool(name: string, labels: Readonly<Record<string, string>> = {}): NodePool {
  return {
    metadata: { name },
    spec: { template: { metadata: { labels }, spec: {} } },
  } as unknown as NodePool;
}

function overlay(name: string, spec: Partial<NodeOverlaySpec>): NodeOverlay {
  return { metadata: { name }, spec: { requirements: [], ...spec } };
}

const on = (key: string, ...values: string[]) => ({ key, operator: 'In' as const, values });

const small = instanceType('small');
const large = instanceType('large');
const pools = [{ nodePool: nodePool('default'), instanceTypes: [small, large] }];

function evaluate(overlays: readonly NodeOverlay[], evaluated = pools) {
  return evaluateOverlays({ rules: coreLabelRules, overlays, pools: evaluated });
}

/** Per overlay `True`, or the reason why not. */
function outcomes(overlays: readonly NodeOverlay[], evaluated = pools): Record<string, string> {
  const { conditions } = evaluate(overlays, evaluated);
  return Object.fromEntries(
    [...conditions].map(([name, { status, reason }]) => [name, reason ?? status]),
  );
}

function read(overlays: readonly NodeOverlay[], pool = 'default', evaluated = pools) {
  const types = applyOverlays(evaluate(overlays, evaluated).book, pool, [small, large]);
  if (types === 'not-evaluated') throw new Error('the pool is not in the book');
  return types;
}

/** `type zone capacity-type` → price, of those that an overlay touched. */
function prices(overlays: readonly NodeOverlay[], pool = 'default', evaluated = pools) {
  return Object.fromEntries(
    read(overlays, pool, evaluated).flatMap(({ name, offerings }) =>
      offerings
        .filter(({ priceOverlaid }) => priceOverlaid === true)
        .map(({ zone, capacityType, price }) => [`${name} ${zone} ${capacityType}`, price]),
    ),
  );
}

/** Type → its resources besides cpu and memory. */
function extras(overlays: readonly NodeOverlay[], pool = 'default', evaluated = pools) {
  return Object.fromEntries(
    read(overlays, pool, evaluated).map(({ name, capacity }) => {
      const { cpu: _cpu, memory: _memory, ...others } = toResourceList(capacity);
      return [name, others];
    }),
  );
}

describe('overlays', () => {
  test('change nothing when there are none', () => {
    expect(read([])).toEqual([small, large]);
    expect(read([])[0]).toBe(small);
  });

  test('change the price of the offerings they select, and no other', () => {
    const cheaper = overlay('cheaper', {
      requirements: [
        on(label.instanceType, 'small'),
        on(label.zone, 'z1'),
        on(label.capacityType, 'spot'),
      ],
      priceAdjustment: '-10%',
    });
    expect(outcomes([cheaper])).toEqual({ cheaper: 'True' });
    expect(prices([cheaper])).toEqual({ 'small z1 spot': 9 });
  });

  test.each<[Partial<NodeOverlaySpec>, number]>([
    [{ price: '1.5' }, 1.5],
    [{ priceAdjustment: '+1.5' }, 11.5],
    [{ priceAdjustment: '-12' }, 0],
    [{ priceAdjustment: '-100%' }, 0],
  ])('reckon a price of 10 with %j as %d', (spec, price) => {
    const requirements = [on(label.instanceType, 'small'), on(label.zone, 'z1')];
    const adjusting = overlay('adjusting', { ...spec, requirements });
    expect(prices([adjusting])).toEqual({ 'small z1 on-demand': price, 'small z1 spot': price });
  });

  test('add resources to the instance types they select', () => {
    const gadgets = overlay('gadgets', {
      requirements: [on(label.instanceType, 'large')],
      capacity: { 'example.com/gadget': '3' },
    });
    expect(extras([gadgets])).toEqual({ small: {}, large: { 'example.com/gadget': '3' } });
    const [, changed] = read([gadgets]);
    expect(changed?.capacityOverlaid).toBe(true);
    expect(changed?.allocatable.get('example.com/gadget')).toBe(3_000_000_000n);
  });

  test('add resources to all offerings of a type when one is selected', () => {
    const gadgets = overlay('gadgets', {
      requirements: [on(label.instanceType, 'small'), on(label.zone, 'z1')],
      capacity: { 'example.com/gadget': '3' },
    });
    expect(extras([gadgets])).toMatchObject({ small: { 'example.com/gadget': '3' } });
  });

  test('may change price and resources together', () => {
    const both = overlay('both', {
      requirements: [on(label.instanceType, 'small'), on(label.zone, 'z1')],
      price: '1',
      capacity: { 'example.com/gadget': '3' },
    });
    expect(extras([both])).toMatchObject({ small: { 'example.com/gadget': '3' } });
    expect(Object.keys(prices([both]))).toEqual(['small z1 on-demand', 'small z1 spot']);
  });

  test.each<[string, Partial<NodeOverlaySpec>, (boolean | undefined)[]]>([
    ['price', { price: '1' }, [true, undefined]],
    ['resources', { capacity: { 'x.com/a': 1 } }, [undefined, true]],
  ])('leave a mark on what they changed and only there: %s', (_, spec, marks) => {
    const [changed] = read([overlay('one', spec)]);
    expect([changed?.offerings[0]?.priceOverlaid, changed?.capacityOverlaid]).toEqual(marks);
  });

  test('select nothing by a label that neither pool nor type has', () => {
    const lost = overlay('lost', { requirements: [on('team', 'red')], price: '1' });
    expect(outcomes([lost])).toEqual({ lost: 'True' });
    expect(prices([lost])).toEqual({});
  });

  test('select nothing when no single offering fits', () => {
    const off = { ...small, offerings: small.offerings.slice(0, 1) };
    const spot = overlay('spot', {
      requirements: [on(label.capacityType, 'spot')],
      capacity: { 'example.com/gadget': '3' },
    });
    const evaluated = [{ nodePool: nodePool('default'), instanceTypes: [off] }];
    expect(evaluate([spot], evaluated).book.get('default')?.size).toBe(0);
  });

  test('reach offerings that are not available now', () => {
    const offerings = small.offerings.map((offering) => ({ ...offering, available: false }));
    const evaluated = [{ nodePool: nodePool('default'), instanceTypes: [{ ...small, offerings }] }];
    const all = overlay('all', { price: '1' });
    expect(Object.keys(prices([all], 'default', evaluated))).toHaveLength(4);
  });

  test('keep everything else of what they change', () => {
    const [first, ...others] = small.offerings;
    const special = {
      ...first!,
      reservation: { id: 'r', capacity: 2 },
      capacityOverride: fromResourceList({ 'example.com/slot': '1' }),
    };
    const type = createInstanceType({ ...small, offerings: [special, ...others] });
    const { book } = evaluate([
      overlay('all', { price: '1', capacity: { 'example.com/gadget': 1 } }),
    ]);
    const [changed] = applyOverlays(book, 'default', [type]) as InstanceType[];
    expect(changed?.offerings[0]).toEqual({ ...special, price: 1, priceOverlaid: true });
    expect(changed?.requirements).toBe(type.requirements);
    expect(
      changed?.allocatableGroups.map(({ allocatable }) => toResourceList(allocatable)),
    ).toEqual([
      { cpu: '4', memory: '16Gi', 'example.com/gadget': '1' },
      { cpu: '4', memory: '16Gi', 'example.com/gadget': '1', 'example.com/slot': '1' },
    ]);
  });

  test('leave untouched objects as they are and never change one', () => {
    const before = structuredClone(small);
    const one = overlay('one', { requirements: [on(label.instanceType, 'small')], price: '1' });
    const [changed, untouched] = read([one]);
    expect(untouched).toBe(large);
    expect(changed).not.toBe(small);
    expect(small).toEqual(before);
  });

  test('find the offering again when the cloud offers it anew at another price', () => {
    const { book } = evaluate([overlay('all', { priceAdjustment: '+1' })]);
    const [changed] = applyOverlays(book, 'default', [instanceType('small', 20)]) as InstanceType[];
    expect(changed?.offerings.map(({ price }) => price)).toEqual([21, 21, 21, 21]);
  });
});

describe('overlays of different weight', () => {
  const zone1 = { requirements: [on(label.instanceType, 'small'), on(label.zone, 'z1')] };
  const wide = { requirements: [on(label.instanceType, 'small')] };

  test('are heard by weight per offering, and the lighter one fills the gaps', () => {
    const overlays = [
      overlay('light', { ...wide, price: '2', weight: 1 }),
      overlay('heavy', { ...zone1, price: '1', weight: 10 }),
    ];
    expect(outcomes(overlays)).toEqual({ heavy: 'True', light: 'True' });
    expect(prices(overlays)).toEqual({
      'small z1 on-demand': 1,
      'small z1 spot': 1,
      'small z2 on-demand': 2,
      'small z2 spot': 2,
    });
  });

  test('are heard by weight per resource', () => {
    const overlays = [
      overlay('light', { ...wide, capacity: { 'x.com/a': 1, 'x.com/b': 1 }, weight: 1 }),
      overlay('heavy', { ...wide, capacity: { 'x.com/b': 2, 'x.com/c': 2 }, weight: 10 }),
    ];
    expect(extras(overlays)).toMatchObject({
      small: { 'x.com/a': '1', 'x.com/b': '2', 'x.com/c': '2' },
    });
  });

  test('count as 0 without a weight', () => {
    const overlays = [
      overlay('none', { ...wide, price: '2' }),
      overlay('some', { ...wide, price: '1', weight: 1 }),
    ];
    expect(outcomes(overlays)).toEqual({ none: 'True', some: 'True' });
    expect(prices(overlays)).toMatchObject({ 'small z1 spot': 1 });
  });
});

describe('overlays of equal weight', () => {
  const wide = { requirements: [on(label.instanceType, 'small')] };

  test('do not disturb each other on different offerings', () => {
    const overlays = zones.map((zone) =>
      overlay(zone, { requirements: [on(label.zone, zone)], price: '1' }),
    );
    expect(outcomes(overlays)).toEqual({ z1: 'True', z2: 'True' });
  });

  test.each<[string, Partial<NodeOverlaySpec>, Partial<NodeOverlaySpec>]>([
    ['different prices', { ...wide, price: '1' }, { ...wide, price: '2' }],
    ['equal prices', { ...wide, price: '1' }, { ...wide, price: '1' }],
    ['a price and an adjustment', { ...wide, price: '1' }, { ...wide, priceAdjustment: '+1' }],
    [
      'offerings that overlap in one zone',
      { requirements: [on(label.zone, 'z1', 'z2')], price: '1' },
      { requirements: [on(label.zone, 'z2')], price: '2' },
    ],
    [
      'offerings that overlap in capacity type',
      { requirements: [on(label.capacityType, 'spot')], price: '1' },
      { requirements: [on(label.zone, 'z2')], price: '2' },
    ],
    [
      'one resource, in equal amounts',
      { ...wide, capacity: { 'x.com/a': 1 } },
      { ...wide, capacity: { 'x.com/a': 1, 'x.com/b': 1 } },
    ],
  ])('conflict over %s, and the one first in the alphabet loses', (_, a, b) => {
    expect(outcomes([overlay('a', a), overlay('b', b)])).toEqual({ a: 'Conflict', b: 'True' });
  });

  test('may speak about different resources, or one about price and one about resources', () => {
    const overlays = [
      overlay('a', { ...wide, capacity: { 'x.com/a': 1 } }),
      overlay('b', { ...wide, capacity: { 'x.com/b': 1 } }),
      overlay('c', { ...wide, price: '1' }),
    ];
    expect(outcomes(overlays)).toEqual({ a: 'True', b: 'True', c: 'True' });
  });

  test('conflict over a resource whatever a third one says in between', () => {
    const overlays = [
      overlay('a', { ...wide, capacity: { 'x.com/a': 1 } }),
      overlay('b', { ...wide, capacity: { 'x.com/b': 1 } }),
      overlay('c', { ...wide, capacity: { 'x.com/a': 1 } }),
    ];
    expect(outcomes(overlays)).toEqual({ a: 'Conflict', b: 'True', c: 'True' });
  });

  test('conflict even where a heavier one is heard instead of both', () => {
    const overlays = [
      overlay('a', { ...wide, price: '1', weight: 1 }),
      overlay('b', { ...wide, price: '2', weight: 1 }),
      overlay('heavy', { ...wide, price: '3', weight: 2 }),
    ];
    expect(outcomes(overlays)).toEqual({ a: 'Conflict', b: 'True', heavy: 'True' });
  });

  test('lose everything by one conflict, in every type and every pool', () => {
    const evaluated = [...pools, { nodePool: nodePool('other'), instanceTypes: [small, large] }];
    const overlays = [
      overlay('a', { price: '1', capacity: { 'x.com/a': 1 } }),
      overlay('b', {
        requirements: [on(label.nodePool, 'other'), on(label.zone, 'z1'), ...wide.requirements],
        price: '2',
      }),
    ];
    expect(outcomes(overlays, evaluated)).toEqual({ a: 'Conflict', b: 'True' });
    expect(prices(overlays, 'default', evaluated)).toEqual({});
    expect(extras(overlays, 'default', evaluated)).toEqual({ small: {}, large: {} });
    expect(Object.keys(prices(overlays, 'other', evaluated))).toEqual([
      'small z1 on-demand',
      'small z1 spot',
    ]);
  });

  test('say so in the condition', () => {
    const overlays = ['a', 'b'].map((name) => overlay(name, { ...wide, price: '1' }));
    expect(evaluate(overlays).conditions.get('a')).toEqual({
      type: 'ValidationSucceeded',
      status: 'False',
      reason: 'Conflict',
      message: 'conflict with another overlay',
    });
  });

  test('give the same book in whatever order they are listed', () => {
    const specs: Partial<NodeOverlaySpec>[] = [
      { price: '1' },
      { requirements: [on(label.zone, 'z1')], priceAdjustment: '+1' },
      { requirements: [on(label.instanceType, 'small')], capacity: { 'x.com/a': 1 } },
      { capacity: { 'x.com/a': 2, 'x.com/b': 1 } },
    ];
    const weighted = fc.tuple(fc.constantFrom(...specs), fc.integer({ min: 0, max: 2 }));
    const list = fc
      .array(weighted, { maxLength: 6 })
      .map((chosen) => chosen.map(([spec, weight], i) => overlay(`o${i}`, { ...spec, weight })));
    const shuffled = list.chain((overlays) =>
      fc.tuple(
        fc.constant(overlays),
        fc.shuffledSubarray(overlays, { minLength: overlays.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([overlays, other]) => {
        const { book, conditions } = evaluate(overlays);
        const again = evaluate(other);
        expect(again.book).toEqual(book);
        expect([...again.conditions.entries()]).toEqual([...conditions.entries()]);
      }),
    );
  });
});

describe('overlays and pools', () => {
  const evaluated = [
    { nodePool: nodePool('red', { team: 'red' }), instanceTypes: [small] },
    { nodePool: nodePool('blue', { team: 'blue' }), instanceTypes: [small] },
  ];

  test.each([
    ['name', on(label.nodePool, 'red')],
    ['label', on('team', 'red')],
  ])('are told apart by %s', (_, requirement) => {
    const one = overlay('one', { requirements: [requirement], price: '1' });
    expect(Object.keys(prices([one], 'red', evaluated))).toHaveLength(4);
    expect(prices([one], 'blue', evaluated)).toEqual({});
  });

  test('do not conflict across pools', () => {
    const overlays = ['red', 'blue'].map((team) =>
      overlay(team, { requirements: [on('team', team)], price: '1' }),
    );
    expect(outcomes(overlays, evaluated)).toEqual({ red: 'True', blue: 'True' });
  });

  test('are not read for a pool that was not evaluated, and are again when it was', () => {
    const one = overlay('one', { price: '1' });
    const { book } = evaluate([one], evaluated.slice(0, 1));
    expect(applyOverlays(book, 'blue', [small])).toBe('not-evaluated');
    expect(applyOverlays(book, 'red', [small])).toMatchObject([{ name: 'small' }]);
    const recovered = evaluate([one], evaluated).book;
    expect(applyOverlays(recovered, 'blue', [small])).toMatchObject([{ name: 'small' }]);
  });

  test('are fine with a pool for which the cloud has nothing', () => {
    const nothing = [{ nodePool: nodePool('default'), instanceTypes: [] }];
    const { book } = evaluate([overlay('one', { price: '1' })], nothing);
    expect(applyOverlays(book, 'default', [])).toEqual([]);
  });
});

describe('an overlay that makes no sense', () => {
  test.each<[string, Partial<NodeOverlaySpec>, RegExp]>([
    [
      'a restricted label',
      { requirements: [on('karpenter.sh/x', 'y')] },
      /^invalid value: .*karpenter.sh\/x.* in requirements, restricted$/,
    ],
    [
      'In without values',
      { requirements: [on('team')] },
      /^invalid value: key team .* in requirements, restricted$/,
    ],
    [
      'NotIn without values',
      { requirements: [{ key: 'team', operator: 'NotIn' }] },
      /^key team with operator NotIn must have a value defined$/,
    ],
    [
      'a standard resource',
      { capacity: { cpu: 8 } },
      /^invalid capacity: cpu in resource, restricted$/,
    ],
    [
      'an amount beyond reckoning',
      { capacity: { 'x.com/a': '1e5000' } },
      /^invalid capacity: 1e5000 for resource x.com\/a, /,
    ],
  ])('because of %s is not applied', (_, spec, message) => {
    const wrong = overlay('wrong', { price: '1', ...spec });
    const { book, conditions } = evaluate([wrong]);
    expect(conditions.get('wrong')).toEqual({
      type: 'ValidationSucceeded',
      status: 'False',
      reason: 'RuntimeValidation',
      message: expect.stringMatching(message) as string,
    });
    expect(book.get('default')?.size).toBe(0);
  });

  test('does not stand in the way of one of equal weight', () => {
    const wrong = overlay('wrong', { price: '1', capacity: { cpu: 8 } });
    expect(outcomes([wrong, overlay('right', { price: '1' })])).toEqual({
      right: 'True',
      wrong: 'RuntimeValidation',
    });
  });
});
