import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { type RefusedSize, UnavailableOfferings } from './unavailable-offerings.ts';

const minuteMs = 60_000;
const size = (name: string, vcpus: number, family = 'standardDSv5Family'): RefusedSize => ({
  name,
  vcpus,
  family,
});
const d2 = size('Standard_D2s_v5', 2);
const d8 = size('Standard_D8s_v5', 8);
const d16 = size('Standard_D16s_v5', 16);
const e8 = size('Standard_E8s_v5', 8, 'standardESv5Family');
const [zone, otherZone] = ['eastus-1', 'eastus-2'];

let clock: VirtualClock;
let unavailable: UnavailableOfferings;

beforeEach(() => {
  clock = new VirtualClock();
  unavailable = new UnavailableOfferings({ clock });
});

const blocked = (...sizes: readonly RefusedSize[]): string[] =>
  sizes.filter((one) => unavailable.isUnavailable(one, zone, 'on-demand')).map(({ name }) => name);

describe('a refused size', () => {
  test('takes the larger sizes of its family with it, and no others', () => {
    unavailable.refuse({ size: d8, zone, capacityType: 'on-demand' });
    expect(blocked(d2, d8, d16, e8)).toEqual([d8.name, d16.name]);
  });

  test('stays open in other zones and for the other capacity type', () => {
    unavailable.refuse({ size: d8, zone, capacityType: 'on-demand' });
    expect([
      unavailable.isUnavailable(d8, otherZone, 'on-demand'),
      unavailable.isUnavailable(d8, zone, 'spot'),
    ]).toEqual([false, false]);
  });

  test('is found whatever the case of its family', () => {
    unavailable.refuse({ size: d8, zone, capacityType: 'on-demand' });
    expect(blocked({ ...d8, family: 'STANDARDDSV5FAMILY' })).toEqual([d8.name]);
  });

  test('without a family stands for itself', () => {
    const stranger = { name: 'Standard_X8', vcpus: 8, family: undefined };
    const larger = { name: 'Standard_X16', vcpus: 16, family: undefined };
    unavailable.refuse({ size: stranger, zone, capacityType: 'on-demand' });
    expect(blocked(stranger, larger, d16)).toEqual(['Standard_X8']);
  });

  test('is tried again when its time is over, three minutes unless told otherwise', async () => {
    unavailable.refuse({ size: d8, zone, capacityType: 'on-demand' });
    await clock.advance(3 * minuteMs - 1);
    expect(blocked(d8)).toEqual([d8.name]);
    await clock.advance(1);
    expect(blocked(d8)).toEqual([]);
  });

  test('does not prolong the refusal of a smaller one', async () => {
    unavailable.refuse({ size: d2, zone, capacityType: 'on-demand', ttlMs: 10 * minuteMs });
    unavailable.refuse({ size: d8, zone, capacityType: 'on-demand', ttlMs: 60 * minuteMs });
    expect(blocked(d2, d8, d16)).toHaveLength(3);
    await clock.advance(10 * minuteMs);
    expect(blocked(d2, d8, d16)).toEqual([d8.name, d16.name]);
  });

  test('is not let go early by a shorter refusal', async () => {
    unavailable.refuse({ size: d8, zone, capacityType: 'on-demand', ttlMs: 60 * minuteMs });
    unavailable.refuse({ size: d8, zone, capacityType: 'on-demand', ttlMs: minuteMs });
    await clock.advance(59 * minuteMs);
    expect(blocked(d8)).toEqual([d8.name]);
  });
});

describe('a refusal', () => {
  test('of a region concerns every family and zone from so many vCPUs on', () => {
    unavailable.refuseRegion({ capacityType: 'on-demand', fromVcpus: 8 });
    expect(blocked(d2, d8, d16, e8)).toEqual([d8.name, d16.name, e8.name]);
    expect(unavailable.isUnavailable(e8, otherZone, 'on-demand')).toBe(true);
    expect(unavailable.isUnavailable(e8, zone, 'spot')).toBe(false);
  });

  test('of all spot concerns nothing on demand', () => {
    unavailable.refuseRegion({ capacityType: 'spot', fromVcpus: 0 });
    expect(unavailable.isUnavailable(d2, otherZone, 'spot')).toBe(true);
    expect(blocked(d2)).toEqual([]);
  });
});

describe('the generation', () => {
  const refuse = (one = d8, ttlMs = minuteMs): number => {
    unavailable.refuse({ size: one, zone, capacityType: 'on-demand', ttlMs });
    return unavailable.generation;
  };

  test('rises with a refusal, and again when it is over', async () => {
    expect([unavailable.generation, refuse()]).toEqual([0, 1]);
    await clock.advance(minuteMs);
    expect([unavailable.generation, unavailable.generation]).toEqual([2, 2]);
  });

  test('stays when a refusal is only repeated or prolonged', () => {
    expect([refuse(), refuse(), refuse(d8, 10 * minuteMs)]).toEqual([1, 1, 1]);
  });

  test('stays when a larger size of the family is refused as well', () => {
    expect([refuse(d8), refuse(d16)]).toEqual([1, 1]);
  });

  test('rises when a smaller size is refused as well', () => {
    expect([refuse(d8), refuse(d2)]).toEqual([1, 2]);
  });

  test('stays when a refusal ends that a stricter one still covers', async () => {
    refuse(d8, minuteMs);
    const before = refuse(d2, 10 * minuteMs);
    await clock.advance(minuteMs);
    expect(unavailable.generation).toBe(before);
  });

  test('never stays when an answer has changed', async () => {
    const step = fc.record({
      size: fc.constantFrom(d2, d8, d16, e8),
      ttlMs: fc.integer({ min: 1, max: 10 }),
      waitMs: fc.integer({ min: 0, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        clock = new VirtualClock();
        unavailable = new UnavailableOfferings({ clock });
        const looks: { readonly generation: number; readonly answers: string }[] = [];
        const look = (): void => {
          const { generation } = unavailable;
          looks.push({ generation, answers: blocked(d2, d8, d16, e8).join() });
        };
        look();
        for (const { size, ttlMs, waitMs } of steps) {
          unavailable.refuse({ size, zone, capacityType: 'on-demand', ttlMs });
          look();
          await clock.advance(waitMs);
          look();
        }
        const missed = looks.filter(
          ({ generation, answers }, i) =>
            i > 0 && answers !== looks[i - 1]!.answers && generation === looks[i - 1]!.generation,
        );
        expect(missed).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
