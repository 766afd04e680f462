// The messages of the original for the same pods, as it gave them on recorded problems.
import { describe, expect, test } from 'vitest';
import { podKey } from '../../model/pod.ts';
import { readVectors, type SchedulingVector } from '../../../test/support/scheduling/vectors.ts';
import { solveJson } from '../../../test/support/scheduling/solve-json.ts';
import { explainShape } from './explain-shape.ts';
import type { Explanation, PoolVerdict } from './explanation.ts';
import { podError } from './pod-error.ts';
import { podErrors } from './pod-errors.ts';

/** Where we mean to say something else, and what. */
const ownWords = new Map([
  // Requirements that exclude each other are no requirement for a label to be absent.
  [
    'volumes hold pods in their zone: default/contradiction',
    'incompatible volume requirements, key topology.kubernetes.io/zone, its requirements exclude each other',
  ],
  [
    'random 5, 4 pods: default/pod-0',
    'incompatible requirements, key team, its requirements exclude each other',
  ],
  // Ports are named instead of all three criteria at once.
  [
    'random 15, 5 pods: default/pod-3',
    'pod hostport conflicts with existing hostport configuration',
  ],
  // Domains do not depend on the tolerations of whichever pod brought the rule first.
  ['random 25, 5 pods: default/pod-2', 'counts = on-demand: 1, spot: 1,'],
  ['random 25, 5 pods: default/pod-3', 'counts = on-demand: 1, spot: 1,'],
  // A limit of nodes holds within one solve.
  ['random 49, 2 pods: default/pod-0', 'node limits have been exhausted'],
  ['random 56, 2 pods: default/pod-1', 'node limits have been exhausted'],
]);

interface Comparison {
  readonly name: string;
  readonly original: string;
  readonly ours: string;
}

function compare(vector: SchedulingVector): Comparison[] {
  const { plan, session, unplaced } = solveJson(vector.problem, { ...vector.policy });
  const shapes = session.compiled.shapes;
  return [...plan.failures.keys()].flatMap((pod) => {
    const original = vector.plan.podErrors[podKey(pod)];
    const shape = shapes.shapeOf(pod);
    if (original === undefined || !unplaced.has(shape)) return [];
    const ours = podError(asJudgedThere(explainShape(session, shape)));
    const name = `${vector.name}: ${podKey(pod)}`;
    return [{ name, original: withoutHosts(original), ours: withoutHosts(ours) }];
  });
}

/** The original does not look at the size of a type that it finds no offering of. */
function asJudgedThere(record: Explanation): Explanation {
  return { ...record, pools: record.pools.map(judgedThere) };
}

function judgedThere(verdict: PoolVerdict): PoolVerdict {
  const { reason } = verdict;
  if (reason.kind !== 'types') return verdict;
  const met = reason.met.map((one) => ({ ...one, resources: one.resources && one.offering }));
  return { ...verdict, reason: { ...reason, met } };
}

/** Hosts are numbered by how often one was tried there, and which there are depends on the plan. */
function withoutHosts(text: string): string {
  return text
    .replaceAll(/hostname \(counts = .*?, podDomains/g, 'hostname (counts = …, podDomains')
    .replaceAll(/hostname-placeholder-\d+/g, 'hostname-placeholder-N');
}

describe('messages for pods that go nowhere', () => {
  const compared = readVectors().flatMap(compare);

  test('are compared in numbers', () => {
    expect(compared.length).toBeGreaterThan(50);
  });

  test.each(
    compared.filter(({ name }) => !ownWords.has(name)).map((one) => [one.name, one] as const),
  )('are those of the original: %s', (_, { ours, original }) => {
    expect(ours).toBe(original);
  });

  test.each(
    compared.filter(({ name }) => ownWords.has(name)).map((one) => [one.name, one] as const),
  )('say more than the original: %s', (name, { ours, original }) => {
    expect(ours).not.toBe(original);
    expect(ours).toContain(ownWords.get(name));
  });

  test('are those of the full explanation', () => {
    for (const { problem } of readVectors('edge-cases', 'random')) {
      const { session, unplaced } = solveJson(problem);
      const errorOf = podErrors(session);
      for (const shape of unplaced.keys()) {
        expect(errorOf(shape)).toBe(podError(explainShape(session, shape)));
      }
    }
  });
});
