// The solver: a problem in, a plan out. Pure and synchronous; equal problems give equal plans, whatever the order of their
// lists.
import { compile } from './compile/compile.ts';
import type { PodShape } from './compile/pod-shape.ts';
import { podErrors } from './explain/pod-errors.ts';
import { repack } from './pack/repack.ts';
import { finish } from './plan/finish.ts';
import type { Plan } from './plan/plan.ts';
import type { SchedulingOptions, SchedulingProblem } from './scheduling-problem.ts';
import type { Claim } from './solve/claim.ts';
import { Session } from './solve/session.ts';
import { placeAll } from './solve/solve.ts';

/** A plan, and what it came from, for whoever asks why. */
export interface Solved {
  readonly plan: Plan;
  readonly session: Session;
  /** In the order of the plan's. */
  readonly claims: readonly Claim[];
  /** Shape → pods of it that were not placed. */
  readonly unplaced: ReadonlyMap<PodShape, number>;
}

export function schedule(
  problem: SchedulingProblem,
  options: SchedulingOptions,
  stop?: () => boolean,
): Plan {
  return solve(problem, options, stop).plan;
}

export function solve(
  problem: SchedulingProblem,
  options: SchedulingOptions,
  stop?: () => boolean,
): Solved {
  const compiled = compile(problem, options);
  const session = new Session(compiled);
  const leftovers = placeAll(session, compiled.pending, stop);
  const claims = options.packRounds > 0 ? repack(session, stop) : session.claims;
  const { pending } = compiled;
  const plan = finish(session, { claims, leftovers, pending }, podErrors(session));
  return { plan, session, claims, unplaced: leftovers.unplaced };
}
