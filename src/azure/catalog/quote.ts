// What a size costs and where it can be had, at one moment. In: a size and everything that moves. Out: a small value, so
// that a thousand sizes can be compared with what they were before without building anything.
import { capacityType } from '../../api/labels.ts';
import type { LearntAmounts, LearntCapacity } from './learnt-capacity.ts';
import { type PriceBook, unknownPrice } from './price-book.ts';
import { isKnownSize } from './price-fallback.ts';
import type { QuotaBook } from './quota.ts';
import type { UnavailableOfferings } from './unavailable-offerings.ts';
import type { VmSize } from './vm-size.ts';

export type CapacityType = typeof capacityType.onDemand | typeof capacityType.spot;

export const capacityTypes: readonly CapacityType[] = [capacityType.onDemand, capacityType.spot];

export interface Quote {
  readonly onDemandPrice: number;
  readonly spotPrice: number;
  /** One bit per zone and capacity type, in the order of the size's zones. */
  readonly available: number;
  readonly learnt: LearntAmounts | undefined;
}

export interface Market {
  readonly prices: PriceBook;
  readonly quota: QuotaBook;
  readonly unavailable: UnavailableOfferings;
  readonly learnt: LearntCapacity;
}

export function quoteOf(size: VmSize, market: Market, maxPods: number): Quote {
  const { prices, learnt } = market;
  const known = isKnownSize(size.name);
  return {
    // A size that is new to us must not win by its price.
    onDemandPrice: known ? prices.onDemand(size.name) : unknownPrice,
    spotPrice: known ? prices.spot(size.name) : unknownPrice,
    available: availableBits(size, market),
    learnt: learnt.of(size.name, maxPods),
  };
}

export function isSameQuote(a: Quote, b: Quote): boolean {
  return (
    a.available === b.available &&
    a.onDemandPrice === b.onDemandPrice &&
    a.spotPrice === b.spotPrice &&
    a.learnt === b.learnt
  );
}

export function isAvailable(quote: Quote, zoneIndex: number, typeIndex: number): boolean {
  return (quote.available & (1 << (zoneIndex * capacityTypes.length + typeIndex))) !== 0;
}

function availableBits(size: VmSize, { quota, unavailable }: Market): number {
  let bits = 0;
  for (const [typeIndex, type] of capacityTypes.entries()) {
    const sold = type === capacityType.onDemand || size.spotCapable;
    if (!sold || !quota.hasRoom(size, type)) continue;
    for (const [zoneIndex, { zone }] of size.zones.entries()) {
      if (unavailable.isUnavailable(size, zone, type)) continue;
      bits |= 1 << (zoneIndex * capacityTypes.length + typeIndex);
    }
  }
  return bits;
}
