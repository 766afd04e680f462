import { beforeEach, describe, expect, test } from 'vitest';
import { skuRow } from '../../../test/support/azure/sku-rows.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { findCreateError, isInsufficientCapacity } from '../../cloud/errors.ts';
import { learnFromFailure } from './launch-failure.ts';
import type { CapacityType } from './quote.ts';
import { UnavailableOfferings } from './unavailable-offerings.ts';
import { readVmSize, type VmSize } from './vm-size.ts';

const hourMs = 3_600_000;

function vmSize(name: string, vcpus: string): VmSize {
  const answer = readVmSize(
    skuRow(name, { region: 'eastus', zones: ['1', '2'], capabilities: { vCPUs: vcpus } }),
    'eastus',
  );
  if ('excluded' in answer) throw new Error(answer.excluded);
  return answer.size;
}

const d4 = vmSize('Standard_D4s_v5', '4');
const d2 = vmSize('Standard_D2s_v5', '2');
const d8 = vmSize('Standard_D8s_v5', '8');
const e4 = vmSize('Standard_E4s_v5', '4');
const [zonal, regional] = ['eastus-1', '0'];

let clock: VirtualClock;
let unavailable: UnavailableOfferings;

beforeEach(() => {
  clock = new VirtualClock();
  unavailable = new UnavailableOfferings({ clock });
});

function fail(code: string, text: string, at: { zone?: string; capacityType?: CapacityType } = {}) {
  const { zone = zonal, capacityType = 'on-demand' } = at;
  return learnFromFailure({
    failure: { code, text },
    attempt: { size: d4, zone, capacityType },
    unavailable,
  });
}

/** `1o 2s 0o`: zone and first letter of the capacity type. */
function refused(size = d4): string {
  return size.zones
    .flatMap(({ zone }) =>
      (['on-demand', 'spot'] as const)
        .filter((type) => unavailable.isUnavailable(size, zone, type))
        .map((type) => `${zone.slice(-1)}${type[0]}`),
    )
    .join(' ');
}

const family =
  'exceeding approved standardDSv5Family Cores quota. Current Limit: 10, Current Usage: 10';

interface Case {
  readonly code: string;
  readonly text?: string;
  readonly at?: { readonly zone?: string; readonly capacityType?: CapacityType };
  readonly closes: string;
  readonly hours: number;
  readonly reason: string;
}

const quota = { code: 'OperationNotAllowed', reason: 'SubscriptionQuotaReached' };
const sku = { code: 'SkuNotAvailable', reason: 'SKUNotAvailable' };
const overconstrained = {
  code: 'OverconstrainedAllocationRequest',
  reason: 'OverconstrainedAllocationFailure',
  hours: 1,
};
const unsupported = { closes: '1o 1s 2o 2s 0o 0s', hours: 23, reason: 'SKUNotAvailable' };
const spot = { capacityType: 'spot' } as const;

describe('a launch that Azure refuses', () => {
  test.each<Case>([
    { ...quota, text: 'LowPriorityCores', closes: '1s 2s 0s', hours: 1 },
    { ...quota, text: family, closes: '1o 2o 0o', hours: 1 / 6 },
    { ...quota, text: family, at: spot, closes: '1s 2s 0s', hours: 1 / 6 },
    { ...quota, text: 'Family Cores quota. Current Limit: 0,', closes: '1o 2o 0o', hours: 1 },
    { ...sku, closes: '1o 2o', hours: 23 },
    { ...sku, at: spot, closes: '1s 2s', hours: 1 },
    { ...sku, at: { zone: regional }, closes: '0o', hours: 23 },
    { code: 'ZonalAllocationFailed', closes: '1o 1s', hours: 1, reason: 'ZonalAllocationFailure' },
    { code: 'AllocationFailed', closes: '1o 1s 2o 2s', hours: 1, reason: 'AllocationFailure' },
    {
      code: 'AllocationFailed',
      at: { zone: regional },
      closes: '0o 0s',
      hours: 1,
      reason: 'AllocationFailure',
    },
    {
      code: 'OverconstrainedZonalAllocationRequest',
      at: spot,
      closes: '1s',
      hours: 1,
      reason: 'OverconstrainedZonalAllocationFailure',
    },
    { ...overconstrained, closes: '1o 2o' },
    { ...overconstrained, at: { zone: regional }, closes: '0o' },
    { ...unsupported, code: 'VMSizeNotSupported' },
    { ...unsupported, code: 'BadRequest', text: 'size x is not supported for subscription y' },
  ])('with $code $text at $at closes $closes for $hours h', async (row) => {
    const { error } = fail(row.code, row.text ?? '', row.at)!;
    expect([refused(), findCreateError(error)?.conditionReason]).toEqual([row.closes, row.reason]);
    await clock.advance(row.hours * hourMs - 1);
    expect(refused()).toBe(row.closes);
    await clock.advance(1);
    expect(refused()).toBe('');
  });

  test('closes larger sizes of the family, not smaller ones, not other families', () => {
    fail('AllocationFailed', '');
    expect([refused(d8), refused(d2), refused(e4)]).toEqual(['1o 1s 2o 2s', '', '']);
  });

  test('for lack of vCPUs in the region gives up, and tries nothing that needs as many for three minutes', async () => {
    const { error } = fail('OperationNotAllowed', 'exceeding approved Total Regional Cores quota')!;
    expect([isInsufficientCapacity(error), findCreateError(error)]).toEqual([true, undefined]);
    expect([refused(d8), refused(e4), refused(d2)]).toEqual(['1o 2o 0o', '1o 2o 0o', '']);
    await clock.advance(3 * 60_000);
    expect(refused(d8)).toBe('');
  });

  test('says whether the usage figures are out of date', () => {
    expect([
      fail('OperationNotAllowed', family)?.quotaReached,
      fail('OperationNotAllowed', 'LowPriorityCores')?.quotaReached,
      fail('OperationNotAllowed', 'exceeding approved Total Regional Cores quota')?.quotaReached,
      fail('AllocationFailed', '')?.quotaReached,
    ]).toEqual([true, true, true, false]);
  });

  test.each([
    ['OperationNotAllowed', 'the disk is attached'],
    ['BadRequest', 'property is wrong'],
    ['PropertyChangeNotAllowed', family],
    ['', 'AllocationFailed'],
  ])('with %j %j says nothing about offerings', (code, text) => {
    expect([fail(code, text), refused(), unavailable.generation]).toEqual([undefined, '', 0]);
  });

  test('for spot vCPUs is told apart from a family that is mentioned along with them', () => {
    fail('OperationNotAllowed', `LowPriorityCores and ${family}`);
    expect(refused()).toBe('1s 2s 0s');
  });

  test('for spot vCPUs closes spot of every size', () => {
    fail('OperationNotAllowed', 'LowPriorityCores');
    expect([refused(d2), refused(e4)]).toEqual(['1s 2s 0s', '1s 2s 0s']);
  });
});
