// From a checked request to a machine: what is stored, what is taken when it is accepted, what happens when time is
// up, and what stays behind when it fails. In: a PUT. Out: a plan, or a refusal that leaves nothing behind.
import { randomUuid } from '../../../../base/uuid.ts';
import {
  at,
  numberAt,
  objectAt,
  sameJson,
  stringAt,
  textAt,
  without,
  type JsonObject,
} from '../../../kube/json.ts';
import type { Write, WritePlan } from '../../arm/managed-type.ts';
import { groupId } from '../../arm/resource-id.ts';
import { preempted } from '../../errors.ts';
import type { SizeFacts } from '../../facts.ts';
import { attachNic, detachNic } from '../../network/nic-attachment.ts';
import type { Resource } from '../../store.ts';
import type { Compute } from '../compute.ts';
import { diskType, osDiskBody } from '../disks.ts';
import { propertyChangeNotAllowed } from '../errors.ts';
import type { GalleryImage } from '../images.ts';
import type { Consumer } from '../quotas.ts';
import { checkSupported } from './check-supported.ts';
import { allocate, checkRoom, placementOf } from './allocation.ts';
import { checkNetwork } from './check-network.ts';
import { checkOsProfile } from './check-os-profile.ts';
import { checkedSize } from './check-size.ts';
import { checkedImage } from './check-storage.ts';
import { plannedIdentity } from './identity.ts';
import { machineFrom, powerStateOf, setPowerState } from './machine.ts';
import { readVm, type VmRequest } from './request.ts';

export function planVm(compute: Compute, write: Write): WritePlan {
  const { existing } = write;
  if (existing === undefined) return planCreation(compute, write);
  checkUnchanged(write, existing);
  // One that has never run, because its creation failed, is tried again.
  return powerStateOf(existing) === 'starting'
    ? planCreation(compute, write)
    : planUpdate(compute, write, existing);
}

function planCreation(compute: Compute, write: Write): WritePlan {
  const { env } = compute;
  checkSupported(write.body);
  const request = readVm(write.body);
  const { subscriptionId } = write.call.path;
  const place = { vmId: write.id, subscriptionId, location: write.location };
  const size = checkedSize(compute, request, place);
  const context = { call: write.call, size, location: write.location };
  const image = checkedImage(compute, request, context);
  checkOsProfile(request.osProfile);
  checkNetwork(compute, request, { place, size });
  const placement = placementOf(write, request);
  const consumer: Consumer = { ...place, region: write.location, size, priority: request.priority };
  checkRoom(compute, consumer, placement);
  const identity = plannedIdentity(env, request.identity, { vmId: write.id });
  const body = newBody(compute, write, { request, size, image });
  const fault = write.call.fault?.kind;
  return {
    body: identity === undefined ? body : { ...body, identity },
    hidden: {
      ...(stringAt(request.osProfile, 'customData') === undefined
        ? {}
        : { customData: textAt(request.osProfile, 'customData') }),
      powerState: 'starting',
      boots: fault !== 'never-boots',
      hyperVGeneration: image.image.hyperVGeneration,
    },
    accepted: (vm) => {
      compute.quotas.take(consumer);
      for (const nic of request.nics)
        attachNic(env, nic.id, { id: vm.id, isPrimary: nic.isPrimary });
      compute.events.emit({ kind: 'created', vm: machineFrom(env, vm) });
    },
    finish: (vm) => {
      allocate(compute, placement);
      saveOsDisk(compute, vm);
      const running = setPowerState(env, vm.id, 'running') ?? vm;
      compute.events.emit({ kind: 'running', vm: machineFrom(env, running) });
      return running.body;
    },
    failed: (vm, { code }) => {
      // A machine that is deleted before it was there goes with all that it has.
      if (code === preempted().code) return;
      // Azure keeps the interfaces of a machine that failed for it, and the machine itself until it is deleted.
      for (const nic of request.nics) detachNic(env, nic.id, { vmId: vm.id });
      compute.capacity.release(vm.id);
      compute.events.emit({ kind: 'failed', vm: machineFrom(env, vm) });
    },
  };
}

function newBody(
  compute: Compute,
  write: Write,
  parts: { readonly request: VmRequest; readonly size: SizeFacts; readonly image: GalleryImage },
): JsonObject {
  const { env } = compute;
  const { request, size, image } = parts;
  const properties = objectAt(write.body, 'properties') ?? {};
  return {
    ...(request.zones.length === 0 ? {} : { zones: [...request.zones] }),
    ...(write.body['plan'] === undefined ? {} : { plan: write.body['plan'] }),
    properties: {
      ...properties,
      vmId: randomUuid(env.random),
      // Azure shows the size as its catalogue writes it, not as it was asked for.
      hardwareProfile: { ...objectAt(properties, 'hardwareProfile'), vmSize: size.name },
      storageProfile: storageProfile(write, request, image),
      osProfile: shownOsProfile(request.osProfile ?? {}),
      timeCreated: new Date(env.clock.now()).toISOString(),
    },
  };
}

function storageProfile(write: Write, request: VmRequest, image: GalleryImage): JsonObject {
  const { osDisk } = request;
  const name = stringAt(osDisk, 'name') ?? `${write.name}_OsDisk_1`;
  const { subscriptionId, resourceGroup } = write.call.path;
  const isEphemeral = objectAt(osDisk, 'diffDiskSettings') !== undefined;
  const id = `${groupId(subscriptionId, resourceGroup)}/providers/${diskType}/${name}`;
  return {
    ...objectAt(write.body, 'properties', 'storageProfile'),
    imageReference: { ...request.image, exactVersion: image.version.version },
    osDisk: {
      osType: 'Linux',
      ...osDisk,
      name,
      caching: stringAt(osDisk, 'caching') ?? 'ReadWrite',
      diskSizeGB: numberAt(osDisk, 'diskSizeGB') ?? image.image.osDiskSizeGb ?? 30,
      deleteOption: isEphemeral ? 'Delete' : (stringAt(osDisk, 'deleteOption') ?? 'Detach'),
      managedDisk: {
        storageAccountType: isEphemeral ? 'Standard_LRS' : 'Premium_LRS',
        ...objectAt(osDisk, 'managedDisk'),
        id,
      },
    },
    dataDisks: [],
  };
}

/** Without what Azure never gives back. */
function shownOsProfile(profile: JsonObject): JsonObject {
  const shown = without(without(profile, 'customData'), 'adminPassword');
  return {
    ...shown,
    linuxConfiguration: {
      provisionVMAgent: true,
      patchSettings: { patchMode: 'ImageDefault', assessmentMode: 'ImageDefault' },
      ...objectAt(profile, 'linuxConfiguration'),
    },
    secrets: [],
    allowExtensionOperations: true,
    requireGuestProvisionSignal: true,
  };
}

function saveOsDisk({ env }: Compute, vm: Resource): void {
  const osDisk = readVm(vm.body).osDisk;
  const id = stringAt(osDisk, 'managedDisk', 'id');
  if (id === undefined) return;
  env.lifecycle.save(id, diskType, { body: osDiskBody(env, vm, osDisk) });
}

/** What can be changed by writing a machine again: tags and identities. All else must be as it was. */
function planUpdate(compute: Compute, write: Write, existing: Resource): WritePlan {
  const before = objectAt(existing.body, 'identity');
  const identity = plannedIdentity(compute.env, objectAt(write.body, 'identity'), {
    vmId: existing.id,
    before,
  });
  const body = without(without(existing.body, 'identity'), 'tags');
  return {
    body: identity === undefined ? body : { ...body, identity },
    finish: (vm) => {
      compute.events.emit({ kind: 'updated', vm: machineFrom(compute.env, vm) });
      return undefined;
    },
  };
}

function checkUnchanged({ body }: Write, existing: Resource): void {
  const [asked, current] = [readVm(body), readVm(existing.body)];
  const data = stringAt(asked.osProfile, 'customData');
  if (!sameJson([...asked.zones], [...current.zones])) throw propertyChangeNotAllowed('zones');
  if (asked.size.toLowerCase() !== current.size.toLowerCase()) {
    throw propertyChangeNotAllowed('hardwareProfile.vmSize');
  }
  if (asked.priority !== current.priority) throw propertyChangeNotAllowed('priority');
  if (data !== undefined && data !== stringAt(existing.hidden, 'customData')) {
    throw propertyChangeNotAllowed('osProfile.customData');
  }
  if (asked.image !== undefined && !isSameImage(asked.image, current.image)) {
    throw propertyChangeNotAllowed('imageReference');
  }
}

function isSameImage(asked: JsonObject, current: JsonObject | undefined): boolean {
  return ['id', 'communityGalleryImageId', 'sharedGalleryImageId'].every(
    (field) => textAt(asked, field).toLowerCase() === textAt(current, field).toLowerCase(),
  );
}

/** PATCH: tags as a whole, identities by addition, nothing else. */
export function planVmPatch(
  compute: Compute,
  write: Write & { readonly existing: Resource },
): WritePlan {
  const { existing, body } = write;
  const properties = objectAt(body, 'properties') ?? {};
  for (const field of Object.keys(properties)) {
    if (!sameJson(properties[field], at(existing.body, 'properties', field))) {
      throw propertyChangeNotAllowed(field);
    }
  }
  const identity = plannedIdentity(compute.env, objectAt(body, 'identity'), {
    vmId: existing.id,
    before: objectAt(existing.body, 'identity'),
  });
  const tags = objectAt(body, 'tags') ?? objectAt(existing.body, 'tags');
  return {
    body: {
      ...without(existing.body, 'identity'),
      ...(tags === undefined ? {} : { tags }),
      ...(identity === undefined ? {} : { identity }),
    },
    finish: (vm) => {
      compute.events.emit({ kind: 'updated', vm: machineFrom(compute.env, vm) });
      return undefined;
    },
  };
}
