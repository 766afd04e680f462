// Plans at a glance. In: a problem. Out: the part of its plan that a test is about.
import type { SchedulingOptions } from '../../../src/scheduling/scheduling-problem.ts';
import { problem } from './builders.ts';
import type { PlanJson, PlannedNodeClaim, ProblemJson } from './problem-json.ts';
import { solveProblem } from './solve-problem.ts';
import { verifyPlan } from './verify-plan.ts';

export const nowhere = 'nowhere';

/** The plan of a problem, which keeps the rules or the test ends here. */
export function planOf(
  parts: Partial<ProblemJson>,
  options: Partial<SchedulingOptions> = {},
): PlanJson {
  const input = problem(parts);
  const { document } = solveProblem(input, options);
  const minValues = options.minValuesPolicy ?? 'Strict';
  const violations = verifyPlan(input, document, { minValues });
  if (violations.length > 0) throw new Error(JSON.stringify({ violations, document }));
  return document;
}

/** Pod → name of its node, or the type that its new node is launched as. */
export function places(
  parts: Partial<ProblemJson>,
  options: Partial<SchedulingOptions> = {},
): Record<string, string> {
  const plan = planOf(parts, options);
  const entries: (readonly [string, string])[] = [
    ...plan.existingNodes.flatMap(({ name, pods }) => pods.map((pod) => [pod, name] as const)),
    ...plan.newNodeClaims.flatMap(({ launch, pods }) =>
      pods.map((pod) => [pod, launch.instanceType] as const),
    ),
    ...Object.keys(plan.podErrors).map((pod) => [pod, nowhere] as const),
  ];
  const short = entries.map(([pod, place]) => [shortName(pod), place] as const);
  return Object.fromEntries(short.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Pods of each new node. */
export function shares(
  parts: Partial<ProblemJson>,
  options: Partial<SchedulingOptions> = {},
): string[][] {
  return planOf(parts, options)
    .newNodeClaims.map(({ pods }) => pods.map(shortName))
    .toSorted((a, b) => (a.join() < b.join() ? -1 : 1));
}

/** How many pods of new nodes are in each domain of a key; `open` where that is not settled. */
export function spreadOf(
  parts: Partial<ProblemJson>,
  key: string,
  options: Partial<SchedulingOptions> = {},
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const claim of planOf(parts, options).newNodeClaims) {
    const domain = domainOf(claim, key);
    counts[domain] = (counts[domain] ?? 0) + claim.pods.length;
  }
  return counts;
}

function domainOf({ requirements }: PlannedNodeClaim, key: string): string {
  const values = requirements.find((entry) => entry.key === key)?.values ?? [];
  return values.length === 1 ? values[0]! : 'open';
}

function shortName(pod: string): string {
  return pod.replace(/^default\//, '');
}
