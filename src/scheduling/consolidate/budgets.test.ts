import { describe, expect, test } from 'vitest';
import {
  instanceType,
  node,
  nodePool,
  problem,
} from '../../../test/support/scheduling/builders.ts';
import { clusterOf, withDisruption } from '../../../test/support/scheduling/consolidation.ts';
import { BudgetLedger, disruptionBudgets } from './budgets.ts';
import type { Cluster, NodeState } from './cluster.ts';

function cluster(count: number, budgets: readonly object[]): Cluster {
  return clusterOf(
    problem({
      nodePools: [withDisruption(nodePool(), { budgets })],
      instanceTypes: [instanceType()],
      nodes: Array.from({ length: count }, (_, i) => node({ name: `node-${i}` })),
    }),
  );
}

function changed(base: Cluster, ...changes: readonly ((state: NodeState) => NodeState)[]): Cluster {
  return { ...base, nodes: base.nodes.map((state, i) => changes[i]?.(state) ?? state) };
}

const unready = (state: NodeState): NodeState => ({
  ...state,
  node: { ...state.node!, status: { conditions: [{ type: 'Ready', status: 'False' }] } },
});
const marked = (state: NodeState): NodeState => ({ ...state, isMarkedForDeletion: true });
const starting = (state: NodeState): NodeState => ({
  ...state,
  place: { ...state.place, initialized: false },
});
const terminating = (state: NodeState): NodeState => ({
  ...state,
  nodeClaim: {
    ...state.nodeClaim!,
    status: {
      conditions: [
        {
          type: 'InstanceTerminating',
          status: 'True',
          reason: 'x',
          message: '',
          lastTransitionTime: '2026-01-02T00:00:00Z',
        },
      ],
    },
  },
});

describe('disruption budgets of a pool', () => {
  test('count nodes that are not ready or on their way out against what is allowed', () => {
    const found = disruptionBudgets(
      changed(cluster(10, [{ nodes: '3' }]), unready, marked),
      'Empty',
    );
    expect(found.get('default')).toEqual({ nodes: 10, allowed: 3, disrupting: 2, remaining: 1 });
  });

  test('are of the nodes that are up: neither of those that start nor of those that are terminated', () => {
    const base = changed(cluster(12, [{ nodes: '10%' }]), starting, terminating);
    expect(disruptionBudgets(base, 'Empty').get('default')).toMatchObject({
      nodes: 10,
      allowed: 1,
    });
  });

  test('never leave less than nothing', () => {
    const base = changed(cluster(4, [{ nodes: '1' }]), unready, unready, unready);
    expect(disruptionBudgets(base, 'Underutilized').get('default')?.remaining).toBe(0);
  });

  test('differ by reason', () => {
    const base = cluster(4, [{ nodes: '0', reasons: ['Empty'] }, { nodes: '2' }]);
    const left = (['Empty', 'Underutilized'] as const).map(
      (reason) => disruptionBudgets(base, reason).get('default')?.remaining,
    );
    expect(left).toEqual([0, 2]);
  });

  test('are spent one by one', () => {
    const ledger = new BudgetLedger(disruptionBudgets(cluster(4, [{ nodes: '2' }]), 'Empty'));
    const spent = [1, 2, 3].map(() => ledger.spend('default'));
    expect([...spent, ledger.spend('unknown')]).toEqual([true, true, false, false]);
  });
});
