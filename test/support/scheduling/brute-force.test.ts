import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryProblem } from './arbitrary-problem.ts';
import { bestPlan } from './brute-force.ts';
import {
  capacityType,
  exists,
  hostname,
  instanceType,
  is,
  isNot,
  node,
  nodePool,
  pod,
  podsWith,
  problem,
  replicas,
  spreadOver,
  zone,
} from './builders.ts';
import type { ProblemJson } from './problem-json.ts';
import { verifyPlan } from './verify-plan.ts';

const web = { app: 'web' };
const small = instanceType({ name: 'small', cpu: '2', price: 0.1 });
const large = instanceType({ name: 'large', cpu: '8', price: 0.3 });

const answers: readonly (readonly [string, ProblemJson, { placed: number; price: number }])[] = [
  [
    'uses a node that exists for nothing',
    problem({ nodes: [node()], pods: [pod()] }),
    { placed: 1, price: 0 },
  ],
  [
    'takes one large node where it costs less than several small ones',
    problem({ instanceTypes: [small, large], pods: replicas(4, { name: 'p', cpu: '2' }) }),
    { placed: 4, price: 0.3 },
  ],
  [
    'takes small nodes where they cost less',
    problem({ instanceTypes: [small, large], pods: replicas(2, { name: 'p', cpu: '2' }) }),
    { placed: 2, price: 0.2 },
  ],
  [
    'leaves out what no node can hold',
    problem({ instanceTypes: [small], pods: [pod({ name: 'a' }), pod({ name: 'b', cpu: '3' })] }),
    { placed: 1, price: 0.1 },
  ],
  [
    'gives pods that avoid each other nodes of their own',
    problem({
      instanceTypes: [small],
      pods: replicas(3, { name: 'p', labels: web, apart: [podsWith(web, hostname)] }),
    }),
    { placed: 3, price: 0.3 },
  ],
  [
    'finds the zones that pods which avoid each other can share out',
    problem({
      instanceTypes: [small],
      pods: replicas(4, { name: 'p', labels: web, apart: [podsWith(web, zone)] }),
    }),
    { placed: 3, price: 0.3 },
  ],
  [
    'spreads',
    problem({
      instanceTypes: [small],
      pods: replicas(3, { name: 'p', labels: web, spread: [spreadOver(zone, web)] }),
    }),
    { placed: 3, price: 0.3 },
  ],
  [
    'keeps within limits',
    problem({
      nodePools: [nodePool({ limits: { cpu: '4' } })],
      instanceTypes: [small],
      pods: replicas(3, { name: 'p', cpu: '2' }),
    }),
    { placed: 2, price: 0.2 },
  ],
  [
    'lists several types where the pool wants variety',
    problem({
      nodePools: [
        nodePool({
          requirements: [{ ...exists('node.kubernetes.io/instance-type'), minValues: 2 }],
        }),
      ],
      instanceTypes: [small, large],
      pods: [pod({ name: 'both' }), pod({ name: 'one', cpu: '4' })],
    }),
    { placed: 1, price: 0.1 },
  ],
  [
    'pays for the capacity type that is asked for',
    problem({
      instanceTypes: [
        instanceType({ name: 'small', cpu: '2', price: 0.3, capacityTypes: ['spot', 'on-demand'] }),
      ],
      pods: [
        pod({ name: 'a', cpu: '2', nodeSelector: { [capacityType]: 'on-demand' } }),
        pod({ name: 'b', cpu: '2' }),
      ],
    }),
    { placed: 2, price: 0.4 },
  ],
  [
    'lets a pod bring a label that another needs',
    problem({
      instanceTypes: [small],
      pods: [
        pod({ name: 'a', required: [[isNot('team', 'red')]] }),
        pod({ name: 'b', nodeSelector: { team: 'blue' } }),
      ],
    }),
    { placed: 2, price: 0.1 },
  ],
  [
    'gives no label that nobody brings',
    problem({ instanceTypes: [small], pods: [pod({ required: [[is('team', 'blue')]] })] }),
    { placed: 0, price: 0 },
  ],
];

describe('brute force', () => {
  test.each(answers)('%s', (_, input, expected) => {
    const { placed, price } = bestPlan(input);
    expect({ placed, price: Math.round(price * 1e6) / 1e6 }).toEqual(expected);
  });

  test('makes plans that keep the rules', () => {
    fc.assert(
      fc.property(arbitraryProblem(), (input) => {
        const { plan, placed, price } = bestPlan(input);
        expect(verifyPlan(input, plan)).toEqual([]);
        expect(input.pods.length - Object.keys(plan.podErrors).length).toBe(placed);
        expect(plan.totalPrice).toBeCloseTo(price);
      }),
      { numRuns: 60 },
    );
  });

  test('never places fewer pods when there is one more node', () => {
    fc.assert(
      fc.property(arbitraryProblem({ pods: 3, types: 2, nodes: 1, pools: 2 }), (input) => {
        const [type] = input.instanceTypes;
        // A host without zone takes part in no spread, so it can only help.
        const spare = { name: 'spare', instanceType: type!.name };
        const hasSpread = input.pods.some(
          ({ spec }) => spec.topologySpreadConstraints !== undefined,
        );
        fc.pre(!hasSpread);
        const more = { ...input, nodes: [...(input.nodes ?? []), spare] };
        expect(bestPlan(more).placed).toBeGreaterThanOrEqual(bestPlan(input).placed);
      }),
      { numRuns: 40 },
    );
  });
});
