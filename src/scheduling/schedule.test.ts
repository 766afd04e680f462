// What the solver does with objects that a file cannot hold, and what it says about its own work.
import { describe, expect, test } from 'vitest';
import { instanceType, pod, problem } from '../../test/support/scheduling/builders.ts';
import { schedulingProblem } from '../../test/support/scheduling/solve-problem.ts';
import { createInstanceType, noOverhead } from '../model/instance-type.ts';
import { createOffering } from '../model/offering.ts';
import { podKey } from '../model/pod.ts';
import { fromResourceList } from '../model/resources.ts';
import { schedule, solve } from './schedule.ts';
import { defaultOptions, type SchedulingProblem } from './scheduling-problem.ts';

const gpu = 'nvidia.com/gpu';
const amounts = (list: Record<string, string>) => fromResourceList(list);

/** A pool of these types, and one pod that asks for a GPU. */
function withOffering(available: boolean): SchedulingProblem {
  const asking = problem({
    instanceTypes: [instanceType({ name: 'plain', price: 0.01 })],
    pods: [pod({ requests: { [gpu]: '1' } })],
  });
  const read = schedulingProblem(asking);
  const [entry] = read.pools;
  const overriding = createInstanceType({
    name: 'overriding',
    requirements: new Map(),
    capacity: amounts({ cpu: '4', memory: '16Gi', pods: '10' }),
    overhead: noOverhead,
    offerings: [
      createOffering({ zone: 'z1', capacityType: 'on-demand', price: 0.2, available: true }),
      createOffering({
        zone: 'z2',
        capacityType: 'on-demand',
        price: 0.5,
        available,
        capacityOverride: amounts({ [gpu]: '1' }),
      }),
    ],
  });
  return { ...read, pools: [{ ...entry!, instanceTypes: [...entry!.instanceTypes, overriding] }] };
}

describe('an offering with amounts of its own', () => {
  test('is taken for pods that need them, at its price', () => {
    const { claims } = schedule(withOffering(true), defaultOptions);
    expect(claims.map(({ launch, instanceTypes }) => [launch, instanceTypes.length])).toEqual([
      [{ instanceType: 'overriding', capacityType: 'on-demand', zones: ['z2'], price: 0.5 }, 1],
    ]);
  });

  test('keeps them waiting when it cannot be had', () => {
    const { claims, failures } = schedule(withOffering(false), defaultOptions);
    expect([claims.length, failures.size]).toEqual([0, 1]);
  });
});

describe('devices', () => {
  const asking = () => {
    const { metadata, spec } = pod();
    const resourceClaims = [{ name: 'gpu', resourceClaimName: 'gpu' }];
    return schedulingProblem(problem({ pods: [{ metadata, spec: { ...spec, resourceClaims } }] }));
  };

  test('are not handed out: pods that claim them fail', () => {
    expect([...schedule(asking(), defaultOptions).failures.values()]).toEqual([
      'pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter',
    ]);
  });

  test('are somebody else’s business when told so', () => {
    const plan = schedule(asking(), { ...defaultOptions, ignoreDeviceRequests: false });
    expect(plan.claims).toHaveLength(1);
  });
});

test('says what it did not place, and has a claim for each of the plan', () => {
  const input = schedulingProblem(
    problem({ pods: [pod({ name: 'fits' }), pod({ name: 'large', cpu: '9' })] }),
  );
  const { plan, claims, unplaced } = solve(input, defaultOptions);
  expect({
    claims: [plan.claims.length, claims.length],
    unplaced: [...unplaced].map(([shape, count]) => [podKey(shape.example), count]),
    failed: [...plan.failures.keys()].map(podKey),
  }).toEqual({
    claims: [1, 1],
    unplaced: [['default/large', 1]],
    failed: ['default/large'],
  });
});

test('nothing handed in is changed', () => {
  const input = schedulingProblem(problem({ pods: [pod({ name: 'a' }), pod({ name: 'b' })] }));
  const before = structuredClone([input.pods, input.nodes]);
  schedule(input, defaultOptions);
  expect([input.pods, input.nodes]).toEqual(before);
});

test('a problem without anything has an empty plan', () => {
  const plan = schedule(
    schedulingProblem({ nodePools: [], instanceTypes: [], pods: [] }),
    defaultOptions,
  );
  expect(plan).toMatchObject({
    claims: [],
    nodes: [],
    totalPrice: 0,
    stopped: false,
    unreached: [],
  });
});
