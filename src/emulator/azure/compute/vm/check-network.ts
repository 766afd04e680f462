// The interfaces of a machine: there, in its region, free or its own, and as many as its size has. In: the request.
// Out: the interfaces, or the refusal of the provider that would give it.
import { at } from '../../../kube/json.ts';
import { ArmError, invalidParameter } from '../../errors.ts';
import type { SizeFacts } from '../../facts.ts';
import { nicInUse, nicReserved } from '../../network/errors.ts';
import { isAttachedTo, machineOf, reservationOf } from '../../network/nic-attachment.ts';
import { networkInterfaceType } from '../../network/network-interfaces.ts';
import { isSameId, requireReference } from '../../network/references.ts';
import type { Resource } from '../../store.ts';
import type { Compute } from '../compute.ts';
import type { Place } from './check-size.ts';
import type { VmRequest } from './request.ts';

export function checkNetwork(
  compute: Compute,
  { nics }: VmRequest,
  context: { readonly place: Place; readonly size: SizeFacts },
): void {
  const { place, size } = context;
  if (nics.length === 0) {
    throw invalidParameter(
      'networkProfile',
      'Virtual Machine must have at least one network interface.',
    );
  }
  if (nics.length > size.maxNics) {
    throw new ArmError(
      400,
      'NetworkInterfaceCountExceeded',
      `The number of network interfaces for virtual machine ${place.vmId} exceeds the maximum allowed for the virtual machine size ${size.name}. The number of network interfaces is ${nics.length} and the maximum allowed is ${size.maxNics}.`,
    );
  }
  if (nics.filter((nic) => nic.isPrimary).length !== 1) {
    throw new ArmError(
      400,
      'VirtualMachineMustHaveOneNetworkInterfaceAsPrimary',
      `Virtual machine ${place.vmId} must have one network interface set as the primary.`,
    );
  }
  for (const { id } of nics) {
    const { vmId: from, location } = place;
    const nic = requireReference(compute.env, { id, type: networkInterfaceType, from, location });
    checkFree(compute, nic, place.vmId);
    checkAcceleration(nic, size, place.vmId);
  }
}

function checkFree(compute: Compute, nic: Resource, vmId: string): void {
  const user = machineOf(nic);
  if (user !== undefined && !isAttachedTo(nic, vmId)) throw nicInUse(nic.id, user);
  const reservation = reservationOf(compute.env, nic);
  if (reservation === undefined || isSameId(reservation.vmId, vmId)) return;
  throw nicReserved(nic.id, reservation.vmId, reservation.seconds);
}

function checkAcceleration(nic: Resource, size: SizeFacts, vmId: string): void {
  const isAccelerated = at(nic.body, 'properties', 'enableAcceleratedNetworking') === true;
  if (!isAccelerated || size.acceleratedNetworking) return;
  throw new ArmError(
    400,
    'VMSizeIsNotPermittedToEnableAcceleratedNetworking',
    `VM size ${size.name} specified for the VM ${vmId} is not permitted to enable accelerated networking on network interface(s) ${nic.id}.`,
  );
}
