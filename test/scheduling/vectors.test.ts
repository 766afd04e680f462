// Our plans beside those that the original made of the same problems. Ours keep every rule, place the same pods and cost no
// more, except where the table says otherwise and why; an entry that is no longer true fails as well.
import { describe, expect, test } from 'vitest';
import { solveProblem } from '../support/scheduling/solve-problem.ts';
import { readVectors, type SchedulingVector } from '../support/scheduling/vectors.ts';
import { verifyPlan } from '../support/scheduling/verify-plan.ts';

/** Ours refuses pods that the original places, places pods that it refuses, or costs more. */
type Difference = 'refuses' | 'places' | 'costs more';

const differences: Readonly<Record<string, readonly [Difference, string]>> = {
  'pods ask for labels that the pool defines, leaves open or does not know': [
    'refuses',
    'only a pod that avoids a value brings the label, and here it shares a node with one that avoids the label',
  ],
  'a preference against a selector lets a pod onto a node without the label': [
    'refuses',
    'two values that exclude each other are no absence of the label',
  ],
  'a pod that asks for any team but one gets a node without a team': [
    'refuses',
    'whoever asks for a label is not satisfied by its absence',
  ],
  'a pod that avoids a label value opens a node for pods that ask for the label': [
    'refuses',
    'what a pod must not find is no label of the node',
  ],
  'a required term without expressions matches no node': [
    'refuses',
    'an empty term selects nothing, as the API says',
  ],
  'a limit of nodes holds within one plan': [
    'refuses',
    'every new node lowers the number that is left',
  ],
  'the first of its kind may not start anew where others run elsewhere': [
    'refuses',
    'pods in domains that the pod may not use are there all the same',
  ],
  'company must satisfy all terms at once': [
    'refuses',
    'the kube-scheduler wants one pod that satisfies all terms',
  ],
  'the second of a kind may not start anew because the first is not decided yet': [
    'refuses',
    'where the first will be is open, so nobody can follow it in this pass',
  ],
  'nodes of an alternative that was given up still count for the spread': [
    'refuses',
    'the kube-scheduler knows nothing of alternatives given up',
  ],
  'domains that a pod may not use count when affinity is to be ignored': [
    'refuses',
    'the lowest count is that of all domains when the policy says so',
  ],
  'a wish to spread gives way, a demand does not': [
    'places',
    'a zone in which no node can be made is no domain, though the pool names it',
  ],
  'zones of nodes that a pod may not use do not count': [
    'places',
    'a zone that has no nodes for the pod is no domain for it',
  ],
  'pods that want each other share a host': [
    'places',
    'the first of pods that must share a host looks for room for all of them',
  ],
  'random 25, 5 pods': [
    'places',
    'which domains there are does not depend on the taints that the first pod tolerates',
  ],
  'random 45, 3 pods': [
    'places',
    'which domains there are does not depend on the taints that the first pod tolerates',
  ],
  'random 52, 5 pods': [
    'places',
    'which domains there are does not depend on the taints that the first pod tolerates',
  ],
  'ports of a sidecar count': ['costs more', 'pods whose sidecars want one port get two nodes'],
  'pods of one spread that ask for different nodes are counted apart': [
    'costs more',
    'the original is cheaper when it counts a pod for some of those that count it; this is the least possible',
  ],
};

const vectors = readVectors();
const named = vectors.map((vector) => [vector.name, vector] as const);

/** The least that the original ever paid for these pods; it may have placed others in other runs. */
function leastPaid({ range, plan }: SchedulingVector): number {
  const [fewest, most] = range.podErrors;
  return fewest === most ? range.totalPrice[0] : plan.totalPrice;
}

function differencesOf(vector: SchedulingVector): Difference[] {
  const { document } = solveProblem(vector.problem, vector.policy);
  const [ours, theirs] = [document, vector.plan].map(
    ({ podErrors }) => new Set(Object.keys(podErrors)),
  );
  const found = new Set<Difference>();
  if (!ours!.isSubsetOf(theirs!)) found.add('refuses');
  if (!theirs!.isSubsetOf(ours!)) found.add('places');
  if (found.size === 0 && document.totalPrice > leastPaid(vector) + 1e-6) found.add('costs more');
  return [...found];
}

describe('our plans of recorded problems', () => {
  test.each(named)('keep the rules: %s', (_, { problem, policy }) => {
    const { document } = solveProblem(problem, policy);
    const minValues = policy?.minValuesPolicy ?? 'Strict';
    expect(verifyPlan(problem, document, { minValues })).toEqual([]);
  });

  test.each(named.filter(([name]) => differences[name] === undefined))(
    'place the same pods for no more than the original: %s',
    (_, vector) => {
      expect(differencesOf(vector)).toEqual([]);
    },
  );

  test.each(Object.entries(differences))('differ as listed: %s', (name, [difference]) => {
    const vector = vectors.find((candidate) => candidate.name === name);
    expect(vector && differencesOf(vector)).toEqual([difference]);
  });

  test('cost less in all where the same pods are placed', () => {
    const alike = vectors.filter(({ name }) => differences[name] === undefined);
    const ours = alike.map(({ problem, policy }) => solveProblem(problem, policy).document);
    const total = ours.reduce((sum, { totalPrice }) => sum + totalPrice, 0);
    const theirs = alike.reduce((sum, vector) => sum + leastPaid(vector), 0);
    expect(total / theirs).toBeLessThan(0.92);
  });
});
