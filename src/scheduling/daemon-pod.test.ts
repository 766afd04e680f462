import { describe, expect, test } from 'vitest';
import type { Affinity, Pod, PodSpec } from '../api/core.ts';
import type { DaemonSet } from '../api/workloads.ts';
import { daemonPod } from './daemon-pod.ts';

function required(values: string[]): Affinity {
  const matchExpressions = [{ key: 'zone', operator: 'In' as const, values }];
  const nodeSelectorTerms = [{ matchExpressions }];
  return {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
  };
}

function agent(spec: Partial<PodSpec> = {}): DaemonSet {
  const containers = [{ name: 'agent', resources: { requests: { cpu: '100m' } } }];
  return {
    metadata: { name: 'agent', namespace: 'system' },
    spec: { template: { metadata: { labels: { app: 'agent' } }, spec: { containers, ...spec } } },
  };
}

function running(
  cpu: string,
  more: Partial<Pod['metadata']> = {},
  spec: Partial<PodSpec> = {},
): Pod {
  const owner = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    name: 'agent',
    uid: 'u',
    controller: true,
  };
  return {
    metadata: {
      name: `agent-${cpu}`,
      namespace: 'system',
      ownerReferences: [owner],
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...more,
    },
    spec: { containers: [{ name: 'agent', resources: { requests: { cpu } } }], ...spec },
  };
}

function cpuOf({ spec }: Pod): unknown {
  return spec.containers[0]?.resources?.requests?.['cpu'];
}

describe('the pod of a DaemonSet', () => {
  test('is made of its template where none runs', () => {
    expect(daemonPod(agent(), [])).toMatchObject({
      metadata: { name: 'agent', namespace: 'system', labels: { app: 'agent' } },
    });
    expect(cpuOf(daemonPod(agent(), []))).toBe('100m');
  });

  test('asks for its limits where the template requests nothing', () => {
    const containers = [{ name: 'agent', resources: { limits: { cpu: '300m' } } }];
    expect(cpuOf(daemonPod(agent({ containers }), []))).toBe('300m');
  });

  test('is the newest of those that run', () => {
    const newer = { creationTimestamp: '2026-02-01T00:00:00Z' };
    expect(cpuOf(daemonPod(agent(), [running('1'), running('2', newer), running('3')]))).toBe('2');
  });

  test.each<[string, Partial<Pod['metadata']>]>([
    ['of another namespace', { namespace: 'other' }],
    ['of nobody', { ownerReferences: [] }],
    [
      'of another owner',
      {
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'other', uid: 'u', controller: true },
        ],
      },
    ],
    [
      'of an owner that does not control it',
      { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'u' }] },
    ],
  ])('is not one %s', (_, metadata) => {
    expect(cpuOf(daemonPod(agent(), [running('9', metadata)]))).toBe('100m');
  });

  test('has the affinity of the template, for the running one was pinned to its node', () => {
    const pinned = running('1', {}, { affinity: required(['z1']) });
    expect([
      daemonPod(agent(), [pinned]).spec.affinity,
      daemonPod(agent({ affinity: required(['z1', 'z2']) }), [pinned]).spec.affinity,
    ]).toEqual([undefined, required(['z1', 'z2'])]);
  });
});
