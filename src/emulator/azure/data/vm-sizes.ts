// The sizes and regions that Azure has, as far as they are known completely. In: the tables beside this file, which
// tools/generate-azure-data.ts wrote. Out: facts as the emulated Azure wants them.
// A size is offered where it has a price, in every zone of the region: which zones lack which size is not public.
import type { EphemeralPlacement, RegionFacts, SizeFacts, SizePlacement } from '../facts.ts';
import regionTable from './regions.json' with { type: 'json' };
import priceTable from './vm-prices.json' with { type: 'json' };
import sizeTable from './vm-sizes.json' with { type: 'json' };

const placementTraits: readonly (readonly [string, EphemeralPlacement])[] = [
  ['r', 'ResourceDisk'],
  ['c', 'CacheDisk'],
  ['v', 'NvmeDisk'],
];

export function readRegions(): RegionFacts[] {
  return Object.entries(regionTable.regions).map(([name, row]) => {
    const [displayName = name, geography = '', geographyGroup = '', pairedRegion = '', zones = ''] =
      row.split(',');
    return {
      name,
      displayName,
      zones: zones === '' ? [] : zones.split(' '),
      geography,
      geographyGroup,
      ...(pairedRegion !== '' && { pairedRegion }),
    };
  });
}

/** `regions`: only what is offered there; a world has a region or two, not fifty. */
export function readSizes(regions: readonly RegionFacts[]): SizeFacts[] {
  const prices = new Map(Object.entries(priceTable.sizes));
  const columns = priceTable.regions.split(',');
  return Object.entries(sizeTable.sizes).map(([name, row]) => {
    const amounts = (prices.get(name) ?? '').split(',');
    const pricePerHour: Record<string, number> = {};
    const placements: Record<string, SizePlacement> = {};
    for (const region of regions) {
      const amount = amounts[columns.indexOf(region.name)] ?? '';
      if (amount === '') continue;
      pricePerHour[region.name] = Number(amount);
      placements[region.name] = { zones: region.zones };
    }
    return { ...readSize(name, row), placements, pricePerHour };
  });
}

function readSize(name: string, row: string): Omit<SizeFacts, 'placements'> {
  const [family = '', vCpus, memoryGiB, generations = '', dataDisks, nics, traits = '', ...disks] =
    row.split(',');
  const has = (trait: string): boolean => traits.includes(trait);
  const ephemeralPlacements = placementTraits
    .filter(([trait]) => has(trait))
    .map(([, placement]) => placement);
  return {
    name,
    family,
    vCpus: Number(vCpus),
    memoryGiB: Number(memoryGiB),
    hyperVGenerations: (['V1', 'V2'] as const).filter((name) =>
      generations.includes(name.slice(1)),
    ),
    maxDataDisks: Number(dataDisks),
    maxNics: Number(nics),
    architecture: has('A') ? 'Arm64' : 'x64',
    premiumStorage: has('P'),
    acceleratedNetworking: has('N'),
    encryptionAtHost: has('H'),
    spotCapable: has('S'),
    trustedLaunchDisabled: has('D'),
    ephemeralOsDisk: ephemeralPlacements.length > 0,
    ...(ephemeralPlacements.length > 0 && { ephemeralPlacements }),
    ...known(disks),
  };
}

/** The last columns: an empty one is a fact that is not known or does not apply. */
function known(columns: readonly string[]): Partial<SizeFacts> {
  const [tempDiskMiB, nvmeDiskMiB, cacheDiskBytes, gpus] = columns.map((text) =>
    text === '' ? undefined : Number(text),
  );
  return {
    ...(tempDiskMiB !== undefined && { tempDiskMiB }),
    ...(nvmeDiskMiB !== undefined && { nvmeDiskMiB }),
    ...(cacheDiskBytes !== undefined && { cacheDiskBytes }),
    ...(gpus !== undefined && { gpus }),
  };
}
