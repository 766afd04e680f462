import { describe, expect, test } from 'vitest';
import { silentLogger, type Logger } from '../../base/log.ts';
import type { Pod } from '../../api/core.ts';
import { Store, type StoreOptions } from './store.ts';
import type { Change } from './subscriptions.ts';

function pod(name: string, version: number, more: { uid?: string; node?: string } = {}): Pod {
  return {
    metadata: {
      name,
      namespace: 'n',
      uid: more.uid ?? `uid-${name}`,
      resourceVersion: `${version}`,
    },
    spec: { containers: [], ...(more.node === undefined ? {} : { nodeName: more.node }) },
  };
}

const byNode = (object: Pod): string[] =>
  object.spec.nodeName === undefined ? [] : [object.spec.nodeName];

function newStore(options: Partial<StoreOptions<Pod, 'byNode'>> = {}): Store<Pod, 'byNode'> {
  return new Store<Pod, 'byNode'>({
    log: silentLogger,
    indexes: { byNode },
    freeze: true,
    ...options,
  });
}

/** `added a@5`, `updated a@5→6`, `deleted a@7`. */
function summary(change: Change<Pod>): string {
  const at = (object: Pod): string => `${object.metadata.name}@${object.metadata.resourceVersion}`;
  if (change.type === 'updated') {
    return `updated ${at(change.before)}→${change.after.metadata.resourceVersion}`;
  }
  return `${change.type} ${at(change.type === 'added' ? change.after : change.before)}`;
}

function heardBy(store: Store<Pod, 'byNode'>): string[] {
  const heard: string[] = [];
  store.subscribe((change) => heard.push(summary(change)));
  return heard;
}

describe('reading', () => {
  test('finds objects by reference, by key and by index', () => {
    const store = newStore();
    store.replace([pod('a', 1, { node: 'x' }), pod('b', 2, { node: 'x' }), pod('c', 3)], '3');
    expect(store.get({ name: 'a', namespace: 'n' })).toBe(store.get('n/a'));
    expect(store.byIndex('byNode', 'x').map((p) => p.metadata.name)).toEqual(['a', 'b']);
    expect([store.byIndex('byNode', 'y'), store.countByIndex('byNode', 'x'), store.size]).toEqual([
      [],
      2,
      3,
    ]);
  });

  test('moves an object between index values as it changes', () => {
    const store = newStore();
    store.replace([pod('a', 1)], '1');
    store.upsert(pod('a', 2, { node: 'x' }));
    store.upsert(pod('a', 3, { node: 'y' }));
    expect([store.countByIndex('byNode', 'x'), store.countByIndex('byNode', 'y')]).toEqual([0, 1]);
    store.remove(pod('a', 4, { node: 'y' }));
    expect(store.countByIndex('byNode', 'y')).toBe(0);
  });

  test('an index that comes late covers what is already there, and its name is taken', () => {
    const store = newStore();
    store.replace([pod('a', 1)], '1');
    const byName = (object: Pod): string[] => [object.metadata.name];
    store.addIndex('byName', byName);
    store.addIndex('byName', byName);
    expect(store.byIndex('byName' as 'byNode', 'a')).toHaveLength(1);
    expect(() => store.addIndex('byName', () => [])).toThrow(
      expect.objectContaining({ code: 'IndexExists' }),
    );
    expect(() => store.byIndex('byZone' as 'byNode', 'a')).toThrow(
      expect.objectContaining({ code: 'NoSuchIndex' }),
    );
  });

  test('keeps no managed fields, nor what the transform drops, and leaves its argument alone', () => {
    const store = newStore({ transform: (object) => ({ ...object, spec: { containers: [] } }) });
    const raw = pod('a', 1, { node: 'x' });
    const noisy = { ...raw, metadata: { ...raw.metadata, managedFields: [{}] } };
    store.upsert(store.prepare(noisy));
    expect(store.get('n/a')).toEqual(pod('a', 1));
    expect(noisy.metadata.managedFields).toEqual([{}]);
  });

  test('objects cannot be changed when frozen', () => {
    const store = newStore();
    store.upsert(store.prepare(pod('a', 1)));
    const cached = store.get('n/a') as { spec: { nodeName?: string } };
    expect(() => (cached.spec.nodeName = 'x')).toThrow(TypeError);
  });
});

describe('following the server', () => {
  test('tells additions, changes with old and new, and deletions with the last state', () => {
    const store = newStore();
    const heard = heardBy(store);
    store.upsert(pod('a', 1));
    store.upsert(pod('a', 2));
    store.remove(pod('a', 3));
    expect(heard).toEqual(['added a@1', 'updated a@1→2', 'deleted a@3']);
  });

  test('what did not change is the same part in the next version', () => {
    const store = newStore();
    store.upsert(pod('a', 1, { node: 'x' }));
    const before = store.get('n/a')!;
    store.upsert(pod('a', 2, { node: 'x' }));
    const after = store.get('n/a')!;
    expect([after.spec === before.spec, after.metadata.resourceVersion]).toEqual([true, '2']);
  });

  test('ignores news that is doubled or older than what it holds', () => {
    const store = newStore();
    store.upsert(pod('a', 9));
    const heard = heardBy(store);
    store.upsert(pod('a', 9));
    store.upsert(pod('a', 8));
    // 10 is newer than 9 although it sorts before it.
    store.upsert(pod('a', 10));
    expect(heard).toEqual(['added a@9', 'updated a@9→10']);
  });

  test('a late change of what was deleted does not bring it back', () => {
    const store = newStore();
    store.upsert(pod('a', 1));
    store.remove(pod('a', 5));
    store.upsert(pod('a', 4));
    // Another uid under the same name, but older than the deletion: a predecessor.
    store.upsert(pod('a', 3, { uid: 'older' }));
    expect(store.size).toBe(0);
    store.upsert(pod('a', 6, { uid: 'newer' }));
    expect(store.size).toBe(1);
  });

  test('a late change of what a list no longer had does not bring it back', () => {
    const store = newStore();
    store.replace([pod('a', 1), pod('b', 2)], '2');
    store.replace([pod('b', 2)], '9');
    store.upsert(pod('a', 5));
    store.upsert(pod('c', 9));
    expect(store.list().map((p) => p.metadata.name)).toEqual(['b']);
    store.upsert(pod('a', 10, { uid: 'new' }));
    expect(store.size).toBe(2);
  });

  test('the same name with a new uid is a deletion and an addition', () => {
    const store = newStore();
    store.upsert(pod('a', 1, { uid: 'one', node: 'x' }));
    const heard = heardBy(store);
    store.upsert(pod('a', 5, { uid: 'two' }));
    expect(heard).toEqual(['added a@1', 'deleted a@1', 'added a@5']);
    expect(store.countByIndex('byNode', 'x')).toBe(0);
  });

  test('a late deletion of a predecessor does not touch who has its name now', () => {
    const store = newStore();
    store.upsert(pod('a', 5, { uid: 'two' }));
    store.remove(pod('a', 3, { uid: 'one' }));
    expect(store.get('n/a')?.metadata.uid).toBe('two');
  });

  test('the deletion of a successor that was never seen takes away the predecessor', () => {
    const store = newStore();
    store.upsert(pod('a', 5, { uid: 'one' }));
    const heard = heardBy(store);
    store.remove(pod('a', 9, { uid: 'two' }));
    expect([store.size, heard]).toEqual([0, ['added a@5', 'deleted a@5']]);
  });

  test('a list takes away what is gone before it adds, and changes only what differs', () => {
    const store = newStore();
    store.replace([pod('a', 1), pod('b', 2), pod('c', 3)], '3');
    const heard = heardBy(store);
    heard.length = 0;
    store.replace([pod('b', 2), pod('c', 7), pod('d', 8)], '9');
    expect(heard).toEqual(['deleted a@1', 'updated c@3→7', 'added d@8']);
    expect(store.version).toBe('9');
  });

  test('a server that went back in time is believed', () => {
    const store = newStore();
    store.replace([pod('a', 90), pod('b', 91)], '95');
    store.remove(pod('b', 96));
    store.advance('96');
    const heard = heardBy(store);
    heard.length = 0;
    store.replace([pod('a', 40), pod('b', 41)], '50');
    expect([heard, store.version]).toEqual([['updated a@90→40', 'added b@41'], '50']);
    store.upsert(pod('a', 51));
    expect(store.get('n/a')?.metadata.resourceVersion).toBe('51');
  });
});

describe('reading our own writes', () => {
  test('a write is there at once, and the watch catching up changes nothing', () => {
    const store = newStore();
    store.replace([pod('a', 1)], '1');
    const heard = heardBy(store);
    store.assume(pod('a', 5));
    store.assume(pod('new', 6));
    store.upsert(pod('a', 3));
    store.upsert(pod('a', 5));
    store.upsert(pod('new', 6));
    expect(heard).toEqual(['added a@1', 'updated a@1→5', 'added new@6']);
  });

  test('a write whose deletion the watch has already told of stays away', () => {
    const store = newStore();
    store.replace([], '1');
    store.upsert(pod('a', 5));
    store.remove(pod('a', 7));
    store.advance('7');
    store.assume(pod('a', 5));
    store.assume(pod('never-seen', 6));
    expect(store.size).toBe(0);
  });

  test('a list from before our write does not undo it', () => {
    const store = newStore();
    store.replace([pod('a', 1)], '1');
    store.assume(pod('a', 8));
    store.assume(pod('created', 9));
    store.replace([pod('a', 1)], '5');
    expect(store.list().map((p) => p.metadata.resourceVersion)).toEqual(['8', '9']);
    // A list from after it does.
    store.replace([], '20');
    expect(store.size).toBe(0);
  });

  test('our deletion is there at once, and late news of the object does not bring it back', () => {
    const store = newStore();
    store.replace([pod('a', 1)], '1');
    const heard = heardBy(store);
    store.assumeDeleted({ name: 'a', namespace: 'n', uid: 'uid-a' });
    // The last change before the deletion is still on its way, and so is a list with it.
    store.upsert(pod('a', 4));
    store.replace([pod('a', 4)], '5');
    store.upsert(pod('a', 4));
    expect(store.size).toBe(0);
    store.remove(pod('a', 6));
    store.upsert(pod('a', 7, { uid: 'next' }));
    expect(heard).toEqual(['added a@1', 'deleted a@1', 'added a@7']);
  });

  test('our deletion of an object that was replaced meanwhile leaves the new one', () => {
    const store = newStore();
    store.replace([pod('a', 3, { uid: 'two' })], '3');
    store.assumeDeleted({ name: 'a', namespace: 'n', uid: 'one' });
    store.assumeDeleted({ name: 'unknown', namespace: 'n' });
    expect(store.size).toBe(1);
  });

  test('a store that sees only a part of its kind takes no new objects from us', () => {
    const store = newStore({ partial: true });
    store.replace([pod('a', 1)], '1');
    store.assume(pod('a', 5));
    store.assume(pod('other', 6));
    expect(store.list().map((p) => p.metadata.resourceVersion)).toEqual(['5']);
  });
});

describe('subscribers', () => {
  test('one that comes late hears of all there is, and one that left hears nothing more', () => {
    const store = newStore();
    store.replace([pod('a', 1), pod('b', 2)], '2');
    const heard: string[] = [];
    const leave = store.subscribe((change) => heard.push(summary(change)));
    leave();
    store.upsert(pod('a', 3));
    expect(heard).toEqual(['added a@1', 'added b@2']);
  });

  test('all hear the same order, also of changes that one of them causes', () => {
    const store = newStore();
    store.subscribe((change) => {
      if (change.type === 'added') store.assume(pod(change.after.metadata.name, 9));
    });
    const heard = heardBy(store);
    store.upsert(pod('a', 1));
    expect(heard).toEqual(['added a@1', 'updated a@1→9']);
  });

  test('one that comes while changes are being told hears of each object once', () => {
    const store = newStore();
    let late: string[] = [];
    store.subscribe((change) => {
      if (change.type !== 'added') return;
      store.assume(pod('a', 9));
      late = heardBy(store);
    });
    store.upsert(pod('a', 1));
    store.upsert(pod('a', 10));
    expect(late).toEqual(['added a@9', 'updated a@9→10']);
  });

  test('what a newcomer causes while being told of what there is, it hears after that', () => {
    const store = newStore();
    store.replace([pod('a', 1), pod('b', 2)], '2');
    const heard: string[] = [];
    store.subscribe((change) => {
      heard.push(summary(change));
      if (heard.length === 1) store.assume(pod('b', 9));
    });
    expect(heard).toEqual(['added a@1', 'added b@2', 'updated b@2→9']);
  });

  test('one that throws is logged and neither stops the others nor the store', () => {
    const errors: string[] = [];
    const log: Logger = { ...silentLogger, error: (message) => errors.push(message) };
    const store = newStore({ log });
    store.subscribe(() => {
      throw new Error('bug');
    });
    const heard = heardBy(store);
    store.upsert(pod('a', 1));
    store.upsert(pod('a', 2));
    expect([heard, errors.length, store.size]).toEqual([['added a@1', 'updated a@1→2'], 2, 1]);
  });
});
