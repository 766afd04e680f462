// What a machine can read of itself. In: the stored machine. Out: the document of the metadata service, as far as it is known
// here; what Azure fills in and nobody reads is empty, as it is in Azure for machines that do not have it.
import { listAt, objectAt, objectsAt, stringAt, textAt, type JsonObject } from '../../kube/json.ts';
import type { Compute } from '../compute/compute.ts';
import { machineFrom } from '../compute/vm/machine.ts';
import { parseResourceId, parentOf } from '../arm/resource-id.ts';
import type { AzureEnvironment } from '../environment.ts';
import type { Resource } from '../store.ts';

export function instanceDocument(compute: Compute, vm: Resource): JsonObject {
  return { compute: computePart(compute, vm), network: networkPart(compute.env, vm) };
}

function computePart({ env }: Compute, vm: Resource): JsonObject {
  const machine = machineFrom(env, vm);
  const properties = objectAt(vm.body, 'properties');
  const tags = Object.entries(machine.tags);
  const security = objectAt(properties, 'securityProfile');
  return {
    azEnvironment: 'AzurePublicCloud',
    customData: '',
    evictionPolicy: textAt(properties, 'evictionPolicy'),
    isHostCompatibilityLayerVm: 'false',
    location: machine.location,
    name: machine.name,
    offer: '',
    osProfile: {
      adminUsername: machine.adminUsername,
      computerName: machine.computerName,
      disablePasswordAuthentication: 'true',
    },
    osType: 'Linux',
    placementGroupId: '',
    platformFaultDomain: '0',
    platformUpdateDomain: '0',
    // Nothing for a regular machine, as in Azure.
    priority: machine.priority === 'Spot' ? 'Spot' : '',
    provider: 'Microsoft.Compute',
    publicKeys: publicKeys(properties),
    publisher: '',
    resourceGroupName: machine.resourceGroup,
    resourceId: machine.id,
    securityProfile: {
      secureBootEnabled: flag(security, 'secureBootEnabled'),
      virtualTpmEnabled: flag(security, 'vTpmEnabled'),
      encryptionAtHost: String(security?.['encryptionAtHost'] === true),
    },
    sku: '',
    storageProfile: {
      imageReference: { id: machine.imageId },
      osDisk: {
        name: textAt(properties, 'storageProfile', 'osDisk', 'name'),
        diskSizeGB: String(machine.osDiskSizeGb),
        osType: 'Linux',
      },
      dataDisks: listAt(properties, 'storageProfile', 'dataDisks'),
    },
    subscriptionId: machine.subscriptionId,
    tags: tags.map(([name, value]) => `${name}:${value}`).join(';'),
    tagsList: tags.map(([name, value]) => ({ name, value })),
    version: '',
    vmId: machine.vmId,
    vmScaleSetName: '',
    vmSize: machine.size,
    zone: machine.zone ?? '',
  };
}

function flag(security: JsonObject | undefined, name: string): string {
  return String(objectAt(security, 'uefiSettings')?.[name] === true);
}

function publicKeys(properties: JsonObject | undefined): JsonObject[] {
  return objectsAt(properties, 'osProfile', 'linuxConfiguration', 'ssh', 'publicKeys').map(
    (key) => ({ keyData: textAt(key, 'keyData'), path: textAt(key, 'path') }),
  );
}

function networkPart(env: AzureEnvironment, vm: Resource): JsonObject {
  const references = objectsAt(vm.body, 'properties', 'networkProfile', 'networkInterfaces');
  const nics = references.flatMap((one) => env.store.get(textAt(one, 'id')) ?? []);
  return { interface: nics.map((nic) => interfacePart(env, nic)) };
}

function interfacePart(env: AzureEnvironment, nic: Resource): JsonObject {
  const configurations = objectsAt(nic.body, 'properties', 'ipConfigurations');
  const [first] = configurations;
  return {
    ipv4: {
      ipAddress: configurations.map((one) => ({
        privateIpAddress: textAt(one, 'properties', 'privateIPAddress'),
        publicIpAddress: '',
      })),
      subnet: subnetPart(env, stringAt(first, 'properties', 'subnet', 'id')),
    },
    ipv6: { ipAddress: [] },
    macAddress: textAt(nic.body, 'properties', 'macAddress').replaceAll('-', ''),
  };
}

function subnetPart(env: AzureEnvironment, subnetId: string | undefined): JsonObject[] {
  const parsed = subnetId === undefined ? undefined : parseResourceId(subnetId);
  if (parsed === undefined || parentOf(parsed) === undefined) return [];
  const prefix = textAt(env.store.get(parsed.text)?.body, 'properties', 'addressPrefix');
  const [address = '', length = ''] = prefix.split('/');
  return [{ address, prefix: length }];
}
