// Public IP addresses. In: a SKU and an allocation method. Out: an address from a documentation range, so that nobody
// can mistake it for a real one. One that a frontend or an interface uses cannot be deleted.
import { randomUuid } from '../../../base/uuid.ts';
import { objectAt, objectsAt, stringAt, textAt, type JsonObject } from '../../kube/json.ts';
import type { ResourceType } from '../arm/arm-call.ts';
import { managedType } from '../arm/managed-type.ts';
import type { AzureEnvironment } from '../environment.ts';
import { ArmError } from '../errors.ts';
import { networkNameRule } from './errors.ts';
import { addressText, parseAddress } from './ipv4.ts';
import { loadBalancerType } from './load-balancers.ts';
import { networkInterfaceType } from './network-interfaces.ts';
import { isSameId, referenceAt } from './references.ts';

const type = 'Microsoft.Network/publicIPAddresses';
const firstAddress = parseAddress('203.0.113.1') ?? 0;

export function publicAddresses(env: AzureEnvironment): ResourceType {
  const random = env.random.fork();
  let given = 0;
  return managedType(env, {
    type,
    name: networkNameRule,
    etagField: 'etag',
    patch: 'tags',
    plan: ({ body, existing }) => {
      const before = objectAt(existing?.body, 'properties');
      return {
        body: {
          sku: { name: 'Standard', tier: 'Regional', ...objectAt(body, 'sku') },
          ...(body['zones'] === undefined ? {} : { zones: body['zones'] }),
          properties: {
            publicIPAddressVersion: 'IPv4',
            publicIPAllocationMethod: 'Static',
            idleTimeoutInMinutes: 4,
            ipTags: [],
            ...objectAt(body, 'properties'),
            ipAddress: stringAt(before, 'ipAddress') ?? addressText(firstAddress + given++),
            resourceGuid: stringAt(before, 'resourceGuid') ?? randomUuid(random),
          },
        },
      };
    },
    show: ({ id, body }) => {
      const user = userOf(env, id);
      if (user === undefined) return body;
      const ipConfiguration = { id: user };
      return { ...body, properties: { ...objectAt(body, 'properties'), ipConfiguration } };
    },
    checkRemoval: ({ id }) => {
      const user = userOf(env, id);
      if (user === undefined) return;
      throw new ArmError(
        400,
        'PublicIPAddressCannotBeDeleted',
        `Public IP address ${id} can not be deleted since it is still allocated to resource ${user}. In order to delete the public IP, disassociate/detach the Public IP address from the resource.  To learn how to do this, see aka.ms/deletepublicip.`,
      );
    },
  });
}

const places = [
  [loadBalancerType, 'frontendIPConfigurations'],
  [networkInterfaceType, 'ipConfigurations'],
] as const;

function userOf(env: AzureEnvironment, id: string): string | undefined {
  for (const [owner, list] of places) {
    for (const resource of env.store.list(owner)) {
      const user = objectsAt(resource.body, 'properties', list).find((one: JsonObject) =>
        isSameId(referenceAt(one, 'publicIPAddress'), id),
      );
      if (user !== undefined) return textAt(user, 'id');
    }
  }
  return undefined;
}
