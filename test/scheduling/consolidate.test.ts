// Our commands beside those that the original gave for the same clusters. Ours keep every rule, never make a cluster dearer,
// stay within budgets and save no less; and once they are through with a cluster they leave it alone.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/api/meta.ts';
import {
  type CommandDocument,
  methodDocument,
} from '../../src/scheduling/consolidate/consolidate-document.ts';
import { Consolidation, type Method } from '../../src/scheduling/consolidate/consolidate.ts';
import { problemCluster } from '../../src/scheduling/consolidate/problem-cluster.ts';
import { readProblem } from '../../src/scheduling/problem/read-problem.ts';
import {
  afterwards,
  type CommandJson,
  type ConsolidationVector,
  readConsolidationVectors,
} from '../support/scheduling/consolidation.ts';
import type { NodeJson, ProblemJson } from '../support/scheduling/problem-json.ts';
import { verifyPlan } from '../support/scheduling/verify-plan.ts';

const vectors = readConsolidationVectors();
const named = vectors.map((vector) => [vector.name, vector] as const);
const originals = ['empty', 'multi', 'single'] as const;
const rounding = 1e-6;

function open({ problem, spotToSpot }: Pick<ConsolidationVector, 'problem' | 'spotToSpot'>) {
  const document = readProblem(problem as unknown as Json);
  return new Consolidation(problemCluster(document, document.nowMs!), { spotToSpot });
}

function commandsOf(consolidation: Consolidation, method: Method): readonly CommandDocument[] {
  const { command, commands = [] } = methodDocument(method, consolidation.run(method), false);
  return command ? [command] : commands;
}

function violations(problem: ProblemJson, commands: readonly CommandJson[]) {
  const after = afterwards(problem, commands);
  return verifyPlan(after.problem, after.plan);
}

function total(commands: readonly { readonly savings: number }[]): number {
  return commands.reduce((sum, { savings }) => sum + savings, 0);
}

/** Money per disruption. */
function worth(command: Pick<CommandDocument, 'candidates' | 'savings'> | null): number {
  const { candidates, savings } = command ?? { candidates: [], savings: 0 };
  if (candidates.length === 0) return 0;
  return savings / candidates.reduce((sum, { disruptionCost }) => sum + disruptionCost, 0);
}

function theirs({ methods }: ConsolidationVector, method: (typeof originals)[number]) {
  return methods[method].command;
}

describe('our commands for recorded clusters', () => {
  test('are judged by rules that the original keeps, but for types that it cannot launch as it says', () => {
    for (const vector of vectors) {
      for (const method of originals) {
        const command = theirs(vector, method);
        const found = command === null ? [] : violations(vector.problem, [command]);
        const others = found.filter(({ text }) => !text.endsWith('karpenter.sh/capacity-type'));
        expect(others).toEqual([]);
      }
    }
  });

  test.each(named)('find the same candidates under the same budgets: %s', (_, vector) => {
    const consolidation = open(vector);
    for (const method of originals) {
      const { candidates, budget } = methodDocument(method, consolidation.run(method), false);
      const { command: _command, ...expected } = vector.methods[method];
      expect({ candidates, budget }).toEqual(expected);
    }
  });

  test.each(named)('keep the rules and the budgets, and save money: %s', (_, vector) => {
    const consolidation = open(vector);
    for (const method of [...originals, 'best'] as const) {
      const commands = commandsOf(consolidation, method);
      expect(violations(vector.problem, commands)).toEqual([]);
      const budget = vector.methods.multi.budget['default']!;
      const gone = commands.flatMap(({ candidates }) => candidates);
      expect(gone.length).toBeLessThanOrEqual(budget);
      expect(new Set(gone.map(({ node }) => node)).size).toBe(gone.length);
      for (const { savings } of commands) expect(savings).toBeGreaterThan(0);
    }
  });

  test.each(named)('cost less whatever is launched: %s', (_, vector) => {
    const prices = new Map(
      vector.problem.instanceTypes.map((type) => [type.name, type.offerings] as const),
    );
    for (const command of commandsOf(open(vector), 'best')) {
      const freed = command.candidates.reduce((sum, { price }) => sum + price, 0);
      const worst = command.replacements.map(({ instanceTypes, requirements }) => {
        const ways = requirements.find(({ key }) => key === 'karpenter.sh/capacity-type')!.values!;
        const zones = requirements.find(({ key }) => key === 'topology.kubernetes.io/zone')?.values;
        const offered = instanceTypes.flatMap((name) => prices.get(name)!);
        const possible = offered.filter(
          ({ available, capacityType, zone }) =>
            available && ways.includes(capacityType) && (zones?.includes(zone) ?? true),
        );
        return Math.max(...possible.map(({ price }) => price));
      });
      expect(worst.reduce((sum, price) => sum + price, 0)).toBeLessThan(freed);
    }
  });

  test.each(named)('save no less than the original: %s', (_, vector) => {
    const consolidation = open(vector);
    for (const method of ['empty', 'multi'] as const) {
      const expected = theirs(vector, method)?.savings ?? 0;
      expect(total(commandsOf(consolidation, method))).toBeGreaterThanOrEqual(expected - rounding);
    }
    const [one] = commandsOf(consolidation, 'single');
    const other = theirs(vector, 'single');
    const [ourWorth, theirWorth] = [one ?? null, other].map((command) => worth(command));
    expect(ourWorth).toBeGreaterThanOrEqual(theirWorth! - rounding);
    const best = Math.max(...originals.map((method) => theirs(vector, method)?.savings ?? 0));
    expect(total(commandsOf(consolidation, 'best'))).toBeGreaterThanOrEqual(best - rounding);
  });

  test.each(named)('come to an end: %s', (_, vector) => {
    let { problem } = vector;
    let left = 20;
    for (; left > 0; left--) {
      const commands = commandsOf(open({ ...vector, problem }), 'best');
      if (commands.length === 0) break;
      problem = carriedOut(problem, commands);
    }
    expect(left).toBeGreaterThan(0);
  });

  test('say for every managed node that stays why it does', () => {
    for (const vector of vectors) {
      const outcome = open(vector).run('best');
      const gone = outcome.commands.flatMap(({ candidates }) => candidates.map(({ name }) => name));
      expect(outcome.staying.size + gone.length).toBe(vector.problem.nodes!.length);
    }
  });
});

/** The cluster when the new nodes are there and pods are where they were expected. */
function carriedOut(problem: ProblemJson, commands: readonly CommandDocument[]): ProblemJson {
  const { problem: rest, plan } = afterwards(problem, commands);
  const added = plan.newNodeClaims.map(({ launch, nodePool, pods }, i) => {
    const name = `new-${rest.nodes!.length}-${i}`;
    const { instanceType, capacityType } = launch;
    const node: NodeJson = { name, nodePool, instanceType, capacityType, zone: launch.zones![0]! };
    return { name, node, pods };
  });
  const places = new Map([
    ...plan.existingNodes.flatMap(({ name, pods }) => pods.map((pod) => [pod, name] as const)),
    ...added.flatMap(({ name, pods }) => pods.map((pod) => [pod, name] as const)),
  ]);
  const bound = rest.pods.map(({ metadata, spec }) => ({
    metadata,
    spec: { ...spec, nodeName: places.get(`${metadata.namespace}/${metadata.name}`)! },
  }));
  return {
    ...rest,
    nodes: [...rest.nodes!, ...added.map(({ node }) => node)],
    boundPods: [...rest.boundPods!, ...bound],
    pods: [],
  };
}
