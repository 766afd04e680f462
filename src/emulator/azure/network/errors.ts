// How the network provider says no, in its own codes and words. In: what was asked for. Out: an ArmError.
import { ArmError } from '../errors.ts';

export const networkNameRule = {
  pattern: /^\w(?:[\w.-]{0,78}\w)?$/,
  rule: "The name can be up to 80 characters long. It must begin with a word character, and it must end with a word character or with '_'. The name may contain word characters or '.', '-', '_'.",
} as const;

export function invalidReference(referenced: string, from: string): ArmError {
  return new ArmError(
    400,
    'InvalidResourceReference',
    `Resource ${referenced} referenced by resource ${from} was not found. Please make sure that the referenced resource exists, and that both resources are in the same region.`,
  );
}

export function invalidFormat(code: string, message: string): ArmError {
  return new ArmError(400, 'InvalidRequestFormat', 'Cannot parse the request.', {
    details: [{ code, message }],
  });
}

export function childNotFound(id: string): ArmError {
  return new ArmError(404, 'NotFound', `Resource ${id} not found.`);
}

export function subnetIsFull(name: string, prefix: string, count: number): ArmError {
  return new ArmError(
    400,
    'SubnetIsFull',
    `Subnet ${name} with address prefix ${prefix} does not have enough capacity for ${count} IP addresses.`,
  );
}

export function subnetInUse(name: string, usedBy: string): ArmError {
  return new ArmError(
    400,
    'InUseSubnetCannotBeDeleted',
    `Subnet ${name} is in use by ${usedBy} and cannot be deleted. In order to delete the subnet, delete all the resources within the subnet. See aka.ms/deletesubnet.`,
  );
}

export function nicInUse(nicId: string, vmId: string): ArmError {
  return new ArmError(
    400,
    'NicInUse',
    `Network Interface ${nicId} is used by existing resource ${vmId}. In order to delete the network interface, it must be dissociated from the resource. To learn more, see aka.ms/deletenic.`,
  );
}

export function nicReserved(nicId: string, vmId: string, seconds: number): ArmError {
  return new ArmError(
    400,
    'NicReservedForAnotherVm',
    `Nic(s) in request is reserved for another Virtual Machine for ${seconds} seconds. Please provide another nic(s) or retry after ${seconds} seconds. Reserved VM: ${vmId}, Nic: ${nicId}.`,
  );
}

/** Security groups, route tables and the like, whose deletion something else hinders. */
export function inUse(code: string, what: string, usedBy: readonly string[]): ArmError {
  return new ArmError(
    400,
    code,
    `${what} cannot be deleted because it is in use by the following resources: ${usedBy.join(', ')}.`,
  );
}
