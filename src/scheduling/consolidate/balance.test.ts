import { describe, expect, test } from 'vitest';
import {
  instanceType,
  node,
  nodePool,
  problem,
  replicas,
} from '../../../test/support/scheduling/builders.ts';
import { clusterOf, withDisruption } from '../../../test/support/scheduling/consolidation.ts';
import { balanceScore, poolTotals } from './balance.ts';
import { findCandidates } from './candidates.ts';

/** Four nodes at 1.00 with nine plain pods each. */
function uniform(policy: string) {
  const names = ['a', 'b', 'c', 'd'];
  const cluster = clusterOf(
    problem({
      nodePools: [withDisruption(nodePool(), { consolidationPolicy: policy })],
      instanceTypes: [instanceType({ price: 1, cpu: '16' })],
      nodes: names.map((name) => node({ name })),
      boundPods: names.flatMap((name) => replicas(9, { name: `on-${name}`, cpu: '1', on: name })),
    }),
  );
  const { candidates } = findCandidates(cluster);
  return { candidates, totals: poolTotals(cluster, candidates), cluster };
}

describe('the balance of a pool', () => {
  test.each([
    ['to remove a node', 1, 1],
    ['to replace it by one of half the price', 0.5, 0.5],
    ['to replace it by one that saves less', 0.45, 0.45],
    ['to save nothing', 0, 0],
  ])('scores %s', (_, savings, score) => {
    const { candidates, totals } = uniform('Balanced');
    expect(totals.get('default')).toEqual({ cost: 4, disruption: 40 });
    expect(balanceScore(totals, candidates.slice(0, 1), savings)).toBeCloseTo(score, 9);
  });

  test('is of no concern to pools with another policy', () => {
    const { candidates, totals } = uniform('WhenEmptyOrUnderutilized');
    expect(balanceScore(totals, candidates, 0)).toBe(Infinity);
  });

  test('goes by what somebody has counted, where they have', () => {
    const { candidates, cluster } = uniform('Balanced');
    const totals = poolTotals({ ...cluster, poolCosts: new Map([['default', 8]]) }, candidates);
    expect(balanceScore(totals, candidates.slice(0, 1), 1)).toBeCloseTo(0.5, 9);
  });

  test('is not kept by a pool of which nothing is known', () => {
    expect(balanceScore(new Map(), uniform('Balanced').candidates, 1)).toBe(0);
  });
});
