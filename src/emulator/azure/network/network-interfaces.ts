// Network interfaces. In: IP configurations with their subnet, backend pools and security group. Out: the interface
// with its addresses. All it names must exist in its region; addresses are taken all or not at all, and go back when
// it goes.
import { randomUuid } from '../../../base/uuid.ts';
import { objectAt, objectsAt, stringAt, textAt, type JsonObject } from '../../kube/json.ts';
import type { LinkedAccess } from '../authorization/access.ts';
import { managedType, type Write, type WritePlan } from '../arm/managed-type.ts';
import type { ResourceType } from '../arm/arm-call.ts';
import type { AzureEnvironment } from '../environment.ts';
import { ArmError, invalidParameter } from '../errors.ts';
import type { Resource } from '../store.ts';
import { networkNameRule, nicInUse, nicReserved, subnetIsFull } from './errors.ts';
import { parseAddress, type Prefix } from './ipv4.ts';
import { machineOf, reservationOf } from './nic-attachment.ts';
import { checkPartNames } from './part-names.ts';
import { referenceAt, requireReference } from './references.ts';
import type { SubnetAddresses } from './subnet-addresses.ts';
import { prefixOf, subnetType } from './subnets.ts';

export const networkInterfaceType = 'Microsoft.Network/networkInterfaces';

const securityGroupType = 'Microsoft.Network/networkSecurityGroups';
const backendPoolType = 'Microsoft.Network/loadBalancers/backendAddressPools';
const publicAddressType = 'Microsoft.Network/publicIPAddresses';

export function networkInterfaces(env: AzureEnvironment, addresses: SubnetAddresses): ResourceType {
  const random = env.random.fork();
  return managedType(env, {
    type: networkInterfaceType,
    name: networkNameRule,
    etagField: 'etag',
    patch: 'tags',
    links: (write) => links(write.body),
    plan: (write) => plan(env, addresses, { write, newGuid: () => randomUuid(random) }),
    checkRemoval: (nic) => checkFree(env, nic),
    removed: (nic) => {
      for (const id of configurationIds(nic)) addresses.release(id);
    },
  });
}

function configurations(body: JsonObject): readonly JsonObject[] {
  return objectsAt(body, 'properties', 'ipConfigurations');
}

function configurationIds({ id, body }: Resource): string[] {
  return configurations(body).map((one) => configurationId(id, one));
}

function configurationId(nicId: string, configuration: JsonObject): string {
  return `${nicId}/ipConfigurations/${textAt(configuration, 'name')}`;
}

/** To stand in a subnet, behind a pool or under a security group takes a right on that, too. */
function links(body: JsonObject): LinkedAccess[] {
  const targets = new Map<string, string>();
  for (const one of configurations(body)) {
    const subnet = referenceAt(one, 'subnet');
    if (subnet !== undefined) targets.set(subnet, `${subnetType}/join/action`);
    for (const pool of objectsAt(one, 'properties', 'loadBalancerBackendAddressPools')) {
      targets.set(textAt(pool, 'id'), `${backendPoolType}/join/action`);
    }
  }
  const group = referenceAt(body, 'networkSecurityGroup');
  if (group !== undefined) targets.set(group, `${securityGroupType}/join/action`);
  return [...targets].map(([scope, action]) => ({ scope, action }));
}

function plan(
  env: AzureEnvironment,
  addresses: SubnetAddresses,
  { write, newGuid }: { readonly write: Write; readonly newGuid: () => string },
): WritePlan {
  const { body, existing, id, location } = write;
  const wanted = configurations(body);
  checkConfigurations(wanted, id);
  const group = referenceAt(body, 'networkSecurityGroup');
  if (group !== undefined) {
    requireReference(env, { id: group, type: securityGroupType, from: id, location });
  }
  for (const one of wanted) checkReferences(env, one, { id, location });
  const placed = takeAddresses(env, addresses, { id, wanted, existing });
  const properties = objectAt(body, 'properties') ?? {};
  const kept = keptProperties(existing);
  return {
    body: {
      properties: {
        enableAcceleratedNetworking: false,
        vnetEncryptionSupported: false,
        disableTcpStateTracking: false,
        enableIPForwarding: false,
        hostedWorkloads: [],
        tapConfigurations: [],
        dnsSettings: { dnsServers: [], appliedDnsServers: [] },
        nicType: 'Standard',
        allowPort25Out: false,
        resourceGuid: newGuid(),
        ...properties,
        ...kept,
        ipConfigurations: placed,
      },
    },
  };
}

/** What a client cannot set. */
function keptProperties(existing: Resource | undefined): JsonObject {
  const properties = objectAt(existing?.body, 'properties') ?? {};
  const kept = ['resourceGuid', 'macAddress', 'virtualMachine', 'primary'].flatMap((field) => {
    const value = properties[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(kept);
}

function checkConfigurations(wanted: readonly JsonObject[], nicId: string): void {
  if (wanted.length === 0) {
    throw new ArmError(
      400,
      'NetworkInterfaceMustHaveAtLeastOneIpConfig',
      `Network interface ${nicId} must have at least one IP configuration.`,
    );
  }
  checkPartNames(nicId, 'ipConfigurations', wanted);
  if (wanted.some((one) => stringAt(one, 'properties', 'privateIPAddressVersion') === 'IPv6')) {
    throw invalidParameter('privateIPAddressVersion', 'This emulator gives IPv4 addresses only.');
  }
  const primaries = wanted.filter((one) => objectAt(one, 'properties')?.['primary'] === true);
  if (wanted.length > 1 && primaries.length !== 1) {
    throw new ArmError(
      400,
      'NetworkInterfaceMustHaveOnePrimaryIpConfig',
      `Network interface ${nicId} with more than one IP configuration must have exactly one of them primary.`,
    );
  }
}

function checkReferences(
  env: AzureEnvironment,
  configuration: JsonObject,
  nic: { readonly id: string; readonly location: string },
): void {
  const from = configurationId(nic.id, configuration);
  for (const pool of objectsAt(configuration, 'properties', 'loadBalancerBackendAddressPools')) {
    const id = textAt(pool, 'id');
    requireReference(env, { id, type: backendPoolType, from, location: nic.location });
  }
  const address = referenceAt(configuration, 'publicIPAddress');
  if (address === undefined) return;
  requireReference(env, { id: address, type: publicAddressType, from, location: nic.location });
}

interface Placement {
  readonly subnet: Resource;
  readonly prefix: Prefix;
}

function placementOf(env: AzureEnvironment, configuration: JsonObject, nicId: string): Placement {
  const subnetId = referenceAt(configuration, 'subnet');
  if (subnetId === undefined) {
    throw new ArmError(
      400,
      'SubnetNotProvided',
      `IP configuration ${configurationId(nicId, configuration)} must reference a subnet.`,
    );
  }
  const from = configurationId(nicId, configuration);
  const subnet = requireReference(env, { id: subnetId, type: subnetType, from });
  const prefix = prefixOf(subnet.body);
  if (prefix === undefined) throw subnetIsFull(subnet.name, '', 1);
  return { subnet, prefix };
}

/** All configurations with their addresses; on any refusal none of the new ones is kept. */
function takeAddresses(
  env: AzureEnvironment,
  addresses: SubnetAddresses,
  options: {
    readonly id: string;
    readonly wanted: readonly JsonObject[];
    readonly existing: Resource | undefined;
  },
): JsonObject[] {
  const { id, wanted, existing } = options;
  const before = new Set(existing === undefined ? [] : configurationIds(existing));
  const places = wanted.map((one) => placementOf(env, one, id));
  const fresh: string[] = [];
  try {
    const placed = wanted.map((one, index) => {
      const owner = configurationId(id, one);
      if (!before.has(owner)) fresh.push(owner);
      return withAddress(addresses, one, { owner, ...(places[index] as Placement) });
    });
    const kept = new Set(wanted.map((one) => configurationId(id, one)));
    for (const owner of before) if (!kept.has(owner)) addresses.release(owner);
    return placed;
  } catch (error) {
    for (const owner of fresh) addresses.release(owner);
    throw error;
  }
}

function withAddress(
  addresses: SubnetAddresses,
  configuration: JsonObject,
  place: Placement & { readonly owner: string },
): JsonObject {
  const { subnet, prefix, owner } = place;
  const properties = objectAt(configuration, 'properties') ?? {};
  const isStatic = stringAt(properties, 'privateIPAllocationMethod')?.toLowerCase() === 'static';
  const asked = stringAt(properties, 'privateIPAddress');
  if (isStatic && asked !== undefined) takeStatic(addresses, asked, place);
  const address =
    isStatic && asked !== undefined ? asked : addresses.take(subnet.id, prefix, owner);
  if (address === undefined) throw subnetIsFull(subnet.name, prefix.text, 1);
  return {
    ...configuration,
    id: owner,
    type: `${networkInterfaceType}/ipConfigurations`,
    properties: {
      privateIPAddressVersion: 'IPv4',
      primary: false,
      ...properties,
      privateIPAddress: address,
      privateIPAllocationMethod: isStatic ? 'Static' : 'Dynamic',
      subnet: { id: subnet.id },
      provisioningState: 'Succeeded',
    },
  };
}

function takeStatic(
  addresses: SubnetAddresses,
  asked: string,
  { subnet, prefix, owner }: Placement & { readonly owner: string },
): void {
  const address = parseAddress(asked);
  if (address === undefined || address < prefix.first || address > prefix.last) {
    throw new ArmError(
      400,
      'PrivateIPAddressNotInSubnet',
      `Private static IP address ${asked} does not belong to the range of subnet prefix ${prefix.text}.`,
    );
  }
  if (addresses.takeExactly(subnet.id, prefix, { owner, address })) return;
  const isReserved = address < prefix.first + 4 || address === prefix.last;
  throw new ArmError(
    400,
    isReserved ? 'PrivateIPAddressInReservedRange' : 'PrivateIPAddressInUse',
    isReserved
      ? `Private static IP address ${asked} falls within reserved IP range of subnet prefix ${prefix.text}.`
      : `IP configuration ${owner} is using the private IP address ${asked} which is already allocated to another resource.`,
  );
}

function checkFree(env: AzureEnvironment, nic: Resource): void {
  const vmId = machineOf(nic);
  if (vmId !== undefined) throw nicInUse(nic.id, vmId);
  const reservation = reservationOf(env, nic);
  if (reservation !== undefined) throw nicReserved(nic.id, reservation.vmId, reservation.seconds);
}
