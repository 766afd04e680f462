// Which nodes a pod gets by what it says about labels, and what it gives up when it gets none.
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../src/api/core.ts';
import {
  above,
  arch,
  below,
  capacityType,
  cores,
  exists,
  hostname,
  instanceType,
  is,
  isAbsent,
  isNot,
  node,
  nodePool,
  type NodePoolOptions,
  pod,
  type PodOptions,
  podsWith,
  poolLabel,
  replicas,
  spreadOver,
  taint,
  tolerating,
  zone,
} from '../support/scheduling/builders.ts';
import { nowhere, places, planOf, shares, spreadOf } from '../support/scheduling/places.ts';

const web = { app: 'web' };
const slow = taint('slow', 'true', 'PreferNoSchedule');
const both = ['spot', 'on-demand'];

function isPlaced(pool: NodePoolOptions, options: PodOptions): boolean {
  const found = places({ nodePools: [nodePool(pool)], pods: [pod(options)] });
  return found['pod'] !== nowhere;
}

describe('a label of the pool', () => {
  const labels = { team: 'red' };

  test.each<[string, PodOptions, boolean]>([
    ['nothing', {}, true],
    ['its value', { nodeSelector: labels }, true],
    ['another value', { nodeSelector: { team: 'blue' } }, false],
    ['one of several values', { required: [[is('team', 'red', 'blue')]] }, true],
    ['none of some values', { required: [[isNot('team', 'blue')]] }, true],
    ['not this value', { required: [[isNot('team', 'red')]] }, false],
    ['any value', { required: [[exists('team')]] }, true],
    ['no such label', { required: [[isAbsent('team')]] }, false],
  ])('takes a pod that asks for %s: %s', (_, options, expected) => {
    expect(isPlaced({ labels }, options)).toBe(expected);
  });

  test('is not made by a pod that asks for any value', () => {
    const plan = planOf({
      nodePools: [nodePool({ labels })],
      pods: [pod({ required: [[exists('team')]] })],
    });
    expect(plan.newNodeClaims[0]?.requirements).toContainEqual(is('team', 'red'));
  });
});

describe('a label that the pool does not give', () => {
  test.each<[string, PodOptions, boolean]>([
    ['a value', { nodeSelector: { team: 'red' } }, false],
    ['any value', { required: [[exists('team')]] }, false],
    ['none of some values', { required: [[isNot('team', 'red')]] }, true],
    ['no such label', { required: [[isAbsent('team')]] }, true],
  ])('takes a pod that asks for %s: %s', (_, options, expected) => {
    expect(isPlaced({}, options)).toBe(expected);
  });
});

describe('a well-known label', () => {
  test.each<[string, NodePoolOptions, PodOptions, boolean]>([
    ['that the pod names', {}, { nodeSelector: { [zone]: 'z2' } }, true],
    ['by its old name', {}, { nodeSelector: { 'beta.kubernetes.io/arch': 'amd64' } }, true],
    ['with a value that no type has', {}, { nodeSelector: { [zone]: 'z9' } }, false],
    [
      'outside what the pool allows',
      { requirements: [is(zone, 'z1')] },
      { nodeSelector: { [zone]: 'z2' } },
      false,
    ],
    [
      'inside what the pool allows',
      { requirements: [is(zone, 'z1', 'z2')] },
      { nodeSelector: { [zone]: 'z2' } },
      true,
    ],
    ['above a number', {}, { required: [[above(cores, 3)]] }, true],
    ['above a number that no type passes', {}, { required: [[above(cores, 4)]] }, false],
    ['below a number', {}, { required: [[below(cores, 5)]] }, true],
    [
      'at least a number, says the pool',
      { requirements: [{ key: cores, operator: 'Gte', values: ['4'] }] },
      {},
      true,
    ],
    [
      'at most a number that all pass, says the pool',
      { requirements: [{ key: cores, operator: 'Lte', values: ['3'] }] },
      {},
      false,
    ],
    ['of a host', {}, { nodeSelector: { [hostname]: 'host-1' } }, false],
    ['of a domain that is ours', {}, { nodeSelector: { 'karpenter.sh/own': 'x' } }, false],
    [
      'of several at once',
      {},
      { required: [[is(zone, 'z2', 'z3'), isNot(zone, 'z3'), is(arch, 'amd64')]] },
      true,
    ],
    [
      'of which two contradict',
      {},
      { nodeSelector: { [zone]: 'z1' }, required: [[is(zone, 'z2')]] },
      false,
    ],
  ])('%s', (_, pool, options, expected) => {
    expect(isPlaced(pool, options)).toBe(expected);
  });
});

describe('pods that ask for different nodes', () => {
  const tiers = { nodePools: [nodePool({ requirements: [is('tier', 'a', 'b')] })] };

  test('get their own, and others join where they may', () => {
    const pods = [
      pod({ name: 'a', cpu: '1', nodeSelector: { tier: 'a' } }),
      pod({ name: 'b', cpu: '900m', nodeSelector: { tier: 'b' } }),
      pod({ name: 'any', cpu: '800m' }),
    ];
    expect(shares({ ...tiers, pods })).toEqual([['a', 'any'], ['b']]);
  });

  test('share one where their demands leave something in common', () => {
    const pods = [
      pod({ name: 'a', required: [[is(zone, 'z1', 'z2')]] }),
      pod({ name: 'b', required: [[is(zone, 'z2', 'z3')]] }),
    ];
    expect([shares({ pods }), spreadOf({ pods }, zone)]).toEqual([[['a', 'b']], { z2: 2 }]);
  });
});

describe('alternatives', () => {
  test('are tried in order, and the last is never given up', () => {
    const pods = [
      pod({ name: 'second', required: [[is(zone, 'z9')], [is(zone, 'z3')]] }),
      pod({ name: 'none', required: [[is(zone, 'z8')], [is(zone, 'z9')]] }),
      pod({
        name: 'with-selector',
        nodeSelector: { [arch]: 'arm64' },
        required: [[is(zone, 'z1')], [is(zone, 'z2')]],
      }),
    ];
    expect([places({ pods }), spreadOf({ pods }, zone)]).toEqual([
      { none: nowhere, second: 'medium', 'with-selector': nowhere },
      { z3: 1 },
    ]);
  });
});

describe('wishes', () => {
  const zonesFor = (options: PodOptions, policy: 'Respect' | 'Ignore' = 'Respect') =>
    Object.keys(spreadOf({ pods: [pod(options)] }, zone, { preferencePolicy: policy }));

  test('are granted when they can be, the heaviest that can', () => {
    expect([
      zonesFor({ preferred: [[is(zone, 'z2')]] }),
      zonesFor({ preferred: [[is(zone, 'z9')], [is(zone, 'z3')]] }),
      zonesFor({ preferred: [[is(zone, 'z8')], [is(zone, 'z9')]] }),
      zonesFor({ nodeSelector: { [zone]: 'z1' }, preferred: [[is(zone, 'z2')]] }),
    ]).toEqual([['z2'], ['z3'], ['open'], ['z1']]);
  });

  test('are not looked at when they are to be ignored', () => {
    expect(zonesFor({ preferred: [[is(zone, 'z2')]] }, 'Ignore')).toEqual(['open']);
  });

  const spreadWish = spreadOver(zone, web, { whenUnsatisfiable: 'ScheduleAnyway' });
  const term = { weight: 1, podAffinityTerm: podsWith(web, hostname) };
  const rule = { preferredDuringSchedulingIgnoredDuringExecution: [term] };

  test.each<[string, Partial<Pod['spec']>]>([
    ['to be spread', { topologySpreadConstraints: [spreadWish] }],
    ['to be away from others', { affinity: { podAntiAffinity: rule } }],
  ])('%s get pods nodes of their own unless they are to be ignored', (_, wish) => {
    const pods = replicas(2, { name: 'p', labels: web }).map(({ metadata, spec }) => ({
      metadata,
      spec: { ...spec, ...wish },
    }));
    expect([
      shares({ pods }).length,
      shares({ pods }, { preferencePolicy: 'Ignore' }).length,
    ]).toEqual([2, 1]);
  });

  test('to be near others bring pods together unless they are to be ignored', () => {
    const wishing = (name: string, cpu: string) => {
      const { metadata, spec } = pod({ name, cpu, labels: web });
      return { metadata, spec: { ...spec, affinity: { podAffinity: rule } } };
    };
    const nodes = [
      node({ name: 'a', instanceType: 'medium' }),
      node({ name: 'b', instanceType: 'medium' }),
    ];
    const boundPods = [pod({ name: 'x', labels: web, on: 'b' })];
    const pods = [wishing('p', '1')];
    expect([
      places({ nodes, boundPods, pods }),
      places({ nodes, boundPods, pods }, { preferencePolicy: 'Ignore' }),
    ]).toEqual([{ p: 'b' }, { p: 'a' }]);
  });
});

describe('a taint that is only to be avoided', () => {
  test('is accepted last, and only where there is nothing else', () => {
    const nodePools = [
      nodePool({ name: 'slow', weight: 50, taints: [slow] }),
      nodePool({ name: 'quick', requirements: [is(capacityType, 'on-demand')] }),
    ];
    const pods = [
      pod({ name: 'avoids' }),
      pod({ name: 'accepts', cpu: '200m', tolerations: [tolerating(slow)] }),
      pod({ name: 'needs-spot', cpu: '300m', nodeSelector: { [capacityType]: 'spot' } }),
      pod({ name: 'wishes-spot', cpu: '400m', preferred: [[is(capacityType, 'spot')]] }),
    ];
    const instanceTypes = [instanceType({ capacityTypes: both })];
    const claims = planOf({ nodePools, instanceTypes, pods }).newNodeClaims;
    expect(claims.map(({ nodePool: name, pods: names }) => [name, names])).toEqual([
      ['quick', ['default/accepts', 'default/avoids', 'default/wishes-spot']],
      ['slow', ['default/needs-spot']],
    ]);
  });

  test('of a node is accepted when no pool has one', () => {
    const nodes = [node({ name: 'n', node: { spec: { taints: [slow] } } })];
    expect(places({ nodePools: [], nodes, pods: [pod({ name: 'p' })] })).toEqual({ p: 'n' });
  });
});

test('a pod that keeps away from our nodes is not placed on them', () => {
  const pods = [pod({ name: 'p', required: [[isAbsent(poolLabel)]] })];
  expect(places({ nodes: [node({ name: 'n' })], pods })).toEqual({ p: nowhere });
});
