import { describe, expect, test } from 'vitest';
import { nodePool, pod, problem } from '../../../test/support/scheduling/builders.ts';
import type { OfferingJson, ProblemJson } from '../../../test/support/scheduling/problem-json.ts';
import { solveProblem } from '../../../test/support/scheduling/solve-problem.ts';
import type { SchedulingOptions } from '../scheduling-problem.ts';

const reservationKey = 'example.com/reservation';

const reserved = (id: string, machines: number): OfferingJson =>
  ({
    zone: 'z1',
    capacityType: 'reserved',
    price: 0.001,
    available: true,
    requirements: [{ key: reservationKey, operator: 'In', values: [id] }],
    reservationID: id,
    reservationCapacity: machines,
  }) as OfferingJson;

const bought: OfferingJson = { zone: 'z1', capacityType: 'on-demand', price: 0.2, available: true };

/** Pods that each need a machine of their own; machines may be had with a reservation or without. */
function reservedProblem(machines: number, pods: number): ProblemJson {
  return problem({
    nodePools: [nodePool({ name: 'heavy' }), nodePool({ name: 'light' })].map((pool, i) => ({
      ...pool,
      spec: { ...pool.spec, weight: i === 0 ? 10 : 1 },
    })),
    wellKnownLabels: [reservationKey],
    instanceTypes: [
      {
        name: 'large',
        capacity: { cpu: '4', memory: '16Gi', pods: '110' },
        offerings: [reserved('r-1', machines), bought],
      },
    ],
    pods: Array.from({ length: pods }, (_, i) => pod({ name: `p-${i}`, cpu: '3' })),
  });
}

function outcome(
  problemJson: ProblemJson,
  reservedCapacity: SchedulingOptions['reservedCapacity'],
) {
  const { document } = solveProblem(problemJson, { reservedCapacity });
  return {
    launches: document.newNodeClaims.map(({ launch }) => launch.capacityType).toSorted(),
    waiting: Object.keys(document.podErrors).length,
    pools: [...new Set(document.newNodeClaims.map((claim) => claim.nodePool))],
  };
}

describe('capacity bought in advance', () => {
  test('is handed out machine by machine, and pods beyond it wait rather than cost more', () => {
    expect(outcome(reservedProblem(2, 3), 'Strict')).toEqual({
      launches: ['reserved', 'reserved'],
      waiting: 1,
      pools: ['heavy'],
    });
  });

  test('is used as far as it goes where pods cannot wait', () => {
    expect(outcome(reservedProblem(2, 3), 'Fallback')).toMatchObject({ waiting: 0 });
  });

  test('is one way of buying among others when nobody keeps count', () => {
    expect(outcome(reservedProblem(1, 3), 'Off')).toMatchObject({ waiting: 0 });
  });

  test('binds a claim to the reservations that it holds', () => {
    const { document } = solveProblem(reservedProblem(1, 1), { reservedCapacity: 'Strict' });
    expect(document.newNodeClaims[0]?.requirements).toEqual(
      expect.arrayContaining([
        { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['reserved'] },
        { key: reservationKey, operator: 'In', values: ['r-1'] },
      ]),
    );
  });

  test('is shared by pods of one machine without counting twice', () => {
    const input = reservedProblem(1, 1);
    const pods = [pod({ name: 'a', cpu: '1' }), pod({ name: 'b', cpu: '2' })];
    expect(outcome({ ...input, pods }, 'Strict')).toMatchObject({
      launches: ['reserved'],
      waiting: 0,
    });
  });

  test('that is used up says why a pod waits', () => {
    const { document } = solveProblem(reservedProblem(0, 1), { reservedCapacity: 'Strict' });
    expect(Object.values(document.podErrors)).toEqual([
      'one or more instance types with compatible reserved offerings are available, but could not be reserved',
    ]);
  });
});
