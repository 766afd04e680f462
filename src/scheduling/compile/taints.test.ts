import { describe, expect, test } from 'vitest';
import type { Taint } from '../../api/core.ts';
import { TaintTable } from './taints.ts';

const gpu: Taint = { key: 'gpu', value: 'true', effect: 'NoSchedule' };
const slow: Taint = { key: 'slow', effect: 'PreferNoSchedule' };

describe('lists of taints', () => {
  test('are one list whatever their order and however often a taint is in them', () => {
    const table = new TaintTable();
    const ids = [[gpu, slow], [slow, gpu], [gpu, slow, gpu], [gpu]].map((list) =>
      table.taintsId(list),
    );
    expect(ids).toEqual([0, 0, 0, 1]);
  });

  test('are another list when a value or an effect differs', () => {
    const table = new TaintTable();
    const ids = [
      [gpu],
      [{ ...gpu, value: 'false' }],
      [{ ...gpu, effect: 'NoExecute' as const }],
    ].map((list) => table.taintsId(list));
    expect(new Set(ids).size).toBe(3);
  });
});

describe('lists of tolerations', () => {
  test('are one list when operators are spelt out or left to the default', () => {
    const table = new TaintTable();
    const spelt = table.tolerationsId([{ key: 'gpu', operator: 'Equal', value: 'true' }]);
    expect(table.tolerationsId([{ key: 'gpu', value: 'true' }])).toBe(spelt);
  });

  test('tolerate a list of taints when every one of them is tolerated', () => {
    const table = new TaintTable();
    const none = table.tolerationsId([]);
    const some = table.tolerationsId([{ key: 'gpu', operator: 'Exists' }]);
    const all = table.tolerationsId([{ operator: 'Exists' }]);
    const both = table.taintsId([gpu, slow]);
    const one = table.taintsId([gpu]);
    const clean = table.taintsId([]);
    const verdicts = [none, some, all].map((tolerations) =>
      [both, one, clean].map((taints) => table.tolerates(tolerations, taints)),
    );
    expect(verdicts).toEqual([
      [false, false, true],
      [false, true, true],
      [true, true, true],
    ]);
    // The second time it is looked up.
    expect(table.tolerates(some, both)).toBe(false);
  });
});
