// Solves a problem as it stands in a file. In: the problem, choices of the solver. Out: what the solver knows when it is
// through. Pods that fail validation are left out, as they are everywhere.
import { validatePod } from '../../../src/scheduling/prepare/validate-pod.ts';
import { solve, type Solved } from '../../../src/scheduling/schedule.ts';
import {
  defaultOptions,
  type SchedulingOptions,
  type SchedulingProblem,
} from '../../../src/scheduling/scheduling-problem.ts';
import type { ProblemJson } from './problem-json.ts';
import { schedulingProblem } from './solve-problem.ts';

export function problemFrom(json: ProblemJson): SchedulingProblem {
  const problem = schedulingProblem(json);
  const pods = problem.pods.filter((pod) => validatePod(pod, problem).ok);
  return { ...problem, pods };
}

/** Explanations and bounds do not depend on how well nodes are packed, so that is left out unless asked for. */
export function solveJson(json: ProblemJson, choices: Partial<SchedulingOptions> = {}): Solved {
  return solve(problemFrom(json), { ...defaultOptions, packRounds: 0, ...choices });
}
