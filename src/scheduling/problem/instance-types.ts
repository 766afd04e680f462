// Instance types of a problem. In: the written form. Out: instance types as a provider hands them to the scheduler.
// Name, zones and capacity types become requirements where the file does not state them; only offerings that are
// available count for that, as with the Azure provider.
import { label } from '../../api/labels.ts';
import { createInstanceType, type InstanceType, noOverhead } from '../../model/instance-type.ts';
import type { LabelRules } from '../../model/label-rules.ts';
import { createOffering, type Offering } from '../../model/offering.ts';
import { createRequirement, oneOf, type Requirement } from '../../model/requirement.ts';
import { requirementsOf } from '../../model/requirements.ts';
import { fromResourceList } from '../../model/resources.ts';
import type { WrittenInstanceType, WrittenOffering } from './written-problem.ts';

export function readInstanceType(rules: LabelRules, written: WrittenInstanceType): InstanceType {
  const stated = (written.requirements ?? []).map((entry) => createRequirement(rules, entry));
  const keys = new Set(stated.map(({ key }) => key));
  const derived = derivedRequirements(written).filter(({ key }) => !keys.has(key));
  return createInstanceType({
    name: written.name,
    requirements: requirementsOf([...stated, ...derived]),
    offerings: written.offerings.map((offering) => readOffering(rules, offering)),
    capacity: fromResourceList(written.capacity),
    overhead: { ...noOverhead, kubeReserved: fromResourceList(written.overhead) },
  });
}

function derivedRequirements({ name, offerings }: WrittenInstanceType): Requirement[] {
  const available = offerings.filter((offering) => offering.available);
  return [
    oneOf(label.instanceType, [name]),
    oneOf(
      label.zone,
      available.map(({ zone }) => zone),
    ),
    oneOf(
      label.capacityType,
      available.map(({ capacityType }) => capacityType),
    ),
  ];
}

function readOffering(rules: LabelRules, written: WrittenOffering): Offering {
  const { zone, capacityType, price, available, requirements, reservationID } = written;
  return createOffering({
    zone,
    capacityType,
    price,
    available,
    others: (requirements ?? []).map((entry) => createRequirement(rules, entry)),
    ...(reservationID !== undefined && {
      reservation: { id: reservationID, capacity: written.reservationCapacity ?? 0 },
    }),
  });
}
