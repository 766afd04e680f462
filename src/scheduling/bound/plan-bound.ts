// How far a plan is from the best at most. In: a solve that is through, a solver for linear programs. Out: what no plan that
// places the same pods costs less than: any plan at all, and one that leaves every pod in the pool it is in. The second
// says how well nodes are packed; the first ignores that weights make pods go to a dear pool while a cheap one would do.
import type { PodShape } from '../compile/pod-shape.ts';
import type { Template } from '../compile/template.ts';
import type { Claim } from '../solve/claim.ts';
import type { CompiledProblem } from '../compile/compile.ts';
import { boundProgram } from './bound-program.ts';
import { type LinearSolver, lowerBound } from './linear-program.ts';

export interface PlanBound {
  readonly anyPlan: number;
  readonly samePools: number;
}

/** Undefined when a solver finds no solution, which would mean that it gave up. */
export function planBound(
  compiled: CompiledProblem,
  plan: { readonly claims: readonly Claim[]; readonly unplaced: ReadonlyMap<PodShape, number> },
  solver: LinearSolver,
): PlanBound | undefined {
  const placed = new Map(
    [...compiled.pending].map(([shape, pods]) => [
      shape,
      pods.length - (plan.unplaced.get(shape) ?? 0),
    ]),
  );
  const anyPlan = lowerBound(boundProgram(compiled, placed), solver);
  if (anyPlan === undefined) return undefined;
  let samePools = 0;
  for (const [template, pods] of podsByPool(plan.claims)) {
    const bound = lowerBound(boundProgram(compiled, pods, template), solver);
    if (bound === undefined) return undefined;
    samePools += bound;
  }
  return { anyPlan, samePools: Math.max(anyPlan, samePools) };
}

function podsByPool(claims: readonly Claim[]): Map<Template, Map<PodShape, number>> {
  const pools = new Map<Template, Map<PodShape, number>>();
  for (const { template, loads } of claims) {
    const pods = pools.get(template) ?? new Map<PodShape, number>();
    for (const { shape, count } of loads) pods.set(shape, (pods.get(shape) ?? 0) + count);
    pools.set(template, pods);
  }
  return pools;
}
