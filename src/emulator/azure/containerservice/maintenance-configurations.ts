// Maintenance configurations of a cluster: when AKS may upgrade it. In: windows by week or by schedule. Out: them again. Nothing
// is upgraded by itself here; who reads them is the provisioner of nodes, to know when new images may be taken.
import { objectAt, objectsAt, textAt, without, type JsonObject } from '../../kube/json.ts';
import type { ResourceType } from '../arm/arm-call.ts';
import { managedType } from '../arm/managed-type.ts';
import { nameOf } from '../arm/resource-id.ts';
import { managedClusterType } from './cluster.ts';
import type { ContainerService } from './container-service.ts';
import { badRequest, notFound } from './errors.ts';

const scheduled = new Set(['aksManagedAutoUpgradeSchedule', 'aksManagedNodeOSUpgradeSchedule']);
const names = ['default', ...scheduled];

export function maintenanceConfigurations({ env }: ContainerService): ResourceType {
  return managedType(env, {
    type: `${managedClusterType}/maintenanceConfigurations`,
    isTracked: false,
    removesAtOnce: true,
    notFound: (call) => notFound('maintenance configuration', nameOf(call.path)),
    plan: ({ name, body }) => {
      if (!names.includes(name)) {
        throw badRequest(
          `The maintenance configuration name '${name}' is not valid. Valid names are: ${names.join(', ')}.`,
        );
      }
      const properties = objectAt(body, 'properties') ?? {};
      if (scheduled.has(name)) checkWindow(properties);
      else checkWeek(properties);
      return { isImmediate: true, body: { properties } };
    },
    show: ({ body }) => ({
      properties: without(objectAt(body, 'properties') ?? {}, 'provisioningState'),
    }),
  });
}

function checkWindow(properties: JsonObject): void {
  const window = objectAt(properties, 'maintenanceWindow');
  const schedules = Object.keys(objectAt(window, 'schedule') ?? {});
  const hours = window?.['durationHours'];
  if (schedules.length !== 1) {
    throw badRequest('maintenanceWindow.schedule must have exactly one kind of schedule.');
  }
  if (typeof hours !== 'number' || hours < 4 || hours > 24) {
    throw badRequest('maintenanceWindow.durationHours must be from 4 to 24.');
  }
  if (/^\d\d:\d\d$/.test(textAt(window, 'startTime'))) return;
  throw badRequest('maintenanceWindow.startTime must be given as HH:MM.');
}

function checkWeek(properties: JsonObject): void {
  const days = objectsAt(properties, 'timeInWeek');
  if (days.length > 0 || objectsAt(properties, 'notAllowedTime').length > 0) return;
  throw badRequest('timeInWeek or notAllowedTime must have at least one entry.');
}
