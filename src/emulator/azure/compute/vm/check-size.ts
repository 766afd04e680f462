// Size, zone, priority and security: may this subscription have such a machine there, and can the size do what is
// asked of it. In: the request. Out: the size's facts, or the compute provider's refusal.
import { at, stringAt } from '../../../kube/json.ts';
import { invalidParameter, requiredParameter } from '../../errors.ts';
import type { SizeFacts, SizePlacement } from '../../facts.ts';
import type { Compute } from '../compute.ts';
import {
  badRequest,
  invalidSize,
  operationNotAllowed,
  sizeRestricted,
  zoneNotSupported,
} from '../errors.ts';
import { isRestricted } from '../size-catalog.ts';
import type { VmRequest } from './request.ts';

export interface Place {
  readonly vmId: string;
  readonly subscriptionId: string;
  readonly location: string;
}

export function checkedSize(compute: Compute, request: VmRequest, place: Place): SizeFacts {
  const { size, zones } = request;
  const { location } = place;
  if (size === '') throw requiredParameter('hardwareProfile.vmSize');
  const facts = compute.catalog.find(size, location);
  const placement = facts?.placements[location];
  if (facts === undefined || placement === undefined) {
    throw invalidSize(
      size,
      compute.catalog.offeredIn(location).map(({ name }) => name),
    );
  }
  const zone = checkedZone(compute, zones, location);
  const isSpotRefused = request.priority === 'Spot' && facts.spotCapable !== true;
  if (isRestricted(placement, zone) || isSpotRefused) throw sizeRestricted({ ...place, zone });
  checkPriority(request);
  checkSecurity(request, facts);
  checkUltraSsd(request, { placement, zone });
  return facts;
}

function checkedZone(
  compute: Compute,
  zones: readonly string[],
  location: string,
): string | undefined {
  const [zone, ...others] = zones;
  if (zone === undefined) return undefined;
  const offered = compute.env.regions.find(location)?.zones ?? [];
  if (others.length > 0) {
    throw invalidParameter('zones', 'A virtual machine can be in one zone only.');
  }
  if (!offered.includes(zone)) throw zoneNotSupported(zone, location, offered);
  return zone;
}

function checkPriority({ priority, evictionPolicy, maxPrice }: VmRequest): void {
  const see = 'For more information, see http://aka.ms/AzureSpot/errormessages.';
  if (priority === 'Spot') {
    if (evictionPolicy === undefined || /^(delete|deallocate)$/i.test(evictionPolicy)) return;
    throw invalidParameter(
      'evictionPolicy',
      `The value ${evictionPolicy} is not valid for the eviction policy. ${see}`,
    );
  }
  if (evictionPolicy !== undefined) {
    throw operationNotAllowed(
      `Eviction policy can be set only on Azure Spot Virtual Machines. ${see}`,
    );
  }
  if (maxPrice !== undefined && maxPrice !== -1) {
    throw operationNotAllowed(`Max price can be set only on Azure Spot Virtual Machines. ${see}`);
  }
}

function checkSecurity({ securityProfile }: VmRequest, size: SizeFacts): void {
  if (at(securityProfile, 'encryptionAtHost') === true && size.encryptionAtHost !== true) {
    throw invalidParameter(
      'securityProfile.encryptionAtHost',
      `The VM size '${size.name}' does not support Encryption at Host.`,
    );
  }
  const type = stringAt(securityProfile, 'securityType');
  const settings = at(securityProfile, 'uefiSettings');
  if (settings !== undefined && type === undefined) {
    throw badRequest(
      "Use of UEFI settings is not supported when the 'securityType' is not set in the security profile.",
    );
  }
  if (type !== 'TrustedLaunch') return;
  if (size.trustedLaunchDisabled === true || !size.hyperVGenerations.includes('V2')) {
    throw badRequest(
      `The VM size '${size.name}' does not support the security type 'TrustedLaunch'. For more information, see https://aka.ms/TrustedLaunch-FAQ.`,
    );
  }
}

function checkUltraSsd(
  { usesUltraSsd }: VmRequest,
  { placement, zone }: { readonly placement: SizePlacement; readonly zone: string | undefined },
): void {
  if (!usesUltraSsd) return;
  const isThere =
    zone === undefined
      ? placement.capabilities?.['UltraSSDAvailable'] === 'True'
      : (placement.ultraSsdZones?.includes(zone) ?? false);
  if (isThere) return;
  throw invalidParameter(
    'additionalCapabilities.ultraSSDEnabled',
    `The capability 'ultraSSDEnabled' is not supported for the requested VM size in ${zone === undefined ? 'this region' : `zone '${zone}'`}.`,
  );
}
