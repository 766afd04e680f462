import { describe, expect, test } from 'vitest';
import { hasPriceList, PriceBook, unknownPrice } from './price-book.ts';
import { fallbackPrices, fallbackPricesAsOf, isKnownSize } from './price-fallback.ts';
import type { RetailPriceItem } from './retail-prices.ts';

const { signal } = new AbortController();
const d4 = 'Standard_D4s_v5';

const item = (armSkuName: string, retailPrice: number, spot = false): RetailPriceItem => ({
  armSkuName,
  retailPrice,
  skuName: spot ? 'x Spot' : 'x',
});

function bookOf(...answers: readonly (readonly RetailPriceItem[] | Error)[]): PriceBook {
  const left = [...answers];
  return new PriceBook({
    region: 'westeurope',
    source: {
      page() {
        const next = left.shift();
        return next instanceof Error
          ? Promise.reject(next)
          : Promise.resolve({ Items: next ?? [] });
      },
    },
  });
}

const seen = (book: PriceBook, name = d4) => [book.onDemand(name), book.spot(name)];

describe('the prices that come with the product', () => {
  test('are those of the region', () => {
    expect([
      fallbackPrices('eastus').get(d4),
      fallbackPrices('westeurope').get(d4),
      fallbackPrices('WestEurope').get(d4),
    ]).toEqual([0.192, 0.23, 0.23]);
  });

  test('are those of eastus for a region that they do not have', () => {
    expect(fallbackPrices('chinaeast2')).toEqual(fallbackPrices('eastus'));
  });

  test('are sane in every region', () => {
    for (const region of ['eastus', 'westeurope', 'brazilsouth', 'westindia']) {
      const prices = [...fallbackPrices(region).values()];
      expect(prices.length).toBeGreaterThan(300);
      expect(prices.every((price) => price > 0 && price < 500)).toBe(true);
    }
  });

  test('are of a day', () => {
    expect(fallbackPricesAsOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  test('tell established sizes from new ones', () => {
    expect([d4, 'Standard_D248ds_v7', 'Standard_Z1'].map(isKnownSize)).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('the price of a size', () => {
  test('is the bundled one before the list was read, for spot as well', () => {
    expect(seen(bookOf())).toEqual([0.23, 0.23]);
  });

  test('is the bundled one when the list cannot be read', async () => {
    const book = bookOf(new Error('status 500'));
    await expect(book.refresh(signal)).rejects.toThrow('status 500');
    expect([...seen(book), book.generation]).toEqual([0.23, 0.23, 0]);
  });

  test('is that of the list once it was read', async () => {
    const book = bookOf([item(d4, 0.25), item(d4, 0.05, true)]);
    await book.refresh(signal);
    expect([...seen(book), book.generation]).toEqual([0.25, 0.05, 1]);
  });

  test.each([
    ['on demand', [item(d4, 0.25)], [0.25, 0.25]],
    ['for spot', [item(d4, 0.05, true)], [0.23, 0.05]],
    ['not at all by an empty list', [], [0.23, 0.23]],
  ])('is replaced %s', async (_, answer, expected) => {
    const book = bookOf(answer);
    await book.refresh(signal);
    expect(seen(book)).toEqual(expected);
  });

  test('stays when a later list fails or is empty', async () => {
    const book = bookOf([item(d4, 0.25), item(d4, 0.05, true)], new Error('x'), []);
    await book.refresh(signal);
    await expect(book.refresh(signal)).rejects.toThrow('x');
    await book.refresh(signal);
    expect([...seen(book), book.generation]).toEqual([0.25, 0.05, 1]);
  });

  test('is higher than any other when nobody knows it', async () => {
    const book = bookOf([item(d4, 0.25), item(d4, 0.05, true), item('Standard_D8s_v5', 0.5)]);
    await book.refresh(signal);
    expect([seen(book, 'Standard_Z1'), seen(book, 'Standard_D8s_v5')]).toEqual([
      [unknownPrice, unknownPrice],
      [0.5, unknownPrice],
    ]);
  });

  test('moves the generation only when one differs', async () => {
    const list = [item(d4, 0.25), item(d4, 0.05, true)];
    const book = bookOf(
      list,
      list,
      [item(d4, 0.26), item(d4, 0.05, true)],
      [item(d4, 0.26), item('a', 1)],
    );
    const generations: number[] = [];
    for (let i = 0; i < 4; i++) {
      await book.refresh(signal);
      generations.push(book.generation);
    }
    expect(generations).toEqual([1, 1, 2, 3]);
  });

  test('stays the bundled one in a cloud without a price list', async () => {
    const book = new PriceBook({ region: 'usgovvirginia' });
    await book.refresh(signal);
    expect(seen(book)).toEqual([0.192, 0.192]);
  });
});

describe('a price list', () => {
  test.each([
    ['https://management.azure.com', true],
    ['https://MANAGEMENT.azure.com/', true],
    ['https://management.chinacloudapi.cn', false],
    ['https://management.usgovcloudapi.net', false],
  ])('at %s: %s', (endpoint, has) => {
    expect(hasPriceList(endpoint)).toBe(has);
  });
});
