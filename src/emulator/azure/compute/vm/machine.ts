// A stored VM as the rest of the world knows it. In: the resource. Out: what listeners are told, its power state, and
// changes of that state. What is never shown to clients (custom data, whether it boots) is read here only.
import {
  at,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  textAt,
  type JsonObject,
} from '../../../kube/json.ts';
import type { AzureEnvironment } from '../../environment.ts';
import type { Resource } from '../../store.ts';
import type { PowerState, VirtualMachine, VmExtension, VmNic } from '../vm-events.ts';
import { identityIds } from './identity.ts';
import { readVm } from './request.ts';

export const virtualMachineType = 'Microsoft.Compute/virtualMachines';
export const extensionType = 'Microsoft.Compute/virtualMachines/extensions';

export function machineFrom(env: AzureEnvironment, vm: Resource): VirtualMachine {
  const { body, hidden } = vm;
  const request = readVm(body);
  const [zone] = request.zones;
  const image = request.image ?? {};
  return {
    id: vm.id,
    vmId: textAt(body, 'properties', 'vmId'),
    name: vm.name,
    computerName: textAt(request.osProfile, 'computerName'),
    subscriptionId: vm.subscriptionId,
    resourceGroup: vm.resourceGroup,
    location: textAt(body, 'location'),
    zone,
    size: request.size,
    priority: request.priority,
    powerState: powerStateOf(vm),
    createdMs: vm.createdMs,
    tags: (objectAt(body, 'tags') ?? {}) as Readonly<Record<string, string>>,
    customData: Buffer.from(textAt(hidden, 'customData'), 'base64'),
    imageId: stringAt(image, 'communityGalleryImageId') ?? textAt(image, 'id'),
    adminUsername: textAt(request.osProfile, 'adminUsername'),
    osDiskSizeGb: numberAt(request.osDisk, 'diskSizeGB') ?? 0,
    identities: identityIds(request.identity),
    nics: request.nics.flatMap((nic) => nicFrom(env, nic.id)),
    extensions: env.store.list(extensionType, vm.id).map((one) => extensionFrom(one)),
    boots: at(hidden, 'boots') !== false,
  };
}

export function extensionFrom(resource: Resource): VmExtension {
  const properties = objectAt(resource.body, 'properties');
  return {
    name: resource.name,
    publisher: textAt(properties, 'publisher'),
    type: textAt(properties, 'type'),
    settings: objectAt(properties, 'settings') ?? {},
    protectedSettings: objectAt(resource.hidden, 'protectedSettings') ?? {},
  };
}

export function powerStateOf(vm: Resource): PowerState {
  return (stringAt(vm.hidden, 'powerState') ?? 'starting') as PowerState;
}

/** Told to the store only; the state is not part of what a GET shows. */
export function setPowerState(
  env: AzureEnvironment,
  vmId: string,
  powerState: PowerState,
): Resource | undefined {
  return changeHidden(env, vmId, (hidden) => ({
    ...hidden,
    powerState,
    powerChangedMs: env.clock.now(),
  }));
}

function changeHidden(
  env: AzureEnvironment,
  id: string,
  change: (hidden: JsonObject) => JsonObject,
): Resource | undefined {
  const current = env.store.get(id);
  if (current === undefined) return undefined;
  const { body, hidden, type } = current;
  return env.lifecycle.save(current.id, type, { body, hidden: change(hidden) });
}

function nicFrom(env: AzureEnvironment, nicId: string): VmNic[] {
  const nic = env.store.get(nicId);
  if (nic === undefined) return [];
  const configurations = objectsAt(nic.body, 'properties', 'ipConfigurations');
  const primary =
    configurations.find((one) => at(one, 'properties', 'primary') === true) ?? configurations[0];
  return [
    {
      id: nic.id,
      privateAddress: textAt(primary, 'properties', 'privateIPAddress'),
      isPrimary: at(nic.body, 'properties', 'primary') === true,
    },
  ];
}
