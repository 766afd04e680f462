// The labels that a node of a size will or may have. In: a size, the class, its offerings. Out: a requirement for every
// well-known label, if only that it does not exist.
// Zone, capacity type, scope and ultra disks are those of the offerings that are available right now. What only the size
// or only the class decides is made once and shared: that is most of it, and it never changes.
import { azureLabel, label } from '../../api/labels.ts';
import type { Offering } from '../../model/offering.ts';
import { createRequirement, oneOf, type Requirement } from '../../model/requirement.ts';
import { requirementOn, type Requirements } from '../../model/requirements.ts';
import type { ClassParameters } from './class-parameters.ts';
import { azureLabelRules, nodeMode, vmPriority } from './label-rules.ts';
import type { VmSize } from './vm-size.ts';

type Entries = readonly (readonly [string, Requirement])[];

export class RequirementFactory {
  readonly #place: { readonly region: string; readonly clusterLabel: string };
  readonly #ofSizes = new WeakMap<VmSize, Entries>();
  readonly #ofClasses = new WeakMap<ClassParameters, Entries>();
  readonly #offered = new Map<string, Requirement>();

  /** `clusterLabel`: the node resource group, as the cluster label has it. */
  constructor(place: { readonly region: string; readonly clusterLabel: string }) {
    this.#place = place;
  }

  create(size: VmSize, parameters: ClassParameters, offerings: readonly Offering[]): Requirements {
    const requirements = new Map([
      ...remembered(this.#ofSizes, size, ofSize),
      ...remembered(this.#ofClasses, parameters, (it) => ofClass(it, this.#place)),
    ]);
    for (const key of offeredLabels) requirements.set(key, this.#offeredOf(key, offerings));
    return requirements;
  }

  #offeredOf(key: string, offerings: readonly Offering[]): Requirement {
    const values = new Set<string>();
    for (const { available, requirements } of offerings) {
      if (!available) continue;
      for (const value of requirementOn(requirements, key).values) values.add(value);
    }
    const text = `${key} ${[...values].join()}`;
    let requirement = this.#offered.get(text);
    if (requirement === undefined) {
      requirement = anyOf(key, [...values]);
      this.#offered.set(text, requirement);
    }
    return requirement;
  }
}

const offeredLabels = [
  label.zone,
  label.capacityType,
  azureLabel.placementScope,
  azureLabel.skuUltraSsd,
];

function ofSize(size: VmSize): readonly Requirement[] {
  const { parts } = size;
  const cpu = String(size.vcpus);
  const memoryMiB = String(Math.trunc(size.memoryGiB * 1024));
  return [
    oneOf(label.instanceType, [size.name]),
    oneOf(label.arch, [size.architecture]),
    oneOf(azureLabel.skuName, [size.name]),
    oneOf(azureLabel.skuFamily, [parts.family]),
    oneOf(azureLabel.skuSeries, [parts.series]),
    oneOf(azureLabel.skuVersion, [parts.version]),
    oneOf(azureLabel.skuCpu, [cpu]),
    oneOf(azureLabel.aksSkuCpu, [cpu]),
    oneOf(azureLabel.skuMemory, [memoryMiB]),
    oneOf(azureLabel.aksSkuMemory, [memoryMiB]),
    oneOf(azureLabel.skuAcceleratedNetworking, [String(size.acceleratedNetworking)]),
    oneOf(azureLabel.skuPremiumStorage, [String(size.premiumStorage)]),
    ifAny(azureLabel.skuEphemeralOsMaxSize, size.ephemeralDisk?.maxSizeGb),
    anyOf(azureLabel.skuHyperVGeneration, size.generations),
    oneOf(azureLabel.skuGpuCount, [String(size.gpus)]),
    ifAny(azureLabel.skuGpuManufacturer, size.gpu?.vendor),
    ifAny(azureLabel.skuGpuName, size.gpu === undefined ? undefined : parts.accelerator),
  ];
}

function ofClass(
  { imageFamily, fips }: ClassParameters,
  { region, clusterLabel }: { readonly region: string; readonly clusterLabel: string },
): readonly Requirement[] {
  return [
    oneOf(label.os, ['linux']),
    oneOf(label.region, [region]),
    oneOf(azureLabel.cluster, [clusterLabel]),
    oneOf(azureLabel.mode, Object.values(nodeMode)),
    oneOf(azureLabel.scaleSetPriority, Object.values(vmPriority)),
    oneOf(azureLabel.priority, Object.values(vmPriority)),
    oneOf(azureLabel.osSku, [osSkuOf(imageFamily)]),
    ifAny(azureLabel.fipsEnabled, fips ? 'true' : undefined),
  ];
}

function osSkuOf(imageFamily: string): string {
  return imageFamily === '' || imageFamily.startsWith('Ubuntu') ? 'Ubuntu' : imageFamily;
}

function ifAny(key: string, value: string | number | undefined): Requirement {
  return anyOf(key, value === undefined ? [] : [String(value)]);
}

/** A label without any value is a label that nodes of the type do not have. */
function anyOf(key: string, values: readonly string[]): Requirement {
  if (values.length > 0) return oneOf(key, values);
  return createRequirement(azureLabelRules, { key, operator: 'DoesNotExist' });
}

function remembered<K extends object>(
  known: WeakMap<K, Entries>,
  key: K,
  make: (key: K) => readonly Requirement[],
): Entries {
  let entries = known.get(key);
  if (entries === undefined) {
    entries = make(key).map((requirement) => [requirement.key, requirement]);
    known.set(key, entries);
  }
  return entries;
}
