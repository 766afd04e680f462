// A kind of machine: what it is, what it has, how it can be had. In: the parts a provider knows. Out: the same with
// what pods can use of it, computed once, and lists of them by price.
// 1. What pods can use is the capacity less what the system keeps; memory set aside as huge pages is no memory.
// 2. Offerings with amounts of their own form groups with allocatable amounts of their own; the group without any
//    comes first, even when it has no offering.
import type { LabelRules } from './label-rules.ts';
import { cheapestPrice, type Offering } from './offering.ts';
import type { Requirements } from './requirements.ts';
import {
  describeResources,
  mergeResources,
  noResources,
  resourceName,
  type Resources,
  subtractResources,
} from './resources.ts';

export interface Overhead {
  readonly kubeReserved: Resources;
  readonly systemReserved: Resources;
  readonly evictionThreshold: Resources;
}

export interface AllocatableGroup {
  readonly allocatable: Resources;
  /** Only those that are available. */
  readonly offerings: readonly Offering[];
}

export interface InstanceTypeParts {
  readonly name: string;
  /** Says something about every well-known label, if only that it does not exist. */
  readonly requirements: Requirements;
  readonly offerings: readonly Offering[];
  readonly capacity: Resources;
  readonly overhead: Overhead;
  /** The capacity was changed by a NodeOverlay. */
  readonly capacityOverlaid?: boolean;
}

export interface InstanceType extends InstanceTypeParts {
  readonly allocatable: Resources;
  readonly allocatableGroups: readonly AllocatableGroup[];
}

export const noOverhead: Overhead = {
  kubeReserved: noResources,
  systemReserved: noResources,
  evictionThreshold: noResources,
};

export function createInstanceType(parts: InstanceTypeParts): InstanceType {
  const { capacity, overhead } = parts;
  const reserved = mergeResources(
    overhead.kubeReserved,
    overhead.systemReserved,
    overhead.evictionThreshold,
  );
  const allocatable = allocatableOf(capacity, reserved);
  const groups = new Map<string, Offering[]>([['', []]]);
  for (const offering of parts.offerings) {
    if (!offering.available) continue;
    const key = overrideKey(offering);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [offering]);
    else group.push(offering);
  }
  const allocatableGroups = [...groups].map(([key, offerings]) => {
    if (key === '') return { allocatable, offerings };
    const { capacityOverride = noResources, overheadOverride = noResources } = offerings[0] ?? {};
    return {
      allocatable: allocatableOf(
        new Map([...capacity, ...capacityOverride]),
        new Map([...reserved, ...overheadOverride]),
      ),
      offerings,
    };
  });
  return { ...parts, allocatable, allocatableGroups };
}

/** Cheapest suitable offering first; equal prices by name, types without a suitable offering last. */
export function orderByPrice(
  rules: LabelRules,
  instanceTypes: readonly InstanceType[],
  requirements: Requirements,
): InstanceType[] {
  return instanceTypes
    .map((type) => ({ type, price: cheapestPrice(rules, type.offerings, requirements) }))
    .toSorted((a, b) => compare(a.price, b.price) || compare(a.type.name, b.type.name))
    .map(({ type }) => type);
}

function allocatableOf(capacity: Resources, reserved: Resources): Resources {
  const allocatable = new Map(subtractResources(capacity, reserved));
  for (const [name, nano] of capacity) {
    if (!name.startsWith(resourceName.hugePagesPrefix)) continue;
    const memory = (allocatable.get(resourceName.memory) ?? 0n) - nano;
    allocatable.set(resourceName.memory, memory < 0n ? 0n : memory);
  }
  return allocatable;
}

function overrideKey({ capacityOverride, overheadOverride }: Offering): string {
  if (capacityOverride === undefined && overheadOverride === undefined) return '';
  return [capacityOverride, overheadOverride]
    .map((override) => describeResources(override ?? noResources))
    .join();
}

function compare<T extends number | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
