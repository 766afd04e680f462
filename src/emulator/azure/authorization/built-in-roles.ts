// Azure's own roles, as far as a cluster and its operators need them: real ids, real names, real actions. Data only.

export interface RoleFacts {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly actions: readonly string[];
  readonly notActions?: readonly string[];
}

const everyone = [
  'Microsoft.Insights/alertRules/*',
  'Microsoft.Resources/deployments/*',
  'Microsoft.Resources/subscriptions/resourceGroups/read',
  'Microsoft.Support/*',
] as const;

export const ownerRoleId = '8e3af657-a8ff-443c-a75c-2fe8c4bcb635';

export const builtInRoles: readonly RoleFacts[] = [
  {
    id: ownerRoleId,
    name: 'Owner',
    description:
      'Grants full access to manage all resources, including the ability to assign roles in Azure RBAC.',
    actions: ['*'],
  },
  {
    id: 'b24988ac-6180-42a0-ab88-20f7382dd24c',
    name: 'Contributor',
    description:
      'Grants full access to manage all resources, but does not allow you to assign roles in Azure RBAC, manage assignments in Azure Blueprints, or share image galleries.',
    actions: ['*'],
    notActions: [
      'Microsoft.Authorization/*/Delete',
      'Microsoft.Authorization/*/Write',
      'Microsoft.Authorization/elevateAccess/Action',
      'Microsoft.Blueprint/blueprintAssignments/write',
      'Microsoft.Blueprint/blueprintAssignments/delete',
      'Microsoft.Compute/galleries/share/action',
      'Microsoft.Purview/consents/write',
      'Microsoft.Purview/consents/delete',
      'Microsoft.Resources/deploymentStacks/manageDenySetting/action',
    ],
  },
  {
    id: 'acdd72a7-3385-48ef-bd42-f606fba81ae7',
    name: 'Reader',
    description: 'View all resources, but does not allow you to make any changes.',
    actions: ['*/read'],
  },
  {
    id: '18d7d88d-d35e-4fb5-a5c3-7773c20a72d9',
    name: 'User Access Administrator',
    description: 'Lets you manage user access to Azure resources.',
    actions: ['*/read', 'Microsoft.Authorization/*', 'Microsoft.Support/*'],
  },
  {
    id: 'f58310d9-a9f6-439a-9e8d-f62e7b41a168',
    name: 'Role Based Access Control Administrator',
    description:
      'Manage access to Azure resources by assigning roles using Azure RBAC. This role does not allow you to manage access using other ways, such as Azure Policy.',
    actions: [
      'Microsoft.Authorization/roleAssignments/write',
      'Microsoft.Authorization/roleAssignments/delete',
      '*/read',
      'Microsoft.Support/*',
    ],
  },
  {
    id: '4d97b98b-1d4f-4787-a291-c67834d212e7',
    name: 'Network Contributor',
    description: 'Lets you manage networks, but not access to them.',
    actions: [
      'Microsoft.Authorization/*/read',
      'Microsoft.Network/*',
      'Microsoft.ResourceHealth/availabilityStatuses/read',
      ...everyone,
    ],
  },
  {
    id: '9980e02c-c2be-4d73-94e8-173b1dc7cf3c',
    name: 'Virtual Machine Contributor',
    description:
      "Lets you manage virtual machines, but not access to them, and not the virtual network or storage account they're connected to.",
    actions: [
      'Microsoft.Authorization/*/read',
      'Microsoft.Compute/availabilitySets/*',
      'Microsoft.Compute/locations/*',
      'Microsoft.Compute/virtualMachines/*',
      'Microsoft.Compute/virtualMachineScaleSets/*',
      'Microsoft.Compute/cloudServices/*',
      'Microsoft.Compute/disks/write',
      'Microsoft.Compute/disks/read',
      'Microsoft.Compute/disks/delete',
      'Microsoft.DevTestLab/schedules/*',
      'Microsoft.Network/applicationGateways/backendAddressPools/join/action',
      'Microsoft.Network/loadBalancers/backendAddressPools/join/action',
      'Microsoft.Network/loadBalancers/inboundNatPools/join/action',
      'Microsoft.Network/loadBalancers/inboundNatRules/join/action',
      'Microsoft.Network/loadBalancers/probes/join/action',
      'Microsoft.Network/loadBalancers/read',
      'Microsoft.Network/locations/*',
      'Microsoft.Network/networkInterfaces/*',
      'Microsoft.Network/networkSecurityGroups/join/action',
      'Microsoft.Network/networkSecurityGroups/read',
      'Microsoft.Network/publicIPAddresses/join/action',
      'Microsoft.Network/publicIPAddresses/read',
      'Microsoft.Network/virtualNetworks/read',
      'Microsoft.Network/virtualNetworks/subnets/join/action',
      'Microsoft.RecoveryServices/locations/*',
      'Microsoft.ResourceHealth/availabilityStatuses/read',
      'Microsoft.SerialConsole/serialPorts/connect/action',
      'Microsoft.SqlVirtualMachine/*',
      'Microsoft.Storage/storageAccounts/listKeys/action',
      'Microsoft.Storage/storageAccounts/read',
      ...everyone,
    ],
  },
  {
    id: 'f1a07417-d97a-45cb-824c-7a7467783830',
    name: 'Managed Identity Operator',
    description: 'Read and Assign User Assigned Identity',
    actions: [
      'Microsoft.ManagedIdentity/userAssignedIdentities/*/read',
      'Microsoft.ManagedIdentity/userAssignedIdentities/*/assign/action',
      'Microsoft.Authorization/*/read',
      ...everyone,
    ],
  },
  {
    id: 'e40ec5ca-96e0-45a2-b4ff-59039f2c2b59',
    name: 'Managed Identity Contributor',
    description: 'Create, Read, Update, and Delete User Assigned Identity',
    actions: [
      'Microsoft.ManagedIdentity/userAssignedIdentities/read',
      'Microsoft.ManagedIdentity/userAssignedIdentities/write',
      'Microsoft.ManagedIdentity/userAssignedIdentities/delete',
      'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials/*',
      'Microsoft.Authorization/*/read',
      ...everyone,
    ],
  },
  {
    id: 'ed7f3fbd-7b88-4dd4-9017-9adb7ce333f8',
    name: 'Azure Kubernetes Service Contributor Role',
    description: 'Grants access to read and write Azure Kubernetes Service clusters',
    actions: [
      'Microsoft.ContainerService/locations/*',
      'Microsoft.ContainerService/managedClusters/*',
      'Microsoft.ContainerService/managedclustersnapshots/*',
      'Microsoft.ContainerService/snapshots/*',
      ...everyone,
    ],
  },
  {
    id: '0ab0b1a8-8aac-4efd-b8c2-3ee1fb270be8',
    name: 'Azure Kubernetes Service Cluster Admin Role',
    description: 'List cluster admin credential action.',
    actions: [
      'Microsoft.ContainerService/managedClusters/listClusterAdminCredential/action',
      'Microsoft.ContainerService/managedClusters/accessProfiles/listCredential/action',
      'Microsoft.ContainerService/managedClusters/read',
      'Microsoft.ContainerService/managedClusters/runcommand/action',
    ],
  },
  {
    id: '4abbcc35-e782-43d8-92c5-2d3f1bd2253f',
    name: 'Azure Kubernetes Service Cluster User Role',
    description: 'List cluster user credential action.',
    actions: [
      'Microsoft.ContainerService/managedClusters/listClusterUserCredential/action',
      'Microsoft.ContainerService/managedClusters/read',
    ],
  },
  {
    id: '7f951dda-4ed3-4680-a7ca-43fe172d538d',
    name: 'AcrPull',
    description: 'acr pull',
    actions: ['Microsoft.ContainerRegistry/registries/pull/read'],
  },
  {
    id: 'b12aa53e-6015-4669-85d0-8515ebb3ae7f',
    name: 'Private DNS Zone Contributor',
    description:
      'Lets you manage private DNS zone resources, but not the virtual networks they are linked to.',
    actions: [
      'Microsoft.Network/privateDnsZones/*',
      'Microsoft.Network/privateDnsOperationResults/*',
      'Microsoft.Network/privateDnsOperationStatuses/*',
      'Microsoft.Network/virtualNetworks/read',
      'Microsoft.Network/virtualNetworks/join/action',
      'Microsoft.Authorization/*/read',
      ...everyone,
    ],
  },
];
