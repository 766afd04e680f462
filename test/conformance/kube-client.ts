// What our client expects of an API server, as one suite for any of them: a real one, and the emulator.
// In: a way to connect, or undefined to skip. Every test works in a namespace of its own, made and removed by the suite, and waits
// by watching, never by sleeping.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { randomSuffix, systemRandom } from '../../src/base/random.ts';
import type { ConfigMap, Pod } from '../../src/api/core.ts';
import type { KubeObject } from '../../src/api/meta.ts';
import {
  configMaps,
  deployments,
  namespaces,
  nodes,
  podDisruptionBudgets,
  pods,
  resourceType,
  type ResourceType,
} from '../../src/api/resource-type.ts';
import { KubeClient } from '../../src/kube/client/client.ts';
import { findKubeError, type KubeError } from '../../src/kube/client/errors.ts';
import { Informer } from '../../src/kube/cache/informer.ts';
import { ObjectCodec } from '../../src/kube/cache/object-codec.ts';
import { mergePatch } from '../../src/kube/client/patch.ts';
import type { KubeTransport } from '../../src/kube/client/transport.ts';
import { watch, type WatchEnd } from '../../src/kube/cache/watch.ts';
import type { WatchEvent } from '../../src/kube/cache/watch-event.ts';
import { isProtobuf } from '../../src/kube/protobuf/kube-messages.ts';
import { richObjects, type RichObject } from '../support/rich-objects.ts';

const clock = systemClock;
const log = silentLogger;
const random = systemRandom();

export function kubeClientConformance(
  name: string,
  connect: (() => Promise<KubeTransport>) | undefined,
  offers: { readonly binary: boolean },
): void {
  describe.skipIf(connect === undefined)(`kube client against ${name}`, () => {
    let transport: KubeTransport;
    let client: KubeClient;
    const namespace = `conformance-${randomSuffix(random)}`;
    const cleanups: (() => Promise<unknown>)[] = [];

    beforeAll(async () => {
      transport = await connect!();
      client = new KubeClient({ transport, clock, log, fieldManager: 'conformance' });
      await client.create(namespaces, { metadata: { name: namespace } });
    });

    afterAll(async () => {
      for (const cleanup of cleanups.toReversed()) await cleanup().catch(() => undefined);
      await client.delete(namespaces, { name: namespace });
      await transport.close();
    });

    function configMap(
      data: ConfigMap['data'] = {},
      more: Partial<ConfigMap['metadata']> = {},
    ): ConfigMap {
      const object = { name: `cm-${randomSuffix(random)}`, namespace, ...more };
      return { metadata: object, data };
    }

    function pod(more: Partial<Pod['metadata']> = {}): Pod {
      return {
        metadata: { name: `pod-${randomSuffix(random)}`, namespace, ...more },
        spec: {
          containers: [{ name: 'a', image: 'example.com/none' }],
          terminationGracePeriodSeconds: 0,
        },
      };
    }

    async function errorOf(call: Promise<unknown>): Promise<KubeError> {
      const error = findKubeError(
        await call.then(
          () => undefined,
          (thrown: unknown) => thrown,
        ),
      );
      if (error === undefined) throw new Error('the call was expected to fail with a KubeError');
      return error;
    }

    function informer<T extends KubeObject>(
      type: ResourceType<T>,
      selector: { namespace?: string; labelSelector?: string } = { namespace },
      through = client,
    ): Informer<T> {
      const started = new Informer<T>({
        client: through,
        type,
        clock,
        random,
        log,
        selector,
        freeze: true,
      });
      cleanups.push(() => started.stop());
      started.start();
      return started;
    }

    /** Resolves when the cache satisfies the condition, asked after every change. */
    async function until<T extends KubeObject>(
      cache: Informer<T>,
      condition: (objects: readonly T[]) => boolean,
    ): Promise<void> {
      await cache.synced();
      const { promise, resolve } = Promise.withResolvers<void>();
      const leave = cache.subscribe(() => {
        if (condition(cache.store.list())) resolve();
      });
      if (condition(cache.store.list())) resolve();
      await promise;
      leave();
    }

    describe('objects', () => {
      test('are created, read, replaced and deleted', async () => {
        const created = await client.create(configMaps, configMap({ a: '1' }));
        expect(created).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } });
        const updated = await client.update(configMaps, { ...created, data: { a: '2' } });
        expect(await client.get(configMaps, created.metadata)).toEqual(updated);
        expect(await client.delete(configMaps, created.metadata)).toBeUndefined();
        expect(await errorOf(client.get(configMaps, created.metadata))).toMatchObject({
          code: 'NotFound',
          status: 404,
          reason: 'NotFound',
          message: `configmaps "${created.metadata.name}" not found`,
        });
      });

      test('get a name from a prefix', async () => {
        const created = await client.create(
          configMaps,
          configMap({}, { name: '', generateName: 'gen-' }),
        );
        expect(created.metadata.name).toMatch(/^gen-[a-z0-9]{5}$/);
      });

      test('that exist cannot be created again', async () => {
        const created = await client.create(configMaps, configMap());
        const again = { ...created, metadata: { name: created.metadata.name, namespace } };
        expect(await errorOf(client.create(configMaps, again))).toMatchObject({
          code: 'AlreadyExists',
          status: 409,
        });
      });

      test('that are not valid are refused with the fields at fault', async () => {
        const error = await errorOf(
          client.create(configMaps, configMap({}, { name: 'Not_Valid' })),
        );
        expect([error.code, error.status]).toEqual(['Invalid', 422]);
        expect(error.causes[0]).toMatchObject({
          field: 'metadata.name',
          reason: 'FieldValueInvalid',
        });
      });

      test('of a kind that is not served are not found', async () => {
        const absent = resourceType<KubeObject>({
          group: 'absent.example.com',
          kind: 'Absent',
          plural: 'absents',
        });
        expect((await errorOf(client.list(absent))).code).toBe('NotFound');
      });

      test('a dry run is checked and not stored', async () => {
        const tried = await client.create(configMaps, configMap(), { dryRun: true });
        expect(tried.metadata.uid).toBeDefined();
        expect((await errorOf(client.get(configMaps, tried.metadata))).code).toBe('NotFound');
        const real = await client.create(configMaps, configMap());
        await client.delete(configMaps, real.metadata, { dryRun: true });
        await client.get(configMaps, real.metadata);
      });

      test('are replaced only at the version they were read at', async () => {
        const first = await client.create(configMaps, configMap());
        await client.update(configMaps, { ...first, data: { by: 'other' } });
        expect(
          await errorOf(client.update(configMaps, { ...first, data: { by: 'us' } })),
        ).toMatchObject({
          code: 'Conflict',
          status: 409,
        });
      });

      test('are deleted only when the precondition holds', async () => {
        const created = await client.create(configMaps, configMap());
        const { metadata } = created;
        expect((await errorOf(client.delete(configMaps, metadata, { uid: 'other' }))).code).toBe(
          'Conflict',
        );
        const old = { resourceVersion: '1' };
        expect((await errorOf(client.delete(configMaps, metadata, old))).code).toBe('Conflict');
        const { uid, resourceVersion } = metadata;
        await client.delete(configMaps, metadata, { uid, resourceVersion });
      });

      test('wait for their finalizers, and are gone when the last one is removed', async () => {
        const created = await client.create(
          configMaps,
          configMap({}, { finalizers: ['example.com/wait'] }),
        );
        const waiting = await client.delete(configMaps, created.metadata);
        expect(waiting?.metadata.deletionTimestamp).toBeDefined();
        const freed = { ...waiting!, metadata: { ...waiting!.metadata, finalizers: [] } };
        await client.patch(
          configMaps,
          created.metadata,
          mergePatch(waiting!, freed, { lock: true })!,
        );
        expect((await errorOf(client.get(configMaps, created.metadata))).code).toBe('NotFound');
      });

      test('are deleted by selector', async () => {
        const labels = { group: randomSuffix(random) };
        await client.create(configMaps, configMap({}, { labels }));
        const other = await client.create(configMaps, configMap());
        const labelSelector = `group=${labels.group}`;
        await client.deleteCollection(configMaps, { namespace, labelSelector });
        expect((await client.list(configMaps, { namespace, labelSelector })).items).toEqual([]);
        await client.get(configMaps, other.metadata);
      });

      test('too many for one page come in several, all of one version', async () => {
        const labels = { page: randomSuffix(random) };
        for (let i = 0; i < 5; i++) await client.create(configMaps, configMap({}, { labels }));
        const options = { namespace, labelSelector: `page=${labels.page}`, limit: 2 };
        const first = await client.list(configMaps, options);
        await client.create(configMaps, configMap({}, { labels }));
        const names = first.items.map((item) => item.metadata.name);
        let page = first;
        while ((page.metadata.continue ?? '') !== '') {
          page = await client.list(configMaps, { ...options, continue: page.metadata.continue });
          names.push(...page.items.map((item) => item.metadata.name));
          expect(page.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
        }
        expect(new Set(names).size).toBe(5);
      });

      test('have versions that grow as numbers', async () => {
        const created = await client.create(configMaps, configMap());
        const updated = await client.update(configMaps, { ...created, data: { a: '1' } });
        expect(BigInt(updated.metadata.resourceVersion!)).toBeGreaterThan(
          BigInt(created.metadata.resourceVersion!),
        );
      });
    });

    describe('patches', () => {
      test('a merge patch changes, adds and removes', async () => {
        const before = await client.create(configMaps, configMap({ a: '1', b: '2' }));
        const after = { ...before, data: { a: '1', c: '3' } };
        const patched = await client.patch(configMaps, before.metadata, mergePatch(before, after)!);
        expect(patched.data).toEqual({ a: '1', c: '3' });
      });

      test('a locked merge patch of an old version is a conflict', async () => {
        const before = await client.create(configMaps, configMap());
        await client.update(configMaps, { ...before, data: { by: 'other' } });
        const after = {
          ...before,
          metadata: { ...before.metadata, finalizers: ['example.com/x'] },
        };
        const call = client.patch(
          configMaps,
          before.metadata,
          mergePatch(before, after, { lock: true })!,
        );
        expect((await errorOf(call)).code).toBe('Conflict');
      });

      test('a JSON patch applies when its test holds', async () => {
        const { metadata } = await client.create(configMaps, configMap({ a: '1' }));
        const patch = (value: string): Promise<ConfigMap> =>
          client.patch(configMaps, metadata, {
            type: 'json',
            operations: [
              { op: 'test', path: '/data/a', value },
              { op: 'replace', path: '/data/a', value: '2' },
            ],
          });
        expect((await patch('1')).data).toEqual({ a: '2' });
        expect((await errorOf(patch('1'))).code).toBe('Invalid');
      });

      test('a strategic patch merges lists by their key', async () => {
        const node = await client.create(nodes, {
          metadata: {
            name: `node-${randomSuffix(random)}`,
            finalizers: ['example.com/a', 'example.com/b'],
          },
        });
        const patched = await client.patch(nodes, node.metadata, {
          type: 'strategic',
          body: { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } },
        });
        expect(patched.metadata.finalizers).toEqual(['example.com/b']);
        const free = { ...patched, metadata: { ...patched.metadata, finalizers: [] } };
        await client.patch(nodes, node.metadata, mergePatch(patched, free)!);
        await client.delete(nodes, node.metadata);
      });

      test('server-side apply owns its fields, and takes over others only by force', async () => {
        const { metadata } = await client.create(configMaps, configMap({ a: 'created' }));
        const apply = (fieldManager: string, force = false): Promise<ConfigMap> =>
          client.patch(configMaps, metadata, {
            type: 'apply',
            fieldManager,
            force,
            body: { metadata: { name: metadata.name }, data: { a: fieldManager } },
          });
        const error = await errorOf(apply('one'));
        expect([error.code, error.causes[0]?.reason]).toEqual(['Conflict', 'FieldManagerConflict']);
        expect((await apply('one', true)).data).toEqual({ a: 'one' });
      });
    });

    describe('subresources', () => {
      test('status and spec are written apart', async () => {
        const name = `node-${randomSuffix(random)}`;
        const created = await client.create(nodes, {
          metadata: { name },
          status: { capacity: { cpu: '1' } },
        });
        expect(created.status?.capacity).toEqual({ cpu: '1' });
        const status = {
          ...created,
          spec: { unschedulable: true },
          status: { capacity: { cpu: '2' } },
        };
        const updated = await client.updateStatus(nodes, status);
        expect([updated.status?.capacity, updated.spec?.unschedulable]).toEqual([
          { cpu: '2' },
          undefined,
        ]);
        const patch = { type: 'merge', body: { status: { capacity: { cpu: '3' } } } } as const;
        const patched = await client.patch(nodes, { name }, patch, { subresource: 'status' });
        expect(patched.status?.capacity).toEqual({ cpu: '3' });
        await client.delete(nodes, { name });
      });

      test('a deployment is scaled without writing the rest of it', async () => {
        const labels = { app: randomSuffix(random) };
        const { metadata } = await client.create(deployments, {
          metadata: { name: `web-${labels.app}`, namespace },
          spec: {
            replicas: 0,
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: pod().spec },
          },
        });
        const scale = await client.getScale(deployments, metadata);
        const scaled = await client.updateScale(deployments, { ...scale, spec: { replicas: 2 } });
        expect([scale.spec.replicas ?? 0, scaled.spec.replicas]).toEqual([0, 2]);
        const patch = { type: 'merge', body: { spec: { replicas: 3 } } } as const;
        await client.patch(deployments, metadata, patch, { subresource: 'scale' });
        expect((await client.get(deployments, metadata)).spec.replicas).toBe(3);
        await client.delete(deployments, metadata, { propagationPolicy: 'Background' });
      });

      test('a pod is bound to a node once', async () => {
        const { metadata } = await createPod();
        await client.bind(metadata, 'node-1');
        expect((await client.get(pods, metadata)).spec.nodeName).toBe('node-1');
        expect((await errorOf(client.bind(metadata, 'node-2'))).code).toBe('Conflict');
      });

      test('a pod is evicted, if it is still the same one', async () => {
        const { metadata } = await createPod();
        expect((await errorOf(client.evict(metadata, { uid: 'other' }))).code).toBe('Conflict');
        await client.evict(metadata, { uid: metadata.uid, gracePeriodSeconds: 0 });
        expect((await errorOf(client.get(pods, metadata))).code).toBe('NotFound');
        expect((await errorOf(client.evict(metadata))).code).toBe('NotFound');
      });

      test('a budget that forbids an eviction answers at once', async () => {
        const labels = { guarded: randomSuffix(random) };
        const { metadata } = await createPod({ labels });
        const running = { type: 'merge', body: { status: readyStatus } } as const;
        await client.patch(pods, metadata, running, { subresource: 'status' });
        await client.create(podDisruptionBudgets, {
          metadata: { name: `pdb-${labels.guarded}`, namespace },
          spec: { minAvailable: 1, selector: { matchLabels: labels } },
        });
        const error = await errorOf(client.evict(metadata));
        expect([error.code, error.status, error.causes[0]?.reason]).toEqual([
          'TooManyRequests',
          429,
          'DisruptionBudget',
        ]);
      });
    });

    const readyStatus = {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
    };

    async function createPod(more: Partial<Pod['metadata']> = {}): Promise<Pod> {
      const account = resourceType<KubeObject>({
        kind: 'ServiceAccount',
        plural: 'serviceaccounts',
      });
      // Made by a controller that may not be there; without it no pod is admitted.
      await client
        .create(account, { metadata: { name: 'default', namespace } })
        .catch(() => undefined);
      return client.create(pods, pod(more));
    }

    describe('watches', () => {
      async function collect(
        options: Parameters<KubeClient['openWatch']>[1],
        enough: (events: readonly WatchEvent<ConfigMap>[]) => boolean,
      ): Promise<{ end: WatchEnd; events: readonly WatchEvent<ConfigMap>[] }> {
        const stop = new AbortController();
        const events: WatchEvent<ConfigMap>[] = [];
        const end = await watch<ConfigMap>({
          client,
          clock,
          type: configMaps,
          options: { namespace, ...options, signal: stop.signal },
          silenceMs: () => 60_000,
          onEvent: (event) => {
            events.push(event);
            if (enough(events)) stop.abort();
          },
        });
        return { end, events };
      }

      test('tell every change after a version, in order, with the last state of what is deleted', async () => {
        const { metadata } = await client.list(configMaps, { namespace });
        const created = await client.create(configMaps, configMap());
        const updated = await client.update(configMaps, { ...created, data: { a: '1' } });
        await client.delete(configMaps, created.metadata);
        const { events } = await collect(
          { resourceVersion: metadata.resourceVersion },
          (all) => all.at(-1)?.type === 'DELETED',
        );
        expect(events.map((event) => event.type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
        const last = events[2]!;
        if (last.type !== 'DELETED') throw new Error('expected a deletion');
        expect(last.object.data).toEqual({ a: '1' });
        // The deletion has a version of its own, so a cache can order it.
        expect(BigInt(last.object.metadata.resourceVersion!)).toBeGreaterThan(
          BigInt(updated.metadata.resourceVersion!),
        );
      });

      test('end in good order after the time asked for', async () => {
        const { metadata } = await client.list(configMaps, { namespace });
        const { end } = await collect(
          { resourceVersion: metadata.resourceVersion, timeoutSeconds: 1 },
          () => false,
        );
        expect(end).toEqual({ reason: 'closed' });
      });

      test('can begin with everything there is, and say where that ends', async () => {
        const created = await client.create(configMaps, configMap());
        const { events } = await collect({ sendInitialEvents: true }, (all) =>
          all.some((event) => event.type === 'BOOKMARK' && event.initial),
        );
        const names = events.map((event) =>
          event.type === 'ADDED' ? event.object.metadata.name : event.type,
        );
        expect(names).toContain(created.metadata.name);
        expect(names.at(-1)).toBe('BOOKMARK');
      });

      test('from a version of the future stay silent, without even a refusal', async () => {
        const { end, events } = await collect(
          { resourceVersion: '99999999999', timeoutSeconds: 1 },
          () => false,
        );
        expect([end, events]).toEqual([{ reason: 'closed' }, []]);
      });
    });

    describe('caches', () => {
      test.each([true, false])('fill and follow (streaming lists: %s)', async (streaming) => {
        const labels = { cache: randomSuffix(random) };
        const reader = new KubeClient({ transport, clock, log });
        if (!streaming) reader.rememberNoStreamingLists();
        await client.create(configMaps, configMap({ n: '0' }, { labels }));
        const selector = { namespace, labelSelector: `cache=${labels.cache}` };
        const cache = informer(configMaps, selector, reader);
        await until(cache, (all) => all.length === 1);
        const second = await client.create(configMaps, configMap({ n: '1' }, { labels }));
        await until(cache, (all) => all.length === 2);
        await client.update(configMaps, { ...second, data: { n: '2' } });
        await until(cache, (all) => all.some((item) => item.data?.['n'] === '2'));
        // Leaving the selection is a deletion, too.
        const patch = { type: 'merge', body: { metadata: { labels: null } } } as const;
        await client.patch(configMaps, second.metadata, patch);
        await until(cache, (all) => all.length === 1);
        expect(cache.store.list()[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
        expect('managedFields' in cache.store.list()[0]!.metadata).toBe(false);
        expect(reader.offersStreamingLists).toBe(streaming);
        await cache.stop();
      });

      async function createRich({ type, object, status }: RichObject): Promise<KubeObject> {
        const created = await client.create(type, object);
        cleanups.push(async () => {
          const free = { type: 'merge', body: { metadata: { finalizers: null } } } as const;
          await client.patch(type, created.metadata, free);
          await client.delete(type, created.metadata);
        });
        if (status === undefined) return created;
        const patch = { type: 'merge', body: { status } } as const;
        return client.patch(type, created.metadata, patch, { subresource: 'status' });
      }

      test('hold the same objects whichever encoding they came in', async () => {
        // Makes the service account without which no pod is admitted.
        await createPod();
        for (const rich of richObjects(namespace, randomSuffix(random))) {
          const { type } = rich;
          const written = await createRich(rich);
          const codec = new ObjectCodec(type);
          const options = { fieldSelector: `metadata.name=${written.metadata.name}` };
          const preferred = await client.listAnswer(type, { ...options, accept: codec.accept });
          const json = await client.listAnswer(type, { ...options, accept: 'application/json' });
          const [item] = codec.list(preferred).items;
          expect([type.kind, isProtobuf(preferred.contentType)]).toEqual([
            type.kind,
            offers.binary,
          ]);
          expect(item).toStrictEqual(codec.list(json).items[0]);
          // Answers to writes are JSON, and must not differ from what lists and watches bring.
          expect(item).toStrictEqual(codec.lean(written));
        }
      });

      test('report a kind that is not served', async () => {
        const absent = resourceType<KubeObject>({
          group: 'absent.example.com',
          kind: 'Absent',
          plural: 'absents',
        });
        const cache = new Informer({ client, type: absent, clock, random, log, optional: true });
        cache.start();
        await cache.synced();
        expect(cache.status.phase).toBe('missing');
        await cache.stop();
      });
    });

    test('the server tells its version', async () => {
      expect((await client.serverVersion()).gitVersion).toMatch(/^v1\.\d+\.\d+/);
      expect(await client.getRaw('/api/v1')).toMatchObject({ kind: 'APIResourceList' });
    });
  });
}
