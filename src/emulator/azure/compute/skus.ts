// The catalogue of what can be bought, as the Resource SKUs API tells it. In: facts, and a filter by location. Out:
// one entry for each size and region, with capabilities as text, zones, and what the subscription may not have.
import type { Json } from '../../../api/meta.ts';
import type { ArmCall, ResourceType } from '../arm/arm-call.ts';
import { pageReply } from '../arm/paging.ts';
import type { AzureEnvironment } from '../environment.ts';
import { ArmError } from '../errors.ts';
import type { SizeFacts, SizePlacement } from '../facts.ts';
import { normalLocation } from '../regions.ts';
import type { SizeCatalog } from './size-catalog.ts';

/** The real service answers a whole region in one page. */
const pageSize = 5000;

export function resourceSkus(env: AzureEnvironment, catalog: SizeCatalog): ResourceType {
  return {
    type: 'Microsoft.Compute/skus',
    open: ['list'],
    list: (call) => {
      const wanted = locationFilter(call);
      const regions = env.regions.names.filter((name) => wanted === undefined || name === wanted);
      const items = regions.flatMap((region) =>
        catalog.offeredIn(region).map((size) => ({
          key: `${region}/${size.name}`,
          json: sku(size, region, size.placements[region] as SizePlacement),
        })),
      );
      return pageReply(call, items, pageSize);
    },
  };
}

function locationFilter(call: ArmCall): string | undefined {
  const text = call.query.get('$filter') ?? '';
  if (text === '') return undefined;
  const location = /^\s*location eq '([^']*)'\s*$/i.exec(text)?.[1];
  if (location !== undefined) return normalLocation(location);
  throw new ArmError(
    400,
    'InvalidParameter',
    `The filter '${text}' is not supported. Only a filter on location is: location eq '<region>'.`,
  );
}

function sku(size: SizeFacts, region: string, placement: SizePlacement): Json {
  const [tier = 'Standard', ...rest] = size.name.split('_');
  return {
    resourceType: 'virtualMachines',
    name: size.name,
    tier,
    size: rest.join('_'),
    family: size.family,
    locations: [region],
    locationInfo: [
      {
        location: region,
        zones: [...placement.zones],
        zoneDetails: zoneDetails(placement),
      },
    ],
    capabilities: capabilities(size, placement),
    restrictions: restrictions(region, placement),
  };
}

function zoneDetails({ ultraSsdZones = [] }: SizePlacement): Json {
  if (ultraSsdZones.length === 0) return [];
  const ultra = { name: 'UltraSSDAvailable', value: 'True' };
  return [{ name: [...ultraSsdZones], capabilities: [ultra] }];
}

function restrictions(region: string, { restricted }: SizePlacement): Json {
  if (restricted === undefined) return [];
  const reasonCode = 'NotAvailableForSubscription';
  if (restricted === true) {
    const restrictionInfo = { locations: [region] };
    return [{ type: 'Location', values: [region], restrictionInfo, reasonCode }];
  }
  const restrictionInfo = { locations: [region], zones: [...restricted] };
  return [{ type: 'Zone', values: [region], restrictionInfo, reasonCode }];
}

function capabilities(size: SizeFacts, placement: SizePlacement): Json {
  const known: Readonly<Record<string, string | undefined>> = {
    MaxResourceVolumeMB: text(size.tempDiskMiB ?? 0),
    OSVhdSizeMB: '1047552',
    vCPUs: text(size.vCpus),
    MemoryPreservingMaintenanceSupported: 'True',
    HyperVGenerations: size.hyperVGenerations.join(','),
    MemoryGB: text(size.memoryGiB),
    MaxDataDiskCount: text(size.maxDataDisks),
    CpuArchitectureType: size.architecture,
    LowPriorityCapable: flag(size.spotCapable),
    PremiumIO: flag(size.premiumStorage),
    VMDeploymentTypes: 'IaaS',
    vCPUsAvailable: text(size.vCpus),
    GPUs: size.gpus === undefined || size.gpus === 0 ? undefined : text(size.gpus),
    NvmeDiskSizeInMiB: size.nvmeDiskMiB === undefined ? undefined : text(size.nvmeDiskMiB),
    CachedDiskBytes: size.cacheDiskBytes === undefined ? undefined : text(size.cacheDiskBytes),
    EphemeralOSDiskSupported: flag(size.ephemeralOsDisk),
    SupportedEphemeralOSDiskPlacements: size.ephemeralPlacements?.join(','),
    EncryptionAtHostSupported: flag(size.encryptionAtHost),
    TrustedLaunchDisabled: size.trustedLaunchDisabled === true ? 'True' : undefined,
    AcceleratedNetworkingEnabled: flag(size.acceleratedNetworking),
    MaxNetworkInterfaces: text(size.maxNics),
    ...size.capabilities,
    ...placement.capabilities,
  };
  return Object.entries(known).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
}

function text(value: number): string {
  return String(value);
}

/** What is not known is left out, not denied. */
function flag(value: boolean | undefined): string | undefined {
  if (value === undefined) return undefined;
  return value ? 'True' : 'False';
}
