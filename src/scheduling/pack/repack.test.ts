// What packing may change about a first plan, and what it may not. Plans are compared with and without it.
import { describe, expect, test } from 'vitest';
import {
  capacityType,
  claim,
  exists,
  hostname,
  instanceType,
  isNot,
  nodePool,
  pod,
  podsWith,
  problem,
  replicas,
  spreadOver,
  volume,
  zone,
} from '../../../test/support/scheduling/builders.ts';
import type { PlanJson, ProblemJson } from '../../../test/support/scheduling/problem-json.ts';
import { solveProblem } from '../../../test/support/scheduling/solve-problem.ts';
import { verifyPlan } from '../../../test/support/scheduling/verify-plan.ts';

const web = { app: 'web' };
const small = instanceType({ name: 'small', cpu: '2', memory: '8Gi', price: 0.1 });
const medium = instanceType({ name: 'medium', cpu: '4', memory: '16Gi', price: 0.25 });
const large = instanceType({ name: 'large', cpu: '8', memory: '32Gi', price: 0.6 });

interface Outcome {
  readonly first: number;
  readonly packed: number;
  readonly plan: PlanJson;
}

function pack(input: ProblemJson): Outcome {
  const first = solveProblem(input, { packRounds: 0 }).document;
  const plan = solveProblem(input).document;
  expect(verifyPlan(input, plan)).toEqual([]);
  expect(Object.keys(plan.podErrors)).toEqual(Object.keys(first.podErrors));
  const rounded = ({ totalPrice }: PlanJson): number => Math.round(totalPrice * 1e6) / 1e6;
  return { first: rounded(first), packed: rounded(plan), plan };
}

describe('packing', () => {
  test('takes small nodes where the first plan filled up large ones', () => {
    const pods = replicas(4, { name: 'p', cpu: '2' });
    expect(pack(problem({ instanceTypes: [small, medium, large], pods }))).toMatchObject({
      first: 0.6,
      packed: 0.4,
    });
  });

  test('takes large nodes where those cost less', () => {
    const cheap = instanceType({ name: 'large', cpu: '8', memory: '32Gi', price: 0.3 });
    const pods = replicas(4, { name: 'p', cpu: '2' });
    expect(pack(problem({ instanceTypes: [small, medium, cheap], pods })).packed).toBe(0.3);
  });

  test('puts pods of many cores beside pods of much memory', () => {
    const balanced = instanceType({ name: 'balanced', cpu: '8', memory: '32Gi', price: 0.4 });
    const pods = [
      ...replicas(4, { name: 'cores', cpu: '3500m', memory: '1Gi' }),
      ...replicas(4, { name: 'memory', cpu: '100m', memory: '14Gi' }),
    ];
    expect(pack(problem({ instanceTypes: [balanced], pods })).packed).toBe(0.8);
  });

  test('leaves a plan alone that cannot be had for less', () => {
    const pods = replicas(2, { name: 'p', cpu: '2' });
    const { first, packed } = pack(problem({ instanceTypes: [small], pods }));
    expect([first, packed]).toEqual([0.2, 0.2]);
  });

  test('counts what a node costs beside its machine', () => {
    const pods = replicas(4, { name: 'p', cpu: '2' });
    const input = problem({ instanceTypes: [small, large], pods });
    const types = (nodeCostPerHour: number) =>
      solveProblem(input, { nodeCostPerHour }).document.newNodeClaims.map(
        ({ launch }) => launch.instanceType,
      );
    expect([types(0).length, types(0.1)]).toEqual([4, ['large']]);
  });

  test('is not done in no rounds', () => {
    const pods = replicas(4, { name: 'p', cpu: '2' });
    const input = problem({ instanceTypes: [small, large], pods });
    expect(solveProblem(input, { packRounds: 0 }).document.newNodeClaims).toHaveLength(1);
  });
});

describe('packing keeps', () => {
  test('pods of a pool in it, although another is cheaper', () => {
    const nodePools = [
      nodePool({
        name: 'dear',
        weight: 10,
        requirements: [{ key: capacityType, operator: 'In', values: ['on-demand'] }],
      }),
      nodePool({
        name: 'cheap',
        requirements: [{ key: capacityType, operator: 'In', values: ['spot'] }],
      }),
    ];
    const both = instanceType({ name: 'both', capacityTypes: ['spot', 'on-demand'] });
    const { plan } = pack(
      problem({ nodePools, instanceTypes: [both], pods: replicas(3, { name: 'p' }) }),
    );
    expect(plan.newNodeClaims.map(({ nodePool: name }) => name)).toEqual(['dear']);
  });

  test('pods apart that must be', () => {
    const pods = replicas(4, { name: 'p', labels: web, apart: [podsWith(web, hostname)] });
    expect(pack(problem({ instanceTypes: [small, large], pods })).plan.newNodeClaims).toHaveLength(
      4,
    );
  });

  test('pods together that must be', () => {
    const pods = replicas(4, { name: 'p', cpu: '2', labels: web, near: [podsWith(web, hostname)] });
    expect(pack(problem({ instanceTypes: [small, large], pods })).plan.newNodeClaims).toHaveLength(
      1,
    );
  });

  test('as many pods on a host as the skew allows', () => {
    const pods = replicas(6, {
      name: 'p',
      labels: web,
      spread: [spreadOver(hostname, web, { maxSkew: 2 })],
    });
    const { plan } = pack(problem({ instanceTypes: [small, large], pods }));
    expect(plan.newNodeClaims.map((claim) => claim.pods.length)).toEqual([2, 2, 2]);
  });

  test('pods of one port on nodes of their own', () => {
    const pods = replicas(3, { name: 'p', ports: [80] });
    expect(pack(problem({ instanceTypes: [small, large], pods })).plan.newNodeClaims).toHaveLength(
      3,
    );
  });

  test('pods in the zones that were settled for them', () => {
    const pods = replicas(6, { name: 'p', cpu: '2', labels: web, spread: [spreadOver(zone, web)] });
    const { plan, first, packed } = pack(problem({ instanceTypes: [small, medium, large], pods }));
    const zones = plan.newNodeClaims.flatMap(({ launch, pods: names }) =>
      names.map(() => launch.zones?.join() ?? ''),
    );
    expect({ zones: zones.toSorted(), isCheaper: packed < first }).toEqual({
      zones: ['z1', 'z1', 'z2', 'z2', 'z3', 'z3'],
      isCheaper: true,
    });
  });

  test('a pod with the one that brought the label it asks for', () => {
    const persistentVolumes = [volume({ name: 'v', zones: ['z1'] })];
    const persistentVolumeClaims = [claim({ name: 'c', volume: 'v' })];
    const pods = [
      pod({ name: 'brings', cpu: '3', required: [[isNot('team', 'red')]] }),
      pod({ name: 'asks', cpu: '1', claims: ['c'], required: [[exists('team')]] }),
      pod({ name: 'plain', cpu: '1' }),
    ];
    const storage = { persistentVolumes, persistentVolumeClaims };
    const { plan } = pack(problem({ ...storage, instanceTypes: [small, medium, large], pods }));
    const together = plan.newNodeClaims.find((one) => one.pods.includes('default/asks'));
    expect(together?.pods).toContain('default/brings');
  });

  test('within the limits of the pool, or lets it be', () => {
    const nodePools = [nodePool({ limits: { nodes: '1' } })];
    const pods = replicas(4, { name: 'p', cpu: '2' });
    expect(pack(problem({ nodePools, instanceTypes: [small, large], pods }))).toMatchObject({
      first: 0.6,
      packed: 0.6,
    });
  });

  test('the price of what limits leave', () => {
    const nodePools = [nodePool({ limits: { cpu: '10' } })];
    const instanceTypes = [
      instanceType({ name: 'large', cpu: '8', price: 0.25 }),
      instanceType({ name: 'bargain', cpu: '4', price: 0.1 }),
      instanceType({ name: 'small', cpu: '2', price: 0.2 }),
    ];
    const pods = replicas(6, { name: 'p', cpu: '1' });
    const { first, packed } = pack(problem({ nodePools, instanceTypes, pods }));
    expect(packed).toBeLessThanOrEqual(first);
  });

  test('the variety that the pool asks for, or lets it be', () => {
    const requirements = [{ ...exists('node.kubernetes.io/instance-type'), minValues: 2 }];
    const nodePools = [nodePool({ requirements })];
    const pods = [pod({ name: 'a', cpu: '3' }), pod({ name: 'b', cpu: '3' })];
    const { plan } = pack(problem({ nodePools, instanceTypes: [small, medium, large], pods }));
    expect(plan.newNodeClaims.every(({ instanceTypes }) => instanceTypes.length >= 2)).toBe(true);
  });
});
