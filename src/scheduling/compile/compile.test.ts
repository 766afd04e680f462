// What the solver starts from: shapes, nodes and templates, with what DaemonSets will take of each.
import { describe, expect, test } from 'vitest';
import type { DaemonSet } from '../../api/workloads.ts';
import {
  arch,
  daemonSet,
  exists,
  instanceType,
  is,
  isNot,
  node,
  nodePool,
  type NodePoolOptions,
  pod,
  type PodOptions,
  podsWith,
  problem,
  replicas,
  taint,
  tolerating,
  zone,
} from '../../../test/support/scheduling/builders.ts';
import type { NodeJson, ProblemJson } from '../../../test/support/scheduling/problem-json.ts';
import { compileProblem } from '../../../test/support/scheduling/solve-problem.ts';

const gpu = taint('gpu');
const slow = taint('slow', 'true', 'PreferNoSchedule');

describe('pods', () => {
  test('that no rule can tell apart are one shape, oldest first', () => {
    const made = (name: string, creationTimestamp: string) => {
      const { metadata, spec } = pod({ name });
      return { metadata: { ...metadata, creationTimestamp }, spec };
    };
    const pods = [made('young', '2026-01-02T00:00:00Z'), made('old', '2026-01-01T00:00:00Z')];
    const { pending } = compileProblem(problem({ pods }));
    expect(
      [...pending.values()].map((group) => group.map(({ metadata }) => metadata.name)),
    ).toEqual([['old', 'young']]);
  });

  test('are told apart by a label as soon as anybody selects by it', () => {
    const pods = [
      pod({ name: 'a', labels: { app: 'a' } }),
      pod({ name: 'b', labels: { app: 'b' } }),
    ];
    const selecting = pod({ name: 'x', on: 'n', apart: [podsWith({ app: 'a' }, zone)] });
    const cluster = { nodes: [node({ name: 'n' })], boundPods: [selecting] };
    expect([
      compileProblem(problem({ pods })).pending.size,
      compileProblem(problem({ pods, ...cluster })).pending.size,
    ]).toEqual([1, 2]);
  });

  test('of a thousand replicas are compiled once', () => {
    const { shapes } = compileProblem(problem({ pods: replicas(1000, { name: 'p' }) }));
    expect(shapes.shapes).toHaveLength(1);
  });
});

describe('nodes', () => {
  function starting(name: string): NodeJson {
    return node({
      name,
      node: { metadata: { name, labels: { 'karpenter.sh/initialized': 'false' } } },
    });
  }

  test('that are up come before those that start, each by name', () => {
    const nodes = [starting('a'), node({ name: 'd' }), node({ name: 'c' }), starting('b')];
    const compiled = compileProblem(problem({ nodes }));
    expect(compiled.nodes.nodes.map(({ name }) => name)).toEqual(['c', 'd', 'a', 'b']);
  });

  test.each<[string, PodOptions, boolean]>([
    ['a label it has', { nodeSelector: { [zone]: 'z1' } }, true],
    ['another value of it', { nodeSelector: { [zone]: 'z2' } }, false],
    ['a label it lacks', { nodeSelector: { team: 'red' } }, false],
    ['any value of a label it lacks', { required: [[exists('team')]] }, false],
    ['any value but one of a label it lacks', { required: [[isNot('team', 'red')]] }, true],
    ['a label by its old name', { nodeSelector: { 'beta.kubernetes.io/arch': 'amd64' } }, true],
  ])('meet a demand for %s: %s', (_, options, expected) => {
    const { nodes, pending } = compileProblem(
      problem({ nodes: [node({ name: 'n', zone: 'z1' })], pods: [pod(options)] }),
    );
    const [shape] = pending.keys();
    expect(nodes.meets(0, shape!.variants[0]!.demand)).toBe(expected);
  });

  test('are asked about demands that nobody had when they were compiled', () => {
    const { nodes, states, shapes } = compileProblem(
      problem({ nodes: [node({ name: 'n', zone: 'z1' })] }),
    );
    const later = [
      pod({ nodeSelector: { [zone]: 'z1' } }),
      pod({ nodeSelector: { [zone]: 'z2' } }),
    ].map((one) => shapes.shapeOf(one).variants[0]!.demand);
    expect(states.size).toBeGreaterThan(2);
    expect(later.map((demand) => nodes.meets(0, demand))).toEqual([true, false]);
  });
});

describe('the room of a node', () => {
  /** Cores that pods can use of a node with four. */
  function cores(daemonSets: readonly DaemonSet[], parts: Partial<ProblemJson> = {}): number {
    const { nodes } = compileProblem(
      problem({ nodes: [node({ name: 'n' })], daemonSets, ...parts }),
    );
    return nodes.room[0]! / 1e9;
  }

  test.each<[string, readonly DaemonSet[], number]>([
    ['is all of it where there are no DaemonSets', [], 4],
    ['is less by those that are still to come', [daemonSet({ cpu: '1' })], 3],
    [
      'is not less by those that do not want the node',
      [daemonSet({ cpu: '1', nodeSelector: { [zone]: 'z2' } })],
      4,
    ],
    [
      'is less by those of which one alternative wants it',
      [daemonSet({ cpu: '1', required: [[is(zone, 'z2')], [is(zone, 'z1')]] })],
      3,
    ],
    [
      'counts wishes of DaemonSets for nothing',
      [daemonSet({ cpu: '1', preferred: [[is(zone, 'z2')]] })],
      3,
    ],
  ])('%s', (_, daemonSets, expected) => {
    expect(cores(daemonSets)).toBe(expected);
  });

  test('is not less by DaemonSets that run there already', () => {
    const running = { name: 'd-1', namespace: 'kube-system', daemonSet: 'd', on: 'n', cpu: '1' };
    expect(cores([daemonSet({ name: 'd', cpu: '1' })], { boundPods: [pod(running)] })).toBe(3);
  });

  test('is not more because DaemonSets use more than anybody expected', () => {
    const unknown = { name: 'x', namespace: 'kube-system', daemonSet: 'gone', on: 'n', cpu: '3' };
    expect(cores([daemonSet({ cpu: '1' })], { boundPods: [pod(unknown)] })).toBe(1);
  });

  test.each([
    ['must be tolerated', gpu, 4],
    ['is only to be avoided', slow, 3],
  ])('is that of DaemonSets where a taint %s', (_, taints, expected) => {
    const nodes = [node({ name: 'n', node: { spec: { taints: [taints] } } })];
    expect(cores([daemonSet({ cpu: '1' })], { nodes })).toBe(expected);
  });
});

describe('the room of a new node', () => {
  const amd = instanceType({ name: 'amd' });
  const arm = instanceType({ name: 'arm', arch: 'arm64' });

  /** Cores that pods can use of each type of the first template. */
  function cores(pool: NodePoolOptions, daemons: readonly PodOptions[]): Record<string, number> {
    const { templates, catalog, columns } = compileProblem(
      problem({
        nodePools: [nodePool(pool)],
        instanceTypes: [amd, arm],
        daemonSets: daemons.map((options, i) => daemonSet({ name: `d${i}`, ...options })),
      }),
    );
    const [{ members, room }] = templates as [(typeof templates)[number]];
    const width = columns.names.length;
    return Object.fromEntries(
      [...members].map((variant) => [
        catalog.types[catalog.typeOf[variant]!]!.name,
        room[variant * width]! / 1e9,
      ]),
    );
  }

  test.each<[string, NodePoolOptions, readonly PodOptions[], Record<string, number>]>([
    ['is less by every DaemonSet', {}, [{ cpu: '1' }, { cpu: '500m' }], { amd: 2.5, arm: 2.5 }],
    ['differs by type', {}, [{ cpu: '1', nodeSelector: { [arch]: 'arm64' } }], { amd: 4, arm: 3 }],
    [
      'is not less by what the pool excludes',
      { labels: { team: 'red' } },
      [{ cpu: '1', nodeSelector: { team: 'blue' } }],
      { amd: 4, arm: 4 },
    ],
    [
      'is less by what follows a label of the pool',
      { labels: { team: 'red' } },
      [{ cpu: '1', nodeSelector: { team: 'red' } }],
      { amd: 3, arm: 3 },
    ],
    [
      'is not less by what asks for a label that nobody gives',
      {},
      [{ cpu: '1', nodeSelector: { team: 'red' } }],
      { amd: 4, arm: 4 },
    ],
    [
      'is less by what only avoids such a label',
      {},
      [{ cpu: '1', required: [[isNot('team', 'red')]] }],
      { amd: 3, arm: 3 },
    ],
    [
      'is less by what waits for nodes that are up',
      {},
      [{ cpu: '1', nodeSelector: { 'karpenter.sh/initialized': 'true' } }],
      { amd: 3, arm: 3 },
    ],
    [
      'is not less by what does not tolerate its taint',
      { taints: [gpu] },
      [{ cpu: '1' }],
      { amd: 4, arm: 4 },
    ],
    [
      'is less by what tolerates its taint',
      { taints: [gpu] },
      [{ cpu: '1', tolerations: [tolerating(gpu)] }],
      { amd: 3, arm: 3 },
    ],
    [
      'is less although it would rather be avoided',
      { taints: [slow] },
      [{ cpu: '1' }],
      { amd: 3, arm: 3 },
    ],
    [
      'is less although it starts with a taint',
      { startupTaints: [gpu] },
      [{ cpu: '1' }],
      { amd: 3, arm: 3 },
    ],
    [
      'counts any of several alternatives, for each type by itself',
      {},
      [{ cpu: '1', required: [[is(arch, 'arm64')], [is(arch, 's390x')]] }],
      { amd: 4, arm: 3 },
    ],
    ['counts no wishes', {}, [{ cpu: '1', preferred: [[is(arch, 'arm64')]] }], { amd: 3, arm: 3 }],
  ])('%s', (_, pool, daemons, expected) => {
    expect(cores(pool, daemons)).toEqual(expected);
  });

  test('is less by the largest init container of a DaemonSet', () => {
    const resources = { requests: { cpu: '2' } };
    expect(cores({}, [{ cpu: '0', initContainers: [{ name: 'i', resources }] }])).toEqual({
      amd: 2,
      arm: 2,
    });
  });
});

test('a DaemonSet that claims devices takes no room where devices are not handed out', () => {
  const { metadata, spec } = daemonSet({ cpu: '1' });
  const resourceClaims = [{ name: 'gpu', resourceClaimName: 'gpu' }];
  const claiming = {
    metadata,
    spec: { template: { spec: { ...spec.template.spec, resourceClaims } } },
  };
  const { nodes } = compileProblem(
    problem({ nodes: [node({ name: 'n' })], daemonSets: [claiming] }),
  );
  expect(nodes.room[0]! / 1e9).toBe(4);
});

test('a pool whose requirements leave no type is named, and makes no nodes', () => {
  const { templates, emptyPools } = compileProblem(
    problem({
      nodePools: [
        nodePool({ name: 'fine' }),
        nodePool({ name: 'arch', requirements: [is(arch, 'arm64')] }),
        nodePool({ name: 'zone', requirements: [is(zone, 'z9')] }),
      ],
    }),
  );
  expect({ fine: templates.map(({ name }) => name), empty: emptyPools.toSorted() }).toEqual({
    fine: ['fine'],
    empty: ['arch', 'zone'],
  });
});
