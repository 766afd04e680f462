import { describe, expect, test } from 'vitest';
import { aNode, aPod, Desk } from './scheduler-fixture.ts';

const zone = (name: string) => ({ labels: { 'topology.kubernetes.io/zone': name } });
const web = { labels: { app: 'web' } };

describe('among nodes that would do', () => {
  test('the emptier one is taken', () => {
    const desk = new Desk();
    desk.state.setNode(aNode('a'));
    desk.state.setNode(aNode('b'));
    desk.state.place(aPod('x', { cpu: '2', memory: '4Gi' }), 'a');
    expect(desk.place(aPod('p', { cpu: '1', memory: '2Gi' }))).toBe('b');
  });

  test('the first by name wins when nothing tells them apart', () => {
    const desk = new Desk();
    for (const name of ['c', 'b', 'a']) desk.state.setNode(aNode(name));
    expect(desk.place(aPod('p'))).toBe('a');
  });

  test('one with a disliked taint comes last', () => {
    const desk = new Desk();
    const taints = [{ key: 'old', effect: 'PreferNoSchedule' as const }];
    desk.state.setNode(aNode('a', { taints }));
    desk.state.setNode(aNode('b'));
    desk.state.place(aPod('x', { cpu: '1', memory: '2Gi' }), 'b');
    expect(desk.place(aPod('p'))).toBe('b');
  });

  test('a preferred label outweighs a little load', () => {
    const desk = new Desk();
    desk.state.setNode(aNode('a'));
    desk.state.setNode(aNode('b', { labels: { disk: 'ssd' } }));
    desk.state.place(aPod('x', { cpu: '500m', memory: '1Gi' }), 'b');
    const preference = {
      matchExpressions: [{ key: 'disk', operator: 'In' as const, values: ['ssd'] }],
    };
    const nodeAffinity = {
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }],
    };
    expect(desk.place(aPod('p', { spec: { affinity: { nodeAffinity } } }))).toBe('b');
  });

  test('pods of one owner keep apart by zone without being told to', () => {
    const desk = new Desk();
    desk.state.setNode(aNode('a', zone('1')));
    desk.state.setNode(aNode('b', zone('1')));
    desk.state.setNode(aNode('c', zone('2')));
    const nodes = ['p', 'q', 'r', 's'].map((name) => desk.place(aPod(name, { owner: 'set' })));
    expect(nodes).toEqual(['a', 'c', 'b', 'c']);
  });

  test('a soft spread constraint is kept while it can be', () => {
    const desk = new Desk();
    desk.state.setNode(aNode('a', zone('1')));
    desk.state.setNode(aNode('b', zone('2')));
    const spec = {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'topology.kubernetes.io/zone',
          whenUnsatisfiable: 'ScheduleAnyway' as const,
          labelSelector: { matchLabels: { app: 'web' } },
        },
      ],
    };
    const nodes = ['p', 'q', 'r'].map((name) => desk.place(aPod(name, { ...web, spec })));
    expect(nodes).toEqual(['a', 'b', 'a']);
  });

  test('a preferred affinity draws, a preferred anti-affinity repels', () => {
    const desk = new Desk();
    for (const name of ['a', 'b', 'c']) desk.state.setNode(aNode(name));
    desk.state.place(aPod('x', web), 'b');
    const term = {
      weight: 100,
      podAffinityTerm: {
        topologyKey: 'kubernetes.io/hostname',
        labelSelector: { matchLabels: { app: 'web' } },
      },
    };
    const rule = { preferredDuringSchedulingIgnoredDuringExecution: [term] };
    expect(desk.place(aPod('near', { spec: { affinity: { podAffinity: rule } } }))).toBe('b');
    expect(desk.place(aPod('far', { spec: { affinity: { podAntiAffinity: rule } } }))).toBe('a');
  });
});

describe('a node that is gone', () => {
  test('is not chosen, and its pods still count where they were when it comes back', () => {
    const desk = new Desk();
    desk.state.setNode(aNode('a', { allocatable: { cpu: '1' } }));
    desk.state.place(aPod('x', { cpu: '1' }), 'a');
    desk.state.removeNode('a');
    expect(desk.place(aPod('p', { cpu: '1' }))).toBe('no nodes available to schedule pods');
    desk.state.setNode(aNode('a', { allocatable: { cpu: '1' } }));
    expect(desk.place(aPod('p', { cpu: '1' }))).toContain('Insufficient cpu');
    desk.state.unplace('uid-default-x');
    expect(desk.place(aPod('p', { cpu: '1' }))).toBe('a');
  });
});

describe('a node that was promised', () => {
  test('is kept free for the pod that preempted for it', () => {
    const desk = new Desk();
    desk.state.setNode(aNode('a', { allocatable: { cpu: '1' } }));
    const promised = aPod('big', { cpu: '1', spec: { priority: 10 } });
    const shape = desk.state.shapeOf(promised);
    const uid = promised.metadata.uid!;
    desk.nominations.set({ uid, pod: promised, shape, terminating: false }, 'a');
    expect(desk.place(aPod('small', { cpu: '1' }))).toContain('Insufficient cpu');
    expect(desk.place(aPod('bigger', { cpu: '1', spec: { priority: 20 } }))).toBe('a');
  });
});
