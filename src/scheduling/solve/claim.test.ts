import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitsInto, howMany, noRequests } from './claim.ts';

const row = (...amounts: number[]) => Float64Array.from(amounts);

describe('a machine', () => {
  test('holds what leaves nothing overdrawn, up to the last unit', () => {
    const room = row(4, 8);
    expect([
      fitsInto(room, 0, row(1, 1), row(3, 7)),
      fitsInto(room, 0, row(1, 1), row(3, 8)),
      fitsInto(room, 0, row(1, 1), row(0, 0)),
    ]).toEqual([true, false, true]);
  });

  test('holds nothing, not even what asks for none of it, where something is overdrawn', () => {
    expect(fitsInto(row(-1, 8), 0, noRequests(row(0, 0)), row(0, 1))).toBe(false);
    expect(
      howMany({ room: row(-1, 8), row: 0, requests: row(0, 0), added: row(0, 1), most: 5 }),
    ).toBe(0);
  });

  test('is looked up by its row', () => {
    expect(fitsInto(row(1, 1, 4, 4), 2, row(0, 0), row(3, 3))).toBe(true);
  });

  test('holds so many of a kind as it holds one after another', () => {
    const amounts = fc.array(fc.nat({ max: 20 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(amounts, amounts, amounts, fc.integer({ min: 1, max: 12 }), (a, b, c, most) => {
        const [room, requests, added] = [row(...a), row(...b), row(...c)];
        let count = 0;
        const held = requests.slice();
        while (count < most && fitsInto(room, 0, held, added)) {
          for (let i = 0; i < held.length; i++) held[i]! += added[i]!;
          count++;
        }
        expect(howMany({ room, row: 0, requests, added, most })).toBe(count);
      }),
    );
  });
});
