import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../base/virtual-clock.ts';
import type { Watch } from '../api.ts';
import type { ApiObject } from '../object.ts';
import { isReason, type StatusError } from '../status-error.ts';
import { Store } from './store.ts';

const table = '/things';

function thing(key: string, labels: Record<string, string> = {}): ApiObject {
  const [namespace = '', name = ''] = key.split('/');
  return { apiVersion: 'v1', kind: 'Thing', metadata: { namespace, name, labels } };
}

const bookmark = (resourceVersion: string, end: boolean): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: '', resourceVersion, annotations: end ? { end: 'true' } : {} },
});

function seen(watch: Watch): string[] {
  return watch.take().map(({ type, object }) => {
    const { namespace, name, resourceVersion } = object.metadata;
    return type === 'BOOKMARK'
      ? `${type} ${resourceVersion}`
      : `${type} ${namespace}/${name}@${resourceVersion}`;
  });
}

function thrown(run: () => unknown): StatusError {
  try {
    run();
  } catch (error) {
    return error as StatusError;
  }
  throw new Error('nothing was thrown');
}

function setup(retention?: { maxEvents: number; maxAgeMs: number }) {
  const clock = new VirtualClock();
  const store = new Store({ clock, ...(retention === undefined ? {} : { retention }) });
  const put = (key: string, labels?: Record<string, string>) =>
    store.put(table, key, thing(key, labels));
  return { clock, store, put };
}

describe('revisions', () => {
  test('every write takes the next one and stamps the object with it', () => {
    const { store, put } = setup();
    const first = put('a/x');
    const second = put('a/x');
    const gone = store.delete(table, 'a/x');
    const versions = [first, second, gone].map((object) => object?.metadata.resourceVersion);
    expect(versions).toEqual(['2', '3', '4']);
    expect(store.revision).toBe(4);
  });

  test('deleting what is not there takes none', () => {
    const { store } = setup();
    expect(store.delete(table, 'a/x')).toBeUndefined();
    expect(store.revision).toBe(1);
  });
});

describe('lists', () => {
  test('pages show the state at which the first page was read', () => {
    const { store, put } = setup();
    for (const name of ['a', 'b', 'c', 'd', 'e']) put(`n/${name}`);
    const first = store.list({ table, prefix: '', limit: 2 });
    store.delete(table, 'n/c');
    put('n/bb');
    put('n/d', { changed: 'yes' });
    const second = store.list({ table, prefix: '', limit: 2, continue: first.continue! });
    const third = store.list({ table, prefix: '', limit: 2, continue: second.continue! });
    const pages = [first, second, third].map((page) => ({
      names: page.objects.map((object) => object.metadata.name),
      labels: page.objects.map((object) => object.metadata.labels),
      revision: page.revision,
      remaining: page.remaining,
    }));
    expect(pages).toEqual([
      { names: ['a', 'b'], labels: [{}, {}], revision: 6, remaining: 3 },
      { names: ['c', 'd'], labels: [{}, {}], revision: 6, remaining: 1 },
      { names: ['e'], labels: [{}], revision: 6, remaining: undefined },
    ]);
    expect(third.continue).toBeUndefined();
  });

  test('a page whose snapshot is forgotten is refused with a token that goes on from now', () => {
    const { store, put } = setup({ maxEvents: 2, maxAgeMs: 1e9 });
    for (const name of ['a', 'b', 'c', 'd']) put(`n/${name}`);
    const first = store.list({ table, prefix: '', limit: 2 });
    for (let i = 0; i < 5; i++) put('n/e');
    const error = thrown(() => store.list({ table, prefix: '', continue: first.continue! }));
    expect([error.code, error.reason]).toEqual([410, 'Expired']);
    const rest = store.list({ table, prefix: '', continue: error.status.metadata!.continue! });
    expect(rest.objects.map((object) => object.metadata.name)).toEqual(['c', 'd', 'e']);
  });

  test('a prefix selects a namespace and nothing of one that begins alike', () => {
    const { store, put } = setup();
    for (const key of ['a/x', 'ab/x', 'a-b/x', 'a/y']) put(key);
    const keys = store.list({ table, prefix: 'a/' }).objects.map((object) => object.metadata.name);
    expect(keys).toEqual(['x', 'y']);
  });

  test('a count of what remains is not given when a selector is in use', () => {
    const { store, put } = setup();
    for (const name of ['a', 'b', 'c']) put(`n/${name}`);
    const page = store.list({ table, prefix: '', limit: 1, matches: () => true });
    expect(page.remaining).toBeUndefined();
    expect(page.continue).toBeDefined();
  });

  test('a revision of the future is refused with both numbers', () => {
    const { store } = setup();
    const read = () => store.list({ table, prefix: '', revision: { at: 9, exact: false } });
    expect(thrown(read).message).toBe('Timeout: Too large resource version: 9, current: 1');
  });

  test.each([
    ['abc', "invalid character 'i' looking for beginning of value"],
    ['e30', 'server does not recognize this encoded version '],
  ])('the continue token %s is refused', (token, why) => {
    const { store } = setup();
    const error = thrown(() => store.list({ table, prefix: '', continue: token }));
    expect(error.message).toBe(`invalid continue token: continue key is not valid: ${why}`);
  });
});

describe('watches', () => {
  test('from a revision: everything after it, in order', () => {
    const { store, put } = setup();
    put('n/a');
    const from = store.revision;
    put('n/b');
    put('n/a');
    const watch = store.watch({ table, prefix: '', from });
    store.delete(table, 'n/b');
    expect(seen(watch)).toEqual(['ADDED n/b@3', 'MODIFIED n/a@4', 'DELETED n/b@5']);
  });

  test('an object that begins or stops matching is added or deleted for this watcher', () => {
    const { store, put } = setup();
    const matches = (object: ApiObject) => object.metadata.labels?.['app'] === 'x';
    const watch = store.watch({ table, prefix: '', from: 'current', matches });
    put('n/a');
    put('n/a', { app: 'x' });
    put('n/a', { app: 'x', more: 'y' });
    put('n/a', { app: 'z' });
    store.delete(table, 'n/a');
    const events = watch.take();
    expect(events.map((event) => [event.type, event.object.metadata.resourceVersion])).toEqual([
      ['ADDED', '3'],
      ['MODIFIED', '4'],
      ['DELETED', '5'],
    ]);
    // The last state that matched, under the revision at which it stopped.
    expect(events[2]!.object.metadata.labels).toEqual({ app: 'x', more: 'y' });
  });

  test('from now: first what is there, then the bookmark that says so', () => {
    const { store, put } = setup();
    put('n/b');
    put('n/a');
    const watch = store.watch({
      table,
      prefix: '',
      from: 'current',
      bookmark,
      initialEventsEnd: true,
    });
    put('n/c');
    expect(seen(watch)).toEqual(['ADDED n/a@3', 'ADDED n/b@2', 'BOOKMARK 3', 'ADDED n/c@4']);
    watch.stop();
  });

  test('events that are forgotten by count or by age are refused as expired', () => {
    const { store, put } = setup({ maxEvents: 3, maxAgeMs: 1e9 });
    for (let i = 0; i < 6; i++) put('n/a');
    const error = thrown(() => store.watch({ table, prefix: '', from: 2 }));
    expect(error.message).toBe('too old resource version: 2 (5)');
    expect(isReason(error, 'Expired')).toBe(true);
    expect(seen(store.watch({ table, prefix: '', from: 4 }))).toHaveLength(3);
  });

  test('age is measured when a watch begins, not only at the next write', async () => {
    const { store, put, clock } = setup({ maxEvents: 100, maxAgeMs: 1000 });
    put('n/a');
    await clock.advance(2000);
    expect(thrown(() => store.watch({ table, prefix: '', from: 1 })).code).toBe(410);
  });

  test('bookmarks come about every minute and stop with the watch', async () => {
    const { store, put, clock } = setup();
    const watch = store.watch({ table, prefix: '', from: 1, bookmark });
    put('n/a');
    await clock.advance(60_000);
    store.put('/others', 'n/z', thing('n/z'));
    await clock.advance(60_000);
    expect(seen(watch)).toEqual(['ADDED n/a@2', 'BOOKMARK 2', 'BOOKMARK 3']);
    watch.stop();
    expect(clock.pending().timers).toEqual([]);
  });

  test('a watch ends at its timeout and leaves no timer', async () => {
    const { store, clock } = setup();
    const watch = store.watch({ table, prefix: '', from: 1, timeoutMs: 5000, bookmark });
    await clock.advance(5000);
    expect([watch.closed, clock.pending().timers]).toEqual([true, []]);
  });

  test('a reader that does not read is cut off, and the others are not', () => {
    const clock = new VirtualClock();
    const store = new Store({ clock, maxBufferedEvents: 3 });
    const slow = store.watch({ table, prefix: '', from: 1 });
    const quick = store.watch({ table, prefix: '', from: 1 });
    for (let i = 0; i < 5; i++) {
      store.put(table, 'n/a', thing('n/a'));
      quick.take();
    }
    expect([slow.closed, quick.closed, slow.take().length]).toEqual([true, false, 3]);
  });

  test('all watchers are handed the very same object', () => {
    const { store, put } = setup();
    const watches = Array.from({ length: 50 }, () => store.watch({ table, prefix: '', from: 1 }));
    put('n/a');
    const objects = new Set(watches.map((watch) => watch.take()[0]!.object));
    expect(objects.size).toBe(1);
  });

  test('wakes once, at the next event or at once when something waits', () => {
    const { store, put } = setup();
    const watch = store.watch({ table, prefix: '', from: 1 });
    let woken = 0;
    watch.wake(() => woken++);
    put('n/a');
    put('n/a');
    expect(woken).toBe(1);
    watch.wake(() => woken++);
    expect(woken).toBe(2);
  });
});

describe('against a model that keeps a copy of every state', () => {
  const keys = ['a/x', 'a/y', 'b/x', 'b/z', 'c/x'];
  const step = fc.record({
    key: fc.constantFrom(...keys),
    label: fc.constantFrom('on', 'off', undefined),
  });

  function run(steps: readonly { key: string; label: 'on' | 'off' | undefined }[]) {
    const { store } = setup();
    const states: Map<string, ApiObject>[] = [new Map()];
    const revisions = [store.revision];
    for (const { key, label } of steps) {
      const state = new Map(states.at(-1));
      if (label === undefined) {
        if (store.delete(table, key) === undefined) continue;
        state.delete(key);
      } else {
        state.set(key, store.put(table, key, thing(key, { label })));
      }
      states.push(state);
      revisions.push(store.revision);
    }
    return { store, states, revisions };
  }

  test('a list at any revision is the state after that write, however it is paged', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        (steps, limit) => {
          const { store, states, revisions } = run(steps);
          for (const [index, at] of revisions.entries()) {
            const expected = [...states[index]!].toSorted(([a], [b]) => (a < b ? -1 : 1));
            const objects: ApiObject[] = [];
            let token: string | undefined;
            do {
              const page = store.list({
                table,
                prefix: '',
                limit,
                ...(token === undefined ? { revision: { at, exact: true } } : { continue: token }),
              });
              objects.push(...page.objects);
              token = page.continue;
            } while (token !== undefined);
            expect(objects).toEqual(expected.map(([, object]) => object));
          }
        },
      ),
    );
  });

  test('replaying a watch from any revision ends in the present state of what matches', () => {
    const matches = (object: ApiObject) => object.metadata.labels?.['label'] === 'on';
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { store, states, revisions } = run(steps);
        for (const [index, from] of revisions.entries()) {
          const mine = new Map([...states[index]!].filter(([, object]) => matches(object)));
          for (const { type, object } of store.watch({ table, prefix: '', from, matches }).take()) {
            const key = `${object.metadata.namespace}/${object.metadata.name}`;
            expect(type === 'ADDED').toBe(type !== 'DELETED' && !mine.has(key));
            if (type === 'DELETED') mine.delete(key);
            else mine.set(key, object);
          }
          const present = [...states.at(-1)!].filter(([, object]) => matches(object));
          expect(mine).toEqual(new Map(present));
        }
      }),
    );
  });
});
