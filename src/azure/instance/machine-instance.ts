// An AKS machine as an instance. In: what the service answers. Out: the instance, or an error for an answer without the parts by
// which machines are known; and the reason why a machine failed, as Azure itself would have said it.
import { capacityType } from '../../api/labels.ts';
import { CodedError } from '../../base/errors.ts';
import { ArmError } from '../arm/arm-error.ts';
import type { Machine } from '../arm/machines.ts';
import { zoneLabelOf } from '../catalog/zones.ts';
import { type Instance, stateOf, timeOf } from './instance.ts';
import { providerIdOf } from './provider-id.ts';

/** Machines do not say where they are: they are where their cluster is. */
export function instanceOfMachine(machine: Machine, location: string): Instance {
  const { properties = {}, zones } = machine;
  const machineId = required(machine, 'id', machine.id);
  const { status = {} } = properties;
  return {
    kind: 'machine',
    name: machineId.slice(machineId.lastIndexOf('/') + 1),
    machineId,
    providerId: providerIdOf(required(machine, 'resourceId', properties.resourceId)),
    size: required(machine, 'vmSize', properties.hardware?.vmSize),
    zone: zoneLabelOf({ location, zones }),
    // Absent unless Spot.
    capacityType: properties.priority === 'Spot' ? capacityType.spot : capacityType.onDemand,
    imageId: required(machine, 'nodeImageVersion', properties.nodeImageVersion),
    ultraSsd: properties.hardware?.ultraSsdEnabled === true,
    tags: properties.tags ?? {},
    identities: [],
    createdMs: createdOf(required(machine, 'creationTimestamp', status.creationTimestamp)),
    state: stateOf(properties.provisioningState),
    ...(status.driftAction !== undefined && { driftAction: status.driftAction }),
  };
}

/** The service wraps what Compute said; the inner error is the one to learn from. */
export function provisioningErrorOf({ name = '', properties }: Machine): ArmError {
  const error = properties?.status?.provisioningError;
  const { code = 'UnknownError', message = 'the machine failed without saying why' } =
    error?.details?.[0] ?? error ?? {};
  return new ArmError({ status: 0, code, text: message, call: `machine ${name}` });
}

/** Other sources keep hundredths of a second only, and equal times must compare equal. */
function createdOf(timestamp: string): number | undefined {
  const createdMs = timeOf(timestamp);
  return createdMs === undefined ? undefined : Math.trunc(createdMs / 10) * 10;
}

function required(machine: Machine, field: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value;
  throw new CodedError('InstanceUnreadable', 'azure described a machine incompletely', {
    fields: { machine: machine.name ?? machine.id, missing: field },
  });
}
