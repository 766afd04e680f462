// Azure's public price list for the VMs of one region. In: a way to fetch a page. Out: the hourly prices of Linux
// machines by size, on demand and spot.
// 1. Of several meters for one size the same one is taken whatever the order of the pages.
// 2. A list that breaks off is no list: the first page that fails fails the whole.
import { CodedError } from '../../base/errors.ts';

export interface RetailPriceItem {
  readonly armSkuName?: string;
  readonly skuName?: string;
  readonly productName?: string;
  readonly meterName?: string;
  readonly meterId?: string;
  readonly retailPrice?: number;
  readonly unitOfMeasure?: string;
  readonly type?: string;
  readonly effectiveStartDate?: string;
  readonly isPrimaryMeterRegion?: boolean;
}

export interface RetailPricePage {
  readonly Items?: readonly RetailPriceItem[];
  readonly NextPageLink?: string | null;
}

/** Fetches one page; anything but a complete answer is an error. */
export interface RetailPriceSource {
  page(url: string, signal: AbortSignal): Promise<RetailPricePage>;
}

export interface VmPrices {
  readonly onDemand: ReadonlyMap<string, number>;
  readonly spot: ReadonlyMap<string, number>;
}

const endpoint = 'https://prices.azure.com/api/retail/prices';
const apiVersion = '2023-01-01-preview';
/** A region has some hundred pages; a server that never ends its list must not keep us for ever. */
const mostPages = 5000;

export function retailPricesUrl(region: string): string {
  const conditions = [
    ['priceType', 'Consumption'],
    ['currencyCode', 'USD'],
    ['serviceFamily', 'Compute'],
    ['serviceName', 'Virtual Machines'],
    ['armRegionName', region],
  ];
  const filter = conditions.map(([field, value]) => `${field} eq '${value}'`).join(' and ');
  return `${endpoint}?api-version=${apiVersion}&$filter=${encodeURIComponent(filter)}`;
}

export async function fetchVmPrices(
  source: RetailPriceSource,
  region: string,
  signal: AbortSignal,
): Promise<VmPrices> {
  const meters = {
    onDemand: new Map<string, RetailPriceItem>(),
    spot: new Map<string, RetailPriceItem>(),
  };
  let url: string | undefined = retailPricesUrl(region);
  for (let pages = 0; url !== undefined; pages++) {
    if (pages === mostPages) {
      throw new CodedError('PriceListTooLong', 'price list does not end', {
        fields: { region, pages },
      });
    }
    const page: RetailPricePage = await source.page(url, signal);
    for (const item of page.Items ?? []) {
      if (isLinuxMachine(item)) keepBetter(isSpot(item) ? meters.spot : meters.onDemand, item);
    }
    const next: string | null | undefined = page.NextPageLink;
    url = next === null || next === '' ? undefined : next;
  }
  return { onDemand: pricesOf(meters.onDemand), spot: pricesOf(meters.spot) };
}

/** Low priority is sold to Batch only, cloud services are another product, reservations and tests have other prices. */
const foreignMeters: readonly ((item: RetailPriceItem) => boolean)[] = [
  ({ armSkuName = '' }) => armSkuName === '',
  ({ retailPrice = 0 }) => retailPrice <= 0,
  ({ productName = '' }) => /(?: Windows| Cloud ?Services)$/.test(productName),
  ({ meterName = '' }) => meterName.endsWith(' Low Priority'),
  ({ unitOfMeasure = '1 Hour' }) => unitOfMeasure !== '1 Hour',
  ({ type = 'Consumption' }) => type !== 'Consumption',
];

function isLinuxMachine(item: RetailPriceItem): boolean {
  return !foreignMeters.some((isForeign) => isForeign(item));
}

function isSpot({ skuName = '' }: RetailPriceItem): boolean {
  return skuName.endsWith(' Spot');
}

function keepBetter(meters: Map<string, RetailPriceItem>, item: RetailPriceItem): void {
  const name = item.armSkuName ?? '';
  const known = meters.get(name);
  if (known === undefined || isBetter(item, known)) meters.set(name, item);
}

/** The meter that is billed, then the newest, then the dearest: better to be surprised by a lower bill. */
function isBetter(a: RetailPriceItem, b: RetailPriceItem): boolean {
  const rank = (item: RetailPriceItem): readonly (number | string)[] => [
    item.isPrimaryMeterRegion === true ? 1 : 0,
    item.effectiveStartDate ?? '',
    item.retailPrice ?? 0,
    item.meterId ?? '',
  ];
  const [first, second] = [rank(a), rank(b)];
  const differing = first.findIndex((value, i) => value !== second[i]);
  return differing >= 0 && (first[differing] ?? 0) > (second[differing] ?? 0);
}

function pricesOf(meters: ReadonlyMap<string, RetailPriceItem>): Map<string, number> {
  return new Map([...meters].map(([name, { retailPrice = 0 }]) => [name, retailPrice]));
}
