import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { objectsAt, textAt, type JsonObject } from '../../kube/json.ts';
import { ask, testAzure, testRegions, testSizes, type Answer } from '../azure-fixture.ts';
import { readRegions, readSizes } from '../data/vm-sizes.ts';
import { parsePriceFilter } from './price-filter.ts';
import { createRetailPrices } from './retail-prices.ts';

function prices(pageSize?: number): (query: string) => Promise<Answer> {
  const { azure } = testAzure({ sizes: testSizes, spot: { discount: 0.25 } });
  const handler = createRetailPrices({
    sizes: testSizes,
    regions: testRegions,
    spotPrice: (size, region) => azure.spotMarket.price(size, region),
    url: () => 'https://prices.azure.com',
    pageSize,
  });
  return (query) => ask(handler, { method: 'GET', target: `/api/retail/prices${query}` });
}

const ours = `?api-version=2023-01-01-preview&$filter=${encodeURIComponent(
  "priceType eq 'Consumption' and currencyCode eq 'USD' and serviceFamily eq 'Compute' and serviceName eq 'Virtual Machines' and armRegionName eq 'southcentralus'",
)}`;

describe('the list of a region', () => {
  test('has the price on demand and on the spot market of each size', async () => {
    const { body } = await prices()(ours);
    const items = objectsAt(body, 'Items').map(({ armSkuName, skuName, retailPrice }) => [
      armSkuName,
      skuName,
      retailPrice,
    ]);
    expect(items).toEqual([
      ['Standard_D2s_v3', 'D2s v3', 0.115],
      ['Standard_D2s_v3', 'D2s v3 Spot', 0.02875],
      ['Standard_D64s_v3', 'D64s v3', 3.68],
      ['Standard_D64s_v3', 'D64s v3 Spot', 0.92],
    ]);
  });

  test('has every field of an item', async () => {
    const { body } = await prices()(ours);
    expect(objectsAt(body, 'Items')[0]).toEqual({
      currencyCode: 'USD',
      tierMinimumUnits: 0,
      retailPrice: 0.115,
      unitPrice: 0.115,
      armRegionName: 'southcentralus',
      location: 'South Central US',
      effectiveStartDate: expect.any(String),
      meterId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      meterName: 'D2s v3',
      productId: expect.any(String),
      skuId: expect.any(String),
      productName: 'Virtual Machines DSv3 Series',
      skuName: 'D2s v3',
      serviceName: 'Virtual Machines',
      serviceId: 'DZH313Z7MMC8',
      serviceFamily: 'Compute',
      unitOfMeasure: '1 Hour',
      type: 'Consumption',
      isPrimaryMeterRegion: true,
      armSkuName: 'Standard_D2s_v3',
    });
  });

  test('comes in pages that are linked to the end', async () => {
    const get = prices(3);
    const first = await get(ours);
    const link = textAt(first.body, 'NextPageLink');
    const second = await get(link.slice('https://prices.azure.com/api/retail/prices'.length));
    expect([first.body['Count'], second.body['Count'], second.body['NextPageLink']]).toEqual([
      3,
      1,
      null,
    ]);
    expect(new URL(link).searchParams.get('$skip')).toBe('3');
  });

  test('is empty for a region that is not there', async () => {
    const { body } = await prices()("?$filter=armRegionName eq 'nowhere'");
    expect([body['Items'], body['NextPageLink']]).toEqual([[], null]);
  });

  test('is that of the world when the sizes are', async () => {
    const regions = readRegions().filter(({ name }) => name === 'eastus');
    const handler = createRetailPrices({
      sizes: readSizes(regions),
      regions,
      spotPrice: () => undefined,
      url: () => 'https://prices.azure.com',
    });
    const { body } = await ask(handler, {
      method: 'GET',
      target: `/api/retail/prices?$filter=${encodeURIComponent("armSkuName eq 'Standard_D2s_v3'")}`,
    });
    expect(objectsAt(body, 'Items').map(({ retailPrice }) => retailPrice)).toEqual([0.096]);
  });
});

const item: JsonObject = {
  armRegionName: 'eastus',
  armSkuName: 'Standard_D2',
  type: 'Consumption',
};

test.each([
  ["armRegionName eq 'eastus'", true, true],
  ["armRegionName eq 'EastUS'", true, false],
  ["armRegionName eq 'EastUS'", false, true],
  ["armRegionName ne 'westus' and priceType eq 'Consumption'", true, true],
  ["armRegionName eq 'a' or (armSkuName eq 'b' or type eq 'Consumption')", true, true],
  ["armRegionName eq 'a' and armSkuName eq 'b' or type eq 'Consumption'", true, true],
  ["contains(armSkuName, 'D2')", true, true],
  ["startswith(armSkuName,'D2')", true, false],
  ["endswith(armSkuName, 'D2')", true, true],
  ["skuName eq 'it''s'", true, false],
  ['armRegionName eq eastus', true, undefined],
  ["armRegionName like 'eastus'", true, undefined],
  ["unknown eq 'x'", true, undefined],
  ["(armRegionName eq 'eastus'", true, undefined],
  ["armRegionName eq 'eastus' and", true, undefined],
  ["tolower(armSkuName) eq 'x'", true, undefined],
])('the filter %s with case %j is %j', (filter, hasCase, expected) => {
  expect(parsePriceFilter(filter, hasCase)?.(item)).toBe(expected);
});

test('any text is a filter or none', () => {
  const words = fc.constantFrom(
    'armRegionName',
    'eq',
    "'x'",
    'and',
    'or',
    '(',
    ')',
    ',',
    'contains',
    '&',
    'ne',
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 10 }), (parts) => {
      expect([true, false, undefined]).toContain(parsePriceFilter(parts.join(' '), true)?.(item));
    }),
  );
});

test.each([
  ['?$filter=nonsense', 400],
  ['?$skip=-1', 400],
  ["?currencyCode='EUR'", 400],
  ['/other', 404],
])('refuses %s', async (query, status) => {
  expect((await prices()(query)).status).toBe(status);
});
