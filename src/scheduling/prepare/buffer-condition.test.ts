import { describe, expect, test } from 'vitest';
import type { CapacityBuffer, CapacityBufferStatus } from '../../api/capacity-buffer.ts';
import type { Pod } from '../../api/core.ts';
import {
  type BufferTally,
  provisioningCondition,
  tallyVirtualPods,
  virtualPodCounts,
} from './buffer-condition.ts';
import { virtualPods } from './virtual-pods.ts';

function buffer(name: string, namespace = 'apps', status?: CapacityBufferStatus): CapacityBuffer {
  return {
    metadata: { name, namespace },
    spec: { provisioningStrategy: 'buffer.x-k8s.io/active-capacity' },
    ...(status && { status }),
  };
}

function pods(count: number, name = 'spare', namespace = 'apps'): Pod[] {
  return virtualPods(buffer(name, namespace), { spec: { containers: [] } }, count);
}

const real: Pod = { metadata: { name: 'real', namespace: 'apps' }, spec: { containers: [] } };

describe('the outcome of a pass', () => {
  test('is counted per buffer and namespace, real pods left out', () => {
    const tallies = tallyVirtualPods({
      existing: [...pods(2), real, ...pods(1, 'spare', 'other')],
      fresh: [...pods(1), ...pods(3, 'big')],
      failed: [real, ...pods(1, 'big')],
    });
    expect([...tallies]).toEqual([
      ['apps/spare', { existing: 2, fresh: 1, failed: 0 }],
      ['other/spare', { existing: 1, fresh: 0, failed: 0 }],
      ['apps/big', { existing: 0, fresh: 3, failed: 1 }],
    ]);
  });

  test('is nothing without virtual pods', () => {
    expect(tallyVirtualPods({ existing: [real], fresh: [], failed: [] }).size).toBe(0);
  });

  test('says how many virtual pods each node holds room for', () => {
    const counts = virtualPodCounts([
      { id: 'one', pods: [...pods(2), real] },
      { id: 'two', pods: [real] },
      { id: 'three', pods: [...pods(1), ...pods(1, 'big')] },
    ]);
    expect([...counts]).toEqual([
      ['one', 2],
      ['three', 2],
    ]);
  });
});

describe('the condition of a buffer', () => {
  const isReady = (status: 'True' | 'False') => [
    { type: 'ReadyForProvisioning', status, reason: 'x', message: '', lastTransitionTime: '' },
  ];
  const ready = (replicas: number): CapacityBufferStatus => ({
    replicas,
    conditions: isReady('True'),
  });
  const tally = (existing: number, fresh: number, failed: number) => ({ existing, fresh, failed });

  test.each<[string, CapacityBufferStatus, BufferTally | undefined, readonly string[]]>([
    [
      'nobody has looked at it',
      {},
      tally(1, 0, 0),
      ['False', 'NotReadyForProvisioning', 'Buffer is not ReadyForProvisioning'],
    ],
    [
      'it could not be resolved',
      { replicas: 3, conditions: isReady('False') },
      undefined,
      ['False', 'NotReadyForProvisioning', 'Buffer is not ReadyForProvisioning'],
    ],
    [
      'it has no size',
      ready(0),
      undefined,
      ['False', 'BufferEmpty', 'Buffer has zero desired replicas'],
    ],
    [
      'some of its pods need new nodes',
      ready(3),
      tally(1, 2, 0),
      ['False', 'RequiresNewCapacity', '2/3 virtual pods required new capacity, 0 failed'],
    ],
    [
      'some of its pods fit nowhere',
      ready(3),
      tally(2, 0, 1),
      ['False', 'RequiresNewCapacity', '0/3 virtual pods required new capacity, 1 failed'],
    ],
    [
      'all of its pods fit',
      ready(3),
      tally(3, 0, 0),
      ['True', 'FitsExistingCapacity', 'All 3 virtual pods fit on existing capacity'],
    ],
  ])('when %s', (_, state, tallied, [status, reason, message]) => {
    expect(provisioningCondition(buffer('spare', 'apps', state), tallied)).toEqual({
      type: 'Provisioning',
      status,
      reason,
      message,
    });
  });

  test.each([
    ['none of its pods was seen', undefined],
    ['the pass ended before all of them were seen', tally(2, 0, 0)],
  ])('stays as it was when %s', (_, tallied) => {
    expect(provisioningCondition(buffer('spare', 'apps', ready(3)), tallied)).toBeUndefined();
  });
});
