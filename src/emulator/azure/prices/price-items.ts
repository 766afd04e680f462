// The price list: one item for each meter of each size in each region. In: sizes with their prices, and the spot market. Out:
// items as the public price API writes them. A size without a known price has no meter.
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../kube/json.ts';
import type { RegionFacts, SizeFacts } from '../facts.ts';

export interface PriceSource {
  readonly sizes: readonly SizeFacts[];
  readonly regions: readonly RegionFacts[];
  /** US dollars an hour. */
  spotPrice(size: string, region: string): number | undefined;
}

/** Where a price has held since; the API shows a date with every meter. */
const since = '2026-01-01T00:00:00Z';
const serviceId = 'DZH313Z7MMC8';

export function priceItems(source: PriceSource): JsonObject[] {
  return source.regions.flatMap((region) =>
    source.sizes.flatMap((size) => itemsOf(source, size, region)),
  );
}

function itemsOf(source: PriceSource, size: SizeFacts, region: RegionFacts): JsonObject[] {
  const price = size.pricePerHour?.[region.name];
  if (price === undefined) return [];
  const spot = size.spotCapable === true ? source.spotPrice(size.name, region.name) : undefined;
  return [
    item(size, region, { price, suffix: '' }),
    ...(spot === undefined ? [] : [item(size, region, { price: rounded(spot), suffix: ' Spot' })]),
  ];
}

/** The API has six digits. */
function rounded(price: number): number {
  return Math.round(price * 1e6) / 1e6;
}

function item(
  size: SizeFacts,
  region: RegionFacts,
  meter: { readonly price: number; readonly suffix: string },
): JsonObject {
  const sold = size.name.replace(/^Standard_/, '').replaceAll('_', ' ');
  const name = `${sold}${meter.suffix}`;
  const digest = digestOf(`${region.name} ${name}`);
  const productId = digestOf(size.family).slice(0, 12).toUpperCase();
  return {
    currencyCode: 'USD',
    tierMinimumUnits: 0,
    retailPrice: meter.price,
    unitPrice: meter.price,
    armRegionName: region.name,
    location: region.displayName,
    effectiveStartDate: since,
    meterId: uuidOf(digest),
    meterName: name,
    productId,
    skuId: `${productId}/${digest.slice(0, 4).toUpperCase()}`,
    productName: productOf(size),
    skuName: name,
    serviceName: 'Virtual Machines',
    serviceId,
    serviceFamily: 'Compute',
    unitOfMeasure: '1 Hour',
    type: 'Consumption',
    isPrimaryMeterRegion: true,
    armSkuName: size.name,
  };
}

/** `standardDSv3Family` → `Virtual Machines DSv3 Series` */
function productOf({ family }: SizeFacts): string {
  const [, series = family] = /^standard_?(.*?)Family$/i.exec(family) ?? [];
  return `Virtual Machines ${series} Series`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The same meter has the same id in every world. */
function uuidOf(digest: string): string {
  const parts = [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ] as const;
  return parts.map(([from, to]) => digest.slice(from, to)).join('-');
}
