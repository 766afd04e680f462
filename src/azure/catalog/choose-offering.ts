// Which machine a claim gets. In: instance types, what the claim asks for. Out: one type and one offering of it, or
// undefined when nothing that is available suits.
// The cheapest wins; at equal prices spot before on demand, then a zone before none, then the name of the type. Zones that
// tie are drawn by lot, so that machines spread over them.
import { azureLabel, capacityType } from '../../api/labels.ts';
import { type Random, shuffled } from '../../base/random.ts';
import { isCompatible } from '../../model/compatibility.ts';
import type { InstanceType } from '../../model/instance-type.ts';
import { hasSuitableOffering, type Offering, suitableOfferings } from '../../model/offering.ts';
import { allows } from '../../model/requirement.ts';
import { requirementOn, type Requirements } from '../../model/requirements.ts';
import { fits, type Resources } from '../../model/resources.ts';
import { azureLabelRules } from './label-rules.ts';
import { regionalZone } from './zones.ts';

export interface LaunchChoice {
  readonly instanceType: InstanceType;
  readonly offering: Offering;
}

/** A claim says nothing about the generation of the hypervisor: users may not. */
const mayStayOpen = azureLabelRules.wellKnown.union(new Set([azureLabel.skuHyperVGeneration]));

/** Types that a claim could run on, with at least one way to have them right now. */
export function launchCandidates(claim: {
  readonly instanceTypes: readonly InstanceType[];
  readonly requirements: Requirements;
  readonly requests: Resources;
}): InstanceType[] {
  const { instanceTypes, requirements, requests } = claim;
  return instanceTypes.filter(
    (type) =>
      isCompatible(requirements, type.requirements, mayStayOpen) &&
      hasSuitableOffering(azureLabelRules, type.offerings, requirements) &&
      fits(requests, type.allocatable),
  );
}

export function chooseOffering(claim: {
  readonly instanceTypes: readonly InstanceType[];
  readonly requirements: Requirements;
  readonly random: Random;
}): LaunchChoice | undefined {
  const { instanceTypes, requirements, random } = claim;
  const bestOfEach = instanceTypes.flatMap((instanceType) => {
    const suitable = suitableOfferings(azureLabelRules, instanceType.offerings, requirements);
    const [offering] = shuffled(random, suitable).toSorted(compareOfferings);
    return offering === undefined ? [] : [{ instanceType, offering }];
  });
  return bestOfEach.toSorted(
    (a, b) =>
      compareOfferings(a.offering, b.offering) ||
      (a.instanceType.name < b.instanceType.name ? -1 : 1),
  )[0];
}

/** Only for a claim that insists: one that would also do without gets a machine without. */
export function wantsUltraSsd(requirements: Requirements): boolean {
  const ultraSsd = requirementOn(requirements, azureLabel.skuUltraSsd);
  return allows(ultraSsd, 'true') && !allows(ultraSsd, 'false');
}

function compareOfferings(a: Offering, b: Offering): number {
  return (
    a.price - b.price ||
    Number(b.capacityType === capacityType.spot) - Number(a.capacityType === capacityType.spot) ||
    Number(a.zone === regionalZone) - Number(b.zone === regionalZone)
  );
}
