import { describe, expect, test } from 'vitest';
import {
  instanceType,
  node,
  nodePool,
  pod,
  podsWith,
  problem,
  taint,
  zone,
} from '../../../test/support/scheduling/builders.ts';
import type { ProblemJson } from '../../../test/support/scheduling/problem-json.ts';
import { solveJson } from '../../../test/support/scheduling/solve-json.ts';
import { describeExplanation } from './describe-explanation.ts';
import { explainShape } from './explain-shape.ts';

const instanceTypes = [instanceType({ name: 'small', cpu: '2', memory: '4Gi' })];

function lines(json: Partial<ProblemJson>): string[] {
  const { session, unplaced } = solveJson(problem({ instanceTypes, ...json }));
  const [shape] = unplaced.keys();
  return describeExplanation(explainShape(session, shape!));
}

describe('an explanation for a person', () => {
  test('says what is asked for, what nodes and pools answer, and what comes closest', () => {
    expect(
      lines({ nodes: [node({ instanceType: 'small' })], pods: [pod({ name: 'p', cpu: '3' })] }),
    ).toEqual([
      'default/p asks for cpu 3, memory 128Mi, pods 1.',
      '  Existing nodes (1): 1 without enough room.',
      '  NodePool default: no instance type is large enough.',
      '    Of 1 instance types, excluded by size 1.',
      '    small comes closest, short of cpu 1.',
    ]);
  });

  test.each<[string, Partial<ProblemJson>, string]>([
    [
      'taints',
      { nodePools: [nodePool({ taints: [taint('team', 'x')] })], pods: [pod()] },
      'the pod does not tolerate team=x:NoSchedule',
    ],
    [
      'limits',
      { nodePools: [nodePool({ limits: { nodes: '0' } })], pods: [pod()] },
      'its limit of nodes is reached',
    ],
    [
      'limits that every type exceeds',
      { nodePools: [nodePool({ limits: { cpu: '1' } })], pods: [pod()] },
      'every instance type would exceed its limits',
    ],
    [
      'labels',
      { pods: [pod({ nodeSelector: { team: 'red' } })] },
      'labels do not agree: label "team" does not have known values',
    ],
    [
      'topology',
      { pods: [pod({ near: [podsWith({ app: 'none' }, zone)] })] },
      `pod affinity over ${zone} leaves no domain (z1 has 0, z2 has 0, z3 has 0)`,
    ],
    [
      'offerings',
      { pods: [pod({ nodeSelector: { [zone]: 'z9' } })] },
      'no instance type has the labels, none can be bought that way',
    ],
    [
      'variety',
      {
        nodePools: [
          nodePool({
            requirements: [
              { key: 'karpenter.azure.com/sku-cpu', operator: 'Exists', minValues: 2 },
            ],
          }),
        ],
        instanceTypes: [...instanceTypes, instanceType({ name: 'large', cpu: '8' })],
        pods: [pod({ cpu: '5' })],
      },
      'what remains has too few values of karpenter.azure.com/sku-cpu for its minValues',
    ],
  ])('names the rule: %s', (_, json, sentence) => {
    expect(lines(json)).toContain(`  NodePool default: ${sentence}.`);
  });

  test('says that there is nobody to ask', () => {
    expect(lines({ nodePools: [], pods: [pod()] }).at(-1)).toBe(
      '  There is no NodePool that could make a node.',
    );
  });
});
