import { describe, expect, test } from 'vitest';
import { coreLabelRules } from '../../model/label-rules.ts';
import { describeRequirements } from '../../model/requirements.ts';
import { exists, is, nodePool, problem } from '../../../test/support/scheduling/builders.ts';
import type { NodePoolJson } from '../../../test/support/scheduling/problem-json.ts';
import { schedulingProblem } from '../../../test/support/scheduling/solve-problem.ts';
import { byWeight, templateRequirements } from './template.ts';

function pools(...nodePools: NodePoolJson[]) {
  return schedulingProblem(problem({ nodePools })).pools;
}

describe('what a new node of a pool must be', () => {
  test('comes from requirements, labels, the pool, its class, and from being up', () => {
    const [entry] = pools(
      nodePool({ requirements: [is('tier', 'a', 'b'), exists('disk')], labels: { team: 'red' } }),
    );
    const text = describeRequirements(
      coreLabelRules,
      templateRequirements(coreLabelRules, entry!.pool),
    );
    expect(text.split(', ')).toEqual([
      'disk Exists',
      'karpenter.azure.com/aksnodeclass In [default]',
      'karpenter.sh/initialized In [true]',
      'karpenter.sh/nodepool In [default]',
      'karpenter.sh/registered In [true]',
      'team In [red]',
      'tier In [a b]',
    ]);
  });

  test('is no host that anybody could name', () => {
    const [entry] = pools(nodePool());
    const hostname = templateRequirements(coreLabelRules, entry!.pool).get(
      'kubernetes.io/hostname',
    );
    expect([...hostname!.values]).toEqual(['hostname-placeholder']);
  });

  test('is narrowed where a label and a requirement speak of one key', () => {
    const [entry] = pools(
      nodePool({ requirements: [is('team', 'red', 'blue')], labels: { team: 'red' } }),
    );
    const team = templateRequirements(coreLabelRules, entry!.pool).get('team');
    expect([...team!.values]).toEqual(['red']);
  });
});

test('pools come heaviest first, those of equal weight last by name first', () => {
  const sorted = byWeight(
    pools(
      nodePool({ name: 'a' }),
      nodePool({ name: 'heavy', weight: 50 }),
      nodePool({ name: 'b', weight: 10 }),
      nodePool({ name: 'c', weight: 10 }),
      nodePool({ name: 'z' }),
    ),
  );
  expect(sorted.map(({ pool }) => pool.metadata.name)).toEqual(['heavy', 'c', 'b', 'z', 'a']);
});
