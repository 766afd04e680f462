// Rules of pods as groups: which domains there are for a rule, and who is counted where before anything is placed.
import { describe, expect, test } from 'vitest';
import type { Pod, Taint, TopologySpreadConstraint } from '../../api/core.ts';
import {
  arch,
  capacityType,
  hostname,
  instanceType,
  is,
  isNot,
  node,
  nodePool,
  offering,
  pod,
  type PodOptions,
  podsWith,
  problem,
  replicas,
  spreadOver,
  taint,
  tolerating,
  zone,
} from '../../../test/support/scheduling/builders.ts';
import type { ProblemJson } from '../../../test/support/scheduling/problem-json.ts';
import { compileProblem } from '../../../test/support/scheduling/solve-problem.ts';
import type { CompiledProblem } from '../compile/compile.ts';
import type { TopologyGroup } from './group.ts';

const web = { app: 'web' };
const gpu = taint('gpu');

function ownedBy(compiled: CompiledProblem): readonly TopologyGroup[] {
  const [shape] = compiled.pending.keys();
  return shape!.variants[0]!.owned;
}

/** Of the first rule of the first pod: domain → count. */
function counts(parts: Partial<ProblemJson>): Record<string, number> {
  const compiled = compileProblem(problem(parts));
  const [group] = ownedBy(compiled);
  return Object.fromEntries(
    [...group!.known].map((domain) => [
      group!.table.nameOf(domain),
      compiled.topology.counts.inDomain(group!, domain),
    ]),
  );
}

function spreading(
  key: string,
  options: Partial<TopologySpreadConstraint> = {},
  more: PodOptions = {},
): Pod[] {
  return [pod({ labels: web, spread: [spreadOver(key, web, options)], ...more })];
}

describe('the domains of a spread', () => {
  const types = [
    instanceType({ zones: ['z1', 'z2'] }),
    instanceType({ name: 'arm', arch: 'arm64', zones: ['z3'] }),
  ];

  test.each<[string, Partial<ProblemJson>, string[]]>([
    [
      'are the zones of types that a pool may make',
      { instanceTypes: types, pods: spreading(zone) },
      ['z1', 'z2', 'z3'],
    ],
    [
      'are no zones that the pool excludes',
      {
        instanceTypes: types,
        nodePools: [nodePool({ requirements: [is(zone, 'z1')] })],
        pods: spreading(zone),
      },
      ['z1'],
    ],
    [
      'are no zones that the pool names and no type has',
      {
        instanceTypes: types,
        nodePools: [nodePool({ requirements: [is(zone, 'z1', 'z9')] })],
        pods: spreading(zone),
      },
      ['z1'],
    ],
    [
      'are no zones that the pool excludes by name',
      {
        instanceTypes: types,
        nodePools: [nodePool({ requirements: [isNot(zone, 'z1')] })],
        pods: spreading(zone),
      },
      ['z2', 'z3'],
    ],
    [
      'are those of all pools together',
      {
        instanceTypes: types,
        nodePools: [
          nodePool({ name: 'a', requirements: [is(zone, 'z1')] }),
          nodePool({ name: 'b', requirements: [is(zone, 'z3')] }),
        ],
        pods: spreading(zone),
      },
      ['z1', 'z3'],
    ],
    [
      'are zones of types that the pod may use',
      { instanceTypes: types, pods: spreading(zone, {}, { nodeSelector: { [arch]: 'amd64' } }) },
      ['z1', 'z2'],
    ],
    [
      'are all zones when its affinity is not to count',
      {
        instanceTypes: types,
        pods: spreading(
          zone,
          { nodeAffinityPolicy: 'Ignore' },
          { nodeSelector: { [arch]: 'amd64' } },
        ),
      },
      ['z1', 'z2', 'z3'],
    ],
    [
      'are zones of any of its alternatives',
      {
        instanceTypes: types,
        pods: spreading(zone, {}, { required: [[is(arch, 'arm64')], [is(zone, 'z1')]] }),
      },
      ['z1', 'z3'],
    ],
    [
      'are not fewer because of wishes',
      { instanceTypes: types, pods: spreading(zone, {}, { preferred: [[is(zone, 'z1')]] }) },
      ['z1', 'z2', 'z3'],
    ],
    [
      'are zones of nodes that exist too',
      {
        instanceTypes: [instanceType({ zones: ['z1'] })],
        nodes: [{ name: 'n', zone: 'z7', instanceType: 'medium' }],
        pods: spreading(zone),
      },
      ['z1', 'z7'],
    ],
    [
      'are not zones of nodes that the pod may not use',
      {
        nodePools: [],
        nodes: [
          node({ name: 'a', zone: 'z1' }),
          node({
            name: 'b',
            zone: 'z2',
            node: { metadata: { name: 'b', labels: { team: 'red' } } },
          }),
        ],
        pods: spreading(zone, {}, { nodeSelector: { team: 'red' } }),
      },
      ['z2'],
    ],
    [
      'are there although the way of buying that the pod asks for cannot be had now',
      {
        instanceTypes: [
          instanceType({
            offerings: [
              offering({ zone: 'z1' }),
              offering({ zone: 'z2' }),
              offering({ zone: 'z2', capacityType: 'spot', available: false }),
              offering({ zone: 'z1', capacityType: 'spot' }),
            ],
          }),
        ],
        pods: spreading(zone, {}, { nodeSelector: { [capacityType]: 'spot' } }),
      },
      ['z1', 'z2'],
    ],
    [
      'are ways of buying',
      {
        instanceTypes: [instanceType({ capacityTypes: ['spot', 'on-demand'] })],
        pods: spreading(capacityType),
      },
      ['on-demand', 'spot'],
    ],
    [
      'are values of a label that pools give',
      {
        nodePools: [
          nodePool({ name: 'a', labels: { rack: 'r1' } }),
          nodePool({ name: 'b', requirements: [is('rack', 'r2', 'r3')] }),
        ],
        pods: spreading('rack'),
      },
      ['r1', 'r2', 'r3'],
    ],
    [
      'are not values that a pool excludes',
      {
        nodePools: [nodePool({ name: 'a', requirements: [isNot('rack', 'r1')] })],
        pods: spreading('rack'),
      },
      [],
    ],
    ['are none for a label that nobody gives', { pods: spreading('unknown') }, []],
  ])('%s', (_, parts, expected) => {
    expect(Object.keys(counts(parts))).toEqual(expected);
  });

  test('leave out pools whose taints it does not tolerate when taints are to be honored', () => {
    const nodePools = [
      nodePool({ name: 'a', requirements: [is(zone, 'z1')] }),
      nodePool({ name: 'b', requirements: [is(zone, 'z2')], taints: [gpu] }),
    ];
    const of = (options: Partial<TopologySpreadConstraint>, more: PodOptions = {}) =>
      Object.keys(counts({ nodePools, pods: spreading(zone, options, more) }));
    expect([
      of({}),
      of({ nodeTaintsPolicy: 'Honor' }),
      of({ nodeTaintsPolicy: 'Honor' }, { tolerations: [tolerating(gpu)] }),
    ]).toEqual([['z1', 'z2'], ['z1'], ['z1', 'z2']]);
  });

  test('include one that a pool with and a pool without taints share', () => {
    const nodePools = [
      nodePool({ name: 'a', requirements: [is(zone, 'z1')], taints: [gpu] }),
      nodePool({ name: 'b', requirements: [is(zone, 'z1')] }),
    ];
    const pods = spreading(zone, { nodeTaintsPolicy: 'Honor' });
    expect(Object.keys(counts({ nodePools, pods }))).toEqual(['z1']);
  });
});

describe('pods that run', () => {
  const nodes = [node({ name: 'n1', zone: 'z1' }), node({ name: 'n2', zone: 'z2' })];

  test('are counted where they are when the rule selects them', () => {
    const boundPods = [
      ...replicas(2, { name: 'a', labels: web, on: 'n1' }),
      pod({ name: 'b', labels: web, on: 'n2' }),
      pod({ name: 'other', labels: { app: 'other' }, on: 'n2' }),
      pod({ name: 'elsewhere', namespace: 'elsewhere', labels: web, on: 'n2' }),
    ];
    expect(counts({ nodes, boundPods, pods: spreading(zone) })).toEqual({ z1: 2, z2: 1, z3: 0 });
  });

  test('are not counted when they are finished, on their way out, or to be placed anew', () => {
    const one = (name: string) => pod({ name, labels: web, on: 'n1' });
    const ending = one('ending');
    const boundPods: Pod[] = [
      { ...one('done'), status: { phase: 'Succeeded' } },
      { ...one('failed'), status: { phase: 'Failed' } },
      { ...ending, metadata: { ...ending.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } },
      one('stays'),
    ];
    expect(counts({ nodes, boundPods, pods: spreading(zone) })).toMatchObject({ z1: 1 });
  });

  test('are not counted on nodes without the label, nor on those that the rule does not look at', () => {
    const boundPods = replicas(2, { name: 'a', labels: web, on: 'n1' });
    const bare = [{ name: 'n1', instanceType: 'medium' }, nodes[1]!];
    const selector = { nodeSelector: { [zone]: 'z2' } };
    expect([
      counts({ nodes: bare, boundPods, pods: spreading(zone) }),
      counts({ nodes, boundPods, pods: spreading(zone, {}, selector) }),
      counts({
        nodes,
        boundPods,
        pods: spreading(zone, { nodeAffinityPolicy: 'Ignore' }, selector),
      }),
    ]).toMatchObject([{ z1: 0, z2: 0 }, { z2: 0 }, { z1: 2, z2: 0 }]);
  });

  test('are counted on tainted nodes unless taints are to be honored, and these keep pods out', () => {
    const on = (one: Taint, options: Partial<TopologySpreadConstraint> = {}) => {
      const tainted = [node({ name: 'n1', zone: 'z1', node: { spec: { taints: [one] } } })];
      const boundPods = [pod({ name: 'a', labels: web, on: 'n1' })];
      return counts({ nodes: tainted, boundPods, pods: spreading(zone, options) })['z1'];
    };
    const honor = { nodeTaintsPolicy: 'Honor' } as const;
    const avoided = taint('slow', 'true', 'PreferNoSchedule');
    expect([on(gpu), on(gpu, honor), on(avoided, honor)]).toEqual([1, 0, 1]);
  });

  test('are counted for nobody where there is no selector', () => {
    const boundPods = [pod({ name: 'a', labels: web, on: 'n1' })];
    const { labelSelector: _, ...bare } = spreadOver(zone, web);
    expect(counts({ nodes, boundPods, pods: [pod({ spread: [bare] })] })).toMatchObject({ z1: 0 });
  });

  test('are counted for each host by itself', () => {
    const boundPods = replicas(2, { name: 'a', labels: web, on: 'n1' });
    const compiled = compileProblem(problem({ nodes, boundPods, pods: spreading(hostname) }));
    const [group] = ownedBy(compiled);
    expect([0, 1].map((host) => compiled.topology.counts.onHost(group!, host))).toEqual([2, 0]);
  });

  test('are taken out again with their node when that is left out of the question', () => {
    const boundPods = [
      pod({ name: 'a', labels: web, on: 'n1', apart: [podsWith({ app: 'enemy' }, zone)] }),
      pod({ name: 'b', labels: web, on: 'n2' }),
    ];
    const compiled = compileProblem(problem({ nodes, boundPods, pods: spreading(zone) }));
    const { topology } = compiled;
    const [group] = ownedBy(compiled);
    const avoided = topology.groups.find(({ kind }) => kind === 'avoided');
    const fork = topology.counts.fork();
    topology.removeNode(0, fork);
    const seen = (from: typeof fork) => [
      [...group!.known].map((domain) => from.inDomain(group!, domain)),
      from.total(avoided!),
    ];
    expect([seen(fork), seen(topology.counts)]).toEqual([
      [[0, 1, 0], 0],
      [[1, 1, 0], 1],
    ]);
  });
});

describe('anti-affinity that is required', () => {
  const nodes = [node({ name: 'n1', zone: 'z1' })];
  const enemy = { labels: { app: 'a' }, apart: [podsWith(web, zone)], on: 'n1' };

  function keptAway(boundPods: readonly Pod[]): [string, number][] {
    const compiled = compileProblem(problem({ nodes, boundPods, pods: [pod({ labels: web })] }));
    const [shape] = compiled.pending.keys();
    return compiled.memberships
      .of(shape!)
      .keptAwayBy.map((group) => [group.key, compiled.topology.counts.total(group)]);
  }

  test('of running pods keeps those away that they speak about', () => {
    expect(keptAway([pod({ name: 'x', ...enemy }), pod({ name: 'y', ...enemy })])).toEqual([
      [zone, 2],
    ]);
  });

  test('of others is nobody else’s business', () => {
    expect(keptAway([pod({ name: 'x', ...enemy, apart: [podsWith({ app: 'b' }, zone)] })])).toEqual(
      [],
    );
  });

  test('counts only as long as the pod runs', () => {
    expect(keptAway([{ ...pod({ name: 'x', ...enemy }), status: { phase: 'Succeeded' } }])).toEqual(
      [],
    );
  });

  test('that is only wished for keeps nobody away', () => {
    const { metadata, spec } = pod({ name: 'x', labels: { app: 'a' }, on: 'n1' });
    const term = { weight: 100, podAffinityTerm: podsWith(web, zone) };
    const podAntiAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [term] };
    expect(keptAway([{ metadata, spec: { ...spec, affinity: { podAntiAffinity } } }])).toEqual([]);
  });
});

describe('a rule', () => {
  test('that pods share is one group, whatever else they ask for', () => {
    const { topology } = compileProblem(
      problem({
        pods: [
          ...spreading(zone, {}, { name: 'a', cpu: '1' }),
          ...spreading(zone, {}, { name: 'b', cpu: '2' }),
        ],
      }),
    );
    expect(topology.groups).toHaveLength(1);
  });

  test.each<[string, Partial<TopologySpreadConstraint>, PodOptions]>([
    ['in skew', { maxSkew: 2 }, {}],
    ['in the number of domains', { minDomains: 2 }, {}],
    ['in the nodes they look at', {}, { nodeSelector: { [zone]: 'z1' } }],
    ['in the taints they honor', { nodeTaintsPolicy: 'Honor' }, {}],
    ['in whom they select', { labelSelector: { matchLabels: { app: 'x' } } }, {}],
  ])('that differs %s is another group', (_, options, more) => {
    const { topology } = compileProblem(
      problem({
        pods: [
          ...spreading(zone, {}, { name: 'a' }),
          ...spreading(zone, options, { name: 'b', ...more }),
        ],
      }),
    );
    expect(topology.groups).toHaveLength(2);
  });

  test('of a pod that comes later is counted when it comes', () => {
    const compiled = compileProblem(
      problem({
        nodes: [node({ name: 'n1', zone: 'z1' })],
        boundPods: [pod({ name: 'x', labels: web, on: 'n1' })],
      }),
    );
    const [group] = compiled.shapes.shapeOf(spreading(zone)[0]!).variants[0]!.owned;
    expect(compiled.topology.counts.total(group!)).toBe(1);
  });
});
