// What AKS fills in. In: the properties of a PUT, and those that are there. Out: the properties that are stored: what was asked
// for, Azure's choice where nothing or an empty text was said, and whatever only AKS can set kept as it was.
import { randomUuid } from '../../../base/uuid.ts';
import { at, objectAt, stringAt, textAt, without, type JsonObject } from '../../kube/json.ts';
import type { Write } from '../arm/managed-type.ts';
import type { ClusterAccess, ContainerService } from './container-service.ts';
import { resolveVersion } from './kubernetes-versions.ts';

export function clusterProperties(
  service: ContainerService,
  write: Write,
  suffix: string,
): JsonObject {
  const { name, location, call } = write;
  const asked = withoutEmpty(objectAt(write.body, 'properties') ?? {});
  const before = objectAt(write.existing?.body, 'properties') ?? {};
  const known = { ...before, ...asked };
  const version = resolveVersion(service, textAt(known, 'kubernetesVersion'), name);
  const { resourceGroup, subscriptionId } = call.path;
  const access = service.accessOf({ subscriptionId, resourceGroup, name });
  return {
    enableRBAC: true,
    supportPlan: 'KubernetesOfficial',
    disableLocalAccounts: false,
    servicePrincipalProfile: { clientId: 'msi' },
    workloadAutoScalerProfile: {},
    securityProfile: {},
    metricsProfile: { costAnalysis: { enabled: false } },
    bootstrapProfile: { artifactSource: 'Direct' },
    dnsPrefix: name,
    // Azure cuts the name where a group's may not be longer.
    nodeResourceGroup: `MC_${resourceGroup}_${name}_${location}`.slice(0, 80),
    resourceUID: randomUuid(service.env.random).replaceAll('-', ''),
    ...keptOf(before),
    ...without(asked, 'agentPoolProfiles'),
    kubernetesVersion: version,
    currentKubernetesVersion: version,
    networkProfile: networkProfile({
      ...objectAt(before, 'networkProfile'),
      ...withoutEmpty(objectAt(asked, 'networkProfile') ?? {}),
    }),
    nodeProvisioningProfile: {
      mode: 'Manual',
      defaultNodePools: 'Auto',
      ...objectAt(before, 'nodeProvisioningProfile'),
      ...objectAt(asked, 'nodeProvisioningProfile'),
    },
    oidcIssuerProfile: issuerProfile(service, { known, before, location, access }),
    storageProfile: {
      diskCSIDriver: { enabled: true },
      fileCSIDriver: { enabled: true },
      snapshotController: { enabled: true },
      ...objectAt(asked, 'storageProfile'),
    },
    autoUpgradeProfile: {
      nodeOSUpgradeChannel: 'NodeImage',
      ...objectAt(asked, 'autoUpgradeProfile'),
    },
    ...addresses(stringAt(known, 'dnsPrefix') ?? name, { suffix, location, access }),
    powerState: { code: 'Running' },
    maxAgentPools: 100,
  };
}

/** What a client cannot set, or need not say again. */
function keptOf(before: JsonObject): JsonObject {
  const fields = ['dnsPrefix', 'nodeResourceGroup', 'resourceUID', 'identityProfile'];
  const entries = fields.flatMap((field) => {
    const value = before[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(entries);
}

function addresses(
  dnsPrefix: string,
  cluster: {
    readonly suffix: string;
    readonly location: string;
    readonly access: ClusterAccess | undefined;
  },
): JsonObject {
  const { suffix, location, access } = cluster;
  const host = `${dnsPrefix}-${suffix}`;
  return {
    fqdn: access?.apiServer ?? `${host}.hcp.${location}.azmk8s.io`,
    azurePortalFQDN: `${host}.portal.hcp.${location}.azmk8s.io`,
  };
}

/** An empty text in a request means: you decide. */
function withoutEmpty(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).filter(([, value]) => value !== '' && value !== null),
  );
}

function networkProfile(known: JsonObject): JsonObject {
  // Who names a plugin and no mode wants none.
  const mode = known['networkPlugin'] === undefined ? { networkPluginMode: 'overlay' } : {};
  const profile = {
    networkPlugin: 'azure',
    networkDataplane: 'azure',
    networkPolicy: known['networkDataplane'] === 'cilium' ? 'cilium' : 'none',
    outboundType: 'loadBalancer',
    loadBalancerSku: 'standard',
    ipFamilies: ['IPv4'],
    serviceCidr: '10.0.0.0/16',
    ...mode,
    ...known,
  };
  const { serviceCidr } = profile;
  const podCidr = textAt(profile, 'podCidr') || '10.244.0.0/16';
  const hasPodRange =
    textAt(profile, 'networkPluginMode') === 'overlay' || profile.networkPlugin === 'kubenet';
  return {
    dnsServiceIP: dnsAddress(serviceCidr),
    ...profile,
    serviceCidrs: [serviceCidr],
    ...(hasPodRange ? { podCidr, podCidrs: [podCidr] } : {}),
  };
}

/** The tenth address of the services. */
function dnsAddress(serviceCidr: string): string {
  const [address = ''] = serviceCidr.split('/');
  return [...address.split('.').slice(0, 3), '10'].join('.');
}

function issuerProfile(
  { env }: ContainerService,
  cluster: {
    readonly known: JsonObject;
    readonly before: JsonObject;
    readonly location: string;
    readonly access: ClusterAccess | undefined;
  },
): JsonObject {
  const { known, before, location, access } = cluster;
  if (at(known, 'oidcIssuerProfile', 'enabled') !== true) return { enabled: false };
  const made = `https://${location}.oic.prod-aks.azure.com/${env.tenantId}/${randomUuid(env.random)}/`;
  const kept = stringAt(before, 'oidcIssuerProfile', 'issuerURL');
  return { enabled: true, issuerURL: access?.issuerUrl ?? kept ?? made };
}
