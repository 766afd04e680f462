import { describe, expect, test } from 'vitest';
import { testCatalog } from '../../../test/support/azure/catalog.ts';
import { classWith } from '../../../test/support/azure/node-class.ts';
import { skuRow } from '../../../test/support/azure/sku-rows.ts';
import { coreWellKnownLabels, azureWellKnownLabels } from '../../api/labels.ts';
import type { InstanceType } from '../../model/instance-type.ts';
import { requirementOn } from '../../model/requirements.ts';
import { toResourceList } from '../../model/resources.ts';

const d2 = skuRow('Standard_D2s_v5', { capabilities: { vCPUs: '2', MemoryGB: '8' } });
const d4 = skuRow('Standard_D4s_v5');
const e4 = skuRow('Standard_E4s_v5');
const usage = (value: string, currentValue: number, limit: number) => ({
  name: { value },
  currentValue,
  limit,
});
const familyOf = (row: { readonly family?: string }): string => row.family!;

/** `1o 1s 0o`: zone and first letter of the capacity type of what is available. */
function available(type: InstanceType): string {
  return type.offerings
    .filter((offering) => offering.available)
    .map(({ zone, capacityType }) => `${zone.slice(-1)}${capacityType[0]}`)
    .join(' ');
}

function values(type: InstanceType, key: string): string {
  return [...requirementOn(type.requirements, key).values].toSorted().join();
}

const everywhere = '1o 1s 2o 2s 3o 3s 0o 0s';

describe('an instance type', () => {
  test('can be had on demand and as spot, in each zone and without one', async () => {
    const { type } = await testCatalog({ records: [d4] });
    expect(available(type('Standard_D4s_v5'))).toBe(everywhere);
  });

  test('of a size without zones can be had without one', async () => {
    const { type } = await testCatalog({ records: [skuRow('Standard_D4s_v5', { zones: [] })] });
    const found = type('Standard_D4s_v5');
    expect([available(found), values(found, 'topology.kubernetes.io/zone')]).toEqual([
      '0o 0s',
      '0',
    ]);
  });

  test('says something about every well-known label', async () => {
    const { type } = await testCatalog({ records: [d4] });
    const { requirements } = type('Standard_D4s_v5');
    // A pool gives its own name to nodes, and Windows has builds.
    const ofOthers = new Set(['karpenter.sh/nodepool', 'node.kubernetes.io/windows-build']);
    const wanted = [...azureWellKnownLabels, ...coreWellKnownLabels].filter(
      (key) => !ofOthers.has(key),
    );
    expect(wanted.filter((key) => !requirements.has(key))).toEqual([]);
  });

  test('shows only what is available as its zones and capacity types', async () => {
    const { type, unavailable, catalog } = await testCatalog({ records: [d4] });
    const size = catalog.size('Standard_D4s_v5')!;
    for (const zone of ['southcentralus-1', 'southcentralus-2', '0']) {
      unavailable.refuse({ size, zone, capacityType: 'on-demand' });
      unavailable.refuse({ size, zone, capacityType: 'spot' });
    }
    unavailable.refuse({ size, zone: 'southcentralus-3', capacityType: 'spot' });
    const found = type('Standard_D4s_v5');
    expect([
      values(found, 'topology.kubernetes.io/zone'),
      values(found, 'karpenter.sh/capacity-type'),
      values(found, 'karpenter.azure.com/placement-scope'),
    ]).toEqual(['southcentralus-3', 'on-demand', 'zonal']);
  });

  test('that cannot be had at all is still listed', async () => {
    const { types, unavailable } = await testCatalog({ records: [d4] });
    unavailable.refuseRegion({ capacityType: 'on-demand', fromVcpus: 0 });
    unavailable.refuseRegion({ capacityType: 'spot', fromVcpus: 0 });
    expect(types().map((type) => [type.name, type.offerings.length, available(type)])).toEqual([
      ['Standard_D4s_v5', 8, ''],
    ]);
  });

  test('that Azure does not sell as spot has spot offerings that are unavailable', async () => {
    const { type } = await testCatalog({
      records: [skuRow('Standard_B4ms', { capabilities: { LowPriorityCapable: 'False' } })],
    });
    const found = type('Standard_B4ms');
    expect([available(found), found.offerings.length]).toEqual(['1o 2o 3o 0o', 8]);
  });

  test.each([
    ['without a known price', 'Standard_EC128ies_v5', 'Standard_ND128isr_GB300_v6'],
    ['that is new', 'Standard_D248ds_v7', 'Standard_D248ds_v7'],
    ['that nobody has heard of', 'Standard_Z8_v9', 'Standard_Z8_v9'],
  ])('%s is available at a price higher than any', async (_, __, name) => {
    const gpus = name.includes('ND') ? { GPUs: '4' } : {};
    const { type } = await testCatalog({ records: [skuRow(name, { capabilities: gpus })] });
    const found = type(name);
    expect([new Set(found.offerings.map(({ price }) => price)), available(found)]).toEqual([
      new Set([999]),
      everywhere,
    ]);
  });

  test('has no GPUs unless its size does', async () => {
    const { type } = await testCatalog({
      records: [
        d4,
        skuRow('Standard_NC24ads_A100_v4', { capabilities: { GPUs: '1' } }),
        skuRow('Standard_NV4ads_V710_v5', { capabilities: { GPUs: '2' } }),
      ],
    });
    const gpus = (name: string) => {
      const capacity = toResourceList(type(name, { gpu: { mode: 'None' } }).capacity);
      return [capacity['nvidia.com/gpu'], capacity['amd.com/gpu']];
    };
    expect(
      ['Standard_D4s_v5', 'Standard_NC24ads_A100_v4', 'Standard_NV4ads_V710_v5'].map(gpus),
    ).toEqual([
      ['0', '0'],
      ['1', '0'],
      ['0', '2'],
    ]);
  });

  test('has the disk and the pods of its class', async () => {
    const { type } = await testCatalog({ records: [d4] });
    const { capacity } = type('Standard_D4s_v5', { osDiskSizeGB: 30, maxPods: 42 });
    expect(toResourceList(capacity)).toMatchObject({
      'ephemeral-storage': '29296875Ki',
      pods: '42',
    });
  });
});

describe('a list of instance types', () => {
  test('is ordered by name and does not change under its reader', async () => {
    const { types } = await testCatalog({ records: [e4, d4, d2] });
    const list = types();
    expect(list.map(({ name }) => name)).toEqual([
      'Standard_D2s_v5',
      'Standard_D4s_v5',
      'Standard_E4s_v5',
    ]);
    expect(Object.isFrozen(list)).toBe(true);
  });

  test('is the same one as long as nothing has changed', async () => {
    const { catalog, prices, quota, signal } = await testCatalog({ records: [d2, d4] });
    const before = catalog.list(classWith());
    await catalog.refresh(signal);
    await prices.refresh(signal);
    await quota.refresh(signal);
    expect(catalog.list(classWith({ tags: { other: 'class' } }))).toBe(before);
  });

  test('is the same one when news concern nobody', async () => {
    const { types, quota } = await testCatalog({ records: [d2], usages: [usage('cores', 0, 100)] });
    const before = types();
    quota.reserve({ family: familyOf(d2), vcpus: 2 }, 'on-demand');
    expect(types()).toBe(before);
  });

  test('keeps the types that news do not concern', async () => {
    const { types, unavailable, catalog } = await testCatalog({ records: [d2, d4, e4] });
    const before = types();
    const size = catalog.size('Standard_E4s_v5')!;
    unavailable.refuse({ size, zone: 'southcentralus-1', capacityType: 'spot' });
    expect(types().map((type, i) => type === before[i])).toEqual([true, true, false]);
  });

  test('is an error before Azure has answered', async () => {
    const { types } = await testCatalog({ records: [d4], refreshed: false });
    expect(() => types()).toThrow('no instance types found');
  });

  test('outlives an answer without a usable size', async () => {
    const world = await testCatalog({ records: [d4] });
    world.answer = { ...world.answer, records: [] };
    await expect(world.catalog.refresh(world.signal)).rejects.toThrow(
      'none that nodes can be made of',
    );
    expect(world.types()).toHaveLength(1);
  });
});

describe('the list of sizes', () => {
  test('is asked for once by callers at the same time', async () => {
    const world = await testCatalog({ records: [d4] });
    await Promise.all([1, 2, 3].map(() => world.catalog.refresh(world.signal)));
    expect(world.listed).toBe(2);
  });

  test('may gain, lose and change sizes', async () => {
    const world = await testCatalog({ records: [d2, d4] });
    const [before] = world.types();
    world.answer = { ...world.answer, records: [d2, skuRow('Standard_E4s_v5', { zones: [] })] };
    await world.catalog.refresh(world.signal);
    const after = world.types();
    expect(after.map(({ name }) => name)).toEqual(['Standard_D2s_v5', 'Standard_E4s_v5']);
    expect(after[0]).toBe(before);
  });

  test('names in the log what it does not understand and what is new to it', async () => {
    const { logged } = await testCatalog({
      records: [d4, skuRow('Standard_?'), skuRow('Standard_Z8_v9'), skuRow('Standard_A0')],
    });
    expect(logged.filter(({ level }) => level !== 'DEBUG')).toMatchObject([
      { message: 'sizes left out', reason: 'unknown name', instanceTypes: ['Standard_?'] },
      { message: 'sizes that are new to us are offered last', families: ['standardZ_v9Family'] },
    ]);
  });
});

describe('quota', () => {
  test.each([
    ['exhausted', 10, ['1s 2s 3s 0s', '1s 2s 3s 0s', everywhere]],
    ['enough for an exact fit', 6, [everywhere, everywhere, everywhere]],
    ['enough for the small one', 8, [everywhere, '1s 2s 3s 0s', everywhere]],
  ])('that is %s closes offerings on demand only', async (_, used, expected) => {
    const family = familyOf(d4);
    const { types } = await testCatalog({
      records: [d2, d4, e4].map((row) => (row === e4 ? row : { ...row, family })),
      usages: [usage(family, used, 10)],
    });
    expect(types().map(available)).toEqual(expected);
  });

  test('closes offerings as soon as launches have used it up', async () => {
    const { type, quota } = await testCatalog({
      records: [d4],
      usages: [usage(familyOf(d4), 0, 6)],
    });
    expect(available(type('Standard_D4s_v5'))).toBe(everywhere);
    const launch = quota.reserve({ family: familyOf(d4), vcpus: 4 }, 'on-demand');
    expect(available(type('Standard_D4s_v5'))).toBe('1s 2s 3s 0s');
    launch.release();
    expect(available(type('Standard_D4s_v5'))).toBe(everywhere);
  });

  test('that changes is seen at once', async () => {
    const world = await testCatalog({ records: [d4], usages: [usage(familyOf(d4), 10, 10)] });
    expect(available(world.type('Standard_D4s_v5'))).toBe('1s 2s 3s 0s');
    world.answer = { ...world.answer, usages: [usage(familyOf(d4), 0, 10)] };
    await world.quota.refresh(world.signal);
    expect(available(world.type('Standard_D4s_v5'))).toBe(everywhere);
  });
});

describe('news', () => {
  test('of prices are seen at once', async () => {
    const world = await testCatalog({ records: [d4] });
    const prices = () =>
      world
        .type('Standard_D4s_v5')
        .offerings.slice(0, 2)
        .map(({ price }) => price);
    expect(prices()).toEqual([0.23, 0.23]);
    const meter = { armSkuName: 'Standard_D4s_v5' };
    world.answer = {
      ...world.answer,
      prices: [
        { ...meter, retailPrice: 0.3, skuName: 'D4s v5' },
        { ...meter, retailPrice: 0.1, skuName: 'D4s v5 Spot' },
      ],
    };
    await world.prices.refresh(world.signal);
    expect(prices()).toEqual([0.3, 0.1]);
    const [onDemand, spot] = world.answer.prices;
    world.answer = { ...world.answer, prices: [onDemand!, { ...spot, retailPrice: 0.2 }] };
    await world.prices.refresh(world.signal);
    expect(prices()).toEqual([0.3, 0.2]);
  });

  test('of a refusal that is over are seen at once', async () => {
    const { type, unavailable, catalog, clock } = await testCatalog({ records: [d4] });
    const size = catalog.size('Standard_D4s_v5')!;
    unavailable.refuse({ size, zone: 'southcentralus-1', capacityType: 'spot', ttlMs: 1000 });
    expect(available(type('Standard_D4s_v5'))).toBe('1o 2o 2s 3o 3s 0o 0s');
    await clock.advance(1000);
    expect(available(type('Standard_D4s_v5'))).toBe(everywhere);
  });
});
