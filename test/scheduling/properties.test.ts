// What holds for any problem. Plans are judged from outside: by a checker that shares nothing with the solver, and on tiny
// problems by trying everything.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NodeSelectorRequirement, Pod } from '../../src/api/core.ts';
import type { SchedulingOptions } from '../../src/scheduling/scheduling-problem.ts';
import { arbitraryProblem, tiny } from '../support/scheduling/arbitrary-problem.ts';
import { bestPlan } from '../support/scheduling/brute-force.ts';
import {
  daemonSet,
  instanceType,
  is,
  isNot,
  nodePool,
  pod,
  problem,
} from '../support/scheduling/builders.ts';
import type { PlanJson, ProblemJson } from '../support/scheduling/problem-json.ts';
import { solveProblem } from '../support/scheduling/solve-problem.ts';
import { verifyPlan } from '../support/scheduling/verify-plan.ts';

const several = arbitraryProblem({ pods: 10, types: 5, nodes: 3, pools: 3 });

function placed({ pods }: ProblemJson, { podErrors }: PlanJson): number {
  return pods.length - Object.keys(podErrors).length;
}

function expressions({ spec }: Pod): NodeSelectorRequirement[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = spec.affinity?.nodeAffinity ?? {};
  const terms = [
    ...(required?.nodeSelectorTerms ?? []),
    ...preferred.map(({ preference }) => preference),
  ];
  return terms.flatMap(({ matchExpressions = [] }) => matchExpressions);
}

/** By saying which value a label of the pool's choice must not have: the new node then gets another. */
function bringsLabel(candidate: Pod): boolean {
  return expressions(candidate).some(({ key, operator }) => key === 'team' && operator === 'NotIn');
}

/** Where they run depends on what the node becomes, and they count as if they ran wherever they might. */
function hasChoosyDaemons({ daemonSets = [] }: ProblemJson): boolean {
  return daemonSets.some(({ spec }) => spec.template.spec.nodeSelector !== undefined);
}

/** Alternatives are given up before wishes, and not tried again without them. */
function givesUpTooMuch({ spec }: Pod): boolean {
  const { nodeAffinity } = spec.affinity ?? {};
  const terms = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return (terms ?? []).length > 1;
}

/**
 * Zones count for a spread in which only nodes could be made that the pod cannot use, and a first pod that wants company
 * settles its zone, where the types may be too few for the pool: it may wait in vain.
 */
function mayWait({ spec }: Pod): boolean {
  return spec.topologySpreadConstraints !== undefined || spec.affinity?.podAffinity !== undefined;
}

describe('any plan', () => {
  const policies: readonly (readonly [string, Partial<SchedulingOptions>])[] = [
    ['as it comes', {}],
    ['without packing', { packRounds: 0 }],
    ['without wishes', { preferencePolicy: 'Ignore' }],
    ['with variety as a wish', { minValuesPolicy: 'BestEffort' }],
    ['with a price on every node', { nodeCostPerHour: 0.1 }],
  ];

  test.each(policies)('keeps the rules, %s', (_, options) => {
    const minValues = options.minValuesPolicy ?? 'Strict';
    fc.assert(
      fc.property(several, (input) => {
        fc.pre(!(hasChoosyDaemons(input) && input.pods.some(bringsLabel)));
        const { document } = solveProblem(input, options);
        expect(verifyPlan(input, document, { minValues })).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test.fails('keeps ports free for DaemonSets that follow a label which a pod brought', () => {
    const red = { team: 'red' };
    const input = problem({
      daemonSets: [daemonSet({ ports: [80], nodeSelector: red })],
      pods: [
        pod({ name: 'brings', cpu: '1', ports: [80], required: [[isNot('team', 'blue')]] }),
        pod({ name: 'asks', nodeSelector: red }),
      ],
    });
    expect(verifyPlan(input, solveProblem(input).document)).toEqual([]);
  });

  test('is the same whatever the order of the lists', () => {
    const keys = fc.array(fc.nat(), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(several, keys, (input, order) => {
        const mixed = shuffled(input, order);
        const [one, other] = [input, mixed].map((each) =>
          JSON.stringify(solveProblem(each).document),
        );
        expect(other).toBe(one);
      }),
      { numRuns: 200 },
    );
  });
});

/** Each list in the order of the numbers. */
function shuffled(input: ProblemJson, order: readonly number[]): ProblemJson {
  const mixed = Object.entries(input).map(([key, list]: [string, readonly unknown[]]) => {
    const ranked = list.map((entry, i) => ({ entry, rank: order[i % order.length]! }));
    return [key, ranked.toSorted((a, b) => a.rank - b.rank).map(({ entry }) => entry)];
  });
  return Object.fromEntries(mixed) as ProblemJson;
}

describe('packing', () => {
  test('places the same pods for no more', () => {
    fc.assert(
      fc.property(several, (input) => {
        const packed = solveProblem(input).document;
        const first = solveProblem(input, { packRounds: 0 }).document;
        expect(Object.keys(packed.podErrors)).toEqual(Object.keys(first.podErrors));
        expect(packed.totalPrice).toBeLessThanOrEqual(first.totalPrice + 1e-9);
      }),
      { numRuns: 250 },
    );
  });

  test('costs no more where a DaemonSet takes a port on the cheapest type', () => {
    const input = problem({
      nodePools: [nodePool()],
      instanceTypes: [
        instanceType({ name: 'amd', cpu: '16', price: 0.3 }),
        instanceType({ name: 'arm', arch: 'arm64', pods: '2', price: 0.1 }),
      ],
      daemonSets: [daemonSet({ ports: [81], required: [[is('kubernetes.io/arch', 'arm64')]] })],
      pods: [pod({ name: 'with-port', ports: [81] }), pod({ name: 'without' })],
    });
    const packed = solveProblem(input).document;
    const first = solveProblem(input, { packRounds: 0 }).document;
    expect(packed.totalPrice).toBeLessThanOrEqual(first.totalPrice);
  });
});

describe('beside brute force', () => {
  test('one pod is placed if it can be, and not for less than possible', () => {
    fc.assert(
      fc.property(arbitraryProblem({ ...tiny, pods: 1 }), (input) => {
        const [only] = input.pods;
        fc.pre(!bringsLabel(only!) && !hasChoosyDaemons(input) && !givesUpTooMuch(only!));
        const { document } = solveProblem(input);
        const best = bestPlan(input);
        const ours = placed(input, document);
        expect([best.placed, mayWait(only!) ? 0 : best.placed]).toContain(ours);
        const least = ours === best.placed ? best.price : 0;
        expect(document.totalPrice).toBeGreaterThanOrEqual(least - 1e-6);
      }),
      { numRuns: 400 },
    );
  });

  test('small problems are solved nearly as well as they can be', () => {
    const samples = fc.sample(arbitraryProblem({ ...tiny, pods: 4 }), { seed: 20, numRuns: 150 });
    const counts = { possible: 0, placed: 0, short: 0, impossible: 0, price: 0, least: 0 };
    for (const input of samples) {
      const { document } = solveProblem(input, { preferencePolicy: 'Ignore' });
      const best = bestPlan(input);
      const ours = placed(input, document);
      counts.possible += best.placed;
      counts.placed += ours;
      if (ours < best.placed) counts.short++;
      if (ours > best.placed) counts.impossible++;
      if (ours !== best.placed) continue;
      counts.price += document.totalPrice;
      counts.least += best.price;
    }
    expect(counts.impossible).toBe(0);
    // Pods are placed one after another, and what was placed is not moved to make room for what comes later.
    expect(counts.short).toBeLessThanOrEqual(14);
    expect(counts.placed / counts.possible).toBeGreaterThan(0.92);
    // Heavier pools come first, whatever they cost.
    expect(counts.price / counts.least).toBeLessThan(1.06);
  });
});
