// Pods that want to be near others, or far from them.
import { describe, expect, test } from 'vitest';
import type { Pod, PodAffinityTerm } from '../../src/api/core.ts';
import {
  arch,
  capacityType,
  hostname,
  instanceType,
  is,
  node,
  pod,
  type PodOptions,
  podsWith,
  replicas,
  zone,
} from '../support/scheduling/builders.ts';
import { nowhere, places, planOf, shares, spreadOf } from '../support/scheduling/places.ts';

const web = { app: 'web' };
const data = { app: 'data' };

/** With a wish of weight one. */
function wishing(
  options: PodOptions,
  kind: 'podAffinity' | 'podAntiAffinity',
  term: PodAffinityTerm,
): Pod {
  const { metadata, spec } = pod(options);
  const rule = {
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }],
  };
  return { metadata, spec: { ...spec, affinity: { [kind]: rule } } };
}

describe('company', () => {
  test('on a host is where the others are', () => {
    const pods = [
      pod({ name: 'data', labels: data, cpu: '2' }),
      pod({ name: 'other', cpu: '3' }),
      pod({ name: 'web', cpu: '1', near: [podsWith(data, hostname)] }),
    ];
    expect(shares({ pods })).toEqual([['data', 'web'], ['other']]);
  });

  test('in a zone is where the others are', () => {
    const pods = [
      pod({ name: 'data', labels: data, cpu: '3', nodeSelector: { [zone]: 'z2' } }),
      ...replicas(3, { name: 'web', cpu: '2', near: [podsWith(data, zone)] }),
    ];
    expect(spreadOf({ pods }, zone)).toEqual({ z2: 4 });
  });

  test('of a kind of machine is where the others are', () => {
    const instanceTypes = [
      instanceType(),
      instanceType({ name: 'arm', arch: 'arm64', price: 0.9 }),
    ];
    const pods = [
      pod({ name: 'data', labels: data, cpu: '3', nodeSelector: { [arch]: 'arm64' } }),
      pod({ name: 'web', cpu: '2', near: [podsWith(data, arch)] }),
    ];
    expect(places({ instanceTypes, pods })).toEqual({ data: 'arm', web: 'arm' });
  });

  test('of its own kind begins with the first, on one host', () => {
    const pods = replicas(3, {
      name: 'web',
      labels: web,
      cpu: '1',
      near: [podsWith(web, hostname)],
    });
    expect(shares({ pods })).toHaveLength(1);
  });

  test('of its own kind on a host is not begun a second time', () => {
    const pods = replicas(5, {
      name: 'web',
      labels: web,
      cpu: '1',
      near: [podsWith(web, hostname)],
    });
    const plan = planOf({ pods });
    expect([plan.newNodeClaims.length, Object.keys(plan.podErrors).length]).toEqual([1, 1]);
  });

  test('of its own kind in a zone is one zone', () => {
    const pods = replicas(5, { name: 'web', labels: web, cpu: '2', near: [podsWith(web, zone)] });
    expect(Object.values(spreadOf({ pods }, zone))).toEqual([5]);
  });

  test('of its own kind begins in a zone that the pod may use', () => {
    const pods = replicas(2, {
      name: 'web',
      labels: web,
      near: [podsWith(web, zone)],
      required: [[is(zone, 'z3')]],
    });
    expect(spreadOf({ pods }, zone)).toEqual({ z3: 2 });
  });

  test('that runs elsewhere is not begun anew', () => {
    const nodes = [node({ name: 'n', zone: 'z1' })];
    const boundPods = [pod({ name: 'x', labels: web, on: 'n' })];
    const pods = [
      pod({ name: 'p', labels: web, near: [podsWith(web, zone)], nodeSelector: { [zone]: 'z2' } }),
    ];
    expect(places({ nodes, boundPods, pods })).toEqual({ p: nowhere });
  });

  test('that is nobody keeps a pod waiting', () => {
    expect(
      places({ pods: [pod({ name: 'p', near: [podsWith({ app: 'nobody' }, zone)] })] }),
    ).toEqual({ p: nowhere });
  });

  test('is found through a chain in any order, and a broken chain keeps all of it waiting', () => {
    const chain = (first: PodOptions): Pod[] => [
      pod({ name: 'c', labels: { app: 'c' }, cpu: '3', near: [podsWith({ app: 'b' }, zone)] }),
      pod({ name: 'b', labels: { app: 'b' }, cpu: '2', near: [podsWith({ app: 'a' }, zone)] }),
      pod({ name: 'a', labels: { app: 'a' }, cpu: '1', ...first }),
    ];
    expect([
      spreadOf({ pods: chain({ nodeSelector: { [zone]: 'z2' } }) }, zone),
      places({ pods: chain({ nodeSelector: { [zone]: 'z9' } }) }),
    ]).toEqual([{ z2: 3 }, { a: nowhere, b: nowhere, c: nowhere }]);
  });

  test('of one pod must satisfy all terms', () => {
    const nodes = [node({ name: 'n' })];
    const near = [podsWith({ app: 'a' }, zone), podsWith({ tier: 'x' }, zone)];
    const of = (...labels: Record<string, string>[]) =>
      places({
        nodes,
        boundPods: labels.map((each, i) => pod({ name: `x${i}`, labels: each, on: 'n' })),
        pods: [pod({ name: 'p', near })],
      });
    expect([of({ app: 'a' }, { tier: 'x' }), of({ app: 'a', tier: 'x' })]).toEqual([
      { p: nowhere },
      { p: 'n' },
    ]);
  });

  test('that is wished for may be elsewhere', () => {
    const pods = [
      pod({ name: 'data', labels: data, nodeSelector: { [zone]: 'z1' } }),
      wishing({ name: 'web', nodeSelector: { [zone]: 'z2' } }, 'podAffinity', podsWith(data, zone)),
    ];
    expect(spreadOf({ pods }, zone)).toEqual({ z1: 1, z2: 1 });
  });

  test('asked for by no terms is any', () => {
    expect(places({ pods: [pod({ name: 'p', near: [], apart: [] })] })).toEqual({ p: 'medium' });
  });
});

describe('company in other namespaces', () => {
  const nodes = [node({ name: 'a', zone: 'z1' }), node({ name: 'b', zone: 'z2' })];
  const namespaces = [
    { metadata: { name: 'shop', labels: { team: 'red' } } },
    { metadata: { name: 'default' } },
  ];
  const boundPods = [pod({ name: 'x', namespace: 'shop', labels: data, on: 'b' })];

  test.each<[string, Partial<PodAffinityTerm>, string]>([
    ['is not looked for by itself', {}, nowhere],
    ['is looked for where the term says', { namespaces: ['shop'] }, 'b'],
    [
      'is looked for where a selector says',
      { namespaceSelector: { matchLabels: { team: 'red' } } },
      'b',
    ],
    ['is looked for everywhere by an empty selector', { namespaceSelector: {} }, 'b'],
    [
      'is not looked for where a selector finds nothing',
      { namespaceSelector: { matchLabels: { team: 'x' } } },
      nowhere,
    ],
  ])('%s', (_, term, expected) => {
    const near = [{ ...podsWith(data, zone), ...term }];
    expect(places({ nodes, namespaces, boundPods, pods: [pod({ name: 'p', near })] })).toEqual({
      p: expected,
    });
  });
});

describe('distance', () => {
  test('on hosts gives pods of a kind nodes of their own', () => {
    expect(
      shares({ pods: replicas(3, { name: 'p', labels: web, apart: [podsWith(web, hostname)] }) }),
    ).toHaveLength(3);
  });

  test('between two kinds holds whichever comes first', () => {
    const of = (cpu: string) =>
      shares({
        pods: [
          pod({ name: 'a', labels: web, cpu }),
          pod({ name: 'b', labels: data, cpu: '1', apart: [podsWith(web, hostname)] }),
        ],
      });
    expect([of('2'), of('500m')]).toEqual([
      [['a'], ['b']],
      [['a'], ['b']],
    ]);
  });

  test('in zones is shared out where the zones are settled', () => {
    const pods = ['z1', 'z2', 'z3'].map((name) =>
      pod({ name, labels: web, nodeSelector: { [zone]: name }, apart: [podsWith(web, zone)] }),
    );
    expect(spreadOf({ pods }, zone)).toEqual({ z1: 1, z2: 1, z3: 1 });
  });

  test('from a pod whose zone is open is distance from every zone it may get', () => {
    const pods = [
      pod({ name: 'open', labels: web, cpu: '2' }),
      pod({ name: 'avoids', cpu: '1', apart: [podsWith(web, zone)] }),
    ];
    expect(places({ pods })).toEqual({ avoids: nowhere, open: 'medium' });
  });

  test('of a kind of machine leaves the other kinds', () => {
    const instanceTypes = [
      instanceType(),
      instanceType({ name: 'arm', arch: 'arm64', price: 0.9 }),
    ];
    const pods = [
      pod({ name: 'a', labels: web, cpu: '2', nodeSelector: { [arch]: 'arm64' } }),
      pod({ name: 'b', cpu: '1', apart: [podsWith(web, arch)] }),
    ];
    expect(places({ instanceTypes, pods })).toEqual({ a: 'arm', b: 'medium' });
  });

  test('of ways of buying leaves the other way', () => {
    const instanceTypes = [instanceType({ capacityTypes: ['spot', 'on-demand'] })];
    const pods = [
      pod({ name: 'a', labels: web, cpu: '2', nodeSelector: { [capacityType]: 'spot' } }),
      pod({ name: 'b', cpu: '1', apart: [podsWith(web, capacityType)] }),
    ];
    expect(spreadOf({ instanceTypes, pods }, capacityType)).toEqual({ spot: 1, 'on-demand': 1 });
  });

  test('that running pods keep holds for pods that know nothing of it', () => {
    const nodes = [node({ name: 'a', zone: 'z1' }), node({ name: 'b', zone: 'z2' })];
    const boundPods = [pod({ name: 'x', labels: data, on: 'a', apart: [podsWith(web, zone)] })];
    const pods = [pod({ name: 'web', labels: web }), pod({ name: 'other' })];
    expect(places({ nodes, boundPods, pods })).toEqual({ other: 'a', web: 'b' });
  });

  test('that running pods only wish for holds for nobody', () => {
    const nodes = [node({ name: 'a', zone: 'z1' })];
    const boundPods = [
      wishing({ name: 'x', labels: data, on: 'a' }, 'podAntiAffinity', podsWith(web, zone)),
    ];
    expect(places({ nodes, boundPods, pods: [pod({ name: 'web', labels: web })] })).toEqual({
      web: 'a',
    });
  });

  test('that a placed pod keeps holds for pods that come after it', () => {
    const pods = [
      pod({
        name: 'first',
        cpu: '2',
        nodeSelector: { [zone]: 'z1' },
        apart: [podsWith(web, zone)],
      }),
      pod({ name: 'web', cpu: '1', labels: web, nodeSelector: { [zone]: 'z1' } }),
      pod({ name: 'web-elsewhere', cpu: '1', labels: web, nodeSelector: { [zone]: 'z2' } }),
    ];
    expect(places({ pods })).toMatchObject({ web: nowhere, 'web-elsewhere': 'medium' });
  });

  test('that is wished for may be broken', () => {
    const nodes = [node({ name: 'a', zone: 'z1' })];
    const boundPods = [pod({ name: 'x', labels: data, on: 'a' })];
    const pods = [
      wishing(
        { name: 'p', nodeSelector: { [zone]: 'z1' } },
        'podAntiAffinity',
        podsWith(data, zone),
      ),
    ];
    expect(places({ nodePools: [], nodes, boundPods, pods })).toEqual({ p: 'a' });
  });
});

describe('pods on their way out', () => {
  const leaving = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };

  test('are company for nobody and keep nobody away', () => {
    const nodes = [node({ name: 'n', zone: 'z1' })];
    const ending = (options: PodOptions): Pod => {
      const { metadata, spec } = pod({ name: 'x', on: 'n', ...options });
      return { metadata: { ...metadata, ...leaving.metadata }, spec };
    };
    expect([
      places({
        nodes,
        boundPods: [ending({ labels: data })],
        pods: [pod({ name: 'p', near: [podsWith(data, zone)] })],
      }),
      places({
        nodes,
        boundPods: [ending({ apart: [podsWith(web, zone)] })],
        pods: [pod({ name: 'p', labels: web })],
      }),
    ]).toEqual([{ p: nowhere }, { p: 'n' }]);
  });
});
