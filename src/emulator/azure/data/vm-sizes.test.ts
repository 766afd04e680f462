import { describe, expect, test } from 'vitest';
import { readRegions, readSizes } from './vm-sizes.ts';

const regions = readRegions();
const sizes = readSizes(regions);

describe('the regions', () => {
  test('are many, each with a name and at most a handful of zones', () => {
    expect(regions.length).toBeGreaterThan(50);
    expect(regions.filter(({ displayName }) => !/^[A-Z][\w ]+$/.test(displayName))).toEqual([]);
    expect(new Set(regions.map(({ zones }) => zones.join('')))).toEqual(new Set(['', '123']));
  });

  test('have what is known of them', () => {
    expect(regions.find(({ name }) => name === 'southcentralus')).toEqual({
      name: 'southcentralus',
      displayName: 'South Central US',
      zones: ['1', '2', '3'],
      geography: 'United States',
      geographyGroup: 'US',
      pairedRegion: 'northcentralus',
    });
  });
});

describe('the sizes', () => {
  test('are a thousand', () => {
    expect(sizes.length).toBeGreaterThan(1000);
    expect(new Set(sizes.map(({ name }) => name)).size).toBe(sizes.length);
  });

  test('have whole and plausible amounts', () => {
    const odd = sizes.filter(
      ({ vCpus, memoryGiB, maxDataDisks, maxNics, family, hyperVGenerations, gpus = 1 }) =>
        !Number.isInteger(vCpus) ||
        vCpus < 1 ||
        !(memoryGiB >= 0.5 && memoryGiB < 40_000) ||
        !(maxDataDisks >= 1 && maxNics >= 1 && gpus >= 1) ||
        family === '' ||
        hyperVGenerations.length === 0,
    );
    expect(odd).toEqual([]);
  });

  test('hold an ephemeral disk only on a disk that they have', () => {
    const disks = {
      ResourceDisk: 'tempDiskMiB',
      CacheDisk: 'cacheDiskBytes',
      NvmeDisk: 'nvmeDiskMiB',
    } as const;
    const without = sizes.filter(
      (size) =>
        size.ephemeralOsDisk &&
        !size.ephemeralPlacements?.some((place) => size[disks[place]] !== undefined),
    );
    expect(without).toEqual([]);
  });

  test('are offered where they have a price, in all zones of the region', () => {
    const small = sizes.find(({ name }) => name === 'Standard_D2s_v5')!;
    expect([
      small.pricePerHour?.['eastus'],
      small.placements['eastus'],
      small.placements['westus'],
    ]).toEqual([0.096, { zones: ['1', '2', '3'] }, { zones: [] }]);
    expect(
      sizes.filter(
        ({ placements, pricePerHour = {} }) =>
          Object.keys(placements).join() !== Object.keys(pricePerHour).join(),
      ),
    ).toEqual([]);
  });

  test('are those of the regions asked for', () => {
    const eastus = regions.find(({ name }) => name === 'eastus');
    const places = readSizes([eastus!]).map(({ placements }) => Object.keys(placements).join());
    expect(new Set(places)).toEqual(new Set(['eastus', '']));
  });
});
