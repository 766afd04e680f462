// The solver, asked as users ask it. In: a problem as in a file. Out: the plan as in a file, beside the plan itself. Pods that
// fail validation never reach the solver; they stand with those that it refused.
import type { Json } from '../../../src/api/meta.ts';
import { podKey } from '../../../src/model/pod.ts';
import { compile, type CompiledProblem } from '../../../src/scheduling/compile/compile.ts';
import type { Plan } from '../../../src/scheduling/plan/plan.ts';
import { planDocument } from '../../../src/scheduling/plan/plan-document.ts';
import { ignoringPod, validatePod } from '../../../src/scheduling/prepare/validate-pod.ts';
import { readProblem } from '../../../src/scheduling/problem/read-problem.ts';
import { toSchedulingProblem } from '../../../src/scheduling/problem/to-scheduling-problem.ts';
import { schedule } from '../../../src/scheduling/schedule.ts';
import {
  defaultOptions,
  type SchedulingOptions,
  type SchedulingProblem,
} from '../../../src/scheduling/scheduling-problem.ts';
import type { PlanJson, ProblemJson } from './problem-json.ts';

export interface SolvedProblem {
  readonly plan: Plan;
  /** Refused pods included. */
  readonly document: PlanJson;
}

export function solveProblem(
  problem: ProblemJson,
  options: Partial<SchedulingOptions> = {},
  stop?: () => boolean,
): SolvedProblem {
  const all = schedulingProblem(problem);
  const refused: Record<string, string> = {};
  const pods = all.pods.filter((pod) => {
    const verdict = validatePod(pod, all);
    if (!verdict.ok) refused[podKey(pod)] = `${ignoringPod}${verdict.message}`;
    return verdict.ok;
  });
  const plan = schedule({ ...all, pods }, { ...defaultOptions, ...options }, stop);
  const document = planDocument(plan);
  const podErrors = { ...document.podErrors, ...refused };
  return { plan, document: { ...document, podErrors } };
}

export function compileProblem(
  problem: ProblemJson,
  options: Partial<SchedulingOptions> = {},
): CompiledProblem {
  return compile(schedulingProblem(problem), { ...defaultOptions, ...options });
}

export function schedulingProblem(problem: ProblemJson): SchedulingProblem {
  return toSchedulingProblem(readProblem(problem as unknown as Json));
}
