// A cluster to test against: one system pool without nodes to wait for long, and a pool for machines. In: what a test wants
// different. Out: the Azure with the cluster in it, and bodies for machines as a provisioner writes them.
import type { JsonObject } from '../../kube/json.ts';
import {
  subscriptionId,
  testAzure,
  testImages,
  testSizes,
  type TestAzure,
} from '../azure-fixture.ts';
import type { AzureOptions } from '../azure.ts';

export const location = 'southcentralus';
export const nodeGroup = 'MC_main_prod_southcentralus';
export const clusterId = `/subscriptions/${subscriptionId}/resourceGroups/main/providers/Microsoft.ContainerService/managedClusters/prod`;
export const version = 'api-version=2026-05-02-preview';

export const testKubeconfig = 'apiVersion: v1\nkind: Config\n';

export function nodeGroupPath(type: string): string {
  return `/subscriptions/${subscriptionId}/resourceGroups/${nodeGroup}/providers/${type}`;
}

/** As `az aks create` with node auto provisioning writes it, with fewer nodes. */
export function clusterBody(changes: JsonObject = {}): JsonObject {
  return {
    location,
    identity: { type: 'SystemAssigned' },
    sku: { name: 'Base', tier: 'Free' },
    properties: {
      kubernetesVersion: '',
      dnsPrefix: 'prod-main-111111',
      enableRBAC: true,
      agentPoolProfiles: [
        {
          name: 'nodepool1',
          count: 1,
          vmSize: '',
          orchestratorVersion: '',
          osType: 'Linux',
          type: 'VirtualMachineScaleSets',
          mode: 'System',
        },
      ],
      networkProfile: {
        networkPlugin: 'azure',
        networkPluginMode: 'overlay',
        networkDataplane: 'cilium',
        loadBalancerSku: 'standard',
        outboundType: 'loadBalancer',
      },
      nodeProvisioningProfile: { mode: 'Auto' },
      oidcIssuerProfile: { enabled: true },
      ...changes,
    },
  };
}

/** As our provisioner writes it. */
export function machineBody(
  changes: JsonObject = {},
  zones: readonly string[] = ['1'],
): JsonObject {
  return {
    zones,
    properties: {
      nodeImageVersion: 'AKSUbuntu-2204gen2containerd-202502.09.0',
      network: {},
      hardware: { vmSize: 'Standard_D2s_v3', ultraSsdEnabled: false },
      operatingSystem: {
        osType: 'Linux',
        osSKU: 'Ubuntu2204',
        osDiskSizeGB: 128,
        osDiskType: 'Managed',
        enableFIPS: false,
      },
      kubernetes: {
        nodeLabels: { 'karpenter.sh/nodepool': 'default' },
        orchestratorVersion: '1.35.4',
        nodeInitializationTaints: ['karpenter.sh/unregistered:NoExecute'],
        nodeTaints: [],
      },
      mode: 'User',
      security: {
        sshAccess: 'LocalUser',
        enableEncryptionAtHost: false,
        enableVTPM: false,
        enableSecureBoot: false,
      },
      priority: 'Regular',
      tags: {
        'karpenter.sh_nodepool': 'default',
        'karpenter.azure.com_aksmachine_nodeclaim': 'default-abcde',
      },
      ...changes,
    },
  };
}

export async function azureWithGroup(changes: Partial<AzureOptions> = {}): Promise<TestAzure> {
  const azure = testAzure({
    sizes: testSizes,
    images: testImages,
    throttling: 'off',
    containerService: {
      clusterAccess: () => ({
        kubeconfig: testKubeconfig,
        apiServer: '127.0.0.1:6443',
        caCertificate: 'a certificate',
        bootstrapToken: 'abcdef.0123456789abcdef',
      }),
    },
    ...changes,
  });
  const group = `/subscriptions/${subscriptionId}/resourceGroups/main?api-version=2024-11-01`;
  await azure.send('PUT', group, { location });
  return azure;
}

/** With the pool `machines`. */
export async function azureWithCluster(changes: Partial<AzureOptions> = {}): Promise<TestAzure> {
  const azure = await azureWithGroup(changes);
  await azure.finish('PUT', `${clusterId}?${version}`, clusterBody());
  await azure.finish('PUT', `${poolPath('machines')}?${version}`, {
    properties: { mode: 'Machines' },
  });
  return azure;
}

export function poolPath(name: string): string {
  return `${clusterId}/agentPools/${name}`;
}

export function machinePath(name: string): string {
  return `${poolPath('machines')}/machines/${name}?${version}`;
}
