// A machine has left. In: the machine as it was. Out: its cores and place are free, its interfaces and disk are gone
// or free as their delete options say, its own identity is out of the directory, and its listeners know.
import { objectAt, stringAt, textAt, without } from '../../../kube/json.ts';
import { detachNic, machineOf } from '../../network/nic-attachment.ts';
import type { Resource } from '../../store.ts';
import type { Compute } from '../compute.ts';
import { machineFrom } from './machine.ts';
import { isDelete, readVm } from './request.ts';

export function releaseVm(compute: Compute, vm: Resource): void {
  const { env } = compute;
  const machine = machineFrom(env, vm);
  const request = readVm(vm.body);
  compute.quotas.release(vm.id);
  compute.capacity.release(vm.id);
  for (const nic of request.nics) releaseNic(compute, nic, vm);
  const disk = request.osDisk;
  const diskId = stringAt(disk, 'managedDisk', 'id');
  if (diskId !== undefined && isDelete(stringAt(disk, 'deleteOption')))
    env.lifecycle.remove(diskId);
  else if (diskId !== undefined) detachDisk(compute, diskId);
  if (env.directory.byResourceId(vm.id) !== undefined) {
    env.directory.remove(textAt(vm.body, 'identity', 'principalId'));
  }
  compute.events.emit({ kind: 'deleted', vm: machine });
}

function releaseNic(
  { env }: Compute,
  nic: { readonly id: string; readonly deletesWithVm: boolean },
  vm: Resource,
): void {
  const current = env.store.get(nic.id);
  if (current === undefined) return;
  // One that was given back with a reservation keeps it; the machine no longer decides about it.
  if (machineOf(current) === undefined) return;
  detachNic(env, nic.id);
  if (!nic.deletesWithVm) return;
  const isStuck = env.faults.strike('Microsoft.Network/networkInterfaces/delete', nic.id);
  if (isStuck === undefined) env.lifecycle.remove(nic.id);
  else env.log.debug('interface outlives its machine by request', { nic: nic.id, vm: vm.id });
}

function detachDisk({ env }: Compute, diskId: string): void {
  env.lifecycle.update(diskId, (body) => {
    const properties = objectAt(body, 'properties') ?? {};
    return {
      ...without(body, 'managedBy'),
      properties: { ...properties, diskState: 'Unattached' },
    };
  });
}
