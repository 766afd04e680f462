import { describe, expect, test } from 'vitest';
import type {
  NodeSelectorTerm,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeSpec,
  Pod,
  Volume,
} from '../api/core.ts';
import type { StorageClass } from '../api/workloads.ts';
import { coreLabelRules } from './label-rules.ts';
import { describeRequirements, noNode, noRequirements } from './requirements.ts';
import type { StorageLookup } from './storage.ts';
import {
  type AttachedVolumes,
  describeVolumeLimitBreach,
  exceededVolumeLimit,
  mergeVolumes,
  noVolumes,
  podVolumes,
  volumeLimits,
} from './volume-limit.ts';
import { volumeAlternatives } from './volume-topology.ts';

interface World {
  readonly claims?: Readonly<Record<string, PersistentVolumeClaim['spec']>>;
  readonly volumes?: Readonly<Record<string, PersistentVolumeSpec>>;
  readonly classes?: Readonly<Record<string, Omit<StorageClass, 'metadata'>>>;
}

function lookup({ claims = {}, volumes = {}, classes = {} }: World): StorageLookup {
  return {
    claim(namespace, name) {
      const spec = namespace === 'ns' ? claims[name] : undefined;
      return spec && { metadata: { name, namespace }, spec };
    },
    volume: (name): PersistentVolume | undefined =>
      volumes[name] && { metadata: { name }, spec: volumes[name] },
    storageClass: (name) => classes[name] && { metadata: { name }, ...classes[name] },
  };
}

function pod(...volumes: Volume[]): Pod {
  return { metadata: { name: 'web', namespace: 'ns' }, spec: { containers: [], volumes } };
}

const claimed = (claimName: string): Volume => ({
  name: claimName,
  persistentVolumeClaim: { claimName },
});
const zoneTerm = (...values: string[]): NodeSelectorTerm => ({
  matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values }],
});
const hostTerm: NodeSelectorTerm = {
  matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['n1'] }],
};
const inTerms = (...nodeSelectorTerms: NodeSelectorTerm[]): PersistentVolumeSpec => ({
  nodeAffinity: { required: { nodeSelectorTerms } },
});

describe('volumes of a pod by driver', () => {
  const world: World = {
    claims: {
      disk: { volumeName: 'pv-disk' },
      old: { volumeName: 'pv-ebs' },
      nfs: { volumeName: 'pv-nfs' },
      dynamic: { storageClassName: 'managed' },
      migrated: { storageClassName: 'in-tree' },
      classless: {},
      orphan: { storageClassName: 'gone' },
      'web-scratch': { storageClassName: 'managed' },
      lost: { volumeName: 'pv-gone' },
    },
    volumes: {
      'pv-disk': { csi: { driver: 'disk.csi.azure.com' } },
      'pv-ebs': { awsElasticBlockStore: {} },
      'pv-nfs': {},
    },
    classes: {
      managed: { provisioner: 'disk.csi.azure.com' },
      'in-tree': { provisioner: 'kubernetes.io/azure-file' },
    },
  };

  test.each<[string, Volume, [string, string][]]>([
    ['bound to a CSI volume', claimed('disk'), [['disk.csi.azure.com', 'ns/disk']]],
    ['bound to an in-tree EBS volume', claimed('old'), [['ebs.csi.aws.com', 'ns/old']]],
    ['bound to something without a driver', claimed('nfs'), []],
    ['yet to be made', claimed('dynamic'), [['disk.csi.azure.com', 'ns/dynamic']]],
    [
      'yet to be made by an in-tree class',
      claimed('migrated'),
      [['file.csi.azure.com', 'ns/migrated']],
    ],
    ['without a class', claimed('classless'), []],
    ['of a class that is gone', claimed('orphan'), []],
    ['that vanished', claimed('vanished'), []],
    [
      'made for this pod',
      { name: 'scratch', ephemeral: {} },
      [['disk.csi.azure.com', 'ns/web-scratch']],
    ],
    ['that needs no claim', { name: 'tmp' }, []],
  ])('a claim %s', (_, volume, expected) => {
    const result = podVolumes(pod(volume), lookup(world));
    expect(result).toEqual({
      ok: true,
      volumes: new Map(expected.map(([driver, claim]) => [driver, new Set([claim])])),
    });
  });

  test('cannot be counted when a bound volume is missing', () => {
    expect(podVolumes(pod(claimed('disk'), claimed('lost')), lookup(world))).toEqual({
      ok: false,
      reason:
        'getting persistent volume, persistentvolumes "pv-gone" not found (PersistentVolume=pv-gone)',
    });
  });

  test('a pod without volumes has none', () => {
    const { volumes: _, ...spec } = pod().spec;
    expect(podVolumes({ ...pod(), spec }, lookup({}))).toEqual({ ok: true, volumes: new Map() });
    expect(volumeAlternatives(coreLabelRules, { ...pod(), spec }, lookup({}))).toEqual({
      ok: true,
      alternatives: [],
    });
  });

  test('two claims of one driver are two', () => {
    const result = podVolumes(pod(claimed('disk'), claimed('dynamic')), lookup(world));
    expect(result).toMatchObject({
      volumes: new Map([['disk.csi.azure.com', new Set(['ns/disk', 'ns/dynamic'])]]),
    });
  });
});

describe('volume limits', () => {
  const attached = (driver: string, ...claims: string[]): AttachedVolumes =>
    new Map([[driver, new Set(claims)]]);

  test('come from the CSINode, where stated', () => {
    const node = {
      metadata: { name: 'n' },
      spec: {
        drivers: [
          { name: 'a', allocatable: { count: 2 } },
          { name: 'b', allocatable: {} },
          { name: 'c' },
        ],
      },
    };
    expect(volumeLimits(node)).toEqual(new Map([['a', 2]]));
    expect(volumeLimits({ metadata: { name: 'n' }, spec: {} }).size).toBe(0);
    expect(volumeLimits(undefined).size).toBe(0);
  });

  const limits = new Map([['d', 2]]);
  test.each<[string, AttachedVolumes, AttachedVolumes, boolean]>([
    ['room for one more', attached('d', 'a'), attached('d', 'b'), false],
    ['a shared claim counts once', attached('d', 'a', 'b'), attached('d', 'b'), false],
    ['one too many', attached('d', 'a', 'b'), attached('d', 'c'), true],
    ['another driver', attached('d', 'a', 'b'), attached('e', 'c', 'x', 'y'), false],
    ['too many at once', noVolumes, attached('d', 'a', 'b', 'c'), true],
  ])('%s', (_, here, added, exceeded) => {
    expect(exceededVolumeLimit(limits, here, added) !== undefined).toBe(exceeded);
    expect(exceededVolumeLimit(new Map(), here, added)).toBeUndefined();
  });

  test('the text names driver, count and limit', () => {
    const breach = exceededVolumeLimit(limits, attached('d', 'a', 'b'), attached('d', 'c'))!;
    expect(describeVolumeLimitBreach(breach)).toBe(
      'would exceed volume limit (provisioner=d, volume-count=3, volume-limit=2)',
    );
  });

  test('merging unites the claims of each driver and leaves the operands alone', () => {
    const [a, b] = [attached('d', 'a'), attached('d', 'a', 'b')];
    expect(mergeVolumes(a, b, attached('e', 'c'))).toEqual(
      new Map([
        ['d', new Set(['a', 'b'])],
        ['e', new Set(['c'])],
      ]),
    );
    expect(a).toEqual(attached('d', 'a'));
  });
});

describe('where volumes can be', () => {
  function alternatives(world: World, ...volumes: Volume[]): string[] | string {
    const result = volumeAlternatives(coreLabelRules, pod(...volumes), lookup(world));
    if (!result.ok) return result.reason;
    return result.alternatives.map((set) => describeRequirements(coreLabelRules, set));
  }

  const bound = (spec: PersistentVolumeSpec): World => ({
    claims: { data: { volumeName: 'pv' } },
    volumes: { pv: spec },
  });

  test.each<[string, PersistentVolumeSpec, string[]]>([
    ['nowhere in particular', {}, []],
    ['with affinity that says nothing', { nodeAffinity: {} }, []],
    ['in one zone', inTerms(zoneTerm('z1')), ['topology.kubernetes.io/zone In [z1]']],
    [
      'in one of two terms',
      inTerms(zoneTerm('z1'), zoneTerm('z2', 'z3')),
      ['topology.kubernetes.io/zone In [z1]', 'topology.kubernetes.io/zone In [z2 z3]'],
    ],
    [
      'with an empty term beside',
      inTerms({}, zoneTerm('z1')),
      ['topology.kubernetes.io/zone In [z1]'],
    ],
  ])('a volume %s', (_, spec, expected) => {
    expect(alternatives(bound(spec), claimed('data'))).toEqual(expected);
  });

  test.each([
    ['of terms with nothing in them fits no node', inTerms({}), [noNode]],
    [
      'tied to the name of a node is not looked at',
      inTerms({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }),
      [noRequirements],
    ],
  ])('a volume %s', (_, spec, expected) => {
    expect(volumeAlternatives(coreLabelRules, pod(claimed('data')), lookup(bound(spec)))).toEqual({
      ok: true,
      alternatives: expected,
    });
  });

  test.each([{ local: {} }, { hostPath: {} }])('the host of %j does not matter', (kind) => {
    const spec = { ...inTerms(hostTerm, zoneTerm('z1')), ...kind };
    const result = volumeAlternatives(coreLabelRules, pod(claimed('data')), lookup(bound(spec)));
    // A term of nothing but the host becomes an alternative without constraint.
    expect(result.ok && result.alternatives.map((set) => set.size)).toEqual([0, 1]);
  });

  test('the host of any other volume does', () => {
    const result = volumeAlternatives(
      coreLabelRules,
      pod(claimed('data')),
      lookup(bound(inTerms(hostTerm))),
    );
    expect(result.ok && [...result.alternatives[0]!.keys()]).toEqual(['kubernetes.io/hostname']);
  });

  test('an unbound claim follows its class, under present keys', () => {
    const world: World = {
      claims: {
        data: { storageClassName: 'zonal' },
        free: { storageClassName: 'plain' },
        none: {},
      },
      classes: {
        plain: { provisioner: 'p' },
        zonal: {
          provisioner: 'p',
          allowedTopologies: [
            {},
            {
              matchLabelExpressions: [
                { key: 'failure-domain.beta.kubernetes.io/zone', values: ['z2', 'z1'] },
              ],
            },
          ],
        },
      },
    };
    expect(alternatives(world, claimed('data'))).toEqual([
      'topology.kubernetes.io/zone In [z1 z2]',
    ]);
    expect(alternatives(world, claimed('free'), claimed('none'), { name: 'tmp' })).toEqual([]);
  });

  describe('several volumes', () => {
    const two = (a: PersistentVolumeSpec, b: PersistentVolumeSpec): World => ({
      claims: { a: { volumeName: 'a' }, b: { volumeName: 'b' }, c: { volumeName: 'c' } },
      volumes: { a, b, c: {} },
    });

    test('keep only combinations that can be', () => {
      const world = two(
        inTerms(zoneTerm('z1', 'z2'), zoneTerm('z3')),
        inTerms(zoneTerm('z2'), zoneTerm('z3', 'z4')),
      );
      expect(alternatives(world, claimed('c'), claimed('a'), claimed('c'), claimed('b'))).toEqual([
        'topology.kubernetes.io/zone In [z2]',
        'topology.kubernetes.io/zone In [z3]',
      ]);
    });

    test('keep the contradiction when nothing can be', () => {
      const world = two(inTerms(zoneTerm('z1')), inTerms(zoneTerm('z2'), zoneTerm('z3')));
      expect(alternatives(world, claimed('a'), claimed('b'))).toEqual([
        'topology.kubernetes.io/zone DoesNotExist',
        'topology.kubernetes.io/zone DoesNotExist',
      ]);
    });
  });

  test.each<[World, string]>([
    [{}, 'getting persistent volume claim, persistentvolumeclaims "data" not found'],
    [
      { claims: { data: { volumeName: 'pv' } } },
      'getting persistent volume, persistentvolumes "pv"',
    ],
    [
      { claims: { data: { storageClassName: 'sc' } } },
      'getting storage class, storageclasses "sc"',
    ],
  ])('a missing object is a reason: %j', (world, reason) => {
    expect(alternatives(world, claimed('data'))).toContain(reason);
  });
});
