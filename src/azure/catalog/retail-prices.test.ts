import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fetchVmPrices,
  type RetailPriceItem,
  type RetailPricePage,
  retailPricesUrl,
} from './retail-prices.ts';

const { signal } = new AbortController();
const name = 'Standard_D4s_v5';

function item(changes: Partial<RetailPriceItem> = {}): RetailPriceItem {
  return {
    armSkuName: name,
    skuName: 'D4s v5',
    productName: 'Virtual Machines Dsv5 Series',
    meterName: 'D4s v5',
    meterId: 'a',
    retailPrice: 0.192,
    unitOfMeasure: '1 Hour',
    isPrimaryMeterRegion: true,
    effectiveStartDate: '2021-11-01T00:00:00Z',
    ...changes,
  };
}

async function prices(...pages: readonly (readonly RetailPriceItem[])[]) {
  return pricesOf(pages, null);
}

async function pricesOf(pages: readonly (readonly RetailPriceItem[])[], end: string | null) {
  const asked: string[] = [];
  const source = {
    page(url: string): Promise<RetailPricePage> {
      asked.push(url);
      const index = asked.length - 1;
      const last = index >= pages.length - 1;
      return Promise.resolve({
        Items: pages[index] ?? [],
        NextPageLink: last ? end : `https://prices.azure.com/next/${index + 1}`,
      });
    },
  };
  const { onDemand, spot } = await fetchVmPrices(source, 'eastus', signal);
  return { asked, onDemand: Object.fromEntries(onDemand), spot: Object.fromEntries(spot) };
}

describe('the price list', () => {
  test('is asked for Linux-relevant meters of one region in dollars', () => {
    const url = new URL(retailPricesUrl('eastus'));
    expect([
      url.origin + url.pathname,
      url.searchParams.get('api-version'),
      url.searchParams.get('$filter'),
    ]).toEqual([
      'https://prices.azure.com/api/retail/prices',
      '2023-01-01-preview',
      "priceType eq 'Consumption' and currencyCode eq 'USD' and serviceFamily eq 'Compute' and serviceName eq 'Virtual Machines' and armRegionName eq 'eastus'",
    ]);
  });

  test('is read to its last page', async () => {
    const { asked, onDemand } = await prices(
      [item()],
      [item({ armSkuName: 'Standard_D8s_v5', retailPrice: 0.384 })],
      [],
    );
    expect(asked.slice(1)).toEqual([
      'https://prices.azure.com/next/1',
      'https://prices.azure.com/next/2',
    ]);
    expect(onDemand).toEqual({ [name]: 0.192, Standard_D8s_v5: 0.384 });
  });

  test('also ends with an empty link', async () => {
    expect((await pricesOf([[item()]], '')).asked).toHaveLength(1);
  });

  test('is no list when a page fails', async () => {
    const source = {
      page: (url: string): Promise<RetailPricePage> =>
        url.includes('next')
          ? Promise.reject(new Error('status 429'))
          : Promise.resolve({ Items: [item()], NextPageLink: 'https://prices.azure.com/next' }),
    };
    await expect(fetchVmPrices(source, 'eastus', signal)).rejects.toThrow('status 429');
  });

  test('that never ends is an error', async () => {
    const source = { page: (url: string) => Promise.resolve({ Items: [], NextPageLink: url }) };
    await expect(fetchVmPrices(source, 'eastus', signal)).rejects.toThrow('does not end');
  });
});

describe('a meter', () => {
  test('of spot counts for spot only', async () => {
    const { onDemand, spot } = await prices([
      item(),
      item({ skuName: 'D4s v5 Spot', meterName: 'D4s v5 Spot', retailPrice: 0.04 }),
    ]);
    expect([onDemand, spot]).toEqual([{ [name]: 0.192 }, { [name]: 0.04 }]);
  });

  test.each<[string, Partial<RetailPriceItem>]>([
    ['of Windows', { productName: 'Virtual Machines Dsv5 Series Windows' }],
    ['of cloud services', { productName: 'Dv2 Series CloudServices' }],
    ['of low priority', { meterName: 'D4s v5 Low Priority', skuName: 'D4s v5 Low Priority' }],
    ['without a size', { armSkuName: '' }],
    ['without a price', { retailPrice: 0 }],
    ['of development and test', { type: 'DevTestConsumption' }],
    ['of a reservation', { type: 'Reservation' }],
    ['of another unit', { unitOfMeasure: '1 GB/Month' }],
  ])('%s does not count', async (_, changes) => {
    expect(await prices([item(changes)])).toMatchObject({ onDemand: {}, spot: {} });
  });

  test.each<[string, Partial<RetailPriceItem>, Partial<RetailPriceItem>]>([
    [
      'that is billed',
      {},
      { isPrimaryMeterRegion: false, retailPrice: 9, effectiveStartDate: '2030' },
    ],
    [
      'that is newest',
      { effectiveStartDate: '2024' },
      { effectiveStartDate: '2023', retailPrice: 9 },
    ],
    ['that is dearest', { retailPrice: 0.3 }, { retailPrice: 0.2 }],
  ])('%s wins over others of the size', async (_, winner, other) => {
    const expected = { [name]: winner.retailPrice ?? 0.192 };
    expect((await prices([item(winner), item(other)])).onDemand).toEqual(expected);
    expect((await prices([item(other)], [item(winner)])).onDemand).toEqual(expected);
  });

  test('is chosen whatever the order of the list', async () => {
    const meters = fc.array(
      fc.record({
        retailPrice: fc.constantFrom(0.1, 0.2, 0.3),
        isPrimaryMeterRegion: fc.boolean(),
        effectiveStartDate: fc.constantFrom('2023', '2024'),
        meterId: fc.constantFrom('a', 'b'),
      }),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(meters, async (list) => {
        const items = list.map(item);
        const { onDemand } = await prices(items);
        expect((await prices(items.toReversed())).onDemand).toEqual(onDemand);
      }),
      { numRuns: 50 },
    );
  });
});
