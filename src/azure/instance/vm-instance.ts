// A virtual machine of Azure's as an instance. In: what ARM or Resource Graph answers. Out: the instance, or an error for an
// answer without the parts by which machines are known.
import { capacityType } from '../../api/labels.ts';
import { CodedError } from '../../base/errors.ts';
import type { ImageReference, VirtualMachine } from '../arm/virtual-machines.ts';
import { zoneLabelOf } from '../catalog/zones.ts';
import { type Instance, stateOf, timeOf } from './instance.ts';
import { providerIdOf } from './provider-id.ts';

export function instanceOfVm(vm: VirtualMachine): Instance {
  const { id, name, properties = {}, tags = {} } = vm;
  if (id === undefined || name === undefined) {
    throw new CodedError('InstanceUnreadable', 'azure described a virtual machine without a name', {
      fields: { id, name },
    });
  }
  return {
    kind: 'vm',
    // Resource Graph spells names as it likes; ours are in lower case.
    name: name.toLowerCase(),
    providerId: providerIdOf(id.slice(0, id.lastIndexOf('/') + 1) + name.toLowerCase()),
    zone: zoneOf(vm),
    tags,
    identities: Object.keys(vm.identity?.userAssignedIdentities ?? {}),
    createdMs: timeOf(properties.timeCreated),
    state: stateOf(properties.provisioningState),
    ...machineOf(properties),
  };
}

function machineOf(properties: NonNullable<VirtualMachine['properties']>) {
  return {
    size: properties.hardwareProfile?.vmSize ?? '',
    capacityType: properties.priority === 'Spot' ? capacityType.spot : capacityType.onDemand,
    imageId: imageIdOf(properties.storageProfile?.imageReference ?? {}),
    ultraSsd: properties.additionalCapabilities?.ultraSSDEnabled === true,
  };
}

/** A machine in an odd place is still a machine. */
function zoneOf(vm: VirtualMachine): string | undefined {
  try {
    return zoneLabelOf(vm);
  } catch {
    return undefined;
  }
}

function imageIdOf(image: ImageReference): string {
  const { publisher = '', offer = '', sku = '', version = '' } = image;
  const known = image.id ?? image.communityGalleryImageId ?? image.sharedGalleryImageId;
  if (known !== undefined) return known;
  return publisher === '' ? '' : [publisher, offer, sku, version].join(':');
}
