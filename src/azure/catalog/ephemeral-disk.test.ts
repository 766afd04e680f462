import { describe, expect, test } from 'vitest';
import { ephemeralDiskOf, placementFor } from './ephemeral-disk.ts';
import { capabilitiesOf } from './sku-record.ts';

function disk(capabilities: Readonly<Record<string, string>>) {
  return ephemeralDiskOf(
    capabilitiesOf(
      Object.entries({ EphemeralOSDiskSupported: 'True', ...capabilities }).map(
        ([name, value]) => ({
          name,
          value,
        }),
      ),
    ),
  );
}

const nvme = { NvmeDiskSizeInMiB: '7208960' };
const cache = { CachedDiskBytes: '32212254720' };
const temp = { MaxResourceVolumeMB: '163840' };

describe('an ephemeral OS disk', () => {
  test.each([
    ['none without support', { ...temp, EphemeralOSDiskSupported: 'False' }, undefined],
    ['none without a disk', {}, undefined],
    ['the cache before the temporary disk', { ...cache, ...temp }, ['CacheDisk', 32]],
    ['the temporary disk', temp, ['ResourceDisk', 171]],
    [
      'NVMe first if it is a placement',
      { ...nvme, ...cache, SupportedEphemeralOSDiskPlacements: 'NvmeDisk,CacheDisk' },
      ['NvmeDisk', 7559],
    ],
    [
      'no NVMe that is no placement',
      { ...nvme, ...cache, SupportedEphemeralOSDiskPlacements: 'ResourceDisk,CacheDisk' },
      ['CacheDisk', 32],
    ],
    ['no NVMe when placements are not named', { ...nvme }, undefined],
    [
      'no cache that is no placement',
      { ...cache, ...temp, SupportedEphemeralOSDiskPlacements: 'ResourceDisk' },
      ['ResourceDisk', 171],
    ],
    ['none when the disk is smaller than a gigabyte', { CachedDiskBytes: '999999999' }, undefined],
  ])('lies on %s', (_, capabilities, expected) => {
    const found = disk(capabilities);
    expect(found === undefined ? undefined : [found.placement, found.maxSizeGb]).toEqual(expected);
  });

  test('is used as long as it is large enough, and nothing else is tried', () => {
    const cacheFirst = disk({ ...cache, ...temp });
    expect([32, 33, 128].map((sizeGb) => placementFor(cacheFirst, sizeGb))).toEqual([
      'CacheDisk',
      undefined,
      undefined,
    ]);
    expect(placementFor(undefined, 30)).toBeUndefined();
  });
});
