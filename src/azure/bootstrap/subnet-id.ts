// Names of subnets. In: an ARM id. Out: its parts, or undefined for anything that is not exactly the id of a subnet.
// Keywords are read in any case; names keep theirs.

export interface SubnetId {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly virtualNetwork: string;
  readonly subnet: string;
}

const shape =
  /^\/subscriptions\/(?<subscriptionId>[^/]*)\/resourceGroups\/(?<resourceGroup>[^/]*)\/providers\/Microsoft\.Network\/virtualNetworks\/(?<virtualNetwork>[^/]*)\/subnets\/(?<subnet>[^/]*)$/i;

export function parseSubnetId(id: string): SubnetId | undefined {
  const groups = shape.exec(id)?.groups;
  if (groups === undefined) return undefined;
  const { subscriptionId = '', resourceGroup = '', virtualNetwork = '', subnet = '' } = groups;
  return { subscriptionId, resourceGroup, virtualNetwork, subnet };
}
