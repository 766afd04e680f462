import { describe, expect, test } from 'vitest';
import { Tombstones } from './tombstones.ts';

describe('tombstones', () => {
  test('remember the latest deletions and forget the oldest', () => {
    const stones = new Tombstones();
    for (let i = 0; i < 5000; i++) {
      stones.set(`n/${i}`, { uid: `u${i}`, version: `${i}`, confirmed: true });
    }
    const covered = (i: number): boolean => stones.covers(`n/${i}`, { name: `${i}`, uid: `u${i}` });
    expect([covered(0), covered(903), covered(904), covered(4999)]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  test('an older deletion does not replace a newer one of the same name', () => {
    const stones = new Tombstones();
    stones.set('a', { uid: 'two', version: '9', confirmed: true });
    stones.set('a', { uid: 'one', version: '5', confirmed: true });
    expect(stones.covers('a', { name: 'a', uid: 'three', resourceVersion: '8' })).toBe(true);
    expect(stones.covers('a', { name: 'a', uid: 'three', resourceVersion: '10' })).toBe(false);
  });
});
