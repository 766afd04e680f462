// Nodes that exist come before new ones: which pods go there, and which may not.
import { describe, expect, test } from 'vitest';
import type { Taint } from '../../src/api/core.ts';
import { annotation } from '../../src/api/labels.ts';
import {
  daemonSet,
  hostname,
  instanceType,
  is,
  node,
  nodePool,
  pod,
  type PodOptions,
  podsWith,
  replicas,
  spreadOver,
  taint,
  tolerating,
  zone,
} from '../support/scheduling/builders.ts';
import { nowhere, places, shares, spreadOf } from '../support/scheduling/places.ts';
import type { NodeJson } from '../support/scheduling/problem-json.ts';

const web = { app: 'web' };
const gpu = taint('gpu');

/** Its kubelet has joined, and is not through with starting. */
function starting(name: string, taints: readonly Taint[] = [], more: NodeJson = {}): NodeJson {
  return node({
    name,
    node: {
      metadata: { name, labels: { 'karpenter.sh/initialized': 'false' } },
      spec: { taints },
    },
    ...more,
  });
}

function placeOf(nodes: readonly NodeJson[], options: PodOptions = {}): string | undefined {
  return places({ nodes, pods: [pod({ name: 'p', ...options })] })['p'];
}

describe('a node that exists', () => {
  test.each<[string, PodOptions, string]>([
    ['takes a pod that fits', {}, 'n'],
    ['takes a pod that asks for its labels', { nodeSelector: { [zone]: 'z1' } }, 'n'],
    [
      'takes no pod that names it, for a pod may not',
      { nodeSelector: { [hostname]: 'n' } },
      nowhere,
    ],
    ['takes no pod that is too large', { cpu: '5' }, nowhere],
    ['takes no pod that asks for another zone', { nodeSelector: { [zone]: 'z2' } }, 'medium'],
    ['takes no pod that asks for a label it lacks', { nodeSelector: { team: 'red' } }, nowhere],
  ])('%s', (_, options, expected) => {
    expect(placeOf([node({ name: 'n' })], options)).toBe(expected);
  });

  test('takes pods before a new one is made, as many as fit', () => {
    const pods = replicas(5, { name: 'p', cpu: '1' });
    const found = Object.values(places({ nodes: [node({ name: 'n' })], pods }));
    expect(found.toSorted()).toEqual(['medium', 'n', 'n', 'n', 'n']);
  });

  test('that nobody manages takes pods too', () => {
    expect(placeOf([{ name: 'foreign', instanceType: 'medium', zone: 'z1' }])).toBe('foreign');
  });

  test('that is on its way out takes none', () => {
    const leaving = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };
    expect(placeOf([node({ name: 'n', nodeClaim: leaving })])).toBe('medium');
  });

  test('that is up comes before one that starts', () => {
    expect([
      placeOf([starting('a'), node({ name: 'b' })]),
      placeOf([starting('a'), starting('b')]),
      placeOf([node({ name: 'b' }), node({ name: 'a' })]),
    ]).toEqual(['b', 'a', 'a']);
  });

  test('is full by the pods it has', () => {
    const nodes = [node({ name: 'n' })];
    const boundPods = [pod({ name: 'x', cpu: '3', on: 'n' })];
    const of = (cpu: string) => places({ nodes, boundPods, pods: [pod({ name: 'p', cpu })] })['p'];
    expect([of('1'), of('1100m')]).toEqual(['n', 'medium']);
  });

  test('takes nothing more when it is overdrawn already', () => {
    const nodes = [node({ name: 'n' })];
    const boundPods = [pod({ name: 'x', cpu: '5', on: 'n' })];
    const pods = [pod({ name: 'p', cpu: '0', memory: '0' })];
    expect(places({ nodes, boundPods, pods })).toEqual({ p: 'medium' });
  });

  test('of a pool that makes no nodes any more is still a node', () => {
    const closed = { ...nodePool(), spec: { ...nodePool().spec, replicas: 1 } };
    expect(
      places({ nodePools: [closed], nodes: [node({ name: 'n' })], pods: [pod({ name: 'p' })] }),
    ).toEqual({ p: 'n' });
  });

  test('serves where all pools are empty', () => {
    const nodePools = [nodePool({ requirements: [is(zone, 'z9')] })];
    expect(places({ nodePools, nodes: [node({ name: 'n' })], pods: [pod({ name: 'p' })] })).toEqual(
      { p: 'n' },
    );
  });
});

describe('a taint', () => {
  const notReady = taint('node.kubernetes.io/not-ready', '');

  test.each<[string, NodeJson, PodOptions, string]>([
    [
      'of a node keeps pods away',
      node({ name: 'n', node: { spec: { taints: [gpu] } } }),
      {},
      'medium',
    ],
    [
      'of a node lets pods in that tolerate it',
      node({ name: 'n', node: { spec: { taints: [gpu] } } }),
      { tolerations: [tolerating(gpu)] },
      'n',
    ],
    [
      'that passes by itself does not matter while a node starts',
      starting('n', [notReady]),
      {},
      'n',
    ],
    ['that stays matters while a node starts', starting('n', [gpu]), {}, 'medium'],
    [
      'that the pool starts nodes with does not matter while one starts',
      starting('n', [gpu], {
        nodeClaim: { spec: { startupTaints: [gpu] } },
      }),
      {},
      'n',
    ],
    [
      'that came back matters once a node is up',
      node({ name: 'n', node: { spec: { taints: [notReady] } } }),
      {},
      'medium',
    ],
    [
      'that the pool starts nodes with matters once one is up',
      node({
        name: 'n',
        node: { spec: { taints: [gpu] } },
        nodeClaim: { spec: { startupTaints: [gpu] } },
      }),
      {},
      'medium',
    ],
  ])('%s', (_, existing, options, expected) => {
    expect(placeOf([existing], options)).toBe(expected);
  });

  test('of a pool keeps pods away that do not tolerate it, one that nodes only start with does not', () => {
    const of = (pool: Parameters<typeof nodePool>[0], options: PodOptions = {}) =>
      places({ nodePools: [nodePool(pool)], pods: [pod({ name: 'p', ...options })] })['p'];
    expect([
      of({ taints: [gpu] }),
      of({ taints: [gpu] }, { tolerations: [tolerating(gpu)] }),
      of({ taints: [gpu] }, { tolerations: [{ key: 'gpu', operator: 'Equal', value: 'other' }] }),
      of({ startupTaints: [gpu] }),
    ]).toEqual([nowhere, 'medium', nowhere, 'medium']);
  });
});

describe('a port of the host', () => {
  test('is for one pod of a node', () => {
    const nodes = [node({ name: 'n' })];
    const boundPods = [pod({ name: 'x', ports: [80], on: 'n' })];
    const pods = [
      ...replicas(2, { name: 'web', ports: [80] }),
      pod({ name: 'other', ports: [81] }),
      pod({ name: 'none' }),
    ];
    expect(places({ nodes, boundPods, pods })).toEqual({
      none: 'n',
      other: 'n',
      'web-0': 'medium',
      'web-1': 'medium',
    });
    expect(shares({ nodes, boundPods, pods })).toEqual([['web-0'], ['web-1']]);
  });

  test('that a DaemonSet takes keeps pods from the types it runs on, and from no others', () => {
    const instanceTypes = [
      instanceType({ name: 'amd', price: 0.5 }),
      instanceType({ name: 'arm', arch: 'arm64', price: 0.1 }),
    ];
    const armOnly = daemonSet({ ports: [80], nodeSelector: { 'kubernetes.io/arch': 'arm64' } });
    const everywhere = daemonSet({ ports: [80] });
    const pods = [pod({ name: 'p', ports: [80] })];
    expect([
      places({ instanceTypes, daemonSets: [armOnly], pods }),
      places({ instanceTypes, daemonSets: [everywhere], pods }),
    ]).toEqual([{ p: 'amd' }, { p: nowhere }]);
  });

  test('is another port by another protocol', () => {
    const udp = (name: string, protocol: 'TCP' | 'UDP') => {
      const { metadata, spec } = pod({ name });
      const ports = [{ containerPort: 53, hostPort: 53, protocol }];
      return { metadata, spec: { ...spec, containers: [{ ...spec.containers[0]!, ports }] } };
    };
    expect(shares({ pods: [udp('a', 'TCP'), udp('b', 'UDP')] })).toEqual([['a', 'b']]);
  });
});

describe('pods that stand for spare capacity', () => {
  const virtual = (name: string, cpu: string) => {
    const { metadata, spec } = pod({ name, cpu });
    const annotations = { [annotation.capacityBufferFakePod]: 'true' };
    return { metadata: { ...metadata, annotations }, spec };
  };

  test('come after all others, however large they are', () => {
    const pods = [virtual('spare', '3'), pod({ name: 'real', cpu: '2' })];
    const nodes = [node({ name: 'n' })];
    expect(places({ nodePools: [], nodes, pods })).toEqual({ real: 'n', spare: nowhere });
  });

  test('share nodes with real pods where there is room', () => {
    const pods = [virtual('spare', '2'), pod({ name: 'real', cpu: '2' })];
    expect(places({ nodes: [node({ name: 'n' })], pods })).toEqual({ real: 'n', spare: 'n' });
  });
});

describe('the order of pods', () => {
  test('is the largest first, so that small ones fill up', () => {
    const nodes = [node({ name: 'n' })];
    const pods = [
      pod({ name: 'small', cpu: '1' }),
      pod({ name: 'large', cpu: '3' }),
      pod({ name: 'large-memory', cpu: '1', memory: '8Gi' }),
    ];
    expect(places({ nodePools: [], nodes, pods })).toEqual({
      large: 'n',
      'large-memory': 'n',
      small: nowhere,
    });
  });

  test('of equal ones is the oldest first', () => {
    const made = (name: string, creationTimestamp: string) => {
      const { metadata, spec } = pod({ name, cpu: '3' });
      return { metadata: { ...metadata, creationTimestamp }, spec };
    };
    const pods = [made('a', '2026-01-02T00:00:00Z'), made('b', '2026-01-01T00:00:00Z')];
    expect(places({ nodePools: [], nodes: [node({ name: 'n' })], pods })).toEqual({
      a: nowhere,
      b: 'n',
    });
  });
});

test('new zones are balanced with those of nodes that start', () => {
  const nodes = ['z1', 'z2'].map((name) =>
    starting(`n-${name}`, [], { zone: name, instanceType: 'medium' }),
  );
  const boundPods = nodes.map(({ name }) =>
    pod({ name: `on-${name}`, labels: web, cpu: '4', on: name! }),
  );
  const pods = [pod({ name: 'p', cpu: '1', labels: web, spread: [spreadOver(zone, web)] })];
  expect(spreadOf({ nodes, boundPods, pods }, zone)).toEqual({ z3: 1 });
});

test('pods that want to be alone are kept from nodes that start with one of them', () => {
  const nodes = [starting('n')];
  const boundPods = [pod({ name: 'x', labels: web, on: 'n' })];
  const pods = [pod({ name: 'p', labels: web, apart: [podsWith(web, hostname)] })];
  expect(places({ nodes, boundPods, pods })).toEqual({ p: 'medium' });
});
