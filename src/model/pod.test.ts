import { describe, expect, test } from 'vitest';
import type { Pod, PodSpec, PodStatus } from '../api/core.ts';
import type { ObjectMeta } from '../api/meta.ts';
import {
  hasRequiredAntiAffinity,
  hasResourceClaims,
  isActive,
  isDisruptable,
  isDrainable,
  isEvictable,
  isMirror,
  isOwnedByDaemonSet,
  isProvisionable,
  isReschedulable,
  isStuckTerminating,
  isTerminal,
  isTerminating,
  isWaitingForEviction,
  podKey,
  toleratesDisruption,
} from './pod.ts';

const now = Date.parse('2024-05-15T12:00:00Z');

function pod(parts: {
  meta?: Partial<ObjectMeta>;
  spec?: Partial<PodSpec>;
  status?: PodStatus;
}): Pod {
  return {
    metadata: { name: 'p', namespace: 'ns', ...parts.meta },
    spec: { containers: [], ...parts.spec },
    ...(parts.status && { status: parts.status }),
  };
}

const ownedBy = (apiVersion: string, kind: string): Partial<ObjectMeta> => ({
  ownerReferences: [{ apiVersion, kind, name: 'o', uid: 'u' }],
});

const plain = pod({});
const succeeded = pod({ status: { phase: 'Succeeded' } });
const failed = pod({ status: { phase: 'Failed' } });
const deletedAt = (deletionTimestamp: string, meta: Partial<ObjectMeta> = {}): Pod =>
  pod({ meta: { deletionTimestamp, ...meta } });
const terminating = deletedAt('2024-05-15T11:59:30Z');
const stuck = deletedAt('2024-05-15T11:58:59Z');
const daemon = pod({ meta: ownedBy('apps/v1', 'DaemonSet') });
const mirror = pod({ meta: ownedBy('v1', 'Node') });
const staying = pod({
  spec: { tolerations: [{ key: 'karpenter.sh/disrupted', operator: 'Exists' }] },
});
const refusing = pod({ meta: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } });
const leavingStateful = deletedAt('2024-05-15T12:00:30Z', ownedBy('apps/v1', 'StatefulSet'));
const leavingReplica = deletedAt('2024-05-15T12:00:30Z', ownedBy('apps/v1', 'ReplicaSet'));

describe('of each kind of pod', () => {
  // terminal, terminating, active, stuck, drainable, waiting, evictable, reschedulable, disruptable
  test.each<[string, Pod, string]>([
    ['a plain pod', plain, '..A.DWERP'],
    ['one that succeeded', succeeded, 'T...D...P'],
    ['one that failed', failed, 'T...D...P'],
    ['one on its way out', terminating, '.L..DW..P'],
    ['one that is stuck there', stuck, '.L.S....P'],
    ['one of a DaemonSet', daemon, '..A.DWE.P'],
    ['a static one', mirror, '..A.....P'],
    ['one that tolerates disruption', staying, '..A....RP'],
    ['one that refuses disruption', refusing, '..A.DW.R.'],
    ['one of a StatefulSet on its way out', leavingStateful, '.L..DW.RP'],
    ['one of a ReplicaSet on its way out', leavingReplica, '.L..DW..P'],
  ])('%s', (_, subject, expected) => {
    const answers: [boolean, string][] = [
      [isTerminal(subject), 'T'],
      [isTerminating(subject), 'L'],
      [isActive(subject), 'A'],
      [isStuckTerminating(subject, now), 'S'],
      [isDrainable(subject, now), 'D'],
      [isWaitingForEviction(subject, now), 'W'],
      [isEvictable(subject, now), 'E'],
      [isReschedulable(subject), 'R'],
      [isDisruptable(subject, now), 'P'],
    ];
    expect(answers.map(([yes, letter]) => (yes ? letter : '.')).join('')).toBe(expected);
  });

  test('a pod is stuck only after more than a minute', () => {
    expect(isStuckTerminating(deletedAt('2024-05-15T11:59:00Z'), now)).toBe(false);
    expect(isStuckTerminating(plain, now)).toBe(false);
  });

  test('owners are told by version and kind', () => {
    expect(
      [daemon, pod({ meta: ownedBy('v1', 'DaemonSet') }), plain].map(isOwnedByDaemonSet),
    ).toEqual([true, false, false]);
    expect([mirror, daemon].map(isMirror)).toEqual([true, false]);
  });

  test('every way to tolerate the disrupted taint counts', () => {
    const tolerating = (tolerations: PodSpec['tolerations']): Pod =>
      pod({ spec: { tolerations: tolerations! } });
    expect([
      toleratesDisruption(tolerating([{ key: 'karpenter.sh/disrupted', operator: 'Equal' }])),
      toleratesDisruption(tolerating([{ operator: 'Exists', effect: 'NoSchedule' }])),
      toleratesDisruption(
        tolerating([{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }]),
      ),
      toleratesDisruption(plain),
    ]).toEqual([true, true, false, false]);
  });
});

describe('a pod is provisionable', () => {
  const unschedulable: PodStatus = {
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
  };
  test.each<[string, Pod, boolean]>([
    ['when the scheduler gave up on it', pod({ status: unschedulable }), true],
    ['not before the scheduler has seen it', plain, false],
    [
      'not for the reasons of other schedulers',
      pod({
        status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'MatchFailed' }] },
      }),
      false,
    ],
    ['not when bound', pod({ status: unschedulable, spec: { nodeName: 'n' } }), false],
    ['not when preempting', pod({ status: { ...unschedulable, nominatedNodeName: 'n' } }), false],
    ['not from a DaemonSet', { ...daemon, status: unschedulable }, false],
    ['not as a static pod', { ...mirror, status: unschedulable }, false],
    [
      'whatever its phase and even on its way out',
      { ...terminating, status: { ...unschedulable, phase: 'Failed' } },
      true,
    ],
  ])('%s', (_, subject, expected) => {
    expect(isProvisionable(subject)).toBe(expected);
  });
});

test('claims for devices count on the pod and on every container', () => {
  const container = { name: 'c', resources: { claims: [{ name: 'gpu' }] } };
  const pods = [
    plain,
    pod({ spec: { resourceClaims: [{ name: 'gpu' }] } }),
    pod({ spec: { containers: [container] } }),
    pod({ spec: { initContainers: [container] } }),
    pod({ spec: { containers: [{ name: 'c', resources: {} }, { name: 'd' }] } }),
  ];
  expect(pods.map(hasResourceClaims)).toEqual([false, true, true, true, false]);
});

test('only required anti-affinity keeps strangers away', () => {
  const term = { topologyKey: 'kubernetes.io/hostname' };
  const pods = [
    plain,
    pod({
      spec: {
        affinity: {
          podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] },
        },
      },
    }),
    pod({
      spec: {
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }],
          },
        },
      },
    }),
  ];
  expect(pods.map(hasRequiredAntiAffinity)).toEqual([false, true, false]);
});

test('a pod is known by namespace and name', () => {
  expect([podKey(plain), podKey({ ...plain, metadata: { name: 'p' } })]).toEqual(['ns/p', '/p']);
});
