// The lower bound against plans: the best there is for tiny problems, the original's and ours for larger ones.
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadLinearSolver } from '../../src/cli/linear-solver.ts';
import { podKey } from '../../src/model/pod.ts';
import { boundProgram } from '../../src/scheduling/bound/bound-program.ts';
import { type LinearSolver, lowerBound } from '../../src/scheduling/bound/linear-program.ts';
import { planBound } from '../../src/scheduling/bound/plan-bound.ts';
import { compile } from '../../src/scheduling/compile/compile.ts';
import type { PodShape } from '../../src/scheduling/compile/pod-shape.ts';
import { defaultOptions, type SchedulingOptions } from '../../src/scheduling/scheduling-problem.ts';
import { arbitraryProblem } from '../support/scheduling/arbitrary-problem.ts';
import { bestPlan } from '../support/scheduling/brute-force.ts';
import {
  capacityType,
  daemonSet,
  hostname,
  instanceType,
  node,
  nodePool,
  offering,
  pod,
  podsWith,
  problem,
  replicas,
} from '../support/scheduling/builders.ts';
import type { PlanJson, ProblemJson } from '../support/scheduling/problem-json.ts';
import { problemFrom, solveJson } from '../support/scheduling/solve-json.ts';
import { readVectors } from '../support/scheduling/vectors.ts';

let solver: LinearSolver;
beforeAll(async () => {
  solver = await loadLinearSolver();
});

/** For the pods that are not in `left`. */
function boundOf(
  json: ProblemJson,
  left: PlanJson['podErrors'] = {},
  choices: Partial<SchedulingOptions> = {},
): number | undefined {
  const problem = problemFrom(json);
  const compiled = compile(problem, { ...defaultOptions, ...choices });
  const placed = new Map<PodShape, number>();
  for (const pod of problem.pods.filter((pod) => !(podKey(pod) in left))) {
    const shape = compiled.shapes.shapeOf(pod);
    placed.set(shape, (placed.get(shape) ?? 0) + 1);
  }
  return lowerBound(boundProgram(compiled, placed), solver);
}

const small = instanceType({ name: 'small', cpu: '2', price: 0.1 });
const large = instanceType({ name: 'large', cpu: '8', price: 0.3 });
const web = { app: 'web' };

const answers: readonly (readonly [string, Partial<ProblemJson>, number])[] = [
  ['nothing costs nothing', { pods: [] }, 0],
  ['a node that exists is free', { nodes: [node({ instanceType: 'large' })], pods: [pod()] }, 0],
  ['machines may be bought in parts', { pods: replicas(3, { name: 'p', cpu: '2' }) }, 0.225],
  ['a pod that fills a machine needs a whole one', { pods: [pod({ cpu: '5' })] }, 0.3],
  [
    'of pods above half a machine each needs one',
    { instanceTypes: [small], pods: replicas(3, { name: 'p', cpu: '1100m' }) },
    0.3,
  ],
  [
    'pods that avoid each other need a machine each',
    {
      instanceTypes: [small],
      pods: replicas(3, { name: 'p', cpu: '100m', labels: web, apart: [podsWith(web, hostname)] }),
    },
    0.3,
  ],
  [
    'pods that want one port of the host do too',
    { instanceTypes: [small], pods: replicas(2, { name: 'p', cpu: '100m', ports: [80] }) },
    0.2,
  ],
  [
    'a node that has one of them already is no place for the next',
    {
      instanceTypes: [small],
      nodes: [node({ name: 'n', instanceType: 'small' })],
      boundPods: [pod({ name: 'b', cpu: '100m', labels: web, on: 'n' })],
      pods: [pod({ cpu: '100m', labels: web, apart: [podsWith(web, hostname)] })],
    },
    0.1,
  ],
  [
    'what a pod must not be bought as does not count',
    {
      instanceTypes: [
        instanceType({
          cpu: '2',
          offerings: [
            offering({ capacityType: 'spot', price: 0.06 }),
            offering({ capacityType: 'on-demand', price: 0.2 }),
          ],
        }),
      ],
      pods: [pod({ cpu: '2', nodeSelector: { [capacityType]: 'on-demand' } })],
    },
    0.2,
  ],
  [
    'a wish is no rule',
    {
      instanceTypes: [small, instanceType({ name: 'arm', cpu: '2', price: 0.5, arch: 'arm64' })],
      pods: [
        pod({
          cpu: '2',
          preferred: [[{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }]],
        }),
      ],
    },
    0.1,
  ],
  [
    'DaemonSets take their part',
    {
      instanceTypes: [small],
      daemonSets: [daemonSet({ name: 'agent', cpu: '1' })],
      pods: replicas(4, { name: 'p', cpu: '500m' }),
    },
    0.2,
  ],
  [
    'a limit sends pods to a dearer pool',
    {
      nodePools: [
        nodePool({ name: 'cheap', requirements: [spot('spot')], limits: { cpu: '2' } }),
        nodePool({ name: 'dear', requirements: [spot('on-demand')] }),
      ],
      instanceTypes: [
        instanceType({
          cpu: '2',
          offerings: [
            offering({ capacityType: 'spot', price: 0.06 }),
            offering({ capacityType: 'on-demand', price: 0.2 }),
          ],
        }),
      ],
      pods: replicas(2, { name: 'p', cpu: '2' }),
    },
    0.22,
  ],
];

function spot(type: string) {
  return { key: capacityType, operator: 'In', values: [type] };
}

describe('the lower bound', () => {
  test.each(answers)('%s', (_, parts, value) => {
    const found = boundOf(problem({ instanceTypes: [small, large], ...parts }));
    expect(found).toBeCloseTo(value, 4);
    expect(found).toBeLessThanOrEqual(value);
  });

  test('counts what a node costs beside its machine', () => {
    const json = problem({ instanceTypes: [small], pods: replicas(2, { name: 'p', cpu: '2' }) });
    expect(boundOf(json, {}, { nodeCostPerHour: 0.05 })).toBeCloseTo(0.3, 4);
  });

  test('is none when a pod fits nowhere', () => {
    expect(boundOf(problem({ instanceTypes: [small], pods: [pod({ cpu: '3' })] }))).toBeUndefined();
  });

  test('is never above the best plan for the same pods', () => {
    fc.assert(
      fc.property(arbitraryProblem(), (json) => {
        const { price, plan } = bestPlan(json);
        expect(boundOf(json, plan.podErrors)).toBeLessThanOrEqual(price + 1e-9);
      }),
      { numRuns: 100 },
    );
  });

  const recorded = readVectors().filter(({ broken }) => broken === undefined);

  test.each(recorded.map((vector) => [vector.name, vector] as const))(
    'is never above the plan of the original: %s',
    (_, { problem: json, plan }) => {
      expect(boundOf(json, plan.podErrors)).toBeLessThanOrEqual(plan.totalPrice + 1e-6);
    },
  );

  test.each(readVectors('plain').map((vector) => [vector.name, vector] as const))(
    'is not far below where nothing but size matters: %s',
    (_, { problem: json, plan }) => {
      expect(boundOf(json)).toBeGreaterThan(plan.totalPrice * 0.5);
    },
  );
});

describe('the bound of a plan', () => {
  function boundsOf(json: ProblemJson, choices: Partial<SchedulingOptions> = {}) {
    const { plan, session, claims, unplaced } = solveJson(json, choices);
    return { plan, ...planBound(session.compiled, { claims, unplaced }, solver) };
  }

  test.each(readVectors().map((vector) => [vector.name, vector] as const))(
    'is below its price, and higher if pods stay in their pools: %s',
    (_, { problem: json, policy }) => {
      const { plan, anyPlan, samePools } = boundsOf(json, { packRounds: 1, ...policy });
      expect(anyPlan).toBeLessThanOrEqual(samePools!);
      expect(samePools).toBeLessThanOrEqual(plan.totalPrice + 1e-6);
    },
  );

  test('tells a dear pool that weights demand from a bad packing', () => {
    const bounds = boundsOf(
      problem({
        nodePools: [
          nodePool({ name: 'dear', weight: 10, requirements: [spot('on-demand')] }),
          nodePool({ name: 'cheap', requirements: [spot('spot')] }),
        ],
        instanceTypes: [
          instanceType({ cpu: '2', price: 0.3, capacityTypes: ['spot', 'on-demand'] }),
        ],
        pods: replicas(2, { name: 'p', cpu: '2' }),
      }),
    );
    expect(bounds.anyPlan).toBeCloseTo(0.2, 4);
    expect(bounds.samePools).toBeCloseTo(0.6, 4);
  });

  test('is none when the solver gives up', () => {
    const { session, claims, unplaced } = solveJson(problem({ pods: [pod()] }));
    expect(planBound(session.compiled, { claims, unplaced }, () => undefined)).toBeUndefined();
  });
});
