// Where, how and for how much an instance type can be had. In: zone, capacity type, price. Out: offerings, those
// that suit a set of requirements, and what they cost.
// An offering is part of the catalogue whether it is available right now or not: running nodes are priced by it.
import { capacityType, label } from '../api/labels.ts';
import { isCompatible } from './compatibility.ts';
import type { LabelRules } from './label-rules.ts';
import { oneOf, type Requirement } from './requirement.ts';
import { type Requirements, requirementsOf } from './requirements.ts';
import type { Resources } from './resources.ts';

export interface Offering {
  readonly zone: string;
  readonly capacityType: string;
  /** Per hour, in the currency of the catalogue. */
  readonly price: number;
  readonly available: boolean;
  /** Zone and capacity type as requirements, and whatever else distinguishes it. */
  readonly requirements: Requirements;
  /** Capacity bought in advance: how many machines may still use it. */
  readonly reservation?: { readonly id: string; readonly capacity: number };
  /** Amounts that differ from those of the instance type, when bought this way. */
  readonly capacityOverride?: Resources;
  readonly overheadOverride?: Resources;
  /** The price was set or changed by a NodeOverlay. */
  readonly priceOverlaid?: boolean;
}

export type OfferingParts = Omit<Offering, 'requirements'> & {
  /** Requirements besides zone and capacity type. */
  readonly others?: readonly Requirement[];
};

export function createOffering({ others = [], ...parts }: OfferingParts): Offering {
  const requirements = requirementsOf([
    oneOf(label.zone, [parts.zone]),
    oneOf(label.capacityType, [parts.capacityType]),
    ...others,
  ]);
  return { ...parts, requirements };
}

/** Available, and acceptable to these requirements; well-known labels may stay open. */
export function suitableOfferings(
  rules: LabelRules,
  offerings: readonly Offering[],
  requirements: Requirements,
): Offering[] {
  return offerings.filter((offering) => isSuitable(rules, offering, requirements));
}

export function hasSuitableOffering(
  rules: LabelRules,
  offerings: readonly Offering[],
  requirements: Requirements,
): boolean {
  return offerings.some((offering) => isSuitable(rules, offering, requirements));
}

/** The cheapest suitable price, or Infinity. */
export function cheapestPrice(
  rules: LabelRules,
  offerings: readonly Offering[],
  requirements: Requirements,
): number {
  let cheapest = Infinity;
  for (const offering of offerings) {
    // The price first: it is a comparison, the rest is not.
    if (offering.price < cheapest && isSuitable(rules, offering, requirements)) {
      cheapest = offering.price;
    }
  }
  return cheapest;
}

/**
 * What a launch can cost at worst, or Infinity. A launch uses the first capacity type that is to be had, so the
 * dearest offering of that type counts.
 */
export function worstLaunchPrice(
  rules: LabelRules,
  offerings: readonly Offering[],
  requirements: Requirements,
): number {
  const suitable = suitableOfferings(rules, offerings, requirements);
  for (const type of [capacityType.reserved, capacityType.spot, capacityType.onDemand]) {
    const prices = suitable
      .filter((offering) => offering.capacityType === type)
      .map(({ price }) => price);
    if (prices.length > 0) return Math.max(...prices);
  }
  return Infinity;
}

/** What a node in this zone and of this capacity type costs, available or not; undefined if nobody knows. */
export function offeringPrice(
  offerings: readonly Offering[],
  node: { readonly zone: string; readonly capacityType: string },
): number | undefined {
  const price = offerings.find(
    (offering) => offering.zone === node.zone && offering.capacityType === node.capacityType,
  )?.price;
  return price === undefined || Number.isNaN(price) ? undefined : price;
}

function isSuitable(rules: LabelRules, offering: Offering, requirements: Requirements): boolean {
  return offering.available && isCompatible(requirements, offering.requirements, rules.wellKnown);
}
