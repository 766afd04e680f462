// How the compute provider says no, in its own codes and words. In: what was asked for. Out: an ArmError. Schedulers
// read these messages: "Family Cores quota", "Current Limit: 0" and the like decide what they try next.
import { ArmError, invalidParameter } from '../errors.ts';

export function invalidSize(size: string, valid: readonly string[]): ArmError {
  return invalidParameter(
    'vmSize',
    `The value ${size} provided for the VM size is not valid. The valid sizes in the current region are: ${valid.join(',')}. Find out more on the valid VM sizes in each region at https://aka.ms/azure-regions.`,
  );
}

/** Closed to this subscription, in the region or in a zone. */
export function sizeRestricted(options: {
  readonly vmId: string;
  readonly location: string;
  readonly zone: string | undefined;
  readonly subscriptionId: string;
}): ArmError {
  const zones = options.zone === undefined ? '' : ` zones '${options.zone}'`;
  return new ArmError(
    409,
    'SkuNotAvailable',
    `The requested size for resource '${options.vmId}' is currently not available in location '${options.location}'${zones} for subscription '${options.subscriptionId}'. Please try another size or deploy to a different location or zones. See https://aka.ms/azureskunotavailable for details.`,
  );
}

/** Open to the subscription, but there is nothing left of it. */
export function sizeExhausted(size: string, location: string): ArmError {
  return new ArmError(
    409,
    'SkuNotAvailable',
    `The requested VM size for resource 'Following SKUs have failed for Capacity Restrictions: ${size}' is currently not available in location '${location}'. Please try another size or deploy to a different location or different zone. See https://aka.ms/azureskunotavailable for details.`,
  );
}

const guidance =
  'Read more about improving likelihood of allocation success at http://aka.ms/allocation-guidance';

export type AllocationCode =
  | 'AllocationFailed'
  | 'ZonalAllocationFailed'
  | 'OverconstrainedAllocationRequest'
  | 'OverconstrainedZonalAllocationRequest';

export function allocationFailed(code: AllocationCode, constraints: readonly string[]): ArmError {
  if (code === 'AllocationFailed' || code === 'ZonalAllocationFailed') {
    const place = code === 'AllocationFailed' ? 'region' : 'zone';
    return new ArmError(
      409,
      code,
      `Allocation failed. We do not have sufficient capacity for the requested VM size in this ${place}. ${guidance}`,
    );
  }
  return new ArmError(
    409,
    code,
    `Allocation failed. VM(s) with the following constraints cannot be allocated, because the condition is too restrictive. Please remove some constraints and try again. Constraints applied are:\n${constraints.map((one) => `  - ${one}\n`).join('')}`,
  );
}

export interface QuotaShortage {
  /** As the message names it: `standardDSv3Family Cores`, `Total Regional Cores`, `LowPriorityCores`. */
  readonly quota: string;
  readonly location: string;
  readonly limit: number;
  readonly usage: number;
  readonly required: number;
}

export function quotaExceeded(shortage: QuotaShortage): ArmError {
  const { quota, location, limit, usage, required } = shortage;
  return new ArmError(
    409,
    'OperationNotAllowed',
    `Operation could not be completed as it results in exceeding approved ${quota} quota. Additional details - Deployment Model: Resource Manager, Location: ${location}, Current Limit: ${limit}, Current Usage: ${usage}, Additional Required: ${required}, (Minimum) New Limit Required: ${usage + required}. Setup Alerts when Quota reaches threshold. Learn more at https://aka.ms/quotamonitoringalerting . Submit a request for Quota increase at https://aka.ms/ProdportalCRP/ by specifying parameters listed in the ‘Details’ section for deployment to succeed. Please read more about quota limits at https://docs.microsoft.com/en-us/azure/azure-supportability/per-vm-quota-requests`,
  );
}

export function propertyChangeNotAllowed(property: string): ArmError {
  return new ArmError(
    409,
    'PropertyChangeNotAllowed',
    `Changing property '${property}' is not allowed.`,
    { target: property },
  );
}

export function operationNotAllowed(message: string): ArmError {
  return new ArmError(409, 'OperationNotAllowed', message);
}

export function badRequest(message: string): ArmError {
  return new ArmError(400, 'BadRequest', message);
}

export function zoneNotSupported(
  zone: string,
  location: string,
  zones: readonly string[],
): ArmError {
  return zones.length === 0
    ? new ArmError(
        400,
        'AvailabilityZoneNotSupported',
        `The zone(s) '${zone}' for resource 'Microsoft.Compute/virtualMachines' is not supported. The location '${location}' does not support availability zones.`,
      )
    : new ArmError(
        400,
        'InvalidAvailabilityZone',
        `The zone(s) '${zone}' for resource 'Microsoft.Compute/virtualMachines' is not supported. The supported zones for location '${location}' are '${zones.join(',')}'`,
      );
}

export function entityNotFound(): ArmError {
  return new ArmError(404, 'NotFound', 'The entity was not found in this Azure location.');
}

export function markedForDeletion(name: string): ArmError {
  return operationNotAllowed(
    `Operation 'CreateOrUpdate VM' is not allowed on VM '${name}' since the VM is marked for deletion. You can only retry the Delete operation (or wait for an ongoing one to complete).`,
  );
}
