import { expect, test } from 'vitest';
import {
  instanceType,
  node,
  nodePool,
  pod,
  problem,
} from '../../../test/support/scheduling/builders.ts';
import { solveProblem } from '../../../test/support/scheduling/solve-problem.ts';

test('a plan is written with its parts sorted: claims by pool and pod, nodes, errors and pods by name', () => {
  const on = (pool: string) => ({ cpu: '3', nodeSelector: { 'karpenter.sh/nodepool': pool } });
  const { document } = solveProblem(
    problem({
      nodePools: [nodePool({ name: 'b' }), nodePool({ name: 'a' })],
      instanceTypes: [instanceType()],
      nodes: [node({ name: 'n2', nodePool: 'b' }), node({ name: 'n1', nodePool: 'b' })],
      pods: [
        pod({ name: 'z', nodeSelector: { team: 'none' } }),
        pod({ name: 'y', nodeSelector: { team: 'none' } }),
        pod({ name: 'b1', ...on('b'), cpu: '4' }),
        pod({ name: 'b2', ...on('b'), cpu: '3900m' }),
        pod({ name: 'a2', ...on('a') }),
        pod({ name: 'a1', ...on('a') }),
        pod({ name: 'a3', ...on('a'), cpu: '100m' }),
      ],
    }),
  );
  expect({
    claims: document.newNodeClaims.map(({ nodePool: pool, pods }) => [pool, pods]),
    nodes: document.existingNodes,
    errors: Object.keys(document.podErrors),
    total: document.totalPrice,
  }).toEqual({
    claims: [
      ['a', ['default/a1', 'default/a3']],
      ['a', ['default/a2']],
    ],
    nodes: [
      { name: 'n1', pods: ['default/b1'] },
      { name: 'n2', pods: ['default/b2'] },
    ],
    errors: ['default/y', 'default/z'],
    total: 0.4,
  });
});
