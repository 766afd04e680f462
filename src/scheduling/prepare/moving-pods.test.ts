import { describe, expect, test } from 'vitest';
import type { Pod } from '../../api/core.ts';
import { annotation, taintKey } from '../../api/labels.ts';
import type { OwnerReference } from '../../api/meta.ts';
import type { PodDisruptionBudget } from '../../api/workloads.ts';
import { movingPods } from './moving-pods.ts';

const nowMs = Date.parse('2026-01-01T12:00:00Z');
const gone = '2026-01-01T11:59:50Z';

function pod(change: {
  readonly owner?: Pick<OwnerReference, 'apiVersion' | 'kind'>;
  readonly metadata?: Partial<Pod['metadata']>;
  readonly spec?: Partial<Pod['spec']>;
  readonly status?: Pod['status'];
}): Pod {
  const { owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet' }, metadata, spec, status } = change;
  return {
    metadata: {
      name: 'web',
      namespace: 'default',
      labels: { app: 'web' },
      ownerReferences: [{ ...owner, name: 'web', uid: 'web', controller: true }],
      ...metadata,
    },
    spec: { containers: [], nodeName: 'n1', ...spec },
    status: { phase: 'Running', startTime: '2026-01-01T11:00:00Z', ...status },
  };
}

function budget(spec: PodDisruptionBudget['spec'], name = 'one'): PodDisruptionBudget {
  const selector = { matchLabels: { app: 'web' } };
  return { metadata: { name, namespace: 'default' }, spec: { selector, ...spec } };
}

function moves(subject: Pod, budgets: readonly PodDisruptionBudget[] = []): boolean {
  return movingPods([{ deleting: true, pods: [subject] }], budgets, nowMs).length === 1;
}

const statefulSet = { apiVersion: 'apps/v1', kind: 'StatefulSet' };
const untilNoon = (value: string) => ({
  metadata: { annotations: { [annotation.doNotDisrupt]: value } },
});

describe('a pod of a node that goes', () => {
  test.each<[string, Pod]>([
    ['runs', pod({})],
    [
      'is terminating and its StatefulSet will make another',
      pod({ owner: statefulSet, metadata: { deletionTimestamp: gone } }),
    ],
    ['was not to be disrupted for a time that is over', pod(untilNoon('30m'))],
    ['wishes not to be disrupted in words nobody understands', pod(untilNoon('soon'))],
    ['wishes not to be disrupted for no time at all', pod(untilNoon('0s'))],
    [
      'is terminating and must not be disrupted, which no longer matters',
      pod({
        owner: statefulSet,
        metadata: { deletionTimestamp: gone, ...untilNoon('true').metadata },
      }),
    ],
  ])('needs another place when it %s', (_, subject) => {
    expect(moves(subject)).toBe(true);
  });

  test.each<[string, Pod]>([
    ['has succeeded', pod({ status: { phase: 'Succeeded' } })],
    ['has failed', pod({ status: { phase: 'Failed' } })],
    [
      'is terminating and its ReplicaSet has made another already',
      pod({ metadata: { deletionTimestamp: gone } }),
    ],
    ['belongs to a DaemonSet', pod({ owner: { apiVersion: 'apps/v1', kind: 'DaemonSet' } })],
    ['is a static pod of the node', pod({ owner: { apiVersion: 'v1', kind: 'Node' } })],
    ['must not be disrupted', pod(untilNoon('true'))],
    ['must not be disrupted for a time that is not over', pod(untilNoon('2h'))],
    [
      'must not be disrupted for a time that has not begun',
      { ...pod(untilNoon('1m')), status: { phase: 'Running' } },
    ],
  ])('gets no other place when it %s', (_, subject) => {
    expect(moves(subject)).toBe(false);
  });
});

describe('disruption budgets', () => {
  test.each<[string, readonly PodDisruptionBudget[]]>([
    ['allow none to be unavailable', [budget({ maxUnavailable: 0 })]],
    ['allow no share to be unavailable', [budget({ maxUnavailable: '0%' })]],
    ['want all available', [budget({ minAvailable: '100%' })]],
    ['are two for one pod', [budget({ maxUnavailable: 1 }), budget({ maxUnavailable: 1 }, 'two')]],
  ])('keep a pod when they %s', (_, budgets) => {
    expect(moves(pod({}), budgets)).toBe(false);
  });

  test.each<[string, readonly PodDisruptionBudget[]]>([
    [
      'allow some disruption, if not right now',
      [{ ...budget({ maxUnavailable: 1 }), status: { disruptionsAllowed: 0 } }],
    ],
    [
      'are for other pods',
      [budget({ maxUnavailable: 0, selector: { matchLabels: { app: 'db' } } })],
    ],
    [
      'are of another namespace',
      [{ ...budget({ maxUnavailable: 0 }), metadata: { name: 'one', namespace: 'other' } }],
    ],
  ])('do not keep a pod when they %s', (_, budgets) => {
    expect(moves(pod({}), budgets)).toBe(true);
  });

  test('spare a pod that is not ready when they always allow those', () => {
    const always = budget({ maxUnavailable: 0, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
    const unready = pod({ status: { conditions: [{ type: 'Ready', status: 'False' }] } });
    expect(moves(unready, [always])).toBe(true);
    expect(moves(pod({}), [always])).toBe(false);
  });

  test('do not matter to a pod that nobody would evict', () => {
    const staying = pod({
      spec: { tolerations: [{ key: taintKey.disrupted, operator: 'Exists' }] },
    });
    expect(moves(staying, [budget({ maxUnavailable: 0 })])).toBe(true);
  });
});

test('pods of nodes that stay are not moved', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => pod({ metadata: { name } }));
  const nodes = [
    { deleting: true, pods: [a!] },
    { deleting: false, pods: [b!] },
    { deleting: true, pods: [c!] },
  ];
  expect(movingPods(nodes, [], nowMs)).toEqual([a, c]);
});
