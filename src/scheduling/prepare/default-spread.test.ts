import { describe, expect, test } from 'vitest';
import { pod, spreadOver, zone } from '../../../test/support/scheduling/builders.ts';
import type { Pod } from '../../api/core.ts';
import type { LabelSelector, OwnerReference } from '../../api/meta.ts';
import { withDefaultSpread, type WorkloadSelectors } from './default-spread.ts';
import type { DefaultConstraint } from './scheduler-config.ts';

const overZones: DefaultConstraint = {
  maxSkew: 1,
  topologyKey: zone,
  whenUnsatisfiable: 'DoNotSchedule',
  minDomains: 2,
  nodeTaintsPolicy: 'Honor',
};

interface World {
  /** Of namespace `default`. */
  readonly services?: readonly (Readonly<Record<string, string>> | undefined)[];
  readonly replicationController?: Readonly<Record<string, string>>;
  readonly replicaSet?: LabelSelector;
  readonly statefulSet?: LabelSelector;
}

function selectorsOf({ services = [], ...owners }: World): WorkloadSelectors {
  const known = (namespace: string, name: string) => namespace === 'default' && name === 'web';
  return {
    services: (namespace) => (namespace === 'default' ? services : []),
    replicationController: (...key) => (known(...key) ? owners.replicationController : undefined),
    replicaSet: (...key) => (known(...key) ? owners.replicaSet : undefined),
    statefulSet: (...key) => (known(...key) ? owners.statefulSet : undefined),
  };
}

function ownedBy(kind: string, change: Partial<OwnerReference> = {}, subject = web): Pod {
  const apiVersion = kind === 'ReplicationController' ? 'v1' : 'apps/v1';
  const owner = { apiVersion, kind, name: 'web', uid: `${kind}-web`, controller: true, ...change };
  return { ...subject, metadata: { ...subject.metadata, ownerReferences: [owner] } };
}

/** The selector the pod was given, or undefined when it was left alone. */
function deduced(subject: Pod, world: World): LabelSelector | undefined {
  const [result] = withDefaultSpread([subject], [overZones], selectorsOf(world));
  return result?.spec.topologySpreadConstraints?.[0]?.labelSelector;
}

const web = pod({ name: 'web-0', labels: { app: 'web', tier: 'front' } });
const inApp = { key: 'app', operator: 'In', values: ['web'] };

describe('default spread', () => {
  test('gives a pod without constraints all of them, with the selector of its owner', () => {
    const overHosts = { ...overZones, topologyKey: 'kubernetes.io/hostname' };
    const world = selectorsOf({ replicaSet: { matchLabels: { app: 'web' } } });
    const [result] = withDefaultSpread([ownedBy('ReplicaSet')], [overZones, overHosts], world);
    const labelSelector = { matchExpressions: [inApp] };
    expect(result?.spec.topologySpreadConstraints).toEqual([
      { ...overZones, labelSelector },
      { ...overHosts, labelSelector },
    ]);
  });

  test('leaves a pod alone that has a constraint of its own', () => {
    const own = ownedBy('ReplicaSet', {}, pod({ spread: [spreadOver('rack', { app: 'web' })] }));
    const world = selectorsOf({ replicaSet: { matchLabels: { app: 'web' } } });
    expect(withDefaultSpread([own], [overZones], world)[0]).toBe(own);
  });

  test('takes an empty list of constraints for none', () => {
    const subject = { ...web, spec: { ...web.spec, topologySpreadConstraints: [] } };
    expect(deduced(subject, { services: [{ app: 'web' }] })).toBeDefined();
  });

  test('is off without default constraints', () => {
    const pods = [ownedBy('ReplicaSet')];
    const world = selectorsOf({ replicaSet: { matchLabels: { app: 'web' } } });
    expect(withDefaultSpread(pods, [], world)).toBe(pods);
  });

  test('leaves a pod alone that nothing selects', () => {
    const [result] = withDefaultSpread([web], [overZones], selectorsOf({}));
    expect(result).toBe(web);
  });

  test('changes nothing that was handed in', () => {
    const subject = ownedBy('ReplicaSet');
    const before = structuredClone(subject);
    const constraint = structuredClone(overZones);
    expect(deduced(subject, { replicaSet: { matchLabels: { app: 'web' } } })).toBeDefined();
    expect([subject, overZones]).toEqual([before, constraint]);
  });
});

describe('the selector of an owner', () => {
  const expression = { key: 'tier', operator: 'Exists' } as const;

  test.each([
    ['ReplicaSet', { replicaSet: { matchLabels: { app: 'web' } } }],
    ['StatefulSet', { statefulSet: { matchLabels: { app: 'web' } } }],
  ])('is taken from a %s', (kind, world) => {
    expect(deduced(ownedBy(kind), world)).toEqual({ matchExpressions: [inApp] });
  });

  test('is taken from a ReplicationController as labels', () => {
    expect(
      deduced(ownedBy('ReplicationController'), { replicationController: { app: 'web' } }),
    ).toEqual({ matchLabels: { app: 'web' } });
  });

  test('keeps its expressions as they are', () => {
    const replicaSet = { matchLabels: { app: 'web' }, matchExpressions: [expression] };
    expect(deduced(ownedBy('ReplicaSet'), { replicaSet })).toEqual({
      matchExpressions: [inApp, expression],
    });
  });

  test.each<[string, Pod]>([
    ['of another kind', ownedBy('Job', { apiVersion: 'batch/v1' })],
    ['of another group', ownedBy('ReplicaSet', { apiVersion: 'extensions/v1beta1' })],
    ['that is not the controller', ownedBy('ReplicaSet', { controller: false })],
    ['that has vanished', ownedBy('ReplicaSet', { name: 'gone' })],
    ['with an empty selector', ownedBy('StatefulSet')],
  ])('contributes nothing if it is one %s', (_, subject) => {
    const world = { replicaSet: { matchLabels: { app: 'web' } }, statefulSet: {} };
    expect(deduced(subject, world)).toBeUndefined();
  });
});

describe('the selectors of Services', () => {
  test.each<[string, NonNullable<World['services']>, LabelSelector | undefined]>([
    ['one that selects the pod', [{ app: 'web' }], { matchLabels: { app: 'web' } }],
    [
      'several that select the pod',
      [{ app: 'web' }, { tier: 'front' }],
      { matchLabels: { app: 'web', tier: 'front' } },
    ],
    [
      'only those that select the pod',
      [{ app: 'web' }, { app: 'db' }],
      { matchLabels: { app: 'web' } },
    ],
    ['none that selects the pod', [{ app: 'db' }], undefined],
    ['one without a selector', [undefined], undefined],
    ['one that selects everything', [{}], undefined],
    [
      'one that selects everything beside another',
      [{}, { app: 'web' }],
      { matchLabels: { app: 'web' } },
    ],
  ])('are merged: %s', (_, services, selector) => {
    expect(deduced(web, { services })).toEqual(selector);
  });

  test('of another namespace do not count', () => {
    const elsewhere = pod({ namespace: 'other', labels: { app: 'web' } });
    expect(deduced(elsewhere, { services: [{ app: 'web' }] })).toBeUndefined();
  });

  test('are added to that of a ReplicaSet, even where the two disagree', () => {
    const world = { services: [{ app: 'web' }], replicaSet: { matchLabels: { app: 'old' } } };
    expect(deduced(ownedBy('ReplicaSet'), world)).toEqual({
      matchLabels: { app: 'web' },
      matchExpressions: [{ key: 'app', operator: 'In', values: ['old'] }],
    });
  });

  test('give way to that of a ReplicationController where the two disagree', () => {
    const world = {
      services: [{ app: 'web', tier: 'front' }],
      replicationController: { app: 'old' },
    };
    expect(deduced(ownedBy('ReplicationController'), world)).toEqual({
      matchLabels: { app: 'old', tier: 'front' },
    });
  });
});

describe('pods of one pass', () => {
  test('are looked up once per namespace, owner and labels', () => {
    const asked: string[] = [];
    const world = selectorsOf({ replicaSet: { matchLabels: { app: 'web' } } });
    const counting = {
      ...world,
      services: (namespace: string) => {
        asked.push(namespace);
        return world.services(namespace);
      },
    };
    const shapes = [
      ownedBy('ReplicaSet'),
      ownedBy('ReplicaSet', { uid: 'other' }),
      ownedBy('ReplicaSet', {}, pod({ labels: { app: 'web' } })),
      ownedBy('ReplicaSet', {}, pod({ namespace: 'other', labels: { app: 'web' } })),
    ];
    withDefaultSpread([...shapes, ...shapes], [overZones], counting);
    expect(asked).toEqual(['default', 'default', 'default', 'other']);
  });

  test('of different labels do not share a selector', () => {
    const services = [{ app: 'web' }, { track: 'canary' }];
    const plain = pod({ labels: { app: 'web' } });
    const canary = pod({ labels: { app: 'web', track: 'canary' } });
    const results = withDefaultSpread([plain, canary], [overZones], selectorsOf({ services }));
    expect(results.map(({ spec }) => spec.topologySpreadConstraints?.[0]?.labelSelector)).toEqual([
      { matchLabels: { app: 'web' } },
      { matchLabels: { app: 'web', track: 'canary' } },
    ]);
  });
});
