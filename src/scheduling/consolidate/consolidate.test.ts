import { describe, expect, test } from 'vitest';
import {
  instanceType,
  node,
  nodePool,
  pod,
  type PodOptions,
  problem,
  replicas,
} from '../../../test/support/scheduling/builders.ts';
import { clusterOf, noon, withDisruption } from '../../../test/support/scheduling/consolidation.ts';
import type { ProblemJson } from '../../../test/support/scheduling/problem-json.ts';
import type { Cluster } from './cluster.ts';
import { Consolidation, type ConsolidationOptions, type Method } from './consolidate.ts';

const everything = withDisruption(nodePool(), { budgets: [{ nodes: '100%' }] });
const small = instanceType({ name: 'small', cpu: '2', price: 0.1 });
const medium = instanceType({ name: 'medium', cpu: '4', price: 0.2 });
const large = instanceType({ name: 'large', cpu: '16', price: 0.8 });
const instanceTypes = [small, medium, large];

function cluster(parts: Partial<ProblemJson>): Cluster {
  return clusterOf(problem({ nodePools: [everything], instanceTypes, ...parts }));
}

/** `a,b → small`: what goes, and what comes. */
function found(
  method: Method,
  where: Partial<ProblemJson> | Cluster,
  options: ConsolidationOptions = {},
): string[] {
  const state = 'nowMs' in where ? where : cluster(where);
  const { commands } = new Consolidation(state, options).run(method);
  return commands.map(({ candidates, replacements }) => {
    const gone = candidates.map(({ name }) => name).toSorted();
    return `${gone.join()} → ${replacements.map(({ launch }) => launch.instanceType).join()}`;
  });
}

function staying(where: Partial<ProblemJson>, name: string, options?: ConsolidationOptions) {
  return new Consolidation(cluster(where), options).run('single').staying.get(name);
}

function on(name: string, cpu: string, options: PodOptions = {}) {
  return pod({ name: `on-${name}-${cpu}`, cpu, on: name, ...options });
}

describe('single', () => {
  test('deletes a node whose pods fit elsewhere', () => {
    const nodes = [node({ name: 'a' }), node({ name: 'b' })];
    const boundPods = [on('a', '1'), on('b', '3')];
    expect(found('single', { nodes, boundPods })).toEqual(['a → ']);
  });

  test('replaces a node by a cheaper one that is large enough', () => {
    const nodes = [node({ name: 'a', instanceType: 'large' })];
    expect(found('single', { nodes, boundPods: [on('a', '3')] })).toEqual(['a → medium']);
  });

  test('leaves a node that nothing cheaper holds, and says so', () => {
    const parts = { nodes: [node({ name: 'a' })], boundPods: [on('a', '3')] };
    expect(found('single', parts)).toEqual([]);
    expect(staying(parts, 'a')).toEqual({
      kind: 'price',
      message: "Can't replace with a cheaper node",
    });
  });

  test('takes the node that saves most per disruption, not the first that can go', () => {
    const nodes = [node({ name: 'a', instanceType: 'large' }), node({ name: 'b' })];
    const boundPods = [...replicas(14, { name: 'p', cpu: '1', on: 'a' }), on('b', '1')];
    expect(found('single', { nodes, boundPods })).toEqual(['b → ']);
  });

  test('names the pods that have no other place', () => {
    const boundPods = [on('a', '1', { nodeSelector: { team: 'x' } })];
    const parts = { nodes: [node({ name: 'a' })], boundPods };
    expect(staying(parts, 'a', { explain: true })).toMatchObject({
      kind: 'pods',
      about: ['default/on-a-1'],
      message: expect.stringContaining('Not all pods would schedule, default/on-a-1 => '),
    });
  });

  test('does not count on a node that has not come up', () => {
    const starting = { metadata: { labels: { 'karpenter.sh/initialized': '' } } };
    const nodes = [node({ name: 'a' }), node({ name: 'b', node: starting })];
    expect(found('single', { nodes, boundPods: [on('a', '3')] })).toEqual([]);
  });

  test('does not count on a node whose pods came or went just now', () => {
    const nodePools = [withDisruption(everything, { consolidateAfter: '1h' })];
    const nodes = [node({ name: 'a' }), node({ name: 'b', instanceType: 'small' })];
    const boundPods = [on('a', '3'), on('b', '1')];
    const base = cluster({ nodePools, nodes, boundPods });
    const withEvent = (minutes: number): Cluster => ({
      ...base,
      nodes: base.nodes.map((state) => {
        if (state.place.name !== 'a') return state;
        const lastPodEventTime = new Date(noon - minutes * 60_000).toISOString();
        const status = { ...state.nodeClaim!.status, lastPodEventTime };
        return { ...state, nodeClaim: { ...state.nodeClaim!, status } };
      }),
    });
    expect(found('single', withEvent(61))).toEqual(['b → ']);
    expect(found('single', withEvent(59))).toEqual([]);
  });

  test('does not mind pods that wait in vain', () => {
    const nodes = [node({ name: 'a' }), node({ name: 'b' })];
    const boundPods = [on('a', '1'), on('b', '3')];
    const pods = [pod({ name: 'huge', cpu: '99' })];
    expect(found('single', { nodes, boundPods, pods })).toEqual(['a → ']);
  });
});

describe('spot', () => {
  const ways = ['on-demand', 'spot'];
  const types = Array.from({ length: 20 }, (_, i) =>
    instanceType({ name: `t${i + 10}`, cpu: '4', price: 0.3 + i / 100, capacityTypes: ways }),
  );
  const spot = node({ name: 'a', instanceType: 't29', capacityType: 'spot' });
  const parts = { instanceTypes: types, nodes: [spot], boundPods: [on('a', '3')] };

  test('is not replaced by spot unless that is wanted', () => {
    expect(found('single', parts)).toEqual([]);
    expect(staying(parts, 'a')?.kind).toBe('spotToSpot');
  });

  test('is replaced by one of the fifteen cheapest where there are so many', () => {
    const [command] = new Consolidation(cluster(parts), { spotToSpot: true }).run(
      'single',
    ).commands;
    const [replacement] = command!.replacements;
    expect(replacement!.instanceTypes.map(({ name }) => name)).toEqual(
      types.slice(0, 15).map(({ name }) => name),
    );
  });

  test('is not replaced where fewer than fifteen are cheaper', () => {
    const nodes = [{ ...spot, instanceType: 't24' }];
    expect(staying({ ...parts, nodes }, 'a', { spotToSpot: true })?.message).toMatch(/got 14$/);
  });

  test('is what an on-demand node becomes, and nothing else, where both would do', () => {
    const nodes = [{ ...spot, capacityType: 'on-demand' }];
    const [command] = new Consolidation(cluster({ ...parts, nodes })).run('single').commands;
    const ways = command!.replacements[0]!.requirements.get('karpenter.sh/capacity-type');
    expect([...ways!.values]).toEqual(['spot']);
  });
});

describe('multi', () => {
  test('replaces several nodes by one', () => {
    const nodes = ['a', 'b', 'c'].map((name) => node({ name }));
    const boundPods = ['a', 'b', 'c'].map((name) => on(name, '3'));
    const cheap = [medium, instanceType({ name: 'ten', cpu: '10', price: 0.3 })];
    expect(found('multi', { instanceTypes: cheap, nodes, boundPods })).toEqual(['a,b,c → ten']);
    // Two of them cost less than what would replace them, so the search by halves ends there.
    const dear = [medium, instanceType({ name: 'ten', cpu: '10', price: 0.5 })];
    expect(found('multi', { instanceTypes: dear, nodes, boundPods })).toEqual([]);
    expect(found('best', { instanceTypes: dear, nodes, boundPods })).toEqual(['a,b,c → ten']);
  });

  test('does not replace nodes by one of their own kind', () => {
    const nodes = [node({ name: 'a', instanceType: 'large' }), node({ name: 'b' })];
    const boundPods = [on('a', '1', { nodeSelector: { team: 'x' } }), on('b', '2')];
    const template = { ...everything.spec.template, metadata: { labels: { team: 'x' } } };
    const nodePools = [{ ...everything, spec: { ...everything.spec, template } }];
    const types = [medium, large];
    expect(found('multi', { nodePools, instanceTypes: types, nodes, boundPods })).toEqual([]);
  });
});

describe('empty nodes', () => {
  const nodes = ['a', 'b', 'c'].map((name) => node({ name }));

  test('go together, as many as the budget allows', () => {
    const nodePools = [withDisruption(nodePool(), { budgets: [{ nodes: '2' }] })];
    expect(found('empty', { nodes })).toEqual(['a,b,c → ']);
    expect(found('empty', { nodePools, nodes })).toEqual(['a,b → ']);
  });

  test('stay where a pod that waits could use them', () => {
    const pods = [pod({ name: 'waits', cpu: '3' })];
    expect(found('empty', { nodes, pods })).toEqual(['a,b → ']);
  });

  test('with pods that cost nothing to move go only if these find a place', () => {
    const cheap = (name: string, cpu: string) => {
      const one = on(name, cpu);
      return { ...one, spec: { ...one.spec, priority: -(2 ** 26) } };
    };
    const boundPods = [cheap('a', '3'), cheap('b', '3'), cheap('c', '3')];
    expect(found('empty', { nodes, boundPods })).toEqual([]);
    expect(found('empty', { nodes, boundPods: boundPods.slice(0, 1) })).toEqual(['a,b → ']);
  });

  test.each([
    ['Never', { consolidateAfter: 'Never' }, 'NodePool "default" has consolidation disabled'],
    ['not empty', {}, 'Node is not empty'],
  ])('stay: %s', (_, disruption, message) => {
    const nodePools = [withDisruption(everything, disruption)];
    const state = cluster({ nodePools, nodes, boundPods: [on('a', '1')] });
    expect(new Consolidation(state).run('empty').staying.get('a')?.message).toBe(message);
  });
});

describe('best', () => {
  test('leaves out the node that does not fit and goes on with the rest', () => {
    const nodes = [
      ...['a', 'c', 'd'].map((name) => node({ name })),
      node({ name: 'b', instanceType: 'large' }),
      node({ name: 'host' }),
    ];
    // b is worth most and cannot go, so no beginning of the list can.
    const boundPods = [on('b', '15'), ...['a', 'c', 'd', 'host'].map((name) => on(name, '1'))];
    expect(found('multi', { nodes, boundPods })).toEqual([]);
    expect(found('best', { nodes, boundPods })).toEqual(['a,c,d → ']);
  });

  test('splits a large node into smaller ones when that is cheaper', () => {
    const dear = instanceType({ name: 'dear', cpu: '8', price: 1 });
    const nodes = [node({ name: 'a', instanceType: 'dear' })];
    const boundPods = [on('a', '3'), on('a', '3.5')];
    const parts = { instanceTypes: [dear, medium], nodes, boundPods };
    expect(found('single', parts)).toEqual([]);
    expect(found('best', parts)).toEqual(['a → medium,medium']);
  });

  test('starts with what is empty, and shares the budget with it', () => {
    const nodePools = [withDisruption(nodePool(), { budgets: [{ nodes: '2' }] })];
    const nodes = ['a', 'b', 'c', 'd'].map((name) => node({ name }));
    const boundPods = [on('b', '1'), on('c', '1'), on('d', '1')];
    expect(found('best', { nodePools, nodes, boundPods })).toEqual(['a → ', 'b → ']);
  });

  test('stops when it is told to', () => {
    const nodes = [node({ name: 'a' }), node({ name: 'b' })];
    const boundPods = [on('a', '1'), on('b', '1')];
    expect(found('best', { nodes, boundPods }, { stop: () => true })).toEqual([]);
  });

  test('decides the same whatever the order of the file', () => {
    const nodes = ['a', 'b', 'c', 'd'].map((name) => node({ name }));
    const boundPods = nodes.map(({ name }) => on(name!, '1'));
    const reversed = { nodes: nodes.toReversed(), boundPods: boundPods.toReversed() };
    expect(found('best', reversed)).toEqual(found('best', { nodes, boundPods }));
  });
});
