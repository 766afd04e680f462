import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { testCatalog } from '../../../test/support/azure/catalog.ts';
import { skuRow } from '../../../test/support/azure/sku-rows.ts';
import type { Node } from '../../api/core.ts';
import { toResourceList } from '../../model/resources.ts';
import { LearntCapacity } from './learnt-capacity.ts';

const d4 = 'Standard_D4s_v5';
const shared = await testCatalog({ records: [skuRow(d4)] });
const sizeOf = (name: string) => shared.catalog.size(name);

function node(
  changes: {
    readonly memory?: string;
    readonly free?: string;
    readonly cpu?: string;
    readonly pods?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly capacity?: Readonly<Record<string, string>>;
  } = {},
): Node {
  const { memory = '15991Mi', free = '12500Mi', cpu = '3860m', pods = '250' } = changes;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: 'a',
      uid: 'a',
      labels: {
        'node.kubernetes.io/instance-type': d4,
        'karpenter.sh/nodepool': 'default',
        'karpenter.sh/initialized': 'true',
        ...changes.labels,
      },
    },
    status: {
      capacity: { cpu: '4', memory, pods, ...changes.capacity },
      allocatable: { cpu, memory: free, pods },
    },
  };
}

let learnt: LearntCapacity;
beforeEach(() => {
  learnt = new LearntCapacity();
});

function known(pods = 250) {
  const amounts = learnt.of(d4, pods);
  return (
    amounts && {
      ...toResourceList(amounts.allocatable),
      capacity: toResourceList(new Map([['memory', amounts.memory]]))['memory'],
    }
  );
}

describe('a node that has joined', () => {
  test('shows what the next of its size will have', () => {
    learnt.observe(node(), sizeOf);
    expect(known()).toEqual({ cpu: '3860m', memory: '12500Mi', capacity: '15991Mi' });
  });

  test('teaches the smallest amounts of all', () => {
    learnt.observe(node({ memory: '15900Mi', free: '12600Mi' }), sizeOf);
    learnt.observe(node({ memory: '15991Mi', free: '12500Mi', cpu: '3800m' }), sizeOf);
    expect(known()).toEqual({ cpu: '3800m', memory: '12500Mi', capacity: '15900Mi' });
  });

  test('teaches the same in any order', () => {
    const nodes = fc.array(
      fc.tuple(fc.integer({ min: 14_000, max: 16_000 }), fc.integer({ min: 9000, max: 13_000 })),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(nodes, (amounts) => {
        const [forward, backward] = [new LearntCapacity(), new LearntCapacity()];
        const seen = amounts.map(([memory, free]) =>
          node({ memory: `${memory}Mi`, free: `${free}Mi` }),
        );
        for (const one of seen) forward.observe(one, sizeOf);
        for (const one of seen.toReversed()) backward.observe(one, sizeOf);
        expect(forward.of(d4, 250)).toEqual(backward.of(d4, 250));
      }),
    );
  });

  test('says nothing about nodes set up for another number of pods', () => {
    learnt.observe(node({ pods: '30' }), sizeOf);
    expect([known(), known(30)?.capacity]).toEqual([undefined, '15991Mi']);
  });

  test.each([
    ['is not ours', { labels: { 'karpenter.sh/nodepool': undefined as unknown as string } }],
    ['has not come up', { labels: { 'karpenter.sh/initialized': 'false' } }],
    ['is of a size nobody knows', { labels: { 'node.kubernetes.io/instance-type': 'other' } }],
    ['has more memory than its size', { memory: '17Gi' }],
    ['has less than half the memory of its size', { memory: '7Gi', free: '6Gi' }],
    ['gives pods more than it has', { free: '16000Mi' }],
    ['has set memory aside for huge pages', { capacity: { 'hugepages-2Mi': '1Gi' } }],
    ['reports no memory', { memory: '0' }],
  ])('teaches nothing when it %s', (_, changes) => {
    learnt.observe(node(changes), sizeOf);
    expect([known(), learnt.generation]).toEqual([undefined, 0]);
  });

  test('raises the generation only with news', () => {
    const generations = [
      node(),
      node(),
      node({ memory: '15999Mi' }),
      node({ memory: '15990Mi' }),
    ].map((one) => {
      learnt.observe(one, sizeOf);
      return learnt.generation;
    });
    expect(generations).toEqual([1, 1, 1, 2]);
  });
});

describe('what was learnt', () => {
  test('replaces the estimate of capacity and of what pods get', async () => {
    const { type, learnt, catalog } = await testCatalog({ records: [skuRow(d4)] });
    const estimate = toResourceList(type(d4).allocatable);
    learnt.observe(node(), (name) => catalog.size(name));
    expect(toResourceList(type(d4).capacity)).toMatchObject({ cpu: '4', memory: '15991Mi' });
    expect(toResourceList(type(d4).allocatable)).toEqual({
      ...estimate,
      cpu: '3860m',
      memory: '12500Mi',
    });
  });

  test('leaves classes with another number of pods alone', async () => {
    const { type, learnt, catalog } = await testCatalog({ records: [skuRow(d4)] });
    const before = type(d4, { maxPods: 30 });
    learnt.observe(node(), (name) => catalog.size(name));
    expect(type(d4, { maxPods: 30 })).toBe(before);
  });
});
