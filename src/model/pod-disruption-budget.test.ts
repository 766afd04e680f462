import { describe, expect, test } from 'vitest';
import type { Pod } from '../api/core.ts';
import type { ObjectMeta } from '../api/meta.ts';
import type { PodDisruptionBudget } from '../api/workloads.ts';
import { blockingBudgets, isCurrentlyReschedulable } from './pod-disruption-budget.ts';

const now = Date.parse('2024-05-15T12:00:00Z');

function pod(meta: Partial<ObjectMeta> = {}, ready: 'True' | 'False' = 'True'): Pod {
  return {
    metadata: { name: 'p', namespace: 'ns', labels: { app: 'web' }, ...meta },
    spec: { containers: [] },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  };
}

function budget(
  name: string,
  spec: Partial<PodDisruptionBudget['spec']> = {},
  disruptionsAllowed = 0,
): PodDisruptionBudget {
  return {
    metadata: { name, namespace: 'ns' },
    spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
    status: { disruptionsAllowed },
  };
}

const names = (budgets: readonly PodDisruptionBudget[], subject = pod()): string[] =>
  blockingBudgets(budgets, subject, now).map(({ metadata }) => metadata.name);

describe('evicting now', () => {
  test('is forbidden by a budget with nothing left', () => {
    expect(names([budget('tight')])).toEqual(['tight']);
    expect(names([budget('loose', {}, 1)])).toEqual([]);
    const { status: _, ...unseen } = budget('unseen');
    expect(names([unseen])).toEqual(['unseen']);
  });

  test('is not a matter of budgets for others', () => {
    expect(names([{ ...budget('far'), metadata: { name: 'far', namespace: 'other' } }])).toEqual(
      [],
    );
    expect(names([budget('db', { selector: { matchLabels: { app: 'db' } } })])).toEqual([]);
    const { selector: _, ...none } = budget('none').spec;
    expect(names([{ ...budget('none'), spec: none }])).toEqual([]);
    expect(names([budget('all', { selector: {} })])).toEqual(['all']);
  });

  test('is always forbidden by two budgets', () => {
    expect(names([budget('a', {}, 5), budget('b', {}, 5)])).toEqual(['a', 'b']);
  });

  test('of an unready pod is allowed when its budget says so', () => {
    const lenient = budget('lenient', { unhealthyPodEvictionPolicy: 'AlwaysAllow' });
    expect(names([lenient], pod({}, 'False'))).toEqual([]);
    expect(names([lenient])).toEqual(['lenient']);
    expect(names([lenient], { ...pod(), status: {} })).toEqual(['lenient']);
    expect(names([budget('strict')], pod({}, 'False'))).toEqual(['strict']);
  });

  test.each<[string, Partial<ObjectMeta>]>([
    ['on its way out', { deletionTimestamp: '2024-05-15T12:00:00Z' }],
    ['that refuses disruption', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }],
    [
      'that is static',
      { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }] },
    ],
  ])('never concerns a pod %s', (_, meta) => {
    expect(names([budget('tight')], pod(meta))).toEqual([]);
  });
});

describe('finding a place elsewhere', () => {
  test.each<[Partial<PodDisruptionBudget['spec']>, boolean]>([
    [{ maxUnavailable: 0 }, false],
    [{ maxUnavailable: '0%' }, false],
    [{ minAvailable: '100%' }, false],
    [{ maxUnavailable: 1 }, true],
    [{ minAvailable: 1 }, true],
    [{ minAvailable: '50%' }, true],
  ])('under %j: %s, whatever is allowed just now', (spec, expected) => {
    expect(isCurrentlyReschedulable([budget('b', spec)], pod(), now)).toBe(expected);
  });

  test('is pointless for a pod that refuses or does not need it', () => {
    const refusing = pod({ annotations: { 'karpenter.sh/do-not-disrupt': 'true' } });
    const daemon = pod({
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'u' }],
    });
    expect(
      [refusing, daemon, pod()].map((subject) => isCurrentlyReschedulable([], subject, now)),
    ).toEqual([false, false, true]);
  });
});
