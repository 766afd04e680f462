import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/api/meta.ts';
import { readProblem } from '../../../src/scheduling/problem/read-problem.ts';
import { arbitraryProblem } from './arbitrary-problem.ts';
import { bestPlan } from './brute-force.ts';
import type { ProblemJson } from './problem-json.ts';

const samples = fc.sample(arbitraryProblem(), { seed: 7, numRuns: 400 });

const features: readonly (readonly [string, (problem: ProblemJson) => unknown])[] = [
  ['node selectors', ({ pods }) => pods.some(({ spec }) => spec.nodeSelector)],
  [
    'alternatives of node affinity',
    ({ pods }) =>
      pods.some(
        ({ spec }) =>
          (spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
            ?.nodeSelectorTerms.length ?? 0) > 1,
      ),
  ],
  [
    'preferences',
    ({ pods }) =>
      pods.some(
        ({ spec }) => spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution,
      ),
  ],
  ['spread', ({ pods }) => pods.some(({ spec }) => spec.topologySpreadConstraints)],
  ['affinity', ({ pods }) => pods.some(({ spec }) => spec.affinity?.podAffinity)],
  ['anti-affinity', ({ pods }) => pods.some(({ spec }) => spec.affinity?.podAntiAffinity)],
  ['host ports', ({ pods }) => pods.some(({ spec }) => spec.containers[0]?.ports)],
  ['volumes', ({ pods }) => pods.some(({ spec }) => spec.volumes)],
  ['volume limits', ({ csiNodes = [] }) => csiNodes.length > 0],
  ['taints of pools', ({ nodePools }) => nodePools.some(({ spec }) => spec.template.spec.taints)],
  ['limits', ({ nodePools }) => nodePools.some(({ spec }) => spec.limits)],
  ['weights', ({ nodePools }) => nodePools.some(({ spec }) => spec.weight)],
  [
    'minValues',
    ({ nodePools }) =>
      nodePools.some(({ spec }) =>
        spec.template.spec.requirements?.some(({ minValues }) => minValues),
      ),
  ],
  ['nodes', ({ nodes = [] }) => nodes.length > 0],
  ['nodes of nobody', ({ nodes = [] }) => nodes.some(({ nodePool }) => nodePool === undefined)],
  ['running pods', ({ boundPods = [] }) => boundPods.length > 0],
  ['DaemonSets', ({ daemonSets = [] }) => daemonSets.length > 0],
  [
    'offerings that cannot be had',
    ({ instanceTypes }) =>
      instanceTypes.some(({ offerings }) => offerings.some(({ available }) => !available)),
  ],
];

describe('random problems', () => {
  test('are valid documents', () => {
    for (const sample of samples)
      expect(() => readProblem(sample as unknown as Json)).not.toThrow();
  });

  test.each(features)('have %s often enough to test them', (_, has) => {
    expect(samples.filter(has).length).toBeGreaterThan(samples.length / 20);
  });

  test('are solvable in whole, in part and not at all', () => {
    const shares = samples
      .slice(0, 120)
      .map((problem) => bestPlan(problem).placed / problem.pods.length);
    expect({
      whole: shares.some((share) => share === 1),
      part: shares.some((share) => share > 0 && share < 1),
      none: shares.includes(0),
    }).toEqual({ whole: true, part: true, none: true });
  });

  test('shrink to what matters', () => {
    const hasSpread = ({ pods }: ProblemJson): boolean =>
      pods.some(({ spec }) => spec.topologySpreadConstraints !== undefined);
    const { counterexample } = fc.check(
      fc.property(arbitraryProblem(), (problem) => !hasSpread(problem)),
      { seed: 3, numRuns: 200 },
    );
    const [{ pods, nodes, nodePools }] = counterexample!;
    const spec = pods.find((pod) => pod.spec.topologySpreadConstraints)?.spec;
    expect({
      // Lists lose entries from their beginning only.
      pods: pods.length <= 2,
      nodes,
      pools: nodePools.length,
      constraints: spec?.topologySpreadConstraints?.length,
      affinity: spec?.affinity,
    }).toEqual({ pods: true, nodes: undefined, pools: 1, constraints: 1, affinity: undefined });
  });
});
