// What a machine of AKS is made of: an interface, a virtual machine, the extension that makes it a node, the one that bills it.
// In: the machine and its cluster. Out: bodies as AKS writes them. Nothing here touches the store.
import type { Json } from '../../../api/meta.ts';
import {
  at,
  listAt,
  numberAt,
  objectAt,
  stringAt,
  textAt,
  type JsonObject,
} from '../../kube/json.ts';
import { nodeBoot, type BootCluster, type NodeBoot } from '../bootstrapping/node-boot.ts';
import { virtualMachineType } from '../compute/vm/machine.ts';
import type { SizeFacts } from '../facts.ts';
import { networkInterfaceType } from '../network/network-interfaces.ts';
import {
  balancerId,
  defaultMaxPods,
  managedSubnetId,
  nodeResourceId,
  podsUseSubnet,
  sshKeyOf,
  type Cluster,
} from './cluster.ts';
import type { ContainerService } from './container-service.ts';
import type { NodeImage } from './node-images.ts';

export interface MachinePlan {
  readonly service: ContainerService;
  readonly cluster: Cluster;
  readonly pool: string;
  /** The machine as it is stored. */
  readonly machine: JsonObject;
  readonly size: SizeFacts;
  readonly image: NodeImage;
  readonly vmName: string;
}

export const poolTag = 'aks-managed-poolName';

/** A node that nobody logs in to still needs a key. */
const placeholderKey = 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ';

export function vmIdOf({ cluster, vmName }: Pick<MachinePlan, 'cluster' | 'vmName'>): string {
  return nodeResourceId(cluster, virtualMachineType, vmName);
}

/** An interface is named after its virtual machine and lies beside it. */
export function nicIdOf(vmId: string): string {
  return `${vmId.replace(`/${virtualMachineType}/`, `/${networkInterfaceType}/`)}-nic`;
}

function subnetOf({ cluster, machine }: MachinePlan): string {
  return stringAt(machine, 'properties', 'network', 'vnetSubnetID') ?? managedSubnetId(cluster);
}

function maxPodsOf({ cluster, machine }: MachinePlan): number {
  return numberAt(machine, 'properties', 'kubernetes', 'maxPods') ?? defaultMaxPods(cluster);
}

function tagsOf({ machine, pool }: MachinePlan): JsonObject {
  return {
    ...objectAt(machine, 'properties', 'tags'),
    [poolTag]: pool,
  };
}

export function nicBody(plan: MachinePlan): JsonObject {
  const { cluster, size, service } = plan;
  const subnet = { id: subnetOf(plan) };
  const own = balancerId(cluster);
  const pools =
    service.env.store.get(own) === undefined
      ? []
      : ['kubernetes', 'aksOutboundBackendPool'].map((name) => ({
          id: `${own}/backendAddressPools/${name}`,
        }));
  const further = podsUseSubnet(cluster) ? maxPodsOf(plan) - 1 : 0;
  return {
    location: cluster.location,
    tags: tagsOf(plan),
    properties: {
      enableAcceleratedNetworking: size.acceleratedNetworking,
      ipConfigurations: [
        {
          name: 'ipconfig1',
          properties: {
            primary: true,
            subnet,
            privateIPAllocationMethod: 'Dynamic',
            loadBalancerBackendAddressPools: pools,
          },
        },
        ...Array.from({ length: further }, (_, index) => ({
          name: `ipconfig${index + 2}`,
          properties: { primary: false, subnet, privateIPAllocationMethod: 'Dynamic' },
        })),
      ],
    },
  };
}

export function vmBody(plan: MachinePlan, boot: NodeBoot): JsonObject {
  const { cluster, machine, size, vmName } = plan;
  const properties = objectAt(machine, 'properties');
  const isSpot = textAt(properties, 'priority') === 'Spot';
  const zones = listAt(machine, 'zones');
  return {
    location: cluster.location,
    ...(zones.length === 0 ? {} : { zones }),
    tags: tagsOf(plan),
    identity: {
      type: 'UserAssigned',
      userAssignedIdentities: { [cluster.kubeletIdentity.id]: {} },
    },
    properties: {
      hardwareProfile: { vmSize: size.name },
      ...(isSpot
        ? { priority: 'Spot', evictionPolicy: 'Delete', billingProfile: { maxPrice: -1 } }
        : {}),
      storageProfile: { imageReference: imageReference(plan.image), osDisk: osDisk(plan) },
      osProfile: {
        computerName: vmName,
        adminUsername: 'azureuser',
        customData: boot.customData,
        linuxConfiguration: {
          disablePasswordAuthentication: true,
          ssh: {
            publicKeys: [
              {
                path: '/home/azureuser/.ssh/authorized_keys',
                keyData: sshKeyOf(cluster) ?? placeholderKey,
              },
            ],
          },
        },
      },
      networkProfile: {
        networkInterfaces: [
          {
            id: nicIdOf(vmIdOf(plan)),
            properties: { primary: true, deleteOption: 'Delete' },
          },
        ],
      },
      ...securityOf(properties),
    },
  };
}

function imageReference(image: NodeImage): JsonObject {
  const { facts, sku, version } = image;
  return isShared(image)
    ? { id: `${facts.gallery}/images/${sku}/versions/${version}` }
    : {
        communityGalleryImageId: `/CommunityGalleries/${facts.gallery}/images/${sku}/versions/${version}`,
      };
}

/** In a gallery of a subscription, not of the community. */
export function isShared({ facts }: NodeImage): boolean {
  return facts.gallery.startsWith('/');
}

function osDisk({ machine, vmName }: MachinePlan): JsonObject {
  const system = objectAt(machine, 'properties', 'operatingSystem');
  const common = {
    name: `${vmName}_OsDisk`,
    createOption: 'FromImage',
    deleteOption: 'Delete',
    diskSizeGB: numberAt(system, 'osDiskSizeGB') ?? 128,
  };
  return textAt(system, 'osDiskType') === 'Ephemeral'
    ? { ...common, caching: 'ReadOnly', diffDiskSettings: { option: 'Local' } }
    : { ...common, caching: 'ReadWrite', managedDisk: { storageAccountType: 'Premium_LRS' } };
}

function securityOf(properties: JsonObject | undefined): JsonObject {
  const security = objectAt(properties, 'security');
  const [vTpmEnabled, secureBootEnabled] = [
    at(security, 'enableVTPM') === true,
    at(security, 'enableSecureBoot') === true,
  ];
  const profile: JsonObject = {
    ...(at(security, 'enableEncryptionAtHost') === true ? { encryptionAtHost: true } : {}),
    ...(vTpmEnabled || secureBootEnabled
      ? { securityType: 'TrustedLaunch', uefiSettings: { vTpmEnabled, secureBootEnabled } }
      : {}),
  };
  const usesUltra = at(properties, 'hardware', 'ultraSsdEnabled') === true;
  return {
    ...(Object.keys(profile).length === 0 ? {} : { securityProfile: profile }),
    ...(usesUltra ? { additionalCapabilities: { ultraSSDEnabled: true } } : {}),
  };
}

export function bootCluster(service: ContainerService, cluster: Cluster): BootCluster {
  const access = service.accessOf(cluster);
  const overlay = textAt(cluster.network, 'networkPluginMode') === 'overlay';
  return {
    tenantId: service.env.tenantId,
    subscriptionId: cluster.subscriptionId,
    nodeResourceGroup: cluster.nodeResourceGroup,
    location: cluster.location,
    apiServer: access?.apiServer ?? textAt(cluster.properties, 'fqdn'),
    caCertificate: access?.caCertificate ?? '',
    dnsServiceIp: textAt(cluster.network, 'dnsServiceIP'),
    kubeletClientId: cluster.kubeletIdentity.clientId,
    networkPlugin: overlay ? 'none' : textAt(cluster.network, 'networkPlugin'),
  };
}

export function bootOf(plan: MachinePlan): NodeBoot {
  const { service, cluster, machine, size } = plan;
  const kubernetes = objectAt(machine, 'properties', 'kubernetes');
  const taints = [
    ...listAt(kubernetes, 'nodeInitializationTaints'),
    ...listAt(kubernetes, 'nodeTaints'),
  ].filter((taint) => typeof taint === 'string');
  const node = {
    kubernetesVersion: textAt(kubernetes, 'orchestratorVersion'),
    subnetId: subnetOf(plan),
    labels: labelsOf(plan),
    taints: [...new Set(taints)],
    maxPods: maxPodsOf(plan),
    vCpus: size.vCpus,
    memoryGib: size.memoryGiB,
  };
  const token = service.accessOf(cluster)?.bootstrapToken ?? '';
  return nodeBoot(bootCluster(service, cluster), node, token);
}

/** What was asked for, and the labels that are AKS's own. */
function labelsOf({ cluster, machine, pool, image }: MachinePlan): Record<string, string> {
  const properties = objectAt(machine, 'properties');
  const asked = objectAt(properties, 'kubernetes', 'nodeLabels') ?? {};
  const mode = textAt(properties, 'mode') === 'System' ? 'system' : 'user';
  return {
    ...(asked as Record<string, string>),
    agentpool: pool,
    'kubernetes.azure.com/agentpool': pool,
    'kubernetes.azure.com/cluster': cluster.nodeResourceGroup,
    'kubernetes.azure.com/mode': mode,
    'kubernetes.azure.com/node-image-version': image.fullName,
    'kubernetes.azure.com/os-sku': textAt(properties, 'operatingSystem', 'osSKU') || 'Ubuntu',
    'kubernetes.azure.com/role': 'agent',
    ...(textAt(properties, 'priority') === 'Spot'
      ? { 'kubernetes.azure.com/scalesetpriority': 'spot' }
      : {}),
  };
}

export function scriptExtension({ cluster }: MachinePlan, cse: string): Json {
  return extension(cluster, {
    publisher: 'Microsoft.Azure.Extensions',
    type: 'CustomScript',
    typeHandlerVersion: '2.0',
    protectedSettings: { commandToExecute: cse },
  });
}

export function billingExtension({ cluster }: MachinePlan): Json {
  return extension(cluster, {
    publisher: 'Microsoft.AKS',
    type: 'Compute.AKS.Linux.Billing',
    typeHandlerVersion: '1.0',
    settings: {},
  });
}

function extension({ location }: Cluster, properties: JsonObject): Json {
  return { location, properties: { autoUpgradeMinorVersion: true, ...properties } };
}
