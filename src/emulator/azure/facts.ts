// What is true of Azure itself and is handed in: regions, VM sizes, images. Plain values; absent means not known, and
// what is not known is not claimed in an answer either.

export interface RegionFacts {
  /** `eastus` */
  readonly name: string;
  /** `East US` */
  readonly displayName: string;
  /** Logical zones; empty where the region has none. */
  readonly zones: readonly string[];
  readonly geography?: string;
  readonly geographyGroup?: string;
  readonly pairedRegion?: string;
}

/** Where a size can be had, as one region's `locationInfo` and `restrictions` say. */
export interface SizePlacement {
  readonly zones: readonly string[];
  /** Zones in which ultra disks can be attached. */
  readonly ultraSsdZones?: readonly string[];
  /** `true`: the whole region is closed to the subscription; a list: these zones are. */
  readonly restricted?: true | readonly string[];
  /** Capabilities that are true of this region only. */
  readonly capabilities?: Readonly<Record<string, string>>;
}

export interface SizeFacts {
  /** `Standard_D2s_v3` */
  readonly name: string;
  /** The key of its quota: `standardDSv3Family`. */
  readonly family: string;
  readonly vCpus: number;
  readonly memoryGiB: number;
  readonly gpus?: number;
  readonly architecture: 'x64' | 'Arm64';
  readonly maxDataDisks: number;
  readonly maxNics: number;
  readonly tempDiskMiB?: number;
  readonly nvmeDiskMiB?: number;
  readonly cacheDiskBytes?: number;
  readonly hyperVGenerations: readonly ('V1' | 'V2')[];
  readonly premiumStorage: boolean;
  readonly acceleratedNetworking: boolean;
  readonly ephemeralOsDisk: boolean;
  readonly ephemeralPlacements?: readonly EphemeralPlacement[];
  readonly encryptionAtHost?: boolean;
  readonly spotCapable?: boolean;
  readonly trustedLaunchDisabled?: boolean;
  /** By region; a region that is not named does not offer the size. */
  readonly placements: Readonly<Record<string, SizePlacement>>;
  /** On-demand, Linux, US dollars an hour, by region. */
  readonly pricePerHour?: Readonly<Record<string, number>>;
  /** Further capabilities, worded as the Resource SKUs API words them. */
  readonly capabilities?: Readonly<Record<string, string>>;
}

export type EphemeralPlacement = 'CacheDisk' | 'ResourceDisk' | 'NvmeDisk';

/** An image definition with its versions: of a community gallery, or of a gallery in a subscription. */
export interface ImageFacts {
  /** Public name of a community gallery, or the id of a gallery. */
  readonly gallery: string;
  readonly definition: string;
  readonly architecture: 'x64' | 'Arm64';
  readonly hyperVGeneration: 'V1' | 'V2';
  readonly securityTypes?: readonly string[];
  readonly osDiskSizeGb?: number;
  readonly versions: readonly ImageVersionFacts[];
}

export interface ImageVersionFacts {
  readonly version: string;
  readonly publishedMs: number;
  /** Where it is replicated; everywhere when absent. */
  readonly regions?: readonly string[];
  readonly excludeFromLatest?: boolean;
}
