// `karpenter solve`: one scheduling problem from a file, solved without a cluster. In: a problem document and the choices of
// the solver. Out: the plan as a document or as a table; on request why pods go nowhere, why nodes are of their type, and
// how far from the best possible price the plan can be at most. Exit code 1 when the document is no problem.
import type { Pod } from '../../api/core.ts';
import type { Clock } from '../../base/clock.ts';
import { podKey } from '../../model/pod.ts';
import { planBound } from '../../scheduling/bound/plan-bound.ts';
import { explainClaim } from '../../scheduling/explain/explain-claim.ts';
import { explainShape } from '../../scheduling/explain/explain-shape.ts';
import { planDocument } from '../../scheduling/plan/plan-document.ts';
import { ignoringPod, validatePod } from '../../scheduling/prepare/validate-pod.ts';
import { toSchedulingProblem } from '../../scheduling/problem/to-scheduling-problem.ts';
import { solve, type Solved } from '../../scheduling/schedule.ts';
import {
  defaultOptions,
  type SchedulingOptions,
  type SchedulingProblem,
} from '../../scheduling/scheduling-problem.ts';
import { loadLinearSolver } from '../linear-solver.ts';
import { planText } from '../plan-text.ts';
import { readProblemFile } from '../problem-file.ts';
import type { BoundFields, Explanations, SolveDocument } from '../solve-document.ts';
import type { Terminal } from '../terminal.ts';

export interface SolveOptions {
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** `-` is standard input. */
  readonly file: string;
  readonly output: 'json' | 'text';
  readonly explain: boolean;
  readonly bound: boolean;
  /** The solve is stopped after this; undefined: it takes as long as it takes. */
  readonly timeLimitMs: number | undefined;
  readonly choices: Partial<SchedulingOptions>;
}

export async function solveFile(options: SolveOptions): Promise<number> {
  const { terminal, file, output } = options;
  const document = await readProblemFile(file, terminal);
  if (document === undefined) return 1;
  const problem = toSchedulingProblem(document);
  const solved = await solveProblem(problem, options);
  if (output === 'json') terminal.print(JSON.stringify(solved.document, undefined, 2));
  else for (const line of planText(solved.plan, solved.document)) terminal.print(line);
  return 0;
}

async function solveProblem(problem: SchedulingProblem, options: SolveOptions) {
  const { clock, timeLimitMs = Infinity, choices, explain, bound } = options;
  const { fit, ignored } = validated(problem);
  const deadlineMs = clock.monotonic() + timeLimitMs;
  const solved = solve(
    { ...problem, pods: fit },
    { ...defaultOptions, ...choices },
    () => clock.monotonic() >= deadlineMs,
  );
  const { plan } = solved;
  const written = planDocument(plan);
  const errors = Object.entries({ ...written.podErrors, ...ignored });
  const document: SolveDocument = {
    ...written,
    podErrors: Object.fromEntries(errors.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    stopped: plan.stopped,
    unreached: plan.unreached.map(podKey).toSorted(),
    ...(explain && { explanations: explanationsOf(solved) }),
    ...(bound && (await boundOf(solved))),
  };
  return { plan, document };
}

/** Pods that fail validation never reach the solver. */
function validated({ pods, rules, storage }: SchedulingProblem) {
  const fit: Pod[] = [];
  const ignored: Record<string, string> = {};
  for (const pod of pods) {
    const verdict = validatePod(pod, { rules, storage });
    if (verdict.ok) fit.push(pod);
    else ignored[podKey(pod)] = `${ignoringPod}${verdict.message}`;
  }
  return { fit, ignored };
}

function explanationsOf({ plan, session, claims, unplaced }: Solved): Explanations {
  const pods = plan.stopped
    ? []
    : [...unplaced.keys()].map((shape) => explainShape(session, shape));
  return {
    pods: pods.toSorted((a, b) => (a.pod < b.pod ? -1 : 1)),
    claims: claims.flatMap((claim, index) => {
      const found = explainClaim(session, claim);
      const firstPod = (plan.claims[index]?.pods ?? []).map(podKey).toSorted()[0] ?? '';
      return found === undefined ? [] : [{ firstPod, ...found }];
    }),
  };
}

async function boundOf({ plan, session, claims, unplaced }: Solved): Promise<BoundFields> {
  const { compiled } = session;
  const found = planBound(compiled, { claims, unplaced }, await loadLinearSolver());
  if (found === undefined) return {};
  const cost = plan.totalPrice + compiled.options.nodeCostPerHour * plan.claims.length;
  const gap = (bound: number): number => (cost === 0 ? 0 : Math.max(0, (cost - bound) / cost));
  const { anyPlan, samePools } = found;
  return {
    bound: anyPlan,
    gap: gap(anyPlan),
    boundInPools: samePools,
    gapInPools: gap(samePools),
  };
}
