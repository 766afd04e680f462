import { describe, expect, test } from 'vitest';
import {
  capabilitiesOf,
  isCapable,
  isClosedIn,
  isSameLocation,
  numberOf,
  type SkuRecord,
  zonesCapableOf,
  zonesOf,
} from './sku-record.ts';

const capabilities = capabilitiesOf([
  { name: 'vCPUs', value: '4' },
  { name: 'MemoryGB', value: '3.5' },
  { name: 'PremiumIO', value: 'TRUE' },
  { name: 'Broken', value: 'many' },
  { name: 'Empty', value: '' },
  { name: 'Nameless' },
]);

describe('a capability', () => {
  test('is found whatever its case, and true in any', () => {
    expect([
      numberOf(capabilities, 'VCPUS'),
      numberOf(capabilities, 'memorygb'),
      isCapable(capabilities, 'premiumio'),
    ]).toEqual([4, 3.5, true]);
  });

  test.each(['Broken', 'Empty', 'Nameless', 'Absent'])('that is no number is none: %s', (name) => {
    expect([numberOf(capabilities, name), isCapable(capabilities, name)]).toEqual([
      undefined,
      false,
    ]);
  });
});

describe('the places of a size', () => {
  const zonal: SkuRecord = {
    locationInfo: [
      {
        location: 'EastUS',
        zones: ['3', '1', '2', '1'],
        zoneDetails: [
          { name: ['1', '3'], capabilities: [{ name: 'UltraSSDAvailable', value: 'True' }] },
          { name: ['2'], capabilities: [{ name: 'UltraSSDAvailable', value: 'False' }] },
        ],
      },
      { location: 'westus', zones: ['9'] },
    ],
  };

  test('are compared without case and blanks', () => {
    expect([isSameLocation('East US', 'eastus'), isSameLocation(undefined, 'eastus')]).toEqual([
      true,
      false,
    ]);
  });

  test('are the zones of the region, in order and once', () => {
    expect([
      zonesOf(zonal, 'eastus'),
      zonesOf(zonal, 'northeurope'),
      zonesOf({}, 'eastus'),
    ]).toEqual([['1', '2', '3'], [], []]);
  });

  test.each([
    [{ type: 'Zone', values: ['eastus'], restrictionInfo: { zones: ['1', '2'] } }, ['3']],
    [{ type: 'Zone', restrictionInfo: { locations: ['EAST US'], zones: ['1'] } }, ['2', '3']],
    [{ type: 'Zone', restrictionInfo: { zones: ['3'] } }, ['1', '2']],
    [{ type: 'Zone', values: ['westus'], restrictionInfo: { zones: ['1'] } }, ['1', '2', '3']],
    [{ type: 'Location', values: ['westus'] }, ['1', '2', '3']],
  ])('are less those that %j closes', (restriction, zones) => {
    expect(zonesOf({ ...zonal, restrictions: [restriction] }, 'eastus')).toEqual(zones);
  });

  test.each([
    [{ type: 'Location', values: ['East US'] }, true],
    [{ type: 'Location', restrictionInfo: { locations: ['eastus'] } }, true],
    [{ type: 'Location', values: ['westus'] }, false],
    [{ type: 'Zone', values: ['eastus'], restrictionInfo: { zones: ['1'] } }, false],
  ])('are closed altogether by %j: %s', (restriction, closed) => {
    expect(isClosedIn({ ...zonal, restrictions: [restriction] }, 'eastus')).toBe(closed);
  });

  test('have capabilities of their own', () => {
    expect([...zonesCapableOf(zonal, 'eastus', 'ultrassdavailable')]).toEqual(['1', '3']);
  });
});
