import { describe, expect, test } from 'vitest';
import { objectsAt, textAt, type JsonObject } from '../../kube/json.ts';
import { subscriptionId, testAzure, testImages, testSizes, type Answer } from '../azure-fixture.ts';
import { CapacityPools, type Placement } from './capacity.ts';
import { ImageCatalog } from './images.ts';
import { Quotas, type Consumer } from './quotas.ts';

const place = `/subscriptions/${subscriptionId}/providers/Microsoft.Compute`;
const [d2, d64, arm] = testSizes;

const code = ({ body }: Answer): string => textAt(body, 'error', 'code');

describe('SKUs', () => {
  const skus = async (query: string): Promise<Answer> =>
    testAzure({ sizes: testSizes }).send('GET', `${place}/skus?api-version=2021-07-01${query}`);
  const filter = (text: string): string => `&$filter=${encodeURIComponent(text)}`;

  test('are told of all regions without a filter, and of one with it', async () => {
    const all = await skus('');
    const one = await skus(filter("location eq 'West Central US'"));
    const names = ({ body }: Answer): string[] =>
      objectsAt(body, 'value').map((sku) => textAt(sku, 'name'));
    expect([names(all).length, names(one)]).toEqual([
      7,
      ['Standard_A0', 'Standard_D2s_v3', 'Standard_D64s_v3'],
    ]);
  });

  test('are told with capabilities as text, and nothing that is not known', async () => {
    const { body } = await skus(filter("location eq 'southcentralus'"));
    const sku = objectsAt(body, 'value').find((one) => textAt(one, 'name') === d2!.name)!;
    const capabilities = Object.fromEntries(
      objectsAt(sku, 'capabilities').map((one) => [textAt(one, 'name'), textAt(one, 'value')]),
    );
    expect(capabilities).toMatchObject({
      vCPUs: '2',
      MemoryGB: '8',
      HyperVGenerations: 'V1,V2',
      CpuArchitectureType: 'x64',
      LowPriorityCapable: 'True',
      CachedDiskBytes: '53687091200',
      MaxResourceVolumeMB: '16384',
      SupportedEphemeralOSDiskPlacements: 'ResourceDisk,CacheDisk',
    });
    expect(Object.keys(capabilities)).not.toContain('GPUs');
    expect(sku['restrictions']).toEqual([]);
  });

  test('that are closed to the subscription say so', async () => {
    const { body } = await skus(filter("location eq 'westcentralus'"));
    const sku = objectsAt(body, 'value').find((one) => textAt(one, 'name') === 'Standard_A0')!;
    expect(sku['restrictions']).toEqual([
      {
        type: 'Location',
        values: ['westcentralus'],
        restrictionInfo: { locations: ['westcentralus'] },
        reasonCode: 'NotAvailableForSubscription',
      },
    ]);
  });

  test('are not filtered by anything else', async () => {
    expect(code(await skus(filter("name eq 'x'")))).toBe('InvalidParameter');
  });
});

describe('usages', () => {
  test('name every family of the region, and refuse a place that is not there', async () => {
    const { send } = testAzure({
      sizes: testSizes,
      quotas: [{ name: 'cores', limit: 10, region: 'southcentralus' }],
    });
    const usages = (region: string): Promise<Answer> =>
      send('GET', `${place}/locations/${region}/usages?api-version=2024-11-01`);
    const { body } = await usages('southcentralus');
    const entry = (name: string): JsonObject | undefined =>
      objectsAt(body, 'value').find((one) => textAt(one, 'name', 'value') === name);
    expect([entry('cores'), entry('standardDPLDSv5Family')]).toMatchObject([
      { limit: 10, currentValue: 0, unit: 'Count' },
      { name: { localizedValue: 'Standard DPLDSv5 Family vCPUs' } },
    ]);
    expect(code(await usages('moon'))).toBe('NoRegisteredProviderFound');
  });
});

describe('quotas', () => {
  const consumer = (vmId: string, changes: Partial<Consumer> = {}): Consumer => ({
    vmId,
    subscriptionId: 's',
    region: 'r',
    size: d2!,
    priority: 'Regular',
    ...changes,
  });

  test('are counted by region and subscription, once for each machine', () => {
    const quotas = new Quotas([{ name: 'cores', limit: 4 }]);
    quotas.take(consumer('a'));
    quotas.take(consumer('A'));
    quotas.take(consumer('b', { region: 'other' }));
    quotas.take(consumer('c', { priority: 'Spot' }));
    expect([
      quotas.usage('s', 'r', 'cores').current,
      quotas.usage('S', 'r', 'lowPriorityCores').current,
    ]).toEqual([2, 2]);
    expect(quotas.shortage(consumer('d'))).toBeUndefined();
    expect(quotas.shortage(consumer('d', { size: arm! }))).toEqual({
      quota: 'Total Regional Cores',
      location: 'r',
      limit: 4,
      usage: 2,
      required: 16,
    });
  });

  test('are broken by family before region, and the later rule wins', () => {
    const quotas = new Quotas([{ name: 'cores', limit: 1 }]);
    quotas.set({ name: 'standardDSv3Family', limit: 1 });
    expect(quotas.shortage(consumer('a'))?.quota).toBe('standardDSv3Family Cores');
    quotas.set({ name: 'standardDSv3Family', limit: 2 });
    expect(quotas.shortage(consumer('a'))?.quota).toBe('Total Regional Cores');
  });
});

describe('capacity', () => {
  const placement = (vmId: string, changes: Partial<Placement> = {}): Placement => ({
    vmId,
    region: 'r',
    size: d64!.name,
    zone: '1',
    priority: 'Regular',
    ...changes,
  });

  test.each<readonly [string, Partial<Placement>, string | undefined]>([
    ['the same zone', {}, 'ZonalAllocationFailed'],
    ['another zone', { zone: '2' }, undefined],
    ['no zone', { zone: undefined }, undefined],
    ['spot', { priority: 'Spot' }, undefined],
    ['another size', { size: d2!.name }, undefined],
    ['another region', { region: 'q' }, undefined],
  ])('of one zone is spent for %s only', (_, changes, expected) => {
    const pools = new CapacityPools([
      { size: d64!.name, zone: '1', priority: 'Regular', region: 'r', count: 1 },
    ]);
    pools.take(placement('a'));
    expect(pools.shortage(placement('b', changes))).toBe(expected);
  });

  test('of machines without a zone is a pool of its own', () => {
    const pools = new CapacityPools([{ size: d64!.name, zone: '', count: 0 }]);
    expect([
      pools.shortage(placement('a')),
      pools.shortage(placement('a', { zone: undefined })),
    ]).toEqual([undefined, 'AllocationFailed']);
  });
});

describe('images', () => {
  const image = testImages[0]!;
  const catalog = new ImageCatalog([
    {
      ...image,
      versions: [
        ...image.versions,
        { version: '3', publishedMs: Date.UTC(2026, 0, 1), regions: ['elsewhere'] },
        { version: '4', publishedMs: Date.UTC(2026, 1, 1), excludeFromLatest: true },
      ],
    },
  ]);
  const find = (version: string, region = 'southcentralus'): string | undefined =>
    catalog.find({
      gallery: image.gallery.toUpperCase(),
      definition: image.definition,
      version,
      region,
    })?.version.version;

  test('are found where they are replicated, and the latest is the newest of those', () => {
    expect([
      find('3'),
      find('3', 'elsewhere'),
      find('4'),
      find('latest'),
      find('latest', 'elsewhere'),
    ]).toEqual([undefined, '3', '4', '202502.09.0', '3']);
  });

  test('of a gallery that is not there are not found', async () => {
    const { send } = testAzure({ images: testImages });
    const base = `${place}/locations/southcentralus/communityGalleries`;
    const answers = await Promise.all(
      [
        `${base}/no/images`,
        `${base}/${image.gallery}/images/no/versions`,
        `${base}/${image.gallery}/images/${image.definition}/versions/9.9.9`,
      ].map((target) => send('GET', `${target}?api-version=2025-03-03`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
