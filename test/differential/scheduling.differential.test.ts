// The solver beside the original, on problems that neither has seen. Runs only where the original's oracle can be had and
// KARPENTER_DIFFERENTIAL is set: `npm run test:differential`.
// On every problem our plan keeps the rules by the independent checker, places the pods that the original places, and costs
// no more than the cheapest of the original's repeats (it decides differently each time when there is topology).
import { beforeAll, describe, expect, test } from 'vitest';
import { findOracle, type GenerateOptions, type Oracle } from '../../bench/oracle.ts';
import { solveProblem } from '../support/scheduling/solve-problem.ts';
import { verifyPlan } from '../support/scheduling/verify-plan.ts';

const isWanted = (process.env['KARPENTER_DIFFERENTIAL'] ?? '') !== '';

const seeds = [11, 12, 13, 14, 15, 16];
const kinds = ['plain', 'mixed', 'constrained'] as const;

const problems: GenerateOptions[] = kinds.flatMap((kind) => [
  ...seeds.map((seed) => ({
    kind,
    seed,
    pods: 60 + 20 * (seed % 5),
    types: 100 + 50 * (seed % 4),
  })),
  { kind, seed: 17, pods: 600, types: 400 },
]);

describe.skipIf(!isWanted)('beside the original', () => {
  let oracle: Oracle;

  beforeAll(async () => {
    oracle = await findOracle();
  }, 1_500_000);

  test.each(problems)(
    'the plan for $pods $kind pods and $types types, seed $seed, is valid, places as many and costs no more',
    async (options) => {
      const problem = await oracle.generate(options);
      const theirs = await oracle.schedule(problem, { repeats: 5 });
      const { document } = solveProblem(problem);
      const cheapest = Math.min(...theirs.repeats.map(({ totalPrice }) => totalPrice));
      expect(verifyPlan(problem, document)).toEqual([]);
      expect(Object.keys(document.podErrors).toSorted()).toEqual(
        Object.keys(theirs.podErrors).toSorted(),
      );
      expect(document.totalPrice).toBeLessThanOrEqual(cheapest + 1e-6);
    },
    120_000,
  );
});
