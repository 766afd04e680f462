import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../api/core.ts';
import { annotation } from '../../api/labels.ts';
import type { NodeClaim } from '../../api/node-claim.ts';
import type { NodePool } from '../../api/node-pool.ts';
import {
  nodeLimit,
  scaleDown,
  scaleUp,
  type StaticNode,
  type StaticPool,
} from './static-capacity.ts';

const pool: StaticPool = {
  replicas: 3,
  active: 0,
  deleting: 0,
  pendingDisruption: 0,
  reserved: 0,
  limit: undefined,
};

describe('a pool of fixed size grows', () => {
  test.each<[string, Partial<StaticPool>, number]>([
    ['from nothing', {}, 3],
    ['by what is missing', { active: 1 }, 2],
    ['by many', { replicas: 5000, active: 1 }, 4999],
    ['up to its limit', { limit: 2 }, 2],
    [
      'up to its limit, where nodes on their way out count',
      { active: 1, deleting: 1, limit: 3 },
      1,
    ],
    ['up to its limit, where promised nodes count', { reserved: 2, limit: 3 }, 1],
    ['although nodes are on their way out', { active: 1, deleting: 2 }, 2],
    [
      'by all that is missing once nodes pending disruption no longer make up for it',
      { active: 1, pendingDisruption: 1 },
      2,
    ],
  ])('%s', (_, change, count) => {
    expect(scaleUp({ ...pool, ...change })).toEqual({ kind: 'create', count });
  });

  test.each<[string, Partial<StaticPool>]>([
    ['it has enough', { active: 3 }],
    ['it has too many', { active: 4 }],
    ['it should have none', { replicas: 0 }],
    ['replacements of disrupted nodes are under way', { active: 2, pendingDisruption: 1 }],
    ['it has enough at its limit', { active: 3, limit: 3 }],
  ])('not when %s', (_, change) => {
    expect(scaleUp({ ...pool, ...change })).toEqual({ kind: 'enough' });
  });

  test.each<[string, Partial<StaticPool>]>([
    ['is used up', { active: 2, limit: 2 }],
    ['is used up by nodes on their way out', { active: 1, deleting: 1, limit: 2 }],
    ['is promised to others', { reserved: 2, limit: 2 }],
    ['has been lowered', { active: 2, limit: 1 }],
    ['is 0', { limit: 0 }],
  ])('not when its limit %s', (_, change) => {
    expect(scaleUp({ ...pool, ...change })).toEqual({ kind: 'limit-reached' });
  });

  test('never beyond its limit, however many ask at once', () => {
    const count = fc.integer({ min: 0, max: 20 });
    const counts = fc.record({
      replicas: count,
      active: count,
      deleting: count,
      pendingDisruption: count,
      limit: count,
    });
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 5 }), (counts, askers) => {
        let reserved = 0;
        for (let i = 0; i < askers; i++) {
          const answer = scaleUp({ ...counts, reserved });
          if (answer.kind === 'create') reserved += answer.count;
        }
        const total = counts.active + counts.deleting + counts.pendingDisruption + reserved;
        expect(reserved === 0 || total <= counts.limit).toBe(true);
      }),
    );
  });
});

test.each([
  [undefined, undefined],
  [{ cpu: '10' }, undefined],
  [{ nodes: '5' }, 5],
  [{ nodes: 5 }, 5],
  [{ nodes: '2500m' }, 3],
])('limits %j allow %s nodes', (limits, expected) => {
  expect(nodeLimit({ metadata: { name: 'p' }, spec: { limits } } as unknown as NodePool)).toBe(
    expected,
  );
});

const nowMs = Date.parse('2026-01-11T00:00:00Z');

function pod(
  change: {
    readonly kind?: string;
    readonly protected?: boolean;
    readonly priority?: number;
    readonly phase?: 'Succeeded';
  } = {},
): Pod {
  const { kind = 'ReplicaSet', priority = 0, phase = 'Running' } = change;
  return {
    metadata: {
      name: 'pod',
      ownerReferences: [{ apiVersion: 'apps/v1', kind, name: 'x', uid: 'x' }],
      ...(change.protected === true && { annotations: { [annotation.doNotDisrupt]: 'true' } }),
    },
    spec: { containers: [], priority },
    status: { phase },
  };
}

function node(
  name: string,
  pods: readonly Pod[] = [],
  change: { readonly unlaunched?: boolean; readonly created?: string } = {},
): StaticNode {
  const { unlaunched = false, created = '2026-01-10T00:00:00Z' } = change;
  return {
    nodeClaim: {
      metadata: { name, creationTimestamp: created },
      spec: { expireAfter: '240h' },
      status: unlaunched ? {} : { providerID: `azure:///${name}` },
    } as unknown as NodeClaim,
    pods,
  };
}

function deleted(replicas: number, nodes: readonly StaticNode[]): string[] {
  return scaleDown(replicas, nodes, nowMs).map(({ metadata }) => metadata.name);
}

const daemon = pod({ kind: 'DaemonSet' });
const guarded = pod({ protected: true });

describe('a pool of fixed size shrinks', () => {
  const inOrder = [
    node('unlaunched', [], { unlaunched: true }),
    node('bare'),
    node('daemons-only', [daemon, daemon]),
    node('one-pod', [pod()]),
    node('two-pods', [pod(), pod(), daemon]),
    node('guarded', [guarded]),
  ];

  test.each([0, 1, 2, 3, 4, 5, 6, 7])(
    'to %d: unlaunched first, then empty, then cheap, guarded last',
    (replicas) => {
      const expected = inOrder.slice(0, Math.max(0, inOrder.length - replicas));
      const names = expected.map(({ nodeClaim }) => nodeClaim.metadata.name);
      expect(deleted(replicas, inOrder.toReversed())).toEqual(names);
    },
  );

  test.each<[string, StaticNode, StaticNode]>([
    ['pods of low priority', node('b', [pod({ priority: -(2 ** 24) })]), node('a', [pod()])],
    ['less life left', node('b', [pod()], { created: '2026-01-02T00:00:00Z' }), node('a', [pod()])],
    [
      'nothing but daemons, unguarded',
      node('b', [daemon]),
      node('a', [pod({ kind: 'DaemonSet', protected: true })]),
    ],
    [
      'pods to move but none guarded',
      node(
        'b',
        Array.from({ length: 9 }, () => pod()),
      ),
      node('a', [guarded]),
    ],
    [
      'a guard that is done',
      node('b', [pod({ protected: true, phase: 'Succeeded' })]),
      node('a', [pod()]),
    ],
    [
      'the name first in the alphabet, all else being equal',
      node('a', [pod()]),
      node('b', [pod()]),
    ],
  ])('by the node with %s', (_, first, second) => {
    expect(deleted(1, [second, first])).toEqual([first.nodeClaim.metadata.name]);
  });

  test('not when it has what it should have, or less', () => {
    expect([deleted(2, [node('a'), node('b')]), deleted(3, [node('a')])]).toEqual([[], []]);
  });
});
