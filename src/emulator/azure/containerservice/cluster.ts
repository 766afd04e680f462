// A stored cluster as the rest of AKS reads it: where its nodes live, who acts for it, how they reach its API. In: the resource.
// Out: plain values. Ids that AKS makes up are derived from the cluster here and nowhere else.
import { at, objectAt, objectsAt, stringAt, textAt, type JsonObject } from '../../kube/json.ts';
import type { Caller } from '../arm/arm-call.ts';
import { groupId } from '../arm/resource-id.ts';
import type { AzureEnvironment } from '../environment.ts';
import type { Resource } from '../store.ts';
import type { ClusterName } from './container-service.ts';

export const managedClusterType = 'Microsoft.ContainerService/managedClusters';
export const agentPoolType = `${managedClusterType}/agentPools`;
export const machineType = `${agentPoolType}/machines`;

export interface Cluster extends ClusterName {
  readonly id: string;
  readonly location: string;
  /** The eight digits in the names of what AKS makes. */
  readonly suffix: string;
  readonly nodeResourceGroup: string;
  readonly kubernetesVersion: string;
  readonly network: JsonObject;
  readonly properties: JsonObject;
  readonly kubeletIdentity: { readonly id: string; readonly clientId: string };
  readonly caller: Caller;
}

export function clusterFrom(env: AzureEnvironment, resource: Resource): Cluster {
  const { id, name, subscriptionId, resourceGroup, body, hidden } = resource;
  const properties = objectAt(body, 'properties') ?? {};
  const kubelet = objectAt(properties, 'identityProfile', 'kubeletidentity');
  return {
    id,
    name,
    subscriptionId,
    resourceGroup,
    location: textAt(body, 'location'),
    suffix: textAt(hidden, 'suffix'),
    nodeResourceGroup: textAt(properties, 'nodeResourceGroup'),
    kubernetesVersion: textAt(properties, 'currentKubernetesVersion'),
    network: objectAt(properties, 'networkProfile') ?? {},
    properties,
    kubeletIdentity: { id: textAt(kubelet, 'resourceId'), clientId: textAt(kubelet, 'clientId') },
    caller: callerOf(env, body),
  };
}

/** The cluster's own identity, or the one that it was given. */
function callerOf(env: AzureEnvironment, body: JsonObject): Caller {
  const [assigned] = Object.values(objectAt(body, 'identity', 'userAssignedIdentities') ?? {});
  const objectId = stringAt(body, 'identity', 'principalId') ?? textAt(assigned, 'principalId');
  const name = env.directory.byObjectId(objectId)?.clientId ?? objectId;
  return { objectId, tenantId: env.tenantId, name };
}

/** Where a resource of a type lies in the group of the nodes. */
export function nodeResourceId(
  { subscriptionId, nodeResourceGroup }: Pick<Cluster, 'subscriptionId' | 'nodeResourceGroup'>,
  type: string,
  name: string,
): string {
  return `${groupId(subscriptionId, nodeResourceGroup)}/providers/${type}/${name}`;
}

export function managedSubnetId(cluster: Cluster): string {
  const network = `aks-vnet-${cluster.suffix}`;
  return `${nodeResourceId(cluster, 'Microsoft.Network/virtualNetworks', network)}/subnets/aks-subnet`;
}

export function balancerId(cluster: Cluster): string {
  return nodeResourceId(cluster, 'Microsoft.Network/loadBalancers', 'kubernetes');
}

export function isOverlay({ network }: Cluster): boolean {
  return textAt(network, 'networkPluginMode') === 'overlay';
}

/** Pods have addresses of the subnet only where nothing else gives them any. */
export function podsUseSubnet(cluster: Cluster): boolean {
  return textAt(cluster.network, 'networkPlugin') === 'azure' && !isOverlay(cluster);
}

export function defaultMaxPods(cluster: Cluster): number {
  if (isOverlay(cluster) || textAt(cluster.network, 'networkPlugin') === 'none') return 250;
  return podsUseSubnet(cluster) ? 30 : 110;
}

export function sshKeyOf({ properties }: Cluster): string | undefined {
  const [key] = objectsAt(properties, 'linuxProfile', 'ssh', 'publicKeys');
  return stringAt(key, 'keyData');
}

export function isAutoProvisioned(properties: JsonObject | undefined): boolean {
  return at(properties, 'nodeProvisioningProfile', 'mode') === 'Auto';
}

export function stateOf({ body }: Resource): string {
  return textAt(body, 'properties', 'provisioningState');
}

export function isBusy(resource: Resource): boolean {
  return ['Creating', 'Updating', 'Deleting'].includes(stateOf(resource));
}
