// Problems made to hurt. None is measured in seconds: the budget is a number of questions to `stop`, which is asked once or
// a few times for everything that is placed, so that work which grows with the square of a problem shows.
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../src/api/core.ts';
import { podKey } from '../../src/model/pod.ts';
import type { Plan } from '../../src/scheduling/plan/plan.ts';
import type { SchedulingOptions } from '../../src/scheduling/scheduling-problem.ts';
import {
  exists,
  hostname,
  instanceType,
  is,
  isNot,
  node,
  nodePool,
  pod,
  type PodOptions,
  podsWith,
  problem,
  replicas,
  spreadOver,
  taint,
  zone,
} from '../support/scheduling/builders.ts';
import type { InstanceTypeJson, ProblemJson } from '../support/scheduling/problem-json.ts';
import { solveProblem } from '../support/scheduling/solve-problem.ts';
import { verifyPlan } from '../support/scheduling/verify-plan.ts';

const web = { app: 'web' };

function list<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function types(count: number): InstanceTypeJson[] {
  return list(count, (i) => {
    const [cpu, memory] = [2 + (i % 64), 4 + ((i * 7) % 250)];
    return instanceType({
      name: `type-${i}`,
      cpu: String(cpu),
      memory: `${memory}Gi`,
      price: 0.05 * cpu + 0.005 * memory + i * 1e-6,
      capacityTypes: ['spot', 'on-demand'],
    });
  });
}

/** Each of its own size. */
function distinct(count: number, options: (index: number) => PodOptions = () => ({})): Pod[] {
  return list(count, (i) => {
    const size = { cpu: `${100 + i}m`, memory: `${128 + ((i * 37) % 4000)}Mi` };
    return pod({ name: `pod-${i}`, ...size, ...options(i) });
  });
}

/** Where each pod ended up, as often as it did. */
function fates({ claims, nodes, failures, unreached }: Plan): string[] {
  const placed = [...claims, ...nodes].flatMap(({ pods }) => pods);
  return [...placed, ...failures.keys(), ...unreached].map(podKey).toSorted();
}

interface Solved {
  readonly placed: number;
  readonly failed: number;
  readonly claims: number;
  /** How often the solver asked whether to stop. */
  readonly questions: number;
}

function solveWhole(input: ProblemJson, options: Partial<SchedulingOptions> = {}): Solved {
  let questions = 0;
  const { plan } = solveProblem(input, options, () => {
    questions++;
    return false;
  });
  expect(fates(plan)).toEqual(input.pods.map(podKey).toSorted());
  expect(plan.stopped).toBe(false);
  const { claims, failures } = plan;
  const failed = failures.size;
  return { placed: input.pods.length - failed, failed, claims: claims.length, questions };
}

describe('a problem of great size', () => {
  test('ten thousand pods of which no two are alike are placed, each looked at a few times', () => {
    const input = problem({ instanceTypes: types(60), pods: distinct(10_000) });
    const { placed, questions } = solveWhole(input, { packRounds: 0 });
    expect(placed).toBe(10_000);
    expect(questions).toBeLessThan(40_000);
  });

  test('two thousand pods of which no two are alike are packed', () => {
    const input = problem({ instanceTypes: types(60), pods: distinct(2000) });
    expect(solveWhole(input)).toMatchObject({ placed: 2000 });
  });

  test('two thousand instance types change nothing about how often pods are looked at', () => {
    const pods = distinct(30, (i) => ({
      labels: web,
      ...(i % 4 === 0 && { spread: [spreadOver(zone, web)] }),
    }));
    const [few, many] = [200, 2000].map((count) =>
      solveWhole(problem({ instanceTypes: types(count), pods }), { packRounds: 0 }),
    );
    expect(many).toMatchObject({ failed: 0, questions: few!.questions });
  });

  test('two hundred pools each get the pods that name them', () => {
    const nodePools = list(200, (i) =>
      nodePool({
        name: `pool-${i}`,
        weight: 1 + (i % 100),
        labels: { team: `team-${i}` },
        ...(i % 3 === 0 && { taints: [taint('team', String(i))] }),
      }),
    );
    const pods = distinct(400, (i) => ({
      nodeSelector: { team: `team-${i % 200}` },
      tolerations: [{ operator: 'Exists' }],
    }));
    const { plan } = solveProblem(problem({ nodePools, instanceTypes: types(40), pods }));
    const used = new Set(plan.claims.map(({ pool }) => pool.metadata.name));
    expect({ failed: plan.failures.size, used: used.size }).toEqual({ failed: 0, used: 200 });
  });

  test('pods are spread over five thousand nodes', () => {
    const nodes = list(5000, (i) =>
      node({ name: `node-${i}`, instanceType: 'type-4', zone: `z${1 + (i % 3)}` }),
    );
    const pods = replicas(2000, { name: 'p', labels: web, spread: [spreadOver(hostname, web)] });
    const { plan } = solveProblem(problem({ instanceTypes: types(10), nodes, pods }));
    expect({ nodes: plan.nodes.length, claims: plan.claims.length }).toEqual({
      nodes: 2000,
      claims: 0,
    });
  });

  test('five thousand full nodes keep pods from them that may not be added', () => {
    const nodes = list(5000, (i) => node({ name: `node-${i}`, instanceType: 'type-4' }));
    const boundPods = nodes.map(({ name }) =>
      pod({ name: `on-${name}`, labels: web, cpu: '3', on: name! }),
    );
    const pods = replicas(300, { name: 'p', labels: web, spread: [spreadOver(hostname, web)] });
    const input = problem({ instanceTypes: types(10), nodes, boundPods, pods });
    expect(solveWhole(input)).toMatchObject({ placed: 300, claims: 300 });
  });
});

describe('rules of everybody about everybody', () => {
  test('a thousand pods that avoid each other get a thousand nodes', () => {
    const pods = distinct(1000, (i) => ({
      labels: { all: 'yes', app: `app-${i}` },
      apart: [podsWith({ all: 'yes' }, hostname)],
    }));
    const { placed, claims, questions } = solveWhole(problem({ instanceTypes: types(20), pods }));
    expect({ placed, claims }).toEqual({ placed: 1000, claims: 1000 });
    // Thrice for each pod, and once for each node in each round of packing.
    expect(questions).toBeLessThan(12_000);
  });

  test('a rule of each pod about each other pod is kept', () => {
    const apart = list(60, (i) => podsWith({ [`is-${i}`]: 'yes' }, hostname));
    const pods = distinct(60, (i) => ({ labels: { [`is-${i}`]: 'yes' }, apart }));
    const input = problem({ instanceTypes: types(20), pods });
    expect(solveWhole(input)).toMatchObject({ placed: 60, claims: 60 });
  });

  test('pods that follow each other in a circle go nowhere, and that is found out at once', () => {
    const pods = list(200, (i) =>
      pod({
        name: `p-${i}`,
        labels: { app: `app-${i}` },
        near: [podsWith({ app: `app-${(i + 1) % 200}` }, zone)],
      }),
    );
    const { failed, questions } = solveWhole(problem({ pods }));
    expect(failed).toBe(200);
    expect(questions).toBeLessThan(1000);
  });

  test('a chain of pods is followed to its end although each comes before the one it wants', () => {
    const last = 99;
    const pods = list(last + 1, (i) =>
      pod({
        name: `p-${i}`,
        cpu: `${1000 - i}m`,
        labels: { app: `app-${i}` },
        ...(i < last
          ? { near: [podsWith({ app: `app-${i + 1}` }, zone)] }
          : { nodeSelector: { [zone]: 'z2' } }),
      }),
    );
    const input = problem({ instanceTypes: types(20), pods });
    const { document } = solveProblem(input);
    expect(document.podErrors).toEqual({});
    expect(verifyPlan(input, document)).toEqual([]);
  });
});

describe('rules of great length', () => {
  test('lists of a thousand values narrow each other', () => {
    const values = (from: number): string[] => list(1000, (i) => `value-${from + i}`);
    const input = problem({
      nodePools: [nodePool({ requirements: [is('team', ...values(0))] })],
      pods: [
        ...list(10, (i) => pod({ name: `in-${i}`, required: [[is('team', ...values(i * 90))]] })),
        pod({ name: 'not-in', required: [[isNot('team', ...values(1))]] }),
        pod({ name: 'beyond', required: [[is('team', ...values(1000))]] }),
      ],
    });
    const { document } = solveProblem(input);
    expect(Object.keys(document.podErrors)).toEqual(['default/beyond']);
    expect(verifyPlan(input, document)).toEqual([]);
  });

  test('hundreds of wishes that nobody can grant are given up one by one', () => {
    const preferred = list(300, (i) => [is('team', `team-${i}`)]);
    const pods = distinct(20, () => ({ preferred }));
    expect(solveWhole(problem({ pods }))).toMatchObject({ placed: 20 });
  });

  test('hundreds of wishes about other pods are given up one by one', () => {
    const pods = distinct(3, (i) => ({ labels: { app: `app-${i}` } })).map((one) => {
      const preferred = list(100, (i) => ({
        weight: 1 + (i % 100),
        podAffinityTerm: podsWith({ app: `nobody-${i}` }, zone),
      }));
      const podAffinity = { preferredDuringSchedulingIgnoredDuringExecution: preferred };
      return { ...one, spec: { ...one.spec, affinity: { podAffinity } } };
    });
    expect(solveWhole(problem({ pods }))).toMatchObject({ placed: 3 });
  });

  test('hundreds of alternatives are tried to the last', () => {
    const required = [...list(300, (i) => [is('team', `team-${i}`)]), [exists(zone)]];
    const pods = distinct(20, () => ({ required }));
    expect(solveWhole(problem({ pods }))).toMatchObject({ placed: 20 });
  });
});

describe('an odd amount', () => {
  test.each([
    ['0', true],
    ['-0', true],
    ['1n', true],
    ['0.0000000001', true],
    ['1e-12', true],
    ['4', true],
    ['4000000001n', false],
    ['9007199254740993', false],
    ['1e30', false],
    ['1Ei', false],
  ])('of %s cores is placed: %s', (cpu, isPlaced) => {
    const input = problem({ pods: [pod({ name: 'odd', cpu })] });
    const { document } = solveProblem(input);
    expect(document.newNodeClaims.length === 1).toBe(isPlaced);
    expect(verifyPlan(input, document)).toEqual([]);
  });

  test('of memory is added up exactly', () => {
    const pods = replicas(3, { name: 'p', cpu: '1m', memory: '5726623061' });
    const whole = problem({ instanceTypes: [instanceType({ memory: '17179869183' })], pods });
    const short = problem({ instanceTypes: [instanceType({ memory: '17179869182' })], pods });
    expect([whole, short].map((input) => solveWhole(input).claims)).toEqual([1, 2]);
  });

  test('of a resource that nobody has fails, and nobody else does', () => {
    const pods = [
      pod({ name: 'strange', requests: { 'example.com/dragon': '1' } }),
      pod({ name: 'none', requests: { 'example.com/dragon': '0' } }),
      pod({ name: 'plain' }),
    ];
    const { document } = solveProblem(problem({ pods }));
    expect(Object.keys(document.podErrors)).toEqual(['default/strange']);
  });
});

describe('a solve that is stopped', () => {
  const input = problem({
    nodePools: [nodePool({ name: 'a', weight: 5, limits: { cpu: '40' } }), nodePool({ name: 'b' })],
    instanceTypes: types(30),
    nodes: list(3, (i) => node({ name: `n-${i}`, nodePool: 'b', instanceType: `type-${i}` })),
    pods: [
      ...distinct(20),
      ...replicas(8, { name: 'spread', labels: web, spread: [spreadOver(zone, web)] }),
      ...replicas(5, {
        name: 'apart',
        labels: { app: 'apart' },
        apart: [podsWith({ app: 'apart' }, hostname)],
      }),
      ...replicas(3, {
        name: 'near',
        labels: { app: 'near' },
        near: [podsWith({ app: 'near' }, zone)],
      }),
      pod({ name: 'impossible', nodeSelector: { team: 'none' } }),
    ],
  });

  test.each([1, 2, 3, 5, 10, 20, 40, 60, 80, 100, 1000])(
    'after %i questions keeps what it has, and every pod is somewhere',
    (most) => {
      let questions = 0;
      const { plan, document } = solveProblem(input, {}, () => ++questions >= most);
      expect(fates(plan)).toEqual(input.pods.map(podKey).toSorted());
      const unreached = Object.fromEntries(
        plan.unreached.map((one) => [podKey(one), 'not reached']),
      );
      const whole = { ...document, podErrors: { ...document.podErrors, ...unreached } };
      expect(verifyPlan(input, whole)).toEqual([]);
      // Whoever was not looked at to the end has not failed.
      expect(plan.stopped ? plan.failures.size : plan.unreached.length).toBe(0);
    },
  );

  test('has the more pods placed the later it is stopped', () => {
    const placed = [1, 10, 30, 60, 100].map((most) => {
      let questions = 0;
      const { plan } = solveProblem(input, {}, () => ++questions >= most);
      return input.pods.length - plan.unreached.length - plan.failures.size;
    });
    expect(placed[0]).toBe(0);
    expect(placed).toEqual(placed.toSorted((a, b) => a - b));
    expect(placed.at(-1)).toBe(input.pods.length - 1);
  });

  test('calls a pod unreached that it stopped in the middle of', () => {
    let questions = 0;
    const { plan } = solveProblem(problem({ pods: [pod()] }), {}, () => ++questions >= 2);
    expect([plan.stopped, plan.unreached.length, plan.failures.size]).toEqual([true, 1, 0]);
  });

  test('is whole when only packing was cut short', () => {
    let questions = 0;
    solveProblem(input, { packRounds: 0 }, () => ++questions < 0);
    const placing = questions;
    questions = 0;
    const { plan } = solveProblem(input, {}, () => ++questions > placing);
    expect({ stopped: plan.stopped, unreached: plan.unreached.length }).toEqual({
      stopped: false,
      unreached: 0,
    });
  });
});
