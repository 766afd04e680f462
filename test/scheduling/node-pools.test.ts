// Which pool makes the nodes, and how many its limits allow.
import { describe, expect, test } from 'vitest';
import {
  capacityType,
  instanceType,
  is,
  node,
  nodePool,
  type NodePoolOptions,
  pod,
  type PodOptions,
  poolLabel,
  replicas,
  taint,
  tolerating,
  zone,
} from '../support/scheduling/builders.ts';
import { nowhere, places, planOf } from '../support/scheduling/places.ts';
import type { NodePoolJson, ProblemJson } from '../support/scheduling/problem-json.ts';

const small = instanceType({ name: 'small', cpu: '2', price: 0.1 });
const medium = instanceType({ name: 'medium', cpu: '4', price: 0.2 });

function poolOf(nodePools: readonly NodePoolJson[], options: PodOptions = {}): string {
  const plan = planOf({ nodePools, instanceTypes: [small], pods: [pod(options)] });
  return plan.newNodeClaims[0]?.nodePool ?? nowhere;
}

describe('a new node', () => {
  const heavy = nodePool({ name: 'heavy', weight: 90 });
  const light = nodePool({ name: 'light', weight: 10 });
  const none = nodePool({ name: 'none' });

  test.each<[string, readonly NodePoolJson[], PodOptions, string]>([
    ['is of the heaviest pool', [none, light, heavy], {}, 'heavy'],
    [
      'is of a lighter one where that takes the pod and the heavier does not',
      [nodePool({ name: 'heavy', weight: 90, requirements: [is(zone, 'z1')] }), light],
      { nodeSelector: { [zone]: 'z2' } },
      'light',
    ],
    [
      'is of the pool that the pod names',
      [none, light, heavy],
      { nodeSelector: { [poolLabel]: 'none' } },
      'none',
    ],
    [
      'is of the pool with the label that the pod names',
      [heavy, nodePool({ name: 'red', labels: { team: 'red' } })],
      { nodeSelector: { team: 'red' } },
      'red',
    ],
    [
      'is of the pool whose taints the pod tolerates',
      [nodePool({ name: 'heavy', weight: 90, taints: [taint('x')] }), light],
      {},
      'light',
    ],
    [
      'is of the tainted pool when the pod tolerates it',
      [nodePool({ name: 'heavy', weight: 90, taints: [taint('x')] }), light],
      { tolerations: [tolerating(taint('x'))] },
      'heavy',
    ],
    [
      'is of the last by name of those that weigh the same',
      [nodePool({ name: 'a' }), nodePool({ name: 'b' })],
      {},
      'b',
    ],
    [
      'is of no pool that the pod does not find',
      [heavy],
      { nodeSelector: { [poolLabel]: 'other' } },
      nowhere,
    ],
    ['is not made without pools', [], {}, nowhere],
  ])('%s', (_, pools, options, expected) => {
    expect(poolOf(pools, options)).toBe(expected);
  });

  test('is of no pool that is static, not ready or on its way out', () => {
    const open = nodePool({ name: 'open', requirements: [is(capacityType, 'on-demand')] });
    const isReady = {
      type: 'Ready',
      status: 'False',
      reason: 'NotReady',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const closed = [
      { ...nodePool({ name: 'static' }), spec: { ...nodePool().spec, replicas: 2 } },
      { ...nodePool({ name: 'unready', weight: 9 }), status: { conditions: [isReady] } },
      {
        ...nodePool({ name: 'leaving', weight: 9 }),
        metadata: { name: 'leaving', deletionTimestamp: '2026-01-01T00:00:00Z' },
      },
    ];
    expect([poolOf(closed), poolOf([...closed, open])]).toEqual([nowhere, 'open']);
  });
});

describe('limits', () => {
  function placed(pool: NodePoolOptions, parts: Partial<ProblemJson>): number {
    const plan = planOf({ nodePools: [nodePool(pool)], instanceTypes: [small, medium], ...parts });
    return (parts.pods ?? []).length - Object.keys(plan.podErrors).length;
  }

  const three = replicas(3, { name: 'p', cpu: '1500m', ports: [80] });

  test.each<[string, NodePoolOptions, number]>([
    ['that are not there limit nothing', {}, 3],
    ['that are large enough limit nothing', { limits: { cpu: '100' } }, 3],
    ['of cores leave out what would pass them', { limits: { cpu: '4' } }, 2],
    ['of cores that are met exactly are met', { limits: { cpu: '6' } }, 3],
    ['below the smallest machine make none', { limits: { cpu: '1' } }, 0],
    ['of memory count as well', { limits: { cpu: '100', memory: '32Gi' } }, 2],
    ['of nodes count the nodes of one plan', { limits: { nodes: '2' } }, 2],
    ['of no nodes make none', { limits: { nodes: '0' } }, 0],
    ['of a resource that machines lack limit nothing', { limits: { 'nvidia.com/gpu': '0' } }, 3],
  ])('%s', (_, pool, expected) => {
    expect(
      placed(
        { requirements: [is('node.kubernetes.io/instance-type', 'small')], ...pool },
        { pods: three },
      ),
    ).toBe(expected);
  });

  test('of GPUs are kept', () => {
    const gpu = instanceType({ name: 'gpu', capacity: { 'nvidia.com/gpu': '1' } });
    const pods = replicas(3, { name: 'p', requests: { 'nvidia.com/gpu': '1' } });
    expect(placed({ limits: { 'nvidia.com/gpu': '2' } }, { instanceTypes: [gpu], pods })).toBe(2);
  });

  test('count the nodes that the pool has, and do not keep pods from them', () => {
    const nodes = [node({ name: 'n', instanceType: 'medium' })];
    const pods = [pod({ name: 'a', cpu: '4' }), pod({ name: 'b', cpu: '1' })];
    expect(
      places({
        nodePools: [nodePool({ limits: { cpu: '5' } })],
        instanceTypes: [small],
        nodes: [{ ...nodes[0]!, instanceType: 'small' }],
        pods,
      }),
    ).toEqual({ a: nowhere, b: 'n' });
  });

  test('charge a node as the largest that it may become', () => {
    const pods = [
      pod({ name: 'a', cpu: '1500m', nodeSelector: { [zone]: 'z1' } }),
      pod({ name: 'b', cpu: '1400m', nodeSelector: { [zone]: 'z2' } }),
    ];
    const limits = { cpu: '5' };
    expect([
      places({ nodePools: [nodePool({ limits })], instanceTypes: [small, medium], pods }),
      places({ nodePools: [nodePool({ limits })], instanceTypes: [small], pods }),
    ]).toEqual([
      { a: 'small', b: nowhere },
      { a: 'small', b: 'small' },
    ]);
  });

  test('send pods to the next pool when they are used up', () => {
    const nodePools = [
      nodePool({ name: 'a', weight: 9, limits: { nodes: '1' } }),
      nodePool({ name: 'b' }),
    ];
    const plan = planOf({ nodePools, instanceTypes: [small], pods: three });
    expect(plan.newNodeClaims.map(({ nodePool: name }) => name)).toEqual(['a', 'b', 'b']);
  });
});
