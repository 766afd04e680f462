// A VM size that nodes can be made of. In: a row of the Resource SKUs list and the region. Out: what the catalogue
// needs of it, read once, or the reason why AKS nodes cannot have it.
// Nothing here depends on a node class, on prices or on what is available right now.
import { ephemeralDiskOf, type EphemeralDisk } from './ephemeral-disk.ts';
import { type GpuSupport, gpuSupportOf } from './gpu-registry.ts';
import { type Exclusion, exclusionOf, type SizeRow } from './size-exclusion.ts';
import { parseSizeName, type SizeName } from './size-name.ts';
import {
  type Capabilities,
  capabilitiesOf,
  isCapable,
  numberOf,
  type SkuRecord,
  zonesCapableOf,
  zonesOf,
} from './sku-record.ts';
import { regionalZone, zoneLabel } from './zones.ts';

export interface VmSize {
  /** `Standard_D4s_v5` */
  readonly name: string;
  readonly parts: SizeName;
  /** The key of its quota; absent in answers that are not to be trusted. */
  readonly family: string | undefined;
  readonly vcpus: number;
  readonly memoryGiB: number;
  /** As Kubernetes names it. */
  readonly architecture: string;
  readonly generations: readonly ('1' | '2')[];
  /** Zero unless AKS can run them. */
  readonly gpus: number;
  readonly gpu: GpuSupport | undefined;
  readonly premiumStorage: boolean;
  readonly acceleratedNetworking: boolean;
  readonly encryptionAtHost: boolean;
  readonly trustedLaunch: boolean;
  /** False is also how Azure says that a region has no spot capacity of the size left. */
  readonly spotCapable: boolean;
  readonly ephemeralDisk: EphemeralDisk | undefined;
  /** By label, in order; the regional placement comes last and is always there. */
  readonly zones: readonly SizeZone[];
}

export interface SizeZone {
  readonly zone: string;
  readonly ultraSsd: boolean;
}

const architectures = new Map([
  ['x64', 'amd64'],
  ['Arm64', 'arm64'],
]);

export function readVmSize(
  record: SkuRecord,
  region: string,
): { readonly size: VmSize } | { readonly excluded: Exclusion } {
  const { name = '', size = name.slice(name.indexOf('_') + 1) } = record;
  const capabilities = capabilitiesOf(record.capabilities);
  const row = { record, region, name, parts: parseSizeName(size), capabilities };
  const excluded = exclusionOf(row);
  if (excluded !== undefined || row.parts === undefined) {
    return { excluded: excluded ?? 'unknown name' };
  }
  return { size: toVmSize({ ...row, parts: row.parts }) };
}

function toVmSize(row: SizeRow & { readonly parts: SizeName }): VmSize {
  const { record, region, name, parts, capabilities } = row;
  const processor = capabilities.get('cpuarchitecturetype') ?? '';
  const gpu = gpuSupportOf(name);
  const generations = generationsOf(capabilities);
  return {
    name,
    parts,
    family: record.family === '' ? undefined : record.family,
    vcpus: numberOf(capabilities, 'vCPUs') ?? 0,
    memoryGiB: numberOf(capabilities, 'MemoryGB') ?? 0,
    architecture: architectures.get(processor) ?? processor,
    generations,
    gpus: gpu === undefined ? 0 : (numberOf(capabilities, 'GPUs') ?? 0),
    gpu,
    premiumStorage: isCapable(capabilities, 'PremiumIO'),
    acceleratedNetworking: isCapable(capabilities, 'AcceleratedNetworkingEnabled'),
    encryptionAtHost: isCapable(capabilities, 'EncryptionAtHostSupported'),
    trustedLaunch: generations.includes('2') && !isCapable(capabilities, 'TrustedLaunchDisabled'),
    spotCapable: isCapable(capabilities, 'LowPriorityCapable'),
    ephemeralDisk: ephemeralDiskOf(capabilities),
    zones: sizeZones(record, region, isCapable(capabilities, ultraSsd)),
  };
}

const ultraSsd = 'UltraSSDAvailable';

function sizeZones(record: SkuRecord, region: string, regionalUltraSsd: boolean): SizeZone[] {
  const withUltraSsd = zonesCapableOf(record, region, ultraSsd);
  return [
    ...zonesOf(record, region).map((zone) => ({
      zone: zoneLabel(region, zone),
      ultraSsd: withUltraSsd.has(zone),
    })),
    { zone: regionalZone, ultraSsd: regionalUltraSsd },
  ];
}

function generationsOf(capabilities: Capabilities): ('1' | '2')[] {
  const text = capabilities.get('hypervgenerations') ?? '';
  return (['1', '2'] as const).filter((generation) => text.includes(`V${generation}`));
}
