// Subnets. In: an address prefix within the network's space, and what applies to it: security group, routes,
// delegation. Out: the subnet with everything that has an address in it. No two of a network overlap; one in use
// neither goes nor moves.
import { listAt, objectAt, stringAt, textAt, type JsonObject } from '../../kube/json.ts';
import { managedType } from '../arm/managed-type.ts';
import type { ResourceType } from '../arm/arm-call.ts';
import { parentOf, parseResourceId } from '../arm/resource-id.ts';
import type { AzureEnvironment } from '../environment.ts';
import { ArmError, requiredParameter } from '../errors.ts';
import type { Resource } from '../store.ts';
import { addressSpaceOf } from './address-space.ts';
import { childNotFound, networkNameRule, subnetInUse } from './errors.ts';
import { contains, overlaps, parsePrefix, type Prefix } from './ipv4.ts';
import { referenceAt, requireReference } from './references.ts';
import type { SubnetAddresses } from './subnet-addresses.ts';

export const subnetType = 'Microsoft.Network/virtualNetworks/subnets';

export function subnets(env: AzureEnvironment, addresses: SubnetAddresses): ResourceType {
  return managedType(env, {
    type: subnetType,
    name: networkNameRule,
    etagField: 'etag',
    notFound: (call) => childNotFound(call.id),
    plan: (write) => {
      const network = env.store.get(networkIdOf(write.id));
      const spaces = addressSpaceOf(network?.body);
      const networkId = network?.id ?? '';
      return {
        body: planSubnet(env, addresses, {
          id: write.id,
          body: write.body,
          network: { id: networkId, spaces, location: textAt(network?.body, 'location') },
          siblings: env.store.list(subnetType, networkId),
        }),
      };
    },
    checkRemoval: (subnet) => {
      const [owner] = addresses.ownersIn(subnet.id);
      if (owner !== undefined) throw subnetInUse(subnet.name, owner);
    },
    show: (subnet) => ({
      properties: shownProperties(addresses, subnet),
    }),
  });
}

export interface SubnetDraft {
  readonly id: string;
  readonly body: JsonObject;
  readonly network: {
    readonly id: string;
    readonly spaces: readonly Prefix[];
    readonly location: string;
  };
  /** All of the network, this one too. */
  readonly siblings: readonly Pick<Resource, 'id' | 'name' | 'body'>[];
}

/** The checked body of a subnet. */
export function planSubnet(
  env: AzureEnvironment,
  addresses: SubnetAddresses,
  draft: SubnetDraft,
): JsonObject {
  const { id, body, network } = draft;
  const name = id.split('/').at(-1) ?? '';
  const prefix = checkedPrefix(draft, name);
  const before = env.store.get(id);
  const isMoved = before !== undefined && prefixOf(before.body)?.text !== prefix.text;
  if (isMoved && addresses.ownersIn(id).length > 0) {
    throw new ArmError(
      400,
      'InUsePrefixCannotBeDeleted',
      `IpPrefix ${prefixOf(before.body)?.text ?? ''} on Subnet ${name} has active allocations and cannot be deleted.`,
    );
  }
  for (const [field, type] of Object.entries(linkTypes)) {
    const target = referenceAt(body, field);
    if (target === undefined) continue;
    requireReference(env, { id: target, type, from: id, location: network.location });
  }
  return {
    properties: {
      delegations: [],
      privateEndpointNetworkPolicies: 'Disabled',
      privateLinkServiceNetworkPolicies: 'Enabled',
      ...objectAt(body, 'properties'),
    },
  };
}

const linkTypes = {
  networkSecurityGroup: 'Microsoft.Network/networkSecurityGroups',
  routeTable: 'Microsoft.Network/routeTables',
} as const;

function checkedPrefix(draft: SubnetDraft, name: string): Prefix {
  const { body, network, siblings } = draft;
  const networkName = network.id.split('/').at(-1) ?? '';
  const text = prefixText(body);
  if (text === undefined) throw requiredParameter('properties.addressPrefix');
  const prefix = parsePrefix(text);
  if (prefix === undefined) {
    throw new ArmError(
      400,
      'InvalidCIDRNotation',
      `The address prefix ${text} in resource ${draft.id} has an invalid CIDR notation. For the given prefix length, the address prefix should be aligned to it.`,
    );
  }
  if (!network.spaces.some((space) => contains(space, prefix))) {
    throw new ArmError(
      400,
      'NetcfgSubnetRangeOutsideVnet',
      `Subnet '${name}' is not valid because its IP address range is outside the IP address range of virtual network '${networkName}'.`,
    );
  }
  for (const sibling of siblings) {
    const other = prefixOf(sibling.body);
    const isOther = sibling.id.toLowerCase() !== draft.id.toLowerCase();
    if (!isOther || other === undefined || !overlaps(prefix, other)) continue;
    throw new ArmError(
      400,
      'NetcfgSubnetRangesOverlap',
      `Subnet '${name}' is not valid because its IP address range overlaps with that of an existing subnet in virtual network '${networkName}'.`,
    );
  }
  return prefix;
}

export function prefixOf(body: JsonObject): Prefix | undefined {
  const text = prefixText(body);
  return text === undefined ? undefined : parsePrefix(text);
}

function prefixText(body: JsonObject): string | undefined {
  const [first] = listAt(body, 'properties', 'addressPrefixes');
  return (
    stringAt(body, 'properties', 'addressPrefix') ?? (typeof first === 'string' ? first : undefined)
  );
}

/** As it stands within its network. */
export function shownSubnet(addresses: SubnetAddresses, subnet: Resource): JsonObject {
  const { id, name, type, etag } = subnet;
  const properties = shownProperties(addresses, subnet);
  return { name, id, etag: `W/"${etag}"`, type, properties };
}

function shownProperties(addresses: SubnetAddresses, subnet: Resource): JsonObject {
  const owners = addresses.ownersIn(subnet.id);
  return {
    ...objectAt(subnet.body, 'properties'),
    ...(owners.length === 0 ? {} : { ipConfigurations: owners.map((id) => ({ id })) }),
  };
}

function networkIdOf(subnetId: string): string {
  const parsed = parseResourceId(subnetId);
  return (parsed === undefined ? undefined : parentOf(parsed)) ?? '';
}
