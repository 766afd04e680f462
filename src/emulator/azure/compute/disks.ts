// Managed disks. In: empty disks by request, OS disks by their machine. Out: the disk, and whose it is. One that a
// machine has cannot be deleted on its own.
import { randomUuid } from '../../../base/uuid.ts';
import { numberAt, objectAt, stringAt, type JsonObject } from '../../kube/json.ts';
import type { ResourceType } from '../arm/arm-call.ts';
import { managedType } from '../arm/managed-type.ts';
import type { AzureEnvironment } from '../environment.ts';
import { invalidParameter } from '../errors.ts';
import type { Resource } from '../store.ts';
import { operationNotAllowed } from './errors.ts';

export const diskType = 'Microsoft.Compute/disks';

export const diskNameRule = {
  pattern: /^[A-Za-z0-9](?:[\w.-]{0,78}\w)?$/,
  rule: 'The name of a disk has up to 80 characters: letters, digits, underscores, periods and hyphens. It must begin with a letter or number and end with a letter, number or underscore.',
} as const;

export function disks(env: AzureEnvironment): ResourceType {
  const random = env.random.fork();
  return managedType(env, {
    type: diskType,
    patch: 'tags',
    whenBusy: 'preempt',
    name: diskNameRule,
    plan: ({ body, existing }) => {
      const createOption = stringAt(body, 'properties', 'creationData', 'createOption');
      if (createOption !== 'Empty') {
        throw invalidParameter(
          'creationData.createOption',
          'This emulator makes empty disks only: set creationData.createOption to Empty.',
        );
      }
      const before = objectAt(existing?.body, 'properties');
      return {
        body: {
          sku: { name: 'Premium_LRS', tier: 'Premium', ...objectAt(body, 'sku') },
          ...(body['zones'] === undefined ? {} : { zones: body['zones'] }),
          properties: {
            diskState: 'Unattached',
            timeCreated: new Date(env.clock.now()).toISOString(),
            uniqueId: stringAt(before, 'uniqueId') ?? randomUuid(random),
            ...objectAt(body, 'properties'),
          },
        },
      };
    },
    checkRemoval: ({ name, body }) => {
      const owner = stringAt(body, 'managedBy');
      if (owner !== undefined)
        throw operationNotAllowed(`Disk ${name} is attached to VM ${owner}.`);
    },
  });
}

/** What a machine's own disk looks like. */
export function osDiskBody(env: AzureEnvironment, vm: Resource, osDisk: JsonObject): JsonObject {
  const { zones, location, tags } = vm.body;
  return {
    location: location ?? '',
    ...(zones === undefined ? {} : { zones }),
    ...(tags === undefined ? {} : { tags }),
    managedBy: vm.id,
    sku: {
      name: stringAt(osDisk, 'managedDisk', 'storageAccountType') ?? 'Premium_LRS',
      tier: 'Premium',
    },
    properties: {
      osType: 'Linux',
      creationData: { createOption: 'FromImage' },
      diskSizeGB: numberAt(osDisk, 'diskSizeGB') ?? 30,
      diskState: 'Attached',
      timeCreated: new Date(env.clock.now()).toISOString(),
      uniqueId: randomUuid(env.random),
      provisioningState: 'Succeeded',
    },
  };
}
