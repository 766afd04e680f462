// The labels with which a node registers. In: the cluster and what was chosen for the node. Out: labels by key, sorted,
// so that equal nodes get equal payloads. Later sources win: what AKS puts on its nodes, labels of the claim, what the
// claim and then the type leave no choice about, and last the offering that was taken.
import { type AKSNodeClassSpec, specOf } from '../../api/aks-node-class.ts';
import { azureLabel, capacityType, label } from '../../api/labels.ts';
import { effectiveOsSku, imageReleaseOf, isFips, isMinorAtLeast } from '../image/image-family.ts';
import type { Requirements } from '../../model/requirements.ts';
import { clusterLabelValue, nodeMode, vmPriority } from '../catalog/label-rules.ts';
import { placementScopeOf } from '../catalog/zones.ts';
import { mayKubeletSet, mayMachineSet } from './kubelet-label.ts';
import { isOverlay } from './network-mode.ts';
import {
  type ClusterSettings,
  isArtifactStreamingOn,
  isLocalDnsEnabled,
  type NodePlan,
} from './node-plan.ts';
import { parseSubnetId } from './subnet-id.ts';

export type Labels = Readonly<Record<string, string>>;

/** Labels of AKS nodes that no instance type speaks about: nothing can be scheduled by them ahead of time. */
const aksNodeLabel = {
  role: 'kubernetes.azure.com/role',
  kubeletIdentityClientId: 'kubernetes.azure.com/kubelet-identity-client-id',
  osSkuRequested: 'kubernetes.azure.com/os-sku-requested',
  osSkuEffective: 'kubernetes.azure.com/os-sku-effective',
  localDnsState: 'kubernetes.azure.com/localdns-state',
  artifactStreaming: 'kubernetes.azure.com/artifactstreaming-enabled',
  networkSubnet: 'kubernetes.azure.com/network-subnet',
  vnetGuid: 'kubernetes.azure.com/nodenetwork-vnetguid',
  overlay: 'kubernetes.azure.com/azure-cni-overlay',
  podNetworkType: 'kubernetes.azure.com/podnetwork-type',
  statelessCni: 'kubernetes.azure.com/network-stateless-cni',
} as const;

/** For machines that boot from our custom data or the bootstrapping service's. */
export function kubeletLabels(cluster: ClusterSettings, plan: NodePlan): Labels {
  return sorted({ ...aksLabels(cluster, plan), ...planLabels(plan) }, mayKubeletSet);
}

/** For AKS machines, whose service adds its own. */
export function machineLabels(plan: NodePlan): Labels {
  return sorted(planLabels(plan), mayMachineSet);
}

/** Also those that the kubelet is not told: the mode of a node is read from here. */
export function isSystemNode(plan: NodePlan): boolean {
  return planLabels(plan)[azureLabel.mode] === nodeMode.system;
}

function aksLabels(cluster: ClusterSettings, plan: NodePlan): Labels {
  const spec = specOf(plan.nodeClass);
  const release = imageReleaseOf(spec, plan.kubernetesVersion);
  return {
    [aksNodeLabel.role]: 'agent',
    [azureLabel.cluster]: clusterLabelValue(cluster.nodeResourceGroup),
    [aksNodeLabel.kubeletIdentityClientId]: cluster.kubeletIdentityClientId,
    [azureLabel.mode]: nodeMode.user,
    // Startup taints are taken off by others; copying taints again at registration would bring them back.
    [label.doNotSyncTaints]: 'true',
    [azureLabel.osSku]: spec.imageFamily === 'AzureLinux' ? 'AzureLinux' : 'Ubuntu',
    [aksNodeLabel.osSkuRequested]: spec.imageFamily,
    [aksNodeLabel.osSkuEffective]: effectiveOsSku(release),
    [aksNodeLabel.localDnsState]: isLocalDnsEnabled(plan.nodeClass) ? 'enabled' : 'disabled',
    ...(isFips(spec) && { [azureLabel.fipsEnabled]: 'true' }),
    ...(isArtifactStreamingOn(plan) && { [aksNodeLabel.artifactStreaming]: 'true' }),
    ...networkLabels(cluster, spec, plan.kubernetesVersion),
  };
}

function networkLabels(
  { network }: ClusterSettings,
  spec: AKSNodeClassSpec,
  kubernetesVersion: string,
): Labels {
  // The agent of cilium runs where this label is.
  const cilium = network.dataplane === 'cilium' ? { [azureLabel.ebpfDataplane]: 'cilium' } : {};
  if (!isOverlay(network)) return cilium;
  return {
    ...cilium,
    [aksNodeLabel.networkSubnet]:
      parseSubnetId(spec.vnetSubnetID ?? network.subnetId)?.subnet ?? '',
    [aksNodeLabel.vnetGuid]: network.vnetGuid,
    [aksNodeLabel.overlay]: 'true',
    [aksNodeLabel.podNetworkType]: 'overlay',
    [aksNodeLabel.statelessCni]: String(isMinorAtLeast(kubernetesVersion, 34)),
  };
}

function planLabels(plan: NodePlan): Labels {
  const isSpot = plan.capacityType === capacityType.spot;
  const priority = isSpot ? vmPriority.spot : vmPriority.regular;
  return {
    ...plan.nodeClaim.metadata.labels,
    ...singleValued(plan.requirements),
    ...singleValued(plan.instanceType.requirements),
    [label.capacityType]: plan.capacityType,
    [azureLabel.scaleSetPriority]: priority,
    [azureLabel.priority]: priority,
    [azureLabel.placementScope]: placementScopeOf(plan.zone),
    [azureLabel.skuUltraSsd]: String(plan.ultraSsd),
  };
}

/** Without the label of the one value there would be a node that does not match what it was made for. */
export function singleValued(requirements: Requirements): Labels {
  const labels: Record<string, string> = {};
  for (const [key, { complement, values }] of requirements) {
    const [value, ...others] = complement ? [] : values;
    if (value !== undefined && others.length === 0) labels[key] = value;
  }
  return labels;
}

function sorted(labels: Labels, isWanted: (key: string) => boolean): Labels {
  return Object.fromEntries(
    Object.entries(labels)
      .filter(([key]) => isWanted(key))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
