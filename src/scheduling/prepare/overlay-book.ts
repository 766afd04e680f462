// Corrections of prices and resources, and instance types with them. In: a book made from NodeOverlays, the instance
// types of a NodePool as the cloud offers them. Out: the instance types to reckon with.
// 1. Only copies are corrected, and they keep everything else. What no overlay touches stays the very same object.
// 2. A pool that is not in the book has not been evaluated yet: its prices are not known, so it is not to be used.
import type { NodeOverlaySpec } from '../../api/node-overlay.ts';
import { createInstanceType, type InstanceType } from '../../model/instance-type.ts';
import type { Offering } from '../../model/offering.ts';
import { adjustedPrice } from '../../model/price-adjustment.ts';
import { toRequirementEntries } from '../../model/requirements.ts';
import type { Resources } from '../../model/resources.ts';

/** NodePool → instance type → its correction. */
export type OverlayBook = ReadonlyMap<string, ReadonlyMap<string, Correction>>;

export interface Correction {
  /** By `offeringKey`. */
  readonly prices: ReadonlyMap<string, PriceWords>;
  readonly capacity: Resources;
}

export type PriceWords = Pick<NodeOverlaySpec, 'price' | 'priceAdjustment'>;

/** What an offering is, apart from price and availability: the cloud makes new objects whenever it is asked. */
export function offeringKey({ requirements }: Offering): string {
  return JSON.stringify(toRequirementEntries(requirements));
}

export function applyOverlays(
  book: OverlayBook,
  nodePool: string,
  instanceTypes: readonly InstanceType[],
): readonly InstanceType[] | 'not-evaluated' {
  const corrections = book.get(nodePool);
  if (corrections === undefined) return 'not-evaluated';
  if (corrections.size === 0) return instanceTypes;
  return instanceTypes.map((type) => {
    const correction = corrections.get(type.name);
    return correction === undefined ? type : corrected(type, correction);
  });
}

function corrected(type: InstanceType, { prices, capacity }: Correction): InstanceType {
  const offerings = type.offerings.map((offering) => {
    const words = prices.size === 0 ? undefined : prices.get(offeringKey(offering));
    if (words === undefined) return offering;
    return { ...offering, price: adjustedPrice(offering.price, words), priceOverlaid: true };
  });
  const isUnchanged = offerings.every((offering, i) => offering === type.offerings[i]);
  if (isUnchanged && capacity.size === 0) return type;
  return createInstanceType({
    ...type,
    offerings,
    ...(capacity.size > 0 && {
      capacity: new Map([...type.capacity, ...capacity]),
      capacityOverlaid: true,
    }),
  });
}
