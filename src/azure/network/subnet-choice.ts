// Which subnet a node class may use. In: the class's subnet, the cluster's, the node resource group. Out: why it may not, or
// nothing. Names are compared as ARM does, in any case.
// A network that AKS manages is AKS's: no class may use a subnet of its own in it, and it needs no security group from us.
import { parseSubnetId, type SubnetId } from '../bootstrap/subnet-id.ts';

/** `/subscriptions/…/virtualNetworks/aks-vnet-12345678/subnets/aks-subnet` in the node resource group. */
export function isInManagedNetwork(subnetId: string, nodeResourceGroup: string): boolean {
  const id = parseSubnetId(subnetId);
  return (
    id !== undefined &&
    /^aks-vnet-\d{8}$/i.test(id.virtualNetwork) &&
    /^aks-subnet$/i.test(id.subnet) &&
    isSame(id.resourceGroup, nodeResourceGroup)
  );
}

/** Undefined: it may be used, if it is there. */
export function subnetRefusal(choice: {
  readonly classSubnetId: string | undefined;
  readonly clusterSubnetId: string;
  readonly nodeResourceGroup: string;
}): string | undefined {
  const { classSubnetId, clusterSubnetId, nodeResourceGroup } = choice;
  const wanted = classSubnetId ?? clusterSubnetId;
  const [id, cluster] = [parseSubnetId(wanted), parseSubnetId(clusterSubnetId)];
  if (id === undefined) return `vnetSubnetID ${wanted} is not the id of a subnet`;
  if (cluster === undefined) return `vnet-subnet-id ${clusterSubnetId} is not the id of a subnet`;
  if (isSame(wanted, clusterSubnetId)) return undefined;
  if (!isSameNetwork(id, cluster)) {
    return `vnetSubnetID ${wanted} is not in the cluster's virtual network ${cluster.virtualNetwork} of resource group ${cluster.resourceGroup}; use a subnet of that network`;
  }
  if (isInManagedNetwork(clusterSubnetId, nodeResourceGroup)) {
    return `vnetSubnetID ${wanted} is in a virtual network that AKS manages; leave it out, or bring a network of your own`;
  }
  return undefined;
}

function isSameNetwork(a: SubnetId, b: SubnetId): boolean {
  return (
    isSame(a.subscriptionId, b.subscriptionId) &&
    isSame(a.resourceGroup, b.resourceGroup) &&
    isSame(a.virtualNetwork, b.virtualNetwork)
  );
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
