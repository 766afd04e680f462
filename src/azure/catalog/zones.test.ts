import { describe, expect, test } from 'vitest';
import { armZonesOf, placementScopeOf, zoneLabel, zoneLabelOf } from './zones.ts';

describe('a zone', () => {
  test.each([
    ['eastus2-1', ['1'], 'zonal'],
    ['eastus2-12', ['12'], 'zonal'],
    ['0', [], 'regional'],
  ])('is %s on a node and %j for ARM', (zone, armZones, scope) => {
    expect([armZonesOf(zone), placementScopeOf(zone)]).toEqual([armZones, scope]);
  });

  test('is labelled with the region in lower case', () => {
    expect(zoneLabel('EastUS', '2')).toBe('eastus-2');
  });
});

describe('the zone of a machine', () => {
  test.each([
    [{ location: 'EastUS', zones: ['3'] }, 'eastus-3'],
    [{ location: 'eastus', zones: [] }, '0'],
    [{ location: 'eastus' }, '0'],
    [{}, '0'],
  ])('of %j is %s', (machine, zone) => {
    expect(zoneLabelOf(machine)).toBe(zone);
  });

  test.each([[{ zones: ['1'] }], [{ location: 'eastus', zones: ['1', '2'] }]])(
    'of %j is an error',
    (machine) => {
      expect(() => zoneLabelOf(machine)).toThrow('does not lie in one zone of one region');
    },
  );
});
