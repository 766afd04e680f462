import { describe, expect, test } from 'vitest';
import { testCatalog } from '../../../test/support/azure/catalog.ts';
import { skuRow } from '../../../test/support/azure/sku-rows.ts';
import { seededRandom } from '../../base/random.ts';
import type { RequirementEntry } from '../../model/requirement.ts';
import { requirementsFromEntries } from '../../model/requirements.ts';
import { fromResourceList } from '../../model/resources.ts';
import { chooseOffering, launchCandidates, wantsUltraSsd } from './choose-offering.ts';
import { azureLabelRules } from './label-rules.ts';

const zoneKey = 'topology.kubernetes.io/zone';
const scopeKey = 'karpenter.azure.com/placement-scope';
const capacityKey = 'karpenter.sh/capacity-type';

const is = (key: string, ...values: readonly string[]): RequirementEntry => ({
  key,
  operator: 'In',
  values,
});
const requirements = (...entries: readonly RequirementEntry[]) =>
  requirementsFromEntries(azureLabelRules, entries);

/** D4s costs 0.23 and E4s 0.302, spot the same until a list says otherwise. */
const records = [skuRow('Standard_D4s_v5'), skuRow('Standard_E4s_v5')];

async function world(meters: readonly (readonly [string, number, boolean])[] = []) {
  const made = await testCatalog({ records });
  made.answer = {
    ...made.answer,
    prices: meters.map(([armSkuName, retailPrice, spot]) => ({
      armSkuName,
      retailPrice,
      skuName: spot ? 'x Spot' : 'x',
    })),
  };
  await made.prices.refresh(made.signal);
  return made;
}

async function choose(
  entries: readonly RequirementEntry[],
  options: { readonly meters?: Parameters<typeof world>[0]; readonly seed?: number } = {},
): Promise<string | undefined> {
  const { types } = await world(options.meters);
  const chosen = chooseOffering({
    instanceTypes: types(),
    requirements: requirements(...entries),
    random: seededRandom(options.seed ?? 1),
  });
  if (chosen === undefined) return undefined;
  const { zone, capacityType } = chosen.offering;
  const place = zone === '0' ? 'regional' : 'zonal';
  return `${chosen.instanceType.name.slice(9)} ${capacityType} ${place}`;
}

describe('the machine of a claim', () => {
  test('is the cheapest, as spot and in a zone when that costs the same', async () => {
    expect(await choose([])).toBe('D4s_v5 spot zonal');
  });

  test('is on demand when spot is dearer', async () => {
    expect(await choose([], { meters: [['Standard_D4s_v5', 0.5, true]] })).toBe(
      'D4s_v5 on-demand zonal',
    );
  });

  test('is of the type whose cheapest offering is cheapest', async () => {
    const meters = [
      ['Standard_E4s_v5', 0.02, true],
      ['Standard_D4s_v5', 0.03, true],
    ] as const;
    expect(await choose([], { meters })).toBe('E4s_v5 spot zonal');
  });

  test('is of the first type by name when all else is equal', async () => {
    const meters = [
      ['Standard_E4s_v5', 0.2, false],
      ['Standard_D4s_v5', 0.2, false],
    ] as const;
    expect(await choose([is(capacityKey, 'on-demand')], { meters })).toBe('D4s_v5 on-demand zonal');
  });

  test.each([
    [[is(scopeKey, 'regional')], 'D4s_v5 spot regional'],
    [[is(zoneKey, '0')], 'D4s_v5 spot regional'],
    [[is(zoneKey, 'southcentralus-2')], 'D4s_v5 spot zonal'],
    [[{ key: zoneKey, operator: 'NotIn', values: ['0'] }], 'D4s_v5 spot zonal'],
    [[is(capacityKey, 'on-demand'), is(scopeKey, 'regional')], 'D4s_v5 on-demand regional'],
    [[is('kubernetes.azure.com/priority', 'spot')], 'D4s_v5 spot zonal'],
    [[is('kubernetes.azure.com/priority', 'regular')], 'D4s_v5 on-demand zonal'],
    [[is('kubernetes.azure.com/scalesetpriority', 'regular')], 'D4s_v5 on-demand zonal'],
    [[is(zoneKey, 'elsewhere-1')], undefined],
    [[is(scopeKey, 'zonal'), is(zoneKey, '0')], undefined],
    [[is('karpenter.azure.com/sku-storage-ultra-ssd', 'true')], undefined],
  ] as const)('suits %j: %s', async (entries, expected) => {
    expect(await choose(entries)).toBe(expected);
  });

  test('is regional spot rather than zonal on demand at the same price', async () => {
    const { types, unavailable } = await world();
    for (const type of types()) {
      for (const { zone } of type.offerings.filter((offering) => offering.zone !== '0')) {
        unavailable.refuse({
          size: { name: type.name, family: familyOf(type.name), vcpus: 4 },
          zone,
          capacityType: 'spot',
        });
      }
    }
    const { offering } = chooseOffering({
      instanceTypes: types(),
      requirements: requirements(),
      random: seededRandom(1),
    })!;
    expect([offering.zone, offering.capacityType]).toEqual(['0', 'spot']);
  });

  test('is in any zone that ties', async () => {
    const { types } = await world();
    const random = seededRandom(7);
    const zones = Array.from(
      { length: 60 },
      () =>
        chooseOffering({ instanceTypes: types(), requirements: requirements(), random })?.offering
          .zone,
    );
    expect(new Set(zones)).toEqual(new Set([1, 2, 3].map((zone) => `southcentralus-${zone}`)));
  });

  test('is none of what is unavailable', async () => {
    const { types, unavailable } = await world();
    unavailable.refuseRegion({ capacityType: 'spot', fromVcpus: 0 });
    const chosen = chooseOffering({
      instanceTypes: types(),
      requirements: requirements(),
      random: seededRandom(1),
    });
    expect(chosen?.offering.capacityType).toBe('on-demand');
    unavailable.refuseRegion({ capacityType: 'on-demand', fromVcpus: 0 });
    expect(
      chooseOffering({
        instanceTypes: types(),
        requirements: requirements(),
        random: seededRandom(1),
      }),
    ).toBeUndefined();
  });
});

const familyOf = (name: string): string => records.find((row) => row.name === name)!.family!;

describe('the types that a claim could run on', () => {
  async function candidates(
    entries: readonly RequirementEntry[],
    requests: Readonly<Record<string, string>> = {},
  ): Promise<string[]> {
    const { types } = await testCatalog({
      records: [
        ...records,
        skuRow('Standard_D64s_v3', {
          capabilities: { EphemeralOSDiskSupported: 'True', CachedDiskBytes: '1717986918400' },
        }),
        skuRow('Standard_F4s_v2', { zones: [] }),
      ],
    });
    return launchCandidates({
      instanceTypes: types(),
      requirements: requirements(...entries),
      requests: fromResourceList(requests),
    }).map(({ name }) => name.slice(9));
  }

  test.each<[string, readonly RequirementEntry[], readonly string[]]>([
    ['all when nothing is asked', [], ['D4s_v5', 'D64s_v3', 'E4s_v5', 'F4s_v2']],
    ['those of a family', [is('karpenter.azure.com/sku-family', 'E')], ['E4s_v5']],
    [
      'those with a large local disk',
      [
        {
          key: 'karpenter.azure.com/sku-storage-ephemeralos-maxsize',
          operator: 'Gt',
          values: ['128'],
        },
      ],
      ['D64s_v3'],
    ],
    ['those of a zone', [is(zoneKey, 'southcentralus-1')], ['D4s_v5', 'D64s_v3', 'E4s_v5']],
    [
      'those that have zones, when no zone is excluded',
      [{ key: zoneKey, operator: 'NotIn', values: ['0'] }],
      ['D4s_v5', 'D64s_v3', 'E4s_v5'],
    ],
    ['none for a label that no size has', [is('karpenter.azure.com/sku-gpu-name', 'A100')], []],
  ])('are %s', async (_, entries, expected) => {
    expect(await candidates(entries)).toEqual(expected);
  });

  test.each([
    [{ cpu: '3' }, 4],
    [{ cpu: '4' }, 0],
    [{ pods: '251' }, 0],
  ])('have room for %j: %d', async (requests, count) => {
    expect(await candidates([], requests)).toHaveLength(count);
  });
});

describe('ultra disks', () => {
  const key = 'karpenter.azure.com/sku-storage-ultra-ssd';
  test.each<[string, readonly RequirementEntry[], boolean]>([
    ['for a claim that insists', [is(key, 'true')], true],
    [
      'for a claim that refuses the lack of them',
      [{ key, operator: 'NotIn', values: ['false'] }],
      true,
    ],
    ['not for a claim that would do without', [is(key, 'true', 'false')], false],
    ['not for a claim that does not want them', [is(key, 'false')], false],
    ['not for a claim that says nothing', [], false],
  ])('are switched on %s', (_, entries, on) => {
    expect(wantsUltraSsd(requirements(...entries))).toBe(on);
  });
});
