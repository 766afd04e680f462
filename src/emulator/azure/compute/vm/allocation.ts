// A place for a machine: cores under the quotas, and room in the datacentre. In: where it is to be. Out: taken, or
// the refusal that the real service gives there: what is known at the door at once, what the allocator finds out when
// it tries.
import type { Placement } from '../capacity.ts';
import type { Compute } from '../compute.ts';
import { allocationFailed, quotaExceeded, sizeExhausted } from '../errors.ts';
import type { Consumer } from '../quotas.ts';
import type { VmRequest } from './request.ts';

export function placementOf(
  vm: { readonly id: string; readonly location: string },
  request: VmRequest,
): Placement {
  const { size, priority, zones } = request;
  return { vmId: vm.id, region: vm.location, size, zone: zones[0], priority };
}

/** What is refused at the door: quota first, then sizes of which nothing is left. */
export function checkRoom(compute: Compute, consumer: Consumer, placement: Placement): void {
  const shortage = compute.quotas.shortage(consumer);
  if (shortage !== undefined) throw quotaExceeded(shortage);
  if (compute.capacity.shortage(placement) !== 'SkuNotAvailable') return;
  throw sizeExhausted(consumer.size.name, consumer.region);
}

export function allocate(compute: Compute, placement: Placement): void {
  const failure = compute.capacity.shortage(placement);
  if (failure === 'SkuNotAvailable') throw sizeExhausted(placement.size, placement.region);
  if (failure !== undefined) {
    throw allocationFailed(failure, [
      ...(placement.priority === 'Spot' ? ['Low priority VMs'] : []),
      ...(placement.zone === undefined ? [] : ['Availability Zone']),
      'Networking Constraints (such as Accelerated Networking or IPv6)',
      'VM Size',
    ]);
  }
  compute.capacity.take(placement);
}
