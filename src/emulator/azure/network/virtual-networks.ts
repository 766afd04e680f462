// Virtual networks. In: an address space, and subnets written inside. Out: the network with its subnets, which are
// resources of their own: a write that names subnets adds and changes those, and removes the ones it leaves out; a
// write that does not speak of subnets leaves them alone.
import { randomUuid } from '../../../base/uuid.ts';
import type { Json } from '../../../api/meta.ts';
import {
  at,
  isArray,
  objectAt,
  objectsAt,
  stringAt,
  textAt,
  type JsonObject,
} from '../../kube/json.ts';
import { managedType, type Write, type WritePlan } from '../arm/managed-type.ts';
import type { ResourceType } from '../arm/arm-call.ts';
import type { AzureEnvironment } from '../environment.ts';
import type { Resource } from '../store.ts';
import { networkNameRule, subnetInUse } from './errors.ts';
import { addressSpaceOf } from './address-space.ts';
import { checkPartNames } from './part-names.ts';
import type { SubnetAddresses } from './subnet-addresses.ts';
import { planSubnet, shownSubnet, subnetType } from './subnets.ts';

const virtualNetworkType = 'Microsoft.Network/virtualNetworks';

export function virtualNetworks(env: AzureEnvironment, addresses: SubnetAddresses): ResourceType {
  const random = env.random.fork();
  return managedType(env, {
    type: virtualNetworkType,
    name: networkNameRule,
    etagField: 'etag',
    patch: 'tags',
    plan: (write) => plan(env, addresses, { write, newGuid: () => randomUuid(random) }),
    checkRemoval: (network) => {
      for (const subnet of env.store.list(subnetType, network.id)) checkEmpty(addresses, subnet);
    },
    show: (network) => ({
      ...network.body,
      properties: {
        ...objectAt(network.body, 'properties'),
        subnets: env.store
          .list(subnetType, network.id)
          .map((subnet) => shownSubnet(addresses, subnet) as Json),
      },
    }),
  });
}

function plan(
  env: AzureEnvironment,
  addresses: SubnetAddresses,
  { write, newGuid }: { readonly write: Write; readonly newGuid: () => string },
): WritePlan {
  const { body, existing } = write;
  const spaces = addressSpaceOf(body);
  const asked = at(body, 'properties', 'subnets');
  const inline = objectsAt(body, 'properties', 'subnets');
  checkPartNames(write.id, 'subnets', inline);
  const named = new Set(inline.map((subnet) => textAt(subnet, 'name').toLowerCase()));
  const current = existing === undefined ? [] : env.store.list(subnetType, existing.id);
  const others = current.filter((subnet) => !named.has(subnet.name.toLowerCase()));
  const dropped = isArray(asked) ? others : [];
  for (const subnet of dropped) checkEmpty(addresses, subnet);
  // Subnets that the write does not speak of must fit into the network as it is to be, too.
  const kept = isArray(asked) ? [] : others;
  const wanted = [...kept, ...toSiblings(inline, write.id)];
  const network = { id: write.id, spaces, location: write.location };
  const planned = wanted.map(({ id, body }) => ({
    id,
    body: planSubnet(env, addresses, { id, body, network, siblings: wanted }),
  }));
  const properties = objectAt(body, 'properties') ?? {};
  const { subnets: _, ...rest } = properties;
  return {
    body: {
      properties: {
        enableDdosProtection: false,
        virtualNetworkPeerings: [],
        ...rest,
        resourceGuid: stringAt(existing?.body, 'properties', 'resourceGuid') ?? newGuid(),
      },
    },
    accepted: () => {
      for (const subnet of dropped) env.lifecycle.remove(subnet.id);
      for (const subnet of planned) {
        env.lifecycle.save(subnet.id, subnetType, { body: subnet.body });
        env.lifecycle.setState(subnet.id, 'Succeeded');
      }
    },
  };
}

function toSiblings(
  inline: readonly JsonObject[],
  networkId: string,
): Pick<Resource, 'id' | 'name' | 'body'>[] {
  return inline.map((body) => {
    const name = textAt(body, 'name');
    return { id: `${networkId}/subnets/${name}`, name, body };
  });
}

function checkEmpty(addresses: SubnetAddresses, subnet: Resource): void {
  const [owner] = addresses.ownersIn(subnet.id);
  if (owner !== undefined) throw subnetInUse(subnet.name, owner);
}
