import { describe, expect, test } from 'vitest';
import {
  instanceType,
  nodePool,
  pod,
  problem,
  replicas,
} from '../../../test/support/scheduling/builders.ts';
import { solveJson } from '../../../test/support/scheduling/solve-json.ts';
import { explainClaim } from './explain-claim.ts';

const small = instanceType({ name: 'small', cpu: '2', price: 0.1 });
const middle = instanceType({ name: 'middle', cpu: '4', price: 0.2 });
const large = instanceType({ name: 'large', cpu: '8', price: 0.3 });
const instanceTypes = [small, middle, large];

function explained(json: Parameters<typeof problem>[0]) {
  const { session, claims } = solveJson(problem({ instanceTypes, ...json }));
  return claims.map((claim) => explainClaim(session, claim));
}

describe('why a node is of its type', () => {
  test('the next cheaper one is too small by so much, the next dearer one would do', () => {
    expect(explained({ pods: replicas(2, { name: 'p', cpu: '1500m' }) })).toEqual([
      {
        pool: 'default',
        choice: { instanceType: 'middle', price: 0.2 },
        cheaper: { instanceType: 'small', price: 0.1, short: { cpu: '1' } },
        dearer: { instanceType: 'large', price: 0.3 },
      },
    ]);
  });

  test('the cheapest has no cheaper one, the dearest no dearer one', () => {
    const [cheapest] = explained({ pods: [pod({ cpu: '1' })] });
    const [dearest] = explained({ pods: [pod({ cpu: '7' })] });
    expect(cheapest).not.toHaveProperty('cheaper');
    expect(dearest).not.toHaveProperty('dearer');
  });

  test('a dearer one that limits forbid would not do', () => {
    const nodePools = [nodePool({ limits: { cpu: '3' } })];
    expect(explained({ nodePools, pods: [pod({ cpu: '1' })] })).toEqual([
      { pool: 'default', choice: { instanceType: 'small', price: 0.1 } },
    ]);
  });
});
