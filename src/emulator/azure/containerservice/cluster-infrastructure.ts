// What AKS makes around a cluster, in a resource group of its own: network, security group, load balancer, outgoing address,
// the identity of its kubelets, and the rights that the cluster needs there. In: a cluster. Out: steps for its creation.
// What is there already is left as it is.
import { randomUuid } from '../../../base/uuid.ts';
import { textAt, type JsonObject } from '../../kube/json.ts';
import type { ArmReply } from '../arm/arm-call.ts';
import { groupId } from '../arm/resource-id.ts';
import { assignRole } from '../authorization/role-assignments.ts';
import type { AzureEnvironment } from '../environment.ts';
import {
  ensureIdentity,
  userAssignedIdentityType,
  type IdentityIds,
} from '../managed-identity/user-assigned-identities.ts';
import { resourceGroupType } from '../resources/resource-groups.ts';
import { balancerId, nodeResourceId, type Cluster } from './cluster.ts';
import { callAzure, type ServiceCaller } from './service-calls.ts';

const contributor = 'b24988ac-6180-42a0-ab88-20f7382dd24c';
const networkContributor = '4d97b98b-1d4f-4787-a291-c67834d212e7';

/** At once, because the cluster's own body names what is in it. */
export function ensureNodeGroup(
  env: AzureEnvironment,
  cluster: Pick<Cluster, 'id' | 'location' | 'subscriptionId' | 'nodeResourceGroup'>,
): void {
  const { subscriptionId, nodeResourceGroup, location } = cluster;
  const id = groupId(subscriptionId, nodeResourceGroup);
  if (env.store.get(id) !== undefined) return;
  env.lifecycle.save(id, resourceGroupType, {
    body: { location, managedBy: cluster.id, properties: { provisioningState: 'Succeeded' } },
  });
}

export function ensureKubeletIdentity(
  env: AzureEnvironment,
  cluster: Pick<Cluster, 'name' | 'location' | 'subscriptionId' | 'nodeResourceGroup'>,
): IdentityIds {
  const kubelet = nodeResourceId(cluster, userAssignedIdentityType, `${cluster.name}-agentpool`);
  return ensureIdentity(env, kubelet, cluster.location);
}

export function grantRights(
  env: AzureEnvironment,
  cluster: Cluster,
  subnetIds: readonly string[],
): void {
  const nodes = groupId(cluster.subscriptionId, cluster.nodeResourceGroup);
  const grants = [
    [nodes, contributor],
    ...subnetIds.map((scope) => [scope, networkContributor] as const),
  ] as const;
  for (const [scope, roleId] of grants) {
    assignRole(env, {
      scope,
      roleId,
      name: randomUuid(env.random),
      principalId: cluster.caller.objectId,
    });
  }
}

/** `ownNetwork`: the nodes stand in a network that somebody else made. */
export function infrastructureSteps(
  from: ServiceCaller,
  cluster: Cluster,
  ownNetwork: boolean,
): (() => ArmReply | undefined)[] {
  const { env } = from.service;
  const put = (type: string, name: string, body: JsonObject) => (): ArmReply | undefined => {
    const id = nodeResourceId(cluster, type, name);
    if (env.store.get(id) !== undefined) return undefined;
    return callAzure(from, { method: 'PUT', id, body: { location: cluster.location, ...body } });
  };
  const groupName = `aks-agentpool-${cluster.suffix}-nsg`;
  const steps = [put(securityGroupType, groupName, { properties: {} })];
  if (!ownNetwork) {
    const group = nodeResourceId(cluster, securityGroupType, groupName);
    steps.push(put(networkType, `aks-vnet-${cluster.suffix}`, networkBody(group)));
  }
  if (textAt(cluster.network, 'outboundType') !== 'loadBalancer') return steps;
  const address = randomUuid(env.random);
  const addressId = nodeResourceId(cluster, addressType, address);
  return [
    ...steps,
    put(addressType, address, {
      sku: { name: 'Standard' },
      properties: { publicIPAllocationMethod: 'Static' },
    }),
    put('Microsoft.Network/loadBalancers', 'kubernetes', balancerBody(cluster, address, addressId)),
  ];
}

const securityGroupType = 'Microsoft.Network/networkSecurityGroups';
const networkType = 'Microsoft.Network/virtualNetworks';
const addressType = 'Microsoft.Network/publicIPAddresses';

function networkBody(securityGroupId: string): JsonObject {
  return {
    properties: {
      addressSpace: { addressPrefixes: ['10.224.0.0/12'] },
      subnets: [
        {
          name: 'aks-subnet',
          properties: {
            addressPrefix: '10.224.0.0/16',
            networkSecurityGroup: { id: securityGroupId },
          },
        },
      ],
    },
  };
}

function balancerBody(cluster: Cluster, frontend: string, addressId: string): JsonObject {
  const own = balancerId(cluster);
  return {
    sku: { name: 'Standard', tier: 'Regional' },
    properties: {
      frontendIPConfigurations: [
        { name: frontend, properties: { publicIPAddress: { id: addressId } } },
      ],
      backendAddressPools: [{ name: 'aksOutboundBackendPool' }, { name: 'kubernetes' }],
      outboundRules: [
        {
          name: 'aksOutboundRule',
          properties: {
            protocol: 'All',
            idleTimeoutInMinutes: 30,
            enableTcpReset: true,
            allocatedOutboundPorts: 0,
            backendAddressPool: { id: `${own}/backendAddressPools/aksOutboundBackendPool` },
            frontendIPConfigurations: [{ id: `${own}/frontendIPConfigurations/${frontend}` }],
          },
        },
      ],
    },
  };
}
