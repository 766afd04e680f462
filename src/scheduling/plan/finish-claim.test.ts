// What a new node is asked for as: its types in order, its launch, its requirements and requests.
import { describe, expect, test } from 'vitest';
import {
  arch,
  capacityType,
  daemonSet,
  exists,
  instanceType,
  is,
  isNot,
  nodePool,
  offering,
  pod,
  problem,
  replicas,
  spreadOver,
  zone,
} from '../../../test/support/scheduling/builders.ts';
import type { ProblemJson } from '../../../test/support/scheduling/problem-json.ts';
import { solveProblem } from '../../../test/support/scheduling/solve-problem.ts';
import type { SchedulingOptions } from '../scheduling-problem.ts';

function claimOf(parts: Partial<ProblemJson>, options: Partial<SchedulingOptions> = {}) {
  const { document, plan } = solveProblem(problem({ pods: [pod()], ...parts }), options);
  return {
    ...document.newNodeClaims[0]!,
    isLowered: (plan.claims[0]?.unmetMinValues.size ?? 0) > 0,
  };
}

const small = instanceType({ name: 'small', cpu: '2', price: 0.1 });
const medium = instanceType({ name: 'medium', price: 0.2 });
const large = instanceType({ name: 'large', cpu: '8', price: 0.4 });

describe('instance types of a claim', () => {
  test('are all that hold its pods, cheapest first', () => {
    const { instanceTypes } = claimOf({
      instanceTypes: [large, medium, small],
      pods: [pod({ cpu: '3' })],
    });
    expect(instanceTypes).toEqual(['medium', 'large']);
  });

  test('are ordered by the cheapest offering that the claim accepts', () => {
    const onSpot = instanceType({
      name: 'spot',
      offerings: [offering({ price: 0.9 }), offering({ price: 0.03, capacityType: 'spot' })],
    });
    const types = [small, onSpot];
    const of = (type: string) =>
      claimOf({ instanceTypes: types, pods: [pod({ nodeSelector: { [capacityType]: type } })] });
    expect([
      of('on-demand').instanceTypes,
      of('spot').instanceTypes,
      claimOf({ instanceTypes: types }).instanceTypes,
    ]).toEqual([['small', 'spot'], ['spot'], ['spot', 'small']]);
  });

  test('of one price are ordered by name', () => {
    const types = ['b', 'c', 'a'].map((name) => instanceType({ name }));
    expect(claimOf({ instanceTypes: types }).instanceTypes).toEqual(['a', 'b', 'c']);
  });

  test('are no more than are asked for, the cheapest', () => {
    const { instanceTypes } = claimOf(
      { instanceTypes: [large, medium, small] },
      { maxInstanceTypes: 2 },
    );
    expect(instanceTypes).toEqual(['small', 'medium']);
  });
});

describe('the launch of a claim', () => {
  test('is the cheapest offering, in all zones that cost the same', () => {
    const type = instanceType({
      offerings: [
        offering({ zone: 'z1', price: 0.2 }),
        offering({ zone: 'z3', price: 0.1 }),
        offering({ zone: 'z2', price: 0.1 }),
      ],
    });
    expect(claimOf({ instanceTypes: [type] }).launch).toEqual({
      instanceType: 'medium',
      capacityType: 'on-demand',
      zones: ['z2', 'z3'],
      price: 0.1,
    });
  });

  test('takes spot of two that cost the same, then the first by name', () => {
    const onDemand = instanceType({ name: 'a', offerings: [offering({ price: 0.1 })] });
    const spot = ['c', 'b'].map((name) =>
      instanceType({ name, offerings: [{ ...offering(), capacityType: 'spot', price: 0.1 }] }),
    );
    expect(claimOf({ instanceTypes: [onDemand, ...spot] }).launch).toMatchObject({
      instanceType: 'b',
      capacityType: 'spot',
    });
  });

  test('takes no offering that cannot be had', () => {
    const type = instanceType({
      offerings: [
        offering({ zone: 'z1', price: 0.1, available: false }),
        offering({ zone: 'z2', price: 0.3 }),
      ],
    });
    expect(claimOf({ instanceTypes: [type] }).launch).toMatchObject({ zones: ['z2'], price: 0.3 });
  });

  test('prefers what is on demand where that costs less', () => {
    const type = instanceType({
      offerings: [
        { ...offering(), price: 0.1 },
        { ...offering({ zone: 'z2' }), capacityType: 'spot', price: 0.15 },
      ],
    });
    expect(claimOf({ instanceTypes: [type] }).launch).toMatchObject({
      capacityType: 'on-demand',
      price: 0.1,
    });
  });
});

describe('requirements of a claim', () => {
  test('are those of the pool and of its pods, without what is the solver’s own', () => {
    const { requirements } = claimOf({
      nodePools: [nodePool({ labels: { team: 'red' }, requirements: [is('tier', 'a', 'b')] })],
      pods: [pod({ required: [[is('tier', 'b'), isNot(zone, 'z1'), is(arch, 'amd64')]] })],
    });
    expect(
      Object.fromEntries(requirements.map((entry) => [entry.key, [entry.operator, entry.values]])),
    ).toEqual({
      'karpenter.azure.com/aksnodeclass': ['In', ['default']],
      'karpenter.sh/nodepool': ['In', ['default']],
      'karpenter.sh/capacity-type': ['In', ['on-demand']],
      'kubernetes.io/arch': ['In', ['amd64']],
      team: ['In', ['red']],
      tier: ['In', ['b']],
      [zone]: ['NotIn', ['z1']],
    });
  });

  test('name the ways of buying that can really be had', () => {
    const types = [
      instanceType({ name: 'a', capacityTypes: ['spot', 'on-demand'], cpu: '2' }),
      instanceType({ name: 'b', capacityTypes: ['on-demand'], cpu: '8' }),
    ];
    const ways = (cpu: string) =>
      claimOf({ instanceTypes: types, pods: [pod({ cpu })] }).requirements.find(
        ({ key }) => key === capacityType,
      )?.values;
    expect([ways('1'), ways('4')]).toEqual([['on-demand', 'spot'], ['on-demand']]);
  });

  test('name the zone that a spread settled', () => {
    const pods = [pod({ labels: { app: 'a' }, spread: [spreadOver(zone, { app: 'a' })] })];
    const { requirements } = claimOf({ pods });
    expect(requirements).toContainEqual(is(zone, 'z1'));
  });
});

describe('requests of a claim', () => {
  test('are those of its pods and of the DaemonSets, which are added once', () => {
    const { requests } = claimOf({
      pods: replicas(3, { name: 'p', cpu: '500m', memory: '1Gi' }),
      daemonSets: [
        daemonSet({ name: 'a', cpu: '100m', memory: '128Mi' }),
        daemonSet({ name: 'b', cpu: '50m', memory: '64Mi' }),
      ],
    });
    expect(requests).toEqual({ cpu: '1650m', memory: '3264Mi', pods: '5' });
  });

  test('are those of the pods alone where no DaemonSet runs', () => {
    expect(claimOf({}).requests).toEqual({ cpu: '100m', memory: '128Mi', pods: '1' });
  });

  test('have of DaemonSets only what all types would have of them', () => {
    const amd = instanceType({ name: 'amd', price: 0.2 });
    const arm = instanceType({ name: 'arm', arch: 'arm64', price: 0.1 });
    const daemonSets = [
      daemonSet({ name: 'arm-only', cpu: '1', nodeSelector: { [arch]: 'arm64' } }),
    ];
    const all = daemonSet({ name: 'all', cpu: '200m', memory: '128Mi' });
    const cpu = (...sets: (typeof daemonSets)[number][]) =>
      claimOf({ instanceTypes: [amd, arm], daemonSets: sets }).requests['cpu'];
    expect([cpu(...daemonSets), cpu(...daemonSets, all)]).toEqual(['100m', '300m']);
  });
});

describe('variety of a claim', () => {
  const varied = nodePool({
    requirements: [{ ...exists('node.kubernetes.io/instance-type'), minValues: 3 }],
  });
  const instanceTypes = [small, medium, large];

  test('is what the pool asks for, or the pod goes nowhere', () => {
    const pods = [pod({ name: 'any' }), pod({ name: 'large', cpu: '3' })];
    const { document } = solveProblem(problem({ nodePools: [varied], instanceTypes, pods }));
    expect(Object.keys(document.podErrors)).toEqual(['default/large']);
  });

  test('is less where it is only a wish, and the claim says so', () => {
    const parts = { nodePools: [varied], instanceTypes };
    const best = { minValuesPolicy: 'BestEffort' } as const;
    expect([
      claimOf({ ...parts, pods: [pod()] }, best).isLowered,
      claimOf({ ...parts, pods: [pod({ cpu: '3' })] }, best).isLowered,
    ]).toEqual([false, true]);
  });

  test('that was lowered is written with the number there is', () => {
    const requirements = [{ ...exists('karpenter.azure.com/sku-cpu'), minValues: 3 }];
    const parts = { nodePools: [nodePool({ requirements })], instanceTypes };
    const written = claimOf(
      { ...parts, pods: [pod({ cpu: '3' })] },
      { minValuesPolicy: 'BestEffort' },
    );
    expect(written.requirements).toContainEqual({ ...requirements[0], minValues: 2 });
  });

  test('is not given up by a pod that can have a node of its own', () => {
    const pods = [...replicas(2, { name: 'small', cpu: '1' }), pod({ name: 'more', cpu: '1' })];
    const { document } = solveProblem(problem({ nodePools: [varied], instanceTypes, pods }), {
      minValuesPolicy: 'BestEffort',
    });
    expect(document.newNodeClaims.map((claim) => claim.instanceTypes.length)).toEqual([3, 3]);
  });
});
