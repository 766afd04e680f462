// The life of an object: made, read, changed, watched, listed in pages, deleted. In: a session. Out: tests.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/api/meta.ts';
import { at, fieldsOf, freshNamespace, verdict, type KubeSession } from './session.ts';

const merge = 'application/merge-patch+json';

async function place(session: KubeSession): Promise<string> {
  return `/api/v1/namespaces/${await freshNamespace(session)}/configmaps`;
}

function names(list: Json): readonly (Json | undefined)[] {
  const items = at(list, 'items');
  return Array.isArray(items) ? (items as Json[]).map((item) => at(item, 'metadata', 'name')) : [];
}

export function describeObjects(open: () => KubeSession): void {
  describe('objects', () => {
    test('a create stamps the metadata, and a name made from a prefix has five more letters', async () => {
      const path = await place(open());
      const { status, body } = await open().send('POST', path, {
        body: { metadata: { generateName: 'a-' }, data: { k: 'v' } },
      });
      expect(status).toBe(201);
      expect(at(body, 'metadata')).toMatchObject({
        name: expect.stringMatching(/^a-[a-z0-9]{5}$/),
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        resourceVersion: expect.stringMatching(/^\d+$/),
        creationTimestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      });
    });

    test('a dry run answers as if and leaves nothing', async () => {
      const path = await place(open());
      const answer = await open().send('POST', `${path}?dryRun=All`, {
        body: { metadata: { name: 'x' } },
      });
      expect(answer.status).toBe(201);
      expect(verdict(await open().send('GET', `${path}/x`))).toContain('404');
    });

    test('an update that changes nothing makes no new version', async () => {
      const path = await place(open());
      const made = await open().send('POST', path, {
        body: { metadata: { name: 'x' }, data: { a: 'b' } },
      });
      const again = await open().send('PUT', `${path}/x`, { body: made.body });
      expect(at(again.body, 'metadata', 'resourceVersion')).toBe(
        at(made.body, 'metadata', 'resourceVersion'),
      );
    });

    test('a finalizer keeps a deleted object until it is taken away', async () => {
      const path = await place(open());
      await open().send('POST', path, { body: { metadata: { name: 'x', finalizers: ['a.b/c'] } } });
      const deleted = await open().send('DELETE', `${path}/x`);
      expect(at(deleted.body, 'metadata')).toMatchObject({
        deletionGracePeriodSeconds: 0,
        deletionTimestamp: expect.any(String),
        finalizers: ['a.b/c'],
      });
      const more = await open().send('PATCH', `${path}/x`, {
        body: { metadata: { finalizers: ['a.b/c', 'a.b/d'] } },
        type: merge,
      });
      expect(verdict(more)).toContain(
        'no new finalizers can be added if the object is being deleted, found new finalizers []string{"a.b/d"}',
      );
      await open().send('PATCH', `${path}/x`, {
        body: { metadata: { finalizers: null } },
        type: merge,
      });
      expect((await open().send('GET', `${path}/x`)).status).toBe(404);
    });

    test.each([
      ['Foreground', 'foregroundDeletion'],
      ['Orphan', 'orphan'],
    ])('the policy %s leaves the finalizer %s for the collector', async (policy, finalizer) => {
      const path = await place(open());
      await open().send('POST', path, { body: { metadata: { name: 'x' } } });
      const { body } = await open().send('DELETE', `${path}/x?propagationPolicy=${policy}`);
      expect(at(body, 'metadata', 'finalizers')).toEqual([finalizer]);
    });

    test('a delete at once answers with a Status that names the object', async () => {
      const path = await place(open());
      const made = await open().send('POST', path, { body: { metadata: { name: 'x' } } });
      const { body } = await open().send('DELETE', `${path}/x`);
      expect(body).toMatchObject({
        kind: 'Status',
        status: 'Success',
        details: { name: 'x', kind: 'configmaps', uid: at(made.body, 'metadata', 'uid') },
      });
    });

    test('pages of a list show one state, whatever happens between them', async () => {
      const path = await place(open());
      for (const name of ['a', 'b', 'c'])
        await open().send('POST', path, { body: { metadata: { name } } });
      const first = await open().send('GET', `${path}?limit=2`);
      await open().send('DELETE', `${path}/c`);
      await open().send('POST', path, { body: { metadata: { name: 'bb' } } });
      const token = at(first.body, 'metadata', 'continue');
      const second = await open().send('GET', `${path}?limit=2&continue=${token as string}`);
      expect([names(first.body), names(second.body)]).toEqual([['a', 'b'], ['c']]);
      expect(at(first.body, 'metadata', 'remainingItemCount')).toBe(1);
      expect(at(second.body, 'metadata', 'resourceVersion')).toBe(
        at(first.body, 'metadata', 'resourceVersion'),
      );
    });

    test('a watch with initial events shows what is there, says so, and goes on', async () => {
      const path = await place(open());
      await open().send('POST', path, { body: { metadata: { name: 'a', labels: { on: 'yes' } } } });
      const stop = new AbortController();
      const query =
        'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=on%3Dyes';
      const seen: Json[] = [];
      for await (const event of open().watch(`${path}?${query}`, stop.signal)) {
        const { type } = fieldsOf(event);
        const mark = at(event, 'object', 'metadata', 'annotations', 'k8s.io/initial-events-end');
        seen.push([type ?? '', at(event, 'object', 'metadata', 'name') ?? mark ?? '']);
        if (type === 'BOOKMARK') {
          const body = { metadata: { labels: { on: 'no' } } };
          await open().send('PATCH', `${path}/a`, { body, type: merge });
        }
        if (type === 'DELETED') stop.abort();
      }
      expect(seen).toEqual([
        ['ADDED', 'a'],
        ['BOOKMARK', 'true'],
        ['DELETED', 'a'],
      ]);
    });

    test('what is frozen cannot be changed', async () => {
      const path = await place(open());
      await open().send('POST', path, {
        body: { metadata: { name: 'x' }, data: { a: 'b' }, immutable: true },
      });
      const changed = await open().send('PATCH', `${path}/x`, {
        body: { data: { a: 'c' } },
        type: merge,
      });
      expect(verdict(changed)).toBe(
        '422 Invalid: ConfigMap "x" is invalid: data: Forbidden: field is immutable when `immutable` is set',
      );
    });

    test('nothing is made in a namespace that is going away', async () => {
      const namespace = await freshNamespace(open());
      await open().send('DELETE', `/api/v1/namespaces/${namespace}`);
      const answer = await open().send('POST', `/api/v1/namespaces/${namespace}/configmaps`, {
        body: { metadata: { name: 'x' } },
      });
      expect(verdict(answer)).toBe(
        `403 Forbidden: configmaps "x" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
      );
      const body = {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace },
        spec: { finalizers: [] },
      };
      await open().send('PUT', `/api/v1/namespaces/${namespace}/finalize`, { body });
      expect((await open().send('GET', `/api/v1/namespaces/${namespace}`)).status).toBe(404);
    });
  });
}
