import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClusterState } from './cluster-state.ts';
import { aNode, aPod } from './scheduler-fixture.ts';

const step = fc.record({
  what: fc.constantFrom('place', 'unplace', 'node', 'no-node'),
  pod: fc.integer({ min: 0, max: 5 }),
  node: fc.integer({ min: 0, max: 80 }),
  terminating: fc.boolean(),
});

const matcher = {
  key: 'web',
  skipsTerminating: true,
  weigh: (shape: { labels: Readonly<Record<string, string>> }) =>
    shape.labels['app'] === 'web' ? 1 : 0,
};

describe('the state of the cluster', () => {
  test('counts what stands on each node, in whatever order things come and go', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const state = new ClusterState();
        const counter = state.counter(matcher);
        const truth = new Map<string, { node: string; app: string; terminating: boolean }>();
        for (const { what, pod, node, terminating } of steps) {
          const name = `p${pod}`;
          const app = pod % 2 === 0 ? 'web' : 'db';
          if (what === 'place') {
            state.place(aPod(name, { labels: { app }, cpu: '1', terminating }), `n${node}`);
            truth.set(name, { node: `n${node}`, app, terminating });
          } else if (what === 'unplace') {
            state.unplace(`uid-default-${name}`);
            truth.delete(name);
          } else if (what === 'node') state.setNode(aNode(`n${node}`));
          else state.removeNode(`n${node}`);
        }
        for (const node of state.nodes) {
          const here = [...truth.values()].filter((it) => it.node === node.name);
          expect(node.pods.size).toBe(here.length);
          expect(node.requested['cpu'] ?? 0).toBe(here.length * 1000);
          const live = here.filter((it) => it.app === 'web' && !it.terminating).length;
          expect(counter.perNode[node.index]).toBe(live);
        }
      }),
    );
  });

  test('gives equal pods one shape and different ones different shapes', () => {
    const state = new ClusterState();
    const shape = state.shapeOf(aPod('a', { cpu: '1' }));
    expect(state.shapeOf(aPod('b', { cpu: '1' }))).toBe(shape);
    expect(state.shapeOf(aPod('c', { cpu: '2' }))).not.toBe(shape);
    expect(state.shapeOf(aPod('d', { cpu: '1', labels: { x: 'y' } }))).not.toBe(shape);
    expect(state.shapeOf(aPod('e', { cpu: '1', namespace: 'other' }))).not.toBe(shape);
  });

  test('forgets a term of anti-affinity with the last pod that holds it', () => {
    const state = new ClusterState();
    const rule = {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'web' } } },
      ],
    };
    const shy = (name: string) => aPod(name, { spec: { affinity: { podAntiAffinity: rule } } });
    state.place(shy('a'), 'n');
    state.place(shy('b'), 'm');
    expect([...state.antiTerms()]).toHaveLength(1);
    state.unplace('uid-default-a');
    expect([...state.antiTerms()]).toHaveLength(1);
    state.unplace('uid-default-b');
    expect([...state.antiTerms()]).toHaveLength(0);
  });
});
