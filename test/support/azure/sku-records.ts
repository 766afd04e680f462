// Facts about sizes in the words of the Resource SKUs API, so that the catalogue can be tried on every size there is.
import type { SkuRecord } from '../../../src/azure/catalog/sku-record.ts';
import type { SizeFacts } from '../../../src/emulator/azure/facts.ts';

export function skuRecordOf(size: SizeFacts, region: string): SkuRecord {
  const zones = size.placements[region]?.zones ?? [];
  const capabilities: Readonly<Record<string, string | number | boolean | undefined>> = {
    vCPUs: size.vCpus,
    MemoryGB: size.memoryGiB,
    GPUs: size.gpus,
    CpuArchitectureType: size.architecture,
    HyperVGenerations: size.hyperVGenerations.join(),
    MaxDataDiskCount: size.maxDataDisks,
    MaxNetworkInterfaces: size.maxNics,
    MaxResourceVolumeMB: size.tempDiskMiB ?? 0,
    NvmeDiskSizeInMiB: size.nvmeDiskMiB,
    CachedDiskBytes: size.cacheDiskBytes,
    PremiumIO: size.premiumStorage,
    AcceleratedNetworkingEnabled: size.acceleratedNetworking,
    EphemeralOSDiskSupported: size.ephemeralOsDisk,
    SupportedEphemeralOSDiskPlacements: size.ephemeralPlacements?.join(),
    EncryptionAtHostSupported: size.encryptionAtHost,
    LowPriorityCapable: size.spotCapable,
    TrustedLaunchDisabled: size.trustedLaunchDisabled === true ? true : undefined,
  };
  return {
    name: size.name,
    size: size.name.slice(size.name.indexOf('_') + 1),
    family: size.family,
    resourceType: 'virtualMachines',
    capabilities: Object.entries(capabilities)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ({ name, value: worded(value) })),
    locationInfo: [{ location: region, zones }],
    restrictions: [],
  };
}

function worded(value: string | number | boolean | undefined): string {
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value);
}
