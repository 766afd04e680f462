// Where the OS disk of a size can lie on the machine itself, and how large it may be. In: capabilities. Out: the one
// placement that is used, or undefined. There is no second choice: a class that wants a larger disk gets a managed one,
// as AKS does it.
import { type Capabilities, isCapable, numberOf } from './sku-record.ts';

export type DiskPlacement = 'NvmeDisk' | 'CacheDisk' | 'ResourceDisk';

export interface EphemeralDisk {
  readonly placement: DiskPlacement;
  /** Decimal gigabytes. */
  readonly maxSizeGb: number;
}

const bytesPerMiB = 2 ** 20;
const bytesPerGb = 1e9;

export function ephemeralDiskOf(capabilities: Capabilities): EphemeralDisk | undefined {
  if (!isCapable(capabilities, 'EphemeralOSDiskSupported')) return undefined;
  // The capability named MB counts MiB.
  const candidates: readonly (readonly [DiskPlacement, number])[] = [
    ['NvmeDisk', (numberOf(capabilities, 'NvmeDiskSizeInMiB') ?? 0) * bytesPerMiB],
    ['CacheDisk', numberOf(capabilities, 'CachedDiskBytes') ?? 0],
    ['ResourceDisk', (numberOf(capabilities, 'MaxResourceVolumeMB') ?? 0) * bytesPerMiB],
  ];
  const [placement, bytes = 0] =
    candidates.find(([placement, bytes]) => bytes > 0 && isAllowed(capabilities, placement)) ?? [];
  const maxSizeGb = Math.trunc(bytes / bytesPerGb);
  return placement === undefined || maxSizeGb === 0 ? undefined : { placement, maxSizeGb };
}

/** Where an OS disk of this size lies on the machine; undefined: on a managed disk. */
export function placementFor(
  disk: EphemeralDisk | undefined,
  osDiskSizeGb: number,
): DiskPlacement | undefined {
  return disk !== undefined && osDiskSizeGb <= disk.maxSizeGb ? disk.placement : undefined;
}

/** A size that names no placements allows those that were there before the capability was. */
function isAllowed(capabilities: Capabilities, placement: DiskPlacement): boolean {
  const listed = capabilities.get('supportedephemeralosdiskplacements');
  if (listed === undefined) return placement !== 'NvmeDisk';
  return listed
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .includes(placement.toLowerCase());
}
