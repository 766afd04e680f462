// A cluster and a node of it for tests: a plausible one, and what the test is about instead.
import {
  type AKSNodeClassSpec,
  type AKSNodeClassStatus,
  specOf,
} from '../../api/aks-node-class.ts';
import { azureLabel, label } from '../../api/labels.ts';
import type { NodeClaim } from '../../api/node-claim.ts';
import { createInstanceType, type InstanceType } from '../../model/instance-type.ts';
import { oneOf, type RequirementEntry } from '../../model/requirement.ts';
import { requirementsFromEntries, requirementsOf } from '../../model/requirements.ts';
import { fromResourceList } from '../../model/resources.ts';
import { azureLabelRules } from '../catalog/label-rules.ts';
import type { ClusterNetwork, ClusterSettings, NodePlan } from './node-plan.ts';

export const subnetId =
  '/subscriptions/sub-1/resourceGroups/net-group/providers/Microsoft.Network/virtualNetworks/aks-vnet-12345678/subnets/aks-subnet';

export function testCluster(
  changes: Partial<Omit<ClusterSettings, 'network'>> & { network?: Partial<ClusterNetwork> } = {},
): ClusterSettings {
  return {
    cloud: 'AzurePublicCloud',
    tenantId: 'tenant-1',
    subscriptionId: 'sub-1',
    location: 'southcentralus',
    clusterName: 'cluster-1',
    clusterResourceGroup: 'cluster-group',
    nodeResourceGroup: 'MC_group_cluster',
    apiServerName: 'cluster-1.hcp.southcentralus.azmk8s.io',
    certificateAuthority: 'Y2E=',
    bootstrapToken: 'abcdef.0123456789abcdef',
    kubeletIdentityClientId: 'identity-1',
    adminUsername: 'azureuser',
    additionalTags: {},
    ...changes,
    network: {
      plugin: 'azure',
      pluginMode: 'overlay',
      dataplane: 'cilium',
      policy: 'cilium',
      subnetId,
      vnetGuid: 'guid-1',
      dnsServiceIp: '10.0.0.10',
      networkSecurityGroup: 'aks-agentpool-12345678-nsg',
      ...changes.network,
    },
  };
}

/** As it is stored: with the defaults of the schema filled in. */
export function testClass(
  spec: Partial<AKSNodeClassSpec> = {},
  status: AKSNodeClassStatus = {},
): NodePlan['nodeClass'] & { readonly spec: AKSNodeClassSpec } {
  const metadata = { name: 'default', generation: 1 };
  return { metadata, spec: { ...specOf({ metadata }), ...spec }, status };
}

export interface TestNode {
  readonly spec?: Partial<AKSNodeClassSpec>;
  readonly status?: AKSNodeClassStatus;
  readonly claim?: {
    readonly name?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly spec?: Partial<NodeClaim['spec']>;
  };
  readonly size?: string;
  readonly architecture?: 'amd64' | 'arm64';
  /** What the size calls its GPUs. */
  readonly gpu?: string;
  readonly memoryMiB?: number;
  readonly plan?: Partial<NodePlan>;
}

export function testPlan(node: TestNode = {}): NodePlan {
  const nodeClass = testClass(node.spec, node.status);
  const entries: readonly RequirementEntry[] = node.claim?.spec?.requirements ?? [];
  return {
    nodeClass,
    nodeClaim: {
      metadata: {
        name: node.claim?.name ?? 'default-a1b2c',
        labels: node.claim?.labels ?? { 'karpenter.sh/nodepool': 'default' },
      },
      spec: {
        nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' },
        requirements: [],
        ...node.claim?.spec,
      } as NodeClaim['spec'],
    },
    kubernetesVersion: '1.33.2',
    imageId:
      '/subscriptions/aks/resourceGroups/AKS-Ubuntu/providers/Microsoft.Compute/galleries/AKSUbuntu/images/2204gen2containerd/versions/202601.01.0',
    instanceType: typeOf(node, nodeClass),
    requirements: requirementsFromEntries(azureLabelRules, entries),
    capacityType: 'on-demand',
    zone: 'southcentralus-2',
    ultraSsd: false,
    ephemeralOsDisk: false,
    ...node.plan,
  };
}

function typeOf(node: TestNode, nodeClass: NodePlan['nodeClass']): InstanceType {
  const { size = 'Standard_D4s_v5', architecture = 'amd64', gpu, memoryMiB = 16_384 } = node;
  const isFips = specOf(nodeClass).fipsMode === 'FIPS';
  const single: Readonly<Record<string, string>> = {
    [label.instanceType]: size,
    [label.arch]: architecture,
    [label.os]: 'linux',
    [label.region]: 'southcentralus',
    [azureLabel.skuName]: size,
    [azureLabel.skuFamily]: 'D',
    [azureLabel.skuSeries]: 'Ds_v5',
    [azureLabel.skuVersion]: '5',
    [azureLabel.skuCpu]: '4',
    [azureLabel.aksSkuCpu]: '4',
    [azureLabel.skuMemory]: String(memoryMiB),
    [azureLabel.aksSkuMemory]: String(memoryMiB),
    [azureLabel.skuAcceleratedNetworking]: 'true',
    [azureLabel.skuPremiumStorage]: 'true',
    [azureLabel.skuEphemeralOsMaxSize]: '128',
    [azureLabel.skuGpuCount]: gpu === undefined ? '0' : '1',
    [azureLabel.cluster]: 'MC_group_cluster',
    [azureLabel.osSku]: specOf(nodeClass).imageFamily === 'AzureLinux' ? 'AzureLinux' : 'Ubuntu',
  };
  return createInstanceType({
    name: size,
    requirements: requirementsOf([
      ...Object.entries(single).map(([key, value]) => oneOf(key, [value])),
      oneOf(label.zone, ['southcentralus-1', 'southcentralus-2', '0']),
      oneOf(label.capacityType, ['on-demand', 'spot']),
      oneOf(azureLabel.placementScope, ['zonal', 'regional']),
      oneOf(azureLabel.skuUltraSsd, ['true', 'false']),
      oneOf(azureLabel.skuHyperVGeneration, ['1', '2']),
      oneOf(azureLabel.mode, ['system', 'user']),
      oneOf(azureLabel.scaleSetPriority, ['regular', 'spot']),
      oneOf(azureLabel.priority, ['regular', 'spot']),
      oneOf(azureLabel.fipsEnabled, isFips ? ['true'] : []),
      oneOf(azureLabel.skuGpuManufacturer, gpu === undefined ? [] : ['nvidia']),
      oneOf(azureLabel.skuGpuName, gpu === undefined ? [] : [gpu]),
    ]),
    offerings: [],
    capacity: fromResourceList({ cpu: '4', memory: '15155Mi', pods: '250' }),
    overhead: {
      kubeReserved: fromResourceList({ cpu: '140m', memory: '2662Mi' }),
      systemReserved: fromResourceList({ cpu: '0', memory: '0' }),
      evictionThreshold: fromResourceList({ memory: '750Mi' }),
    },
  });
}
