// Pods that want to be spread: over zones, hosts, ways of buying, and over any label.
import { describe, expect, test } from 'vitest';
import type { Pod, TopologySpreadConstraint } from '../../src/api/core.ts';
import {
  arch,
  capacityType,
  hostname,
  instanceType,
  is,
  node,
  nodePool,
  pod,
  type PodOptions,
  replicas,
  spreadOver,
  taint,
  tolerating,
  zone,
} from '../support/scheduling/builders.ts';
import { nowhere, places, planOf, shares, spreadOf } from '../support/scheduling/places.ts';
import type { ProblemJson } from '../support/scheduling/problem-json.ts';

const web = { app: 'web' };
const both = [instanceType({ capacityTypes: ['spot', 'on-demand'] })];

function webs(
  count: number,
  key: string,
  options: Partial<TopologySpreadConstraint> = {},
  more: PodOptions = {},
): Pod[] {
  return replicas(count, {
    name: 'web',
    labels: web,
    spread: [spreadOver(key, web, options)],
    ...more,
  });
}

/** Pods in each domain, most first. */
function shape(parts: Partial<ProblemJson>, key: string): number[] {
  return Object.values(spreadOf(parts, key)).toSorted((a, b) => b - a);
}

describe('over zones', () => {
  test.each([
    [1, [1]],
    [2, [1, 1]],
    [3, [1, 1, 1]],
    [5, [2, 2, 1]],
    [9, [3, 3, 3]],
  ])('%i pods are %j', (count, expected) => {
    expect(shape({ pods: webs(count, zone) }, zone)).toEqual(expected);
  });

  test('pods are spread as their selector says in expressions', () => {
    const labelSelector = {
      matchExpressions: [{ key: 'app', operator: 'In' as const, values: ['web'] }],
    };
    expect(shape({ pods: webs(4, zone, { labelSelector }) }, zone)).toEqual([2, 1, 1]);
  });

  test.each<[string, Partial<ProblemJson>, Record<string, number>]>([
    [
      'that the pool requires',
      { nodePools: [nodePool({ requirements: [is(zone, 'z1', 'z2')] })] },
      { z1: 2, z2: 2 },
    ],
    [
      'that the pool has as a label',
      { nodePools: [nodePool({ labels: { [zone]: 'z3' } })] },
      { z3: 4 },
    ],
    [
      'of several pools',
      {
        nodePools: [
          nodePool({ name: 'a', requirements: [is(zone, 'z1')] }),
          nodePool({ name: 'b', requirements: [is(zone, 'z2')] }),
        ],
      },
      { z1: 2, z2: 2 },
    ],
  ])('pods are spread over those %s', (_, parts, expected) => {
    expect(spreadOf({ ...parts, pods: webs(4, zone) }, zone)).toEqual(expected);
  });

  test('pods are spread over those they ask for', () => {
    const pods = (more: PodOptions) => webs(4, zone, {}, more);
    expect([
      spreadOf({ pods: pods({ nodeSelector: { [zone]: 'z2' } }) }, zone),
      spreadOf({ pods: pods({ required: [[is(zone, 'z1', 'z3')]] }) }, zone),
      shape({ pods: pods({ preferred: [[is(zone, 'z1')]] }) }, zone),
    ]).toEqual([{ z2: 4 }, { z1: 2, z3: 2 }, [2, 1, 1]]);
  });

  test('pods that run count', () => {
    const nodes = ['z1', 'z2'].map((name) =>
      node({ name: `n-${name}`, zone: name, instanceType: 'medium' }),
    );
    const boundPods = [
      pod({ name: 'a', labels: web, cpu: '2', on: 'n-z1' }),
      pod({ name: 'b', labels: web, cpu: '2', on: 'n-z1' }),
      pod({ name: 'c', labels: web, cpu: '4', on: 'n-z2' }),
    ];
    expect(spreadOf({ nodes, boundPods, pods: webs(3, zone, {}, { cpu: '1' }) }, zone)).toEqual({
      z3: 2,
      z2: 1,
    });
  });

  test('a domain that is not the emptiest is taken when the skew allows it and no other is left', () => {
    const nodes = [node({ name: 'n1', zone: 'z1' }), node({ name: 'n2', zone: 'z2' })];
    const boundPods = [pod({ name: 'a', labels: web, on: 'n1' })];
    const of = (maxSkew: number) => {
      const options = { maxSkew, nodeAffinityPolicy: 'Ignore' as const };
      const pods = webs(1, zone, options, { nodeSelector: { [zone]: 'z1' } });
      return places({ nodePools: [], nodes, boundPods, pods });
    };
    expect([of(1), of(2)]).toEqual([{ 'web-0': nowhere }, { 'web-0': 'n1' }]);
  });

  test('only the emptiest are taken while the skew is broken already', () => {
    const nodes = ['z1', 'z2', 'z3'].map((name) => node({ name, zone: name }));
    const boundPods = replicas(4, { name: 'x', labels: web, on: 'z1' });
    const found = places({ nodePools: [], nodes, boundPods, pods: webs(6, zone) });
    expect(Object.values(found).toSorted()).toEqual(['z2', 'z2', 'z2', 'z3', 'z3', 'z3']);
  });

  test('a pod waits where the emptiest domain takes none, and goes when it is only a wish', () => {
    const nodes = [node({ name: 'n1', zone: 'z1' }), node({ name: 'n2', zone: 'z2' })];
    const boundPods = [pod({ name: 'full', cpu: '4', on: 'n2' })];
    const of = (whenUnsatisfiable: TopologySpreadConstraint['whenUnsatisfiable']) =>
      Object.values(
        places({ nodePools: [], nodes, boundPods, pods: webs(2, zone, { whenUnsatisfiable }) }),
      ).toSorted();
    expect([of('DoNotSchedule'), of('ScheduleAnyway')]).toEqual([
      ['n1', nowhere],
      ['n1', 'n1'],
    ]);
  });

  test.each([
    [2, [2, 2]],
    [3, [1, 1]],
  ])('with at least %i domains, four pods in two zones are %j', (minDomains, expected) => {
    const instanceTypes = [instanceType({ zones: ['z1', 'z2'] })];
    expect(shape({ instanceTypes, pods: webs(4, zone, { minDomains }) }, zone)).toEqual(expected);
  });

  test('two that count each other’s pods are spread together', () => {
    const all = { kind: 'all' };
    const pods = [
      ...replicas(2, { name: 'a', labels: { ...all, app: 'a' }, spread: [spreadOver(zone, all)] }),
      ...replicas(1, {
        name: 'b',
        labels: { ...all, app: 'b' },
        cpu: '200m',
        spread: [spreadOver(zone, all)],
      }),
    ];
    expect(shape({ pods }, zone)).toEqual([1, 1, 1]);
  });

  test('pods that do not count themselves may all be in one', () => {
    const pods = replicas(3, {
      name: 'p',
      labels: { app: 'other' },
      spread: [spreadOver(zone, web)],
    });
    expect(shares({ pods })).toHaveLength(1);
  });

  test('nobody counts where there is no selector', () => {
    const { labelSelector: _, ...bare } = spreadOver(zone, web);
    expect(shares({ pods: replicas(3, { name: 'p', labels: web, spread: [bare] }) })).toHaveLength(
      1,
    );
  });
});

describe('over hosts', () => {
  test('one pod is on each, or as many as the skew says', () => {
    expect([
      shares({ pods: webs(4, hostname) }).length,
      shares({ pods: webs(4, hostname, { maxSkew: 4 }) }).length,
      shares({ pods: webs(4, hostname, { maxSkew: 3 }) }).length,
    ]).toEqual([4, 1, 2]);
  });

  test('two workloads share hosts', () => {
    const pods = [
      ...webs(2, hostname),
      ...replicas(2, {
        name: 'api',
        labels: { app: 'api' },
        spread: [spreadOver(hostname, { app: 'api' })],
      }),
    ];
    expect(shares({ pods }).map((names) => names.length)).toEqual([2, 2]);
  });

  test('pods of different machines count apart and are spread both', () => {
    const instanceTypes = [instanceType(), instanceType({ name: 'arm', arch: 'arm64' })];
    const pods = ['amd64', 'arm64'].flatMap((name) =>
      replicas(2, {
        name,
        labels: web,
        nodeSelector: { [arch]: name },
        spread: [spreadOver(hostname, web)],
      }),
    );
    expect(shares({ instanceTypes, pods })).toHaveLength(4);
  });
});

describe('over ways of buying', () => {
  test('pods are balanced', () => {
    expect(spreadOf({ instanceTypes: both, pods: webs(4, capacityType) }, capacityType)).toEqual({
      spot: 2,
      'on-demand': 2,
    });
  });

  test('pods stay with the way that the pool allows', () => {
    const nodePools = [nodePool({ requirements: [is(capacityType, 'spot')] })];
    expect(
      spreadOf({ nodePools, instanceTypes: both, pods: webs(3, capacityType) }, capacityType),
    ).toEqual({ spot: 3 });
  });

  test('pods that run count', () => {
    const nodes = [node({ name: 'n', capacityType: 'spot' })];
    const boundPods = [pod({ name: 'x', labels: web, cpu: '4', on: 'n' })];
    expect(
      spreadOf(
        { nodes, boundPods, instanceTypes: both, pods: webs(1, capacityType, {}, { cpu: '1' }) },
        capacityType,
      ),
    ).toEqual({ 'on-demand': 1 });
  });
});

describe('over kinds of machines', () => {
  const instanceTypes = [instanceType(), instanceType({ name: 'arm', arch: 'arm64', price: 0.9 })];

  test('pods are balanced, whatever the machines cost', () => {
    expect(spreadOf({ instanceTypes, pods: webs(4, arch) }, arch)).toEqual({ amd64: 2, arm64: 2 });
  });

  test('pods stay with those that they ask for', () => {
    const pods = webs(3, arch, {}, { required: [[is(arch, 'arm64')]] });
    expect(spreadOf({ instanceTypes, pods }, arch)).toEqual({ arm64: 3 });
  });
});

describe('over several things at once', () => {
  test('zones and hosts are both kept', () => {
    const spread = [spreadOver(zone, web), spreadOver(hostname, web, { maxSkew: 2 })];
    const pods = replicas(7, { name: 'p', labels: web, spread });
    expect(shape({ pods }, zone)).toEqual([3, 2, 2]);
    expect(shares({ pods }).every((names) => names.length <= 2)).toBe(true);
  });

  test('zones and ways of buying are both kept', () => {
    const spread = [spreadOver(zone, web), spreadOver(capacityType, web)];
    const pods = replicas(6, { name: 'p', labels: web, spread });
    expect([
      shape({ instanceTypes: both, pods }, zone),
      shape({ instanceTypes: both, pods }, capacityType),
    ]).toEqual([
      [2, 2, 2],
      [3, 3],
    ]);
  });

  test('all three are kept', () => {
    const spread = [zone, capacityType, hostname].map((key) =>
      spreadOver(key, web, { maxSkew: key === hostname ? 2 : 1 }),
    );
    const plan = planOf({
      instanceTypes: both,
      pods: replicas(8, { name: 'p', labels: web, spread }),
    });
    expect(plan.podErrors).toEqual({});
  });

  test('a ratio that pools give is kept', () => {
    const nodePools = [
      nodePool({
        name: 'spot',
        requirements: [is(capacityType, 'spot'), is('ratio', '2', '3', '4', '5')],
      }),
      nodePool({
        name: 'on-demand',
        requirements: [is(capacityType, 'on-demand'), is('ratio', '1')],
      }),
    ];
    expect(
      spreadOf({ nodePools, instanceTypes: both, pods: webs(10, 'ratio') }, capacityType),
    ).toEqual({ spot: 8, 'on-demand': 2 });
  });
});

describe('a spread', () => {
  test('over a label that no node has keeps its pods waiting', () => {
    expect(places({ pods: webs(1, 'unknown') })).toEqual({ 'web-0': nowhere });
  });

  test('of one revision does not count another', () => {
    const pods = ['1', '2'].flatMap((revision) =>
      replicas(2, {
        name: `r${revision}`,
        labels: { ...web, revision },
        spread: [spreadOver(hostname, web, { matchLabelKeys: ['revision'] })],
      }),
    );
    expect(shares({ pods }).map((names) => names.length)).toEqual([2, 2]);
  });

  test('of a label that the pod lacks is as if the key were not there', () => {
    expect(shape({ pods: webs(2, zone, { matchLabelKeys: ['unknown'] }) }, zone)).toEqual([1, 1]);
  });

  test('looks at tainted domains unless taints are to be honored', () => {
    const gpu = taint('gpu');
    const nodePools = [
      nodePool({ name: 'a', requirements: [is(zone, 'z1')] }),
      nodePool({ name: 'b', requirements: [is(zone, 'z2')], taints: [gpu] }),
    ];
    const of = (options: Partial<TopologySpreadConstraint>, more: PodOptions = {}) =>
      spreadOf({ nodePools, pods: webs(2, zone, options, more) }, zone);
    expect([
      of({}),
      of({ nodeTaintsPolicy: 'Honor' }),
      of({ nodeTaintsPolicy: 'Honor' }, { tolerations: [tolerating(gpu)] }),
    ]).toEqual([{ z1: 1 }, { z1: 2 }, { z1: 1, z2: 1 }]);
  });

  test('compares the domains of all alternatives, whichever is tried', () => {
    const nodes = [node({ name: 'n1', zone: 'z1' }), node({ name: 'n2', zone: 'z2' })];
    const boundPods = [
      pod({ name: 'a', labels: web, on: 'n1' }),
      pod({ name: 'full', cpu: '4', on: 'n2' }),
    ];
    const pods = webs(1, zone, {}, { required: [[is(zone, 'z1')], [is(zone, 'z2')]] });
    expect(places({ nodePools: [], nodes, boundPods, pods })).toEqual({ 'web-0': nowhere });
  });

  test('counts pods that have no rule of their own', () => {
    const pods = [
      pod({ name: 'plain', labels: web, cpu: '2', nodeSelector: { [zone]: 'z1' } }),
      ...webs(2, zone),
    ];
    expect(shape({ pods }, zone)).toEqual([1, 1, 1]);
  });
});
