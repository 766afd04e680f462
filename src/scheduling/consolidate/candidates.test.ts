import { describe, expect, test } from 'vitest';
import {
  instanceType,
  node,
  pod,
  problem,
  replicas,
} from '../../../test/support/scheduling/builders.ts';
import { clusterOf, noon } from '../../../test/support/scheduling/consolidation.ts';
import type { ProblemJson } from '../../../test/support/scheduling/problem-json.ts';
import type { Pod } from '../../api/core.ts';
import { type Candidate, findCandidates } from './candidates.ts';
import type { NodeState } from './cluster.ts';
import type { Reason } from './reason.ts';

const doNotDisrupt = 'karpenter.sh/do-not-disrupt';
const running = pod({ name: 'web', labels: { app: 'web' }, on: 'node' });

function oneNode(parts: Partial<ProblemJson> = {}, change: Partial<NodeState> = {}) {
  const cluster = clusterOf(
    problem({ instanceTypes: [instanceType()], nodes: [node()], boundPods: [running], ...parts }),
  );
  return { ...cluster, nodes: cluster.nodes.map((state) => ({ ...state, ...change })) };
}

function reason(cluster: ReturnType<typeof oneNode>): string | undefined {
  return findCandidates(cluster).rejected.get('node')?.message;
}

function candidate(parts: Partial<ProblemJson>): Candidate {
  return findCandidates(oneNode(parts)).candidates[0]!;
}

function annotated(value: string, change: Partial<Pod> = {}): Pod {
  const metadata = { ...running.metadata, annotations: { [doNotDisrupt]: value } };
  return { ...running, metadata, ...change };
}

function pdb(name: string, spec: object, disruptionsAllowed = 0) {
  return {
    metadata: { name, namespace: 'default' },
    spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
    status: { disruptionsAllowed },
  } as never;
}

describe('a node is no candidate', () => {
  test.each<[string, Partial<NodeState>, string]>([
    ['while a command has it', { isQueued: true }, 'Candidate is already being disrupted'],
    ['without its Node', { node: undefined }, 'Nodeclaim does not have an associated node'],
    ['when marked', { isMarkedForDeletion: true }, 'Node is deleting or marked for deletion'],
    ['when promised to a pod', { isNominated: true }, 'Node is nominated for a pending pod'],
  ])('%s', (_, change, message) => {
    expect(reason(oneNode({}, change))).toBe(message);
  });

  test.each<[string, Partial<ProblemJson>, string]>([
    [
      'before it is initialized',
      { nodes: [node({ node: { metadata: { labels: { 'karpenter.sh/initialized': '' } } } })] },
      "Node isn't initialized",
    ],
    [
      'when it says so itself',
      { nodes: [node({ node: { metadata: { annotations: { [doNotDisrupt]: 'true' } } } })] },
      'Disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation',
    ],
    [
      'of a pool nobody knows',
      { nodes: [node({ nodePool: 'x' })] },
      'NodePool not found (NodePool=x)',
    ],
    [
      'when a pod says so',
      { boundPods: [annotated('true')] },
      'Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/web)',
    ],
    [
      'while a budget for its pods is used up',
      { podDisruptionBudgets: [pdb('a', { maxUnavailable: 1 })] },
      'Pdb prevents pod evictions (PodDisruptionBudget=[default/a])',
    ],
    [
      'when two budgets select one pod',
      { podDisruptionBudgets: [pdb('a', {}, 1), pdb('b', {}, 1)] },
      'Eviction does not support multiple PDBs (PodDisruptionBudget(s)=[default/a default/b])',
    ],
  ])('%s', (_, parts, message) => {
    expect(reason(oneNode(parts))).toBe(message);
  });

  test('but is one when its pods have a wish that has run out, or are on their way out', () => {
    const status = { phase: 'Running', startTime: '2026-01-02T10:00:00Z' } as const;
    const leaving = annotated('true');
    const deletionTimestamp = new Date(noon).toISOString();
    const gone = { ...leaving, metadata: { ...leaving.metadata, deletionTimestamp } };
    expect(reason(oneNode({ boundPods: [annotated('1h', { status })] }))).toBeUndefined();
    expect(reason(oneNode({ boundPods: [annotated('3h', { status })] }))).toContain('annotation');
    expect(reason(oneNode({ boundPods: [gone] }))).toBeUndefined();
  });

  test('unless disruption comes in any case and the claim has a grace period', () => {
    const cluster = oneNode({ boundPods: [annotated('true')] });
    const [state] = cluster.nodes;
    const spec = { ...state!.nodeClaim!.spec, terminationGracePeriod: '1h' };
    const nodes = [{ ...state!, nodeClaim: { ...state!.nodeClaim!, spec } }];
    const found = (kind: 'graceful' | 'eventual'): number =>
      findCandidates({ ...cluster, nodes }, kind).candidates.length;
    expect([found('graceful'), found('eventual')]).toEqual([0, 1]);
  });

  test('is not said of a node that nobody manages', () => {
    const cluster = oneNode({}, { nodeClaim: undefined });
    expect(findCandidates(cluster)).toEqual({
      candidates: [],
      rejected: new Map<string, Reason>(),
    });
  });
});

describe('a candidate', () => {
  test('costs its price, and to disrupt one for itself and one for each plain pod', () => {
    const { price, disruptionCost } = candidate({
      boundPods: replicas(3, { name: 'p', on: 'node' }),
    });
    expect({ price, disruptionCost }).toEqual({ price: 0.2, disruptionCost: 4 });
  });

  test('has the price of an offering that cannot be had any more, and none of an unknown type', () => {
    const soldOut = instanceType({
      offerings: [{ zone: 'z1', capacityType: 'on-demand', price: 0.7, available: false }],
    });
    expect(candidate({ instanceTypes: [soldOut, instanceType({ name: 'other' })] }).price).toBe(
      0.7,
    );
    expect(candidate({ nodes: [node({ zone: 'z9' })] }).price).toBe(0);
  });

  test('does not move pods of DaemonSets', () => {
    const daemon = pod({ name: 'daemon', on: 'node', daemonSet: 'daemon' });
    const { pods, disruptionCost } = candidate({ boundPods: [daemon] });
    expect({ pods, disruptionCost }).toEqual({ pods: [], disruptionCost: 1 });
  });
});
