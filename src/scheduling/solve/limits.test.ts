import { describe, expect, test } from 'vitest';
import {
  instanceType,
  node,
  nodePool,
  problem,
} from '../../../test/support/scheduling/builders.ts';
import type { NodeJson } from '../../../test/support/scheduling/problem-json.ts';
import { compileProblem } from '../../../test/support/scheduling/solve-problem.ts';
import { LimitLedger } from './limits.ts';

const instanceTypes = [
  instanceType({ name: 'small', cpu: '2', memory: '8Gi' }),
  instanceType({ name: 'medium', cpu: '4', memory: '16Gi' }),
  instanceType({ name: 'large', cpu: '8', memory: '64Gi' }),
];

function ledgerOf(
  limits: Record<string, string>,
  nodes: readonly NodeJson[] = [],
  removed: readonly string[] = [],
) {
  const compiled = compileProblem(
    problem({ nodePools: [nodePool({ limits })], instanceTypes, nodes }),
  );
  const { catalog, templates, nodes: table } = compiled;
  const [template] = templates;
  const ledger = new LimitLedger(
    compiled,
    new Set(removed.map((name) => table.nodes.findIndex((one) => one.name === name))),
  );
  const name = (variant: number): string => catalog.types[catalog.typeOf[variant]!]!.name;
  const variantOf = (type: string): number =>
    [...template!.members].find((variant) => name(variant) === type)!;
  return {
    /** `exhausted`, or the types that a new node may be. */
    left: () =>
      ledger.isExhausted(template!)
        ? 'exhausted'
        : [...(ledger.allowed(template!) ?? template!.members)].map(name),
    charge: (...types: string[]) => ledger.charge(template!, types.map(variantOf)),
  };
}

describe('a pool with limits', () => {
  test('may make every type that does not pass any of them', () => {
    expect(ledgerOf({ cpu: '10' }).left()).toEqual(['large', 'medium', 'small']);
    expect(ledgerOf({ cpu: '7' }).left()).toEqual(['medium', 'small']);
    expect(ledgerOf({ cpu: '10', memory: '32Gi' }).left()).toEqual(['medium', 'small']);
    expect(ledgerOf({ cpu: '1' }).left()).toEqual([]);
  });

  test('may make a node that uses a limit up exactly', () => {
    expect(ledgerOf({ cpu: '2' }).left()).toEqual(['small']);
  });

  test('has less by what its nodes have', () => {
    expect(ledgerOf({ cpu: '7' }, [node({ instanceType: 'small' })]).left()).toEqual([
      'medium',
      'small',
    ]);
    expect(ledgerOf({ cpu: '3' }, [node({ instanceType: 'large' })]).left()).toEqual([]);
  });

  test('is not charged for nodes of others, nor for those on their way out', () => {
    const leaving = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };
    const nodes = [
      { name: 'foreign', instanceType: 'large', zone: 'z1' },
      node({ name: 'leaving', instanceType: 'large', nodeClaim: leaving }),
    ];
    expect(ledgerOf({ cpu: '8' }, nodes).left()).toEqual(['large', 'medium', 'small']);
  });

  test('gets back what a node has that is left out of the question', () => {
    const nodes = [node({ name: 'old', instanceType: 'medium' })];
    const limits = { cpu: '6', nodes: '1' };
    expect([ledgerOf(limits, nodes).left(), ledgerOf(limits, nodes, ['old']).left()]).toEqual([
      'exhausted',
      ['medium', 'small'],
    ]);
  });
});

describe('a new node', () => {
  test('is charged as the largest of the types it may become', () => {
    const pool = ledgerOf({ cpu: '10' });
    pool.charge('small', 'large');
    expect(pool.left()).toEqual(['small']);
  });

  test('counts as one node, and no more are made than the limit says', () => {
    const pool = ledgerOf({ nodes: '2' });
    pool.charge('small');
    expect(pool.left()).toEqual(['large', 'medium', 'small']);
    pool.charge('small');
    expect(pool.left()).toBe('exhausted');
  });

  test('is not made at all where no node is left or more are there already', () => {
    expect(ledgerOf({ nodes: '0' }).left()).toBe('exhausted');
    expect(ledgerOf({ nodes: '1' }, [node({ name: 'a' }), node({ name: 'b' })]).left()).toBe(
      'exhausted',
    );
  });

  test('does not change what other solves see', () => {
    const one = ledgerOf({ cpu: '8' });
    one.charge('large');
    expect([one.left(), ledgerOf({ cpu: '8' }).left()]).toEqual([[], ['large', 'medium', 'small']]);
  });
});
