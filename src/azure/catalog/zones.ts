// Zones as nodes are labelled and zones as ARM numbers them. In: either. Out: the other.
// A machine without a zone is labelled `0`, which is what AKS nodes show: the fault domain of a standalone VM.
import { CodedError } from '../../base/errors.ts';

export const regionalZone = '0';

export type PlacementScope = 'zonal' | 'regional';

export function zoneLabel(region: string, armZone: string): string {
  return `${region.toLowerCase()}-${armZone}`;
}

export function placementScopeOf(zone: string): PlacementScope {
  return zone === regionalZone ? 'regional' : 'zonal';
}

/** What a create call names: no zone for a regional machine. */
export function armZonesOf(zone: string): string[] {
  return zone === regionalZone ? [] : [zone.slice(zone.lastIndexOf('-') + 1)];
}

/** The label of a resource as ARM answers it. A zone without a location, or two zones, fit no label. */
export function zoneLabelOf(resource: {
  readonly location?: string | undefined;
  readonly zones?: readonly string[] | undefined;
}): string {
  const [zone, ...others] = resource.zones ?? [];
  if (zone === undefined) return regionalZone;
  const { location = '' } = resource;
  if (others.length > 0 || location === '') {
    throw new CodedError('ZoneUnknown', 'resource does not lie in one zone of one region', {
      fields: { location, zones: resource.zones },
    });
  }
  return zoneLabel(location, zone);
}
