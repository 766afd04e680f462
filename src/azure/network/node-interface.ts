// The network interface of a node. In: the cluster's network, the node, the pools it joins. Out: the body to PUT.
// Where pods take addresses of the node's subnet, the interface brings one for each of them from the start.
import { specOf } from '../../api/aks-node-class.ts';
import { azureLabel } from '../../api/labels.ts';
import { allows } from '../../model/requirement.ts';
import { requirementOn } from '../../model/requirements.ts';
import type { IpConfiguration, NetworkInterface } from '../arm/network-interfaces.ts';
import { isOverlay, maxPodsOf } from '../bootstrap/network-mode.ts';
import type { ClusterSettings, NodePlan } from '../bootstrap/node-plan.ts';
import { resourceTags } from '../bootstrap/resource-tags.ts';
import { isInManagedNetwork } from './subnet-choice.ts';

export function nodeInterface(
  cluster: ClusterSettings,
  plan: NodePlan,
  parts: {
    readonly name: string;
    readonly pools: readonly string[];
    readonly securityGroupId: string;
  },
): NetworkInterface {
  const { name, pools, securityGroupId } = parts;
  const subnetId = specOf(plan.nodeClass).vnetSubnetID ?? cluster.network.subnetId;
  const isManaged = isInManagedNetwork(subnetId, cluster.nodeResourceGroup);
  const accelerated = requirementOn(
    plan.instanceType.requirements,
    azureLabel.skuAcceleratedNetworking,
  );
  return {
    location: cluster.location,
    tags: resourceTags(cluster, plan),
    properties: {
      enableAcceleratedNetworking: allows(accelerated, 'true'),
      enableIPForwarding: false,
      ...(!isManaged && { networkSecurityGroup: { id: securityGroupId } }),
      ipConfigurations: [
        ipConfiguration(name, subnetId, { primary: true, pools }),
        ...podConfigurations(cluster, plan, subnetId),
      ],
    },
  };
}

/** The primary address is the node's own, so there is one fewer than pods. */
function podConfigurations(
  { network }: ClusterSettings,
  plan: NodePlan,
  subnetId: string,
): IpConfiguration[] {
  if (network.plugin !== 'azure' || isOverlay(network)) return [];
  const count = maxPodsOf(specOf(plan.nodeClass), network) - 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) =>
    ipConfiguration(`ipconfig${i + 1}`, subnetId, { primary: false, pools: [] }),
  );
}

function ipConfiguration(
  name: string,
  subnetId: string,
  { primary, pools }: { readonly primary: boolean; readonly pools: readonly string[] },
): IpConfiguration {
  return {
    name,
    properties: {
      primary,
      privateIPAllocationMethod: 'Dynamic',
      subnet: { id: subnetId },
      ...(pools.length > 0 && { loadBalancerBackendAddressPools: pools.map((id) => ({ id })) }),
    },
  };
}
