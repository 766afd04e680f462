import { describe, expect, test } from 'vitest';
import type { Node, Pod, Taint } from '../api/core.ts';
import type { NodeClaim } from '../api/node-claim.ts';
import { toResourceList } from '../model/resources.ts';
import { type NodeParts, schedulableNode } from './schedulable-node.ts';

const storage = { claim: () => undefined, volume: () => undefined, storageClass: () => undefined };
const notReady: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
const boot: Taint = { key: 'boot', effect: 'NoSchedule' };
const stays: Taint = { key: 'stays', effect: 'NoSchedule' };

interface Options {
  readonly labels?: Record<string, string>;
  readonly taints?: Taint[];
  readonly allocatable?: Record<string, string>;
  readonly unschedulable?: boolean;
  readonly leaving?: boolean;
}

function node({
  labels = {},
  taints = [],
  allocatable = { cpu: '4', pods: '10' },
  unschedulable = false,
  leaving = false,
}: Options = {}): Node {
  return {
    metadata: {
      name: 'host',
      labels,
      ...(leaving && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    spec: { taints, unschedulable },
    status: { allocatable, capacity: allocatable },
  };
}

function claimOf(
  status: NonNullable<NodeClaim['status']> = {},
  more: Partial<NodeClaim['metadata']> = {},
): NodeClaim {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name: 'claim', labels: { 'karpenter.sh/nodepool': 'pool', team: 'red' }, ...more },
    spec: {
      expireAfter: 'Never',
      requirements: [],
      taints: [stays],
      startupTaints: [boot],
      nodeClassRef: { group: 'g', kind: 'K', name: 'n' },
    },
    status,
  };
}

function pod(name: string, cpu: string, more: Partial<Pod> = {}): Pod {
  return {
    metadata: { name, namespace: 'default' },
    spec: { containers: [{ name: 'c', resources: { requests: { cpu } } }] },
    ...more,
  };
}

function read(parts: Partial<NodeParts>) {
  return schedulableNode({ pods: [], storage, ...parts });
}

const registered = { 'karpenter.sh/nodepool': 'pool', 'karpenter.sh/registered': 'true' };
const initialized = { ...registered, 'karpenter.sh/initialized': 'true' };

describe('a node', () => {
  test('is known by its claim until it has registered, then by itself', () => {
    const names = [
      read({ nodeClaim: claimOf() }),
      read({ nodeClaim: claimOf(), node: node({ labels: { 'karpenter.sh/nodepool': 'pool' } }) }),
      read({ nodeClaim: claimOf(), node: node({ labels: registered }) }),
      read({ node: node() }),
    ].map(({ name, hostname, pool, joined, initialized: isUp }) => [
      name,
      hostname,
      pool,
      joined,
      isUp,
    ]);
    expect(names).toEqual([
      ['claim', 'claim', 'pool', false, false],
      ['claim', 'claim', 'pool', true, false],
      ['host', 'host', 'pool', true, false],
      ['host', 'host', undefined, true, true],
    ]);
  });

  test('has the host name of its label', () => {
    expect(read({ node: node({ labels: { 'kubernetes.io/hostname': 'other' } }) }).hostname).toBe(
      'other',
    );
  });

  test('fills in from its claim what a kubelet that starts reports as none', () => {
    const status = { allocatable: { cpu: '8', 'nvidia.com/gpu': '2' } };
    const allocatable = { cpu: '4', 'nvidia.com/gpu': '0' };
    const of = (labels: Record<string, string>) =>
      toResourceList(
        read({ node: node({ labels, allocatable }), nodeClaim: claimOf(status) }).available,
      );
    expect([of(registered), of(initialized)]).toEqual([
      { cpu: '4', 'nvidia.com/gpu': '2' },
      { cpu: '4', 'nvidia.com/gpu': '0' },
    ]);
  });

  test('has left what its pods do not use, those included that are terminating', () => {
    const done = pod('done', '1', { status: { phase: 'Succeeded' } });
    const ending = pod('ending', '1');
    const pods = [
      pod('a', '500m'),
      done,
      { ...ending, metadata: { ...ending.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } },
    ];
    const { available, pods: kept } = read({ node: node(), pods });
    expect([toResourceList(available), kept.length]).toEqual([{ cpu: '2500m', pods: '8' }, 2]);
  });

  test('knows what DaemonSets use of it', () => {
    const owner = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      name: 'd',
      uid: 'd',
      controller: true,
    };
    const daemon = pod('d', '1');
    const pods = [
      pod('a', '2'),
      { ...daemon, metadata: { ...daemon.metadata, ownerReferences: [owner] } },
    ];
    expect(toResourceList(read({ node: node(), pods }).daemonRequests)).toEqual({
      cpu: '1',
      pods: '1',
    });
  });

  test('counts as one node', () => {
    expect(toResourceList(read({ node: node() }).capacity)).toMatchObject({ nodes: '1' });
  });

  test('is on its way out when its claim is, or itself where it has none', () => {
    const leaving = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    const terminating = {
      conditions: [
        {
          type: 'InstanceTerminating',
          status: 'True' as const,
          reason: 'x',
          message: '',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    };
    expect(
      [
        read({ node: node({ leaving: true }) }),
        read({ node: node(), nodeClaim: claimOf({}, leaving) }),
        read({ node: node(), nodeClaim: claimOf(terminating) }),
        read({ node: node({ leaving: true }), nodeClaim: claimOf() }),
      ].map(({ deleting }) => deleting),
    ).toEqual([true, true, true, false]);
  });
});

describe('taints of a node', () => {
  const taints = [notReady, boot, stays];
  const of = (parts: Partial<NodeParts>) => read(parts).taints.map(({ key }) => key);

  test('are those of its claim until it has registered', () => {
    expect(of({ nodeClaim: claimOf() })).toEqual(['stays']);
  });

  test('leave out what passes by itself while it starts, and nothing afterwards', () => {
    expect([
      of({ node: node({ labels: registered, taints }), nodeClaim: claimOf() }),
      of({ node: node({ labels: initialized, taints }), nodeClaim: claimOf() }),
      of({ node: node({ taints }) }),
    ]).toEqual([['stays'], taints.map(({ key }) => key), taints.map(({ key }) => key)]);
  });

  test('have one more when it is cordoned', () => {
    expect(of({ node: node({ unschedulable: true }) })).toEqual([
      'node.kubernetes.io/unschedulable',
    ]);
  });
});
