// The judge and the recorded plans of the original judge each other: a difference is a mistake here, or a rule that
// the original breaks, and those are written down with the edge cases.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/api/meta.ts';
import { readProblem } from '../../../src/scheduling/problem/read-problem.ts';
import { bestPlan } from './brute-force.ts';
import { edgeCases } from './edge-cases/all.ts';
import { readVectors, type SchedulingVector } from './vectors.ts';
import { verifyPlan } from './verify-plan.ts';

const vectors = readVectors();
const named = vectors.map((vector) => [vector.name, vector] as const);

function violations({ problem, plan, policy }: SchedulingVector) {
  return verifyPlan(problem, plan, { minValues: policy?.minValuesPolicy ?? 'Strict' });
}

describe('recorded plans of the original', () => {
  test.each(named.filter(([, { broken }]) => broken === undefined))(
    'keep the rules: %s',
    (_, vector) => {
      expect(violations(vector)).toEqual([]);
    },
  );

  test.each(named.filter(([, { broken }]) => broken !== undefined))(
    'break one rule: %s',
    (_, vector) => {
      const rules = new Set(violations(vector).map(({ rule }) => rule));
      expect([...rules]).toEqual([vector.broken?.rule]);
    },
  );

  test('are of the edge cases as they are written today', () => {
    const recorded = readVectors('edge-cases').map(({ name, problem }) => ({ name, problem }));
    expect(recorded).toEqual(edgeCases.map(({ name, problem }) => ({ name, problem })));
  });

  test.each(named)('are of problems that can be read: %s', (_, { problem }) => {
    expect(readProblem(problem as unknown as Json).pods).toHaveLength(problem.pods.length);
  });
});

describe('brute force', () => {
  const small = named.filter(
    ([, { problem, policy, broken }]) =>
      problem.pods.length <= 5 && (problem.nodes ?? []).length <= 3 && !policy && !broken,
  );

  test.each(small)('is never beaten by the original: %s', (_, { problem, plan }) => {
    const best = bestPlan(problem);
    const placed = problem.pods.length - Object.keys(plan.podErrors).length;
    const isCheaper = best.price <= plan.totalPrice + 1e-6;
    expect(best.placed > placed || (best.placed === placed && isCheaper)).toBe(true);
  });
});
