import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApiObject } from '../../object.ts';
import { ClusterFixture } from '../cluster-fixture.ts';
import { address } from '../runtime/addresses.ts';
import { startCluster } from '../test-cluster.ts';
import { judge, type OwnerState } from './verdict.ts';

function configMap(
  cluster: ClusterFixture,
  name: string,
  ...owners: readonly (ApiObject | { owner: ApiObject; blocks: boolean })[]
): ApiObject {
  const ownerReferences = owners.map((it) => {
    const { owner, blocks } = 'owner' in it ? it : { owner: it, blocks: false };
    const { apiVersion, kind, metadata } = owner as ApiObject;
    const { name, uid } = metadata;
    return { apiVersion, kind, name, uid: uid!, ...(blocks ? { blockOwnerDeletion: true } : {}) };
  });
  const metadata = { name, namespace: 'default', ownerReferences };
  return cluster.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
}

const names = (cluster: ClusterFixture) =>
  cluster.names(address.configMaps, 'default').filter((name) => name !== 'kube-root-ca.crt');

describe('deleting an owner', () => {
  test('in the background takes dependents, and theirs, after it', async () => {
    const cluster = await startCluster();
    const owner = configMap(cluster, 'a');
    const child = configMap(cluster, 'b', owner);
    configMap(cluster, 'c', child);
    await cluster.run();
    cluster.delete(address.configMaps, owner, { propagationPolicy: 'Background' });
    expect(names(cluster)).toEqual(['b', 'c']);
    await cluster.run();
    expect(names(cluster)).toEqual([]);
  });

  test('in the foreground keeps it until the blocking dependents are gone', async () => {
    const cluster = await startCluster();
    const owner = configMap(cluster, 'a');
    const child = configMap(cluster, 'b', { owner, blocks: true });
    cluster.merge(address.configMaps, child, { metadata: { finalizers: ['example.com/hold'] } });
    configMap(cluster, 'c', owner);
    await cluster.run();
    cluster.delete(address.configMaps, owner, { propagationPolicy: 'Foreground' });
    await cluster.run();
    expect(names(cluster)).toEqual(['a', 'b']);
    const held = cluster.get(address.configMaps, 'b', 'default')!;
    cluster.merge(address.configMaps, held, { metadata: { finalizers: null } });
    await cluster.run();
    expect(names(cluster)).toEqual([]);
  });

  test('as orphans leaves the dependents without their reference', async () => {
    const cluster = await startCluster();
    const owner = configMap(cluster, 'a');
    configMap(cluster, 'b', { owner, blocks: true });
    await cluster.run();
    cluster.delete(address.configMaps, owner, { propagationPolicy: 'Orphan' });
    await cluster.run();
    expect(names(cluster)).toEqual(['b']);
    const orphan = cluster.get(address.configMaps, 'b', 'default')!;
    expect(orphan.metadata.ownerReferences).toBeUndefined();
  });

  test('keeps what has another owner, and drops the reference', async () => {
    const cluster = await startCluster();
    const [first, second] = [configMap(cluster, 'a'), configMap(cluster, 'b')];
    configMap(cluster, 'c', first, second);
    await cluster.run();
    cluster.delete(address.configMaps, first);
    await cluster.run();
    expect(names(cluster)).toEqual(['b', 'c']);
    const kept = cluster.get(address.configMaps, 'c', 'default')!;
    expect(kept.metadata.ownerReferences).toMatchObject([{ name: 'b' }]);
  });
});

describe('an owner reference', () => {
  const reference = (owner: ApiObject, changes: object) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: owner.metadata.name,
    uid: owner.metadata.uid!,
    ...changes,
  });

  test.each([
    ['to an object that never was', { uid: 'other' }, false],
    ['to another name', { name: 'none' }, false],
    ['to a kind that nobody serves', { kind: 'Gizmo', apiVersion: 'example.com/v1' }, true],
    ['to a living object', {}, true],
  ])('%s', async (_, changes, survives) => {
    const cluster = await startCluster();
    const owner = configMap(cluster, 'a');
    const metadata = {
      name: 'b',
      namespace: 'default',
      ownerReferences: [reference(owner, changes)],
    };
    cluster.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
    await cluster.run();
    expect(names(cluster)).toEqual(survives ? ['a', 'b'] : ['a']);
  });

  test('to an owner in another namespace is to nobody', async () => {
    const cluster = await startCluster();
    const owner = configMap(cluster, 'a');
    const metadata = {
      name: 'b',
      namespace: 'kube-system',
      ownerReferences: [reference(owner, {})],
    };
    cluster.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
    await cluster.run();
    expect(cluster.get(address.configMaps, 'b', 'kube-system')).toBeUndefined();
  });

  test('of a cluster-wide object to a namespaced one is never acted on', async () => {
    const cluster = await startCluster();
    const owner = configMap(cluster, 'a');
    const metadata = { name: 'n', ownerReferences: [reference(owner, { uid: 'gone' })] };
    cluster.create({ apiVersion: 'v1', kind: 'Node', metadata });
    await cluster.run();
    expect(cluster.get(address.nodes, 'n')).toBeDefined();
  });
});

describe('the verdict on a dependent', () => {
  const state = fc.constantFrom<OwnerState>('solid', 'gone', 'waiting', 'unknown');

  test('is never death while an owner lives or cannot be judged', () => {
    fc.assert(
      fc.property(fc.array(state), fc.boolean(), (states, hasBlockingDependents) => {
        const reference = { apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' };
        const owners = states.map((it) => ({ reference, state: it }));
        const verdict = judge(owners, { finalizers: [], hasBlockingDependents });
        const mustLive =
          states.length === 0 || states.includes('solid') || states.includes('unknown');
        expect(verdict.kind === 'delete').toBe(!mustLive);
      }),
    );
  });
});

describe('any graph of owners', () => {
  test('leaves after deletions exactly what has a living owner or never had one', async () => {
    const edge = fc.tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 7 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(edge, { maxLength: 12 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 4 }),
        fc.constantFrom('Background', 'Foreground'),
        async (edges, doomed, propagationPolicy) => {
          const cluster = await new ClusterFixture().start();
          const objects: ApiObject[] = [];
          // An owner is always made before its dependents, so the graph has no cycles.
          const owners = (i: number) => [
            ...new Set(edges.filter(([a, b]) => b === i && a < b).map(([a]) => a)),
          ];
          for (let i = 0; i < 8; i++) {
            const blocking = owners(i).map((a) => ({ owner: objects[a]!, blocks: a % 2 === 0 }));
            objects.push(configMap(cluster, `m${i}`, ...blocking));
          }
          await cluster.run();
          for (const i of doomed) {
            cluster.delete(address.configMaps, objects[i]!, { propagationPolicy });
          }
          await cluster.run();
          const alive = new Set<number>();
          for (let i = 0; i < 8; i++) {
            if (doomed.includes(i)) continue;
            if (owners(i).length === 0 || owners(i).some((a) => alive.has(a))) alive.add(i);
          }
          const expected = [...alive].map((i) => `m${i}`);
          const left = names(cluster);
          cluster.stop();
          expect(left).toEqual(expected);
          expect(cluster.faults).toEqual([]);
        },
      ),
      { numRuns: 15 },
    );
  });
});
