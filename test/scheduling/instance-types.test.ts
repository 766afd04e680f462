// Which machines new nodes become: the cheapest that do, with the variety that a pool asks for.
import { describe, expect, test } from 'vitest';
import {
  above,
  arch,
  below,
  capacityType,
  cores,
  exists,
  instanceType,
  is,
  isAbsent,
  isNot,
  nodePool,
  type NodePoolOptions,
  offering,
  pod,
  type PodOptions,
  problem,
  replicas,
  zone,
} from '../support/scheduling/builders.ts';
import { nowhere, places, planOf, shares } from '../support/scheduling/places.ts';
import type { InstanceTypeJson, RequirementJson } from '../support/scheduling/problem-json.ts';
import { solveProblem } from '../support/scheduling/solve-problem.ts';

const typeKey = 'node.kubernetes.io/instance-type';
const osKey = 'kubernetes.io/os';

/** Prices differ by arch, system, zone and way of buying, so that every demand has a cheapest of its own. */
const assorted: readonly InstanceTypeJson[] = ['amd64', 'arm64'].flatMap((architecture, a) =>
  ['linux', 'windows'].flatMap((system, s) =>
    [2, 8].map((cpu, c) => {
      const type = instanceType({
        name: `${architecture}-${system}-${cpu}`,
        arch: architecture,
        cpu: String(cpu),
        offerings: ['z1', 'z2'].flatMap((name, z) =>
          ['spot', 'on-demand'].map((way, w) => ({
            ...offering({ zone: name }),
            capacityType: way,
            price: (10 - 3 * a + 5 * s + 8 * c - z + 20 * w) / 100,
          })),
        ),
      });
      const others = type.requirements!.filter(({ key }) => key !== osKey);
      return { ...type, requirements: [...others, is(osKey, system)] };
    }),
  ),
);

function cheapest(pool: readonly RequirementJson[], options: PodOptions): unknown {
  const plan = planOf({
    nodePools: [nodePool({ requirements: pool })],
    instanceTypes: assorted,
    pods: [pod(options)],
  });
  const { instanceType: name, capacityType: way, zones } = plan.newNodeClaims[0]?.launch ?? {};
  return [name, way, zones];
}

describe('the cheapest machine is taken', () => {
  test.each<[string, readonly RequirementJson[], PodOptions, unknown]>([
    ['of all', [], {}, ['arm64-linux-2', 'spot', ['z2']]],
    ['of an arch of the pool', [is(arch, 'amd64')], {}, ['amd64-linux-2', 'spot', ['z2']]],
    [
      'of an arch of the pod',
      [],
      { nodeSelector: { [arch]: 'amd64' } },
      ['amd64-linux-2', 'spot', ['z2']],
    ],
    ['of a system of the pool', [is(osKey, 'windows')], {}, ['arm64-windows-2', 'spot', ['z2']]],
    [
      'of a system of the pod',
      [],
      { nodeSelector: { [osKey]: 'windows' } },
      ['arm64-windows-2', 'spot', ['z2']],
    ],
    ['of a zone of the pool', [is(zone, 'z1')], {}, ['arm64-linux-2', 'spot', ['z1']]],
    [
      'of a zone of the pod',
      [],
      { nodeSelector: { [zone]: 'z1' } },
      ['arm64-linux-2', 'spot', ['z1']],
    ],
    [
      'of a way of buying of the pool',
      [is(capacityType, 'on-demand')],
      {},
      ['arm64-linux-2', 'on-demand', ['z2']],
    ],
    [
      'of a way of buying of the pod',
      [],
      { nodeSelector: { [capacityType]: 'on-demand' } },
      ['arm64-linux-2', 'on-demand', ['z2']],
    ],
    [
      'of what pool and pod leave together',
      [is(capacityType, 'on-demand'), is(arch, 'amd64')],
      { nodeSelector: { [zone]: 'z1', [osKey]: 'windows' } },
      ['amd64-windows-2', 'on-demand', ['z1']],
    ],
    ['that is large enough', [], { cpu: '5' }, ['arm64-linux-8', 'spot', ['z2']]],
    [
      'of types that the pod does not exclude',
      [],
      { required: [[isNot(typeKey, 'arm64-linux-2')]] },
      ['amd64-linux-2', 'spot', ['z2']],
    ],
  ])('%s', (_, pool, options, expected) => {
    expect(cheapest(pool, options)).toEqual(expected);
  });

  test('on demand where spot costs more elsewhere', () => {
    const type = instanceType({
      offerings: [
        { ...offering({ zone: 'z1' }), price: 0.1 },
        { ...offering({ zone: 'z2' }), capacityType: 'spot', price: 0.2 },
      ],
    });
    const { launch } = planOf({ instanceTypes: [type], pods: [pod()] }).newNodeClaims[0]!;
    expect(launch).toMatchObject({ capacityType: 'on-demand', zones: ['z1'] });
  });
});

describe('no machine is taken', () => {
  test.each<[string, NodePoolOptions, PodOptions]>([
    ['when no type has the arch', { requirements: [is(arch, 's390x')] }, {}],
    [
      'when arch and type contradict',
      { requirements: [is(arch, 'arm64'), is(typeKey, 'amd64-linux-2')] },
      {},
    ],
    ['when no type is in the zone', { requirements: [is(zone, 'z9')] }, {}],
    ['when no type has the name', {}, { nodeSelector: { [typeKey]: 'unknown' } }],
    [
      'when none has all that is asked for',
      { requirements: [is(arch, 'amd64')] },
      { nodeSelector: { [arch]: 'arm64' } },
    ],
    ['when all are too small', {}, { cpu: '9' }],
    ['when no machine has both resources', {}, { cpu: '8', requests: { 'example.com/fpga': '1' } }],
  ])('%s', (_, pool, options) => {
    const fpga = instanceType({ name: 'fpga', cpu: '2', capacity: { 'example.com/fpga': '1' } });
    const parts = { nodePools: [nodePool(pool)], instanceTypes: [...assorted, fpga] };
    const pods = [pod({ name: 'a', ...options }), pod({ name: 'b', cpu: '1m', ...options })];
    expect(places({ ...parts, pods: pods.slice(0, 1) })).toEqual({ a: nowhere });
  });

  test('when the offering that is asked for cannot be had', () => {
    const type = instanceType({
      offerings: [offering({ zone: 'z1' }), offering({ zone: 'z2', available: false })],
    });
    const pods = [pod({ name: 'p', nodeSelector: { [zone]: 'z2' } })];
    expect(places({ instanceTypes: [type], pods })).toEqual({ p: nowhere });
  });
});

describe('pods', () => {
  test('that need different machines get their own', () => {
    const pods = [
      pod({ name: 'arm', nodeSelector: { [arch]: 'arm64' } }),
      pod({ name: 'amd', nodeSelector: { [arch]: 'amd64' } }),
      pod({ name: 'windows', nodeSelector: { [osKey]: 'windows', [arch]: 'amd64' } }),
      pod({ name: 'named', nodeSelector: { [typeKey]: 'amd64-linux-8' } }),
    ];
    expect(places({ instanceTypes: assorted, pods })).toMatchObject({
      arm: 'arm64-linux-2',
      windows: 'amd64-windows-2',
      named: 'amd64-linux-8',
    });
  });

  test('whose resources are on different machines get both', () => {
    const instanceTypes = [
      instanceType({ name: 'a', capacity: { 'example.com/a': '1' } }),
      instanceType({ name: 'b', capacity: { 'example.com/b': '1' } }),
    ];
    const pods = [
      pod({ name: 'a', requests: { 'example.com/a': '1' } }),
      pod({ name: 'b', requests: { 'example.com/b': '1' } }),
      pod({ name: 'both', requests: { 'example.com/a': '1', 'example.com/b': '1' } }),
    ];
    expect(places({ instanceTypes, pods })).toEqual({ a: 'a', b: 'b', both: nowhere });
  });

  test('with labels of the provider get types that have them, or have not', () => {
    const parts = {
      wellKnownLabels: ['special'],
      instanceTypes: [
        instanceType({ name: 'plain', requirements: [isAbsent('special')], price: 0.1 }),
        instanceType({ name: 'special', requirements: [is('special', 'optional')], price: 0.05 }),
      ],
    };
    const of = (options: PodOptions) =>
      places({ ...parts, pods: [pod({ name: 'p', ...options })] })['p'];
    expect([
      of({}),
      of({ nodeSelector: { special: 'optional' } }),
      of({ nodeSelector: { special: 'other' } }),
      of({ required: [[isAbsent('special')]] }),
    ]).toEqual(['special', 'special', nowhere, 'plain']);
  });
});

describe('packing by size', () => {
  const small = instanceType({ name: 'small', cpu: '2', memory: '4Gi', price: 0.1 });
  const large = instanceType({ name: 'large', cpu: '16', memory: '64Gi', price: 1 });
  const instanceTypes = [small, large];

  test.each<[string, PodOptions, string]>([
    ['a small pod gets the smallest machine', {}, 'small'],
    ['a pod that asks for nothing does too', { cpu: '0', memory: '0' }, 'small'],
    ['a large pod gets a large one', { cpu: '3' }, 'large'],
    ['a pod of much memory does too', { memory: '5Gi' }, 'large'],
    [
      'a large init container counts',
      { initContainers: [{ name: 'i', resources: { requests: { cpu: '3' } } }] },
      'large',
    ],
    [
      'a small init container does not',
      { initContainers: [{ name: 'i', resources: { requests: { cpu: '1' } } }] },
      'small',
    ],
    ['overhead counts', { cpu: '1', overhead: { cpu: '1500m' } }, 'large'],
    ['a pod that is too large goes nowhere', { cpu: '17' }, nowhere],
    [
      'an init container that is too large keeps its pod waiting',
      { initContainers: [{ name: 'i', resources: { requests: { cpu: '17' } } }] },
      nowhere,
    ],
    [
      'a request for none of a resource is none',
      { requests: { 'example.com/none': '0' } },
      'small',
    ],
    [
      'a request for a resource that nobody has is not',
      { requests: { 'example.com/none': '1' } },
      nowhere,
    ],
  ])('%s', (_, options, expected) => {
    expect(places({ instanceTypes, pods: [pod({ name: 'p', ...options })] })).toEqual({
      p: expected,
    });
  });

  test('small pods share a machine up to its last core, then get another', () => {
    const pods = replicas(5, { name: 'p', cpu: '1' });
    expect(
      shares({ instanceTypes: [small], pods })
        .map((names) => names.length)
        .toSorted((a, b) => a - b),
    ).toEqual([1, 2, 2]);
  });

  test('a machine takes as many pods as it may have', () => {
    const few = instanceType({ name: 'few', pods: '2' });
    const pods = replicas(5, { name: 'p' });
    expect(
      shares({ instanceTypes: [few], pods })
        .map((names) => names.length)
        .toSorted((a, b) => a - b),
    ).toEqual([1, 2, 2]);
  });

  test('pods that need GPUs get as many machines as GPUs ask for', () => {
    const gpu = instanceType({ name: 'gpu', capacity: { 'nvidia.com/gpu': '2' } });
    const pods = replicas(3, { name: 'p', requests: { 'nvidia.com/gpu': '1' } });
    expect(shares({ instanceTypes: [small, gpu], pods }).length).toBe(2);
  });
});

describe('variety', () => {
  const types = [1, 2, 3, 4].map((n) =>
    instanceType({
      name: `t${n}`,
      cpu: String(2 * n),
      price: n / 10,
      zones: n === 4 ? ['z1', 'z2'] : ['z1'],
    }),
  );

  function listed(
    requirements: readonly RequirementJson[],
    options: PodOptions = {},
    policy: 'Strict' | 'BestEffort' = 'Strict',
  ): readonly string[] {
    const plan = planOf(
      { nodePools: [nodePool({ requirements })], instanceTypes: types, pods: [pod(options)] },
      { minValuesPolicy: policy },
    );
    return plan.newNodeClaims[0]?.instanceTypes ?? [nowhere];
  }

  test.each<[string, readonly RequirementJson[], PodOptions, readonly string[]]>([
    [
      'is met by types that fit',
      [{ ...exists(typeKey), minValues: 3 }],
      {},
      ['t1', 't2', 't3', 't4'],
    ],
    ['is met exactly', [{ ...exists(typeKey), minValues: 2 }], { cpu: '5' }, ['t3', 't4']],
    ['is not met by fewer', [{ ...exists(typeKey), minValues: 3 }], { cpu: '5' }, [nowhere]],
    [
      'is met by those above a number',
      [{ ...above(cores, 3), minValues: 3 }],
      {},
      ['t2', 't3', 't4'],
    ],
    ['is not met by too few above a number', [{ ...above(cores, 5), minValues: 3 }], {}, [nowhere]],
    [
      'is met by those below a number',
      [{ ...below(cores, 7), minValues: 3 }],
      {},
      ['t1', 't2', 't3'],
    ],
    [
      'is the larger of two that are asked for',
      [
        { ...is(typeKey, 't1', 't2', 't3'), minValues: 1 },
        { ...isNot(typeKey, 't3'), minValues: 3 },
      ],
      {},
      [nowhere],
    ],
    [
      'is asked for of several labels',
      [
        { ...exists(typeKey), minValues: 2 },
        { ...exists(cores), minValues: 4 },
      ],
      {},
      ['t1', 't2', 't3', 't4'],
    ],
    [
      'of zones is that of the types',
      [{ ...exists(zone), minValues: 2 }],
      {},
      ['t1', 't2', 't3', 't4'],
    ],
    [
      'of zones is not met by types of one zone',
      [{ ...exists(zone), minValues: 3 }],
      {},
      [nowhere],
    ],
  ])('%s', (_, requirements, options, expected) => {
    expect(listed(requirements, options)).toEqual(expected);
  });

  test.each<[string, readonly RequirementJson[], readonly string[]]>([
    ['of types', [{ ...exists(typeKey), minValues: 9 }], ['t1', 't2', 't3', 't4']],
    ['of zones', [{ ...exists(zone), minValues: 3 }], ['t1', 't2', 't3', 't4']],
    [
      'of both',
      [
        { ...exists(typeKey), minValues: 9 },
        { ...exists(zone), minValues: 3 },
      ],
      ['t1', 't2', 't3', 't4'],
    ],
  ])('%s gives way where it is only a wish', (_, requirements, expected) => {
    expect(listed(requirements, {}, 'BestEffort')).toEqual(expected);
  });

  test('gives way before a lighter pool is tried', () => {
    const nodePools = [
      nodePool({ name: 'heavy', weight: 9, requirements: [{ ...exists(typeKey), minValues: 9 }] }),
      nodePool({ name: 'light' }),
    ];
    const of = (minValuesPolicy: 'Strict' | 'BestEffort') =>
      planOf({ nodePools, instanceTypes: types, pods: [pod()] }, { minValuesPolicy })
        .newNodeClaims[0]?.nodePool;
    expect([of('Strict'), of('BestEffort')]).toEqual(['light', 'heavy']);
  });

  test('that is lost because the list of types is cut short keeps the pod waiting', () => {
    const requirements = [{ ...exists(typeKey), minValues: 3 }];
    const { document } = solveProblem(
      problem({ nodePools: [nodePool({ requirements })], instanceTypes: types, pods: [pod()] }),
      { maxInstanceTypes: 2 },
    );
    expect(Object.keys(document.podErrors)).toEqual(['default/pod']);
  });
});
