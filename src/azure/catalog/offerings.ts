// How a size can be had: once on demand and once as spot in each of its zones and without a zone. In: a size and its
// quote. Out: offerings in a fixed order.
// Offerings of all sizes share their requirements: there are only a few dozen different ones in a region.
import { azureLabel, capacityType, label } from '../../api/labels.ts';
import type { Offering } from '../../model/offering.ts';
import { oneOf } from '../../model/requirement.ts';
import { type Requirements, requirementsOf } from '../../model/requirements.ts';
import { vmPriority } from './label-rules.ts';
import { type CapacityType, capacityTypes, isAvailable, type Quote } from './quote.ts';
import type { SizeZone, VmSize } from './vm-size.ts';
import { placementScopeOf } from './zones.ts';

export class OfferingFactory {
  readonly #requirements = new Map<string, Requirements>();

  create(size: VmSize, quote: Quote): Offering[] {
    return size.zones.flatMap((place, zoneIndex) =>
      capacityTypes.map((type, typeIndex) => ({
        zone: place.zone,
        capacityType: type,
        price: type === capacityType.spot ? quote.spotPrice : quote.onDemandPrice,
        available: isAvailable(quote, zoneIndex, typeIndex),
        requirements: this.#requirementsOf(place, type),
      })),
    );
  }

  #requirementsOf(place: SizeZone, type: CapacityType): Requirements {
    const key = `${place.zone} ${place.ultraSsd} ${type}`;
    let requirements = this.#requirements.get(key);
    if (requirements === undefined) {
      requirements = offeringRequirements(place, type);
      this.#requirements.set(key, requirements);
    }
    return requirements;
  }
}

function offeringRequirements({ zone, ultraSsd }: SizeZone, type: CapacityType): Requirements {
  const priority = type === capacityType.spot ? vmPriority.spot : vmPriority.regular;
  return requirementsOf([
    oneOf(label.zone, [zone]),
    oneOf(label.capacityType, [type]),
    oneOf(azureLabel.scaleSetPriority, [priority]),
    oneOf(azureLabel.priority, [priority]),
    oneOf(azureLabel.placementScope, [placementScopeOf(zone)]),
    oneOf(azureLabel.skuUltraSsd, ultraSsd ? ['true', 'false'] : ['false']),
  ]);
}
