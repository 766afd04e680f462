// Pods with volumes go where those are, and to nodes that can attach them.
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../src/api/core.ts';
import {
  claim,
  hostname,
  is,
  node,
  pod,
  type PodOptions,
  podsWith,
  replicas,
  spreadOver,
  storageClass,
  volume,
  zone,
} from '../support/scheduling/builders.ts';
import { nowhere, places, planOf, spreadOf } from '../support/scheduling/places.ts';
import type { ProblemJson } from '../support/scheduling/problem-json.ts';

const driver = 'disk.csi.azure.com';
const web = { app: 'web' };
const storage = {
  persistentVolumes: [
    volume({ name: 'v1', zones: ['z1'] }),
    volume({ name: 'v23', zones: ['z2', 'z3'] }),
    volume({ name: 'anywhere' }),
  ],
  persistentVolumeClaims: [
    claim({ name: 'in-z1', volume: 'v1' }),
    claim({ name: 'in-z23', volume: 'v23' }),
    claim({ name: 'free', volume: 'anywhere' }),
    claim({ name: 'new-z2', storageClass: 'only-z2' }),
    claim({ name: 'new', storageClass: 'any' }),
  ],
  storageClasses: [storageClass({ name: 'only-z2', zones: ['z2'] }), storageClass({ name: 'any' })],
};

function zoneOf(options: PodOptions, parts: Partial<ProblemJson> = {}): string {
  const all = { ...storage, ...parts, pods: [pod({ name: 'p', ...options })] };
  return Object.keys(spreadOf(all, zone))[0] ?? nowhere;
}

describe('a pod with volumes', () => {
  test.each<[string, PodOptions, string]>([
    ['goes to the zone of its volume', { claims: ['in-z1'] }, 'z1'],
    ['goes to one of its zones', { claims: ['in-z23'], nodeSelector: { [zone]: 'z3' } }, 'z3'],
    ['goes anywhere with a volume that is anywhere', { claims: ['free'] }, 'open'],
    ['goes where its class makes volumes', { claims: ['new-z2'] }, 'z2'],
    ['goes anywhere when its class makes volumes anywhere', { claims: ['new'] }, 'open'],
    ['goes where all of them are', { claims: ['new-z2', 'in-z23'] }, 'z2'],
    ['goes nowhere when they are apart', { claims: ['in-z1', 'in-z23'] }, nowhere],
    [
      'goes nowhere when it asks for another zone',
      { claims: ['in-z1'], nodeSelector: { [zone]: 'z2' } },
      nowhere,
    ],
    [
      'goes to its volume whatever it wishes',
      { claims: ['in-z1'], preferred: [[is(zone, 'z2')]] },
      'z1',
    ],
  ])('%s', (_, options, expected) => {
    expect(zoneOf(options)).toBe(expected);
  });

  test('goes to a node in the zone of its volume', () => {
    const nodes = ['z2', 'z1'].map((name) => node({ name: `n-${name}`, zone: name }));
    expect(places({ ...storage, nodes, pods: [pod({ name: 'p', claims: ['in-z1'] })] })).toEqual({
      p: 'n-z1',
    });
  });

  test('may choose among the terms of its volume', () => {
    const terms = ['z1', 'z2'].map((name) => ({ matchExpressions: [is(zone, name)] }));
    const either = {
      metadata: { name: 'either' },
      spec: { csi: { driver }, nodeAffinity: { required: { nodeSelectorTerms: terms } } },
    };
    const parts = {
      persistentVolumes: [either],
      persistentVolumeClaims: [claim({ name: 'c', volume: 'either' })],
    };
    expect([
      zoneOf({ claims: ['c'] }, parts),
      zoneOf({ claims: ['c'], nodeSelector: { [zone]: 'z2' } }, parts),
      zoneOf({ claims: ['c'], nodeSelector: { [zone]: 'z3' } }, parts),
    ]).toEqual(['z1', 'z2', nowhere]);
  });

  test('chooses another term where the first is taken by a pod it avoids', () => {
    const storageClasses = [
      {
        ...storageClass({ name: 'two' }),
        allowedTopologies: ['z1', 'z2'].map((name) => ({
          matchLabelExpressions: [{ key: zone, values: [name] }],
        })),
      },
    ];
    const names = ['a', 'b'];
    const parts = {
      storageClasses,
      persistentVolumeClaims: names.map((name) => claim({ name, storageClass: 'two' })),
      pods: names.map((name) =>
        pod({ name, labels: web, claims: [name], apart: [podsWith(web, zone)] }),
      ),
    };
    expect(spreadOf(parts, zone)).toEqual({ z1: 1, z2: 1 });
  });

  test('is not held by the host of a disk inside a node, and is by any other host', () => {
    const onHost = (source: object) => ({
      persistentVolumes: [
        {
          metadata: { name: 'v' },
          spec: {
            ...source,
            nodeAffinity: {
              required: { nodeSelectorTerms: [{ matchExpressions: [is(hostname, 'gone')] }] },
            },
          },
        },
      ],
      persistentVolumeClaims: [claim({ name: 'c', volume: 'v' })],
      pods: [pod({ name: 'p', claims: ['c'] })],
    });
    expect([
      places(onHost({ local: { path: '/disk' } })),
      places(onHost({ hostPath: { path: '/disk' } })),
      places(onHost({ csi: { driver } })),
    ]).toEqual([{ p: 'medium' }, { p: 'medium' }, { p: nowhere }]);
  });

  test('that cannot be looked up fails alone', () => {
    const pods = [
      pod({ name: 'broken', claims: ['missing'] }),
      pod({ name: 'fine', claims: ['free'] }),
    ];
    expect(places({ ...storage, pods })).toEqual({ broken: nowhere, fine: 'medium' });
  });

  test('and a spread over three zones keeps both', () => {
    const claims = ['z1', 'z2', 'z3'];
    const parts = {
      persistentVolumes: claims.map((name) => volume({ name: `v-${name}`, zones: [name] })),
      persistentVolumeClaims: claims.map((name) => claim({ name, volume: `v-${name}` })),
      pods: claims.map((name) =>
        pod({
          name,
          labels: web,
          claims: [name],
          spread: [spreadOver(zone, web, { minDomains: 3 })],
        }),
      ),
    };
    expect(spreadOf(parts, zone)).toEqual({ z1: 1, z2: 1, z3: 1 });
  });
});

describe('a node', () => {
  const nodes = [node({ name: 'n' })];
  const names = ['a', 'b', 'c'];
  const disks = {
    persistentVolumes: names.map((name) => volume({ name })),
    persistentVolumeClaims: names.map((name) => claim({ name, volume: name })),
  };

  function attached(
    count: number | undefined,
    pods: readonly Pod[],
    boundPods: readonly Pod[] = [],
  ) {
    const allocatable = count === undefined ? {} : { allocatable: { count } };
    const csiNodes = [
      {
        metadata: { name: 'n' },
        spec: { drivers: [{ name: driver, nodeID: 'n', ...allocatable }] },
      },
    ];
    return places({ ...disks, nodes, csiNodes, boundPods, pods });
  }

  const three = names.map((name) => pod({ name, claims: [name] }));

  test('attaches as many volumes as it can, and no more', () => {
    const counts = [undefined, 3, 2, 0].map(
      (count) => Object.values(attached(count, three)).filter((place) => place === 'n').length,
    );
    expect(counts).toEqual([3, 3, 2, 0]);
  });

  test('attaches a volume once for all its pods', () => {
    const pods = replicas(3, { name: 'p', claims: ['a'] });
    expect(Object.values(attached(1, pods))).toEqual(['n', 'n', 'n']);
  });

  test('counts volumes of pods that it has', () => {
    const boundPods = [pod({ name: 'x', claims: ['a'], on: 'n' })];
    expect(
      attached(
        1,
        [pod({ name: 'same', claims: ['a'] }), pod({ name: 'other', claims: ['b'] })],
        boundPods,
      ),
    ).toEqual({ other: 'medium', same: 'n' });
  });

  test('does not count volumes that are not attached', () => {
    const nfs = {
      persistentVolumes: [{ metadata: { name: 'share' }, spec: {} }],
      persistentVolumeClaims: [claim({ name: 'c', volume: 'share' })],
    };
    const csiNodes = [
      {
        metadata: { name: 'n' },
        spec: { drivers: [{ name: driver, nodeID: 'n', allocatable: { count: 0 } }] },
      },
    ];
    expect(places({ ...nfs, nodes, csiNodes, pods: [pod({ name: 'p', claims: ['c'] })] })).toEqual({
      p: 'n',
    });
  });

  test('counts volumes of their own that pods bring', () => {
    const own = (name: string): Pod => {
      const { metadata, spec } = pod({ name });
      const template = { spec: { storageClassName: 'any' } };
      return {
        metadata,
        spec: {
          ...spec,
          volumes: [{ name: 'disk', ephemeral: { volumeClaimTemplate: template } }],
        },
      };
    };
    const made = ['p-0', 'p-1'].map((name) => claim({ name: `${name}-disk`, storageClass: 'any' }));
    const csiNodes = [
      {
        metadata: { name: 'n' },
        spec: { drivers: [{ name: driver, nodeID: 'n', allocatable: { count: 1 } }] },
      },
    ];
    const parts = { storageClasses: [storageClass({ name: 'any' })], persistentVolumeClaims: made };
    const plan = planOf({ ...parts, nodes, csiNodes, pods: ['p-0', 'p-1'].map(own) });
    expect([plan.existingNodes.length, plan.newNodeClaims.length]).toEqual([1, 1]);
  });
});
